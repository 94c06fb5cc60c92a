//! Two reports side by side: how each metric changed, and which questions have another verdict.
//!
//! Only questions that were answered in both are compared, so a new question or a missing repository is no change.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;

use super::metrics::{Direction, Metric, Unit, Values, mean};
use super::reading::{self, ReadingMetric, ReadingValues};
use super::report::markdown::escaped;
use super::report::{QuestionReport, Report};
use super::value::Value;

/// What changed from an earlier report to a later one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// How many questions are compared.
    pub questions: usize,
    pub metrics: Vec<MetricChange>,
    /// In the order of the later report.
    pub verdicts: Vec<VerdictChange>,
    /// Answered in one of the reports only.
    pub only_before: Vec<String>,
    pub only_after: Vec<String>,
}

/// A metric of the answers, or of what was read for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ComparedMetric {
    Answers(Metric),
    Reading(ReadingMetric),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MetricChange {
    pub metric: ComparedMetric,
    pub before: Option<Value>,
    pub after: Option<Value>,
    pub trend: Trend,
    /// Worse by more than the tolerance.
    pub regression: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Trend {
    Better,
    Worse,
    Same,
    /// There is no value on one side.
    NotComparable,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VerdictChange {
    pub question: String,
    pub before: &'static str,
    pub after: &'static str,
    /// Why it is no pass now.
    pub reasons: Vec<String>,
}

/// `tolerance` is how much worse a metric may be: in percentage points for a share, in percent of the earlier value for a count.
pub fn compare(before: &Report, after: &Report, tolerance: u32) -> Comparison {
    let (earlier, later) = (answered(before), answered(after));
    let shared = |key: &String| earlier.contains_key(key) && later.contains_key(key);
    let means = |all: &BTreeMap<String, &QuestionReport>| {
        mean(all.iter().filter(|(key, _)| shared(key)).map(|(_, question)| &question.values))
    };
    let (old, new) = (means(&earlier), means(&later));
    let of_answers = |metric: Metric| {
        let value = |values: &Values| values.get(&metric).copied().flatten();
        let compared = ComparedMetric::Answers(metric);
        metric_change(compared, metric.direction(), value(&old), value(&new), tolerance)
    };
    let (old_reading, new_reading) = readings(before, after);
    let of_reading = |metric: ReadingMetric| {
        let value = |values: &ReadingValues| values.get(&metric).copied().flatten();
        let (old, new) = (value(&old_reading), value(&new_reading));
        let compared = ComparedMetric::Reading(metric);
        metric.direction().map(|direction| metric_change(compared, direction, old, new, tolerance))
    };
    let only = |all: &BTreeMap<String, &QuestionReport>| {
        all.keys().filter(|key| !shared(key)).cloned().collect()
    };
    Comparison {
        questions: earlier.keys().filter(|key| shared(key)).count(),
        metrics: Metric::ALL
            .into_iter()
            .map(of_answers)
            .chain(ReadingMetric::ALL.into_iter().filter_map(of_reading))
            .collect(),
        verdicts: verdict_changes(&earlier, after),
        only_before: only(&earlier),
        only_after: only(&later),
    }
}

impl Comparison {
    /// The metrics that are worse by more than the tolerance.
    pub fn regressions(&self) -> impl Iterator<Item = &MetricChange> {
        self.metrics.iter().filter(|change| change.regression)
    }

    /// A section to append to a report.
    pub fn markdown(&self) -> String {
        let mut text = String::from("## Comparison with the earlier report\n\n");
        let _ = writeln!(text, "Questions answered in both: {}.\n", self.questions);
        text.push_str("| metric | before | after | |\n|---|---:|---:|---|\n");
        for change in &self.metrics {
            let MetricChange { metric, before, after, .. } = change;
            let (before, after) = (metric.show(*before), metric.show(*after));
            let _ =
                writeln!(text, "| {} | {before} | {after} | {} |", metric.name(), change.word());
        }
        text.push('\n');
        for change in &self.verdicts {
            let VerdictChange { question, before, after, reasons } = change;
            let _ = write!(text, "- {}: {before} → {after}", escaped(question));
            if !reasons.is_empty() {
                let _ = write!(text, " ({})", escaped(&reasons.join("; ")));
            }
            text.push('\n');
        }
        for (keys, words) in
            [(&self.only_before, "answered only before"), (&self.only_after, "answered only now")]
        {
            for key in keys {
                let _ = writeln!(text, "- {}: {words}", escaped(key));
            }
        }
        text
    }
}

impl ComparedMetric {
    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            ComparedMetric::Answers(metric) => metric.name(),
            ComparedMetric::Reading(metric) => metric.name(),
        }
    }

    /// `83.3%`, `7.5`, or `n/a`.
    pub fn show(self, value: Option<Value>) -> String {
        self.unit().show(value)
    }

    fn unit(self) -> Unit {
        match self {
            ComparedMetric::Answers(metric) => metric.unit(),
            ComparedMetric::Reading(metric) => metric.unit(),
        }
    }
}

