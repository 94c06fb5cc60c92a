//! One line of TAP: what it is, and its parts.

use crate::report::Outcome;

#[derive(Debug, PartialEq)]
pub(crate) enum Line<'a> {
    Version,
    /// `1..5`
    Plan(u64),
    Point(PointLine),
    /// Without its `#`.
    Comment(&'a str),
    BailOut(&'a str),
    /// `---`
    YamlStart,
    /// `}`, with which some end a subtest.
    Close,
    /// Output of a test, or nothing.
    Other,
}

#[derive(Debug, PartialEq)]
pub(crate) struct PointLine {
    pub(crate) ok: bool,
    pub(crate) number: Option<u64>,
    pub(crate) name: String,
    pub(crate) outcome: Outcome,
    pub(crate) reason: Option<String>,
    pub(crate) ms: Option<u64>,
    /// A subtest opens behind it.
    pub(crate) opens: bool,
}

pub(crate) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// Reads a line without its indent.
pub(crate) fn parse(line: &str) -> Line<'_> {
    let line = line.trim_end();
    if line.starts_with("TAP version ") {
        Line::Version
    } else if let Some(reason) = line.strip_prefix("Bail out!") {
        Line::BailOut(reason.trim())
    } else if let Some(comment) = line.strip_prefix('#') {
        Line::Comment(comment.trim())
    } else if line == "---" {
        Line::YamlStart
    } else if line == "}" {
        Line::Close
    } else if let Some(count) = plan(line) {
        Line::Plan(count)
    } else if let Some(point) = point(line) {
        Line::Point(point)
    } else {
        Line::Other
    }
}

fn plan(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("1..")?;
    let (count, comment) = rest.split_once('#').unwrap_or((rest, ""));
    let is_comment = comment.is_empty() || count.ends_with(' ');
    count.trim_end().parse().ok().filter(|_| is_comment)
}

fn point(line: &str) -> Option<PointLine> {
    let (ok, rest) = match line.strip_prefix("not ok") {
        Some(rest) => (false, rest),
        None => (true, line.strip_prefix("ok")?),
    };
    if !rest.is_empty() && !rest.starts_with(' ') {
        return None;
    }
    let rest = rest.trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits]
        .parse()
        .ok()
        .filter(|_| rest[digits..].is_empty() || rest[digits..].starts_with(' '));
    let rest = if number.is_some() { rest[digits..].trim_start() } else { rest };
    let rest = rest.strip_prefix("- ").unwrap_or(rest);
    let (rest, opens) = match rest.strip_suffix(" {") {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    let (name, directive) = directive(rest);
    let outcome = match (&directive, ok) {
        (Some(Directive::Skip(_) | Directive::Todo(_)), _) => Outcome::Skipped,
        (Some(Directive::Time(_)) | None, true) => Outcome::Passed,
        (Some(Directive::Time(_)) | None, false) => Outcome::Failed,
    };
    let (reason, ms) = match directive {
        Some(Directive::Skip(reason) | Directive::Todo(reason)) => (Some(reason.to_owned()), None),
        Some(Directive::Time(ms)) => (None, ms),
        None => (None, None),
    };
    Some(PointLine { ok, number, name: unescape(name), outcome, reason, ms, opens })
}

enum Directive<'a> {
    Skip(&'a str),
    Todo(&'a str),
    Time(Option<u64>),
}

/// The last `#` that a directive stands behind; any other belongs to the name.
fn directive(text: &str) -> (&str, Option<Directive<'_>>) {
    for (at, _) in text.rmatch_indices('#') {
        if at > 0 && !text[..at].ends_with(' ') {
            continue;
        }
        let said = text[at + 1..].trim_start();
        let word = said.get(..4).unwrap_or_default();
        let reason = said
            .get(4..)
            .unwrap_or_default()
            .trim_start_matches(|c: char| c.is_ascii_alphabetic())
            .trim();
        let directive = if word.eq_ignore_ascii_case("skip") {
            Directive::Skip(reason)
        } else if word.eq_ignore_ascii_case("todo") {
            Directive::Todo(reason)
        } else if let Some(time) = said.strip_prefix("time=") {
            let ms = time.trim_end_matches("ms").parse().ok().and_then(crate::collect::millis);
            Directive::Time(ms)
        } else {
            continue;
        };
        return (text[..at].trim_end(), Some(directive));
    }
    (text, None)
}

fn unescape(text: &str) -> String {
    text.replace("\\#", "#").replace("\\\\", "\\")
}
