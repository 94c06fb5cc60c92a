//! What was left, by the reason why: twenty places of one kind are one thing to know.
//!
//! Reasons that differ only in names or numbers form one group, which shows the first of them. For files that a run may not touch, the
//! group shows which files they are, because somebody may want to allow them.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::Leftover;
use crate::readable::first_of;

/// Places that were left for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason<'p> {
    pub words: String,
    /// Who found them, sorted.
    pub found_by: Vec<&'p str>,
    /// In the order of the plan.
    pub places: Vec<&'p Leftover>,
}

/// The reasons: open injections first, then the one with the most places.
pub fn by_reason(left: &[Leftover]) -> Vec<Reason<'_>> {
    let mut groups: BTreeMap<String, Vec<&Leftover>> = BTreeMap::new();
    for place in left {
        groups.entry(shape(&place.reason)).or_default().push(place);
    }
    let mut reasons: Vec<Reason<'_>> = Vec::with_capacity(groups.len());
    for places in groups.into_values() {
        let mut found_by: Vec<&str> = places.iter().map(|it| it.found_by.as_str()).collect();
        found_by.sort_unstable();
        found_by.dedup();
        let is_one = places.iter().all(|it| it.reason == places[0].reason);
        let words = match closed(&places) {
            _ if is_one => places[0].reason.clone(),
            Some(words) => words,
            None => format!("{} (or similar)", places[0].reason),
        };
        reasons.push(Reason { words, found_by, places });
    }
    let is_open = |it: &Reason<'_>| it.places.iter().any(|it| it.is_open_injection());
    reasons.sort_by_key(|it| (!is_open(it), std::cmp::Reverse(it.places.len())));
    reasons
}

const WOULD_CHANGE: &str = "it would change ";
const CLOSED: &str = ", which this run may not touch";

/// Why something that would change a file is left.
pub(crate) fn would_change(file: &str) -> String {
    format!("{WOULD_CHANGE}{file}{CLOSED}")
}

/// Who may widen what a run touches has to know which files it is about.
fn closed(places: &[&Leftover]) -> Option<String> {
    let file = |it: &&'_ Leftover| -> Option<String> {
        let named = it.reason.strip_prefix(WOULD_CHANGE)?.strip_suffix(CLOSED)?;
        Some(named.to_owned())
    };
    let files: Option<BTreeSet<String>> = places.iter().map(file).collect();
    let files = files?;
    let files: BTreeSet<&str> = files.iter().map(String::as_str).collect();
    Some(would_change(&first_of(&files)))
}

/// The reason without what it names.
fn shape(reason: &str) -> String {
    let mut words = String::new();
    for (at, piece) in reason.split('`').enumerate() {
        if at % 2 == 1 {
            words.push('…');
            continue;
        }
        for (at, word) in piece.split(' ').enumerate() {
            if at > 0 {
                words.push(' ');
            }
            let name = word.trim_end_matches([',', ';', ':', '.']);
            let is_name = name.contains('/') || name.starts_with(|c: char| c.is_ascii_digit());
            words.push_str(if is_name { "…" } else { name });
            words.push_str(&word[name.len()..]);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf9_what_was_left_is_grouped_by_reason() {
        let row = |line: u32, found_by: &str, reason: &str| Leftover {
            path: "a.js".to_owned(),
            line,
            found_by: found_by.to_owned(),
            what: String::new(),
            reason: reason.to_owned(),
            suggestion: String::new(),
        };
        let left = [
            row(1, "sql", "`mssql` is not known here"),
            row(2, "sql", "it is a name, not a value"),
            row(3, "sql", "`mssql` is not known here"),
            row(4, "cycle", "it would change src/a.js, which this run may not touch"),
            row(5, "cycle", "it would change lib/b.js, which this run may not touch"),
            row(6, "cycle", "it would change lib/c.js, which this run may not touch"),
            row(7, "dead", "it is a name, not a value"),
            row(8, "dead", "it affects 12 files, too many for one task"),
            row(8, "dead", "it affects 15 files, too many for one task"),
            row(9, "sql", "open SQL injection: `req.body.sort` reaches the query in src/x.js:9; …"),
        ];
        let shown: Vec<String> = by_reason(&left)
            .iter()
            .map(|it| format!("{} {}: {}", it.places.len(), it.found_by.join(" "), it.words))
            .collect();
        expect_test::expect![[r#"
            1 sql: open SQL injection: `req.body.sort` reaches the query in src/x.js:9; …
            3 cycle: it would change lib/b.js and 2 more files, which this run may not touch
            2 dead: it affects 12 files, too many for one task (or similar)
            2 dead sql: it is a name, not a value
            2 sql: `mssql` is not known here"#]]
        .assert_eq(&shown.join("\n"));
    }
}