impl MetricChange {
    /// `better`, `worse`, `regression`; empty if nothing changed.
    pub fn word(&self) -> &'static str {
        match self.trend {
            Trend::Worse if self.regression => "regression",
            Trend::Worse => "worse",
            Trend::Better => "better",
            Trend::Same => "",
            Trend::NotComparable => "n/a",
        }
    }
}

fn answered(report: &Report) -> BTreeMap<String, &QuestionReport> {
    let asked = report.questions.iter().filter(|question| !question.verdict.is_skipped());
    asked.map(|question| (question.key(), question)).collect()
}

/// What was read of the repositories about which both reports answer the same questions.
fn readings(before: &Report, after: &Report) -> (ReadingValues, ReadingValues) {
    let (earlier, later) = (sessions(before), sessions(after));
    let of_shared = |sessions: &BTreeMap<(&str, &str), Session<'_>>| {
        let is_shared = |key: &(&str, &str)| {
            let both = earlier.get(key).zip(later.get(key));
            both.is_some_and(|(before, after)| before.questions == after.questions)
        };
        let shared = sessions.iter().filter(|(key, _)| is_shared(key));
        reading::mean(shared.map(|(_, session)| session.reading))
    };
    (of_shared(&earlier), of_shared(&later))
}

/// The questions that were answered about a repository, and what was read for them.
struct Session<'r> {
    questions: BTreeSet<&'r str>,
    reading: &'r ReadingValues,
}

/// By suite and name of the repository.
fn sessions(report: &Report) -> BTreeMap<(&str, &str), Session<'_>> {
    let mut sessions = BTreeMap::new();
    for repository in &report.repositories {
        let is_of_it = |question: &&QuestionReport| {
            question.suite == repository.suite
                && question.repository == repository.name
                && !question.verdict.is_skipped()
        };
        let answered = report.questions.iter().filter(is_of_it);
        let questions = answered.map(|question| question.id.as_str()).collect();
        let session = Session { questions, reading: &repository.reading };
        sessions.insert((repository.suite.as_str(), repository.name.as_str()), session);
    }
    sessions
}

fn metric_change(
    metric: ComparedMetric,
    direction: Direction,
    before: Option<Value>,
    after: Option<Value>,
    tolerance: u32,
) -> MetricChange {
    let is_better = |before: Value, after: Value| match direction {
        Direction::HigherIsBetter => after > before,
        Direction::LowerIsBetter => after < before,
    };
    let trend = match (before, after) {
        (None, None) => Trend::Same,
        (None, Some(_)) | (Some(_), None) => Trend::NotComparable,
        (Some(before), Some(after)) if before == after => Trend::Same,
        (Some(before), Some(after)) if is_better(before, after) => Trend::Better,
        (Some(_), Some(_)) => Trend::Worse,
    };
    let allowed = |before: Value| match metric.unit() {
        Unit::Share => Value::from_bool(true).percent_of(tolerance),
        Unit::Count => before.percent_of(tolerance),
    };
    let is_beyond =
        before.zip(after).is_some_and(|(before, after)| after.distance(before) > allowed(before));
    MetricChange { metric, before, after, trend, regression: trend == Trend::Worse && is_beyond }
}

