//! The ticket workflow: a change is implemented, verified by the repository's tests and in a browser, fixed if need be, and written up.
//!
//! Agents propose, each with a fresh context: `implementer`, `fixer`, `verifier` (which checks to try) and `pr_writer` (words). Whether
//! a change stays is decided by the steps of `rb_change` and by what the browser saw.

mod assign;
mod conclude;
mod edit_tools;
pub mod event;
mod fixer;
mod implementer;
mod pr_writer;
mod prompt;
mod propose;
mod recover;
mod start;
pub mod state;
mod verifier;
mod world;

use rb_change::{
    Apply, Auditor, BackUp, Baseliner, ChangeOptions, ChangeWorld, Changes, Clean, Compare, Decide,
    Decision, IndexNeeds, Land, MakeWorktree, PlanRollback, RollBack, Target, Undone, Validator,
    WholeValidator, is_disk_full,
};
use rb_core::RunId;
use rb_flow::graph::{Drawing, Graph};
use rb_flow::{Log, Workflow};
use rb_schema::Role;
use rb_schema::roles::{fix_agent, impl_agent, pr_agent, verify_agent};
use rb_workspace::preflight::Preflight;

use self::assign::Assign;
use self::conclude::{Close, Finish, Keep};
use self::event::{Mode, Orders, Outcome, Start, TicketEvent};
use self::fixer::Fixer;
use self::implementer::Implementer;
use self::pr_writer::PrWriter;
use self::recover::Recover;
use self::state::State;
use self::verifier::Verifier;
use self::world::World;
use crate::error::TicketError;
use crate::ticket::Ticket;

pub use pr_writer::{hosted, record_branch};
pub use start::{StartOptions, resume, start, summary};

pub type Context = rb_change::Context<Ticketing>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticketing;

impl Ticketing {
    /// Its graph, to be drawn.
    pub fn drawing() -> Drawing {
        graph().drawing()
    }
}

impl Workflow for Ticketing {
    type Start = Start;
    type Event = TicketEvent;
    type Outcome = Outcome;
    type State = State;
    type World = World;
    type Error = TicketError;

    const NAMES: &'static [&'static str] = &["ticket", "ticket_rollback"];
    const ROLES: &'static [Role] =
        &[impl_agent::ROLE, verify_agent::ROLE, fix_agent::ROLE, pr_agent::ROLE];

    fn graph(start: &Start) -> Graph<Ticketing> {
        match start.workflow {
            Mode::Ticket => graph(),
            Mode::TicketRollback { .. } => rollback(),
        }
    }

    /// The worktree of a run that has no backup goes.
    fn leave(state: &State, world: &mut World) {
        if state.change.base.is_some() && state.lacks_backup() {
            // What cannot be removed is found by `runs gc`.
            let _ = rb_change::clean(&state.change, &mut world.change);
        }
    }

    fn explain(_: &State, world: &World, error: TicketError) -> TicketError {
        match error {
            TicketError::Model(source) => {
                TicketError::NoAnswer { run: world.change.run.id.clone(), error: Box::new(source) }
            }
            TicketError::Change(error) => world.change.explained(error).into(),
            other if is_disk_full(&other) => world.change.disk_full(None).into(),
            other => other,
        }
    }
}

impl Changes for Ticketing {
    const REJECTED: Outcome = Outcome::Rejected;

    fn target(start: &Start) -> Target {
        Target { repo: start.repo.clone(), kind: start.kind, folder: start.scope.clone() }
    }

    fn options(_: &Context, start: &Start) -> ChangeOptions {
        let Orders { diff_budget, includes, excludes, verify, .. } = &*start.orders;
        ChangeOptions {
            folder: start.scope.clone(),
            includes: includes.clone(),
            excludes: excludes.clone(),
            diff_budget: *diff_budget,
            allow_dirty: start.allow_dirty,
            verify: verify.as_deref().cloned(),
            approve_each: false,
            index: IndexNeeds { history: false, search: true },
        }
    }

    fn world(context: &Context, log: Log<Ticketing>, change: ChangeWorld) -> World {
        World { change, log, models: context.models.clone(), stopped: None }
    }

