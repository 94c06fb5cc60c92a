//! Two hundred calls at once: each gets its own answer, all are booked, and the cap holds at every moment.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rb_core::{Cancel, Usd};
use rb_http::testing::Waits;
use rb_models::providers::anthropic::{Anthropic, AnthropicOptions};
use rb_models::{
    Abilities, Answer, Calling, Fault, ModelError, Models, ModelsContext, Patience, Probe,
    Provider, Purse, Request, Route, Routes, SchemaBy, Tape,
};
use rb_testkit::stub::{Reply, Seen, Stub};
use serde_json::{Value, json};

use super::{price, question, says, usd};
use crate::support::{key, still};

const CALLS: u64 = 200;

fn models(provider: Arc<dyn Provider>, cap: Usd) -> Models {
    let context =
        ModelsContext { clock: Waits::new(), cancel: Cancel::new(), told: Box::new(|_| {}) };
    let usual = Route {
        provider,
        model: "m-1".to_owned(),
        price: Some(price()),
        window: None,
        max_output: None,
    };
    let routes = Routes { usual, roles: BTreeMap::new() };
    let purse = Purse::new(Some(cap), Usd::default());
    Models::new(routes, Tape::Off, purse, Patience::default(), context)
}

/// Every call on a thread of its own; the results in the order of the questions.
fn all(models: &Models) -> Vec<Result<Answer, ModelError>> {
    std::thread::scope(|scope| {
        let ask = |n| move || models.call(question(&format!("Question {n}?")));
        let threads: Vec<_> = (0..CALLS).map(|n| scope.spawn(ask(n))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Says the number of the question; it takes as many tokens of output.
fn echo(seen: &Seen) -> Reply {
    let body: Value = serde_json::from_str(&seen.body).unwrap();
    let text = body["messages"][0]["content"].to_string();
    let number: String = text.chars().filter(char::is_ascii_digit).collect();
    let usage = json!({ "input_tokens": 10, "output_tokens": 1 });
    let message = json!({ "id": "msg_1", "model": "m-1", "usage": usage });
    let delta = json!({ "type": "text_delta", "text": format!("Answer {number}.") });
    let stop = json!({ "stop_reason": "end_turn" });
    let used = json!({ "output_tokens": number.parse::<u64>().unwrap() });
    let events = [
        json!({ "type": "message_start", "message": message }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": stop, "usage": used }),
        json!({ "type": "message_stop" }),
    ];
    Reply::events(events.map(|event| format!("event: e\ndata: {event}\n\n")))
}

#[test]
fn mo7_two_hundred_calls_at_once_keep_their_answers_and_their_money() {
    let stub = Stub::new(|seen, _| echo(seen));
    let options = AnthropicOptions {
        base_url: stub.url(),
        key: Some(key()),
        http: rb_http::testing::unhurried(),
        ..AnthropicOptions::new(still())
    };
    // All together cost 21.90 dollars, and each holds back almost one: they cannot all be under way.
    let models = models(Arc::new(Anthropic::new(options).unwrap()), usd(23.0));
    let came = all(&models);
    let mut spent = Usd::default();
    for (n, result) in came.iter().enumerate() {
        let answer = result.as_ref().unwrap();
        assert_eq!(answer.text, format!("Answer {n}."));
        spent = spent + answer.cost.usd().unwrap();
    }
    assert_eq!(spent, usd(21.9));
    let (purse, total) = (models.purse(), models.ledger().total());
    assert_eq!((purse.spent(), purse.presumed()), (spent, Usd::default()));
    assert_eq!((total.calls, total.cost), (CALLS, spent));
    assert_eq!((total.usage.input, total.usage.output), (2_000, 199 * 100));
    assert_eq!(stub.seen().len(), 200, "each was asked once");
}

/// Knows how many calls are under way, and what they may cost at most beside what is spent.
struct Counting {
    under_way: AtomicU64,
    most_under_way: AtomicU64,
}

impl Provider for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn abilities(&self) -> Abilities {
        let schema = SchemaBy::Provider;
        Abilities { tools: false, reads_files: false, schema, paid: true, window: None }
    }

    fn probe(&self, _calling: &Calling<'_>) -> Result<Probe, ModelError> {
        Ok(Probe::default())
    }

    fn ask(&self, _request: &Request, _calling: &Calling<'_>) -> Result<Answer, ModelError> {
        let now = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_under_way.fetch_max(now, Ordering::SeqCst);
        std::thread::yield_now();
        self.under_way.fetch_sub(1, Ordering::SeqCst);
        Ok(says("Yes."))
    }
}

#[test]
fn mo7_a_cap_that_is_too_small_for_all_is_never_passed() {
    let counting =
        Arc::new(Counting { under_way: AtomicU64::new(0), most_under_way: AtomicU64::new(0) });
    let cap = usd(5.0);
    let models = models(Arc::<Counting>::clone(&counting), cap);
    let came = all(&models);
    let made = came.iter().filter(|result| result.is_ok()).count();
    for result in came.iter().filter(|result| result.is_err()) {
        let error = result.as_ref().unwrap_err();
        assert!(matches!(error.fault, Fault::OverCap { .. }), "{error}");
    }
    // Each costs 11 cents and may cost between 90 and 100: the last one is begun where so much is left.
    assert_eq!(models.purse().spent(), usd(0.11 * f64::from(u32::try_from(made).unwrap())));
    assert!((37..=38).contains(&made), "{made}, whoever was faster");
    assert!(models.purse().spent() <= cap);
    let most = counting.most_under_way.load(Ordering::SeqCst);
    assert!((1..=5).contains(&most), "{most} were under way at once");
}