fn verdict_changes(
    earlier: &BTreeMap<String, &QuestionReport>,
    after: &Report,
) -> Vec<VerdictChange> {
    let changed = |now: &QuestionReport| {
        let before = earlier.get(&now.key())?.verdict.name();
        let after = now.verdict.name();
        (before != after).then(|| VerdictChange {
            question: now.key(),
            before,
            after,
            reasons: now.verdict.reasons().to_vec(),
        })
    };
    after.questions.iter().filter_map(changed).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::eval::report::tests::report;

    const GOLD: &str = "src/a.py";

    #[test]
    fn as10_a_comparison_shows_metrics_and_changed_verdicts() {
        let before = report(&[("entry", GOLD), ("retry", "src/b.py"), ("gone", GOLD)]);
        let after = report(&[("entry", "src/b.py"), ("retry", GOLD), ("new", GOLD)]);
        let compared = compare(&before, &after, 0);
        assert_eq!(compared.regressions().count(), 0, "one up, one down");
        expect![[r#"
            ## Comparison with the earlier report

            Questions answered in both: 2.

            | metric | before | after | |
            |---|---:|---:|---|
            | pass rate | 50.0% | 50.0% |  |
            | gold files in first 5 | 50.0% | 50.0% |  |
            | gold files in first 10 | 50.0% | 50.0% |  |
            | citation precision | 100.0% | 100.0% |  |
            | citation recall | 100.0% | 100.0% |  |
            | citation F1 | 100.0% | 100.0% |  |
            | grounding | 100.0% | 100.0% |  |
            | hallucination rate | 0.0% | 0.0% |  |
            | important reads | 100.0% | 100.0% |  |
            | trivial reads | 0 | 0 |  |
            | re-reads | 0 | 0 |  |
            | thrashing | 0.0% | 0.0% |  |
            | tool calls | 4 | 4 |  |
            | tokens | 0 | 0 |  |
            | important files | n/a | n/a |  |
            | important of all reads | n/a | n/a |  |
            | important in first 5 | n/a | n/a |  |
            | central files | n/a | n/a |  |
            | trivial per session | n/a | n/a |  |

            - onboarding/entry: pass → fail (cites no gold file)
            - onboarding/retry: fail → pass
            - onboarding/gone: answered only before
            - onboarding/new: answered only now
        "#]]
        .assert_eq(&compared.markdown());
    }

    #[test]
    fn as10_a_regression_is_worse_by_more_than_the_tolerance() {
        let before = report(&[("a", GOLD), ("b", GOLD), ("c", GOLD), ("d", GOLD)]);
        let after = report(&[("a", GOLD), ("b", GOLD), ("c", GOLD), ("d", "src/b.py")]);
        let names = |tolerance: u32, before: &Report, after: &Report| {
            let compared = compare(before, after, tolerance);
            compared.regressions().map(|change| change.metric.name()).collect::<Vec<_>>()
        };
        let gold = ["pass rate", "gold files in first 5", "gold files in first 10"];
        assert_eq!(names(24, &before, &after), gold);
        assert!(names(25, &before, &after).is_empty());
        assert!(names(0, &after, &before).is_empty(), "better is no regression");
        assert!(names(0, &before, &before).is_empty());
    }

    #[test]
    fn as10_directions_and_tolerances() {
        let check = |metric: Metric, before, after, tolerance, expected: &str| {
            let (compared, direction) = (ComparedMetric::Answers(metric), metric.direction());
            let change = metric_change(compared, direction, before, after, tolerance);
            assert_eq!(change.word(), expected);
        };
        let share = |percent: usize| Value::share(percent, 100);
        let count = |number: u64| Some(Value::count(number));
        check(Metric::Grounding, share(90), share(89), 2, "worse");
        check(Metric::Grounding, share(90), share(87), 2, "regression");
        check(Metric::Grounding, share(90), share(91), 0, "better");
        check(Metric::HallucinationRate, share(1), share(3), 1, "regression");
        check(Metric::HallucinationRate, share(3), share(1), 0, "better");
        check(Metric::ToolCalls, count(10), count(11), 10, "worse");
        check(Metric::ToolCalls, count(10), count(12), 10, "regression");
        check(Metric::ToolCalls, count(0), count(1), 100, "regression");
        check(Metric::Tokens, count(10), count(9), 0, "better");
        check(Metric::Grounding, None, share(1), 0, "n/a");
        check(Metric::Grounding, share(1), None, 0, "n/a");
        check(Metric::Grounding, None, None, 0, "");
    }

    #[test]
    fn as10_smart001_what_was_read_is_compared_if_the_same_was_asked() {
        let with = |asked: &[(&str, &str)], important: usize, trivial: u64| {
            let mut report = report(asked);
            let reading = &mut report.repositories[0].reading;
            reading.insert(ReadingMetric::Important, Value::share(important, 4));
            reading.insert(ReadingMetric::TrivialPerSession, Some(Value::count(trivial)));
            report
        };
        let changed = |before: &Report, after: &Report| -> Vec<(&'static str, &'static str)> {
            let compared = compare(before, after, 10);
            let changed = compared.metrics.iter().filter(|change| change.trend != Trend::Same);
            changed.map(|change| (change.metric.name(), change.word())).collect()
        };
        let before = with(&[("a", GOLD)], 3, 0);
        let worse = [("important files", "regression"), ("trivial per session", "regression")];
        assert_eq!(changed(&before, &with(&[("a", GOLD)], 2, 1)), worse);
        assert_eq!(changed(&before, &with(&[("a", GOLD)], 4, 0)), [("important files", "better")]);
        // With another question, other files are read.
        assert!(changed(&before, &with(&[("a", GOLD), ("b", GOLD)], 1, 9)).is_empty());
    }

    #[test]
    fn as10_a_skipped_question_is_not_compared() {
        let compared = compare(&report(&[("a", GOLD)]), &report(&[("a", GOLD)]), 0);
        assert_eq!((compared.questions, compared.verdicts.len()), (1, 0));
        assert!(compared.only_before.is_empty() && compared.only_after.is_empty());
    }
}
