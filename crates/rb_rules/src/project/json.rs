//! JSON as manifests hold it: with comments and trailing commas, and with the order of an object's keys.
//!
//! The order decides which condition of a package's `exports` is taken, so a map that sorts its keys will not do.
//! Text that is not JSON gives `None`. Nesting is bounded by `serde_json`.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::comments;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    /// Its value is of no use here.
    Number,
    Text(Box<str>),
    List(Vec<Json>),
    /// In the order of the text. Of a key that is given twice the last one counts.
    Object(Vec<(Box<str>, Json)>),
}

impl Json {
    pub(super) fn parse(text: &str) -> Option<Json> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        serde_json::from_str(text).or_else(|_| serde_json::from_str(&strict(text))).ok()
    }

    /// The value under `key`; `None` also where this is no object.
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        self.entries().iter().rev().find(|(name, _)| **name == *key).map(|(_, value)| value)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            Json::Null | Json::Bool(_) | Json::Number | Json::List(_) | Json::Object(_) => None,
        }
    }

    pub(super) fn text_at(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    pub(super) fn is_true(&self, key: &str) -> bool {
        self.get(key) == Some(&Json::Bool(true))
    }

    pub(super) fn list(&self) -> &[Json] {
        match self {
            Json::List(items) => items,
            Json::Null | Json::Bool(_) | Json::Number | Json::Text(_) | Json::Object(_) => &[],
        }
    }

    pub(super) fn entries(&self) -> &[(Box<str>, Json)] {
        match self {
            Json::Object(entries) => entries,
            Json::Null | Json::Bool(_) | Json::Number | Json::Text(_) | Json::List(_) => &[],
        }
    }

    /// The texts of a list; one text counts as a list of one. What is no text is left out.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let items = match self {
            Json::List(items) => items.as_slice(),
            single => std::slice::from_ref(single),
        };
        items.iter().filter_map(Json::text)
    }
}

/// The same without comments and without a comma before a closing bracket.
pub(super) fn strict(text: &str) -> String {
    let bare = comments::without(text);
    let mut strict = String::with_capacity(bare.len());
    let mut in_string = false;
    let mut escaped = false;
    for c in bare.chars() {
        if in_string {
            (in_string, escaped) = (escaped || c != '"', !escaped && c == '\\');
        } else if matches!(c, '}' | ']') {
            let end = strict.trim_end().len();
            if strict[..end].ends_with(',') {
                strict.truncate(end - 1);
            }
        } else {
            in_string = c == '"';
        }
        strict.push(c);
    }
    strict
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Read)
    }
}

struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Json, E> {
        Ok(Json::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Json, E> {
        Ok(Json::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = items.next_entry::<String, Json>()? {
            entries.push((key.into(), value));
        }
        Ok(Json::Object(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn ru1_json_with_comments_commas_and_order() {
        let text = "\u{feff}// a\n{ \"b\": [1, -2.5e3, true, ], /* c // */ \"a\": \"x\\\"\\u00e9\\\\\", \"http\": \"a//b/*c,]\", }";
        assert_eq!(
            format!("{:?}", Json::parse(text).unwrap()),
            r#"Object([("b", List([Number, Number, Bool(true)])), ("a", Text("x\"é\\")), ("http", Text("a//b/*c,]"))])"#
        );
        assert_eq!(Json::parse(r#"{"a": 1, "a": "last"}"#).unwrap().text_at("a"), Some("last"));
    }

    #[test]
    fn ru1_json_that_is_broken_is_none() {
        let deep = "[".repeat(100_000);
        let texts =
            ["", "{", "[1", "{a: 1}", "\"a", "\"a\\", "\"a\nb\"", "/*", "{} x", "nul", "é", &deep];
        for text in texts {
            assert_eq!(Json::parse(text), None, "{text:.20}");
        }
    }
}
