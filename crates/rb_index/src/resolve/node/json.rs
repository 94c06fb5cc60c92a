//! JSON as manifests hold it: with comments and trailing commas, and with the order of an object's keys.
//!
//! The order decides which condition of a package's `exports` is taken, and `serde_json` sorts it away. Text that is
//! not JSON gives `None`; nothing is repaired, and nesting beyond `MAX_DEPTH` is refused.

use std::borrow::Cow;

/// Manifests nest to ten or so; this bounds the recursion of everything that walks a value.
const MAX_DEPTH: u32 = 64;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    /// Its value is of no use here.
    Number,
    Text(Box<str>),
    List(Vec<Json>),
    /// In the order of the text. A key that is given twice stands twice; the last one counts.
    Object(Vec<(Box<str>, Json)>),
}

impl Json {
    pub(super) fn parse(text: &str) -> Option<Json> {
        let mut reader = Reader { text: text.strip_prefix('\u{feff}').unwrap_or(text), at: 0 };
        let value = reader.value(0)?;
        reader.skip_blank()?;
        (reader.at == reader.text.len()).then_some(value)
    }

    /// The value under `key`; `None` also where this is no object.
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        self.entries().iter().rev().find(|(name, _)| **name == *key).map(|(_, value)| value)
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[Json]> {
        match self {
            Json::List(items) => Some(items),
            _ => None,
        }
    }

    pub(super) fn entries(&self) -> &[(Box<str>, Json)] {
        match self {
            Json::Object(entries) => entries,
            _ => &[],
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

struct Reader<'a> {
    text: &'a str,
    /// Always between two characters.
    at: usize,
}

impl<'a> Reader<'a> {
    fn value(&mut self, depth: u32) -> Option<Json> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.skip_blank()?;
        match self.peek()? {
            b'{' => self.object(depth),
            b'[' => self.array(depth),
            b'"' => Some(Json::Text(self.string()?.into())),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: u32) -> Option<Json> {
        let mut entries = Vec::new();
        self.items(b'}', |reader| {
            let key = reader.string()?;
            reader.skip_blank()?;
            reader.expect(b':')?;
            entries.push((key.into(), reader.value(depth + 1)?));
            Some(())
        })?;
        Some(Json::Object(entries))
    }

    fn array(&mut self, depth: u32) -> Option<Json> {
        let mut values = Vec::new();
        self.items(b']', |reader| {
            values.push(reader.value(depth + 1)?);
            Some(())
        })?;
        Some(Json::List(values))
    }

    /// What stands between the brackets, with a comma after each but perhaps the last.
    fn items(&mut self, close: u8, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        loop {
            self.skip_blank()?;
            if self.peek()? == close {
                self.at += 1;
                return Some(());
            }
            item(self)?;
            self.skip_blank()?;
            if self.peek()? != close {
                self.expect(b',')?;
            }
        }
    }

    fn string(&mut self) -> Option<Cow<'a, str>> {
        self.expect(b'"')?;
        let start = self.at;
        let rest = &self.text[start..];
        let end = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | b'\n'))?;
        if rest.as_bytes()[end] == b'"' {
            self.at = start + end + 1;
            return Some(Cow::Borrowed(&rest[..end]));
        }
        self.escaped_string(start)
    }

    /// The string from its opening quote on is handed to `serde_json`, which knows the escapes.
    fn escaped_string(&mut self, start: usize) -> Option<Cow<'a, str>> {
        let bytes = self.text.as_bytes();
        let mut end = start;
        while *bytes.get(end)? != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        self.at = end + 1;
        let text = serde_json::from_str::<String>(&self.text[start - 1..=end]).ok()?;
        Some(Cow::Owned(text))
    }

    fn word(&mut self) -> Option<Json> {
        let rest = &self.text[self.at..];
        let end = rest
            .bytes()
            .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')))
            .unwrap_or(rest.len());
        self.at += end;
        match &rest[..end] {
            "null" => Some(Json::Null),
            "true" => Some(Json::Bool(true)),
            "false" => Some(Json::Bool(false)),
            number => number.parse::<f64>().ok().map(|_| Json::Number),
        }
    }

    /// White space and comments; `None` where a comment has no end.
    fn skip_blank(&mut self) -> Option<()> {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_start().len();
            self.at += blank;
            let rest = &rest[blank..];
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                self.at += comment.find("*/")? + "/**/".len();
            } else {
                return Some(());
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn ix3_json_with_comments_commas_and_order() {
        let text = "\u{feff}// a\n{ \"b\": [1, -2.5e3, true,], /* c // */ \"a\": \"x\\\"\\u00e9\\\\\", \"http\": \"a//b/*c\", }";
        let parsed = Json::parse(text).unwrap();
        assert_eq!(
            format!("{parsed:?}"),
            r#"Object([("b", List([Number, Number, Bool(true)])), ("a", Text("x\"é\\")), ("http", Text("a//b/*c"))])"#
        );
        assert_eq!(
            Json::parse(r#"{"a": 1, "a": "last"}"#).unwrap().get("a").unwrap().text(),
            Some("last")
        );
    }

    #[test]
    fn ix3_json_that_is_broken_is_none() {
        let deep = "[".repeat(100_000);
        for text in [
            "",
            "{",
            "[1",
            "{\"a\" 1}",
            "{a: 1}",
            "\"a",
            "\"a\\",
            "\"\\é\"",
            "\"a\nb\"",
            "/*",
            "/*/ {}",
            "{} x",
            "{,}",
            "[,]",
            "nul",
            "é",
            "\"\\ud800\"",
            &deep,
        ] {
            assert_eq!(Json::parse(text), None, "{text:.20}");
        }
    }
}
