//! What a run did not do, and why: tasks that came to nothing, places that no task is about, and sites that a task lost when it was
//! tried again with less to do.

use rb_core::plural;
use rb_plan::{Leftover, Unserved};
use rb_workspace::ledger::TaskStatus;
use serde::Serialize;

use super::facts::{Facts, TaskFacts};
use super::run_history::Try;

#[derive(Debug, Serialize)]
pub(crate) struct Leftovers {
    /// In the order of the plan.
    pub(crate) tasks: Vec<LeftTask>,
    pub(crate) places: Vec<Leftover>,
    /// What of the directive nothing here can do.
    pub(crate) unserved: Option<Unserved>,
}

#[derive(Debug, Serialize)]
pub(crate) struct LeftTask {
    pub(crate) task: String,
    pub(crate) goal: String,
    #[serde(skip)]
    pub(crate) title: String,
    pub(crate) how: How,
    pub(crate) reasons: Vec<String>,
    /// Of every try that failed, what was wrong with it.
    pub(crate) failed_tries: Vec<String>,
}

/// How a task came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum How {
    Refused,
    Skipped,
    RolledBack,
    NothingToDo,
    NotTried,
}

impl How {
    pub(crate) fn words(self) -> &'static str {
        match self {
            How::Refused => "refused",
            How::Skipped => "skipped",
            How::RolledBack => "reverted",
            How::NothingToDo => "nothing to do",
            How::NotTried => "not attempted",
        }
    }
}

impl Leftovers {
    /// What is still to be done, in words.
    pub(crate) fn open(&self) -> Option<String> {
        let tasks = self.tasks.iter().filter(|task| task.how != How::NothingToDo).count();
        let places = self.places.len();
        let parts = [
            (tasks > 0).then(|| format!("{} not completed", plural(tasks, "task"))),
            (places > 0).then(|| format!("{} not changed", plural(places, "place"))),
        ];
        let words: Vec<String> = parts.into_iter().flatten().collect();
        (!words.is_empty()).then(|| words.join(" and "))
    }

    pub(crate) fn of(facts: &Facts) -> Leftovers {
        let mut places = facts.plan.as_ref().map(|plan| plan.leftovers.clone()).unwrap_or_default();
        places.extend(facts.history.state.dropped.iter().cloned());
        places.sort_by(|a, b| (!a.is_open_injection(), a).cmp(&(!b.is_open_injection(), b)));
        places.dedup();
        Leftovers {
            tasks: facts.tasks.iter().filter_map(left).collect(),
            places,
            unserved: facts.plan.as_ref().and_then(|plan| plan.unserved.clone()),
        }
    }
}

/// Nothing for a task whose change stands.
fn left(task: &TaskFacts) -> Option<LeftTask> {
    let how = how(task)?;
    let mut reasons = task.entry().map(|entry| entry.reasons.clone()).unwrap_or_default();
    if reasons.is_empty() {
        let last = task.history.tries.last();
        reasons = last.map(|failed| failed.reasons.clone()).unwrap_or_default();
    }
    let failed_tries = task.history.tries.iter().map(Try::words).collect();
    Some(LeftTask {
        task: task.id().to_string(),
        goal: task.history.task.goal.clone(),
        title: task.history.task.title(),
        how,
        reasons,
        failed_tries,
    })
}

fn how(task: &TaskFacts) -> Option<How> {
    match task.entry().map(|entry| entry.status) {
        Some(TaskStatus::Applied) => None,
        Some(TaskStatus::Noop) => Some(How::NothingToDo),
        Some(TaskStatus::Refused) => Some(How::Refused),
        Some(TaskStatus::Skipped) => Some(How::Skipped),
        Some(TaskStatus::RolledBack) => Some(How::RolledBack),
        None => Some(How::NotTried),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;

    #[test]
    fn rf9_open_injections_are_the_first_places_of_the_report() {
        let place = |path: &str, reason: &str| Leftover {
            path: path.to_owned(),
            line: 1,
            found_by: "sql-parameters".to_owned(),
            what: "id".to_owned(),
            reason: reason.to_owned(),
            suggestion: String::new(),
        };
        let mut facts = samples::good().facts();
        facts.plan.get_or_insert_default().leftovers = vec![
            place("a.js", "the driver is not known"),
            place("z.js", "open SQL injection: `req.query.sort` reaches the query in z.js:1; …"),
        ];
        let paths: Vec<String> =
            Leftovers::of(&facts).places.into_iter().map(|it| it.path).collect();
        assert_eq!(paths, ["z.js", "a.js"]);
    }
}