    fn start_of_rollback(run: RunId, target: &Preflight, of: Undone) -> Start {
        let Undone { of, insist } = of;
        let mode = Mode::TicketRollback { of, insist };
        let start = Start::new(run, mode, target, Ticket::empty(), Orders::default());
        Start { scope: None, allow_dirty: true, ..start }
    }

    fn undone(start: &Start) -> Option<Undone> {
        match &start.workflow {
            Mode::TicketRollback { of, insist } => Some(Undone { of: of.clone(), insist: *insist }),
            Mode::Ticket => None,
        }
    }
}

fn graph() -> Graph<Ticketing> {
    let graph = Graph::new("ticket")
        .node::<MakeWorktree>()
        .then::<BackUp>()
        .node::<BackUp>()
        .when::<Baseliner>("verification is on", State::verifies)
        .then::<Assign>()
        .node::<Baseliner>()
        .when::<PrWriter>("it fails", State::baseline_stops)
        .then::<Assign>()
        .node::<Assign>()
        .when::<Fixer>("the last look found issues", State::is_fix)
        .then::<Implementer>();
    ending(task(graph))
}

/// One task: an agent's change, judged.
fn task(graph: Graph<Ticketing>) -> Graph<Ticketing> {
    let mut graph = graph;
    graph = proposed(graph.node::<Implementer>());
    graph = proposed(graph.node::<Fixer>());
    graph
        .node::<Apply>()
        .when::<Close>("nothing to change", State::is_nothing)
        .when::<Recover>("it was refused", State::has_failed)
        .then::<Auditor>()
        .node::<Auditor>()
        .again::<Apply>("it fails with its mends", State::fails_with_mends, State::attempts)
        .when::<Recover>("it fails", State::has_failed)
        .when::<Validator>("verification is on", State::verifies)
        .then::<Keep>()
        .node::<Validator>()
        .again::<Apply>("it fails with its mends", State::fails_with_mends, State::attempts)
        .when::<Recover>("it fails", State::has_failed)
        .then::<Keep>()
        .node::<Keep>()
        .then::<Verifier>()
        .node::<Recover>()
        .when::<Close>("no try is left", State::is_given_up)
        .again::<Fixer>("the fix is tried again", State::is_fix, tries)
        .again::<Implementer>("the implementation is tried again", |_| true, tries)
        .then::<Close>()
        .node::<Close>()
        .when::<WholeValidator>("there are changes to verify", verifies_a_change)
        .then::<Compare>()
        .node::<Verifier>()
        .again::<Assign>("it found issues", State::wants_fix, |_| 1)
        .when::<WholeValidator>("there are changes to verify", verifies_a_change)
        .then::<Compare>()
}

fn proposed(graph: Graph<Ticketing>) -> Graph<Ticketing> {
    graph
        .when::<Close>("nothing to change", State::is_nothing)
        .when::<Recover>("it failed", State::has_failed)
        .then::<Apply>()
}

/// What follows the last task.
fn ending(graph: Graph<Ticketing>) -> Graph<Ticketing> {
    graph
        .node::<WholeValidator>()
        .then::<Compare>()
        .node::<Compare>()
        .then::<PrWriter>()
        .node::<PrWriter>()
        .when::<Decide>("a decision is needed", |state| state.change.has_changes())
        .then::<Clean>()
        .node::<Decide>()
        .waits_while(|state| state.change.decision.is_none())
        .when::<Land>("accepted", |state| state.change.decision == Some(Decision::Accept))
        .then::<Clean>()
        .node::<Land>()
        .when::<Decide>("your files changed meanwhile", |state| state.change.decision.is_none())
        .then::<Clean>()
        .node::<Clean>()
        .then::<Finish>()
        .node::<Finish>()
        .end()
}

fn rollback() -> Graph<Ticketing> {
    Graph::new("ticket_rollback")
        .node::<BackUp>()
        .then::<PlanRollback>()
        .node::<PlanRollback>()
        .then::<RollBack>()
        .node::<RollBack>()
        .then::<Finish>()
        .node::<Finish>()
        .end()
}

fn tries(state: &State) -> u32 {
    state.start.orders.max_tries
}

fn verifies_a_change(state: &State) -> bool {
    state.verifies() && state.change.has_changes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk2_the_graphs_are_sound() {
        for graph in [graph(), rollback()] {
            assert_eq!(graph.faults(), Vec::<String>::new(), "{}", graph.name);
        }
    }
}
