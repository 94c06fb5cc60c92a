//! How much a reviewer should worry, and about what: from the verdict, the confidence of each part and what was planned.

use rb_core::Verdict;
use rb_core::plural;
use serde::Serialize;

use super::facts::Facts;
use super::suites::Tests;

/// Later is worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Level {
    /// Nothing changed.
    None,
    Low,
    Medium,
    High,
}

impl Level {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Level::None => "none",
            Level::Low => "low",
            Level::Medium => "medium",
            Level::High => "high",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Risk {
    pub(crate) level: Level,
    pub(crate) reasons: Vec<String>,
}

/// Below it a change is not sure at all; from the other on it is.
const UNSURE: u8 = 40;
const SURE: u8 = 70;

/// A task that was planned with so much risk, of 100, is named.
pub(crate) const RISKY: u8 = 60;

/// The worst of all reasons gives the level.
pub(crate) fn assess(facts: &Facts) -> Risk {
    if facts.files.is_empty() {
        let reasons = vec!["no file changes".to_owned()];
        return Risk { level: Level::None, reasons };
    }
    let mut found = vec![by_verdict(facts), by_confidence(facts)];
    let risky = facts.standing().filter(|task| task.history.task.risk_score >= RISKY).count();
    if risky > 0 {
        let words = format!("{} with a planned risk of {RISKY} or more", plural(risky, "task"));
        found.push((Level::Medium, words));
    }
    let breaking = facts
        .standing()
        .filter_map(|task| task.examination.as_ref())
        .flat_map(|it| &it.allowed)
        .filter(|change| change.breaking)
        .count();
    if breaking > 0 {
        let words = format!("{} of the public interface", plural(breaking, "breaking change"));
        found.push((Level::High, words));
    }
    let removed: usize = facts
        .standing()
        .filter_map(|task| task.examination.as_ref())
        .map(|it| it.removed().count())
        .sum();
    if removed > 0 {
        let is_seen = facts.history.state.unvouched().is_empty();
        let level = if is_seen { Level::Medium } else { Level::High };
        found.push((level, format!("{} with effects removed", plural(removed, "statement"))));
    }
    let edited = facts.history.state.changed_tests().len();
    if edited > 0 {
        found.push((
            Level::High,
            format!("tests changed by the agent in {}", plural(edited, "task")),
        ));
    }
    let failing = Tests::of(facts).after.map_or(0, |after| after.failed);
    if failing > 0 && facts.verdict() == Verdict::Pass {
        let failing = usize::try_from(failing).unwrap_or(usize::MAX);
        let words = format!("{} as before, so what they cover is not verified", fail(failing));
        found.push((Level::Medium, words));
    }
    if facts.history.suspicions > 0 {
        let words =
            format!("{} that may be a prompt injection", plural(facts.history.suspicions, "text"));
        found.push((Level::Medium, words));
    }
    if !facts.history.compared.differences.is_empty() {
        found.push((Level::High, "the checkout changed during the run".to_owned()));
    }
    let level = found.iter().map(|(level, _)| *level).max().unwrap_or(Level::Low);
    Risk { level, reasons: found.into_iter().map(|(_, words)| words).collect() }
}

fn fail(tests: usize) -> String {
    if tests == 1 { "1 test fails".to_owned() } else { format!("{tests} tests fail") }
}

fn by_verdict(facts: &Facts) -> (Level, String) {
    let (level, words) = match facts.verdict() {
        Verdict::Pass => (Level::Low, "the checks pass"),
        Verdict::NoVerifierRan => (Level::Medium, "no tests were run"),
        Verdict::Fail => (Level::High, "the checks fail"),
    };
    (level, words.to_owned())
}

fn by_confidence(facts: &Facts) -> (Level, String) {
    let files = facts.files.iter().map(|file| file.confidence.score).min().unwrap_or(0);
    let tasks = facts.standing().filter_map(|task| Some(task.confidence.as_ref()?.score)).min();
    let least = tasks.map_or(files, |tasks| tasks.min(files));
    let level = match least {
        SURE.. => Level::Low,
        UNSURE..SURE => Level::Medium,
        _ => Level::High,
    };
    (level, format!("lowest confidence: {least} of 100"))
}
