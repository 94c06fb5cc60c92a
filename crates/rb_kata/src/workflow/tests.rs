//! Whole katas with a scripted model: developed, sabotaged, killed and resumed.
#![expect(
    clippy::disallowed_methods,
    reason = "tests cut journals off themselves, and fail where that fails"
)]

mod place;
mod recovery;

use rb_models::{Fault, Request};
use serde_json::json;

use self::place::{
    KATA, Place, SOURCE, STEPS, a_test, code, code_after, decision, honest, may, refactoring, role,
    said, steps_in, tests_after,
};
use super::event::{Agent, CommitKind, DecidedBy, KataEvent, Outcome, Refusal};
use super::state::TRIES;
use super::summary::Summary;
use crate::error::KataError;
use rb_schema::roles::supervisor::Decision;

#[test]
fn ka5_every_node_can_be_reached_and_left() {
    assert_eq!(super::graph().faults(), Vec::<String>::new());
}

#[test]
fn ka2_ka3_ka6_a_kata_is_developed_in_green_commits() {
    let place = Place::new(KATA);
    let (state, provider) = place.start(|request| said(honest(request)));
    let state = state.unwrap();
    assert_eq!(state.course.outcome, Some(Outcome::Complete), "{:?}", state.refusals);
    assert_eq!(state.tests.len(), STEPS.len());
    assert_eq!(place.subjects(), ["feat: return what the test asks for"; STEPS.len()]);
    let summary = Summary::of(&state, 0, None);
    assert_eq!(summary.cycles as usize, STEPS.len(), "the answer \"complete\" is no cycle");
    // Each step asks three agents; the end asks the Tester and the Supervisor.
    assert_eq!(provider.calls(), STEPS.len() * 3 + 2);
    place.every_commit_is_green("main");
    let message = rb_testkit::git(place.work_dir(), &["log", "-1", "--format=%B"]);
    assert!(message.contains("\nRed-Test: test_five\nRed-Reason: assertion failed\n"), "{message}");
    let first = rb_testkit::git(place.work_dir(), &["log", "--reverse", "--format=%B"]);
    assert!(first.contains("Red-Reason: missing symbol"), "{first}");
    assert_eq!(rb_testkit::git(place.work_dir(), &["status", "--porcelain"]), "");
}

#[test]
fn ka5_a_test_that_passes_at_once_is_found_in_its_cycle_and_kept() {
    let place = Place::new(KATA);
    // The first implementation does everything.
    let (state, _) = place.start(|request| {
        said(match role(request) {
            "implementer" => code(code_after(STEPS.len())),
            "supervisor" if may(request, "keep_test") => decision("keep_test"),
            _ => honest(request),
        })
    });
    let state = state.unwrap();
    assert_eq!(state.course.outcome, Some(Outcome::Complete));
    assert_eq!(state.overshoots, 3);
    let kinds: Vec<CommitKind> = state.commits.iter().map(|commit| commit.kind).collect();
    assert_eq!(kinds, [CommitKind::Feat, CommitKind::Test, CommitKind::Test, CommitKind::Test]);
    let cycles: Vec<u32> = state.commits.iter().map(|commit| commit.cycle).collect();
    assert_eq!(cycles, [1, 2, 3, 4], "each overshoot is found in the cycle after it happened");
    assert_eq!(place.subjects()[1], "test: two");
    place.every_commit_is_green("main");
}

#[test]
fn ka9_a_tester_that_finds_no_failing_test_ends_the_kata() {
    let place = Place::new(KATA);
    let (state, _) = place.start(|request| {
        said(match role(request) {
            "implementer" => code(code_after(STEPS.len())),
            // Never keeps a test that passes.
            "supervisor" => decision("next_test"),
            "tester" if steps_in(request) == 1 => a_test(&tests_after(2)),
            _ => honest(request),
        })
    });
    let state = state.unwrap();
    assert_eq!(state.course.outcome, Some(Outcome::Complete));
    let last = state.decisions.last().unwrap();
    assert_eq!((last.decision, last.by), (Decision::Done, DecidedBy::Rule));
    assert!(last.reason.contains("no test was found that fails"), "{}", last.reason);
    place.every_commit_is_green("main");
}

/// What is sent allows the decisions of the page. A Supervisor that only writes nonsense does not end the kata as complete.
#[test]
fn ka5_a_garbled_answer_does_not_complete_a_kata() {
    let place = Place::new(KATA);
    let (state, provider) = place.start(|request| {
        said(match role(request) {
            "supervisor" => decision("keep_test"),
            _ => honest(request),
        })
    });
    let state = state.unwrap();
    assert_eq!(state.course.outcome, Some(Outcome::Stopped));
    let (last, earlier) = state.decisions.split_last().unwrap();
    assert!(earlier.iter().all(|record| record.decision == Decision::NextTest), "{earlier:?}");
    assert!(earlier.iter().all(|record| record.by == DecidedBy::Rule), "{earlier:?}");
    assert_eq!(last.decision, Decision::Stop);
    let requests = provider.requests();
    let asked = requests.iter().find(|request| role(request) == "supervisor").unwrap();
    let schema = asked.schema.as_ref().unwrap().value();
    assert_eq!(schema["properties"]["decision"]["enum"], json!(["next_test", "done"]));
}

