//! What a run did, in numbers: for the last page on the terminal, `--json` and the report in the run's folder.

use std::path::PathBuf;

use rb_core::RunId;
use serde::Serialize;

use super::event::{Commit, Outcome, Place};
use super::state::{DecisionRecord, State, TestRecord};
use crate::constraint::{Constraint, ConstraintKind, Violation};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    pub run: RunId,
    pub kata: String,
    pub language: &'static str,
    pub folder: PathBuf,
    /// The branch that holds the commits, where the repository existed before.
    pub branch: Option<String>,
    pub outcome: Option<Outcome>,
    /// Why it ended, in a sentence.
    pub reason: String,
    pub cycles: u32,
    pub max_cycles: u32,
    pub tests: Vec<TestRecord>,
    pub commits: Vec<Commit>,
    pub overshoots: u32,
    /// Proposals that were refused.
    pub refused: usize,
    pub interventions: usize,
    pub recoveries: u32,
    pub decisions: Vec<DecisionRecord>,
    /// Constraints that the code still breaks.
    pub violations: Vec<Violation>,
    /// Constraints that only a model judged.
    pub judged: Vec<Constraint>,
    /// What a reader should know, such as inputs of tests that the code spells out.
    pub remarks: Vec<String>,
    pub tokens: u64,
    /// `None` where a price is unknown.
    pub usd: Option<String>,
}

impl Summary {
    /// `tokens` and `usd` come from the ledger of the run.
    pub fn of(state: &State, tokens: u64, usd: Option<String>) -> Summary {
        let start = &state.start;
        let branch = match &start.place {
            Place::NewRepository { .. } => None,
            Place::Worktree { branch, .. } => Some(branch.clone()),
        };
        let folder = match &start.place {
            Place::NewRepository { folder } => folder.clone(),
            Place::Worktree { checkout, .. } => checkout.clone(),
        };
        let is_judged = |constraint: &&Constraint| constraint.kind == ConstraintKind::Judged;
        Summary {
            run: start.run.clone(),
            kata: start.kata.title.clone(),
            language: start.runner.title(),
            folder,
            branch,
            outcome: state.course.outcome,
            reason: reason(state),
            cycles: state.cycles(),
            max_cycles: start.max_cycles,
            tests: state.tests.clone(),
            commits: state.commits.clone(),
            overshoots: state.overshoots,
            refused: state.refusals.len(),
            interventions: state.decisions.len(),
            recoveries: state.recoveries,
            decisions: state.decisions.clone(),
            violations: state.violations.clone(),
            judged: start.kata.constraints.iter().filter(is_judged).cloned().collect(),
            remarks: remarks(state),
            tokens,
            usd,
        }
    }
}

fn reason(state: &State) -> String {
    let last = state.decisions.last().map(|decision| decision.reason.trim().to_owned());
    match state.course.outcome {
        Some(Outcome::Complete | Outcome::Stopped) => last.unwrap_or_default(),
        Some(Outcome::CyclesUsedUp) => {
            format!("all {} cycles are used up", state.start.max_cycles)
        }
        None => state.course.left_off.clone().unwrap_or_default(),
    }
}

/// Remarks on commits and notes of the run, each once.
fn remarks(state: &State) -> Vec<String> {
    let of_commits = state.commits.iter().flat_map(|commit| &commit.remarks);
    let mut remarks: Vec<String> = Vec::new();
    for remark in of_commits.chain(&state.course.notes) {
        if !remarks.contains(remark) {
            remarks.push(remark.clone());
        }
    }
    remarks
}
