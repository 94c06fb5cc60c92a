//! The state as `state.json` shows it: what the agents share, by the names that they know it by.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rb_core::{RunId, Task, TaskId, Verdict};
use rb_workspace::ledger::LedgerEntry;
use serde::Serialize;

use super::{AgentError, Proposal, State};

/// A picture of the state for people and programs. A run goes on from its journal and never from this.
#[derive(Debug, Serialize)]
pub struct Saved<'s> {
    pub run: &'s RunId,
    /// The node that is under way.
    pub node: Option<&'s str>,
    pub directive: Option<&'s str>,
    pub is_react_project: bool,
    pub active_rules: &'s [String],
    pub task_tree: &'s [Task],
    /// Task to the file of what a model was shown.
    pub context_bundles: BTreeMap<String, &'s PathBuf>,
    /// Proposals that were made and not yet tried.
    pub proposals: BTreeMap<String, &'s Proposal>,
    /// What became of each task, with its commit: the diffs of the run.
    pub diffs: &'s [LedgerEntry],
    pub audit_results: BTreeMap<String, Verdict>,
    pub test_results: TestResults,
    pub pr_output: Option<&'s PathBuf>,
    pub errors: &'s [AgentError],
    pub retry_counts: BTreeMap<String, u32>,
    pub aborted: Option<&'s str>,
}

#[derive(Debug, Serialize)]
pub struct TestResults {
    pub baseline: Option<Verdict>,
    pub tasks: BTreeMap<String, Verdict>,
    pub whole: Option<Verdict>,
}

fn by_name<T>(pairs: impl Iterator<Item = (TaskId, T)>) -> BTreeMap<String, T> {
    pairs.map(|(task, value)| (task.to_string(), value)).collect()
}

impl<'s> Saved<'s> {
    pub fn of(state: &'s State) -> Saved<'s> {
        let tests = state.change.ledger.iter().map(|entry| (entry.task, entry.verdict));
        let audited = state.change.current.iter().filter_map(|it| Some((it.task, it.audited?)));
        let passed = state.change.ledger.iter().filter(|entry| entry.commit.is_some());
        let passed = passed.map(|entry| (entry.task, Verdict::Pass));
        Saved {
            run: &state.started.run,
            node: state.course.position.at(),
            directive: state.started.orders.directive.as_deref(),
            is_react_project: state.is_react_project,
            active_rules: &state.active_rules,
            task_tree: &state.tasks,
            context_bundles: by_name(state.packs.iter().map(|(task, file)| (*task, file))),
            proposals: by_name(state.proposals.iter().map(|(task, proposal)| (*task, proposal))),
            diffs: &state.change.ledger,
            audit_results: by_name(passed.chain(audited)),
            test_results: TestResults {
                baseline: state.change.baseline,
                tasks: by_name(tests),
                whole: state.change.verified_in_full,
            },
            pr_output: state.report.as_ref(),
            errors: &state.errors,
            retry_counts: by_name(state.retry_counts.iter().map(|(task, count)| (*task, *count))),
            aborted: state.aborted.as_deref(),
        }
    }
}