#[test]
fn ka2_a_syntax_error_in_a_test_is_named() {
    let place = Place::new(KATA);
    let (state, provider) = place.start(|request| {
        let is_first = !rb_flow::scripted::user(request).contains("This is try 2");
        said(match role(request) {
            "tester" if steps_in(request) == 1 && is_first => {
                a_test(&format!("{}\n    def test_more(self:\n", tests_after(1)))
            }
            _ => honest(request),
        })
    });
    let state = state.unwrap();
    assert_eq!(state.refusals, [(2, Agent::Tester, Refusal::SyntaxError)]);
    let is_told = |request: &Request| {
        let text = rb_flow::scripted::user(request);
        text.contains("Try 1 was refused: a test file has a syntax error.")
    };
    assert!(provider.requests().iter().any(is_told));
}

/// A new test may need another import.
#[test]
fn ka2_import_lines_of_a_test_file_may_change() {
    let place = Place::new(KATA);
    let (state, _) = place.start(|request| {
        let steps = steps_in(request);
        said(match role(request) {
            "tester" if (1..STEPS.len()).contains(&steps) => {
                a_test(&format!("import math\n{}", tests_after(steps + 1)))
            }
            _ => honest(request),
        })
    });
    let state = state.unwrap();
    assert_eq!(state.course.outcome, Some(Outcome::Complete));
    assert_eq!(state.refusals, []);
}

#[test]
fn ka4_a_refactoring_that_breaks_tests_is_reverted_and_after_three_tries_the_supervisor_decides() {
    let place = Place::new(KATA);
    let (state, provider) = place.start(|request| {
        said(match role(request) {
            "refactorer" => refactoring("def fizzbuzz(number):\n    return \"broken\"\n"),
            "supervisor" if may(request, "skip_refactoring") => decision("skip_refactoring"),
            _ => honest(request),
        })
    });
    let state = state.unwrap();
    assert_eq!(state.course.outcome, Some(Outcome::Complete));
    let refused = |agent: Agent| state.refusals.iter().filter(|(_, by, _)| *by == agent).count();
    assert_eq!(refused(Agent::Refactorer), STEPS.len() * TRIES as usize);
    assert!(state.commits.iter().all(|commit| commit.kind == CommitKind::Feat));
    let text = std::fs::read_to_string(place.work_dir().join(SOURCE)).unwrap();
    assert!(!text.contains("broken"));
    // The second try is told what the first one broke.
    let requests = provider.requests();
    let told = requests.iter().filter(|request| role(request) == "refactorer").nth(1).unwrap();
    assert!(rb_flow::scripted::user(told).contains("test_one"), "it names the failing test");
    place.every_commit_is_green("main");
}

#[test]
fn ka4_a_refactoring_that_holds_is_a_commit_of_its_own() {
    let place = Place::new(KATA);
    let (state, _) = place.start(|request| {
        said(match role(request) {
            "refactorer" if steps_in(request) == 2 => {
                refactoring("def fizzbuzz(number):\n    text = str(number)\n    return text\n")
            }
            "refactorer" => json!({"status": "nothing", "summary": "", "reason": "", "files": []}),
            _ => honest(request),
        })
    });
    let state = state.unwrap();
    assert_eq!(state.course.outcome, Some(Outcome::Complete));
    assert!(place.subjects().contains(&"refactor: say it in other words".to_owned()));
    place.every_commit_is_green("main");
}

#[test]
fn ka9_at_the_limit_of_cycles_the_kata_is_left_green() {
    let mut place = Place::new(KATA);
    place.options.max_cycles = 2;
    let (state, _) = place.start(|request| {
        said(if role(request) == "supervisor" { decision("stop") } else { honest(request) })
    });
    let state = state.unwrap();
    assert_eq!(state.course.outcome, Some(Outcome::CyclesUsedUp));
    let summary = Summary::of(&state, 0, None);
    assert_eq!((summary.cycles, summary.commits.len()), (2, 2));
    assert_eq!(summary.reason, "all 2 cycles are used up");
    place.every_commit_is_green("main");
}

/// Whether the last cycle has completed the kata is for the Supervisor to say.
#[test]
fn ka5_a_kata_that_is_complete_in_its_last_cycle_is_complete() {
    let mut place = Place::new(KATA);
    place.options.max_cycles = u32::try_from(STEPS.len()).unwrap();
    let (state, _) = place.start(|request| said(honest(request)));
    let state = state.unwrap();
    assert_eq!(state.course.outcome, Some(Outcome::Complete));
    assert_eq!((state.cycle, state.recoveries), (4, 0));
}

