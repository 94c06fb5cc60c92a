//! Chat completions, with what the providers of the catalog differ in.

use std::sync::Arc;

use rb_http::testing;
use rb_models::providers::chat::{Chat, ChatOptions};
use rb_models::{Catalog, Provider};
use rb_testkit::stub::Reply;
use serde_json::{Value, json};

use super::super::case::Case;
use super::{End, Wire};
use crate::support::{KEY, key, still};

/// Chat completions as one provider of the catalog speaks them.
pub(in crate::conformance) struct Completions(pub(in crate::conformance) &'static str);

impl Completions {
    fn pieces(&self, delta: &Value, finish: &str) -> Vec<String> {
        let choice = |delta: &Value, finish: Option<&str>| json!({ "index": 0, "delta": delta, "finish_reason": finish });
        let mut usage =
            json!({ "prompt_tokens": 300, "completion_tokens": 5, "total_tokens": 305 });
        match self.0 {
            "openrouter" => usage["cost"] = json!(0.5),
            "perplexity" => usage["cost"] = json!({ "total_cost": 0.5 }),
            _ => {}
        }
        let chunk = |choice: &Value, usage: &Value| {
            let (id, model) = ("chatcmpl-1", "some-model-0613");
            format!(
                "data: {}\n\n",
                json!({ "id": id, "model": model, "choices": [choice], "usage": usage })
            )
        };
        vec![
            chunk(&choice(delta, None), &Value::Null),
            chunk(&choice(&json!({}), Some(finish)), &usage),
            "data: [DONE]\n\n".to_owned(),
        ]
    }
}

impl Wire for Completions {
    fn words(&self, end: End) -> Option<Vec<String>> {
        let finish = match end {
            End::Whole => "stop",
            End::Length => "length",
            End::Refusal => "content_filter",
        };
        Some(self.pieces(&json!({ "content": "It is well." }), finish))
    }

    fn value(&self, value: &Value) -> Vec<String> {
        self.pieces(&json!({ "content": value.to_string() }), "stop")
    }

    fn tool_call(&self) -> Vec<String> {
        let function = json!({ "name": "look", "arguments": "{\"path\": \"a\"}" });
        let call = json!({ "index": 0, "id": "call_1", "type": "function", "function": function });
        self.pieces(&json!({ "tool_calls": [call] }), "tool_calls")
    }

    fn refused(&self, case: Case) -> Reply {
        let (status, code, words) = match (case, self.0) {
            (Case::TooLong, _) => {
                (400, "context_length_exceeded", "This model's maximum context length is 8 tokens.")
            }
            (Case::BadKey, _) => (401, "invalid_api_key", "Incorrect API key provided"),
            (Case::NoCredit, "openai") => (429, "insufficient_quota", "You exceeded your quota"),
            (Case::NoCredit, _) => (402, "", "Insufficient Balance"),
            (Case::NoModel, "deepseek") => (400, "invalid_request_error", "Model Not Exist"),
            (Case::NoModel, _) => (404, "model_not_found", "The model does not exist"),
            (Case::FaultOnce, _) => (500, "server_error", "Oops"),
            (Case::Overloaded, _) => (529, "", "Overloaded"),
            _ => (429, "rate_limit_exceeded", "Slow down"),
        };
        let words = format!("{words} {KEY}");
        let error = json!({ "error": { "message": words, "type": "t", "code": code } });
        Reply::status(status, error.to_string())
    }

    fn error_inside(&self) -> String {
        let error = json!({ "message": format!("Provider disconnected {KEY}"), "code": 502 });
        format!("data: {}\n\n", json!({ "error": error }))
    }

    fn unreadable(&self) -> String {
        format!("data: {{\"choices\": {KEY}\n\n")
    }

    fn stream(&self, pieces: Vec<String>) -> Reply {
        Reply::events(pieces)
    }

    fn provider(&self, url: &str) -> Arc<dyn Provider> {
        Arc::new(
            Chat::new(ChatOptions {
                spec: Catalog::bundled().get(self.0).unwrap().clone(),
                base_url: Some(url.to_owned()),
                key: Some(key()),
                key_setting: "SOME_API_KEY".to_owned(),
                http: testing::unhurried(),
                context: still(),
            })
            .unwrap(),
        )
    }
}
