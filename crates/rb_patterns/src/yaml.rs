//! A rule file as plain values that remember their lines, before anybody asks what they mean.
//!
//! ast-grep's own reader says what is wrong but often not where, and one bad document hides all others. Here documents
//! are told apart first, so that each stands or falls alone.

use std::fmt;

use serde::de::{DeserializeOwned, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_saphyr::{MergeKeyPolicy, Options, Spanned};

/// A value and the line of its key, or where it has none its own; counted from 1 in its document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) line: u32,
    pub(crate) value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Text(String),
    Bool(bool),
    /// A number: nothing that we read is one.
    Other,
    List(Vec<Item>),
    Map(Vec<(String, Item)>),
}

impl Item {
    pub(crate) fn get(&self, key: &str) -> Option<&Item> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, item)| item)
    }

    /// The line of the first text in here that is this.
    pub(crate) fn line_of_text(&self, text: &str) -> Option<u32> {
        match &self.value {
            Value::Text(own) => (own == text).then_some(self.line),
            Value::List(items) => items.iter().find_map(|item| item.line_of_text(text)),
            Value::Map(entries) => entries.iter().find_map(|(_, item)| item.line_of_text(text)),
            Value::Null | Value::Bool(_) | Value::Other => None,
        }
    }

    /// Empty for what is no map.
    pub(crate) fn entries(&self) -> &[(String, Item)] {
        match &self.value {
            Value::Map(entries) => entries,
            Value::Null | Value::Text(_) | Value::Bool(_) | Value::Other | Value::List(_) => &[],
        }
    }

    /// Empty for what is no list.
    pub(crate) fn items(&self) -> &[Item] {
        match &self.value {
            Value::List(items) => items,
            Value::Null | Value::Text(_) | Value::Bool(_) | Value::Other | Value::Map(_) => &[],
        }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            Value::Null | Value::Bool(_) | Value::Other | Value::List(_) | Value::Map(_) => None,
        }
    }
}

/// A document of a file: its text, and the line of the file that it begins in, from 1.
#[derive(Debug, PartialEq)]
pub(crate) struct Document<'t> {
    pub(crate) text: &'t str,
    pub(crate) first_line: u32,
}

/// By the lines of `---`. YAML allows them nowhere else, not even inside of quoted text.
pub(crate) fn documents(text: &str) -> Vec<Document<'_>> {
    let mut documents = Vec::new();
    let (mut begins, mut first_line, mut at) = (0, 1, 0);
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let is_mark = line
            .strip_prefix("---")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']));
        if is_mark && at > begins {
            documents.push(Document { text: &text[begins..at], first_line });
            (begins, first_line) = (at, number);
        }
        at += line.len();
    }
    documents.push(Document { text: &text[begins..], first_line });
    documents
}

/// What is wrong with a text, and in which of its lines.
#[derive(Debug, PartialEq)]
pub(crate) struct YamlError {
    pub(crate) line: u32,
    pub(crate) message: String,
}

/// The value of a document; a null one for an empty document.
pub(crate) fn parse(text: &str) -> Result<Item, YamlError> {
    let parsed: Spanned<Value> = read(text)?;
    Ok(item(parsed))
}

/// Reads a document into a type, with ast-grep's understanding of plain words (`on` is text, `<<` a key).
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    let mut options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        reject_unsupported_tags: true,
    };
    options.merge_keys = MergeKeyPolicy::AsOrdinary;
    options.budget = serde_saphyr::budget! { max_depth: 64, max_nodes: 20_000, max_aliases: 200, max_anchors: 50 };
    from_str(text, options)
}

fn from_str<T: DeserializeOwned>(text: &str, options: Options) -> Result<T, YamlError> {
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let line = error.location().map_or(1, |location| location.line());
        // It says the line again, counted from the start of the document.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        YamlError { line: u32::try_from(line).unwrap_or(1).max(1), message }
    })
}

fn item(spanned: Spanned<Value>) -> Item {
    Item { line: line_of(&spanned), value: spanned.value }
}

fn line_of<T>(spanned: &Spanned<T>) -> u32 {
    u32::try_from(spanned.referenced.line()).unwrap_or(1).max(1)
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Value, E> {
        Ok(Value::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Value, E> {
        Ok(Value::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Other)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(next) = list.next_element::<Spanned<Value>>()? {
            items.push(item(next));
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<Spanned<String>>()? {
            let value = map.next_value::<Spanned<Value>>()?;
            // A value may begin lines below its key, and it is the key that a reader looks for.
            let line = line_of(&key);
            entries.push((key.value, Item { line, ..item(value) }));
        }
        Ok(Value::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[track_caller]
    fn check_documents(text: &str, expected: &[(&str, u32)]) {
        let found: Vec<(&str, u32)> = documents(text)
            .into_iter()
            .map(|document| (document.text, document.first_line))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn ru4_documents_are_told_apart() {
        check_documents("", &[("", 1)]);
        check_documents("a: 1\n", &[("a: 1\n", 1)]);
        check_documents("---\na: 1\n---\nb: 2", &[("---\na: 1\n", 1), ("---\nb: 2", 3)]);
        check_documents(
            "a: |\n  ---\n--- # two\nb: ----\n",
            &[("a: |\n  ---\n", 1), ("--- # two\nb: ----\n", 3)],
        );
    }

    #[test]
    fn ru4_values_know_their_lines() {
        let root = parse("---\na: text\nb:\n  - x\n  - c: 2\n    d: on\n").unwrap();
        let b = root.get("b").unwrap();
        assert_eq!((root.line, b.line, b.items()[1].line), (2, 3, 5));
        assert_eq!(root.get("a").unwrap().line, 2);
        assert_eq!(b.items()[0].text(), Some("x"));
        let d = b.items()[1].get("d").unwrap();
        assert_eq!((d.line, d.text()), (6, Some("on")));
        assert_eq!(parse("").unwrap().value, Value::Null);
    }

    #[test]
    fn ru4_bombs_are_refused() {
        let nested = format!("a: {}{}", "[".repeat(5000), "]".repeat(5000));
        assert!(parse(&nested).is_err());
        let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let before = format!("*a{}, ", level - 1).repeat(9);
            let items = before.trim_end_matches(", ");
            let _ = writeln!(laughs, "a{level}: &a{level} [{items}]");
        }
        assert!(parse(&laughs).is_err());
    }
}