#[test]
fn ka9_a_rate_limit_is_waited_for_and_a_lasting_one_can_be_resumed() {
    let place = Place::new(KATA);
    let (state, provider) = place.start(|request| {
        if role(request) == "implementer" {
            return Err(Fault::RateLimited { words: "slow down".to_owned(), wait: None });
        }
        said(honest(request))
    });
    let error = state.unwrap_err();
    assert!(matches!(error, KataError::NoAnswer { .. }), "{error:?}");
    assert!(provider.calls() > 2, "it is tried again");
    // The test is staged, and nothing is committed.
    let staged = rb_testkit::git(place.work_dir(), &["diff", "--cached", "--name-only"]);
    assert!(staged.contains(place::TESTS), "{staged}");
    let KataError::NoAnswer { run, .. } = error else { unreachable!() };
    let (state, _) = place.resume(&run, |request| said(honest(request)));
    assert_eq!(state.course.outcome, Some(Outcome::Complete));
    place.every_commit_is_green("main");
}

#[test]
fn ka9_a_folder_with_files_is_refused_and_nothing_is_written() {
    let place = Place::new(KATA);
    std::fs::create_dir_all(place.work_dir()).unwrap();
    std::fs::write(place.work_dir().join("notes.txt"), "mine").unwrap();
    let (state, provider) = place.start(|request| said(honest(request)));
    assert!(matches!(state, Err(KataError::NotEmpty(_))));
    assert_eq!(provider.calls(), 0);
    assert_eq!(std::fs::read_dir(place.work_dir()).unwrap().count(), 1);
}

#[test]
fn ka9_in_a_repository_the_kata_gets_a_branch_and_the_checkout_is_not_touched() {
    let place = Place::new(KATA);
    std::fs::create_dir_all(place.work_dir()).unwrap();
    rb_testkit::git(place.work_dir(), &["init", "--quiet", "--initial-branch=main"]);
    std::fs::write(place.work_dir().join("notes.txt"), "mine").unwrap();
    rb_testkit::git(place.work_dir(), &["add", "--all"]);
    rb_testkit::git(place.work_dir(), &["commit", "--quiet", "-m", "notes"]);
    std::fs::write(place.work_dir().join("notes.txt"), "changed").unwrap();
    let (state, _) = place.start(|request| said(honest(request)));
    let state = state.unwrap();
    assert_eq!(state.course.outcome, Some(Outcome::Complete));
    assert_eq!(std::fs::read_to_string(place.work_dir().join("notes.txt")).unwrap(), "changed");
    assert_eq!(rb_testkit::git(place.work_dir(), &["log", "--format=%s", "main"]), "notes\n");
    let log = rb_testkit::git(place.work_dir(), &["log", "--format=%s", "kata/fizzbuzz"]);
    assert_eq!(log.lines().count(), 1 + STEPS.len());
    assert_eq!(rb_testkit::git(place.work_dir(), &["worktree", "list"]).lines().count(), 1);
    let summary = Summary::of(&state, 0, None);
    assert_eq!(summary.branch.as_deref(), Some("kata/fizzbuzz"));
    assert!(summary.remarks.iter().any(|remark| remark.contains("uncommitted changes")));
}

#[test]
fn ka3_an_edited_test_counts_for_nothing() {
    let place = Place::new(KATA);
    let (state, _) = place.start(|request| {
        let mut value = honest(request);
        if role(request) == "implementer" {
            // Writes a weaker test beside the right code.
            let files = value["files"].as_array_mut().unwrap();
            files.push(json!({"path": place::TESTS, "content": "import unittest\n"}));
        }
        said(value)
    });
    let state = state.unwrap();
    assert_eq!(state.course.outcome, Some(Outcome::Complete));
    let text = std::fs::read_to_string(place.work_dir().join(place::TESTS)).unwrap();
    assert_eq!(text.matches("def test_").count(), STEPS.len());
}

