//! Events, and the lines that they are told as.

use std::fmt::Write as _;
use std::path::PathBuf;

use expect_test::{Expect, expect};
use rb_flow::ModelChoice;
use rb_kata::red::RedReason;
use rb_kata::test_code::WrittenTest;
use rb_kata::workflow::event::{Kind, Place, Start};
use rb_kata::{Runner, description};
use rb_verify::Options;

use super::*;

fn start() -> Start {
    Start {
        run: "20260131T120000Z".parse().unwrap(),
        workflow: Kind { name: "kata".to_owned(), version: 1 },
        file: PathBuf::from("fizzbuzz.md"),
        kata: description::Kata {
            title: "FizzBuzz".to_owned(),
            slug: "fizzbuzz".to_owned(),
            text: "# FizzBuzz\n".to_owned(),
            requirements: Vec::new(),
            examples: Vec::new(),
            constraints: Vec::new(),
            hints: Vec::new(),
            problems: Vec::new(),
        },
        runner: Runner::Rust,
        place: Place::NewRepository { folder: PathBuf::from("/there") },
        max_cycles: 15,
        models: ModelChoice::default(),
        verify: Options::default(),
    }
}

fn entered(node: &str) -> Event {
    RunEvent::Entered { node: node.to_owned(), from: None, ms: 0 }.into()
}

fn ready() -> Event {
    let files = vec!["Cargo.toml".to_owned(), "src/lib.rs".to_owned()];
    KataEvent::ProjectReady { tree: "t0".to_owned(), tip: None, files, passing: Vec::new() }.into()
}

fn test(name: &str) -> WrittenTest {
    WrittenTest {
        path: "tests/fizzbuzz.rs".to_owned(),
        name: name.to_owned(),
        line: 1,
        text: String::new(),
        asserts: true,
        is_skipped: false,
    }
}

fn proposed(name: &str) -> Event {
    let (requirement, name) = ("multiples of three".to_owned(), name.to_owned());
    KataEvent::TestProposed { requirement, name, files: Vec::new() }.into()
}

fn red(name: &str) -> Event {
    KataEvent::Red {
        test: Box::new(test(name)),
        requirement: "multiples of three".to_owned(),
        tree: "t1".to_owned(),
        reason: RedReason::Assertion,
        output: String::new(),
    }
    .into()
}

fn committed_as(kind: CommitKind, cycle: u32, subject: &str) -> Event {
    let commit = Commit {
        kind,
        cycle,
        id: "0123456789abcdef".to_owned(),
        tree: "t2".to_owned(),
        subject: subject.to_owned(),
        passing: vec!["a".to_owned(), "b".to_owned()],
        remarks: Vec::new(),
    };
    KataEvent::Committed(Box::new(commit)).into()
}

fn refused(agent: Agent, refusal: Refusal, reason: &str) -> Event {
    KataEvent::Refused { agent, refusal, reason: reason.to_owned() }.into()
}

/// All lines that the events are told as.
fn check(events: &[Event], expected: &Expect) {
    let mut state = State::new(start());
    let mut lines = String::new();
    for event in events {
        if let Some(line) = told(&state, event) {
            writeln!(lines, "{line}").unwrap();
        }
        state.take(event);
    }
    expected.assert_eq(&lines);
}

#[test]
fn ka8_a_cycle_is_told_agent_by_agent() {
    let code = KataEvent::CodeProposed {
        summary: "Return Fizz for three. Nothing else.".to_owned(),
        files: Vec::new(),
        deleted: Vec::new(),
    };
    let events = [
        ready(),
        entered("tester"),
        proposed("three_is_fizz"),
        red("three_is_fizz"),
        entered("implementer"),
        code.into(),
        committed_as(CommitKind::Feat, 1, "feat: say Fizz for three"),
        entered("refactorer"),
        committed_as(CommitKind::Refactor, 1, "refactor: name the divisor"),
        entered("tester"),
    ];
    check(
        &events,
        &expect![[r#"
            project ready: 2 files, 0 tests
            cycle 1  tester      writing a test
            cycle 1  tester      proposed `three_is_fizz`; running the tests
            cycle 1  tester      red: `three_is_fizz` fails, assertion failed
            cycle 1  implementer making `three_is_fizz` pass
            cycle 1  implementer proposed: Return Fizz for three; running the tests
            cycle 1  implementer committed 0123456789  feat: say Fizz for three (2 tests pass)
            cycle 1  refactorer  improving the code
            cycle 1  refactorer  committed 0123456789  refactor: name the divisor (2 tests pass)
            cycle 2  tester      writing a test
        "#]],
    );
}

#[test]
fn ka5_ka8_trouble_and_decisions_are_told_with_their_reasons() {
    let overshot = KataEvent::Overshot {
        test: Box::new(test("six_is_fizz")),
        requirement: "multiples of three".to_owned(),
        tree: "t3".to_owned(),
        passing: Vec::new(),
    };
    let decision = |decision, by| {
        let reason = "It documents the rule.\nMore.".to_owned();
        Event::from(KataEvent::Decided { decision, guidance: String::new(), reason, by })
    };
    let broken = Violation {
        constraint: "no else".to_owned(),
        path: "src/lib.rs".to_owned(),
        line: 3,
        what: "`else`".to_owned(),
    };
    let events = [
        ready(),
        entered("tester"),
        refused(Agent::Tester, Refusal::BadTest, "The test has no assertion. Add one."),
        entered("tester"),
        proposed("six_is_fizz"),
        overshot.into(),
        entered("supervisor"),
        decision(Decision::KeepTest, DecidedBy::Rule),
        committed_as(CommitKind::Test, 1, "test: six is Fizz"),
        KataEvent::ConstraintsChecked { violations: vec![broken] }.into(),
        entered("refactorer"),
        KataEvent::NothingToTest { reason: "All is tested.".to_owned() }.into(),
        entered("supervisor"),
        decision(Decision::Done, DecidedBy::Model),
        RunEvent::Resumed.into(),
        entered("finish"),
    ];
    check(
        &events,
        &expect![[r#"
            project ready: 2 files, 0 tests
            cycle 1  tester      writing a test
            cycle 1  tester      refused, not one good test: The test has no assertion
            cycle 1  tester      writing a test (try 2 of 3)
            cycle 1  tester      proposed `six_is_fizz`; running the tests
            cycle 1  tester      overshoot: `six_is_fizz` passes at once
            cycle 1  supervisor  deciding: the new test passes at once
            cycle 1  supervisor  keep the test (by rule): It documents the rule
            cycle 1  tester      committed 0123456789  test: six is Fizz (2 tests pass)
            cycle 2  constraints broken in 1 place, first src/lib.rs:3: `else`
            cycle 2  refactorer  mending 1 broken constraint
            cycle 2  tester      nothing left to test: All is tested
            cycle 2  supervisor  deciding: is the kata complete?
            cycle 2  supervisor  done: It documents the rule
            resumed in cycle 2
        "#]],
    );
}

#[test]
fn ka8_a_reason_of_any_length_is_one_short_line() {
    let check = |text: &str, expected: &str| assert_eq!(first_sentence(text), expected);
    check("", "");
    check("\n\n  One. Two.", "One");
    check("in src/lib.rs:3", "in src/lib.rs:3");
    let long = "ä".repeat(1_000_000);
    check(&long, &format!("{}…", "ä".repeat(LONGEST)));
}
