//! Errors as they are read, the exit codes, colours and closed pipes.

use std::fs::OpenOptions;
use std::process::Stdio;

use expect_test::{Expect, expect};
use rb_testkit::Cli;

use crate::cli;

fn check(cli: &Cli, args: &[&str], expected: &Expect) {
    expected.assert_eq(&cli.shown(&cli.run(args)));
}

#[test]
fn ux5_a_wrong_flag_is_a_usage_error() {
    check(
        &cli(),
        &["doctor", "--jsno"],
        &expect![[r#"
        exit 2
        --- stderr
        error: unexpected argument '--jsno' found

          tip: a similar argument exists: '--json'

        Usage: refactor-bot doctor --json

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn ux5_a_directive_without_its_flag_gets_a_tip() {
    check(
        &cli(),
        &["run", ".", "Make files async"],
        &expect![[r#"
        exit 2
        --- stderr
        error: unexpected argument 'Make files async' found

          tip: to give a directive, use --directive 'Make files async'

        Usage: refactor-bot run [OPTIONS] [REPO]

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn ux2_a_wrong_flag_as_json() {
    check(
        &cli(),
        &["doctor", "--jsno", "--json"],
        &expect![[r#"
        exit 2
        --- stdout
        {"error":{"causes":[],"exit_code":2,"hints":["tip: a similar argument exists: '--json'","Usage: refactor-bot doctor --json","For more information, try '--help'."],"kind":"usage","message":"unexpected argument '--jsno' found"}}
    "#]],
    );
}

#[test]
fn ux5_a_wrong_setting_is_a_usage_error() {
    check(
        &cli(),
        &["doctor", "--set", "max_batch=1"],
        &expect![[r#"
        exit 2
        --- stderr
        error: invalid value 'max_batch=1' for '--set <KEY=VALUE>': unknown configuration key; did you mean `max_batches`?

        For more information, try '--help'.
    "#]],
    );
    check(
        &cli(),
        &["doctor", "--set", "max_batches=0"],
        &expect![[r#"
            exit 2
            --- stderr
            error: invalid value 'max_batches=0' for '--set <KEY=VALUE>': it must be a whole number from 1 to 1000000

            For more information, try '--help'.
        "#]],
    );
}

#[test]
fn ux5_no_command_shows_the_help_and_is_a_usage_error() {
    let ran = cli().run(Vec::<String>::new());
    ran.expect_code(2);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains("Usage: refactor-bot"), "{}", ran.stderr);
}

#[test]
fn ux5_no_home_says_what_to_set() {
    let mut cli = cli();
    cli.unset_env("HOME");
    cli.unset_env("REFACTOR_BOT_HOME");
    check(
        &cli,
        &["config", "show"],
        &expect![[r#"
        exit 3
        --- stderr
        error: there is no home folder
        hint: set REFACTOR_BOT_HOME, or pass --home DIR
    "#]],
    );
    check(
        &cli,
        &["config", "show", "--json"],
        &expect![[r#"
        exit 3
        --- stdout
        {"error":{"causes":[],"exit_code":3,"hints":["set REFACTOR_BOT_HOME, or pass --home DIR"],"kind":"environment","message":"there is no home folder"}}
    "#]],
    );
    cli.run(["config", "show", "--home", "elsewhere"]).expect_code(0);
}

#[test]
fn ux5_the_home_is_in_the_users_folder_unless_told_otherwise() {
    let mut cli = cli();
    cli.unset_env("REFACTOR_BOT_HOME");
    let home = cli.user_dir().join(".refactor-bot");
    std::fs::create_dir(&home).unwrap();
    std::fs::write(home.join("config.json"), r#"{"max_batches": 1}"#).unwrap();
    let ran = cli.run(["config", "show"]);
    assert!(ran.stdout.contains(&home.display().to_string()), "{}", ran.stdout);
}

#[test]
fn ux5_colours_only_where_they_are_wanted() {
    let colours = |cli: Cli, args: &[&str]| {
        let ran = cli.run(args);
        [ran.stdout.contains('\x1b'), ran.stderr.contains('\x1b')]
    };
    let bad = ["config", "show", "/no/such/folder"];
    assert_eq!(colours(cli(), &bad), [false, false]);
    assert_eq!(colours(cli(), &[&bad[..], &["--color", "always"]].concat()), [false, true]);
    assert_eq!(colours(cli().env("CLICOLOR_FORCE", "1"), &bad), [false, true]);
    let both = cli().env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1");
    assert_eq!(colours(both, &bad), [false, false]);
    assert_eq!(colours(cli().env("CLICOLOR_FORCE", "1"), &["config", "show"]), [true, false]);
    assert_eq!(colours(cli().env("CLICOLOR_FORCE", "1"), &["--help"]), [true, false]);
    assert_eq!(colours(cli(), &["--help"]), [false, false]);
    assert_eq!(colours(cli(), &["--color=always", "--no-such-flag"]), [false, true]);
}

#[test]
fn ux5_a_closed_pipe_ends_quietly() {
    for args in
        [&["--help"][..], &["config", "schema"], &["completions", "bash"], &["doctor", "-q"]]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let out = cli().command().args(args).stdout(writer).output().unwrap();
        assert_eq!(out.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&out.stderr), "", "{args:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn ux5_a_full_disk_behind_stdout_is_an_error() {
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let cli = cli();
    let mut command = cli.command();
    let out = command.args(["config", "schema"]).stdout(Stdio::from(full)).output().unwrap();
    assert_eq!(out.status.code(), Some(3));
    expect![[r#"
        error: cannot write to standard output
        caused by: No space left on device (os error 28)
    "#]]
    .assert_eq(&String::from_utf8_lossy(&out.stderr));
}

#[test]
#[cfg(feature = "fault")]
fn ux5_a_panic_asks_for_a_report() {
    let cli = cli().env("REFACTOR_BOT_FAULT", "panic");
    let without_place = |text: &str| {
        let place = text.split_once("src/lib.rs:").unwrap().1.split_once(": ").unwrap().0;
        text.replace(place, "[LINE]")
    };
    let shown = cli.shown(&cli.run(["config", "schema"]));
    expect![[r#"
        exit 70
        --- stderr
        error: internal error at crates/refactor_bot/src/lib.rs:[LINE]: told to panic by REFACTOR_BOT_FAULT
        hint: this is a bug in refactor-bot; please report it with this message, the command line and the output of `refactor-bot --version`
        hint: set RUST_BACKTRACE=1 to see a backtrace
    "#]].assert_eq(&without_place(&shown));
    let shown = cli.shown(&cli.run(["config", "schema", "--json"]));
    expect![[r#"
        exit 70
        --- stdout
        {"error":{"causes":[],"exit_code":70,"hints":["this is a bug in refactor-bot; please report it with this message, the command line and the output of `refactor-bot --version`"],"kind":"bug","message":"internal error: told to panic by REFACTOR_BOT_FAULT"}}
        --- stderr
        error: internal error at crates/refactor_bot/src/lib.rs:[LINE]: told to panic by REFACTOR_BOT_FAULT
        hint: this is a bug in refactor-bot; please report it with this message, the command line and the output of `refactor-bot --version`
        hint: set RUST_BACKTRACE=1 to see a backtrace
    "#]].assert_eq(&without_place(&shown));
}
