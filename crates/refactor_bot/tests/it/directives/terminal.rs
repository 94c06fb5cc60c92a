//! A person at a terminal: asked before the first task, for each change if wanted, and at the end.

use rb_testkit::Ran;

use crate::sync_files::{DIRECTIVE, SyncFiles};

/// Runs the program in a terminal of its own, in which these lines are typed.
fn at_a_terminal(case: SyncFiles, typed: &str, more: &[&str]) -> (SyncFiles, Ran) {
    const SCRIPT: &str = "line=; for word; do line=\"$line '$word'\"; done; \
                          exec script --quiet --return --command \"$line\" /dev/null";
    let SyncFiles { repo, cli, before } = case;
    let cli = cli.stdin(typed).env("TERM", "dumb").env("SHELL", "/bin/sh");
    let root = repo.root().display().to_string();
    let args = ["run", &root, "--directive", DIRECTIVE, "--no-verify", "--max-batches", "2"];
    let ran = cli.run_under(&["/bin/sh", "-c", SCRIPT, "sh"], args.iter().chain(more));
    (SyncFiles { repo, cli: cli.stdin(""), before }, ran)
}

fn is_changed(case: &SyncFiles) -> bool {
    case.repo.git(&["log", "--format=%s"]).contains("checkpoint:")
}

#[test]
#[cfg(target_os = "linux")]
fn rf8_ux1_a_plan_is_confirmed_and_its_result_accepted() {
    let (case, ran) = at_a_terminal(SyncFiles::five(), "y\ny\n", &[]);
    ran.expect_code(0);
    for words in ["plan      2 tasks", "backup ", "estimate", "Go on? [y]es", "Accept now? [y]es"] {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
    assert!(is_changed(&case), "{}", ran.stdout);
    case.assert_nothing_left();
}

#[test]
#[cfg(target_os = "linux")]
fn rf8_a_plan_that_is_declined_leaves_nothing() {
    let (case, ran) = at_a_terminal(SyncFiles::five(), "n\n", &[]);
    assert!(ran.expect_code(5).stdout.contains("the plan was declined"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("Accept now?"), "{}", ran.stdout);
    case.assert_untouched();
    case.assert_nothing_left();
}

#[test]
#[cfg(target_os = "linux")]
fn rf8_a_plan_can_wait_and_a_result_too() {
    let (case, ran) = at_a_terminal(SyncFiles::five(), "l\n", &[]);
    let id = ran.expect_code(4).run_id();
    assert_eq!(case.runs()[0]["stands"], "waiting for you");
    let early = case.cli.run(["accept", &id]);
    assert!(
        early.expect_code(2).stderr.contains("waits for a word on its plan"),
        "{}",
        early.stderr
    );
    case.cli.run(["resume", &id]).expect_code(0);
    case.cli.run(["reject", &id]).expect_code(0);
    case.assert_untouched();
    case.assert_nothing_left();

    let (case, ran) = at_a_terminal(SyncFiles::five(), "y\nl\n", &[]);
    let id = ran.expect_code(0).run_id();
    case.assert_untouched();
    case.cli.run(["accept", &id]).expect_code(0);
    assert!(is_changed(&case));
}

#[test]
#[cfg(target_os = "linux")]
fn rf8_a_result_that_is_refused_is_dropped() {
    let (case, ran) = at_a_terminal(SyncFiles::five(), "y\nn\n", &[]);
    ran.expect_code(5);
    case.assert_untouched();
    case.assert_nothing_left();
}

#[test]
#[cfg(target_os = "linux")]
fn rf10_at_a_terminal_each_change_is_asked_for() {
    let (case, ran) = at_a_terminal(SyncFiles::five(), "y\nn\ny\ny\n", &["--approve-each"]);
    ran.expect_code(0);
    assert_eq!(ran.stdout.matches("Keep it? [y]es, [n]o, [l]ater").count(), 2, "{}", ran.stdout);
    assert!(ran.stdout.contains("confidence"), "{}", ran.stdout);
    let log = case.repo.git(&["log", "--format=%s"]);
    assert!(log.contains("batch-002") && !log.contains("batch-001"), "{log}");
}
