//! The lines of source that are in the conversation, and which call brought them, so that nothing is read twice.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rb_core::Sha256;
use rb_tools::{Evidence, Shown};

/// The number that stands for the request itself.
const REQUEST: u32 = 0;

/// By file: its content, and the last call that showed each line.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShownLines {
    files: BTreeMap<String, FileLines>,
}

#[derive(Debug, Clone)]
struct FileLines {
    hash: Sha256,
    calls: BTreeMap<u32, u32>,
}

impl ShownLines {
    /// What the request itself shows.
    pub(crate) fn of_request(evidence: &Evidence) -> Self {
        let mut shown = ShownLines::default();
        for (path, file) in evidence.files() {
            let calls = file.lines.keys().map(|&line| (line, REQUEST)).collect();
            shown.files.insert(path.to_owned(), FileLines { hash: file.hash, calls });
        }
        shown
    }

    pub(crate) fn add(&mut self, shown: &Shown, call: u32) {
        let new = || FileLines { hash: shown.hash, calls: BTreeMap::new() };
        let file = self.files.entry(shown.path.clone()).or_insert_with(new);
        if file.hash != shown.hash {
            *file = new();
        }
        file.calls.extend((shown.first..).zip(&shown.lines).map(|(line, _)| (line, call)));
    }

    /// The result of a call is no longer in the conversation.
    pub(crate) fn forget(&mut self, call: u32) {
        for file in self.files.values_mut() {
            file.calls.retain(|_, shown_by| *shown_by != call);
        }
    }

    /// Where all of these lines are already, in a sentence; `None` if one of them is not, or the file has changed.
    pub(crate) fn where_shown(&self, lines: &[Shown]) -> Option<String> {
        let mut places = Vec::new();
        for shown in lines.iter().filter(|shown| !shown.lines.is_empty()) {
            let file = self.files.get(&shown.path).filter(|file| file.hash == shown.hash)?;
            let numbers = (shown.first..).zip(&shown.lines).map(|(line, _)| line);
            let calls: Option<BTreeSet<u32>> =
                numbers.map(|line| file.calls.get(&line).copied()).collect();
            places.push(sentence(shown, &calls?));
        }
        if places.is_empty() { None } else { Some(places.join(" ")) }
    }
}

fn sentence(shown: &Shown, calls: &BTreeSet<u32>) -> String {
    let (first, path) = (shown.first, &shown.path);
    let count = u32::try_from(shown.lines.len()).unwrap_or(u32::MAX);
    let last = first.saturating_add(count).saturating_sub(1);
    let lines =
        if first == last { format!("line {first}") } else { format!("lines {first}-{last}") };
    let numbers: Vec<String> =
        calls.iter().filter(|call| **call != REQUEST).map(ToString::to_string).collect();
    let by_call = match numbers.as_slice() {
        [] => String::new(),
        [one] => format!("in call {one}"),
        several => format!("in calls {}", several.join(", ")),
    };
    let place = match (calls.contains(&REQUEST), by_call.is_empty()) {
        (true, true) => "in the request".to_owned(),
        (true, false) => format!("in the request and {by_call}"),
        (false, _) => by_call,
    };
    format!("You have read {lines} of {path} {place}, and the file has not changed.")
}

/// The path of a file, and lines of it with their numbers.
pub(crate) fn numbered(shown: &Shown) -> String {
    let mut text = format!("{}\n", shown.path);
    for (number, line) in (shown.first..).zip(&shown.lines) {
        let _ = writeln!(text, "{number:>5} | {line}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(path: &str, first: u32, count: usize, content: &str) -> Shown {
        let lines = (0..count).map(|nth| format!("line {nth}")).collect();
        Shown { path: path.to_owned(), hash: Sha256::of(content.as_bytes()), first, lines }
    }

    #[test]
    fn as5_no_lines_are_read_twice_unless_they_are_gone() {
        let mut lines = ShownLines::default();
        let check = |lines: &ShownLines, wanted: &[Shown], expected: Option<&str>| {
            assert_eq!(lines.where_shown(wanted).as_deref(), expected, "{wanted:?}");
        };
        let text = |lines_and_place: &str| {
            format!("You have read {lines_and_place}, and the file has not changed.")
        };
        check(&lines, &[shown("a", 1, 80, "x")], None);
        lines.add(&shown("a", 1, 80, "x"), 3);
        check(&lines, &[shown("a", 1, 80, "x")], Some(&text("lines 1-80 of a in call 3")));
        check(&lines, &[shown("a", 20, 10, "x")], Some(&text("lines 20-29 of a in call 3")));
        check(&lines, &[shown("a", 7, 1, "x")], Some(&text("line 7 of a in call 3")));
        check(&lines, &[shown("a", 80, 2, "x")], None);
        check(&lines, &[shown("a", 1, 80, "changed")], None);
        check(&lines, &[shown("b", 1, 1, "x")], None);
        check(&lines, &[], None);
        lines.add(&shown("a", 81, 20, "x"), 5);
        check(&lines, &[shown("a", 70, 20, "x")], Some(&text("lines 70-89 of a in calls 3, 5")));
        lines.forget(3);
        check(&lines, &[shown("a", 70, 20, "x")], None);
        check(&lines, &[shown("a", 81, 20, "x")], Some(&text("lines 81-100 of a in call 5")));
        // A changed file is another text.
        lines.add(&shown("a", 1, 2, "changed"), 6);
        check(&lines, &[shown("a", 81, 20, "x")], None);
    }

    #[test]
    fn as5_what_the_request_shows_is_read() {
        let mut evidence = Evidence::default();
        evidence.add(&shown("a", 5, 10, "x"));
        let mut lines = ShownLines::of_request(&evidence);
        let found = lines.where_shown(&[shown("a", 5, 3, "x")]);
        assert!(found.is_some_and(|text| text.contains("lines 5-7 of a in the request,")));
        lines.add(&shown("a", 15, 1, "x"), 2);
        let found = lines.where_shown(&[shown("a", 14, 2, "x")]);
        assert!(found.is_some_and(|text| text.contains("in the request and in call 2,")));
    }
}
