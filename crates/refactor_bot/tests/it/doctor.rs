//! `doctor` on machines made up of small scripts.

use std::path::PathBuf;

use expect_test::expect;
use rb_testkit::{Cli, Ran, write_fixture};

use crate::cli;

const GIT: &str = "\
//- git exec
#!/bin/sh
echo git version 2.39.5
";

/// The real one: only a trial run tells whether it works.
const BWRAP: &str = "\
//- bwrap exec
#!/bin/sh
exec /usr/bin/bwrap \"$@\"
";

/// A call that finds only the programs of `fixture`.
fn machine(fixture: &str) -> Cli {
    let mut cli = cli();
    let bin: PathBuf = cli.user_dir().join("bin");
    std::fs::create_dir(&bin).unwrap();
    write_fixture(&bin, fixture);
    cli.set_env("PATH", bin);
    cli
}

/// The output without the one number that differs.
fn shown(cli: &Cli, ran: &Ran) -> String {
    let mask = |line: &str| match line.split_once("  disk") {
        Some(_) => "[DISK]\n".to_owned(),
        None => format!("{line}\n"),
    };
    cli.shown(ran).lines().map(mask).collect()
}

#[test]
fn ux5_a_machine_with_everything() {
    let cli = machine(
        &[
            GIT,
            BWRAP,
            r#"
//- node exec
#!/bin/sh
echo v22.1.0
//- npm exec
#!/bin/sh
echo 10.8.1
//- python3 exec
#!/bin/sh
echo Python 3.12.1
//- cargo exec
#!/bin/sh
echo 'cargo 1.95.0 (abc 2026-01-01)'
//- go exec
#!/bin/sh
echo go version go1.23.0 linux/amd64
//- java exec
#!/bin/sh
echo 'openjdk version "21.0.1"' >&2
//- gopls exec
#!/bin/sh
echo golang.org/x/tools/gopls v0.20.0
//- rust-analyzer exec
#!/bin/sh
echo "error: Unknown binary 'rust-analyzer' in official toolchain" >&2; exit 1
//- claude exec
#!/bin/sh
echo '2.0.1 (Claude Code)'
//- chromium exec
#!/bin/sh
"#
            .trim_start(),
        ]
        .concat(),
    )
    .env("ANTHROPIC_API_KEY", "sk-secret-value")
    .env("OPENAI_API_KEY", "");
    let ran = cli.run(["doctor"]);
    expect![[r#"
        exit 0
        --- stdout
        ok    git          git version 2.39.5
        ok    home         [USER]/home (will be created)
        [DISK]
        ok    config       defaults
        ok    sandbox      bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command
        ok    node         v22.1.0
        ok    npm          10.8.1
        ok    python3      Python 3.12.1
        ok    cargo        cargo 1.95.0 (abc 2026-01-01)
        ok    go           go version go1.23.0 linux/amd64
        ok    java         openjdk version "21.0.1"
        ok    lsp          gopls (Go)
        ok    builtin      recipes and rules, no model needed
        ok    claude-code  2.0.1 (Claude Code)
        ok    keys         ANTHROPIC_API_KEY set
        ok    browser      [USER]/bin/chromium
        --- stderr
        checking this machine
    "#]]
    .assert_eq(&shown(&cli, &ran));
    let json = cli.run(["doctor", "--json"]).stdout;
    assert!(!json.contains("secret") && json.contains("ANTHROPIC_API_KEY"), "{json}");
    assert_eq!(json.lines().count(), 1, "{json}");
}

#[test]
fn ux5_a_bare_machine_says_what_to_do() {
    let cli = machine(BWRAP);
    let ran = cli.run(["doctor"]);
    expect![[r#"
        exit 3
        --- stdout
        fail  git          not found
                           -> install git 2.34 or newer
        ok    home         [USER]/home (will be created)
        [DISK]
        ok    config       defaults
        ok    sandbox      bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command
        none  node         not found; only needed for JavaScript and TypeScript
        none  npm          not found; only needed for JavaScript and TypeScript
        none  python3      not found; only needed for Python
        none  cargo        not found; only needed for Rust
        none  go           not found; only needed for Go
        none  java         not found; only needed for Java
        none  lsp          no language server found; only needed to rename in Go, Rust, Java, C#, C and C++
        ok    builtin      recipes and rules, no model needed
        none  claude-code  `claude` not found
                           -> only needed for --provider claude-code; set its path with `claude.binary`
        none  keys         no API key is set
                           -> only needed for models; `refactor-bot models` lists them
        none  browser      not found; only needed to check web pages
        --- stderr
        checking this machine
    "#]].assert_eq(&shown(&cli, &ran));
}

#[test]
fn ux5_broken_programs_and_folders_are_told_apart() {
    let cli = machine(
        &[
            BWRAP,
            "//- git exec\n#!/bin/sh\necho git version 2.20.1\n",
            "//- node exec\n#!/bin/sh\necho 'cannot load \u{1b}[2J libuv' >&2; exit 127\n",
        ]
        .concat(),
    );
    std::fs::write(cli.home(), "in the way").unwrap();
    let ran = cli.run(["doctor"]);
    expect![[r#"
        exit 3
        --- stdout
        fail  git          git version 2.20.1 is too old
                           -> install git 2.34 or newer
        fail  home         [USER]/home is not a folder
                           -> choose another folder with REFACTOR_BOT_HOME or --home
        [DISK]
        ok    config       defaults
        ok    sandbox      bubblewrap: no network except loopback, writes only where allowed, home hidden, no process outlives its command
        warn  node         cannot load \u{1b}[2J libuv
                           -> repair it before working on JavaScript and TypeScript
        none  npm          not found; only needed for JavaScript and TypeScript
        none  python3      not found; only needed for Python
        none  cargo        not found; only needed for Rust
        none  go           not found; only needed for Go
        none  java         not found; only needed for Java
        none  lsp          no language server found; only needed to rename in Go, Rust, Java, C#, C and C++
        ok    builtin      recipes and rules, no model needed
        none  claude-code  `claude` not found
                           -> only needed for --provider claude-code; set its path with `claude.binary`
        none  keys         no API key is set
                           -> only needed for models; `refactor-bot models` lists them
        none  browser      not found; only needed to check web pages
        --- stderr
        checking this machine
    "#]].assert_eq(&shown(&cli, &ran));
}

#[test]
fn ux5_a_sandbox_that_does_not_work_is_no_sandbox() {
    let broken = "//- bwrap exec\n#!/bin/sh\necho 'bwrap: No permissions' >&2; exit 1\n";
    let ran = machine(&[GIT, broken].concat()).run(["doctor"]);
    assert!(!ran.stdout.contains("sandbox      bubblewrap:"), "{}", ran.stdout);
    let why = "bubblewrap does not work here (bwrap: No permissions)";
    assert!(ran.stdout.contains(why), "{}", ran.stdout);
    ran.expect_code(0);
}

#[test]
fn ux1_progress_is_on_stderr_and_quiet_is_quiet() {
    let cli = machine(&[GIT, BWRAP].concat());
    let usual = cli.run(["doctor"]);
    assert_eq!(usual.stderr, "checking this machine\n");
    let quiet = cli.run(["doctor", "--quiet"]);
    assert_eq!(quiet.stderr, "");
    let verbose = cli.run(["doctor", "--verbose"]);
    let lines: Vec<&str> = verbose.stderr.lines().collect();
    assert!(
        matches!(lines[..], ["checking this machine", done] if done.contains(": done in ")),
        "{lines:?}"
    );
    let without_disk = |ran: &Ran| shown(&cli, &Ran { stderr: String::new(), ..ran.clone() });
    assert_eq!(without_disk(&usual), without_disk(&quiet));
    assert_eq!(without_disk(&usual), without_disk(&verbose));
}
