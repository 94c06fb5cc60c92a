//! Agents that do what they must not: the checkout is untouched, nothing lands, and each has its message.

use expect_test::{Expect, expect};
use rb_testkit::State;

use super::fixture::{Case, MEND, NEW, has_node, wait_until_nobody_has};

/// Tries every place that an agent would like to write to.
pub(super) const WRITES_OUTSIDE: &str = r#"repo=$(dirname "$0")/project
for place in "$(dirname "$0")" "$repo" "$repo/lib" "$repo/.git/hooks" "$HOME" /tmp "$(dirname "$1")"; do
    echo evil > "$place/planted" 2>/dev/null
done
echo evil > "$(dirname "$0")/outside"; echo evil >> "$HOME/.profile"; echo evil >> "$1"
echo 'It is done.'"#;

pub(super) const WEAKENS_A_TEST: &str =
    r"sed -i 's/hello/hullo/' lib/alpha.js test/alpha.test.js; echo 'All tests pass.'";

pub(super) const COMMITS: &str =
    "sed -i 's/hello/hullo/' lib/alpha.js; git commit --quiet --all --message 'All done'
git branch sneaky; git config core.hooksPath /tmp; echo committed";

pub(super) const CHANGES_A_LOCKFILE: &str = "echo '{}' > package-lock.json";

pub(super) const ONLY_CLAIMS: &str = "echo 'All tests pass. The task is done.'";

/// The processes have the mark among their arguments.
pub(super) fn leaves_a_daemon(mark: &str) -> String {
    format!(
        "setsid sh -c 'sleep {mark}' >/dev/null 2>&1 & nohup sleep {mark} >/dev/null 2>&1 & echo started"
    )
}

pub(super) fn runs_for_ever(mark: &str) -> String {
    format!("{MEND}; trap '' TERM; sleep {mark}; sleep {mark}")
}

/// Runs the agent without retries. Nothing of the user's has changed afterwards.
#[track_caller]
fn check(script: &str, more: &[&str], expected: &Expect) -> Case {
    let case = Case::new(script);
    // Places that an agent would like to write to.
    std::fs::write(case.repo.beside("outside"), "mine\n").unwrap();
    std::fs::write(case.cli.user_dir().join(".profile"), "mine\n").unwrap();
    let (before, head) = (case.repo.state(), case.repo.head());
    let ran = case.run(&[&["--yes", "--max-retries", "0"], more].concat());
    expected.assert_eq(&case.cli.shown(&ran));
    before.assert_same(&case.repo.state(), "by a bad agent");
    assert_eq!(case.repo.head(), head);
    assert_eq!(std::fs::read_to_string(case.repo.beside("outside")).unwrap(), "mine\n");
    assert_eq!(std::fs::read_to_string(case.cli.user_dir().join(".profile")).unwrap(), "mine\n");
    let left = State::of(&case.run_dir(&ran.run_id()).join("agents"));
    assert!(!format!("{left:?}").contains("work/"), "{left:?}");
    case
}

