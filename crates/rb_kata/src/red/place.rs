//! Places in source files that compilers, stack traces and test runners name, in the many ways they write them.

use std::fmt;

use rb_lang::Language;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    path: String,
    line: Option<u32>,
}

impl Place {
    /// Whether it is in this file. One of the paths may have fewer folders than the other.
    pub(super) fn is_in(&self, path: &str) -> bool {
        let (long, short) = if self.path.len() >= path.len() {
            (self.path.as_str(), path)
        } else {
            (path, self.path.as_str())
        };
        let folder = long.strip_suffix(short);
        !short.is_empty() && folder.is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
    }

    /// Whether the text begins with its path.
    pub(super) fn begins(&self, text: &str) -> bool {
        text.starts_with(&self.path)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "`{}:{line}`", self.path),
            None => write!(f, "`{}`", self.path),
        }
    }
}

/// Where in the project an error arose: the innermost frame of a stack trace.
pub(super) fn origin(language: Language, lines: &[&str]) -> Option<Place> {
    let mut places = lines.iter().filter_map(|line| project_place(line));
    // Python alone writes the innermost frame last.
    if language == Language::Python { places.next_back() } else { places.next() }
}

/// The first place that the line names, unless it belongs to a runtime, a library or a test's heading.
pub(super) fn project_place(line: &str) -> Option<Place> {
    let is_foreign = FOREIGN.iter().any(|words| line.contains(words));
    if is_foreign { None } else { place_in(line) }
}

/// Words of lines whose place is not where an error arose.
const FOREIGN: &[&str] = &[
    // Headings of node.
    "location: ",
    "test at ",
    // Runtimes and libraries.
    "node:internal",
    "node_modules",
    "/lib/python",
    "unittest/",
    "site-packages",
    "<frozen ",
    "/rustc/",
    "library/core/src",
    "library/std/src",
    "library/alloc/src",
    "/src/testing/",
    "/src/runtime/",
    "java.base/",
    "jdk.internal",
    "org.junit",
    "org.opentest4j",
    "lib/ruby",
    "/gems/",
    "minitest/",
    "<internal:",
];

const EXTENSIONS: &[&str] =
    &["rs", "py", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "go", "java", "rb"];

/// `File "a.py", line 3`, `a.rs:3:5`, `a.ts(3,5)`, `A.java:[3,5]`.
pub(super) fn place_in(line: &str) -> Option<Place> {
    python_place(line).or_else(|| {
        line.match_indices('.').find_map(|(dot, _)| {
            let rest = &line[dot + 1..];
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let (word, rest) = rest.split_at(end);
            let number = [":[", ":", "("]
                .iter()
                .find_map(|before| rest.strip_prefix(before))
                .and_then(number)
                .filter(|_| EXTENSIONS.contains(&word))?;
            let end = dot + 1 + word.len();
            let start = line[..dot]
                .rfind(is_before_path)
                .map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
            Some(Place { path: plain_path(&line[start..end]), line: Some(number) })
        })
    })
}

fn python_place(line: &str) -> Option<Place> {
    let (path, rest) = line.split_once("File \"")?.1.split_once('"')?;
    Some(Place { path: plain_path(path), line: rest.strip_prefix(", line ").and_then(number) })
}

fn number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

fn is_before_path(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | '[' | '<' | '"' | '\'' | '`' | '=' | ',')
}

fn plain_path(path: &str) -> String {
    let path = path.strip_prefix("file://").unwrap_or(path);
    path.strip_prefix("./").unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ka2_places_are_read_in_every_tool_s_form() {
        let check = |line: &str, expected: &str| {
            let place = place_in(line).map_or_else(|| "none".to_owned(), |place| place.to_string());
            assert_eq!(place, expected, "{line}");
        };
        check(" --> tests/roman.rs:5:16", "`tests/roman.rs:5`");
        check("thread 'one' panicked at src/lib.rs:3:5:", "`src/lib.rs:3`");
        check("  File \"/w/test_roman.py\", line 2, in <module>", "`/w/test_roman.py:2`");
        check("    at f (file:///w/roman.test.mjs:5:23)", "`/w/roman.test.mjs:5`");
        check("src/roman.test.ts(3,10): error TS2305: x", "`src/roman.test.ts:3`");
        check("./roman_test.go:6:7: undefined: ToRoman", "`roman_test.go:6`");
        check("[ERROR] /w/RomanTest.java:[8,20] cannot find symbol", "`/w/RomanTest.java:8`");
        check("\tat RomanTest.one(RomanTest.java:12)", "`RomanTest.java:12`");
        check("test/test_roman.rb:2:in `require_relative'", "`test/test_roman.rb:2`");
        check("ä(ö.rs:99999999999999999999", "none");
        check("version 1.2.3: done…", "none");
    }

    #[test]
    fn ka2_a_place_is_in_a_file_whatever_folder_the_tool_begins_with() {
        let check = |place: &str, path: &str, expected: bool| {
            let place = Place { path: place.to_owned(), line: None };
            assert_eq!(place.is_in(path), expected, "{place} {path}");
        };
        check("tests/roman.rs", "tests/roman.rs", true);
        check("/w/tests/roman.rs", "tests/roman.rs", true);
        check("RomanTest.java", "src/test/java/RomanTest.java", true);
        check("old_roman.rs", "roman.rs", false);
        check("src/lib.rs", "tests/roman.rs", false);
        check("", "tests/roman.rs", false);
    }
}
