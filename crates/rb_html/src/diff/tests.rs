//! Patches as data. `shown` writes a diff in one line a row: `old | new`, words that differ in brackets.

mod patches;
mod properties;
mod rendering;

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::*;

#[track_caller]
fn check(patch: &str, expected: &Expect) {
    expected.assert_eq(&shown(patch));
}

fn shown(patch: &str) -> String {
    let diff = Diff::read(patch.as_bytes());
    let mut lines = Vec::new();
    for file in &diff.files {
        let from = file.from.as_ref().map(|from| format!(" from {from}")).unwrap_or_default();
        let modes = file.modes.as_ref().map(|(old, new)| format!(" mode {old} {new}"));
        let binary = if file.is_binary { " binary" } else { "" };
        lines.push(format!(
            "{}: {}{from} +{} -{}{}{binary}",
            file.path,
            file.change.words(),
            file.added,
            file.removed,
            modes.unwrap_or_default(),
        ));
        for hunk in &file.hunks {
            lines.push(format!("{} {}", hunk.range, hunk.section).trim_end().to_owned());
            lines.extend(hunk.rows.iter().map(row));
        }
    }
    lines.join("\n")
}

fn row(row: &Row) -> String {
    match row {
        Row::Same { old_number, line: new } => format!("{old_number} = {}", line(new)),
        Row::Changed { old, new } => {
            let side = |side: &Option<Line>| side.as_ref().map(line).unwrap_or_default();
            format!("{} | {}", side(old), side(new)).trim_end().to_owned()
        }
    }
}

fn line(line: &Line) -> String {
    let (mut text, mut at) = (format!("{} ", line.number), 0);
    for word in &line.words {
        let _ = write!(text, "{}[{}]", &line.text[at..word.start], &line.text[word.clone()]);
        at = word.end;
    }
    text += &line.text[at..];
    match line.ending {
        Ending::Lf => {}
        Ending::CrLf => text.push_str("\\r"),
        Ending::None => text.push_str("\\0"),
    }
    if let Some(moved) = &line.moved {
        let indented = if moved.is_reindented { " indented" } else { "" };
        let _ = write!(text, " <{}:{}{indented}>", moved.path, moved.line);
    }
    text
}
