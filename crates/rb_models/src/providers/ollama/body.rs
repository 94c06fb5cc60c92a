//! Our request in Ollama's words.

use rb_schema::Schema;
use serde::Serialize;
use serde_json::{Value, json};

use super::About;
use crate::call::{Message, Request};
use crate::error::Fault;
use crate::providers::chat::{Function, in_words, said};

/// A request, and the window that it needs.
pub(super) struct RequestBody<'a> {
    pub(super) request: &'a Request,
    pub(super) model: &'a str,
    /// Tokens, by our own count.
    pub(super) sent: u64,
    pub(super) window: u64,
    about: About,
}

/// Written in the order of its keys: models answer in the order of the schema.
#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    messages: Vec<Value>,
    stream: bool,
    keep_alive: &'a str,
    options: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    think: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'a Schema>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Function<'a>>,
}

/// A smaller window saves nothing.
const SMALLEST: u64 = 4096;

impl<'a> RequestBody<'a> {
    pub(super) fn new(
        request: &'a Request,
        model: &'a str,
        sent: u64,
        about: About,
    ) -> Result<Self, Fault> {
        let needed = sent.saturating_add(request.limits.output_tokens);
        let most = about.window.unwrap_or(u64::MAX);
        if sent >= most {
            let words = format!("{sent} tokens by our count, and the window has {most}");
            return Err(Fault::TooLong { words });
        }
        // A window of another size loads the model anew, so there are few sizes.
        let window = needed.checked_next_power_of_two().unwrap_or(u64::MAX).max(SMALLEST);
        Ok(RequestBody { request, model, sent, window: window.min(most), about })
    }

    pub(super) fn body(&self, keep_alive: &'a str) -> Body<'a> {
        // A form would keep the model from calling tools: it is asked for in words then.
        let enforced = self.request.tools.is_empty();
        Body {
            model: self.model,
            messages: self.messages(),
            stream: true,
            keep_alive,
            options: json!({
                "num_ctx": self.window,
                "num_predict": self.request.limits.output_tokens,
                "temperature": 0,
            }),
            // A server that does not say what a model can do passes over what it does not know.
            think: (self.about.thinks != Some(false)).then_some(false),
            format: self.request.schema.as_deref().filter(|_| enforced),
            tools: self.request.tools.iter().map(Function::of).collect(),
        }
    }

    fn messages(&self) -> Vec<Value> {
        let system = match &self.request.schema {
            // Also where the form is enforced: the model should know what it is about to write.
            Some(schema) => in_words(&self.request.system, schema),
            None => self.request.system.clone(),
        };
        let mut messages = Vec::new();
        if !system.is_empty() {
            messages.push(json!({ "role": "system", "content": system }));
        }
        for message in &self.request.messages {
            match message {
                Message::User { text } => messages.push(json!({ "role": "user", "content": text })),
                Message::Assistant { text, tool_calls } => {
                    let calls = tool_calls.iter().map(|call| {
                        json!({ "function": { "name": call.name, "arguments": call.input } })
                    });
                    let calls: Vec<Value> = calls.collect();
                    let mut message = json!({ "role": "assistant", "content": text });
                    if !calls.is_empty() {
                        message["tool_calls"] = calls.into();
                    }
                    messages.push(message);
                }
                Message::Tools { results } => messages.extend(results.iter().map(|result| {
                    json!({ "role": "tool", "tool_name": result.name, "content": said(result) })
                })),
            }
        }
        messages
    }
}
