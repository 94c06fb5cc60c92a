//! What came of it, once everything has arrived.

use serde_json::Value;

use super::body::{self, Form};
use super::fault;
use super::reading::Reading;
use super::think;
use crate::call::{Answer, Facts, Stop, Timing, ToolCall};
use crate::catalog::{ReasoningIn, SchemaAs};
use crate::error::Fault;

/// Why the model stopped, in the words of all servers.
enum Finish {
    End,
    Length,
    Filtered,
    Overloaded,
}

impl Finish {
    fn of(reason: &str) -> Self {
        match reason {
            "length" | "model_length" | "max_tokens" => Finish::Length,
            "content_filter" => Finish::Filtered,
            "insufficient_system_resource" | "error" => Finish::Overloaded,
            // `stop`, `tool_calls`, `eos` and whatever else: what has arrived says more than the word.
            _ => Finish::End,
        }
    }
}

impl Reading<'_> {
    pub(super) fn answer(self) -> Result<Answer, Fault> {
        self.check_end()?;
        let cost = self.cost();
        let text = match self.asked.spec.quirks.reasoning {
            ReasoningIn::ThinkTags => think::without(&self.text).to_owned(),
            ReasoningIn::Apart => self.text,
        };
        let mut tool_calls = self.calls.finish()?;
        let value = match &self.asked.form {
            None => None,
            Some(form) => value(form, &text, &mut tool_calls)?,
        };
        if self.asked.request.tools.is_empty() && !tool_calls.is_empty() {
            return Err(fault::uncalled_for(&tool_calls));
        }
        if text.trim().is_empty() && value.is_none() && tool_calls.is_empty() {
            return Err(Fault::NotAsAsked { why: "the answer is empty".to_owned() });
        }
        let note = self.asked.form.as_ref().and_then(|form| form.note.clone());
        let mut notes: Vec<String> = note.into_iter().collect();
        if self.citations > 0 {
            notes.push(format!("the answer cites {} web pages", self.citations));
        }
        Ok(Answer {
            text,
            value,
            stop: if tool_calls.is_empty() { Stop::End } else { Stop::Tools },
            tool_calls,
            usage: self.usage,
            cost,
            timing: Timing::default(),
            facts: Facts {
                model: self.model.unwrap_or_else(|| self.asked.model.to_owned()),
                id: self.id,
                notes,
                ..Facts::default()
            },
        })
    }

    /// Whether the answer is whole, and one.
    fn check_end(&self) -> Result<(), Fault> {
        if !self.refusal.trim().is_empty() {
            return Err(Fault::Refusal { words: rb_http::printable(&self.refusal) });
        }
        let Some(reason) = &self.finish else { return self.check_unsaid_end() };
        match Finish::of(reason) {
            Finish::End => Ok(()),
            Finish::Length => Err(Fault::AnswerCut { limit: self.asked.output }),
            Finish::Filtered => {
                Err(Fault::Refusal { words: "the provider's filter stopped the answer".to_owned() })
            }
            Finish::Overloaded => Err(Fault::Overloaded {
                status: 503,
                words: "the provider gave up in the middle of the answer".to_owned(),
                wait: None,
            }),
        }
    }

    /// Some servers give no reason, only the end mark.
    fn check_unsaid_end(&self) -> Result<(), Fault> {
        let why = match self.ended {
            false => "its end never came",
            true if self.text.is_empty() && self.calls.is_empty() => "it ended before it began",
            true => return Ok(()),
        };
        Err(Fault::Half { why: why.to_owned() })
    }
}

/// What the schema asked for. `None` where the model called tools of ours first.
fn value(form: &Form<'_>, text: &str, calls: &mut Vec<ToolCall>) -> Result<Option<Value>, Fault> {
    if form.way == SchemaAs::Tool {
        let own = body::name(form.schema);
        if let Some(at) = calls.iter().position(|call| call.name == own) {
            return Ok(Some(calls.remove(at).input));
        }
    }
    if !calls.is_empty() {
        return Ok(None);
    }
    let why = match rb_schema::json_in(text) {
        Ok(value) if form.way == SchemaAs::JsonSchemaStrict => {
            return Ok(Some(form.schema.unstrict(value)));
        }
        Ok(value) => return Ok(Some(value)),
        Err(_) if text.trim().is_empty() => "the answer is empty".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(Fault::NotAsAsked { why })
}
