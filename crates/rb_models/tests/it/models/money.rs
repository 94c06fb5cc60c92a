//! Money: what is refused before it is asked, and what is said where nobody knows the price.

use rb_core::Usd;
use rb_models::{Booking, Cost, Fault, Purse};
use serde_json::json;

use super::{Desk, Setting, Turn, formed, gives, question, says, usd};

fn capped(turns: Vec<Turn>, cap: f64, spent_before: f64) -> Desk {
    let purse = Purse::new(Some(usd(cap)), usd(spent_before));
    Desk::new(turns, Setting { purse, ..Setting::default() })
}

#[test]
fn mo7_a_cap_is_held_before_the_call() {
    // About 930 tokens at most; a dollar is enough and less is not.
    let desk = capped(Vec::new(), 0.9, 0.0);
    let error = desk.models.call(question("Is it well?")).unwrap_err();
    assert!(matches!(error.fault, Fault::OverCap { .. }), "{error}");
    assert_eq!((desk.asked().len(), desk.bookings().as_str()), (0, ""));
    let desk = capped(vec![Ok(says("Yes."))], 1.0, 0.0);
    desk.models.call(question("Is it well?")).unwrap();
    assert_eq!(desk.models.purse().spent(), usd(0.11));
    // What a run spent before it was interrupted counts.
    let desk = capped(Vec::new(), 1.0, 0.5);
    let error = desk.models.call(question("Is it well?")).unwrap_err();
    assert!(matches!(error.fault, Fault::OverCap { spent, .. } if spent == usd(0.5)), "{error}");
}

#[test]
fn mo7_the_second_question_is_under_the_cap_too() {
    let mut wrong = says("");
    (wrong.value, wrong.usage.input) = (Some(json!({ "ok": 7 })), 600);
    let desk = capped(vec![Ok(wrong), gives(json!({ "ok": true }))], 1.4, 0.0);
    let error = desk.models.call(formed()).unwrap_err();
    assert!(matches!(error.fault, Fault::OverCap { .. }), "{error}");
    assert_eq!((desk.asked().len(), desk.models.purse().spent()), (1, usd(0.61)));
}

#[test]
fn mo7_an_own_program_that_tells_what_it_cost_is_under_the_cap() {
    let told = || {
        let mut answer = says("Yes.");
        answer.cost = Cost::Reported(usd(0.4));
        Ok(answer)
    };
    let purse = Purse::new(Some(usd(1.0)), Usd::default());
    let setting = Setting { purse, paid: false, price: None, ..Setting::default() };
    let desk = Desk::new(vec![told(), told(), told()], setting);
    for _ in 0..2 {
        desk.models.call(question("Is it well?")).unwrap();
    }
    // A third of that price would be too much.
    let error = desk.models.call(question("Is it well?")).unwrap_err();
    assert!(matches!(error.fault, Fault::OverCap { .. }), "{error}");
    assert_eq!((desk.asked().len(), desk.models.purse().spent()), (2, usd(0.8)));
}

#[test]
fn mo7_an_unknown_price_is_said_and_never_taken_for_nothing() {
    let setting = |cap: Option<Usd>| {
        let purse = Purse::new(cap, Usd::default());
        Setting { price: None, purse, ..Setting::default() }
    };
    let desk = Desk::new(Vec::new(), setting(Some(usd(100.0))));
    let error = desk.models.call(question("Is it well?")).unwrap_err();
    let cap = usd(100.0);
    assert_eq!(error.fault, Fault::PriceUnknown { model: "m-1".to_owned(), cap });
    assert!(desk.asked().is_empty());
    let desk = Desk::new(vec![Ok(says("Yes."))], setting(None));
    assert_eq!(desk.models.call(question("Is it well?")).unwrap().cost, Cost::Unknown);
    assert_eq!((desk.models.purse().unknown(), desk.models.ledger().total().unknown), (1, 1));
}

#[test]
fn mo7_an_unknown_price_under_a_cap_is_found_before_anything_is_asked() {
    let check = |price: bool, cap: Option<f64>, expected: Option<Fault>| {
        let purse = Purse::new(cap.map(usd), Usd::default());
        let price = price.then(super::price);
        let desk = Desk::new(Vec::new(), Setting { price, purse, ..Setting::default() });
        assert_eq!(desk.models.check("planner").err().map(|error| error.fault), expected);
    };
    check(true, Some(1.0), None);
    check(false, None, None);
    let unknown = Fault::PriceUnknown { model: "m-1".to_owned(), cap: usd(1.0) };
    check(false, Some(1.0), Some(unknown));
}

#[test]
fn mo7_usage_that_the_provider_does_not_say_is_an_estimate() {
    let mut answer = says("Yes, all of it is well.");
    answer.usage = rb_models::Usage { counted: rb_models::Counted::Estimate, ..Default::default() };
    let desk = Desk::new(vec![Ok(answer)], Setting::default());
    let answer = desk.models.call(question("Is it well?")).unwrap();
    assert_eq!(answer.usage.counted, rb_models::Counted::Estimate);
    assert!(answer.usage.input > 0 && answer.usage.output > 0, "{:?}", answer.usage);
    assert!(matches!(answer.cost, Cost::Priced(usd) if usd > Usd::default()));
}

/// Through the text of the journal, as a resume reads it.
#[test]
fn mo7_a_resumed_run_goes_on_with_the_factor_that_it_had() {
    let long = || question(&"word ".repeat(5_000));
    let mut answer = says("Yes.");
    answer.usage.input = 10_000;
    let first = capped(vec![Ok(answer)], 15.0, 0.0);
    first.models.call(long()).unwrap();
    let text = serde_json::to_string(&*first.booked.lock().unwrap()).unwrap();
    let booked: Vec<Booking> = serde_json::from_str(&text).unwrap();

    let refused = |desk: &Desk| desk.models.call(long()).unwrap_err().fault;
    let resumed = capped(Vec::new(), 15.0, 10.01);
    let without = refused(&resumed);
    resumed.models.recall(&booked);
    assert_eq!(refused(&resumed), refused(&first));
    assert_ne!(refused(&resumed), without);
}

#[test]
fn mo6_what_cannot_fit_is_not_sent() {
    let long = || question(&"word ".repeat(2_000));
    let window = |window| Setting { window: Some(window), ..Setting::default() };
    let desk = Desk::new(Vec::new(), window(1_000));
    let error = desk.models.call(long()).unwrap_err();
    assert!(matches!(error.fault, Fault::TooLong { .. }), "{error}");
    assert!(desk.asked().is_empty());
    let desk = Desk::new(vec![Ok(says("Yes."))], window(10_000));
    desk.models.call(long()).unwrap();
}
