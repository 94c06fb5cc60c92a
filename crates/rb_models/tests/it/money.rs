//! MO7: tokens, money and time are counted, shared and held.

use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use expect_test::expect;
use proptest::prelude::*;
use rb_core::{Cancel, RepoPath, TaskId, Usd};
use rb_models::ledger::About;
use rb_models::{
    Answer, Booking, By, Calibration, Cost, Counted, Family, Fault, Ledger, Message, Purse,
    Request, Sum, Tool, ToolCall, ToolResult, Usage,
};
use serde_json::json;

use crate::calls::schema;

fn usd(dollars: f64) -> Usd {
    Usd::new(dollars).unwrap()
}

fn input(tokens: u64) -> Usage {
    Usage { input: tokens, ..Usage::default() }
}

#[test]
fn mo7_an_estimate_counts_everything_that_is_sent() {
    let mut request = Request::new("planner", "be brief", "plan it");
    let mut last = 0;
    let mut grows_by = |request: &Request, text: &str| {
        let estimate = rb_models::tokens::estimate(request, Family::OpenAi);
        let grown = estimate.input - last;
        assert!(grown >= rb_models::tokens::count(text), "{grown}: {text}");
        assert_eq!(estimate.most_output, request.limits.output_tokens);
        last = estimate.input;
    };
    grows_by(&request, "be brief plan it");
    request.system.push_str(" and polite");
    grows_by(&request, " and polite");
    let input = json!({"type": "object", "properties": {"path": {"type": "string"}}});
    let (name, description) = ("read".to_owned(), "Reads a file.".to_owned());
    let text = format!("{name}{description}{input}");
    request.tools.push(Tool { name, description, input });
    grows_by(&request, &text);
    request.schema = Some(schema());
    grows_by(&request, &schema().value().to_string());
    let input = json!({"path": "a/very/long/path/to/some/file/in/the/repository.rs"});
    let text = input.to_string();
    let call = ToolCall { id: "1".to_owned(), name: "read".to_owned(), input };
    request.messages.push(Message::Assistant { text: String::new(), tool_calls: vec![call] });
    grows_by(&request, &text);
    let (id, name, text) = ("1".to_owned(), "read".to_owned(), "fn a() {}\n".repeat(20));
    let results = vec![ToolResult { id, name, text: text.clone(), failed: false }];
    request.messages.push(Message::Tools { results });
    grows_by(&request, &text);
}

