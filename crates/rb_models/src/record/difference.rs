//! Two texts compared line by line, for people: short, and fit for a terminal whatever the texts hold.

use std::fmt::Write as _;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};

/// Lines of a difference, without its head.
const MOST_LINES: usize = 40;
/// Characters of a line.
const WIDEST: usize = 160;
/// Characters before the place where a long line differs.
const BEFORE: usize = 40;
/// Lines around a change.
const CONTEXT: u32 = 2;
/// Longer texts are compared up to here.
const LONGEST: usize = 4 << 20;

/// Each text comes with its name.
pub(super) fn difference(from: (&str, &str), to: (&str, &str)) -> String {
    let mut shown = format!("--- {}\n+++ {}\n", cut(from.0, 0), cut(to.0, 0));
    let (old, new) = (head(from.1), head(to.1));
    let lines = changed(old, new);
    if lines.is_empty() {
        shown.push_str("they differ in keys, which are not shown, or far behind\n");
    }
    for line in lines.iter().take(MOST_LINES) {
        let _ = writeln!(shown, "{line}");
    }
    if let Some(more) = lines.len().checked_sub(MOST_LINES).filter(|&more| more > 0) {
        let _ = writeln!(shown, "… {more} more lines");
    }
    shown
}

fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}

fn changed(old: &str, new: &str) -> Vec<String> {
    let input = InternedInput::new(old, new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let text = |token| input.interner[token].trim_end_matches('\n');
    let before = |range: Range<u32>| range.map(|at| text(input.before[at as usize]));
    let around = |range| before(range).map(|line| format!(" {}", cut(line, 0)));
    let end = u32::try_from(input.before.len()).unwrap_or(u32::MAX);
    let hunks: Vec<Hunk> = diff.hunks().collect();
    let (mut shown, mut until) = (Vec::new(), 0);
    for (at, hunk) in hunks.iter().enumerate() {
        let first = hunk.before.start.saturating_sub(CONTEXT).max(until);
        if first > until || shown.is_empty() {
            shown.push(format!("@@ line {} @@", first + 1));
        }
        shown.extend(around(first..hunk.before.start));
        let old: Vec<&str> = before(hunk.before.clone()).collect();
        let new: Vec<&str> = hunk.after.clone().map(|at| text(input.after[at as usize])).collect();
        changes(&old, &new, &mut shown);
        let next = hunks.get(at + 1).map_or(end, |next| next.before.start);
        until = hunk.before.end.saturating_add(CONTEXT).min(next);
        shown.extend(around(hunk.before.end..until));
    }
    shown
}

/// Lines that stand for each other are shown from where they begin to differ.
fn changes(old: &[&str], new: &[&str], shown: &mut Vec<String>) {
    let start = |at: usize| match (old.get(at), new.get(at)) {
        (Some(old), Some(new)) => {
            let same = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
            if same > WIDEST / 2 { same - BEFORE } else { 0 }
        }
        (None, _) | (_, None) => 0,
    };
    shown.extend(old.iter().enumerate().map(|(at, line)| format!("-{}", cut(line, start(at)))));
    shown.extend(new.iter().enumerate().map(|(at, line)| format!("+{}", cut(line, start(at)))));
}

/// What is shown of a line, from the character `start` on.
pub(super) fn cut(line: &str, start: usize) -> String {
    let piece: String = line.chars().skip(start).take(WIDEST).collect();
    let (before, after) = (
        if start > 0 { "…" } else { "" },
        if line.chars().nth(start + WIDEST).is_some() { "…" } else { "" },
    );
    format!("{before}{}{after}", visible(&piece))
}

/// Blanks at the end and characters that a terminal would not show, or would obey, are spelled out.
fn visible(text: &str) -> String {
    let bare = text.trim_end_matches(' ');
    let spelled = |c: char| -> String {
        let hidden = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
        if c.is_control() || hidden { c.escape_default().collect() } else { c.into() }
    };
    let shown: String = bare.chars().map(spelled).collect();
    shown + &"·".repeat(text.len() - bare.len())
}
