//! Whether a run leaves a part of its directive undone: its title says so, and its exit code.
//!
//! A place that a recipe leaves with a reason is no such part, nor is a site that a task lost when it was tried with less to do. They
//! are listed in the report.

use rb_change::Changing as _;
use rb_core::{Proposer, Task};
use rb_plan::Plan;
use rb_workspace::ledger::{LedgerEntry, TaskStatus};

use crate::event::Mode;
use crate::state::State;

impl State {
    /// Whether a task came to nothing, a planner dropped tasks, or nothing serves a part of the directive.
    pub fn leaves_undone(&self, plan: &Plan) -> bool {
        let is_directed = self.started.orders.directive.is_some();
        let is_asked_for = is_directed && matches!(self.started.workflow, Mode::Refactor);
        let has_failed = || self.change.ledger.iter().any(|entry| self.is_undone(entry));
        is_asked_for && (plan.unserved.is_some() || self.planner_dropped || has_failed())
    }

    fn is_undone(&self, entry: &LedgerEntry) -> bool {
        match entry.status {
            TaskStatus::Applied | TaskStatus::Noop => false,
            TaskStatus::Skipped => !self.was_refused_by_hand(entry),
            TaskStatus::Refused => true,
            TaskStatus::RolledBack => !self.is_planned_anew(entry),
        }
    }

    /// Whether a later task does what one that was taken back did, at least for some of its files.
    fn is_planned_anew(&self, entry: &LedgerEntry) -> bool {
        let Some(task) = self.task(entry.task) else { return false };
        let shares_files = |later: &Task| later.files.iter().any(|it| task.files.contains(it));
        let mut later = self.tasks.iter().filter(|later| later.id > task.id);
        later.any(|later| later.by == task.by && shares_files(later))
    }
}

/// Whether a refined plan lacks tasks whose change the program knows, or all that only a model can do. That a model has other tasks
/// for itself than those that the search came up with is what it is asked for.
pub(super) fn drops_tasks(before: &[Task], after: &[Task]) -> bool {
    let count = |tasks: &[Task], task: &Task| {
        tasks.iter().filter(|it| it.by == task.by && it.files == task.files).count()
    };
    let has_model = |tasks: &[Task]| tasks.iter().any(|it| it.by == Proposer::Model);
    let is_new = |task: &Task| task.by.is_computed() && count(before, task) == 0;
    // Operations that a model made of the directive are another plan.
    if after.iter().any(is_new) {
        return false;
    }
    let mut computed = before.iter().filter(|task| task.by.is_computed());
    computed.any(|task| count(before, task) > count(after, task))
        || (has_model(before) && !has_model(after))
}

#[cfg(test)]
mod tests {
    use rb_core::{RepoPath, TaskId, TaskKind};

    use super::*;

    fn task(id: u32, by: &Proposer, file: &str) -> Task {
        let files = vec![RepoPath::new(file).unwrap()];
        let kind = TaskKind::Change { format: None };
        Task { by: by.clone(), files, ..Task::new(TaskId(id), "Tidy up", kind) }
    }

    #[test]
    fn rf3_rf5_a_plan_that_lost_tasks_is_told_from_one_that_was_refined() {
        let rule = Proposer::Rule { id: "no-send".to_owned() };
        let (model, other) = (Proposer::Model, Proposer::Rule { id: "operations".to_owned() });
        let (by_rule, by_model) = (task(1, &rule, "a.js"), task(2, &model, "b.js"));
        let before = [by_rule.clone(), by_model.clone()];
        let check = |after: &[Task], expected: bool| {
            assert_eq!(drops_tasks(&before, after), expected, "{after:?}");
        };
        check(&before, false);
        // In another order, with other words and other files for the model.
        let renamed = Task { id: TaskId(2), goal: "Clean up".to_owned(), ..by_rule.clone() };
        check(&[task(1, &model, "c.js"), renamed], false);
        // What a rule does, or all that is left to a model.
        check(std::slice::from_ref(&by_model), true);
        check(std::slice::from_ref(&by_rule), true);
        check(&[], true);
        // Another plan.
        check(&[task(1, &other, "a.js")], false);
        assert!(!drops_tasks(&[], &before) && !drops_tasks(&[], &[]));
        let twice = [by_rule.clone(), Task { id: TaskId(2), ..by_rule.clone() }];
        assert!(drops_tasks(&twice, &[by_rule]));
    }
}
