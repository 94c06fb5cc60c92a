//! Chat completions: what is sent, what is read, and every way to fail.

mod bodies;
mod cancelled;
mod connections;
mod dialects;
mod faults;
mod own;
mod streams;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use rb_core::Cancel;
use rb_http::testing::unhurried;
use rb_models::catalog::ProviderSpec;
use rb_models::providers::chat::{Chat, ChatOptions};
use rb_models::{Answer, Catalog, ModelError, Provider, Request};
use rb_schema::Schema;
use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

use crate::support::{KEY, ask, key, refused, still, story, unhurried as limits};

fn spec(name: &str) -> ProviderSpec {
    Catalog::bundled().get(name).unwrap().clone()
}

fn options(name: &str, url: &str) -> ChatOptions {
    ChatOptions {
        spec: spec(name),
        base_url: Some(url.to_owned()),
        key: Some(key()),
        key_setting: "SOME_API_KEY".to_owned(),
        http: unhurried(),
        context: still(),
    }
}

fn chat(name: &str, url: &str) -> Chat {
    let chat = Chat::new(options(name, url)).unwrap();
    assert_eq!(chat.name(), name);
    chat
}

/// Nobody cancels, and nobody listens.
pub(crate) fn once(provider: &dyn Provider, request: &Request) -> Result<Answer, ModelError> {
    ask(provider, request, &Cancel::new()).0
}

/// What comes of it, as text.
pub(crate) fn told(provider: &dyn Provider, request: &Request, url: &str) -> String {
    shown(&story(provider, request), url)
}

/// One try against a server that always answers so.
fn tried(name: &str, request: &Request, reply: &Reply) -> String {
    let stub = Stub::always(reply.clone());
    let told = told(&chat(name, &stub.url()), request, &stub.url());
    assert_eq!(stub.seen().len(), 1, "a provider tries once");
    told
}

/// Without what differs from run to run.
pub(crate) fn shown(text: &str, url: &str) -> String {
    let host = url.rsplit('/').next().unwrap();
    text.replace(url, "URL").replace(host, "HOST")
}

/// A try that gives no answer.
pub(crate) fn failed(result: Result<Answer, ModelError>, url: &str) -> String {
    assert!(!format!("{result:?}").contains(KEY), "{result:?}");
    shown(&refused(&result.unwrap_err()), url)
}

/// A body with a line for each field, and for each thing in a list.
pub(crate) fn written(body: &str) -> String {
    let body: BTreeMap<String, Value> = serde_json::from_str(body).unwrap();
    let mut text = String::new();
    for (field, value) in &body {
        match value {
            Value::Array(list) => {
                writeln!(text, "{field}:").unwrap();
                for value in list {
                    writeln!(text, "  {value}").unwrap();
                }
            }
            value => writeln!(text, "{field}: {value}").unwrap(),
        }
    }
    text
}

pub(crate) fn hello() -> Request {
    let mut request = Request::new("planner", "Be brief.", "Hello?");
    "some-model".clone_into(&mut request.model);
    request.limits = limits();
    request
}

pub(crate) fn with_schema(mut request: Request) -> Request {
    let schema = json!({
        "type": "object",
        "properties": { "good": { "type": "boolean" } },
        "required": ["good"],
        "additionalProperties": false,
    });
    request.schema = Some(Arc::new(Schema::parse("verdict", &schema.to_string()).unwrap()));
    request
}

fn events(data: &[&str]) -> Reply {
    Reply::events(data.iter().map(|data| format!("data: {data}\n\n")))
}

/// A piece of text.
fn text(text: &str) -> String {
    let choice = json!({ "index": 0, "delta": { "content": text } });
    piece(&choice)
}

fn piece(choice: &Value) -> String {
    json!({ "id": "chatcmpl-1", "model": "some-model-0613", "choices": [choice] }).to_string()
}

const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
const USAGE: &str =
    r#"{"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}"#;
const DONE: &str = "[DONE]";

/// "Hi." and its proper end.
fn hi() -> Reply {
    events(&[&text("Hi"), &text("."), STOP, USAGE, DONE])
}
