//! Values as the checks see them: kind, order, and a short form that is safe to print.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value};

use crate::number::Decimal;

/// The kinds that `type` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    pub const ALL: [Kind; 7] = [
        Kind::Null,
        Kind::Boolean,
        Kind::Integer,
        Kind::Number,
        Kind::String,
        Kind::Array,
        Kind::Object,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Boolean => "boolean",
            Kind::Integer => "integer",
            Kind::Number => "number",
            Kind::String => "string",
            Kind::Array => "array",
            Kind::Object => "object",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether `value` is of this kind. `3.0` is an integer: it is how some models write 3.
    pub(crate) fn has(self, value: &Value) -> bool {
        match (self, value) {
            (Kind::Integer, Value::Number(number)) => Decimal::of(number).is_whole(),
            (Kind::Null, Value::Null)
            | (Kind::Boolean, Value::Bool(_))
            | (Kind::Number, Value::Number(_))
            | (Kind::String, Value::String(_))
            | (Kind::Array, Value::Array(_))
            | (Kind::Object, Value::Object(_)) => true,
            _ => false,
        }
    }
}

/// With its article, as a message has it.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let article = match self {
            Kind::Null => "",
            Kind::Integer | Kind::Array | Kind::Object => "an ",
            Kind::Boolean | Kind::Number | Kind::String => "a ",
        };
        write!(f, "{article}{}", self.name())
    }
}

/// A total order in which equal means equal by JSON Schema: 1 is 1.0, and keys have no order.
pub(crate) fn cmp(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Number(a), Value::Number(b)) => Decimal::of(a).cmp(&Decimal::of(b)),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Array(a), Value::Array(b)) => a
            .len()
            .cmp(&b.len())
            .then_with(|| first_unequal(a.iter().zip(b).map(|(a, b)| cmp(a, b)))),
        (Value::Object(a), Value::Object(b)) => a.len().cmp(&b.len()).then_with(|| {
            let (a, b) = (sorted(a), sorted(b));
            first_unequal(a.iter().zip(&b).map(|((k, a), (l, b))| k.cmp(l).then_with(|| cmp(a, b))))
        }),
        _ => rank(a).cmp(&rank(b)),
    }
}

/// By key, whatever order the map itself has.
fn sorted(map: &Map<String, Value>) -> BTreeMap<&String, &Value> {
    map.iter().collect()
}

fn first_unequal(mut orders: impl Iterator<Item = Ordering>) -> Ordering {
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

/// How deep `value` nests, counted without recursion: a value need not come from a parser that has a limit.
pub(crate) fn depth(value: &Value) -> usize {
    let mut deepest = 0;
    let mut open = vec![(value, 1)];
    while let Some((value, depth)) = open.pop() {
        deepest = deepest.max(depth);
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(map) => open.extend(map.values().map(|item| (item, depth + 1))),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    deepest
}

/// The most characters of a foreign text in a message.
const SHOWN: usize = 60;

/// A value in a few printable characters.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => match items.len() {
            0 => "an empty array".to_owned(),
            1 => "an array of one item".to_owned(),
            count => format!("an array of {count} items"),
        },
        Value::Object(map) if map.is_empty() => "an empty object".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// As [`shown`], naming the kind where the form alone may be misread.
pub(crate) fn shown_with_kind(value: &Value) -> String {
    match value {
        Value::String(_) => format!("the string {}", shown(value)),
        Value::Number(_) => format!("the number {}", shown(value)),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => shown(value),
    }
}

pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text, '"'))
}

/// Escaped where it would not print as itself (control, invisible and turning characters), and cut.
pub(crate) fn printable(text: &str, quote: char) -> String {
    let mut out = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == SHOWN {
            out.push('…');
            break;
        }
        if c == '\'' || (c == '"' && quote != '"') {
            out.push(c);
        } else {
            out.extend(c.escape_debug());
        }
    }
    out
}