#[test]
fn ag1_writing_outside_of_the_copy_reaches_nothing() {
    if !has_node() {
        return;
    }
    let case = check(
        WRITES_OUTSIDE,
        &[],
        &expect![[r#"
        exit 1
        --- stdout
        run [RUN]  [TMP]/project
          note: batch-001: the agent says (not checked): It is done.
          batch-001  refused  Greet with template strings in alpha, in lib/alpha.js
              the agent changed no file
        baseline pass
        stopped  early: batch-001: the agent did not do the task
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Nothing changed. Fix what was refused, then run it again.
        --- stderr
        indexing
        planning
        planned 1 task
        saving the history
        checking the saved history
        saving files
        checking the saved files
        baseline: node --test
        baseline: pass
        batch-001: Greet with template strings in alpha, in lib/alpha.js
        the agent works on batch-001
        batch-001: attempt 1 failed, stopping: the agent changed no file
        batch-001: refused
    "#]],
    );
    assert!(!case.repo.beside("planted").exists());
    assert!(!case.cli.user_dir().join("planted").exists());
    assert!(!std::path::Path::new("/tmp/planted").exists());
}

#[test]
fn ag1_a_test_that_was_weakened_to_pass_waits_for_a_person() {
    if !has_node() {
        return;
    }
    check(
        WEAKENS_A_TEST,
        &[],
        &expect![[r#"
        exit 4
        --- stdout
        run [RUN]  [TMP]/project
          note: batch-001: the agent changed tests; read them before you accept: test/alpha.test.js
          note: batch-001: the agent says (not checked): All tests pass.
          batch-001  applied  Greet with template strings in alpha, in lib/alpha.js  (2 files, +2 -2)  confidence 85 of 100
        tests    10 passed (10 before)
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Your checkout is unchanged. batch-001 changes tests: make sure that the agent did not weaken them. Review the diffs, then accept or reject:
          refactor-bot runs show [RUN] --diff
          refactor-bot accept [RUN]
          refactor-bot reject [RUN]
        --- stderr
        indexing
        planning
        planned 1 task
        saving the history
        checking the saved history
        saving files
        checking the saved files
        baseline: node --test
        baseline: pass
        batch-001: Greet with template strings in alpha, in lib/alpha.js
        the agent works on batch-001
        verifying: node --test
        batch-001: applied, pass
    "#]],
    );
}

#[test]
fn ag1_a_deleted_test_is_refused() {
    if !has_node() {
        return;
    }
    check(
        "sed -i 's/hello/hullo/' lib/alpha.js; rm test/alpha.test.js",
        &[],
        &expect![[r#"
        exit 1
        --- stdout
        run [RUN]  [TMP]/project
          note: batch-001: the agent changed tests; read them before you accept: test/alpha.test.js
          batch-001  refused  Greet with template strings in alpha, in lib/alpha.js
              test: missing, with fewer new ones in their place (1): `test/alpha.test.js › alpha greets`
        baseline pass
        stopped  early: batch-001: checks fail that passed before
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Nothing changed. Fix what was refused, then run it again.
        --- stderr
        indexing
        planning
        planned 1 task
        saving the history
        checking the saved history
        saving files
        checking the saved files
        baseline: node --test
        baseline: pass
        batch-001: Greet with template strings in alpha, in lib/alpha.js
        the agent works on batch-001
        verifying: node --test
        batch-001: attempt 1 failed, stopping: test: missing, with fewer new ones in their place (1): `test/alpha.test.js › alpha greets`
        batch-001: refused
    "#]],
    );
}

#[test]
fn ag1_commits_of_an_agent_do_not_reach_the_repository() {
    if !has_node() {
        return;
    }
    check(
        COMMITS,
        &[],
        &expect![[r#"
        exit 1
        --- stdout
        run [RUN]  [TMP]/project
          note: batch-001: the agent committed in its copy; only its files were taken
          note: batch-001: the agent says (not checked): committed
          batch-001  refused  Greet with template strings in alpha, in lib/alpha.js
              test: broken, passed before (1): `test/alpha.test.js › alpha greets`
        baseline pass
        stopped  early: batch-001: checks fail that passed before
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Nothing changed. Fix what was refused, then run it again.
        --- stderr
        indexing
        planning
        planned 1 task
        saving the history
        checking the saved history
        saving files
        checking the saved files
        baseline: node --test
        baseline: pass
        batch-001: Greet with template strings in alpha, in lib/alpha.js
        the agent works on batch-001
        verifying: node --test
        batch-001: attempt 1 failed, stopping: test: broken, passed before (1): `test/alpha.test.js › alpha greets`
        batch-001: refused
    "#]],
    );
}

#[test]
fn ag1_a_daemon_ends_with_its_agent() {
    if !has_node() {
        return;
    }
    let mark = "7319.1801";
    check(
        &leaves_a_daemon(mark),
        &[],
        &expect![[r#"
        exit 1
        --- stdout
        run [RUN]  [TMP]/project
          note: batch-001: the agent left processes running when it ended; they were stopped
          note: batch-001: the agent says (not checked): started
          batch-001  refused  Greet with template strings in alpha, in lib/alpha.js
              the agent changed no file
        baseline pass
        stopped  early: batch-001: the agent did not do the task
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Nothing changed. Fix what was refused, then run it again.
        --- stderr
        indexing
        planning
        planned 1 task
        saving the history
        checking the saved history
        saving files
        checking the saved files
        baseline: node --test
        baseline: pass
        batch-001: Greet with template strings in alpha, in lib/alpha.js
        the agent works on batch-001
        batch-001: attempt 1 failed, stopping: the agent changed no file
        batch-001: refused
    "#]],
    );
    wait_until_nobody_has(mark);
}

#[test]
fn ag1_of_a_good_change_only_the_files_land_whatever_the_agent_did_beside_them() {
    if !has_node() {
        return;
    }
    let mark = "7319.1806";
    let daemon = leaves_a_daemon(mark);
    let script =
        format!("{MEND}; git commit --quiet --all --message mine; git branch sneaky; {daemon}");
    let case = Case::new(&script);
    let ran = case.run(&["--yes"]);
    for note in [
        "batch-001: the agent committed in its copy; only its files were taken",
        "batch-001: the agent left processes running when it ended; they were stopped",
    ] {
        assert!(ran.expect_code(0).stdout.contains(note), "{note}: {}", ran.stdout);
    }
    assert!(case.repo.read("lib/alpha.js").contains(NEW));
    assert_eq!(case.repo.git(&["branch", "--list", "sneaky"]), "");
    let log = case.repo.git(&["log", "--all", "--format=%s"]);
    assert!(!log.lines().any(|subject| subject == "mine"), "{log}");
    wait_until_nobody_has(mark);
}

#[test]
fn ag1_a_lockfile_is_not_taken() {
    if !has_node() {
        return;
    }
    check(
        CHANGES_A_LOCKFILE,
        &[],
        &expect![[r#"
        exit 1
        --- stdout
        run [RUN]  [TMP]/project
          note: batch-001: not taken from the agent: `package-lock.json`: a lockfile is taken only together with a change of its manifest
          batch-001  refused  Greet with template strings in alpha, in lib/alpha.js
              `package-lock.json`: a lockfile is taken only together with a change of its manifest
        baseline pass
        stopped  early: batch-001: the agent failed
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Nothing changed. Fix what was refused, then run it again.
        --- stderr
        indexing
        planning
        planned 1 task
        saving the history
        checking the saved history
        saving files
        checking the saved files
        baseline: node --test
        baseline: pass
        batch-001: Greet with template strings in alpha, in lib/alpha.js
        the agent works on batch-001
        batch-001: attempt 1 failed, stopping: `package-lock.json`: a lockfile is taken only together with a change of its manifest
        batch-001: refused
    "#]],
    );
}

#[test]
fn ag1_success_without_a_change_is_no_success() {
    if !has_node() {
        return;
    }
    check(
        ONLY_CLAIMS,
        &[],
        &expect![[r#"
        exit 1
        --- stdout
        run [RUN]  [TMP]/project
          note: batch-001: the agent says (not checked): All tests pass. The task is done.
          batch-001  refused  Greet with template strings in alpha, in lib/alpha.js
              the agent changed no file
        baseline pass
        stopped  early: batch-001: the agent did not do the task
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Nothing changed. Fix what was refused, then run it again.
        --- stderr
        indexing
        planning
        planned 1 task
        saving the history
        checking the saved history
        saving files
        checking the saved files
        baseline: node --test
        baseline: pass
        batch-001: Greet with template strings in alpha, in lib/alpha.js
        the agent works on batch-001
        batch-001: attempt 1 failed, stopping: the agent changed no file
        batch-001: refused
    "#]],
    );
}

#[test]
fn ag1_an_agent_that_runs_for_ever_is_stopped() {
    if !has_node() {
        return;
    }
    let mark = "7319.1802";
    check(
        &runs_for_ever(mark),
        &["--agent-timeout", "1"],
        &expect![[r#"
        exit 1
        --- stdout
        run [RUN]  [TMP]/project
          batch-001  refused  Greet with template strings in alpha, in lib/alpha.js
              the agent did not finish within [TIME] and was stopped
        baseline pass
        stopped  early: batch-001: the agent failed
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Nothing changed. Fix what was refused, then run it again.
        --- stderr
        indexing
        planning
        planned 1 task
        saving the history
        checking the saved history
        saving files
        checking the saved files
        baseline: node --test
        baseline: pass
        batch-001: Greet with template strings in alpha, in lib/alpha.js
        the agent works on batch-001
        batch-001: attempt 1 failed, stopping: the agent did not finish within [TIME] and was stopped
        batch-001: refused
    "#]],
    );
    wait_until_nobody_has(mark);
}

#[test]
fn ag1_an_agent_sees_no_keys_of_others() {
    if !has_node() {
        return;
    }
    let mut case = Case::new(r#"echo "$(env)" | grep -c 'SECRET' > lib/found.txt; echo done"#);
    case.cli.set_env("GITHUB_TOKEN", "SECRET");
    case.cli.set_env("ANTHROPIC_API_KEY", "SECRET");
    let ran = case.run(&["--yes", "--max-retries", "0"]);
    let proposal = case.run_dir(&ran.run_id()).join("proposals/batch-001.patch");
    let patch = std::fs::read_to_string(proposal).unwrap();
    assert!(patch.contains("\n+0\n"), "{patch}");
}

#[test]
fn ag1_mo7_an_agent_that_has_spent_the_budget_is_not_started_again() {
    if !has_node() {
        return;
    }
    // It stands for Claude Code, breaks a test and says that it took more than it was given.
    let says = r#"{"is_error": false, "result": "Done.", "total_cost_usd": 2.5, "usage": {"input_tokens": 7}}"#;
    let script = format!("sed -i 's/hello/hullo/' lib/alpha.js; echo '{says}'");
    let mut case = Case::new(&script);
    case.cli.set_env("REFACTOR_BOT_CLAUDE_BINARY", case.repo.beside("agent.sh"));
    let (before, more) = (case.repo.state(), ["--yes", "--max-retries", "2", "--budget-usd", "2"]);
    let run = case.run_agent("claude-code", &more).expect_code(1).run_id();
    before.assert_same(&case.repo.state(), "by an agent without a budget");
    let failed = case.events(&run, "try_failed");
    let failures: Vec<&str> = failed.iter().map(|it| it["failure"].as_str().unwrap()).collect();
    assert_eq!(failures, ["verify", "blocked"]);
    assert_eq!(failed[1]["reasons"][0], "the budget for the agent is spent");
    assert_eq!(case.events(&run, "model_called").len(), 1);
}
