//! A call that a model made, as the rules of the guide look at it.

use std::collections::BTreeSet;

use rb_flow::ask::call_in_words;
use serde_json::{Map, Value};

/// One call and what came of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct CallRecord {
    /// As the model counts its calls, from 1.
    pub(crate) number: u32,
    /// Which answer of the model made it: several calls of one answer are one round.
    pub(crate) round: u32,
    pub(crate) tool: String,
    pub(crate) input: Value,
    /// The same for calls that mean the same.
    pub(crate) meaning: String,
    /// What the call is about: a path, a name, the words of a search.
    pub(crate) subject: String,
    /// The files of the result, best first.
    pub(crate) files: Vec<String>,
    /// How many lines the result shows, and how many of them no result before it had shown.
    pub(crate) lines: usize,
    pub(crate) new_lines: usize,
    pub(crate) new_files: usize,
    /// The words of the result.
    pub(crate) words: BTreeSet<String>,
    /// It is no read, and said something that no result before it had said.
    pub(crate) has_new_words: bool,
    pub(crate) failed: bool,
    /// Its result was removed to make room.
    pub(crate) removed: bool,
}

/// The arguments that say what a call is about, the most telling first.
const SUBJECTS: [&str; 6] = ["query", "symbol", "name", "path", "folder", "glob"];

impl CallRecord {
    pub(crate) fn new(number: u32, tool: &str, input: &Value) -> Self {
        CallRecord {
            number,
            tool: tool.to_owned(),
            input: input.clone(),
            meaning: meaning_of(tool, input),
            subject: subject(tool, input),
            ..CallRecord::default()
        }
    }

    /// Whether the result had something that was not there before.
    pub(crate) fn is_news(&self) -> bool {
        self.new_lines > 0 || self.new_files > 0 || self.has_new_words
    }

    /// What the call is about, without where in it.
    pub(crate) fn target(&self) -> (&str, &str) {
        (&self.tool, &self.subject)
    }

    pub(crate) fn in_words(&self) -> String {
        call_in_words(&self.tool, &self.input)
    }

    /// What a search looked for, and where if that was not everywhere.
    pub(crate) fn query(&self) -> String {
        let path = self.input.get("path").and_then(Value::as_str).map(plain).unwrap_or_default();
        if path.is_empty() { self.subject.clone() } else { format!("{} (in {path})", self.subject) }
    }
}

/// The same text for calls that mean the same.
pub(crate) fn meaning_of(tool: &str, input: &Value) -> String {
    format!("{tool} {}", canonical(input))
}

fn subject(tool: &str, input: &Value) -> String {
    // An outline is about a file, whatever part of it is asked for.
    let first = (tool == "outline").then_some("path");
    let mut keys = first.into_iter().chain(SUBJECTS);
    let named = keys.find_map(|key| input.get(key)?.as_str());
    let any = || input.as_object().and_then(|map| map.values().find_map(Value::as_str));
    let text = named.or_else(any).unwrap_or_default();
    plain(text)
}

/// The input in a form that is the same for inputs that mean the same: nothing that is left out, texts without differences in blanks,
/// paths in their plain form, the words of a search in any order and case.
fn canonical(input: &Value) -> Value {
    let Value::Object(map) = input else { return input.clone() };
    let mut same = Map::new();
    for (key, value) in map {
        match value {
            Value::Null => {}
            Value::String(text) if text.trim().is_empty() => {}
            Value::String(text) if key == "query" => {
                let words: BTreeSet<String> =
                    text.split_whitespace().map(str::to_lowercase).collect();
                let words: Vec<String> = words.into_iter().collect();
                same.insert(key.clone(), Value::String(words.join(" ")));
            }
            Value::String(text) => {
                let number = text.trim().parse::<i64>().ok();
                let value = number.map_or_else(|| Value::String(plain(text)), Value::from);
                same.insert(key.clone(), value);
            }
            other => {
                same.insert(key.clone(), other.clone());
            }
        }
    }
    Value::Object(same)
}

fn plain(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.trim_start_matches("./");
    if text.len() > 1 { text.trim_end_matches('/').to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn as3_calls_that_mean_the_same_have_one_meaning() {
        let meaning = |input: Value| CallRecord::new(1, "search", &input).meaning;
        let check = |one: Value, other: Value, is_same: bool| {
            assert_eq!(meaning(one.clone()) == meaning(other.clone()), is_same, "{one} {other}");
        };
        check(json!({"query": "rate limit"}), json!({"query": "Limit  RATE"}), true);
        check(json!({"query": "rate limit"}), json!({"query": "rate limits"}), false);
        check(json!({"path": "./lib/a.js"}), json!({"path": "lib/a.js "}), true);
        check(json!({"path": "lib/"}), json!({"path": "lib", "limit": null}), true);
        check(json!({"path": "lib/a.js"}), json!({"path": "lib/A.js"}), false);
        check(json!({"first": "3"}), json!({"first": 3}), true);
        check(json!({"first": 3}), json!({"first": 4}), false);
        check(json!({"a": ""}), json!({}), true);
        check(json!([1]), json!([1]), true);
    }

    #[test]
    fn as4_a_search_is_named_with_the_files_that_it_was_made_in() {
        let check = |input: Value, expected: &str| {
            assert_eq!(CallRecord::new(1, "search", &input).query(), expected, "{input}");
        };
        check(json!({"query": "rate  limit", "limit": 3}), "rate limit");
        check(json!({"query": "rate", "path": "./lib/"}), "rate (in lib)");
        check(json!({"query": "rate", "path": " "}), "rate");
        check(json!({"query": "rate", "path": 7}), "rate");
    }

    #[test]
    fn as3_what_a_call_is_about() {
        let check = |input: Value, expected: &str| {
            assert_eq!(CallRecord::new(1, "t", &input).subject, expected, "{input}");
        };
        check(json!({"first": 3, "path": "./a.js"}), "a.js");
        check(json!({"query": "rate  limit", "kind": "function"}), "rate limit");
        check(json!({"symbol": "open"}), "open");
        check(json!({"name": "open", "path": "a.js"}), "open");
        check(json!({"other": "x"}), "x");
        check(json!({}), "");
        check(json!(null), "");
        check(json!({"path": "/"}), "/");
        let outline = CallRecord::new(1, "outline", &json!({"name": "open", "path": "a.js"}));
        assert_eq!(outline.subject, "a.js");
    }
}