/// What the journal of a killed process says is where the next one goes on: cut off after every line, the run ends the same way,
/// with the same commits, and no question is asked again whose answer was kept.
#[test]
fn ka6_a_journal_that_ends_anywhere_is_gone_on_with() {
    let place = Place::new(KATA);
    let honest_with_overshoot = |request: &Request| {
        said(match role(request) {
            "implementer" if steps_in(request) == 3 => code(code_after(4)),
            "supervisor" if may(request, "keep_test") => decision("keep_test"),
            "refactorer" if steps_in(request) == 2 => {
                refactoring("def fizzbuzz(number):\n    text = str(number)\n    return text\n")
            }
            _ => honest(request),
        })
    };
    let (state, _) = place.start(honest_with_overshoot);
    let state = state.unwrap();
    assert_eq!(state.course.outcome, Some(Outcome::Complete), "{:?}", state.refusals);
    let subjects = place.subjects();
    let journal = place.run_dir(&state).journal();
    let whole = std::fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    // The commits of the cut journal's future are there already: only the last of them may be, as after a kill.
    for kept in (lines.len() - 12)..lines.len() {
        let is_commit = |line: &&&str| line.contains("\"event\":\"committed\"");
        let before = lines[..kept].iter().filter(is_commit).count();
        let tip = &state.commits[before.saturating_sub(1)].id;
        rb_testkit::git(place.work_dir(), &["reset", "--hard", "--quiet", tip]);
        std::fs::write(&journal, format!("{}\n", lines[..kept].join("\n"))).unwrap();
        let (resumed, asked) = place.resume(&state.start.run, honest_with_overshoot);
        assert_eq!(resumed.course.outcome, Some(Outcome::Complete), "with {kept} lines");
        assert_eq!(asked, 0, "the answers are kept, with {kept} lines");
        assert_eq!(place.subjects(), subjects, "with {kept} lines");
    }
    place.every_commit_is_green("main");
}

#[test]
fn ka3_a_commit_that_a_killed_process_made_is_not_made_twice() {
    let place = Place::new(KATA);
    let (state, _) = place.start(|request| said(honest(request)));
    let state = state.unwrap();
    let subjects = place.subjects();
    let journal = place.run_dir(&state).journal();
    let whole = std::fs::read_to_string(&journal).unwrap();
    // Killed after the last commit was made, before the journal said so.
    let at = whole.rfind("\"event\":\"committed\"").unwrap();
    let cut = whole[..at].rfind('\n').unwrap() + 1;
    std::fs::write(&journal, &whole[..cut]).unwrap();
    let (resumed, asked) = place.resume(&state.start.run, |request| said(honest(request)));
    assert_eq!((resumed.course.outcome, asked), (Some(Outcome::Complete), 0));
    assert_eq!(place.subjects(), subjects);
}

#[test]
fn ka6_work_that_no_agent_proposed_is_moved_aside() {
    let place = Place::new(KATA);
    let folder = place.work_dir().clone();
    let (state, _) = place.start(move |request| {
        // Somebody writes into the project while a model is asked.
        if role(request) == "refactorer" && folder.join(SOURCE).exists() {
            std::fs::write(folder.join("notes.txt"), "mine").unwrap();
        }
        said(honest(request))
    });
    let state = state.unwrap();
    assert!(!place.work_dir().join("notes.txt").exists());
    let aside = place.run_dir(&state).join("aside/1/notes.txt");
    assert_eq!(std::fs::read_to_string(aside).unwrap(), "mine");
    let notes = state.course.notes.join("\n");
    assert!(notes.contains("notes.txt"), "{notes}");
}

#[test]
fn us3_a_constraint_that_is_broken_is_mended_or_reported() {
    let kata = format!("{KATA}\n## Constraints\n- No else keyword.\n");
    let with_else = "def fizzbuzz(number):\n    if number == 1:\n        return \"1\"\n    else:\n        return str(number)\n";
    let place = Place::new(&kata);
    let (state, _) = place.start(move |request| {
        said(match role(request) {
            "implementer" if steps_in(request) == 2 => code(with_else),
            "refactorer" if rb_flow::scripted::user(request).contains("    else:") => {
                refactoring(code_after(2))
            }
            _ => honest(request),
        })
    });
    let state = state.unwrap();
    assert_eq!(state.course.outcome, Some(Outcome::Complete), "{:?}", state.refusals);
    assert!(state.violations.is_empty());
    assert!(state.commits.iter().any(|commit| commit.kind == CommitKind::Refactor));

    // A Refactorer that says that all is well is not believed, and the conflict is reported.
    let mut place = Place::new(&kata);
    place.options.max_cycles = 2;
    let (state, _) = place.start(move |request| {
        said(match role(request) {
            "implementer" if steps_in(request) == 2 => code(with_else),
            "supervisor" => decision("skip_refactoring"),
            _ => honest(request),
        })
    });
    let state = state.unwrap();
    let refused = state.refusals.iter().filter(|(_, _, refusal)| *refusal == Refusal::Constraints);
    assert_eq!(refused.count(), TRIES as usize);
    let summary = Summary::of(&state, 0, None);
    assert_eq!(summary.violations.len(), 1, "{:?}", summary.violations);
    let events = place.lines(&state);
    let is_check = |line: &&serde_json::Value| line["event"] == "constraints_checked";
    assert!(events.iter().any(|line| is_check(&line)));
    let _ = KataEvent::NothingToTest { reason: String::new() };
}
