//! The function is monotone in every signal, and its parts are what it is the sum of.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;

fn good() -> Signals {
    Signals {
        origin: Origin::Proved,
        rung: None,
        audit: Some(Audit::default()),
        verdict: Verdict::Pass,
        untested: false,
        reach: Some(Reach { reached: 10, changed: 10 }),
        removed: Removed::default(),
        lost_lines: 0,
        changed_lines: 10,
        attempts: 1,
        critic: Critic::NotAsked,
        contracts: Contracts::default(),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
#[track_caller]
fn check(signals: Signals, expected: Expect) {
    let Confidence { score, parts, .. } = confidence(&signals);
    let mut shown = format!("{score}\n");
    for Part { what, points } in parts {
        writeln!(shown, "{points:+} {what}").unwrap();
    }
    expected.assert_eq(&shown);
}

#[test]
fn rf10_a_proved_and_tested_change_gets_the_most() {
    check(
        good(),
        expect![[r#"
            90
            +40 verification: pass
            +20 every precondition was proved
            +5 no patch to apply
            +15 audit: 0 warnings
            +20 tests import the files of 10 of 10 changed lines
            -10 at most 90, because line coverage was not measured
        "#]],
    );
}

#[test]
fn rf10_every_doubt_is_named() {
    check(
        Signals {
            origin: Origin::Model,
            rung: Some(Rung::Whitespace),
            audit: Some(Audit { errors: 0, warnings: 2 }),
            reach: Some(Reach { reached: 30, changed: 90 }),
            lost_lines: 7,
            changed_lines: 90,
            attempts: 2,
            critic: Critic::Less,
            contracts: Contracts { breaking: 1, other: 2 },
            ..good()
        },
        expect![[r#"
            38
            +40 verification: pass
            +5 written by a model
            +3 the patch applied except for whitespace
            +9 audit: 2 warnings
            +6 tests import the files of 30 of 90 changed lines
            -2 7 lines of logic removed or rewritten
            -2 90 changed lines
            -4 1 failed attempt before it passed
            -5 the critic objected
            -10 1 breaking change of the public interface
            -2 2 other changes of the public interface
        "#]],
    );
}

#[test]
fn rf10_what_fails_has_none_and_what_was_not_run_at_most_half() {
    check(
        Signals { verdict: Verdict::Fail, ..good() },
        expect![[r#"
            0
            +0 verification fails
        "#]],
    );
    check(
        Signals { audit: Some(Audit { errors: 1, warnings: 0 }), ..good() },
        expect![[r#"
            0
            +0 the audit found errors
        "#]],
    );
    check(
        Signals { verdict: Verdict::NoVerifierRan, reach: None, ..good() },
        expect![[r#"
            40
            +0 verification: no tests were run
            +20 every precondition was proved
            +5 no patch to apply
            +15 audit: 0 warnings
            +0 test coverage not measured
        "#]],
    );
    check(
        Signals { verdict: Verdict::NoVerifierRan, ..good() },
        expect![[r#"
            50
            +0 verification: no tests were run
            +20 every precondition was proved
            +5 no patch to apply
            +15 audit: 0 warnings
            +20 tests import the files of 10 of 10 changed lines
            -10 at most 50, because no tests were run
        "#]],
    );
}

#[test]
fn rf10_what_no_test_reaches_stands_below_what_is_tested() {
    let tested = Signals { origin: Origin::Recipe, lost_lines: 20, changed_lines: 200, ..good() };
    let tested = confidence(&tested).score;
    for reach in [None, Some(Reach { reached: 0, changed: 4 })] {
        let small = Signals { reach, changed_lines: 4, ..good() };
        assert!(confidence(&small).score < tested, "{reach:?}");
    }
    check(
        Signals { reach: None, ..good() },
        expect![[r#"
            60
            +40 verification: pass
            +20 every precondition was proved
            +5 no patch to apply
            +15 audit: 0 warnings
            +0 test coverage not measured
            -20 at most 60, because test coverage was not measured
        "#]],
    );
    check(
        Signals { reach: Some(Reach { reached: 0, changed: 4 }), ..good() },
        expect![[r#"
            60
            +40 verification: pass
            +20 every precondition was proved
            +5 no patch to apply
            +15 audit: 0 warnings
            +0 no test imports it
            -20 at most 60, because no test imports it
        "#]],
    );
}

#[test]
fn rf10_a_pass_without_a_test_is_worth_less() {
    check(
        Signals { untested: true, reach: None, ..good() },
        expect![[r#"
            55
            +25 verification: pass (no tests)
            +20 every precondition was proved
            +5 no patch to apply
            +15 audit: 0 warnings
            +0 test coverage not measured
            -10 at most 55, because no test ran
        "#]],
    );
}

#[test]
fn ve6_removed_behaviour_comes_first_and_lowers_the_confidence() {
    let model = Signals { origin: Origin::Model, ..good() };
    let removed =
        |reached, unreached| Signals { removed: Removed { reached, unreached }, ..model.clone() };
    check(
        removed(1, 1),
        expect![[r#"
            70
            -15 2 statements with effects removed, 1 in code that no test imports
            +40 verification: pass
            +5 written by a model
            +5 no patch to apply
            +15 audit: 0 warnings
            +20 tests import the files of 10 of 10 changed lines
        "#]],
    );
    let first = |signals: Signals| confidence(&signals).parts[0].what.clone();
    assert_eq!(first(removed(1, 0)), "1 statement with effects removed, in code that tests import");
    assert_eq!(
        first(removed(0, 3)),
        "3 statements with effects removed, in code that no test imports"
    );
    assert_eq!(confidence(&removed(0, 3)).score, confidence(&removed(0, 30)).score);
}

fn any_signals() -> impl Strategy<Value = Signals> {
    let origin =
        prop::sample::select(vec![Origin::Proved, Origin::Recipe, Origin::Given, Origin::Model]);
    let rung = prop::sample::select(vec![
        None,
        Some(Rung::Exact),
        Some(Rung::Whitespace),
        Some(Rung::Indentation),
        Some(Rung::BlankLine),
        Some(Rung::ContextMark),
        Some(Rung::Context),
    ]);
    let verdict = prop::sample::select(vec![Verdict::Pass, Verdict::NoVerifierRan, Verdict::Fail]);
    let critic = prop::sample::select(vec![
        Critic::NotAsked,
        Critic::Accepted,
        Critic::Less,
        Critic::Rejected,
    ]);
    let audit = prop::option::of((0..2_usize, 0..8_usize));
    let reach = prop::option::of((0..200_usize, 0..200_usize));
    let removed = (0..5_usize, 0..5_usize);
    let verdict = (verdict, any::<bool>());
    let counts = (0..60_usize, 0..900_usize, 1..6_u32, 0..4_usize, 0..9_usize);
    (origin, rung, audit, verdict, reach, removed, critic, counts).prop_map(
        |(origin, rung, audit, (verdict, untested), reach, removed, critic, counts)| {
            let (lost_lines, changed_lines, attempts, breaking, other) = counts;
            Signals {
                origin,
                rung,
                audit: audit.map(|(errors, warnings)| Audit { errors, warnings }),
                verdict,
                untested,
                reach: reach.map(|(a, b)| Reach { reached: a.min(b), changed: a.max(b) }),
                removed: Removed { reached: removed.0, unreached: removed.1 },
                lost_lines,
                changed_lines,
                attempts,
                critic,
                contracts: Contracts { breaking, other },
            }
        },
    )
}

/// Every way in which one signal alone can be worse.
fn worsened(signals: &Signals) -> Vec<(&'static str, Signals)> {
    let with = |change: &dyn Fn(&mut Signals)| {
        let mut worse = signals.clone();
        change(&mut worse);
        worse
    };
    let warn = |audit: &mut Option<Audit>| {
        if let Some(audit) = audit {
            audit.warnings += 1;
        }
    };
    let lose = |reach: &mut Option<Reach>| {
        if let Some(reach) = reach {
            reach.reached = reach.reached.saturating_sub(1);
        }
    };
    vec![
        ("origin", with(&|it| it.origin = Origin::Model)),
        ("rung", with(&|it| it.rung = Some(Rung::Context))),
        ("a warning more", with(&|it| warn(&mut it.audit))),
        ("an error", with(&|it| it.audit = Some(Audit { errors: 1, warnings: 0 }))),
        ("no audit", with(&|it| it.audit = it.audit.filter(|audit| audit.errors > 0))),
        ("unverified", with(&|it| it.verdict = worse(it.verdict, Verdict::NoVerifierRan))),
        ("untested", with(&|it| it.untested = true)),
        ("failing", with(&|it| it.verdict = Verdict::Fail)),
        ("less reached", with(&|it| lose(&mut it.reach))),
        ("reach unknown", with(&|it| it.reach = None)),
        ("behaviour removed", with(&|it| it.removed.reached += 1)),
        ("behaviour removed unseen", with(&|it| it.removed.unreached += 1)),
        ("a line lost", with(&|it| it.lost_lines += 1)),
        ("larger", with(&|it| it.changed_lines += 25)),
        ("a try more", with(&|it| it.attempts += 1)),
        ("less wanted", with(&|it| it.critic = it.critic.max(Critic::Less))),
        ("rejected", with(&|it| it.critic = Critic::Rejected)),
        ("breaking", with(&|it| it.contracts.breaking += 1)),
        ("interface", with(&|it| it.contracts.other += 1)),
    ]
}

proptest! {
    #[test]
    fn rf10_confidence_is_monotone_in_every_signal(signals in any_signals()) {
        let score = confidence(&signals).score;
        for (what, worse) in worsened(&signals) {
            prop_assert!(confidence(&worse).score <= score, "{what}: {signals:?}");
        }
    }

    #[test]
    fn rf10_the_parts_sum_up_and_the_caps_hold(signals in any_signals()) {
        let Confidence { score, parts, .. } = confidence(&signals);
        let sum: i32 = parts.iter().map(|part| part.points).sum();
        prop_assert_eq!(i32::from(score), sum);
        match signals.verdict {
            Verdict::Pass if signals.untested => prop_assert!(i32::from(score) <= UNTESTED),
            Verdict::Pass if signals.reach.is_none_or(|it| it.reached == 0) => {
                prop_assert!(i32::from(score) <= UNREACHED);
            }
            Verdict::Pass => prop_assert!(i32::from(score) <= BY_IMPORTS),
            Verdict::NoVerifierRan => prop_assert!(i32::from(score) <= UNVERIFIED),
            Verdict::Fail => prop_assert_eq!(score, 0),
        }
    }

    #[test]
    fn rf10_two_changes_together_are_no_surer_than_the_less_sure(
        a in any_signals(), b in any_signals()
    ) {
        // Where tests reach one of them well, the whole is reached better than the other alone.
        let (a, b) = (Signals { reach: None, ..a }, Signals { reach: None, ..b });
        let least = confidence(&a).score.min(confidence(&b).score);
        prop_assert!(confidence(&a.and(&b)).score <= least);
    }
}
