//! The lines that the program writes while it works. What is not known is passed over: versions differ.

use std::time::Duration;

use serde_json::Value;

use crate::call::{Limits, Timing};
use crate::programs::{Ear, Lines};
use crate::provider::{Heard, Watch};

/// Hears the events of one call.
pub(super) struct Events<'a> {
    lines: Lines,
    heard: &'a (dyn Fn(Heard<'_>) + Sync),
    watch: Watch,
    limits: Limits,
    begun: bool,
    /// In the middle of words; a model that thinks or waits for its turn is silent for longer.
    in_words: bool,
    /// The block that is being written is the answer itself.
    in_answer: bool,
    said: SessionResult,
}

/// What was heard, all in all.
#[derive(Default)]
pub(super) struct SessionResult {
    /// The last one: the program says how it went.
    pub(super) result: Option<Value>,
    /// The names of the tools that the model was offered.
    pub(super) tools: Option<Vec<String>>,
    /// Of the last request that it made again.
    pub(super) retried: Option<u16>,
    /// Lines that could be read.
    pub(super) events: usize,
    /// The first one that could not.
    pub(super) stray: Option<String>,
    pub(super) timing: Timing,
}

/// A stray line is shown, not kept.
const SHOWN: usize = 200;

impl<'a> Events<'a> {
    pub(super) fn new(limits: Limits, heard: &'a (dyn Fn(Heard<'_>) + Sync)) -> Self {
        Events {
            lines: Lines::default(),
            heard,
            watch: Watch::start(),
            limits,
            begun: false,
            in_words: false,
            in_answer: false,
            said: SessionResult::default(),
        }
    }

    pub(super) fn finish(mut self) -> SessionResult {
        let rest = self.lines.rest();
        self.line(&rest);
        SessionResult { timing: self.watch.timing(), ..self.said }
    }

    fn line(&mut self, line: &[u8]) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let Ok(Value::Object(event)) = serde_json::from_slice(line) else {
            let shown = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]).into_owned();
            self.said.stray.get_or_insert(shown);
            return;
        };
        self.said.events += 1;
        self.event(Value::Object(event));
    }

    fn event(&mut self, event: Value) {
        self.in_words = false;
        match (event["type"].as_str(), event["subtype"].as_str()) {
            (Some("result"), _) => self.said.result = Some(event),
            // What wraps the program may print the outcome alone.
            (None, _) if event.get("is_error").is_some() => self.said.result = Some(event),
            (Some("system"), Some("init")) => self.said.tools = Some(names(&event["tools"])),
            (Some("system"), Some("api_retry")) => {
                self.said.retried =
                    event["error_status"].as_u64().and_then(|it| it.try_into().ok());
            }
            (Some("stream_event"), _) => return self.stream_event(&event["event"]),
            _ => {}
        }
        (self.heard)(Heard::Busy);
    }

    fn stream_event(&mut self, event: &Value) {
        self.watch.heard();
        if !self.begun {
            self.begun = true;
            (self.heard)(Heard::Begun);
        }
        match event["type"].as_str() {
            Some("content_block_start") => {
                let block = &event["content_block"];
                self.in_answer = block["type"] == "text" || block["name"] == "StructuredOutput";
            }
            Some("content_block_delta") => {
                let delta = &event["delta"];
                let words = delta["text"].as_str().or(delta["partial_json"].as_str());
                self.in_words = words.is_some();
                if let Some(words) = words.filter(|_| self.in_answer) {
                    return (self.heard)(Heard::Text(words));
                }
            }
            _ => {}
        }
        (self.heard)(Heard::Busy);
    }
}

fn names(list: &Value) -> Vec<String> {
    let names = list.as_array().into_iter().flatten().filter_map(Value::as_str);
    names.map(str::to_owned).collect()
}

impl Ear for Events<'_> {
    fn piece(&mut self, bytes: &[u8]) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.push(bytes, |line| self.line(line));
        self.lines = lines;
    }

    fn patience(&self) -> Option<Duration> {
        Some(if self.in_words { self.limits.idle } else { self.limits.first.max(self.limits.idle) })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn mo2_the_outcome_is_known_by_its_keys() {
        let check = |line: &str, known: bool| {
            let mut events = Events::new(Limits::default(), &|_| {});
            events.piece(line.as_bytes());
            assert_eq!(events.finish().result.is_some(), known, "{line}");
        };
        check(r#"{"type": "result", "is_error": false}"#, true);
        check(r#"{"is_error": false, "structured_output": {}}"#, true);
        check(r#"{"type": "assistant", "is_error": false}"#, false);
        check(r#"{"structured_output": {}}"#, false);
    }

    proptest! {
        #[test]
        fn mo2_no_bytes_break_the_reader(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            text in ".{0,200}",
        ) {
            let mut events = Events::new(Limits::default(), &|_| {});
            events.piece(&bytes);
            events.piece(b"\n");
            for kind in ["result", "system", "stream_event"] {
                events.piece(format!("{{\"type\": \"{kind}\", {text}\n").as_bytes());
                let odd = format!("{{\"type\": \"{kind}\", \"item\": 1, \"event\": []}}\n");
                events.piece(odd.as_bytes());
            }
            prop_assert!(events.finish().events >= 3);
        }
    }
}
