//! An evaluation as the person reads it: every question with its verdict, then the metrics.

use std::fmt::Write as _;
use std::path::PathBuf;

use rb_ask::Author;
use rb_ask::eval::compare::{Comparison, MetricChange, VerdictChange};
use rb_ask::eval::judge::Verdict;
use rb_ask::eval::report::{QuestionReport, Report, RepositoryReport};

use crate::numbers::plural;
use crate::ui::{Ui, printable};

pub(super) fn text(
    ui: &Ui,
    report: &Report,
    comparison: Option<&Comparison>,
    written: &[PathBuf],
) -> String {
    let mut text = head(report);
    for repository in &report.repositories {
        one_repository(&mut text, ui, repository, &report.questions);
    }
    text.push('\n');
    match comparison {
        Some(comparison) => compared(&mut text, ui, comparison),
        None => metrics(&mut text, report),
    }
    ending(&mut text, ui, report, written);
    text
}

fn head(report: &Report) -> String {
    let questions = plural(report.questions.len() as u64, "question");
    let repositories = plural(report.repositories.len() as u64, "repository");
    let suites = printable(&report.suites.join(", "));
    let author = match &report.author {
        None => "none: no question was asked".to_owned(),
        Some(Author::Extraction) => "extraction, without a model".to_owned(),
        Some(Author::Model { provider, model }) => printable(&format!("{model} ({provider})")),
    };
    format!("eval     {suites}: {questions} about {repositories}\nanswers  {author}\n")
}

fn one_repository(
    text: &mut String,
    ui: &Ui,
    repository: &RepositoryReport,
    questions: &[QuestionReport],
) {
    let RepositoryReport { suite, name, passed, failed, .. } = repository;
    let name = ui.out.bold(&printable(name));
    if let Some(reason) = &repository.skipped {
        let _ = writeln!(text, "\n{name}  {}", ui.out.yellow(&format!("skipped: {reason}")));
        return;
    }
    let _ = writeln!(text, "\n{name}  {passed} of {} passed", passed + failed);
    for note in &repository.notes {
        let _ = writeln!(text, "  note  {}", printable(note));
    }
    let is_of_it = |one: &&QuestionReport| &one.suite == suite && one.repository == repository.name;
    for question in questions.iter().filter(is_of_it) {
        one_question(text, ui, question);
    }
}

fn one_question(text: &mut String, ui: &Ui, question: &QuestionReport) {
    let verdict = match question.verdict {
        Verdict::Pass => ui.out.green("pass"),
        Verdict::Fail { .. } => ui.out.red("fail"),
        Verdict::Skipped { .. } => ui.out.yellow("skip"),
    };
    let _ = writeln!(text, "  {verdict}  {}", printable(&question.id));
    for reason in question.verdict.reasons() {
        let _ = writeln!(text, "        {}", ui.out.dim(&printable(reason)));
    }
}

/// As wide as the longest name of a metric.
const NAME: usize = 22;

fn metrics(text: &mut String, report: &Report) {
    for (metric, value) in &report.overall {
        let _ = writeln!(text, "{:<NAME$}  {:>8}", metric.name(), metric.show(*value));
    }
    let _ = writeln!(text, "\nfiles read for all questions about a repository");
    for (metric, value) in &report.reading {
        let _ = writeln!(text, "{:<NAME$}  {:>8}", metric.name(), metric.show(*value));
    }
}

fn compared(text: &mut String, ui: &Ui, comparison: &Comparison) {
    let questions = plural(comparison.questions as u64, "question");
    let _ = writeln!(text, "{questions} answered in both reports");
    let _ = writeln!(text, "{:<NAME$}  {:>8}  {:>8}", "", "before", "now");
    for change in &comparison.metrics {
        let MetricChange { metric, before, after, regression, .. } = change;
        let word = if *regression { ui.out.red(change.word()) } else { change.word().to_owned() };
        let (before, after) = (metric.show(*before), metric.show(*after));
        let row = format!("{:<NAME$}  {before:>8}  {after:>8}  {word}", metric.name());
        let _ = writeln!(text, "{}", row.trim_end());
    }
    if !comparison.verdicts.is_empty() {
        text.push('\n');
    }
    for VerdictChange { question, before, after, reasons } in &comparison.verdicts {
        let why =
            if reasons.is_empty() { String::new() } else { format!("  {}", reasons.join("; ")) };
        let line = format!("{question}: {before} → {after}{why}");
        let _ = writeln!(text, "{}", printable(&line));
    }
    for (keys, words) in [
        (&comparison.only_before, "answered only in the earlier report"),
        (&comparison.only_after, "answered only now"),
    ] {
        for key in keys {
            let _ = writeln!(text, "{}", printable(&format!("{key}: {words}")));
        }
    }
}

fn ending(text: &mut String, ui: &Ui, report: &Report, written: &[PathBuf]) {
    let is_skipped = |question: &&QuestionReport| question.verdict.is_skipped();
    let skipped = report.questions.iter().filter(is_skipped).count();
    if skipped > 0 {
        let words =
            format!("{} skipped: the result is incomplete", plural(skipped as u64, "question"));
        let _ = writeln!(text, "\n{}", ui.out.yellow(&words));
    }
    if !written.is_empty() {
        let files: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
        let _ = writeln!(text, "\nreport   {}", printable(&files.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use rb_ask::eval::metrics::Metric;

    use super::*;

    #[test]
    fn as10_names_of_metrics_fit_their_column() {
        for metric in Metric::ALL {
            assert!(metric.name().len() <= NAME, "{}", metric.name());
        }
    }
}
