//! Where a run stands, in words for lists.

use rb_core::fs::{self, FsError};
use rb_plan::Plan;

use crate::event::Outcome;
use crate::state::{Phase, State};

impl State {
    /// In a word or two that do not change. `busy`: a process is working on the run.
    pub fn stands(&self, busy: bool) -> &'static str {
        match self.phase() {
            Phase::Ended(Outcome::Noop) if self.refusal().is_some() => "refused",
            Phase::Ended(Outcome::Noop) if self.is_unserved() => "not served",
            Phase::Ended(outcome) => outcome.words(),
            Phase::Unfinished | Phase::Landing if busy => "at work",
            Phase::Waiting | Phase::Planned | Phase::Approval(_) => "waiting for you",
            Phase::Landing => "landing cut off",
            Phase::Unfinished if self.never_began() => "could not begin",
            Phase::Unfinished => "resumable",
        }
    }

    /// The directive asks for what nothing here does.
    fn is_unserved(&self) -> bool {
        self.whole_plan().is_ok_and(|plan| plan.unserved.is_some())
    }

    /// The whole plan, with the sites that tasks lost since; an empty one where none was made.
    pub fn whole_plan(&self) -> Result<Plan, FsError> {
        let Some(file) = &self.plan else { return Ok(Plan::default()) };
        let mut plan: Plan = serde_json::from_slice(&fs::read(file)?).unwrap_or_default();
        plan.leftovers.extend(self.dropped_places());
        Ok(plan)
    }
}
