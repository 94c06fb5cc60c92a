//! The arguments of a call, checked against the schema of its tool.
//!
//! Models write numbers as strings, and `null` for what they leave out: both are understood. Everything else that is wrong is
//! answered with what to write instead.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::nearest::{did_you_mean, nearest};
use super::words::one_line;
use crate::toolbox::{ToolError, ToolSpec};

/// Arguments that fit the schema. An empty text counts as none.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    values: BTreeMap<String, Argument>,
}

#[derive(Debug, PartialEq, Eq)]
enum Argument {
    Text(String),
    Number(u32),
    Flag(bool),
}

/// Nothing that can be asked for is longer.
const LONGEST_TEXT: usize = 2000;

/// The schema of an input with these properties.
pub(crate) fn schema(properties: &Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false
    })
}

impl Arguments {
    pub(crate) fn new(spec: &ToolSpec, input: &Value) -> Result<Arguments, ToolError> {
        let none = Map::new();
        let properties = spec.input["properties"].as_object().unwrap_or(&none);
        let given = match input {
            Value::Object(given) => given,
            Value::Null => &none,
            other => {
                return Err(ToolError::Call(format!(
                    "The input of `{}` must be an object, but is {}.",
                    spec.name,
                    shown(other)
                )));
            }
        };
        let mut values = BTreeMap::new();
        for (key, value) in given {
            let Some(property) = properties.get(key) else {
                return Err(ToolError::Call(unknown(spec, properties, key)));
            };
            if let Some(argument) = read(key, property, value)? {
                values.insert(key.clone(), argument);
            }
        }
        let required = spec.input["required"].as_array().into_iter().flatten();
        for key in required.filter_map(Value::as_str) {
            if !values.contains_key(key) {
                let what = properties[key]["description"].as_str().unwrap_or_default();
                return Err(ToolError::Call(format!(
                    "`{}` needs the argument `{key}`: {what}",
                    spec.name
                )));
            }
        }
        Ok(Arguments { values })
    }

    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        match self.values.get(key) {
            Some(Argument::Text(text)) => Some(text),
            Some(Argument::Number(_) | Argument::Flag(_)) | None => None,
        }
    }

    /// An argument that the schema requires, so that it is there.
    pub(crate) fn required(&self, key: &str) -> &str {
        self.text(key).unwrap_or_default()
    }

    pub(crate) fn number(&self, key: &str) -> Option<u32> {
        match self.values.get(key) {
            Some(Argument::Number(number)) => Some(*number),
            Some(Argument::Text(_) | Argument::Flag(_)) | None => None,
        }
    }

    /// A number that says how many entries to show.
    pub(crate) fn limit(&self, key: &str, default: usize) -> usize {
        self.number(key).and_then(|number| usize::try_from(number).ok()).unwrap_or(default)
    }

    pub(crate) fn flag(&self, key: &str) -> bool {
        matches!(self.values.get(key), Some(Argument::Flag(true)))
    }
}

fn unknown(spec: &ToolSpec, properties: &Map<String, Value>, key: &str) -> String {
    let names: Vec<&str> = properties.keys().map(String::as_str).collect();
    let key_shown = one_line(key, 60);
    if names.is_empty() {
        return format!("`{}` takes no arguments, so leave out `{key_shown}`.", spec.name);
    }
    let hint = did_you_mean(&nearest(key, names.iter().copied(), 1));
    let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("`{}` has no argument `{key_shown}`.{hint} It takes {}.", spec.name, all.join(", "))
}

/// `None` for what counts as left out.
fn read(key: &str, property: &Value, value: &Value) -> Result<Option<Argument>, ToolError> {
    if value.is_null() {
        return Ok(None);
    }
    match property["type"].as_str() {
        Some("integer") => number(key, property, value).map(Some),
        Some("boolean") => flag(key, value).map(Some),
        _ => text(key, property, value),
    }
}

fn text(key: &str, property: &Value, value: &Value) -> Result<Option<Argument>, ToolError> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            return Err(wrong(key, "a string", value));
        }
    };
    if text.is_empty() {
        return Ok(None);
    }
    if text.chars().nth(LONGEST_TEXT).is_some() {
        let message = format!("`{key}` is too long: write {LONGEST_TEXT} characters at most.");
        return Err(ToolError::Call(message));
    }
    if let Some(choices) = property["enum"].as_array()
        && !choices.iter().any(|choice| choice.as_str() == Some(&text))
    {
        let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
        return Err(wrong(key, &choices.join(" or "), value));
    }
    Ok(Some(Argument::Text(text)))
}

