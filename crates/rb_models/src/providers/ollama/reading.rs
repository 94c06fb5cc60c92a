//! Puts an answer together from its lines, and looks whether all of the request was read.

use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::body::RequestBody;
use super::fault;
use crate::call::{Answer, Cost, Counted, Facts, Stop, Timing, ToolCall, Usage};
use crate::error::Fault;
use crate::provider::{Calling, Heard};
use crate::providers::chat::{page, uncalled_for};

/// Less than this share of our own count means that something was cut off, whatever the model's vocabulary.
const SHARE: (u64, u64) = (6, 10);

/// More at once is no answer.
const MOST_CALLS: usize = 128;

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    message: Option<MessagePiece>,
    #[serde(default)]
    done: bool,
    #[serde(default)]
    done_reason: Option<String>,
    #[serde(default)]
    prompt_eval_count: Option<u64>,
    #[serde(default)]
    eval_count: Option<u64>,
    #[serde(default)]
    error: Option<String>,
}

/// `thinking` is no part of the answer.
#[derive(Deserialize)]
struct MessagePiece {
    #[serde(default)]
    content: String,
    #[serde(default, deserialize_with = "or_default")]
    tool_calls: Vec<Call>,
}

#[derive(Deserialize)]
struct Call {
    #[serde(default)]
    id: Option<String>,
    function: Function,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    arguments: Value,
}

/// `null` is as good as nothing.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

pub(super) struct Reading<'a> {
    asked: &'a RequestBody<'a>,
    calling: &'a Calling<'a>,
    cost: Cost,
    begun: bool,
    text: String,
    calls: Vec<ToolCall>,
    model: Option<String>,
    last: Option<Line>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(asked: &'a RequestBody<'a>, calling: &'a Calling<'a>, cost: Cost) -> Self {
        Reading {
            asked,
            calling,
            cost,
            begun: false,
            text: String::new(),
            calls: Vec::new(),
            model: None,
            last: None,
        }
    }

    /// What the server says that the call used up; also where no answer came of it.
    pub(super) fn used(&self) -> Option<(Usage, Cost)> {
        let usage = usage(self.last.as_ref()?);
        (usage.counted == Counted::ByProvider).then_some((usage, self.cost))
    }

    /// Whether it was the last line.
    pub(super) fn take(&mut self, line: &str) -> Result<bool, Fault> {
        self.begun = true;
        if line.starts_with('<') {
            return Err(page(line));
        }
        let mut line: Line = serde_json::from_str(line)
            .map_err(|error| Fault::Malformed { why: format!("no line of an answer: {error}") })?;
        if let Some(words) = &line.error {
            return Err(fault::inside(words, self.asked.model));
        }
        if let Some(said) = line.message.take() {
            self.said(said)?;
        }
        self.model = self.model.take().or(line.model.take());
        let over = line.done;
        if over {
            self.last = Some(line);
        }
        Ok(over)
    }

    fn said(&mut self, said: MessagePiece) -> Result<(), Fault> {
        let heard = if said.content.is_empty() { Heard::Busy } else { Heard::Text(&said.content) };
        (self.calling.heard)(heard);
        self.text.push_str(&said.content);
        for call in said.tool_calls {
            if self.calls.len() == MOST_CALLS {
                return Err(Fault::Malformed { why: format!("more than {MOST_CALLS} tool calls") });
            }
            let made = || format!("call_{}", self.calls.len() + 1);
            let id = call.id.filter(|id| !id.is_empty()).unwrap_or_else(made);
            let Function { name, arguments } = call.function;
            let input = if arguments.is_null() { json!({}) } else { arguments };
            self.calls.push(ToolCall { id, name, input });
        }
        Ok(())
    }

    pub(super) fn answer(self) -> Result<Answer, Fault> {
        let Some(last) = &self.last else {
            let why = if self.begun { "its end never came" } else { "it is empty" };
            return Err(Fault::Half { why: why.to_owned() });
        };
        self.check_read(last)?;
        match last.done_reason.as_deref() {
            Some("length") => {
                return Err(Fault::AnswerCut { limit: self.asked.request.limits.output_tokens });
            }
            Some("load") => {
                return Err(Fault::Half { why: "the model was loaded and not asked".to_owned() });
            }
            _ => {}
        }
        if self.asked.request.tools.is_empty() && !self.calls.is_empty() {
            return Err(uncalled_for(&self.calls));
        }
        let usage = usage(last);
        let value = self.value()?;
        if self.text.trim().is_empty() && self.calls.is_empty() {
            return Err(Fault::NotAsAsked { why: "the answer is empty".to_owned() });
        }
        Ok(Answer {
            text: self.text,
            value,
            stop: if self.calls.is_empty() { Stop::End } else { Stop::Tools },
            tool_calls: self.calls,
            usage,
            cost: self.cost,
            timing: Timing::default(),
            facts: Facts {
                model: self.model.unwrap_or_else(|| self.asked.model.to_owned()),
                ..Facts::default()
            },
        })
    }

    /// A server that does not count says nothing about what it read.
    fn check_read(&self, last: &Line) -> Result<(), Fault> {
        let Some(read) = last.prompt_eval_count.filter(|&read| read > 0) else { return Ok(()) };
        let (sent, window) = (self.asked.sent, self.asked.window);
        let short = read.saturating_mul(SHARE.1) < sent.saturating_mul(SHARE.0);
        if short || read >= window {
            return Err(Fault::PromptCut { sent, read });
        }
        Ok(())
    }

    fn value(&self) -> Result<Option<Value>, Fault> {
        if self.asked.request.schema.is_none() || !self.calls.is_empty() {
            return Ok(None);
        }
        if self.text.trim().is_empty() {
            return Err(Fault::NotAsAsked { why: "the answer is empty".to_owned() });
        }
        rb_schema::json_in(&self.text)
            .map(Some)
            .map_err(|error| Fault::NotAsAsked { why: error.to_string() })
    }
}

fn usage(last: &Line) -> Usage {
    match (last.prompt_eval_count, last.eval_count) {
        (Some(input), Some(output)) => Usage { input, output, ..Usage::default() },
        _ => Usage { counted: Counted::Estimate, ..Usage::default() },
    }
}