#[test]
fn mo7_an_estimate_says_that_it_is_one() {
    let request = Request::new("planner", "", "count to three");
    let estimate = rb_models::tokens::estimate(&request, Family::Claude);
    assert_eq!(estimate.most().counted, Counted::Estimate);
    assert_eq!(estimate.most().total(), estimate.input + request.limits.output_tokens);
    let answer = |text: &str, value| Answer { text: text.to_owned(), value, ..Answer::default() };
    let said = estimate.usage_of(&answer("one two three", None));
    assert_eq!((said.counted, said.input), (Counted::Estimate, estimate.input));
    // Three tokens at 1.75, rounded up.
    assert_eq!(said.output, 6);
    let both =
        estimate.usage_of(&answer(r#"{"a":"one two three"}"#, Some(json!({"a": "one two three"}))));
    let value = estimate.usage_of(&answer("", Some(json!({"a": "one two three"}))));
    assert_eq!(both, value, "a value and the text that it was read from are one");
}

/// What was told → the factor afterwards, for `Family::OpenAi`.
#[test]
fn mo7_the_factor_is_learned_within_bounds() {
    let request = Request::new("planner", "", "word ".repeat(10_000));
    let check = |told: &[Usage], permille: std::ops::RangeInclusive<u64>| {
        let mut calibration = Calibration::new(Family::OpenAi);
        let estimate = calibration.estimate(&request);
        for usage in told {
            calibration.learn(&estimate, usage);
        }
        assert!(permille.contains(&calibration.permille()), "{told:?}: {}", calibration.permille());
        let mut backwards = Calibration::new(Family::OpenAi);
        told.iter().rev().for_each(|usage| backwards.learn(&estimate, usage));
        assert_eq!(calibration, backwards);
    };
    let plain = rb_models::tokens::estimate(&request, Family::OpenAi).input;
    check(&[], 1000..=1000);
    check(&[input(plain)], 999..=1000);
    check(&[input(2 * plain)], 1650..=1750);
    check(&vec![input(2 * plain); 50], 1980..=2000);
    check(&[Usage { cache_read: plain, ..input(plain) }], 1650..=1750);
    check(&[input(0)], 1000..=1000);
    check(&[Usage { counted: Counted::Estimate, ..input(9 * plain) }], 1000..=1000);
    check(&vec![input(u64::MAX); 50], 3900..=4000);
    check(&vec![input(20); 50], 500..=510);
    check(&[vec![input(plain); 50], vec![input(u64::MAX)]].concat(), 1000..=1100);
    check(&[input(plain), input(3 * plain), input(2 * plain)], 1850..=2000);
}

#[test]
fn mo7_a_cap_is_held_before_the_call() {
    let purse = Purse::new(Some(usd(1.0)), usd(0.5));
    let first = purse.reserve(Some(usd(0.3)), "m").unwrap();
    let refused = purse.reserve(Some(usd(0.3)), "m").unwrap_err();
    expect![[
        r#"the call may bring the cost to $1.100000, over the cap of $1.000000; $0.500000 are spent"#
    ]]
    .assert_eq(&refused.to_string());
    let unknown = purse.reserve(None, "m-large").unwrap_err();
    expect![[r#"the price of `m-large` is not known, so the cap of $1.000000 cannot be kept"#]]
        .assert_eq(&unknown.to_string());
    drop(first);
    assert_eq!(purse.spent(), usd(0.5), "dropped: nothing was paid");
    purse.reserve(Some(usd(0.5)), "m").unwrap().settle(Cost::Priced(usd(0.1)));
    purse.reserve(Some(usd(0.4)), "m").unwrap().settle(Cost::Reported(usd(0.7)));
    assert_eq!(purse.spent(), usd(1.3), "an answer is paid for in full");
    assert!(matches!(purse.reserve(Some(usd(0.000_001)), "m"), Err(Fault::OverCap { .. })));
    purse.reserve(Some(usd(0.0)), "local").unwrap().settle(Cost::Free);
    assert_eq!((purse.spent(), purse.unknown()), (usd(1.3), 0));
}

#[test]
fn mo7_what_nobody_knows_is_counted_apart() {
    let purse = Purse::new(None, Usd::default());
    assert_eq!(purse.reserve(None, "m").unwrap().settle(Cost::Unknown), Usd::default());
    assert_eq!((purse.spent(), purse.unknown()), (Usd::default(), 1));
    let capped = Purse::new(Some(usd(1.0)), Usd::default());
    assert_eq!(capped.reserve(Some(usd(0.7)), "m").unwrap().settle(Cost::Unknown), usd(0.7));
    assert_eq!(
        (capped.spent(), capped.unknown(), capped.presumed()),
        (Usd::default(), 1, usd(0.7))
    );
    assert!(matches!(capped.reserve(Some(usd(0.4)), "m"), Err(Fault::OverCap { .. })));
}

#[test]
fn mo7_a_failed_call_counts_where_a_model_may_have_worked() {
    let check = |fault: Fault, presumed: f64| {
        let purse = Purse::new(Some(usd(1.0)), Usd::default());
        assert_eq!(
            purse.reserve(Some(usd(1.0)), "m").unwrap().fail(&fault),
            usd(presumed),
            "{fault}"
        );
        assert_eq!(purse.reserve(Some(usd(1.0)), "m").is_ok(), presumed == 0.0, "{fault}");
    };
    let why = || "why".to_owned();
    check(Fault::NoKey, 0.0);
    check(Fault::RateLimited { words: why(), wait: None }, 0.0);
    check(Fault::Overloaded { status: 529, words: why(), wait: None }, 0.0);
    check(Fault::Unreachable { why: why(), lost: true }, 0.0);
    check(Fault::Half { why: why() }, 1.0);
    check(Fault::NotAsAsked { why: why() }, 1.0);
    check(Fault::Stalled(Duration::from_secs(1)), 1.0);
    check(Fault::Interrupted, 1.0);
}

/// All ask at once, and hold what they got until all have asked.
#[test]
fn mo7_two_hundred_calls_at_once_never_reserve_more_than_the_cap() {
    let (purse, asked) = (Purse::new(Some(usd(1.0)), usd(0.25)), Barrier::new(200));
    let granted = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..200 {
            scope.spawn(|| {
                let reservation = purse.reserve(Some(usd(0.01)), "m");
                granted.fetch_add(u64::from(reservation.is_ok()), Ordering::SeqCst);
                asked.wait();
                reservation.map(|reservation| reservation.settle(Cost::Priced(usd(0.01)))).ok();
            });
        }
    });
    assert_eq!(granted.load(Ordering::SeqCst), 75);
    assert_eq!(purse.spent(), usd(1.0));
}

/// Each may cost a tenth of the cap and costs a thousandth: all fit in, one after the other if need be.
#[test]
fn mo7_calls_in_turn_are_refused_only_where_they_never_fit() {
    let purse = Purse::new(Some(usd(1.0)), Usd::default());
    let cancel = Cancel::new();
    let (most, cost) = (Some(usd(0.1)), Cost::Priced(usd(0.001)));
    std::thread::scope(|scope| {
        for _ in 0..200 {
            scope.spawn(|| purse.reserve_in_turn(most, "m", &cancel).unwrap().settle(cost));
        }
    });
    assert_eq!(purse.spent(), usd(0.2));
    assert!(matches!(
        purse.reserve_in_turn(Some(usd(0.9)), "m", &cancel),
        Err(Fault::OverCap { .. })
    ));
    assert!(matches!(purse.reserve_in_turn(None, "m", &cancel), Err(Fault::PriceUnknown { .. })));
    let held = purse.reserve(Some(usd(0.8)), "m").unwrap();
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| purse.reserve_in_turn(Some(usd(0.8)), "m", &cancel).err());
        cancel.cancel();
        assert_eq!(waits.join().unwrap(), Some(Fault::Interrupted));
    });
    drop(held);
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Reserve(u32),
    Settle(usize, u32),
    Unknown(usize),
    Drop(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0_u32..400).prop_map(Step::Reserve),
        (any::<usize>(), 0_u32..=100).prop_map(|(which, percent)| Step::Settle(which, percent)),
        any::<usize>().prop_map(Step::Unknown),
        any::<usize>().prop_map(Step::Drop),
    ]
}

