//! The messages API of Anthropic.

use std::sync::Arc;

use rb_http::testing;
use rb_models::Provider;
use rb_models::providers::anthropic::{Anthropic, AnthropicOptions};
use rb_testkit::stub::Reply;
use serde_json::{Value, json};

use super::super::case::Case;
use super::{End, Wire};
use crate::support::{KEY, key, still};

pub(in crate::conformance) struct Messages;

fn event(value: &Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap_or_default())
}

impl Messages {
    fn message(block: &Value, delta: &Value, stop: &str) -> Vec<String> {
        let usage = json!({ "input_tokens": 300, "output_tokens": 1 });
        let message = json!({ "id": "msg_1", "model": "some-model-20260101", "usage": usage });
        let events = [
            json!({ "type": "message_start", "message": message }),
            json!({ "type": "content_block_start", "index": 0, "content_block": block }),
            json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
            json!({ "type": "content_block_stop", "index": 0 }),
            json!({ "type": "message_delta", "delta": { "stop_reason": stop }, "usage": { "output_tokens": 5 } }),
            json!({ "type": "message_stop" }),
        ];
        events.iter().map(event).collect()
    }

    fn call(name: &str, input: &Value) -> Vec<String> {
        let block = json!({ "type": "tool_use", "id": "toolu_1", "name": name, "input": {} });
        let delta = json!({ "type": "input_json_delta", "partial_json": input.to_string() });
        Messages::message(&block, &delta, "tool_use")
    }

    fn error(kind: &str, words: &str) -> Value {
        let words = format!("{words} {KEY}");
        json!({ "type": "error", "error": { "type": kind, "message": words } })
    }
}

impl Wire for Messages {
    fn words(&self, end: End) -> Option<Vec<String>> {
        let stop = match end {
            End::Whole => "end_turn",
            End::Length => "max_tokens",
            End::Refusal => "refusal",
        };
        let delta = json!({ "type": "text_delta", "text": "It is well." });
        Some(Messages::message(&json!({ "type": "text", "text": "" }), &delta, stop))
    }

    fn value(&self, value: &Value) -> Vec<String> {
        Messages::call("reply", value)
    }

    fn tool_call(&self) -> Vec<String> {
        Messages::call("look", &json!({ "path": "a" }))
    }

    fn refused(&self, case: Case) -> Reply {
        let (status, kind, words) = match case {
            Case::TooLong => {
                (400, "invalid_request_error", "prompt is too long: 9 tokens > 8 maximum")
            }
            Case::BadKey => (401, "authentication_error", "invalid x-api-key"),
            Case::NoCredit => (400, "invalid_request_error", "Your credit balance is too low"),
            Case::NoModel => (404, "not_found_error", "model: some-model"),
            Case::FaultOnce => (500, "api_error", "Internal server error"),
            Case::Overloaded => (529, "overloaded_error", "Overloaded"),
            _ => (429, "rate_limit_error", "slow down"),
        };
        Reply::status(status, Messages::error(kind, words).to_string())
    }

    fn error_inside(&self) -> String {
        event(&Messages::error("overloaded_error", "Overloaded"))
    }

    fn unreadable(&self) -> String {
        format!("event: content_block_delta\ndata: {{\"type\": {KEY}\n\n")
    }

    fn stream(&self, pieces: Vec<String>) -> Reply {
        Reply::events(pieces)
    }

    fn provider(&self, url: &str) -> Arc<dyn Provider> {
        Arc::new(
            Anthropic::new(AnthropicOptions {
                base_url: url.to_owned(),
                key: Some(key()),
                http: testing::unhurried(),
                ..AnthropicOptions::new(still())
            })
            .unwrap(),
        )
    }
}
