//! The errors of a build, or of loading a test file, in what compilers and interpreters print.

use rb_lang::Language;

use super::evidence::{bare, excerpt, is_exception};
use super::place::{Place, place_in, project_place};
use super::sign::{self, Sign};

pub(super) struct BuildError {
    pub(super) sign: Option<Sign>,
    /// The line that says it.
    pub(super) text: String,
    pub(super) place: Option<Place>,
    /// The lines about it, of all lines: the first, the one that says it, and the one behind the last.
    start: usize,
    at: usize,
    end: usize,
}

impl BuildError {
    /// The lines to show; `lines` are those that it was read from.
    pub(super) fn output(&self, lines: &[&str]) -> String {
        excerpt(lines.get(self.start..self.end).unwrap_or_default(), self.at - self.start)
    }
}

/// In the order of the output.
pub(super) fn errors(language: Language, lines: &[&str]) -> Vec<BuildError> {
    let headings = lines.iter().enumerate().filter(|(_, line)| is_heading(language, line));
    headings
        .map(|(at, line)| {
            let (start, place) = place_of(language, lines, at);
            BuildError {
                sign: sign::at_build(language, line),
                text: text_of(line, place.as_ref()).to_owned(),
                place,
                start: start.min(at),
                at,
                end: end_of(language, lines, at),
            }
        })
        .collect()
}

/// Whether an error begins with this line.
fn is_heading(language: Language, line: &str) -> bool {
    match language {
        Language::Rust => {
            (line.starts_with("error[") || line.starts_with("error: "))
                && !CARGO_SUMMARIES.iter().any(|summary| line.contains(summary))
        }
        Language::Python => is_exception(line) && !line.contains(UNITTEST_WRAPPER),
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            line.contains("error TS") || is_exception(line)
        }
        Language::Go => {
            line.contains(".go:") && !line.starts_with([' ', '\t']) && place_in(line).is_some()
        }
        Language::Java => {
            line.contains(".java:") && (line.contains(" error: ") || line.starts_with("[ERROR]"))
        }
        Language::Ruby => line.contains("Error)") || line.contains("syntax error"),
        _ => false,
    }
}

/// What cargo writes behind the errors.
const CARGO_SUMMARIES: &[&str] = &[
    "could not compile",
    "aborting due to",
    "test failed, to rerun",
    "doctest failed, to rerun",
    "target failed",
    "targets failed",
    "process didn't exit successfully",
];

/// unittest writes it above the error that it caught.
const UNITTEST_WRAPPER: &str = "Failed to import test module";

/// How many lines before and behind its first line an error may name its place.
const REACH: &[(Language, usize, usize)] = &[
    (Language::Rust, 0, 6),
    (Language::Python, 60, 0),
    (Language::JavaScript, 6, 12),
    (Language::TypeScript, 6, 12),
    (Language::Tsx, 6, 12),
    (Language::Ruby, 0, 12),
];

/// The place, and the line that names it.
fn place_of(language: Language, lines: &[&str], at: usize) -> (usize, Option<Place>) {
    let reach = REACH.iter().find(|(other, ..)| *other == language);
    let (before, behind) = reach.map_or((0, 0), |(_, before, behind)| (*before, *behind));
    let own = lines.get(at).and_then(|line| place_in(line));
    if own.is_some() {
        return (at, own);
    }
    let around = (at.saturating_sub(before)..at).rev().chain(at + 1..at + 1 + behind);
    for near in around {
        let place = lines.get(near).and_then(|line| project_place(line));
        if place.is_some() {
            return (near, place);
        }
    }
    (at, None)
}

/// What is wrong, without the place that the line begins with: that is told apart.
fn text_of<'a>(line: &'a str, place: Option<&Place>) -> &'a str {
    let line = bare(line);
    let begins = |place: &Place| place.begins(line.strip_prefix("./").unwrap_or(line));
    let text = if place.is_some_and(begins) {
        let ends = [": ", " - "].iter().filter_map(|end| Some(line.find(end)? + end.len()));
        ends.min().map_or(line, |end| &line[end..])
    } else {
        line
    };
    text.trim_end_matches('.')
}

/// An error ends at a blank line or where the next one begins. The bound keeps a long list of errors cheap to read.
fn end_of(language: Language, lines: &[&str], at: usize) -> usize {
    let behind = lines.iter().enumerate().skip(at + 1).take(40);
    let mut end = at + 1;
    for (line_at, line) in behind {
        if line.trim().is_empty() || is_heading(language, line) {
            break;
        }
        end = line_at + 1;
    }
    end
}
