//! What a check complains about before and after a change, one by one: what is new speaks against the change, what was there does not.
//!
//! Lines drift with every edit, so two complaints are the same when file, code and message are. Where an output cannot be read, what
//! the tool counts and its exit code are compared instead.

use std::collections::BTreeMap;

use rb_core::{Verdict, at_most};
use rb_reports::{Diagnostic, Severity};
use serde::{Deserialize, Serialize};

use crate::record::{CommandRun, How};

/// How the complaints of two runs of a check differ.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiagnosticComparison {
    pub new: Vec<Diagnostic>,
    pub fixed: usize,
    pub kept: usize,
}

/// A verdict on a check that fails, with its reasons.
pub(crate) struct CheckVerdict {
    pub(crate) verdict: Verdict,
    pub(crate) reasons: Vec<String>,
    pub(crate) comparison: Option<DiagnosticComparison>,
}

/// How many new complaints are shown; the record has all of them.
const NAMED: usize = 5;

/// Holds a failing run against the one before the change; `None` where its complaints say nothing more than its end does.
pub(crate) fn hold(before: &CommandRun, after: &CommandRun) -> Option<CheckVerdict> {
    let has_failed_before = before.verdict == Verdict::Fail;
    let is_readable =
        !after.diagnostics.is_empty() && (!has_failed_before || !before.diagnostics.is_empty());
    let comparison = is_readable.then(|| compare(&before.diagnostics, &after.diagnostics));
    if let Some(comparison) = comparison.clone().filter(|it| !it.new.is_empty()) {
        let reasons = new_words(&comparison);
        return Some(CheckVerdict {
            verdict: Verdict::Fail,
            reasons,
            comparison: Some(comparison),
        });
    }
    if !has_failed_before || after.how.was_ended() && !before.how.was_ended() {
        return None;
    }
    if let Some(worse) = worse(before, after) {
        return Some(CheckVerdict { verdict: Verdict::Fail, reasons: vec![worse], comparison });
    }
    let line = &after.command.line;
    Some(match comparison {
        Some(comparison) => {
            let reasons = vec![format!("`{line}` fails as before: {}", comparison.words())];
            CheckVerdict { verdict: Verdict::Pass, reasons, comparison: Some(comparison) }
        }
        None => {
            let what = match after.errors {
                Some(errors) if before.errors.is_some() => format!("its count of {errors} errors"),
                _ => "its exit code".to_owned(),
            };
            let reason = format!(
                "`{line}` also failed before the change; its output cannot be parsed, so only {what} was compared"
            );
            CheckVerdict {
                verdict: Verdict::NoVerifierRan,
                reasons: vec![reason],
                comparison: None,
            }
        }
    })
}

/// Why a check that names no new complaint is worse than before all the same.
fn worse(before: &CommandRun, after: &CommandRun) -> Option<String> {
    let line = &after.command.line;
    if let (Some(was), Some(is)) = (before.errors, after.errors)
        && is > was
    {
        return Some(format!("`{line}` reports {is} errors, {was} before the change"));
    }
    if let (How::Exit { code: was }, How::Exit { code: is }) = (&before.how, &after.how)
        && is > was
    {
        return Some(format!("`{line}` exited with code {is}, {was} before the change"));
    }
    None
}

/// What fails a check: its errors, or all that it says where it has no errors.
pub(crate) fn counted(all: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    let has_errors = all.iter().any(|it| it.severity == Severity::Error);
    all.iter().filter(move |it| !has_errors || it.severity == Severity::Error)
}

pub(crate) fn compare(before: &[Diagnostic], after: &[Diagnostic]) -> DiagnosticComparison {
    let has_errors = after.iter().any(|it| it.severity == Severity::Error);
    let is_meant = |it: &&Diagnostic| !has_errors || it.severity == Severity::Error;
    let mut known: BTreeMap<Key, Vec<u32>> = BTreeMap::new();
    for diagnostic in before.iter().filter(is_meant) {
        known.entry(key(diagnostic)).or_default().push(diagnostic.line);
    }
    let mut here: BTreeMap<Key, Vec<&Diagnostic>> = BTreeMap::new();
    for diagnostic in counted(after) {
        here.entry(key(diagnostic)).or_default().push(diagnostic);
    }
    let mut comparison = DiagnosticComparison::default();
    for (key, mut found) in here {
        let mut lines = known.remove(&key).unwrap_or_default();
        comparison.kept += found.len().min(lines.len());
        comparison.fixed += lines.len().saturating_sub(found.len());
        // Those that stand where one stood are the old ones; of the others, the first.
        found.retain(|it| match lines.iter().position(|line| *line == it.line) {
            Some(at) => {
                lines.swap_remove(at);
                false
            }
            None => true,
        });
        comparison.new.extend(found.into_iter().skip(lines.len()).cloned());
    }
    comparison.fixed += known.values().map(Vec::len).sum::<usize>();
    comparison.new.sort();
    comparison
}

