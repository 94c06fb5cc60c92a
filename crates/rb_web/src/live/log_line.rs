//! One event of a journal, in a line.

use rb_core::clock::Timestamp;
use rb_flow::{Record, Workflow};
use rb_html::Page;
use serde_json::Value;

use crate::clock_words::time_of_day;

/// How much of a value is shown.
const SHOWN: usize = 160;

#[derive(Debug, Clone)]
pub(crate) struct LogLine {
    pub(crate) seq: u64,
    at: Timestamp,
    name: String,
    details: Vec<(String, String)>,
}

impl LogLine {
    pub(crate) fn of<W: Workflow>(record: &Record<W>) -> LogLine {
        let value = serde_json::to_value(&record.event).expect("an event is plain data");
        let object = value.as_object();
        let name = value["event"].as_str().unwrap_or_default().replace('_', " ");
        let details = object.into_iter().flatten().filter(|(key, _)| *key != "event");
        let details =
            details.filter_map(|(key, value)| Some((key.replace('_', " "), short(value)?)));
        LogLine { seq: record.seq, at: record.at, name, details: details.collect() }
    }

    pub(crate) fn write(&self, page: &mut Page) {
        page.open("li", &[("data-seq", &self.seq.to_string())]);
        page.open("time", &[("datetime", &self.at.to_string())]);
        page.text(&time_of_day(self.at));
        page.close("time");
        page.element("b", "", &self.name);
        for (key, value) in &self.details {
            page.open("span", &[]);
            page.element("i", "", key);
            page.raw(" ");
            page.text(value);
            page.close("span");
        }
        page.close("li");
    }
}

/// What fits into a line; lists and objects by their size.
fn short(value: &Value) -> Option<String> {
    let words = match value {
        Value::Null | Value::Bool(false) | Value::Object(_) => return None,
        Value::Bool(true) => "yes".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(items) => match items.as_slice() {
            [] => return None,
            [Value::String(only)] => only.clone(),
            items => items.len().to_string(),
        },
    };
    let line = words.lines().next().unwrap_or_default();
    let is_cut = line.chars().count() > SHOWN || line.len() < words.len();
    let cut: String = line.chars().take(SHOWN).collect();
    Some(if is_cut { cut + " …" } else { cut })
}
