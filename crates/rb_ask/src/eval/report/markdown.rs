//! A report as Markdown. Names and questions come from files, so they are escaped.

use std::fmt::Write as _;

use super::{QuestionReport, Report, RepositoryReport};
use crate::answer::Author;
use crate::eval::metrics::Metric;
use crate::eval::reading::{ReadingMetric, ReadingValues};

pub(super) fn report(report: &Report) -> String {
    let mut text = format!("# Evaluation: {}\n\n", escaped(&report.suites.join(", ")));
    let _ = writeln!(text, "Answers by {}.\n", author(report.author.as_ref()));
    summary(&mut text, report);
    repositories(&mut text, &report.repositories);
    reading(&mut text, report);
    questions(&mut text, &report.questions);
    definitions(&mut text);
    text
}

/// Who answered, in words.
fn author(author: Option<&Author>) -> String {
    match author {
        None => "nobody: no question was asked".to_owned(),
        Some(Author::Extraction) => "extraction, without a model".to_owned(),
        Some(Author::Model { provider, model }) => {
            format!("{} ({})", escaped(model), escaped(provider))
        }
    }
}

fn summary(text: &mut String, report: &Report) {
    let _ = writeln!(text, "| metric | all questions |\n|---|---:|");
    for (metric, value) in &report.overall {
        let _ = writeln!(text, "| {} | {} |", metric.name(), metric.show(*value));
    }
    text.push('\n');
}

/// The columns of the table by repository.
const COLUMNS: [Metric; 6] = [
    Metric::GoldInFirst5,
    Metric::GoldInFirst10,
    Metric::CitationPrecision,
    Metric::CitationRecall,
    Metric::HallucinationRate,
    Metric::ToolCalls,
];

fn repositories(text: &mut String, repositories: &[RepositoryReport]) {
    let names: Vec<&str> = COLUMNS.iter().map(|metric| metric.name()).collect();
    let _ = writeln!(text, "## Repositories\n\n| repository | passed | {} |", names.join(" | "));
    let _ = writeln!(text, "|---|---:|{}", "---:|".repeat(names.len()));
    for one in repositories {
        let asked = one.passed + one.failed;
        let values: Vec<String> = COLUMNS
            .iter()
            .map(|metric| metric.show(one.values.get(metric).copied().flatten()))
            .collect();
        let name = escaped(&one.name);
        let _ = writeln!(text, "| {name} | {} of {asked} | {} |", one.passed, values.join(" | "));
    }
    text.push('\n');
    for one in repositories {
        let skipped = one.skipped.iter().map(|reason| format!("skipped: {reason}"));
        for note in skipped.chain(one.notes.iter().cloned()) {
            let _ = writeln!(text, "- {}: {}", escaped(&one.name), escaped(&note));
        }
    }
    if repositories.iter().any(|one| one.skipped.is_some() || !one.notes.is_empty()) {
        text.push('\n');
    }
}

/// The files that were read, by repository.
fn reading(text: &mut String, report: &Report) {
    let names: Vec<&str> = ReadingMetric::ALL.iter().map(|metric| metric.name()).collect();
    let _ = writeln!(text, "## Files read\n\n| repository | {} |", names.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(names.len()));
    let mut row = |name: &str, values: &ReadingValues| {
        let of = |metric: &ReadingMetric| metric.show(values.get(metric).copied().flatten());
        let values: Vec<String> = ReadingMetric::ALL.iter().map(of).collect();
        let _ = writeln!(text, "| {name} | {} |", values.join(" | "));
    };
    for one in &report.repositories {
        row(&escaped(&one.name), &one.reading);
    }
    row("all repositories", &report.reading);
    text.push('\n');
}

fn questions(text: &mut String, questions: &[QuestionReport]) {
    text.push_str("## Questions\n\n");
    for one in questions {
        let key = escaped(&one.key());
        let asked = escaped(&one.question);
        let _ = writeln!(text, "- **{}** {key}: {asked}", one.verdict.name());
        for reason in one.verdict.reasons() {
            let _ = writeln!(text, "  - {}", escaped(reason));
        }
        if !one.cited_files.is_empty() {
            let files: Vec<String> = one.cited_files.iter().map(|file| code(file)).collect();
            let _ = writeln!(text, "  - cites {}", files.join(", "));
        }
    }
    text.push('\n');
}

fn definitions(text: &mut String) {
    text.push_str("## Definitions\n\n");
    text.push_str("Every question counts the same. A question for which a metric is n/a is left out of its mean.\n\n");
    for metric in Metric::ALL {
        let _ = writeln!(text, "- {}: {}", metric.name(), metric.definition());
    }
    text.push_str("\nWhat is read for all questions about a repository is a session. Every repository counts the same.\n\n");
    for metric in ReadingMetric::ALL {
        let _ = writeln!(text, "- {}: {}", metric.name(), metric.definition());
    }
}

/// On one line, without anything that Markdown or HTML would read as markup.
pub(in crate::eval) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => safe.push(' '),
            '|' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '\\' | '!' | '#' => {
                safe.push('\\');
                safe.push(c);
            }
            c if c.is_control() || is_hidden(c) => safe.extend(c.escape_unicode()),
            c => safe.push(c),
        }
    }
    safe
}

/// A path as code where that is possible.
fn code(path: &str) -> String {
    let is_plain = |c: char| !(c == '`' || c.is_control() || is_hidden(c));
    if path.chars().all(is_plain) { format!("`{path}`") } else { escaped(path) }
}

/// Characters that have no width or change the order of others.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as10_names_of_a_repository_cannot_become_markup() {
        assert_eq!(escaped("a|b\n<img> `x`"), "a\\|b \\<img\\> \\`x\\`");
        assert_eq!(escaped("a\u{202e}b\x1b"), "a\\u{202e}b\\u{1b}");
        assert_eq!(code("src/lib.rs"), "`src/lib.rs`");
        assert_eq!(code("a`b\u{200b}"), "a\\`b\\u{200b}");
    }
}
