//! An answer put together from its events, and judged by how it ended.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::body::RequestBody;
use super::faults::{self, Shown};
use super::wire::{Block, Delta, Ending, Event, Message, Usage as Counts};
use crate::call::{Answer, Counted, Facts, Stop, ToolCall, Usage};
use crate::error::Fault;
use crate::provider::{Calling, Heard};
use crate::stream::sse::{self, Events};
use crate::stream::{self, Body, Pieces};

pub(super) struct Assembly<'a> {
    asked: &'a RequestBody<'a>,
    shown: Shown<'a>,
    id: Option<String>,
    model: String,
    blocks: BTreeMap<u64, Part>,
    /// As far as it was told.
    usage: Option<Usage>,
    stop: Option<String>,
    /// Why the model would not go on.
    explanation: Option<String>,
}

/// When a count was taken.
#[derive(Clone, Copy)]
enum When {
    Begin,
    End,
}

enum Part {
    Text(String),
    Tool {
        id: String,
        name: String,
        /// Where it does not come in pieces.
        input: Value,
        json: String,
    },
    Other,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(asked: &'a RequestBody<'a>, shown: Shown<'a>) -> Self {
        Assembly {
            asked,
            shown,
            id: None,
            model: String::new(),
            blocks: BTreeMap::new(),
            usage: None,
            stop: None,
            explanation: None,
        }
    }

    pub(super) fn read(&mut self, pieces: impl Pieces, calling: &Calling<'_>) -> Result<(), Fault> {
        match stream::body(pieces)? {
            Body::Events(events) => self.events(events, calling),
            Body::Json(value) => self.whole(value),
            Body::Page(page) => Err(faults::page(&page, self.shown)),
            Body::Empty => Err(Fault::Half { why: "the answer is empty".to_owned() }),
        }
    }

    /// Up to the event that says the end; without it, it is half an answer.
    fn events<P: Pieces>(&mut self, events: Events<P>, calling: &Calling<'_>) -> Result<(), Fault> {
        for event in events {
            let data = match event? {
                sse::Event::Message { data, .. } => data,
                sse::Event::Comment => {
                    (calling.heard)(Heard::Busy);
                    continue;
                }
            };
            let event = self.parse(stream::json(data.as_bytes())?)?;
            if let Event::MessageStop = event {
                return Ok(());
            }
            self.take(event, calling)?;
        }
        Err(Fault::Half { why: "the end of the answer is missing".to_owned() })
    }

    fn take(&mut self, event: Event, calling: &Calling<'_>) -> Result<(), Fault> {
        let mut heard = Heard::Busy;
        let piece;
        match event {
            Event::MessageStart { message } => self.begin(message, When::Begin),
            Event::ContentBlockStart { index, content_block } => {
                self.blocks.insert(index, content_block.into());
            }
            Event::ContentBlockDelta { index, delta } => {
                piece = self.grow(index, delta)?;
                heard = piece.as_deref().map_or(Heard::Busy, Heard::Text);
            }
            Event::MessageDelta { delta, usage } => {
                self.end(delta);
                self.count(usage, When::End);
            }
            Event::Error { error } => {
                return Err(faults::in_stream(&error, self.model(), self.shown));
            }
            Event::MessageStop | Event::Other => {}
        }
        (calling.heard)(heard);
        Ok(())
    }

    /// An answer in one piece, as some servers give it whatever they are asked for; or an error in its place.
    fn whole(&mut self, value: Value) -> Result<(), Fault> {
        if value.get("error").is_some() {
            let Event::Error { error } = self.parse(value)? else {
                return Err(Fault::Malformed { why: "an error of an unknown form".to_owned() });
            };
            return Err(faults::in_stream(&error, self.model(), self.shown));
        }
        if value.get("content").is_none() {
            return Err(Fault::Malformed { why: "JSON that is no message".to_owned() });
        }
        let message: Message = self.parse(value)?;
        self.begin(message, When::End);
        Ok(())
    }

    fn begin(&mut self, message: Message, counted: When) {
        let Message { id, model, content, ending, usage } = message;
        (self.id, self.model) = (id, model);
        self.blocks = (0..).zip(content.into_iter().map(Part::from)).collect();
        self.end(ending);
        self.count(usage, counted);
    }

    fn end(&mut self, ending: Ending) {
        self.stop = ending.stop_reason.or(self.stop.take());
        let details = ending.stop_details.and_then(|details| details.explanation);
        self.explanation = details.or(self.explanation.take());
    }

    fn count(&mut self, counts: Option<Counts>, when: When) {
        let Some(counts) = counts else { return };
        let known = self.usage.unwrap_or_default();
        let counted = match when {
            When::End if counts.output.is_some() => Counted::ByProvider,
            When::Begin | When::End => Counted::Estimate,
        };
        self.usage = Some(Usage {
            input: counts.input.unwrap_or(known.input),
            output: counts.output.unwrap_or(known.output),
            cache_read: counts.cache_read.unwrap_or(known.cache_read),
            cache_write: counts.cache_write.unwrap_or(known.cache_write),
            reasoning: known.reasoning,
            counted,
        });
    }

    /// What the call took so far, where the provider said it; only an estimate before its end.
    pub(super) fn used(&self) -> Option<Usage> {
        self.usage
    }

