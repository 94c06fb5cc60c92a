//! What a workflow brings: how its runs begin and end, its own events, its state, its world and its graph.
//!
//! Everything else is the same for all of them and lives here: the journal, the driver, the questions to models. A workflow never
//! has to be added to a list in this crate.

use std::fmt::{Debug, Display};

use rb_core::Cancel;
use rb_schema::Role;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::course::Course;
use crate::error::FlowError;
use crate::event::Event;
use crate::graph::Graph;
use crate::runs::Run;

/// Plain data that a journal can hold.
pub trait Data: Debug + Clone + PartialEq + Eq + Serialize + DeserializeOwned + Send {}

impl<T: Debug + Clone + PartialEq + Eq + Serialize + DeserializeOwned + Send> Data for T {}

/// A workflow, as a type without values.
pub trait Workflow: Debug + Clone + PartialEq + Eq + Sized + 'static {
    /// How a run begins: enough to go on with it in another process. Its JSON has the run's id as `run` and what kind of run it
    /// is as `workflow.name`, so that any reader can tell whose journal it is (`journal::head`).
    type Start: Data;
    /// The events that no other workflow has.
    type Event: WorkflowEvent;
    type Outcome: Data + Copy;
    type State: RunState<Self>;
    type World: World<Self>;
    type Error: RunFailure;

    /// The roles that models play in it.
    const ROLES: &'static [Role] = &[];

    /// What its runs are called in a journal: the values of `workflow.name`.
    const NAMES: &'static [&'static str];

    fn graph(start: &Self::Start) -> Graph<Self>;

    /// Where a run without a position goes on; `None` for the first node.
    fn entry(_state: &Self::State) -> Result<Option<&'static str>, String> {
        Ok(None)
    }

    /// Seconds of work after which no further node is begun.
    fn runtime_limit(_state: &Self::State) -> Option<u64> {
        None
    }

    /// Removes what nobody will go on with, after an error.
    fn leave(_state: &Self::State, _world: &mut Self::World) {}

    /// The error as a person should see it.
    fn explain(_state: &Self::State, _world: &Self::World, error: Self::Error) -> Self::Error {
        error
    }

    /// The state as `state.json` shows it, where there is one. A run goes on from its journal and never from this.
    fn picture(_state: &Self::State) -> Option<Value> {
        None
    }
}

/// An event of one workflow: an enum with the tag `event`.
pub trait WorkflowEvent: Data {
    /// Whether the event must survive a power cut before the run goes on.
    fn is_milestone(&self) -> bool {
        true
    }
}

/// What a journal says about a run.
pub trait RunState<W: Workflow>: Clone {
    fn new(start: W::Start) -> Self;

    fn start(&self) -> &W::Start;

    /// Folds an event. The course is folded last (`Course::take`), with the lap after the event.
    fn take(&mut self, event: &Event<W>);

    /// What a limited cycle is counted for: the task at hand. A change of it starts the count anew.
    fn lap(&self) -> String {
        String::new()
    }

    fn course(&self) -> &Course<W>;
}

/// What nodes have effects with.
pub trait World<W: Workflow> {
    fn run(&self) -> &Run;

    fn cancel(&self) -> &Cancel;

    /// Told after every event.
    fn follow(&mut self, _state: &W::State) {}

    /// An error that ends the process once what the node said is in the journal; the node is performed again on resume.
    fn stopped(&mut self) -> Option<W::Error> {
        None
    }
}

/// Why a run could not go on.
pub trait RunFailure: Display + From<FlowError> {
    /// Whether this is only the echo of a cancelled run in some call below.
    fn is_interruption(&self) -> bool;
}

impl RunFailure for FlowError {
    fn is_interruption(&self) -> bool {
        matches!(self, FlowError::Interrupted)
    }
}
