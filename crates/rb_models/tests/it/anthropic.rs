//! Anthropic's messages API against a server on this machine that speaks it as documented.

mod answers;
mod broken;
mod conversation;
mod refusals;
mod requests;

use std::sync::Arc;

use expect_test::Expect;
use rb_http::HttpOptions;
use rb_http::testing;
use rb_models::providers::anthropic::{Anthropic, AnthropicOptions};
use rb_models::{Request, Tool};
use rb_schema::Schema;
use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

use crate::support::{key, still, story, unhurried};

fn options(url: &str) -> AnthropicOptions {
    let http = testing::unhurried();
    AnthropicOptions {
        base_url: url.to_owned(),
        key: Some(key()),
        http,
        ..AnthropicOptions::new(still())
    }
}

fn provider(url: &str) -> Anthropic {
    Anthropic::new(options(url)).unwrap()
}

/// One question in words.
fn plain() -> Request {
    let request = Request::new("planner", "Be brief.", "Why?");
    Request { model: "claude-test-1".to_owned(), limits: unhurried(), ..request }
}

fn verdict() -> Arc<Schema> {
    let text = r#"{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}"#;
    Arc::new(Schema::parse("verdict", text).unwrap())
}

fn with_schema() -> Request {
    Request { schema: Some(verdict()), ..plain() }
}

fn look() -> Tool {
    Tool {
        name: "look".to_owned(),
        description: "Shows a file.".to_owned(),
        input: json!({ "type": "object", "properties": { "path": { "type": "string" } } }),
    }
}

fn with_tools() -> Request {
    Request { tools: vec![look()], ..with_schema() }
}

/// What comes of a call that is answered so; the port of the server does not matter.
fn check_with(http: HttpOptions, request: &Request, reply: Reply, expected: &Expect) {
    let stub = Stub::always(reply);
    let provider = Anthropic::new(AnthropicOptions { http, ..options(&stub.url()) }).unwrap();
    expected.assert_eq(&story(&provider, request).replace(&format!(":{}", stub.port()), ":PORT"));
}

fn check(request: &Request, reply: Reply, expected: &Expect) {
    check_with(testing::unhurried(), request, reply, expected);
}

fn event(value: &Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap_or("none"))
}

/// A stream of events, each in a piece of its own.
fn stream<'v>(events: impl IntoIterator<Item = &'v Value>) -> Reply {
    Reply::events(events.into_iter().map(event)).header("request-id", "req_1")
}

/// The events of a whole message with this between its beginning and its end.
fn message(content: &[Vec<Value>], stop_reason: &str) -> Vec<Value> {
    let end = vec![stopped(stop_reason, &json!({ "output_tokens": 7 })), over()];
    [vec![begun()], content.concat(), end].concat()
}

fn begun() -> Value {
    let usage = json!({
        "input_tokens": 10,
        "cache_creation_input_tokens": 3,
        "cache_read_input_tokens": 5,
        "output_tokens": 1,
    });
    let model = "claude-test-1-20260101";
    let message = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage,
    });
    json!({ "type": "message_start", "message": message })
}

fn stopped(reason: &str, usage: &Value) -> Value {
    let delta = json!({ "stop_reason": reason, "stop_sequence": null });
    json!({ "type": "message_delta", "delta": delta, "usage": usage })
}

fn over() -> Value {
    json!({ "type": "message_stop" })
}

fn opened(index: u64, block: &Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn piece(index: u64, delta: &Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn closed(index: u64) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn text(index: u64, pieces: &[&str]) -> Vec<Value> {
    let first = opened(index, &json!({ "type": "text", "text": "" }));
    let deltas =
        pieces.iter().map(|text| piece(index, &json!({ "type": "text_delta", "text": text })));
    [first].into_iter().chain(deltas).chain([closed(index)]).collect()
}

fn input(index: u64, json: &str) -> Value {
    piece(index, &json!({ "type": "input_json_delta", "partial_json": json }))
}

fn call(index: u64, name: &str, pieces: &[&str]) -> Vec<Value> {
    let id = format!("toolu_{index}");
    let block = json!({ "type": "tool_use", "id": id, "name": name, "input": {} });
    let deltas = pieces.iter().map(|json| input(index, json));
    [opened(index, &block)].into_iter().chain(deltas).chain([closed(index)]).collect()
}