    /// The words that came with it.
    fn grow(&mut self, index: u64, delta: Delta) -> Result<Option<String>, Fault> {
        match (self.blocks.get_mut(&index), delta) {
            (_, Delta::Other) | (Some(Part::Other), _) => Ok(None),
            (Some(Part::Text(text)), Delta::Text { text: piece }) => {
                text.push_str(&piece);
                Ok(Some(piece))
            }
            (Some(Part::Tool { json, .. }), Delta::Input { partial_json }) => {
                json.push_str(&partial_json);
                Ok(None)
            }
            (_, Delta::Text { .. } | Delta::Input { .. }) => {
                Err(Fault::Malformed { why: format!("a piece that block {index} does not take") })
            }
        }
    }

    /// The model that answers, or else the one that was asked.
    fn model(&self) -> &str {
        if self.model.is_empty() { &self.asked.request.model } else { &self.model }
    }

    pub(super) fn answer(mut self) -> Result<Answer, Fault> {
        let notes = self.judge_stop()?.into_iter().collect();
        let mut answer = Answer::default();
        let mut values = Vec::new();
        for part in std::mem::take(&mut self.blocks).into_values() {
            match part {
                Part::Text(text) => answer.text.push_str(&text),
                Part::Tool { id, name, input, json } => {
                    let input = self.input(&name, input, &json)?;
                    if self.asked.form.as_deref() == Some(&name) {
                        values.push(input);
                    } else {
                        answer.tool_calls.push(ToolCall { id, name, input });
                    }
                }
                Part::Other => {}
            }
        }
        answer.value = self.value(values, &answer)?;
        answer.stop = if answer.tool_calls.is_empty() { Stop::End } else { Stop::Tools };
        // A count from the beginning says nothing about a whole answer.
        let whole = self.usage.filter(|usage| usage.counted == Counted::ByProvider);
        let none = Usage { counted: Counted::Estimate, ..Usage::default() };
        answer.usage = whole.unwrap_or(none);
        let model = self.model().to_owned();
        answer.facts = Facts { model, id: self.id, tries: 1, notes, ..Facts::default() };
        Ok(answer)
    }

    /// What follows from the reason that the model stopped for: a fault, or at most a note.
    fn judge_stop(&self) -> Result<Option<String>, Fault> {
        match self.stop.as_deref() {
            Some("end_turn" | "stop_sequence" | "tool_use") => Ok(None),
            Some("max_tokens") => {
                Err(Fault::AnswerCut { limit: self.asked.request.limits.output_tokens })
            }
            Some("model_context_window_exceeded") => {
                let words = "the window of the model was full before the answer ended".to_owned();
                Err(Fault::TooLong { words })
            }
            Some("refusal") => Err(Fault::Refusal { words: self.reason() }),
            // Only tools on the server's side make it pause, and none was asked for.
            Some("pause_turn") => Err(Fault::Half { why: "the model paused".to_owned() }),
            Some(other) => Ok(Some(
                self.shown.words(&format!("the model stopped for an unknown reason: {other}")),
            )),
            None => Err(Fault::Half { why: "the model gives no reason to stop".to_owned() }),
        }
    }

    fn reason(&self) -> String {
        let said = self.blocks.values().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Tool { .. } | Part::Other => None,
        });
        let words = self.explanation.clone().unwrap_or_else(|| said.collect());
        match self.shown.words(&words) {
            words if words.is_empty() => "no reason was given".to_owned(),
            words => words,
        }
    }

    fn value(&self, mut values: Vec<Value>, answer: &Answer) -> Result<Option<Value>, Fault> {
        let Some(form) = &self.asked.form else { return Ok(None) };
        match values.len() {
            0 if !answer.tool_calls.is_empty() => Ok(None),
            // A model that is not forced may say it in words.
            0 => rb_schema::json_in(&answer.text).map(Some).map_err(|_| Fault::NotAsAsked {
                why: format!("the tool `{form}` was not called"),
            }),
            1 => Ok(values.pop()),
            times => {
                let why = format!("the tool `{form}` was called {times} times, not once");
                Err(Fault::NotAsAsked { why })
            }
        }
    }

    fn input(&self, name: &str, input: Value, json: &str) -> Result<Value, Fault> {
        if json.trim().is_empty() {
            return Ok(if input.is_null() { Value::Object(Map::new()) } else { input });
        }
        serde_json::from_str(json).map_err(|error| {
            let why = format!("the input of the tool `{name}` is no JSON: {error}");
            Fault::NotAsAsked { why: self.shown.words(&why) }
        })
    }

    fn parse<T: DeserializeOwned>(&self, value: Value) -> Result<T, Fault> {
        serde_json::from_value(value).map_err(|error| {
            let why = format!("an event of an unknown form: {error}");
            Fault::Malformed { why: self.shown.words(&why) }
        })
    }
}

impl From<Block> for Part {
    fn from(block: Block) -> Self {
        match block {
            Block::Text { text } => Part::Text(text),
            Block::ToolUse { id, name, input } => {
                Part::Tool { id, name, input, json: String::new() }
            }
            Block::Other => Part::Other,
        }
    }
}
