//! Tests that a model or an agent changed. A test that it weakened cannot vouch for its change, so a person has to look first.

use rb_core::{Proposer, TaskId};
use rb_index::test_links::is_test_path;
use rb_workspace::ledger::LedgerEntry;

use crate::changes::Changing;

/// The tasks of models and agents whose changes stand and touch tests.
pub fn changed_tests(state: &impl Changing) -> Vec<TaskId> {
    let is_proposed = |id: TaskId| state.task(id).is_some_and(|it| it.by == Proposer::Model);
    let touches = |entry: &&LedgerEntry| {
        entry.touched_files.iter().any(|path| is_test_path(&path.to_string()))
    };
    let standing = state.change().ledger.iter().filter(|entry| entry.commit.is_some());
    let tests = standing.filter(|entry| is_proposed(entry.task)).filter(touches);
    tests.map(|entry| entry.task).collect()
}
