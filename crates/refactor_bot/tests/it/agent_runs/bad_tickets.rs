//! The same agents with a ticket: nothing of theirs lands, and each has its message.

use serde_json::Value;

use super::bad::{
    CHANGES_A_LOCKFILE, COMMITS, ONLY_CLAIMS, WEAKENS_A_TEST, WRITES_OUTSIDE, leaves_a_daemon,
    runs_for_ever,
};
use super::fixture::{Case, has_node, wait_until_nobody_has};

/// Runs the ticket with one attempt. Its output contains each of `messages`.
#[track_caller]
fn check(script: &str, more: &[&str], code: i32, messages: &[&str]) -> Case {
    let case = Case::new(script);
    std::fs::write(case.repo.beside("outside"), "mine\n").unwrap();
    std::fs::write(case.cli.user_dir().join(".profile"), "mine\n").unwrap();
    let before = case.repo.state();
    let more = [&["--set", "retry_per_batch=0"], more].concat();
    let ran = case.ticket(&case.agent(), &more);
    for message in messages {
        let said = &ran.expect_code(code).stdout;
        assert!(said.contains(message), "{message}: {said}{}", ran.stderr);
    }
    before.assert_same(&case.repo.state(), "by a bad agent");
    for place in [case.repo.beside("outside"), case.cli.user_dir().join(".profile")] {
        assert_eq!(std::fs::read_to_string(place).unwrap(), "mine\n");
    }
    let copy = case.run_dir(&run_of(&case)).join("agents/batch-001-1/work");
    assert!(!copy.exists(), "{}", copy.display());
    case
}

fn run_of(case: &Case) -> String {
    let listed = case.cli.run(["runs", "list", "--json"]);
    let line = listed.expect_code(0).stdout.lines().next().unwrap().to_owned();
    serde_json::from_str::<Value>(&line).unwrap()["run"].as_str().unwrap().to_owned()
}

const IN_VAIN: &str = "Nothing changed: no attempt passed its checks.";

#[test]
fn ag1_tk2_writing_outside_of_the_copy_of_a_ticket_reaches_nothing() {
    if !has_node() {
        return;
    }
    let said = "the agent changed no file; it says: It is done.";
    let case = check(WRITES_OUTSIDE, &[], 1, &[said, IN_VAIN]);
    assert!(!case.repo.beside("planted").exists());
    assert!(!case.cli.user_dir().join("planted").exists());
}

/// `--yes` does not accept it, as it is a person who has to read the test.
#[test]
fn ag1_tk2_a_test_that_was_weakened_for_a_ticket_waits_for_a_person() {
    if !has_node() {
        return;
    }
    let said = "the agent changed tests; read them before you accept: test/alpha.test.js";
    check(WEAKENS_A_TEST, &[], 7, &[said, "Your checkout is unchanged."]);
}

#[test]
fn ag1_tk2_commits_of_an_agent_are_no_result_of_a_ticket() {
    if !has_node() {
        return;
    }
    let said = "the agent committed in its copy; only its files were taken";
    let broken = "test: broken, passed before (1): `test/alpha.test.js › alpha greets`";
    let case = check(COMMITS, &[], 1, &[said, broken, IN_VAIN]);
    assert_eq!(case.repo.git(&["branch", "--list", "sneaky"]), "");
}

#[test]
fn ag1_tk2_a_daemon_ends_with_the_agent_of_a_ticket() {
    if !has_node() {
        return;
    }
    let mark = "7319.1807";
    let said = "the agent left processes running when it ended; they were stopped";
    check(&leaves_a_daemon(mark), &[], 1, &[said, IN_VAIN]);
    wait_until_nobody_has(mark);
}

#[test]
fn ag1_tk2_a_lockfile_alone_is_no_result_of_a_ticket() {
    if !has_node() {
        return;
    }
    let said =
        "`package-lock.json`: a lockfile is taken only together with a change of its manifest";
    check(CHANGES_A_LOCKFILE, &[], 1, &[said, IN_VAIN]);
}

#[test]
fn ag1_tk2_a_ticket_is_not_done_because_an_agent_says_so() {
    if !has_node() {
        return;
    }
    let said = "the agent changed no file; it says: All tests pass. The task is done.";
    check(ONLY_CLAIMS, &[], 1, &[said, IN_VAIN]);
}

#[test]
fn ag1_tk2_an_agent_of_a_ticket_that_runs_for_ever_is_stopped() {
    if !has_node() {
        return;
    }
    let mark = "7319.1808";
    let said = "the agent did not finish within 1 s and was stopped";
    check(&runs_for_ever(mark), &["--agent-timeout", "1"], 1, &[said, IN_VAIN]);
    wait_until_nobody_has(mark);
}

#[test]
fn ag1_mo7_an_agent_of_a_ticket_that_has_spent_the_budget_is_not_started_again() {
    if !has_node() {
        return;
    }
    // It stands for Claude Code, breaks a test and says that it took some of that.
    let says = r#"{"is_error": false, "result": "Done.", "total_cost_usd": 1.5, "usage": {"input_tokens": 7}}"#;
    let script = format!("sed -i 's/hello/hullo/' lib/alpha.js; echo '{says}'");
    let mut case = Case::new(&script);
    case.cli.set_env("REFACTOR_BOT_CLAUDE_BINARY", case.repo.beside("agent.sh"));
    let before = case.repo.state();
    let more = ["--set", "retry_per_batch=2", "--budget-usd", "2"];
    let ran = case.ticket("claude-code", &more);
    assert!(ran.expect_code(1).stdout.contains("the budget for the agent is spent"), "{ran:?}");
    before.assert_same(&case.repo.state(), "by an agent without a budget");
    let run = run_of(&case);
    let failed = case.events(&run, "try_failed");
    let failures: Vec<&str> = failed.iter().map(|it| it["failure"].as_str().unwrap()).collect();
    assert_eq!(failures, ["verify", "verify", "blocked"]);
    // The second try was allowed what the first one had left, and then nothing was left.
    let started = case.events(&run, "model_call_started");
    let nanos: Vec<u64> =
        started.iter().map(|it| it["booking"]["presumed"].as_u64().unwrap()).collect();
    assert_eq!(nanos, [2_000_000_000, 500_000_000], "{started:?}");
}
