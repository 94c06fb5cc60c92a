//! Agents that do the right thing, and agents that do what they must not.

use std::time::Duration;

use expect_test::expect;
use rb_agent::{AgentError, Assignment, Ended};
use rb_core::{Cancel, RepoPath};
use rb_sandbox::{Choice, SandboxError};

use crate::fixture::{Fixture, With, check, wait_until_nobody_has};

const MEND: &str = "echo 'return a + b' > src/sum.js";

#[test]
fn ag1_a_change_is_read_from_the_files() {
    let report = check(
        r#"echo 'return a + b' > src/sum.js; mkdir lib; echo new > lib/new.js; rm Cargo.toml
        mkdir build; echo x > build/out.js; echo x > lib/a.log
        cat "$1"; echo; test "$2" = "$PWD" && git status --short | wc -l"#,
        &expect![[r#"
            finished
            Cargo.toml: Regular "[package]\n" -> none
            lib/new.js: none -> Regular "new\n"
            src/sum.js: Regular "return a - b\n" -> Regular "return a + b\n"
            claims: Mend the sum.
            3
        "#]],
    );
    assert_eq!(report.touched_tests(), Vec::<&RepoPath>::new());
    let patch = String::from_utf8(rb_workspace::patch::write(&report.patch().unwrap())).unwrap();
    expect![[r#"
        diff --git a/Cargo.toml b/Cargo.toml
        deleted file mode 100644
        --- a/Cargo.toml
        +++ /dev/null
        @@ -1 +0,0 @@
        -[package]
        diff --git a/lib/new.js b/lib/new.js
        new file mode 100644
        --- /dev/null
        +++ b/lib/new.js
        @@ -0,0 +1 @@
        +new
        diff --git a/src/sum.js b/src/sum.js
        --- a/src/sum.js
        +++ b/src/sum.js
        @@ -1 +1 @@
        -return a - b
        +return a + b
    "#]]
    .assert_eq(&patch);
}

#[test]
fn ag1_nothing_outside_the_copy_can_be_written() {
    check(
        r#"project=$(dirname "$0")/../../project
        for place in "$HOME" "$project" "$project/.git/hooks" /tmp /usr/local /var/tmp "$(dirname "$1")" "$PWD/../../.."; do
            mkdir -p "$place" 2>/dev/null; echo planted > "$place/planted" 2>/dev/null
        done
        echo planted >> "$1"; echo planted >> "$0"; cat "$project/src/sum.js" "$HOME/secret"; echo tried"#,
        &expect![[r#"
            finished
            claims: tried
        "#]],
    );
    for place in ["/tmp/planted", "/usr/local/planted", "/var/tmp/planted"] {
        assert!(!std::path::Path::new(place).exists(), "{place}");
    }
}

#[test]
fn ag1_edited_tests_are_told() {
    let report = check(
        "echo 'expect(true).toBe(true)' > test/sum.test.js",
        &expect![[r#"
            finished
            test/sum.test.js: Regular "expect(sum(1, 1)).toBe(2)\n" -> Regular "expect(true).toBe(true)\n"
            claims: 
        "#]],
    );
    assert_eq!(report.touched_tests(), [&RepoPath::new("test/sum.test.js").unwrap()]);
}

#[test]
fn ag1_what_an_agent_commits_does_not_matter() {
    check(
        &format!(
            "{MEND}; git commit --quiet --all --message mine && echo committed
            git update-index --assume-unchanged src/sum.js; echo hidden > .git/info/exclude
            git config core.hooksPath /tmp; git remote; git log --oneline | wc -l
            echo '*' > .gitignore; echo x > later.js"
        ),
        &expect![[r#"
            finished
            .gitignore: Regular "build/\n*.log\n" -> Regular "*\n"
            later.js: none -> Regular "x\n"
            src/sum.js: Regular "return a - b\n" -> Regular "return a + b\n"
            committed in its copy
            claims: committed
            2
        "#]],
    );
}

#[test]
fn ag1_a_daemon_does_not_outlive_the_agent() {
    let fixture = Fixture::new();
    let mark = "7319.2604";
    let report = fixture.run(&format!(
        "setsid sh -c 'touch ../ready; exec sleep {mark}' >/dev/null 2>&1 &
        nohup sleep {mark} >/dev/null 2>&1 &
        while ! test -e ../ready; do :; done; {MEND}"
    ));
    assert_eq!((report.ended, report.changes.len()), (Ended::Done, 1));
    assert!(report.left_running && !report.committed, "{report:?}");
    wait_until_nobody_has(mark);
}

/// Everything that git does short of a commit, and a process that ends with its agent.
#[test]
fn ag1_nothing_is_said_of_commits_and_processes_that_are_not_there() {
    check(
        &format!(
            "git checkout --quiet -b mine; git branch other; {MEND}; git add --all; git reset --quiet
            sleep 7319.2606 & child=$!; kill $child; wait $child; echo done"
        ),
        &expect![[r#"
            finished
            src/sum.js: Regular "return a - b\n" -> Regular "return a + b\n"
            claims: done
        "#]],
    );
    check(
        "exit 3",
        &expect![[r#"
            failed with exit code 3
            claims: 
        "#]],
    );
    check(
        "kill -9 $$",
        &expect![[r#"
            was killed by signal 9
            claims: 
        "#]],
    );
}

#[test]
fn ag1_a_lockfile_alone_is_refused_and_the_rest_kept() {
    check(
        &format!("{MEND}; echo other > Cargo.lock"),
        &expect![[r#"
            finished
            src/sum.js: Regular "return a - b\n" -> Regular "return a + b\n"
            `Cargo.lock`: a lockfile is taken only together with a change of its manifest
            claims: 
        "#]],
    );
    check(
        "echo other > Cargo.lock; echo more >> Cargo.toml",
        &expect![[r#"
        finished
        Cargo.lock: Regular "locked\n" -> Regular "other\n"
        Cargo.toml: Regular "[package]\n" -> Regular "[package]\nmore\n"
        claims: 
    "#]],
    );
}

#[test]
fn ag1_success_without_a_change_is_only_a_claim() {
    check(
        "echo 'All tests pass. I fixed the bug.'",
        &expect![[r#"
        finished
        claims: All tests pass. I fixed the bug.
    "#]],
    );
}

#[test]
fn ag1_an_agent_that_runs_for_ever_is_stopped() {
    let mut fixture = Fixture::new();
    fixture.timeout = Duration::from_millis(500);
    let mark = "7319.2605";
    let report =
        fixture.run(&format!("{MEND}; echo working; trap '' TERM; sleep {mark}; sleep {mark}"));
    assert_eq!(report.ended, Ended::TimedOut { after: fixture.timeout });
    assert_eq!((report.changes.len(), report.claims.words.as_str()), (1, "working"));
    wait_until_nobody_has(mark);
}

#[test]
fn ag1_output_is_bounded() {
    let fixture = Fixture::new();
    let report = fixture.run("head -c 100000000 /dev/zero | tr '\\0' x; echo; echo done");
    assert_eq!(
        (report.ended, report.stdout.bytes, report.stdout.cut),
        (Ended::Done, 100_000_006, true)
    );
    let size = std::fs::metadata(&report.stdout.path).unwrap().len();
    assert!(size < fixture.limits.output + 100, "{size}");
    assert_eq!(report.claims.words.len(), 4000);
    assert!(report.claims.words.ends_with("x\ndone"));
}

#[test]
fn ag1_links_and_odd_files_are_refused() {
    check(
        r#"ln -s /etc/passwd users; ln -s ../../secret src/up; ln -s sum.js src/beside
        rm src/sum.js; ln -s /etc/passwd src/sum.js; mkfifo pipe
        rm -r test docs; ln -s /etc test; mkfifo docs
        mkdir sub; cd sub; git init --quiet; echo x > inside; cd ..
        mkdir -p deep/GIT~1; echo x > deep/GIT~1/config
        head -c 5000000 /dev/zero | tr '\0' x > large.txt; printf 'a\0b' > binary
        chmod +x Cargo.toml; chmod -x run.sh; echo more >> run.sh; echo 'echo new' > new.sh; chmod +x new.sh"#,
        &expect![[r#"
            finished
            new.sh: none -> Executable "echo new\n"
            run.sh: Executable "echo run\n" -> Executable "echo run\nmore\n"
            `Cargo.toml`: the permission to execute it stays as it is
            `binary`: a change of a binary file is not taken
            `deep/GIT~1` reaches into git's own folder; it is not taken
            `docs`: a pipe, socket or device is not taken
            `large.txt`: a file of 5000000 bytes is not taken; the limit is 4194304
            `pipe`: a pipe, socket or device is not taken
            `run.sh`: the permission to execute it stays as it is
            `src/beside`: a symbolic link, here to sum.js, is not taken
            `src/sum.js`: a symbolic link that leads out of the repository, to /etc/passwd, is not taken
            `src/up`: a symbolic link that leads out of the repository, to ../../secret, is not taken
            `sub`: a repository inside the repository is not taken
            `test`: a symbolic link that leads out of the repository, to /etc, is not taken
            `users`: a symbolic link that leads out of the repository, to /etc/passwd, is not taken
            claims: 
        "#]],
    );
}

#[test]
fn ag1_deleting_everything_is_told_as_deletions() {
    check(
        "rm -rf .git .gitignore *",
        &expect![[r#"
            finished
            .gitignore: Regular "build/\n*.log\n" -> none
            Cargo.lock: Regular "locked\n" -> none
            Cargo.toml: Regular "[package]\n" -> none
            docs/notes.md: Regular "notes\n" -> none
            run.sh: Executable "echo run\n" -> none
            src/sum.js: Regular "return a - b\n" -> none
            test/sum.test.js: Regular "expect(sum(1, 1)).toBe(2)\n" -> none
            `link`: a symbolic link of the repository stays as it is
            claims: 
        "#]],
    );
}

#[test]
fn ag1_a_copy_that_is_gone_or_leads_elsewhere_is_not_read() {
    let expected = expect![[r#"
        finished
        the agent removed the folder that it was to work in, so nothing of its work was taken
        claims: 
    "#]];
    for script in ["rm -rf \"$2\"", "rm -rf \"$2\"; ln -s /etc \"$2\"; chmod 000 ../settings"] {
        check(script, &expected);
    }
}

#[test]
fn ag1_variables_of_the_caller_stay_with_the_caller() {
    let fixture = Fixture::new();
    let agent = fixture.agent(
        "env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= -e ^OLDPWD= -e ^CODING_AGENT_FOLDER= | sort",
    );
    let variables = ["SHOWN".to_owned(), "UNSET".to_owned()];
    let assignment = Assignment { variables: &variables, ..Assignment::new("Mend the sum.") };
    let report = fixture.run_with(&agent, &assignment, With::default()).unwrap();
    let words = report
        .claims
        .words
        .lines()
        .filter(|line| !line.starts_with("HOME=") && !line.starts_with("TMPDIR="));
    expect![[r#"
        LANG=C.UTF-8
        PATH=/usr/local/bin:/usr/bin:/bin
        SHOWN=shown value
        TERM=dumb
    "#]]
    .assert_eq(&(words.collect::<Vec<_>>().join("\n") + "\n"));
}

#[test]
fn ag1_a_failure_is_told_and_its_work_kept() {
    check(
        &format!("{MEND}; echo 'I cannot' >&2; exit 3"),
        &expect![[r#"
        failed with exit code 3
        src/sum.js: Regular "return a - b\n" -> Regular "return a + b\n"
        claims: 
    "#]],
    );
}

#[test]
fn ag1_settings_of_git_around_the_copy_are_not_taken() {
    let fixture = Fixture::new();
    let report = fixture.run(&format!("{MEND}; mkdir ../.git; echo evil > ../.git/config"));
    expect![[r#"
        finished
        src/sum.js: Regular "return a - b\n" -> Regular "return a + b\n"
        `../.git/config`: settings of git are not taken
        claims: 
    "#]]
    .assert_eq(&fixture.shown(&report));
}

#[test]
fn ag1_without_a_sandbox_or_a_prompt_no_agent_runs() {
    let fixture = Fixture::new();
    let agent = fixture.agent(MEND);
    let ran = fixture.run_with(&agent, &Assignment::new(" \n"), With::default());
    assert!(matches!(ran, Err(AgentError::EmptyPrompt)), "{ran:?}");
    let (env, cancel) = (fixture.env(), Cancel::new());
    let off = rb_sandbox::Sandbox::probe(&Choice::Off, &env, None, &cancel).unwrap();
    let ran = fixture.run_with(
        &agent,
        &Assignment::new("Mend"),
        With { sandbox: Some(&off), ..With::default() },
    );
    assert!(matches!(ran, Err(AgentError::NotConfined { .. })), "{ran:?}");
    let agent = "no-such-agent {prompt_file}".parse().unwrap();
    let ran = fixture.run_with(&agent, &Assignment::new("Mend"), With::default());
    let error = ran.unwrap_err().to_string();
    assert_eq!(error, "`no-such-agent` was not found. Install it, or give its path");
}

#[test]
fn ag1_an_interrupted_run_leaves_nothing() {
    let fixture = Fixture::new();
    let agent = fixture.agent(MEND);
    let cancel = Cancel::new();
    let work = fixture.scratch().join("work");
    // What a killed run left is no part of the next one.
    std::fs::create_dir_all(work.join("copy/old")).unwrap();
    let report = fixture.run_with(&agent, &Assignment::new("Mend"), With::default()).unwrap();
    assert_eq!((report.changes.len(), report.refused.len()), (1, 0));
    cancel.cancel();
    let ran = fixture.run_with(
        &agent,
        &Assignment::new("Mend"),
        With { cancel: Some(&cancel), ..With::default() },
    );
    assert!(
        matches!(ran, Err(AgentError::Git(_) | AgentError::Sandbox(SandboxError::Cancelled(_)))),
        "{ran:?}"
    );
    assert!(!work.exists());
}

#[test]
fn ag1_processes_are_bounded() {
    let mut fixture = Fixture::new();
    fixture.limits.processes = 20;
    let report = fixture.run(
        "for i in 1 2 3 4 5 6 7 8 9 10; do for j in 1 2 3 4 5 6; do sleep 7319 & done; done; wait",
    );
    assert!(
        matches!(report.ended, Ended::TooManyProcesses { most: 20 } | Ended::Failed { .. }),
        "{:?}",
        report.ended
    );
}