proptest! {
    /// Answers that cost no more than was reserved never bring the sum over the cap, whatever the order.
    #[test]
    fn mo7_the_cap_is_never_passed(steps in prop::collection::vec(step(), 0..80)) {
        let milli = |count: u32| usd(f64::from(count) / 1000.0);
        let cap = milli(1000);
        let purse = Purse::new(Some(cap), Usd::default());
        let mut open = Vec::new();
        for step in steps {
            let pick = |which: usize, open: &Vec<_>| (!open.is_empty()).then(|| which % open.len());
            match step {
                Step::Reserve(most) => {
                    open.extend(purse.reserve(Some(milli(most)), "m").map(|held| (held, most)).ok());
                }
                Step::Settle(which, percent) => if let Some(at) = pick(which, &open) {
                    let (held, most) = open.swap_remove(at);
                    held.settle(Cost::Priced(milli(most * percent / 100)));
                },
                Step::Unknown(which) => if let Some(at) = pick(which, &open) {
                    open.swap_remove(at).0.settle(Cost::Unknown);
                },
                Step::Drop(which) => if let Some(at) = pick(which, &open) {
                    drop(open.swap_remove(at));
                },
            }
            let held: Usd = open.iter().map(|(_, most)| milli(*most)).sum();
            prop_assert!(purse.spent() + purse.presumed() + held <= cap);
        }
    }

    #[test]
    fn mo7_shares_sum_up_exactly(
        calls in prop::collection::vec((prop::collection::vec(0_u32..6, 0..5), any::<[u32; 6]>(), any::<bool>()), 0..20),
    ) {
        let bookings: Vec<Booking> = calls.iter().map(|(files, n, priced)| Booking {
            role: "patcher".to_owned(),
            task: (n[0] % 3 > 0).then(|| TaskId(n[0] % 3)),
            files: files.iter().map(|file| path(&format!("{file}.rs"))).collect(),
            usage: Usage {
                input: n[1].into(),
                output: n[2].into(),
                cache_read: n[3].into(),
                ..Usage::default()
            },
            cost: if *priced { Cost::Priced(usd(f64::from(n[4]) / 1e9)) } else { Cost::Unknown },
            ms: n[5].into(),
            ..Booking::default()
        }).collect();
        let ledger = Ledger::from_bookings(&bookings);
        let shared = |sum: &Sum| {
            (sum.usage.input, sum.usage.output, sum.usage.cache_read, sum.cost, sum.ms)
        };
        let add = |a: (u64, u64, u64, Usd, u64), b: (u64, u64, u64, Usd, u64)| {
            (a.0 + b.0, a.1 + b.1, a.2 + b.2, a.3 + b.3, a.4 + b.4)
        };
        let total = |sums: Vec<&Sum>| sums.into_iter().map(shared).fold(<_>::default(), add);
        prop_assert_eq!(total(ledger.files().values().collect()), shared(&ledger.total()));
        prop_assert_eq!(total(ledger.tasks().values().collect()), shared(&ledger.total()));
        prop_assert_eq!(total(ledger.roles().values().collect()), shared(&ledger.total()));
    }
}

