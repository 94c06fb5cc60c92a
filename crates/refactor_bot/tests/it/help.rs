//! The help as it is read.

use expect_test::{Expect, expect};

use crate::cli;

fn check(args: &[&str], expected: &Expect) {
    let cli = cli();
    expected.assert_eq(&cli.shown(&cli.run(args)));
}

#[test]
fn ux5_version() {
    let ran = cli().run(["--version"]);
    assert_eq!(ran.stdout, format!("refactor-bot {}\n", env!("CARGO_PKG_VERSION")));
    ran.expect_code(0);
}

#[test]
fn ux5_short_help() {
    check(
        &["-h"],
        &expect![[r#"
            exit 0
            --- stdout
            Changes a code repository in small verified steps, and proves that nothing was lost

            Usage: refactor-bot [OPTIONS] <COMMAND>

            Commands:
              run          Change a repository in small checked steps, in a throwaway worktree
              plan         Show what a run would do: tasks, files, risk, and what would be left
              verify       Run the repository's own checks, and say what they say test by test
              resume       Go on with a run that was interrupted, killed or stopped, or whose plan waits for you
              accept       Land a finished run in your checkout, or keep it as a branch
              reject       Drop a run: its worktree and branch go, your checkout was never touched
              rollback     Undo a run that landed: bring branch, index and files back
              runs         List runs, look into one, or clear old ones away
              search       Find files and symbols by what they are about, with the reasons
              rules        Find what costs a React or Next.js project speed, and fix what is proved safe; also
                           with rules of your own
              map          Show what a repository is: languages, architecture, layers, entry points, the files
                           that matter
              models       See which models can be asked, and ask one
              index        Index a repository: files, symbols, where imports lead
              config       Show the settings and where they come from; trust a project's settings
              doctor       Check that this machine has what is needed
              completions  Print a completion script for a shell

            Options:
              -h, --help     Print help (see more with '--help')
              -V, --version  Print version

            Global options:
                  --json             Print results, and errors too, as JSON on standard output
              -q, --quiet            Print no progress and no warnings
              -v, --verbose          Print more of what is going on
                  --color <WHEN>     When to use colours: auto, always or never [default: auto]
                  --home <DIR>       Keep everything below this folder instead of ~/.refactor-bot
                  --set <KEY=VALUE>  Set a configuration key for this call; may be repeated

            Examples:
              refactor-bot run . --directive 'Eliminate request waterfalls'    plan, change and test in a
              throwaway worktree
              refactor-bot plan .                                              what could be done here
              refactor-bot runs list                                           what was done, and what waits for
              you
              refactor-bot doctor                                              is everything here that is
              needed?
        "#]],
    );
}

#[test]
fn ux5_long_help_lists_the_exit_codes() {
    let ran = cli().run(["--help"]);
    ran.expect_code(0);
    let codes = &ran.stdout[ran.stdout.find("Exit codes:").unwrap()..];
    expect![[r#"
        Exit codes:
            0  done, also when there was nothing to do
            1  refused by verification, audit or contract; the repository is unchanged
            2  wrong arguments
            3  something is missing here: a tool, a login, a key, disk space
            4  a limit was reached (money, time, cycles, rate); resumable
            5  rejected by the person
            6  unsafe input refused: dirty tree, path outside, broken configuration
           70  a bug in refactor-bot
          130  interrupted; resumable
    "#]]
    .assert_eq(codes);
}

#[test]
fn ux5_help_of_config() {
    check(
        &["config", "-h"],
        &expect![[r#"
            exit 0
            --- stdout
            Show the settings and where they come from; trust a project's settings

            Usage: refactor-bot config [OPTIONS] <COMMAND>

            Commands:
              show     Print every setting with its value and where it comes from
              schema   Print the JSON schema of a configuration file
              trust    Let a project's configuration file choose programs and loosen limits
              untrust  Take `trust` back

            Options:
              -h, --help  Print help (see more with '--help')

            Global options:
                  --json             Print results, and errors too, as JSON on standard output
              -q, --quiet            Print no progress and no warnings
              -v, --verbose          Print more of what is going on
                  --color <WHEN>     When to use colours: auto, always or never [default: auto]
                  --home <DIR>       Keep everything below this folder instead of ~/.refactor-bot
                  --set <KEY=VALUE>  Set a configuration key for this call; may be repeated

            Settings come from, strongest first:
              flags, and --set KEY=VALUE
              variables, such as REFACTOR_BOT_DIFF_BUDGET_LOC or REFACTOR_BOT_CLAUDE_BINARY
                (a list is written as JSON, or with commas)
              .refactor-bot.config.json in the root of the project
              config.json in ~/.refactor-bot
              defaults

            Examples:
              refactor-bot config show
              refactor-bot config show ../shop --set max_batches=20
              refactor-bot config schema > refactor-bot.schema.json
        "#]],
    );
}

#[test]
fn ux5_help_of_config_trust() {
    let ran = cli().run(["config", "trust", "--help"]);
    let (text, _) = ran.stdout.split_once("\nArguments:").unwrap();
    expect![[r#"
        Let a project's configuration file choose programs and loosen limits.

        Until you trust it, a project's file can only make a run stricter: smaller budgets and limits, more
        excludes. Read the file first. If it changes, you have to trust it again. The list is kept in
        ~/.refactor-bot, never in the project.

        Usage: refactor-bot config trust [OPTIONS] <REPO>
    "#]].assert_eq(text);
}

#[test]
fn ux5_help_of_doctor() {
    check(
        &["doctor", "-h"],
        &expect![[r#"
            exit 0
            --- stdout
            Check that this machine has what is needed

            Usage: refactor-bot doctor [OPTIONS]

            Options:
              -h, --help  Print help (see more with '--help')

            Global options:
                  --json             Print results, and errors too, as JSON on standard output
              -q, --quiet            Print no progress and no warnings
              -v, --verbose          Print more of what is going on
                  --color <WHEN>     When to use colours: auto, always or never [default: auto]
                  --home <DIR>       Keep everything below this folder instead of ~/.refactor-bot
                  --set <KEY=VALUE>  Set a configuration key for this call; may be repeated

            Examples:
              refactor-bot doctor
              refactor-bot doctor --json | jq '.checks[] | select(.status == "fail")'
        "#]],
    );
}

#[test]
fn ux5_help_of_completions() {
    check(
        &["completions", "-h"],
        &expect![[r#"
            exit 0
            --- stdout
            Print a completion script for a shell

            Usage: refactor-bot completions [OPTIONS] <SHELL>

            Arguments:
              <SHELL>  [possible values: bash, elvish, fish, powershell, zsh]

            Options:
              -h, --help  Print help (see more with '--help')

            Global options:
                  --json             Print results, and errors too, as JSON on standard output
              -q, --quiet            Print no progress and no warnings
              -v, --verbose          Print more of what is going on
                  --color <WHEN>     When to use colours: auto, always or never [default: auto]
                  --home <DIR>       Keep everything below this folder instead of ~/.refactor-bot
                  --set <KEY=VALUE>  Set a configuration key for this call; may be repeated

            Examples:
              refactor-bot completions bash > ~/.local/share/bash-completion/completions/refactor-bot
              refactor-bot completions zsh > ~/.zfunc/_refactor-bot
              refactor-bot completions fish > ~/.config/fish/completions/refactor-bot.fish
        "#]],
    );
}
