//! Tries: what is tried again, after which wait, and what of it is booked.

use std::time::Duration;

use expect_test::{Expect, expect};
use rb_models::{Cost, Counted, Fault, ModelError, Usage};

use super::{Desk, Setting, fails, half, question, says};

fn limited(seconds: Option<u64>) -> Fault {
    Fault::RateLimited { words: "slow down".to_owned(), wait: seconds.map(Duration::from_secs) }
}

fn lost() -> Fault {
    Fault::Unreachable { why: "refused".to_owned(), lost: true }
}

/// The outcome and all that was told.
fn check(faults: Vec<Fault>, expected: &Expect) {
    let mut turns: Vec<_> = faults.into_iter().map(fails).collect();
    turns.push(Ok(says("Yes.")));
    let desk = Desk::new(turns, Setting::default());
    let came = match desk.models.call(question("Is it well?")) {
        Ok(answer) => format!("{} after {} tries\n", answer.text, answer.facts.tries),
        Err(error) => format!("{error}\n"),
    };
    let told = desk.told.lock().unwrap().join("\n");
    expected.assert_eq(&format!("{came}{told}\n{}", desk.bookings()));
}

#[test]
fn mo8_what_passes_is_waited_for() {
    check(
        vec![lost(), limited(None)],
        &expect![[r#"
        Yes. after 3 tries
        asking scripted m-1 as patcher
        heard Begun
        waiting 0.9 s: refused
        heard Begun
        waiting 1.0 s: too many requests: slow down
        heard Begun
        booked 110 tokens
        110 tokens ByProvider, Priced(Usd { nano: 110000000 }), $0.000000 presumed, 3 tries
    "#]],
    );
    check(
        vec![limited(Some(30))],
        &expect![[r#"
        Yes. after 2 tries
        asking scripted m-1 as patcher
        heard Begun
        waiting 30.4 s: too many requests: slow down
        heard Begun
        booked 110 tokens
        110 tokens ByProvider, Priced(Usd { nano: 110000000 }), $0.000000 presumed, 2 tries
    "#]],
    );
    check(
        vec![limited(Some(301))],
        &expect![[r#"
        scripted: too many requests: slow down
        asking scripted m-1 as patcher
        heard Begun
        failed: scripted: too many requests: slow down
    "#]],
    );
}

#[test]
fn mo7_a_half_answer_may_have_to_be_paid_for() {
    check(
        vec![half()],
        &expect![[r#"
        Yes. after 2 tries
        asking scripted m-1 as patcher
        heard Begun
        waiting 0.9 s: the answer broke off: it ended
        heard Begun
        booked 110 tokens
        110 tokens ByProvider, Priced(Usd { nano: 110000000 }), $0.925000 presumed, 2 tries
    "#]],
    );
    check(
        vec![half(), half()],
        &expect![[r#"
        scripted: the answer broke off: it ended
        asking scripted m-1 as patcher
        heard Begun
        waiting 0.9 s: the answer broke off: it ended
        heard Begun
        booked 0 tokens
        failed: scripted: the answer broke off: it ended
        0 tokens Estimate, Unknown, $1.850000 presumed, 2 tries
    "#]],
    );
}

#[test]
fn mo8_what_does_not_pass_is_not_tried_again() {
    let words = || "no".to_owned();
    check(
        vec![Fault::BadKey { words: words() }],
        &expect![[r#"
        scripted: the key is not accepted: no
        asking scripted m-1 as patcher
        heard Begun
        failed: scripted: the key is not accepted: no
    "#]],
    );
    check(
        vec![Fault::AnswerCut { limit: 900 }],
        &expect![[r#"
        scripted: the answer is longer than the 900 tokens that it may have
        asking scripted m-1 as patcher
        heard Begun
        booked 0 tokens
        failed: scripted: the answer is longer than the 900 tokens that it may have
        0 tokens Estimate, Unknown, $0.925000 presumed, 1 tries
    "#]],
    );
}

#[test]
fn mo7_what_a_failed_try_says_that_it_took_is_booked_as_that() {
    let usage = Usage { input: 50, counted: Counted::Estimate, ..Usage::default() };
    let failed = Err(ModelError::new("scripted", half()).spent(usage, Cost::Unknown));
    let desk = Desk::new(vec![failed, Ok(says("Yes."))], Setting::default());
    desk.models.call(question("Is it well?")).unwrap();
    expect![[r#"
        50 tokens Estimate, Priced(Usd { nano: 50000000 }), $0.000000 presumed, 1 tries
        110 tokens ByProvider, Priced(Usd { nano: 110000000 }), $0.000000 presumed, 2 tries
    "#]]
    .assert_eq(&desk.bookings());
    let purse = desk.models.purse();
    assert_eq!((purse.spent(), purse.unknown()), (super::usd(0.16), 0));
}

#[test]
fn mo7_what_costs_nothing_costs_nothing_when_it_fails() {
    let setting = Setting { paid: false, ..Setting::default() };
    let desk = Desk::new(vec![fails(half()), fails(half())], setting);
    desk.models.call(question("Is it well?")).unwrap_err();
    assert_eq!((desk.bookings().as_str(), desk.models.purse().unknown()), ("", 0));
}

#[test]
fn mo7_a_failed_try_of_unknown_price_is_said() {
    let setting = Setting { price: None, ..Setting::default() };
    let desk = Desk::new(vec![fails(half()), fails(half())], setting);
    desk.models.call(question("Is it well?")).unwrap_err();
    expect![[r#"
        0 tokens Estimate, Unknown, $0.000000 presumed, 2 tries
    "#]]
    .assert_eq(&desk.bookings());
    assert_eq!(desk.models.ledger().total().unknown, 1);
}

/// What an answer needs → the room that it gets, try by try.
#[test]
fn mo7_an_answer_gets_the_room_that_it_needs_and_twice_that_when_it_was_cut_off() {
    let check = |need: Option<u64>, cuts: usize, rooms: &[u64], is_answered: bool| {
        let mut turns: Vec<_> = (0..cuts).map(|_| fails(Fault::AnswerCut { limit: 1 })).collect();
        turns.push(Ok(says("Yes.")));
        let desk = Desk::new(turns, Setting::default());
        let mut request = question("Is it well?");
        request.limits.output_tokens = 16_000;
        let recorded = rb_models::record::digest(&request);
        request.need = need;
        assert_eq!(rb_models::record::digest(&request), recorded, "a recording still fits");
        assert_eq!(desk.models.call(request).is_ok(), is_answered, "{need:?}");
        let asked: Vec<u64> = desk.asked().iter().map(|it| it.limits.output_tokens).collect();
        assert_eq!(asked, rooms, "{need:?}");
    };
    check(None, 0, &[16_000], true);
    check(None, 1, &[16_000], false);
    check(Some(3_000), 0, &[3_000], true);
    check(Some(3_000), 1, &[3_000, 6_000], true);
    check(Some(3_000), 2, &[3_000, 6_000], false);
    check(Some(10), 0, &[2_000], true);
    check(Some(12_000), 1, &[12_000, 16_000], true);
    check(Some(90_000), 1, &[16_000], false);
}

/// Only the room that an answer gets is held back under the cap.
#[test]
fn mo7_an_answer_that_needs_little_fits_under_a_cap_that_the_limit_would_break() {
    let purse = || rb_models::Purse::new(Some(super::usd(4.0)), rb_core::Usd::default());
    let call = |need: Option<u64>| {
        let setting = Setting { purse: purse(), ..Setting::default() };
        let mut request = question("Is it well?");
        (request.limits.output_tokens, request.need) = (16_000, need);
        Desk::new(vec![Ok(says("Yes."))], setting).models.call(request).map(|answer| answer.text)
    };
    assert!(matches!(call(None).unwrap_err().fault, Fault::OverCap { .. }));
    assert_eq!(call(Some(3_000)).unwrap(), "Yes.");
}

#[test]
fn mo8_a_wait_can_be_interrupted() {
    let desk = Desk::new(vec![fails(limited(Some(9)))], Setting::default());
    let cancel = desk.cancel.clone();
    desk.clock.meanwhile(move || cancel.cancel());
    let error = desk.models.call(question("Is it well?")).unwrap_err();
    assert_eq!((error.fault, desk.asked().len()), (Fault::Interrupted, 1));
}
