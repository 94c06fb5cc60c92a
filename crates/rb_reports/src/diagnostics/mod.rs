//! What compilers, type checkers and linters complain about, read into one [`Diagnostic`] each, so that two runs can be compared.
//!
//! Every family of formats has its file and its line in [`FAMILIES`]. A line that no family knows is passed over: an empty list
//! means that nothing could be read, not that nothing is wrong.

mod arrow;
mod biome;
mod eslint;
mod formatter;
mod github;
mod json;
mod line;
mod tsc;

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::clean::{Root, cut, plain};

/// One complaint of a tool about one place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Diagnostic {
    /// Relative to the root where it lies in it; empty for what is about no file.
    pub file: String,
    /// From 1; 0 for the file as a whole.
    pub line: u32,
    pub column: u32,
    pub severity: Severity,
    /// The tool's name for this kind of complaint; empty where it has none.
    pub code: String,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    Error,
    Warning,
    /// A remark to another complaint; never kept.
    Note,
}

impl Diagnostic {
    /// One line: place, code and message.
    pub fn words(&self) -> String {
        let Diagnostic { file, line, column, code, message, .. } = self;
        let mut words = match (line, column) {
            _ if file.is_empty() => String::new(),
            (0, _) => format!("{file}: "),
            (line, 0) => format!("{file}:{line}: "),
            (line, column) => format!("{file}:{line}:{column}: "),
        };
        if !code.is_empty() {
            words.push_str(code);
            words.push_str(": ");
        }
        words + message
    }
}

/// How much of an output is read, how many complaints are kept, and the longest message.
const MAX_BYTES: usize = 64 * 1024 * 1024;
const MAX_FOUND: usize = 20_000;
const MAX_MESSAGE: usize = 400;

/// Where a reader stands in an output.
#[derive(Clone, Copy)]
struct Here<'t> {
    /// The lines from here on; never empty.
    lines: &'t [&'t str],
    /// The last line that began at the margin, for tools that group by files.
    heading: &'t str,
}

/// What a reader made of the lines at hand.
struct ReadDiagnostic {
    diagnostic: Diagnostic,
    /// How many lines it reports.
    lines: usize,
}

impl ReadDiagnostic {
    fn one(diagnostic: Diagnostic) -> ReadDiagnostic {
        ReadDiagnostic { diagnostic, lines: 1 }
    }
}

type Family = fn(Here<'_>) -> Option<ReadDiagnostic>;

/// The more exact come first.
const FAMILIES: [Family; 7] =
    [github::read, tsc::read, biome::read, arrow::read, eslint::read, formatter::read, line::read];

/// Everything that the output of a check complains about, in its order. `root` is taken off every path.
pub fn diagnostics(stdout: &[u8], stderr: &[u8], root: &Path) -> Vec<Diagnostic> {
    let root = Root::new(root);
    let mut all = Vec::new();
    for bytes in [stdout, stderr] {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_BYTES)]);
        let text = plain(&text);
        all.extend(json::read(&text).unwrap_or_else(|| in_lines(&text)));
    }
    all.retain(|found| found.severity != Severity::Note);
    all.truncate(MAX_FOUND);
    for found in &mut all {
        found.file = root.relative(&found.file);
        found.message = cut(root.strip(&found.message).trim(), MAX_MESSAGE);
    }
    all
}

fn in_lines(text: &str) -> Vec<Diagnostic> {
    let lines: Vec<&str> = text.lines().collect();
    let (mut at, mut heading, mut all) = (0, "", Vec::new());
    while at < lines.len() && all.len() < MAX_FOUND {
        let here = Here { lines: &lines[at..], heading };
        match FAMILIES.iter().find_map(|family| family(here)) {
            Some(found) => {
                all.push(found.diagnostic);
                at += found.lines.max(1);
            }
            None => {
                if !lines[at].starts_with([' ', '\t']) && !lines[at].trim().is_empty() {
                    heading = lines[at].trim_end();
                }
                at += 1;
            }
        }
    }
    all
}

/// How many errors a tool says that it found, by its last line that tells a number of them.
pub fn stated_errors(stdout: &[u8], stderr: &[u8]) -> Option<u64> {
    let in_text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(1 << 16)..]);
        let text = plain(&text).into_owned();
        text.lines().rev().find_map(number_of_errors)
    };
    in_text(stdout).or_else(|| in_text(stderr))
}

/// `Found 3 errors in 1 file`, `✖ 6 problems (3 errors, 3 warnings)`, `due to 2 previous errors`.
fn number_of_errors(line: &str) -> Option<u64> {
    let trimmed = |word: &'_ str| word.trim_matches(['(', ')', ',', '.', ';']).to_owned();
    let words: Vec<String> = line.split_whitespace().map(trimmed).collect();
    let at = words.iter().rposition(|word| word == "error" || word == "errors")?;
    words[..at].iter().rev().take(2).find_map(|word| word.parse().ok())
}

/// The severity that a word names.
fn severity(word: &str) -> Option<Severity> {
    Some(match word.to_ascii_lowercase().as_str() {
        "error" | "fatal" | "failure" => Severity::Error,
        "warning" | "warn" => Severity::Warning,
        "note" | "help" | "info" | "information" | "hint" | "notice" | "message" => Severity::Note,
        _ => return None,
    })
}

/// `PATH:LINE:COLUMN` or `PATH:LINE` at the front of a text, and what comes after it.
fn place(text: &str) -> Option<(&str, u32, u32, &str)> {
    let (path, rest) = text.split_once(':')?;
    if !is_path(path) {
        return None;
    }
    let (line, rest) = number(rest)?;
    let column = rest.strip_prefix(':').and_then(number);
    let (column, rest) = column.unwrap_or((0, rest));
    Some((path, line, column, rest))
}

/// A number at the front of a text.
fn number(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

/// Whether it can be the name of a file: no address, no time of day.
fn is_path(text: &str) -> bool {
    !text.is_empty()
        && text.len() < 512
        && text.contains(['.', '/'])
        && text.chars().any(char::is_alphabetic)
        && !text.contains(|c: char| c.is_whitespace() || "()[]<>\"'`,;=|".contains(c))
}
