//! The refactor workflow as `rb_flow` drives it.

use rb_change::{
    ChangeOptions, ChangeWorld, Changes, Decide, IndexNeeds, Target, Undone, is_disk_full,
};
use rb_core::RunId;
use rb_flow::graph::Graph;
use rb_flow::{Log, Workflow};
use rb_schema::Role;
use rb_schema::roles::{critic, patcher, planner, translator};
use rb_workspace::preflight::{Dirty, Preflight};
use serde_json::Value;

use crate::Context;
use crate::error::RunError;
use crate::event::{Mode, Orders, Outcome, RefactorEvent, RunStarted};
use crate::graph;
use crate::state::{Saved, State};
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
    const ROLES: &'static [Role] = &[translator::ROLE, planner::ROLE, patcher::ROLE, critic::ROLE];

    fn graph(start: &RunStarted) -> Graph<Refactor> {
        graph::of(&start.workflow)
    }

    /// In a journal of before there was a graph, a run goes on where it waits.
    fn entry(state: &State) -> Result<Option<&'static str>, String> {
        if state.change.decision.is_some() || state.course.waiting {
            return Ok(Some(Decide::NAME));
        }
        if state.change.backup.is_some() || state.change.base.is_some() {
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
        if is_look || (is_run && state.change.base.is_some() && state.lacks_backup()) {
            // What cannot be removed is found by `runs gc`.
            let _ = rb_change::clean(&state.change, &mut world.change);
        }
    }

    fn explain(state: &State, world: &World, error: RunError) -> RunError {
        match error {
            RunError::Model(source) if matches!(state.started.workflow, Mode::Refactor) => {
                RunError::NoAnswer { run: world.change.run.id.clone(), error: Box::new(source) }
            }
            RunError::Change(error) => world.change.explained(error).into(),
            other if is_disk_full(&other) => world.change.disk_full(None).into(),
            other => other,
        }
    }

    fn picture(state: &State) -> Option<Value> {
        let saved = || serde_json::to_value(Saved::of(state)).expect("plain data");
        state.started.orders.plans.then(saved)
    }
}

impl Changes for Refactor {
    const REJECTED: Outcome = Outcome::Rejected;

    fn target(start: &RunStarted) -> Target {
        let RunStarted { repo, kind, scope, .. } = start;
        Target { repo: repo.clone(), kind: *kind, folder: scope.clone() }
    }

    fn options(context: &Context, start: &RunStarted) -> ChangeOptions {
        let Orders { plans, directive, includes, approve_each, agent, .. } = &*start.orders;
        let is_proposed = context.models.is_some() || agent.is_some();
        ChangeOptions {
            folder: start.scope.clone(),
            includes: includes.clone(),
            excludes: start.excludes.clone(),
            diff_budget: start.diff_budget,
            allow_dirty: start.allow_dirty,
            verify: start.verify.as_deref().cloned(),
            approve_each: *approve_each,
            index: IndexNeeds {
                history: *plans,
                // A model or an agent works on files that a directive's words lead to, so that they must be found.
                search: directive.is_some() && is_proposed,
            },
        }
    }

    fn world(context: &Context, log: Log<Refactor>, change: ChangeWorld) -> World {
        World { change, log, models: context.models.clone(), plan: None, stopped: None }
    }

    fn start_of_rollback(run: RunId, target: &Preflight, of: Undone) -> RunStarted {
        let Undone { of, insist } = of;
        let scope = None;
        RunStarted {
            scope,
            ..RunStarted::new(run, Mode::Rollback { of, insist }, target, Dirty::Carry)
        }
    }

    fn undone(start: &RunStarted) -> Option<Undone> {
        match &start.workflow {
            Mode::Rollback { of, insist } => Some(Undone { of: of.clone(), insist: *insist }),
            Mode::Refactor | Mode::Plan | Mode::Verify => None,
        }
    }
}
