//! Requests and answers for the tests of money and recordings: some by hand, and all that there could be.

use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use rb_core::{TaskId, Usd};
use rb_models::{
    Answer, Cost, Counted, Facts, Fault, Message, ModelError, Request, Stop, Timing, Tool,
    ToolCall, ToolResult, Usage, Volatile,
};
use rb_schema::Schema;
use serde_json::{Value, json};

pub(crate) fn schema() -> Arc<Schema> {
    let text =
        r#"{"type": "object", "properties": {"steps": {"type": "array"}}, "required": ["steps"]}"#;
    Arc::new(Schema::parse("plan", text).unwrap())
}

pub(crate) fn request(role: &str, task: Option<u32>, user: &str) -> Request {
    let mut request = Request::new(role, "You plan.\nBe brief.", user);
    request.purpose.task = task.map(TaskId);
    request.model.push_str("m-1");
    request
}

pub(crate) fn answer(text: &str) -> Answer {
    Answer {
        text: text.to_owned(),
        usage: Usage { input: 12, output: 3, ..Usage::default() },
        cost: Cost::Priced(Usd::new(0.001).unwrap()),
        timing: Timing { first_ms: 5, whole_ms: 40 },
        facts: Facts {
            provider: "anthropic".to_owned(),
            model: "m-1-20260101".to_owned(),
            id: Some("req_1".to_owned()),
            tries: 1,
            notes: Vec::new(),
        },
        ..Answer::default()
    }
}

/// Letters that volatile texts and keys are made of, and some that are hard to write down.
fn text() -> impl Strategy<Value = String> {
    "[ab/⟦⟧\\n\"\\\\\u{0}é😀 ]{0,12}"
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has finite numbers", |n| n.is_finite())
            .prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[ab⟦]{0,3}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn tool_calls() -> impl Strategy<Value = Vec<ToolCall>> {
    let call = (text(), text(), value()).prop_map(|(id, name, input)| ToolCall { id, name, input });
    prop::collection::vec(call, 0..3)
}

fn message() -> impl Strategy<Value = Message> {
    let result = (text(), text(), text(), any::<bool>())
        .prop_map(|(id, name, text, failed)| ToolResult { id, name, text, failed });
    prop_oneof![
        text().prop_map(|text| Message::User { text }),
        (text(), tool_calls())
            .prop_map(|(text, tool_calls)| Message::Assistant { text, tool_calls }),
        prop::collection::vec(result, 0..3).prop_map(|results| Message::Tools { results }),
    ]
}

fn volatile() -> impl Strategy<Value = Vec<Volatile>> {
    let names = prop::sample::select(vec!["worktree", "fence", "a", ""]);
    let one = ("[ab/]{0,4}", names).prop_map(|(text, stands_for)| Volatile { text, stands_for });
    prop::collection::vec(one, 0..4)
}

pub(crate) fn any_request() -> impl Strategy<Value = Request> {
    let tool = (text(), text(), value()).prop_map(|(name, description, input)| Tool {
        name,
        description,
        input,
    });
    let parts = (
        text(),
        prop::option::of(1_u32..5),
        text(),
        prop::collection::vec(message(), 0..4),
        prop::collection::vec(tool, 0..2),
        any::<bool>(),
        volatile(),
    );
    parts.prop_map(|(role, task, system, messages, tools, formed, volatile)| {
        let mut request = request(&role, task, "");
        (request.system, request.messages, request.tools) = (system, messages, tools);
        request.schema = formed.then(schema);
        request.volatile = volatile;
        request
    })
}

pub(crate) fn any_answer() -> impl Strategy<Value = Answer> {
    let stop = prop::sample::select(vec![Stop::End, Stop::Tools, Stop::Length, Stop::Refusal]);
    let cost = prop_oneof![
        Just(Cost::Free),
        Just(Cost::Unknown),
        (0_u32..9_999).prop_map(|nano| Cost::Reported(Usd::new(f64::from(nano) / 1e9).unwrap())),
    ];
    let counted = prop::sample::select(vec![Counted::ByProvider, Counted::Estimate]);
    let parts = (text(), prop::option::of(value()), tool_calls(), stop, cost, any::<[u64; 5]>());
    (parts, counted, prop::option::of(text())).prop_map(|(parts, counted, id)| {
        let (text, value, tool_calls, stop, cost, [input, output, cache_read, first_ms, whole_ms]) =
            parts;
        let usage = Usage { input, output, cache_read, counted, ..Usage::default() };
        let timing = Timing { first_ms, whole_ms };
        let facts = Facts { id, notes: vec![text.clone()], ..answer("").facts };
        Answer { text, value, tool_calls, stop, usage, cost, timing, facts }
    })
}

/// One of each kind of fault, and a hint.
pub(crate) fn faults() -> Vec<Fault> {
    let words = || "the words /t/1".to_owned();
    let (wait, usd) = (Some(Duration::from_millis(1_500)), Usd::new(0.25).unwrap());
    vec![
        Fault::NotInstalled { what: words() },
        Fault::NotLoggedIn { what: words() },
        Fault::NoKey,
        Fault::BadKey { words: words() },
        Fault::NoCredit { words: words() },
        Fault::NoSuchModel { model: words(), words: words() },
        Fault::BadRequest { words: words() },
        Fault::TooLong { words: words() },
        Fault::PromptCut { sent: 9, read: 3 },
        Fault::RateLimited { words: words(), wait },
        Fault::RateLimited { words: words(), wait: None },
        Fault::Overloaded { status: 529, words: words(), wait },
        Fault::Unreachable { why: words(), lost: true },
        Fault::Tls { why: words() },
        Fault::Stalled(Duration::from_millis(120_001)),
        Fault::TooSlow(Duration::from_mins(20)),
        Fault::Half { why: words() },
        Fault::Malformed { why: words() },
        Fault::AnswerCut { limit: 16_000 },
        Fault::Refusal { words: words() },
        Fault::NotAsAsked { why: words() },
        Fault::Unable { what: words() },
        Fault::Program { why: words() },
        Fault::OverCap { estimate: usd, cap: usd, spent: usd },
        Fault::PriceUnknown { model: words(), cap: usd },
        Fault::ReplayDiffers { difference: words() },
        Fault::Recording { why: words() },
        Fault::Interrupted,
    ]
}

pub(crate) fn any_outcome() -> impl Strategy<Value = Result<Answer, ModelError>> {
    let error = (prop::sample::select(faults()), prop::option::of(text()))
        .prop_map(|(fault, hint)| Err(ModelError { hint, ..ModelError::new("anthropic", fault) }));
    prop_oneof![3 => any_answer().prop_map(Ok), 1 => error]
}

/// The same request at another time: other texts for the same names.
pub(crate) fn with_volatile(mut request: Request, text: &str, stands_for: &'static str) -> Request {
    request.volatile.push(Volatile { text: text.to_owned(), stands_for });
    request
}

pub(crate) fn deep(levels: usize) -> Value {
    (0..levels).fold(json!(1), |inner, _| json!([inner]))
}
