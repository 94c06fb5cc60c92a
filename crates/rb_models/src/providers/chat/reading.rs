//! Puts an answer together while it arrives.

use rb_core::Usd;
use serde_json::Value;

use super::body::RequestBody;
use super::calls::Calls;
use super::chunk::{self, Choice, Chunk, Delta};
use super::fault;
use super::think::Think;
use crate::call::{Cost, Counted, Usage};
use crate::catalog::ReasoningIn;
use crate::error::Fault;
use crate::provider::{Calling, Heard};

pub(super) struct Reading<'a> {
    pub(super) asked: &'a RequestBody<'a>,
    calling: &'a Calling<'a>,
    think: Think,
    pub(super) text: String,
    pub(super) refusal: String,
    pub(super) calls: Calls,
    pub(super) finish: Option<String>,
    /// The end was said, as `[DONE]`.
    pub(super) ended: bool,
    pub(super) usage: Usage,
    reported: Option<Usd>,
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    pub(super) citations: usize,
}

/// Whether more is to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamState {
    More,
    Over,
}

impl StreamState {
    pub(super) fn is_over(self) -> bool {
        self == StreamState::Over
    }
}

impl<'a> Reading<'a> {
    pub(super) fn new(asked: &'a RequestBody<'a>, calling: &'a Calling<'a>) -> Self {
        Reading {
            asked,
            calling,
            think: Think::default(),
            text: String::new(),
            refusal: String::new(),
            calls: Calls::default(),
            finish: None,
            ended: false,
            usage: Usage { counted: Counted::Estimate, ..Usage::default() },
            reported: None,
            id: None,
            model: None,
            citations: 0,
        }
    }

    /// What the provider says that the call used up; also where no answer came of it.
    pub(super) fn used(&self) -> Option<(Usage, Cost)> {
        (self.usage.counted == Counted::ByProvider).then(|| (self.usage, self.cost()))
    }

    pub(super) fn cost(&self) -> Cost {
        match self.reported {
            Some(usd) => Cost::Reported(usd),
            None if self.asked.spec.local => Cost::Free,
            None => Cost::Unknown,
        }
    }

    /// The data of one event.
    pub(super) fn take(&mut self, data: &str) -> Result<StreamState, Fault> {
        match data.trim() {
            "" => Ok(StreamState::More),
            "[DONE]" => {
                self.ended = true;
                Ok(StreamState::Over)
            }
            data => self.add(data).map(|()| StreamState::More),
        }
    }

    /// Something that means nothing else.
    pub(super) fn alive(&self) -> bool {
        (self.calling.heard)(Heard::Busy);
        false
    }

    /// An answer in one piece.
    pub(super) fn whole(&mut self, data: &str) -> Result<(), Fault> {
        self.add(data)?;
        self.ended = true;
        Ok(())
    }

    fn add(&mut self, data: &str) -> Result<(), Fault> {
        let value: Value = crate::stream::json(data.as_bytes())?;
        // Google's endpoint wraps its errors in a list.
        let value = match value {
            Value::Array(mut list) if list.len() == 1 => list.remove(0),
            value => value,
        };
        if let Some(fault) = fault::inside(&value, self.asked.model) {
            return Err(fault);
        }
        let chunk: Chunk = serde_json::from_value(value).map_err(|error| Fault::Malformed {
            why: format!("no piece of a chat completion: {error}"),
        })?;
        self.id = self.id.take().or(chunk.id).filter(|id| !id.is_empty());
        self.model = self.model.take().or(chunk.model).filter(|model| !model.is_empty());
        self.citations = self.citations.max(chunk.citations.map_or(0, |list| list.len()));
        if let Some(said) = chunk.usage.filter(Value::is_object) {
            // Some repeat it in every piece, each time for all of the answer so far.
            self.usage = chunk::usage(&said);
            let reported = chunk::cost(&said, self.asked.spec.quirks.cost);
            self.reported = reported.or(self.reported);
        }
        let first = chunk.choices.into_iter().find(|choice| choice.index == 0);
        first.map_or(Ok(()), |choice| self.choice(choice))
    }

    fn choice(&mut self, choice: Choice) -> Result<(), Fault> {
        if let Some(said) = choice.delta.or(choice.message) {
            self.said(said)?;
        }
        if let Some(reason) = choice.finish_reason.filter(|reason| !reason.is_empty()) {
            self.finish = Some(reason);
        }
        Ok(())
    }

    fn said(&mut self, said: Delta) -> Result<(), Fault> {
        let piece = said.text();
        self.text.push_str(&piece);
        self.refusal.push_str(&said.refusal.unwrap_or_default());
        for call in said.tool_calls {
            self.calls.add(call)?;
        }
        let thinks = match self.asked.spec.quirks.reasoning {
            ReasoningIn::ThinkTags => self.think.goes_on(&self.text, &piece),
            ReasoningIn::Apart => false,
        };
        if piece.is_empty() || thinks {
            (self.calling.heard)(Heard::Busy);
        } else {
            (self.calling.heard)(Heard::Text(&piece));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
