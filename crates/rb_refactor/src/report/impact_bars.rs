//! How many findings a run dealt with, by the impact of their rules.

use std::collections::BTreeMap;

use rb_core::{Task, plural};
use rb_html::chart::{Bar, Tone};
use rb_plan::Leftover;
use rb_rules::{Impact, engine};

/// A bar for each impact, the greatest first: the places of the tasks, and those that are in no task.
pub fn impact_bars(tasks: &[Task], leftovers: &[Leftover]) -> Vec<Bar> {
    let mut counts: BTreeMap<Impact, u64> = BTreeMap::new();
    for task in tasks {
        // A task of several rules does not say which place is whose: the greatest impact speaks for it.
        let impacts = task.rules.iter().filter_map(|id| engine::rule(id)).map(|rule| rule.impact);
        if let Some(impact) = impacts.min() {
            *counts.entry(impact).or_default() += places(task);
        }
    }
    for rule in leftovers.iter().filter_map(|left| engine::rule(&left.found_by)) {
        *counts.entry(rule.impact).or_default() += 1;
    }
    counts.into_iter().map(|(impact, count)| Bar::new(impact.name(), count, tone(impact))).collect()
}

/// How many places a task is about, as its goal ends: `… in src/a.js (3 places)`.
fn places(task: &Task) -> u64 {
    let end = task.goal.strip_suffix(')').and_then(|goal| goal.rsplit_once(" ("));
    let number = end.and_then(|(_, words)| words.split_once(' ')?.0.parse().ok());
    number
        .filter(|&number| task.goal.ends_with(&format!("({})", plural(number, "place"))))
        .map_or(1, |number| number as u64)
}

fn tone(impact: Impact) -> Tone {
    match impact {
        Impact::Critical | Impact::High => Tone::Bad,
        Impact::MediumHigh | Impact::Medium => Tone::Open,
        Impact::LowMedium | Impact::Low => Tone::Quiet,
    }
}

#[cfg(test)]
mod tests {
    use rb_core::{TaskId, TaskKind};

    use super::*;

    fn task(goal: &str, rules: &[&str]) -> Task {
        let mut task = Task::new(TaskId(1), goal, TaskKind::Change { format: None });
        task.rules = rules.iter().map(|&id| id.to_owned()).collect();
        task
    }

    fn left(found_by: &str) -> Leftover {
        Leftover {
            path: "a.js".to_owned(),
            line: 1,
            found_by: found_by.to_owned(),
            what: String::new(),
            reason: String::new(),
            suggestion: String::new(),
        }
    }

    #[test]
    fn ux4_findings_are_counted_not_the_rules_that_found_them() {
        let tasks = [
            task("async-parallel: awaits in a row in src (12 places)", &["async-parallel"]),
            task("js-early-exit: return early in a.js (1 place)", &["js-early-exit"]),
            task("do as f(x) says", &["async-parallel", "js-early-exit"]),
            task("no rule (7 places)", &[]),
        ];
        let leftovers = [left("js-early-exit"), left("js-early-exit"), left("hotspot")];
        let bars = impact_bars(&tasks, &leftovers);
        let shown: Vec<_> =
            bars.iter().map(|bar| (bar.name.as_str(), bar.value, bar.tone)).collect();
        assert_eq!(shown, [("CRITICAL", 13, Tone::Bad), ("LOW-MEDIUM", 3, Tone::Quiet)]);
    }
}
