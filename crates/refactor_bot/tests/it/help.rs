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
            Change a code repository in small verified steps

            Usage: refactor-bot [OPTIONS] <COMMAND>

            Commands:
              run          Change a repository in small verified steps, in a temporary worktree
              plan         Show what a run would do: tasks, files, risk, and what it would not change
              ask          Answer a question about a repository, with citations that are checked
              kata         Develop a code kata test-first, with four agents and only green commits
              ticket       Implement a ticket, check its acceptance criteria in a browser, and write the pull
                           request
              verify       Run the repository's own checks and report every test
              resume       Resume an interrupted run, or one whose plan waits for you
              accept       Apply a finished run to your checkout, or keep it as a branch
              reject       Drop a run: remove its worktree and branch; your checkout stays as it is
              rollback     Undo an accepted run: restore branch, index and files
              runs         List runs, show one, or remove old ones
              search       Find the files and symbols that answer a question
              rules        Find and fix performance problems in React and Next.js projects; run recipes and your
                           own rules
              map          Show an overview of a repository: languages, architecture, layers, entry points,
                           important files
              serve        Open a local page: watch runs, review diffs, decide, explore the code
              mcp          Serve tools that explore a repository to MCP clients, such as Claude Code, Codex and
                           Cursor
              eval         Measure the quality of answers with a suite of questions
              models       List providers and models, check one, or call one
              index        Index a repository: files, symbols, imports
              config       Show the settings and where they come from; trust a project's settings
              doctor       Check that this machine has the required tools
              completions  Print a completion script for a shell

            Options:
              -h, --help     Print help (see more with '--help')
              -V, --version  Print version

            Global options:
                  --json             Print results and errors as JSON on standard output
              -q, --quiet            Print no progress and no warnings
              -v, --verbose          Print more progress
                  --color <WHEN>     When to use colors: auto, always or never [default: auto]
                  --no-pager         Do not show diffs in a pager
                  --home <DIR>       Store runs and settings in this folder instead of ~/.refactor-bot
                  --set <KEY=VALUE>  Set a configuration key for this call; repeatable

            Examples:
              refactor-bot plan .
              refactor-bot run . --directive 'Eliminate request waterfalls'
              refactor-bot runs list
              refactor-bot accept latest
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
            0  success, also if there was nothing to do
            1  checks failed or a change was refused; your checkout is unchanged
            2  invalid arguments
            3  missing prerequisite: a tool, login, API key or disk space
            4  a limit was reached (cost, time, retries, rate); resumable
            5  rejected by you
            6  unsafe input: uncommitted changes, a path outside, invalid configuration
            7  incomplete: a task was skipped; the other changes are kept
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
              untrust  Stop trusting a project's configuration file

            Options:
              -h, --help  Print help

            Global options:
                  --json             Print results and errors as JSON on standard output
              -q, --quiet            Print no progress and no warnings
              -v, --verbose          Print more progress
                  --color <WHEN>     When to use colors: auto, always or never [default: auto]
                  --no-pager         Do not show diffs in a pager
                  --home <DIR>       Store runs and settings in this folder instead of ~/.refactor-bot
                  --set <KEY=VALUE>  Set a configuration key for this call; repeatable

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
            Check that this machine has the required tools

            Usage: refactor-bot doctor [OPTIONS]

            Options:
              -h, --help  Print help

            Global options:
                  --json             Print results and errors as JSON on standard output
              -q, --quiet            Print no progress and no warnings
              -v, --verbose          Print more progress
                  --color <WHEN>     When to use colors: auto, always or never [default: auto]
                  --no-pager         Do not show diffs in a pager
                  --home <DIR>       Store runs and settings in this folder instead of ~/.refactor-bot
                  --set <KEY=VALUE>  Set a configuration key for this call; repeatable

            Examples:
              refactor-bot doctor
              refactor-bot doctor --json
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
              -h, --help  Print help

            Global options:
                  --json             Print results and errors as JSON on standard output
              -q, --quiet            Print no progress and no warnings
              -v, --verbose          Print more progress
                  --color <WHEN>     When to use colors: auto, always or never [default: auto]
                  --no-pager         Do not show diffs in a pager
                  --home <DIR>       Store runs and settings in this folder instead of ~/.refactor-bot
                  --set <KEY=VALUE>  Set a configuration key for this call; repeatable

            Examples:
              refactor-bot completions bash > /etc/bash_completion.d/refactor-bot
              refactor-bot completions zsh > ~/.zfunc/_refactor-bot
              refactor-bot completions fish > ~/.config/fish/completions/refactor-bot.fish
        "#]],
    );
}
