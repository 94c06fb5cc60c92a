//! What an agent is given, and how its change comes into the checkout.

use std::process::Stdio;
use std::time::{Duration, Instant};

use expect_test::expect;
use serde_json::json;

use super::fixture::{Case, MEND, NEW, OLD, has_node, wait_until_nobody_has};

#[test]
fn ag1_an_agents_change_is_verified_and_lands_on_accept() {
    if !has_node() {
        return;
    }
    let case = Case::new(&format!("{MEND}; echo 'I made it a template.'"));
    let before = case.repo.state();
    let ran = case.run(&["--yes", "--dry-run"]);
    before.assert_same(&case.repo.state(), "by a dry run");
    expect![[r#"
        exit 0
        --- stdout
        run [RUN]  [TMP]/project
          note: batch-001: the agent says (not checked): I made it a template.
          batch-001  applied  Greet with template strings in alpha, in lib/alpha.js  (1 file, +1 -1)  confidence 85 of 100
        tests    10 passed (10 before)
        backup   [USER]/home/backups/project-[HASH]/[RUN]
        report   [USER]/home/runs/[RUN]/report

        Dry run: nothing to accept; your checkout is unchanged.
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
    "#]].assert_eq(&case.cli.shown(&ran));

    let ran = case.run(&["--yes"]);
    let run = ran.expect_code(0).run_id();
    assert!(case.repo.read("lib/alpha.js").contains(NEW));
    let booked = &case.events(&run, "model_called")[0]["booking"];
    assert_eq!(
        (&booked["role"], &booked["provider"], &booked["task"]),
        (&json!("agent"), &json!("command"), &json!("batch-001"))
    );
    // What it says is a note and nothing else.
    let notes = case.events(&run, "noted");
    let says = "batch-001: the agent says (not checked): I made it a template.";
    assert!(notes.iter().any(|note| note["text"] == says), "{notes:?}");
    // Its copy is gone.
    assert!(!case.run_dir(&run).join("agents/batch-001-1/work").exists());
}

#[test]
fn ag1_an_agent_gets_the_task_and_the_pack_and_is_told_how_it_works() {
    if !has_node() {
        return;
    }
    let case = Case::new(MEND);
    let run = case.run(&["--yes"]).expect_code(0).run_id();
    let prompt = case.prompt(&run, "batch-001-1");
    for words in [
        "by editing the files in the current folder",
        "Only the files count",
        "Greet with template strings in alpha",
        "lib/alpha.js, whole",
        OLD,
        "Do batch-001 alone.",
    ] {
        assert!(prompt.contains(words), "{words}: {prompt}");
    }
    for words in ["JSON", "patch_unified_diff", "noop"] {
        assert!(!prompt.contains(words), "{words}: {prompt}");
    }
}

#[test]
fn ag1_a_second_attempt_is_told_why_the_first_failed() {
    if !has_node() {
        return;
    }
    // The first attempt breaks the test; the second reads that in its prompt.
    let case = Case::new(&format!(
        r#"if grep -q 'What went wrong before' "$1"; then {MEND}; else sed -i 's/hello/hullo/' lib/alpha.js; fi"#
    ));
    let ran = case.run(&["--yes"]);
    let run = ran.expect_code(0).run_id();
    assert!(case.repo.read("lib/alpha.js").contains(NEW));
    let failed = case.events(&run, "try_failed");
    assert_eq!((failed.len(), &failed[0]["failure"]), (1, &json!("verify")));
    let prompt = case.prompt(&run, "batch-001-2");
    for words in ["the checks failed with the change", "alpha greets", "hullo"] {
        assert!(prompt.contains(words), "{words}: {prompt}");
    }
    assert_eq!(case.events(&run, "model_called").len(), 2);
}

#[test]
fn ag1_an_agent_waits_until_somebody_agrees() {
    if !has_node() {
        return;
    }
    let case = Case::new(MEND);
    let before = case.repo.state();
    let ran = case.run(&[]);
    let run = ran.expect_code(4).run_id();
    assert!(ran.stdout.contains("for 1 task on your own account"), "{}", ran.stdout);
    assert!(!case.run_dir(&run).join("agents").exists());
    before.assert_same(&case.repo.state(), "before somebody agreed");
    let again = case.cli.run(["resume", &run, "--yes"]);
    again.expect_code(0);
    assert!(case.repo.read("lib/alpha.js").contains(NEW));
}

#[test]
fn ag1_an_unknown_agent_is_an_error_before_anything_begins() {
    let case = Case::new(MEND);
    let check = |agent: &str, more: &[&str], expected: expect_test::Expect| {
        expected.assert_eq(&case.cli.shown(&case.run_agent(agent, more)));
        assert!(!case.cli.home().join("runs").exists());
    };
    check(
        "claude",
        &[],
        expect![[r#"
        exit 2
        --- stderr
        error: `claude` is no agent. An agent is `claude-code`, `codex`, or a command with {prompt_file}, such as 'aider --yes --message-file {prompt_file}'
    "#]],
    );
    check(
        "aider --yes",
        &[],
        expect![[r#"
        exit 2
        --- stderr
        error: `aider --yes` is no agent. An agent is `claude-code`, `codex`, or a command with {prompt_file}, such as 'aider --yes --message-file {prompt_file}'
    "#]],
    );
    let mut case = Case::new(MEND);
    case.cli.set_env("REFACTOR_BOT_CLAUDE_BINARY", "/no/such/claude");
    expect![[r#"
        exit 3
        --- stderr
        error: `/no/such/claude` was not found, which --agent claude-code starts
        hint: install it, for example with `npm install -g @anthropic-ai/claude-code`
    "#]]
    .assert_eq(&case.cli.shown(&case.run_agent("claude-code", &[])));
    check(
        "codex",
        &["--agent-timeout", "0"],
        expect![[r#"
        exit 2
        --- stderr
        error: invalid value '0' for '--agent-timeout <SECONDS>': 0 is not in 1..=86400

        For more information, try '--help'.
    "#]],
    );
}

#[test]
fn ag1_a_run_that_is_killed_while_its_agent_works_is_resumed() {
    if !has_node() {
        return;
    }
    let mark = "7319.1803";
    let case = Case::new(&format!("touch started; sleep {mark}"));
    let root = case.repo.root().display().to_string();
    let mut command = case.cli.command();
    let agent = case.agent();
    command.args(["run", &root, "--directive", "Greet with template strings in alpha", "--yes"]);
    let mut running = command.args(["--agent", &agent]).stderr(Stdio::null()).spawn().unwrap();
    let run = wait_for_work(&case);
    running.kill().unwrap();
    running.wait().unwrap();
    wait_until_nobody_has(mark);

    case.set_script(MEND);
    let again = case.cli.run(["resume", &run, "--yes"]);
    again.expect_code(0);
    assert!(case.repo.read("lib/alpha.js").contains(NEW));
    // The copy of the killed one is gone, and nothing of it was taken.
    assert!(!case.run_dir(&run).join("agents/batch-001-1/work").exists());
    assert!(!case.repo.exists("started"));
    assert_eq!(case.events(&run, "model_call_started").len(), 2);
    assert_eq!(case.events(&run, "model_called").len(), 1);
}

/// The run whose agent has begun to work.
fn wait_for_work(case: &Case) -> String {
    let until = Instant::now() + Duration::from_mins(1);
    loop {
        let runs = std::fs::read_dir(case.cli.home().join("runs")).into_iter().flatten().flatten();
        let names = runs.map(|entry| entry.file_name().into_string().unwrap());
        let begun =
            |run: &String| case.run_dir(run).join("agents/batch-001-1/work/copy/started").exists();
        if let Some(run) = names.into_iter().find(begun) {
            return run;
        }
        assert!(Instant::now() < until, "the agent was not started");
        std::thread::yield_now();
    }
}
