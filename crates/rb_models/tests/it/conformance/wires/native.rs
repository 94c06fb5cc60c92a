//! Ollama's own language: a line of JSON for each piece.

use std::sync::Arc;

use rb_http::testing;
use rb_models::providers::ollama::{Ollama, OllamaOptions};
use rb_models::tokens::estimate;
use rb_models::{Catalog, Family, Provider};
use rb_testkit::stub::Reply;
use serde_json::{Value, json};

use super::super::case::Case;
use super::{End, Wire};
use crate::support::{KEY, key, still};

pub(in crate::conformance) struct Native;

impl Native {
    fn lines(message: &Value, reason: &str) -> Vec<String> {
        let last = json!({ "model": "some-model:latest", "message": { "role": "assistant", "content": "" },
            "done": true, "done_reason": reason, "prompt_eval_count": 300, "eval_count": 5 });
        let first = json!({ "model": "some-model:latest", "message": message, "done": false });
        // As the others, two pieces end it.
        [first.to_string(), String::new(), last.to_string()].map(|line| line + "\n").to_vec()
    }
}

impl Wire for Native {
    fn words(&self, end: End) -> Option<Vec<String>> {
        let reason = match end {
            End::Whole => "stop",
            End::Length => "length",
            // It has no word for it.
            End::Refusal => return None,
        };
        Some(Native::lines(&json!({ "role": "assistant", "content": "It is well." }), reason))
    }

    fn value(&self, value: &Value) -> Vec<String> {
        Native::lines(&json!({ "role": "assistant", "content": value.to_string() }), "stop")
    }

    fn tool_call(&self) -> Vec<String> {
        let call = json!({ "function": { "name": "look", "arguments": { "path": "a" } } });
        let message = json!({ "role": "assistant", "content": "", "tool_calls": [call] });
        Native::lines(&message, "stop")
    }

    fn refused(&self, case: Case) -> Reply {
        let (status, words) = match case {
            Case::TooLong => (400, "the input length exceeds the context length"),
            Case::BadKey => (401, "unauthorized"),
            Case::NoCredit => (402, "payment required"),
            Case::NoModel => (404, "model 'some-model' not found"),
            Case::FaultOnce => (500, "something failed"),
            Case::Overloaded => (529, "overloaded"),
            _ => (429, "too many requests"),
        };
        Reply::status(status, json!({ "error": format!("{words} {KEY}") }).to_string())
    }

    fn error_inside(&self) -> String {
        format!("{}\n", json!({ "error": format!("the runner has stopped {KEY}") }))
    }

    fn unreadable(&self) -> String {
        format!("{{\"message\": {KEY}\n")
    }

    fn stream(&self, pieces: Vec<String>) -> Reply {
        Reply::stream(pieces).header("content-type", "application/x-ndjson")
    }

    fn provider(&self, url: &str) -> Arc<dyn Provider> {
        Arc::new(
            Ollama::new(OllamaOptions {
                spec: Catalog::bundled().get("ollama").unwrap().clone(),
                base_url: Some(url.to_owned()),
                key: Some(key()),
                key_setting: "OLLAMA_API_KEY".to_owned(),
                model: None,
                keep_alive: "10m".to_owned(),
                estimate: |request| estimate(request, Family::of("")).input,
                http: testing::unhurried(),
                context: still(),
            })
            .unwrap(),
        )
    }

    fn before(&self, line: &str) -> Option<Reply> {
        let show = r#"{"capabilities":["completion","tools"],"model_info":{"llama.context_length":40960}}"#;
        (line == "POST /api/show").then(|| Reply::ok(show))
    }
}
