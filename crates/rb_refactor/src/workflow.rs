//! The refactor workflow as `rb_flow` drives it.

use std::path::Path;

use rb_core::Cancel;
use rb_core::fs;
use rb_flow::graph::{Graph, Node as _};
use rb_flow::{Run, Workflow};
use rb_schema::Role;
use rb_schema::roles::{critic, patcher, planner};
use serde_json::Value;

use crate::error::RunError;
use crate::event::{Mode, Outcome, RefactorEvent, RunStarted};
use crate::graph;
use crate::state::{Saved, State};
use crate::steps::{self, Decide};
use crate::world::World;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refactor;

impl Workflow for Refactor {
    type Start = RunStarted;
    type Event = RefactorEvent;
    type Outcome = Outcome;
    type State = State;
    type World = World;
    type Error = RunError;

    const NAMES: &'static [&'static str] = &["refactor", "plan", "verify", "rollback"];
    const ROLES: &'static [Role] = &[planner::ROLE, patcher::ROLE, critic::ROLE];

    fn graph(start: &RunStarted) -> Graph<Refactor> {
        graph::of(&start.workflow)
    }

    /// In a journal of before there was a graph, a run goes on where it waits.
    fn entry(state: &State) -> Result<Option<&'static str>, String> {
        if state.decision.is_some() || state.course.waiting {
            return Ok(Some(Decide::NAME));
        }
        if state.backup.is_some() || state.base.is_some() {
            return Err("it was started by an older version; reject it and start again".to_owned());
        }
        Ok(None)
    }

    fn runtime_limit(state: &State) -> Option<u64> {
        state.started.orders.max_runtime_s.filter(|_| !state.is_ending())
    }

    /// The worktree of a look goes, which is begun anew, and that of a run that has no backup.
    fn leave(state: &State, world: &mut World) {
        let is_look = matches!(state.started.workflow, Mode::Verify | Mode::Plan);
        let is_run = matches!(state.started.workflow, Mode::Refactor);
        if is_look || (is_run && state.base.is_some() && state.lacks_backup()) {
            // What cannot be removed is found by `runs gc`.
            let _ = steps::clean(state, world);
        }
    }

    fn explain(state: &State, world: &World, error: RunError) -> RunError {
        match error {
            RunError::Model(source) if matches!(state.started.workflow, Mode::Refactor) => {
                RunError::NoAnswer { run: world.run.id.clone(), error: Box::new(source) }
            }
            other => world.explained(other),
        }
    }

    fn picture(state: &State) -> Option<Value> {
        let saved = || serde_json::to_value(Saved::of(state)).expect("plain data");
        state.started.orders.plans.then(saved)
    }
}

impl World {
    /// Git has many words for a full disk; the disk itself has one.
    pub(crate) fn explained(&self, error: RunError) -> RunError {
        const HARDLY_ANY: u64 = 1 << 20;
        let home = self.context.home.root();
        let free = |at: &&Path| fs::free_space(at).unwrap_or(u64::MAX);
        let tightest = [home, self.repo.common_dir.as_path()].into_iter().min_by_key(free);
        let tightest = tightest.expect("there are two places");
        let is_full =
            error.is_disk_full() || (error.git_error().is_some() && free(&tightest) < HARDLY_ANY);
        if !is_full {
            return error;
        }
        let at = error.fs_error().map_or(tightest, |error| error.path.as_path());
        RunError::DiskFull { is_home: at.starts_with(home), at: at.to_owned() }
    }
}

impl rb_flow::World<Refactor> for World {
    fn run(&self) -> &Run {
        &self.run
    }

    fn cancel(&self) -> &Cancel {
        &self.context.cancel
    }

    fn follow(&mut self, state: &State) {
        self.stand_at(state.base.as_ref().map(|base| base.commit.as_str()), state.tip());
    }

    fn stopped(&mut self) -> Option<RunError> {
        self.stopped.take()
    }
}
