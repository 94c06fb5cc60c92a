//! Agents that fail in every way that was thought of, each once: the kata is completed all the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rb_flow::scripted::Said;
use rb_models::{Fault, Request};
use serde_json::{Value, json};

use super::place::{
    KATA, Place, a_test, code, code_in, decision, honest, may, refactoring, role, said, steps_in,
    test_in, tests_after,
};
use crate::workflow::Outcome;

/// One way to fail: its name, the role, and what the agent says instead when it is asked after the first step.
type Sabotage = (&'static str, &'static str, fn(&Request) -> Said);

const HANGING: &str = "def fizzbuzz(number):\n    while True:\n        pass\n";

fn failures() -> Vec<Sabotage> {
    let garbage: fn(&Request) -> Said = |_| said(json!({"what": "is this"}));
    let refusal: fn(&Request) -> Said =
        |_| Err(Fault::Refusal { words: "I cannot help".to_owned() });
    let empty: fn(&Request) -> Said = |_| said(json!({}));
    let slow: fn(&Request) -> Said =
        |_| Err(Fault::RateLimited { words: "slow down".to_owned(), wait: None });
    let mut all: Vec<Sabotage> = Vec::new();
    for role in ["tester", "implementer", "refactorer", "supervisor"] {
        all.push(("garbage", role, garbage));
        all.push(("a refusal", role, refusal));
        all.push(("an empty answer", role, empty));
        all.push(("a rate limit", role, slow));
    }
    let more: [Sabotage; 21] = [
        ("writes the implementation", "tester", |_| said(test_in("fizzbuzz.py", "x = 1\n"))),
        ("leaves the folder", "tester", |_| said(test_in("../tests/test_x.py", "x = 1\n"))),
        ("writes into .git", "tester", |_| said(test_in(".git/config", "x = 1\n"))),
        ("removes a test", "tester", |_| said(a_test(&tests_after(0)))),
        ("changes nothing", "tester", |request| said(a_test(&tests_after(steps_in(request))))),
        ("two tests at once", "tester", |request| {
            said(a_test(&tests_after((steps_in(request) + 2).min(4))))
        }),
        ("asserts nothing", "tester", |request| said(a_test(&with(request, "fizzbuzz(3)")))),
        ("asserts a constant", "tester", |request| {
            said(a_test(&with(request, "self.assertEqual(1, 1)")))
        }),
        ("skips the test", "tester", |request| {
            said(a_test(&with(
                request,
                "self.skipTest('later')\n        self.assertEqual('Fizz', fizzbuzz(3))",
            )))
        }),
        ("a syntax error in the test", "tester", |request| {
            said(a_test(&with(request, "self.assertEqual('Fizz', fizzbuzz(3)")))
        }),
        ("a vacuous test", "tester", |request| {
            said(a_test(&with(request, "self.assertTrue(callable(fizzbuzz))")))
        }),
        ("weakens a test", "tester", |request| {
            let text = tests_after(steps_in(request) + 1);
            said(a_test(
                &text.replace("assertEqual(\"1\", fizzbuzz(1))", "assertTrue(fizzbuzz(1))"),
            ))
        }),
        ("a syntax error", "implementer", |_| said(code("def fizzbuzz(number:\n"))),
        ("wrong code", "implementer", |_| said(code("def fizzbuzz(number):\n    return \"?\"\n"))),
        ("an endless loop", "implementer", |_| said(code(HANGING))),
        ("breaks an earlier test", "implementer", |_| {
            said(code("def fizzbuzz(number):\n    return \"2\"\n"))
        }),
        ("writes only tests", "implementer", |_| {
            said(code_in("tests/test_fizzbuzz.py", "import unittest\n"))
        }),
        ("writes a manifest", "implementer", |_| said(code_in("setup.py", "x = 1\n"))),
        ("no files", "implementer", |_| {
            said(json!({"status": "ok", "summary": "x", "reason": "", "files": []}))
        }),
        ("gives up", "implementer", |_| {
            said(json!({"status": "blocked", "summary": "", "reason": "too hard", "files": []}))
        }),
        ("breaks the code", "refactorer", |_| {
            said(refactoring("def fizzbuzz(number):\n    return None\n"))
        }),
    ];
    all.extend(more);
    all
}

/// A test file with one more test, which has this body.
fn with(request: &Request, body: &str) -> String {
    let text = tests_after(steps_in(request));
    format!("{text}\n    def test_more(self):\n        {body}\n")
}

/// Develops the kata with an agent that fails once, after the first step; the Supervisor is needed for the failures that last.
fn develop(
    role_of: &'static str,
    says: fn(&Request) -> Said,
    lasts: bool,
) -> (Option<Outcome>, usize) {
    let mut place = Place::new(KATA);
    place.options.verify.timeout_s = 15;
    let has_failed = Arc::new(AtomicBool::new(false));
    let failed = Arc::clone(&has_failed);
    let has_been_called = AtomicBool::new(false);
    let (state, _) = place.start(move |request| {
        let is_supervised = role(request) == "supervisor";
        has_been_called.fetch_or(is_supervised && lasts, Ordering::SeqCst);
        let may_fail = role(request) == role_of && steps_in(request) >= 1;
        let fails = if lasts {
            !has_been_called.load(Ordering::SeqCst)
        } else {
            !has_failed.load(Ordering::SeqCst)
        };
        if may_fail && fails {
            has_failed.store(true, Ordering::SeqCst);
            return says(request);
        }
        said(answer_of(request))
    });
    assert!(failed.load(Ordering::SeqCst), "the failure never came about");
    match state {
        Ok(state) => {
            if state.course.outcome == Some(Outcome::Complete) {
                place.every_commit_is_green("main");
            }
            (state.course.outcome, state.refusals.len())
        }
        Err(error) => {
            let _ = error.to_string();
            (None, 0)
        }
    }
}

fn answer_of(request: &Request) -> Value {
    match role(request) {
        "supervisor" if may(request, "simpler_test") => decision("simpler_test"),
        "supervisor" if may(request, "skip_refactoring") => decision("skip_refactoring"),
        "supervisor" if may(request, "keep_test") => decision("next_test"),
        "supervisor" if may(request, "refactor_first") => decision("next_test"),
        _ => honest(request),
    }
}

/// Each failure costs a whole kata or more: by default one of `count` is tried.
fn one_of(count: usize) -> usize {
    if std::env::var_os("REFACTOR_BOT_KILL_ALL").is_some() { 1 } else { count }
}

/// SC-007 asks for 80 % of the failures, each failing once and each failing until the Supervisor is called.
#[test]
fn sc7_ka5_failures_of_agents_are_recovered_from() {
    let failures = failures();
    assert!(failures.len() >= 30, "{}", failures.len());
    let mut lost = Vec::new();
    for (name, role, says) in failures.iter().step_by(one_of(3)) {
        let (outcome, _) = develop(role, *says, false);
        if outcome != Some(Outcome::Complete) {
            lost.push(format!("{role}: {name}: {outcome:?}"));
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn sc7_ka5_failures_that_last_are_overcome_by_the_supervisor() {
    let failures = failures();
    let lasting = failures.iter().filter(|(name, role, _)| {
        *role != "supervisor" && !["a rate limit", "an endless loop", "a refusal"].contains(name)
    });
    for (name, role, says) in lasting.step_by(one_of(4)) {
        let (outcome, refused) = develop(role, *says, true);
        assert_eq!(outcome, Some(Outcome::Complete), "{role}: {name}");
        assert!(refused >= 3, "{role}: {name}: refused {refused} times");
    }
}