fn path(text: &str) -> RepoPath {
    RepoPath::new(text).unwrap()
}

fn bookings() -> Vec<Booking> {
    let booking =
        |role: &str, task: Option<u32>, files: &[&str], tokens: u64, cost: Cost| Booking {
            role: role.to_owned(),
            task: task.map(TaskId),
            files: files.iter().map(|file| path(file)).collect(),
            provider: "anthropic".to_owned(),
            model: "m".to_owned(),
            usage: Usage { input: tokens, output: 10, ..Usage::default() },
            cost,
            ms: 1_050,
            tries: 1,
            ..Booking::default()
        };
    let mut bookings = vec![
        booking("planner", None, &[], 1_000, Cost::Priced(usd(0.01))),
        booking("patcher", Some(1), &["b.rs", "a.rs"], 2_001, Cost::Reported(usd(0.000_000_005))),
        booking("patcher", Some(2), &["a.rs", "a.rs"], 500, Cost::Unknown),
        booking("critic", Some(2), &["c.rs"], 300, Cost::Free),
    ];
    bookings[1].usage.cache_read = 90;
    bookings[2].usage.counted = Counted::Estimate;
    bookings[2].presumed = usd(0.2);
    bookings
}

#[test]
fn mo7_calls_are_summed_by_role_task_and_file() {
    let ledger = Ledger::from_bookings(&bookings());
    expect![[r#"
        role     calls  input  cached  output                     cost   time
        critic       1    300       0      10                $0.000000  1.0 s
        patcher      2  ~2501     ~90     ~20  $0.000001 and 1 unknown  2.1 s
        planner      1   1000       0      10                $0.010000  1.0 s
        total        4  ~3801     ~90     ~40  $0.010001 and 1 unknown  4.2 s
    "#]]
    .assert_eq(&ledger.table(By::Role));
    expect![[r#"
        task       calls  input  cached  output                     cost   time
        batch-001      1   2001      90      10                $0.000001  1.0 s
        batch-002      2   ~800      ~0     ~20  $0.000000 and 1 unknown  2.1 s
        (none)         1   1000       0      10                $0.010000  1.0 s
        total          4  ~3801     ~90     ~40  $0.010001 and 1 unknown  4.2 s
    "#]]
    .assert_eq(&ledger.table(By::Task));
    expect![[r#"
        file    calls  input  cached  output                     cost   time
        a.rs        2  ~1500     ~45     ~15  $0.000001 and 1 unknown  1.5 s
        b.rs        1   1001      45       5                $0.000001  0.5 s
        c.rs        1    300       0      10                $0.000000  1.0 s
        (none)      1   1000       0      10                $0.010000  1.0 s
        total       4  ~3801     ~90     ~40  $0.010001 and 1 unknown  4.2 s
    "#]]
    .assert_eq(&ledger.table(By::File));
    let file = |name: &str| ledger.files()[&About::This(path(name))].usage.input;
    assert_eq!((file("b.rs"), file("a.rs")), (1_001, 1_000 + 500), "the first takes what is left");
    assert_eq!(ledger.gone(), usd(0.210_000_005));
    let all = 1_000 + 2_001 + 90 + 500 + 300 + 4 * 10;
    assert_eq!(ledger.tokens_per_file(), Some(u64::div_ceil(all, 3)));
    assert_eq!(Ledger::default().tokens_per_file(), None);
}

#[test]
fn mo7_bookings_survive_the_journal_and_a_replayed_one_is_not_paid() {
    let mut bookings = bookings();
    let lines: Vec<String> =
        bookings.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
    expect![[r#"{"role":"patcher","task":"batch-001","files":["b.rs","a.rs"],"provider":"anthropic","model":"m","usage":{"input":2001,"output":10,"cache_read":90,"cache_write":0,"reasoning":0,"counted":"by_provider"},"cost":{"reported":5},"ms":1050,"tries":1,"replayed":false}"#]].assert_eq(&lines[1]);
    let read: Vec<Booking> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, bookings);
    let before = Ledger::from_bookings(&bookings);
    for booking in &mut bookings {
        booking.replayed = true;
    }
    let replayed = Ledger::from_bookings(&bookings);
    assert_eq!(replayed.table(By::File), before.table(By::File));
    assert_eq!(replayed.gone(), Usd::default());
}