/// A number beyond the maximum stands for the maximum: the result says what it leaves out.
fn number(key: &str, property: &Value, value: &Value) -> Result<Argument, ToolError> {
    let least = property["minimum"].as_u64().unwrap_or(0);
    let number = match value {
        Value::Number(number) => whole(&number.to_string()),
        Value::String(text) => whole(text.trim()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let Some(number) = number.filter(|number| *number >= least) else {
        return Err(wrong(key, &format!("a whole number of at least {least}"), value));
    };
    let most = property["maximum"].as_u64().unwrap_or(u64::from(u32::MAX));
    Ok(Argument::Number(u32::try_from(number.min(most)).unwrap_or(u32::MAX)))
}

/// `12`, and `12.0` as some write it.
fn whole(text: &str) -> Option<u64> {
    let digits = match text.split_once('.') {
        Some((digits, zeros)) if zeros.bytes().all(|byte| byte == b'0') => digits,
        Some(_) => return None,
        None => text,
    };
    digits.parse().ok()
}

fn flag(key: &str, value: &Value) -> Result<Argument, ToolError> {
    match value {
        Value::Bool(flag) => Ok(Argument::Flag(*flag)),
        Value::String(text) if text == "true" => Ok(Argument::Flag(true)),
        Value::String(text) if text == "false" => Ok(Argument::Flag(false)),
        Value::Null | Value::String(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Err(wrong(key, "true or false", value))
        }
    }
}

fn wrong(key: &str, expected: &str, value: &Value) -> ToolError {
    ToolError::Call(format!("`{key}` must be {expected}, but is {}.", shown(value)))
}

fn shown(value: &Value) -> String {
    one_line(&value.to_string(), 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> ToolSpec {
        let properties = json!({
            "path": { "type": "string", "description": "A path." },
            "sort": { "type": "string", "description": "The order.", "enum": ["a", "b"] },
            "line": { "type": "integer", "description": "A line.", "minimum": 1, "maximum": 9 },
            "anyway": { "type": "boolean", "description": "Whether." },
        });
        let input = schema(&properties, &["path"]);
        ToolSpec { name: "show", title: "Show", description: "Shows.", input }
    }

    #[test]
    fn as2_wrong_calls_are_answered_with_what_to_write() {
        let check = |input: Value, expected: &str| {
            let error = Arguments::new(&spec(), &input).unwrap_err();
            assert_eq!(error.to_string(), expected, "{input}");
        };
        let missing = "`show` needs the argument `path`: A path.";
        check(json!({}), missing);
        check(json!(null), missing);
        check(json!({ "path": "  " }), missing);
        check(json!({ "path": null }), missing);
        check(json!([1]), "The input of `show` must be an object, but is [1].");
        check(
            json!({ "paths": "a" }),
            "`show` has no argument `paths`. Did you mean `path`? It takes `anyway`, `line`, `path`, `sort`.",
        );
        check(json!({ "path": ["a"] }), "`path` must be a string, but is [\"a\"].");
        check(
            json!({ "path": "x".repeat(2001) }),
            "`path` is too long: write 2000 characters at most.",
        );
        check(json!({ "path": "a", "sort": "c" }), "`sort` must be \"a\" or \"b\", but is \"c\".");
        for line in [json!("x"), json!(0), json!(-1), json!(1.5), json!("0"), json!(true)] {
            let expected = format!("`line` must be a whole number of at least 1, but is {line}.");
            check(json!({ "path": "a", "line": line }), &expected);
        }
        check(
            json!({ "path": "a", "anyway": "yes" }),
            "`anyway` must be true or false, but is \"yes\".",
        );
    }

    #[test]
    fn as2_what_can_be_understood_is() {
        let read = |input: Value| Arguments::new(&spec(), &input).unwrap();
        let given = read(json!({ "path": " a ", "line": "3", "anyway": "true", "sort": null }));
        assert_eq!(given.required("path"), "a");
        assert_eq!(given.number("line"), Some(3));
        assert!(given.flag("anyway"));
        assert_eq!(given.text("sort"), None);
        assert_eq!(read(json!({ "path": 404, "line": 7.0 })).required("path"), "404");
        assert_eq!(read(json!({ "path": "a", "line": 7.0 })).number("line"), Some(7));
        assert_eq!(read(json!({ "path": "a", "line": 700 })).number("line"), Some(9));
        assert!(!read(json!({ "path": "a" })).flag("anyway"));
        assert_eq!(read(json!({ "path": "a" })).limit("line", 5), 5);
    }
}
