//! The lines that the program writes while it works. What is not known is passed over: versions differ.

use std::time::Duration;

use rb_http::printable;
use serde_json::Value;

use crate::call::{Counted, Limits, Timing, Usage};
use crate::error::Fault;
use crate::programs::{Ear, Lines};
use crate::provider::{Heard, Watch};

pub(super) struct Events<'a> {
    lines: Lines,
    heard: &'a (dyn Fn(Heard<'_>) + Sync),
    watch: Watch,
    patience: Duration,
    said: TurnResult,
}

#[derive(Default)]
pub(super) struct TurnResult {
    pub(super) id: Option<String>,
    /// The last message of the model.
    pub(super) text: Option<String>,
    pub(super) usage: Option<Usage>,
    pub(super) completed: bool,
    /// Why the turn failed.
    pub(super) failed: Option<String>,
    /// The last trouble that it had; some of it passes.
    pub(super) complaint: Option<String>,
    /// How many came with nothing in between.
    complaints: u32,
    pub(super) events: usize,
    /// The first line that could not be read.
    pub(super) stray: Option<String>,
    pub(super) timing: Timing,
}

/// Without a network it tries again for ever, and says so each time.
const MOST_COMPLAINTS: u32 = 6;

/// A stray line is shown, not kept.
const SHOWN: usize = 200;

impl<'a> Events<'a> {
    /// A line comes when a step is done, and a step may be long thinking: the longer patience counts.
    pub(super) fn new(limits: Limits, heard: &'a (dyn Fn(Heard<'_>) + Sync)) -> Self {
        let patience = limits.first.max(limits.idle);
        let (lines, watch, said) = (Lines::default(), Watch::start(), TurnResult::default());
        Events { lines, heard, watch, patience, said }
    }

    pub(super) fn finish(mut self) -> TurnResult {
        let rest = self.lines.rest();
        self.line(&rest);
        TurnResult { timing: self.watch.timing(), ..self.said }
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
        self.event(&Value::Object(event));
    }

    fn event(&mut self, event: &Value) {
        let words =
            |value: &Value| Some(value.as_str().unwrap_or("no reason was given").to_owned());
        if event["type"] == "error" {
            self.said.complaints += 1;
            self.said.complaint = words(&event["message"]);
            return;
        }
        self.said.complaints = 0;
        match event["type"].as_str() {
            Some("thread.started") => self.said.id = event["thread_id"].as_str().map(str::to_owned),
            Some("turn.started") => (self.heard)(Heard::Begun),
            Some("item.completed") if event["item"]["type"] == "agent_message" => {
                self.watch.heard();
                let text = event["item"]["text"].as_str().unwrap_or_default();
                (self.heard)(Heard::Text(text));
                self.said.text = Some(text.to_owned());
            }
            Some("turn.completed") => {
                self.said.completed = true;
                self.said.usage = usage(&event["usage"]);
            }
            Some("turn.failed") => self.said.failed = words(&event["error"]["message"]),
            _ => (self.heard)(Heard::Busy),
        }
    }
}

/// Its count of input has the cached part in it.
fn usage(usage: &Value) -> Option<Usage> {
    let count = |name: &str| usage[name].as_u64().unwrap_or_default();
    let (read, write) = (count("cached_input_tokens"), count("cache_write_input_tokens"));
    let input = usage["input_tokens"].as_u64()?.saturating_sub(read).saturating_sub(write);
    Some(Usage {
        input,
        output: count("output_tokens"),
        cache_read: read,
        cache_write: write,
        reasoning: count("reasoning_output_tokens"),
        counted: Counted::ByProvider,
    })
}

impl Ear for Events<'_> {
    fn piece(&mut self, bytes: &[u8]) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.push(bytes, |line| self.line(line));
        self.lines = lines;
    }

    fn patience(&self) -> Option<Duration> {
        Some(self.patience)
    }

    fn gives_up(&self) -> Option<Fault> {
        let why = self.said.complaint.as_deref().map(printable)?;
        (self.said.complaints >= MOST_COMPLAINTS).then_some(Fault::Unreachable { why, lost: true })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn mo2_no_bytes_break_the_reader(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            text in ".{0,200}",
        ) {
            let mut events = Events::new(Limits::default(), &|_| {});
            events.piece(&bytes);
            events.piece(b"\n");
            for kind in ["item.completed", "turn.failed", "error"] {
                events.piece(format!("{{\"type\": \"{kind}\", {text}\n").as_bytes());
                let odd = format!("{{\"type\": \"{kind}\", \"item\": 1, \"event\": []}}\n");
                events.piece(odd.as_bytes());
            }
            prop_assert!(events.finish().events >= 3);
        }
    }
}