type Key = (String, String, String);

fn key(diagnostic: &Diagnostic) -> Key {
    let Diagnostic { file, code, message, .. } = diagnostic;
    (file.clone(), code.clone(), without_lines(message))
}

/// A message without the numbers of lines that it names: `already defined on line 3`.
fn without_lines(message: &str) -> String {
    let mut was_line = false;
    let words = message.split(' ').map(|word| {
        let is_number = was_line && word.starts_with(|c: char| c.is_ascii_digit());
        was_line = matches!(word, "line" | "lines");
        if is_number { "N" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn new_words(comparison: &DiagnosticComparison) -> Vec<String> {
    let mut words = vec![comparison.words()];
    words.extend(at_most(NAMED, comparison.new.iter().map(Diagnostic::words)));
    words
}

impl DiagnosticComparison {
    /// `1 new error, 5 as before`.
    pub fn words(&self) -> String {
        let has_errors = self.new.iter().any(|it| it.severity == Severity::Error);
        let noun = if has_errors || self.new.is_empty() { "error" } else { "warning" };
        let plural = |count: usize, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        let mut parts = Vec::new();
        if self.new.is_empty() {
            parts.push(format!("{} as before", plural(self.kept, noun)));
        } else {
            parts.push(plural(self.new.len(), &format!("new {noun}")));
            parts.extend((self.kept > 0).then(|| format!("{} as before", self.kept)));
        }
        parts.extend((self.fixed > 0).then(|| format!("{} fixed", self.fixed)));
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `file:line:code:message` each.
    fn read(rows: &[&str]) -> Vec<Diagnostic> {
        let row = |row: &&str| {
            let parts: Vec<&str> = row.split(':').collect();
            let severity =
                if parts[2].starts_with('w') { Severity::Warning } else { Severity::Error };
            Diagnostic {
                file: parts[0].to_owned(),
                line: parts[1].parse().unwrap(),
                column: 1,
                severity,
                code: parts[2].to_owned(),
                message: parts[3].to_owned(),
            }
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn ve4_complaints_are_compared_one_by_one_and_lines_may_drift() {
        let check = |before: &[&str], after: &[&str], new: &[&str], words: &str| {
            let found = compare(&read(before), &read(after));
            let named: Vec<String> = found
                .new
                .iter()
                .map(|it| format!("{}:{}:{}:{}", it.file, it.line, it.code, it.message))
                .collect();
            assert_eq!(named, new, "{before:?} {after:?}");
            assert_eq!(found.words(), words);
        };
        check(&["a:1:E:x"], &["a:9:E:x"], &[], "1 error as before");
        check(&["a:1:E:x"], &["a:1:E:x", "a:9:E:x"], &["a:9:E:x"], "1 new error, 1 as before");
        // The one that was there has moved; either may be called the new one, the later is.
        check(&["a:1:E:x"], &["a:2:E:x", "a:9:E:x"], &["a:9:E:x"], "1 new error, 1 as before");
        check(&["a:1:E:x", "a:2:E:x"], &["a:1:E:x"], &[], "1 error as before, 1 fixed");
        check(&["a:1:E:x"], &["b:1:E:x"], &["b:1:E:x"], "1 new error, 1 fixed");
        check(&["a:1:E:x"], &["a:1:F:x"], &["a:1:F:x"], "1 new error, 1 fixed");
        check(&["a:1:E:is on line 3"], &["a:1:E:is on line 4"], &[], "1 error as before");
        // Warnings fail nothing while there are errors, and what fails it when there are none.
        check(&["a:1:E:x"], &["a:1:E:x", "a:2:w:y"], &[], "1 error as before");
        check(&["a:1:w:x"], &["a:1:w:x", "a:2:w:y"], &["a:2:w:y"], "1 new warning, 1 as before");
        check(&["a:1:w:x"], &["a:1:E:x"], &["a:1:E:x"], "1 new error");
    }
}
