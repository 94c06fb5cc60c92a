//! The ask workflow: a question that a model explores with tools, checked citation by citation, and asked again once if that fails.
//!
//! `prepare` looks up what is known, `explore` has a model find the answer (led by `guide`), `check` holds its draft against the
//! lines that were really shown, `finish` writes the answer. A run that was killed goes on where it was: model answers are in its
//! folder, tools run again on the same files, and what they showed is kept beside the answers.

mod check;
pub mod event;
mod explore;
mod finish;
mod needs;
mod prepare;
mod prompt;
mod run_files;
mod start;
mod state;
#[cfg(test)]
mod tests;
mod world;

use rb_flow::Workflow;
use rb_flow::graph::{Drawing, Graph};
use rb_schema::Role;
use rb_schema::roles::explorer;
use serde_json::Value;

use crate::error::AskError;
use check::Check;
use event::{AskEvent, Start};
use explore::Explore;
use finish::Finish;
use prepare::Prepare;
use state::Saved;

pub use crate::guide::reflection::{Measure, Recommendation};
pub use event::{Explored, Outcome};
pub use run_files::AskFiles;
pub use start::{Context, StartOptions, resume, start, summary};
pub use state::State;
pub use world::World;

/// What its runs are called.
pub(crate) const NAME: &str = "ask";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask;

impl Ask {
    /// Its graph, to be drawn.
    pub fn drawing() -> Drawing {
        graph().drawing()
    }
}

impl Workflow for Ask {
    type Start = Start;
    type Event = AskEvent;
    type Outcome = Outcome;
    type State = State;
    type World = World;
    type Error = AskError;

    const ROLES: &'static [Role] = &[explorer::ROLE];
    const NAMES: &'static [&'static str] = &[NAME];

    fn graph(_: &Start) -> Graph<Ask> {
        graph()
    }

    fn explain(_: &State, world: &World, error: AskError) -> AskError {
        match error {
            AskError::Model(error) => {
                AskError::NoAnswer { run: world.run.id.clone(), error: Box::new(error) }
            }
            AskError::Flow(_)
            | AskError::Index(_)
            | AskError::Tool(_)
            | AskError::NoAnswer { .. }
            | AskError::Fence(_)
            | AskError::Fs(_) => error,
        }
    }

    fn picture(state: &State) -> Option<Value> {
        Some(serde_json::to_value(Saved::of(state)).expect("plain data"))
    }
}

fn graph() -> Graph<Ask> {
    Graph::new(NAME)
        .node::<Prepare>()
        .then::<Explore>()
        .node::<Explore>()
        .then::<Check>()
        .node::<Check>()
        .again::<Explore>("citations or claims failed", |state| !state.faults.is_empty(), |_| 1)
        .then::<Finish>()
        .node::<Finish>()
        .end()
}
