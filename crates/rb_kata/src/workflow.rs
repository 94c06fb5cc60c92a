//! The kata workflow: Tester, Implementer, Refactorer and Supervisor propose; the steps between them prove, commit or refuse.
//!
//! `Phase` in `state` says what comes next. Only `commit` commits, and only a tree whose tests passed.

mod commit;
pub mod event;
mod finish;
mod implementer;
mod keep_test;
mod proposal;
mod prove_code;
mod prove_refactoring;
mod prove_test;
mod refactorer;
mod set_up;
mod start;
pub mod state;
pub mod summary;
mod supervisor;
mod tester;
#[cfg(test)]
mod tests;
mod world;

use rb_flow::Workflow;
use rb_flow::graph::{Drawing, Graph};
use rb_schema::Role;
use rb_schema::roles;
use serde_json::Value;

use self::event::{KataEvent, Start};
use self::finish::Finish;
use self::implementer::Implementer;
use self::keep_test::KeepTest;
use self::prove_code::ProveCode;
use self::prove_refactoring::ProveRefactoring;
use self::prove_test::ProveTest;
use self::refactorer::Refactorer;
use self::set_up::SetUp;
use self::state::Phase;
use self::supervisor::Supervisor;
use self::tester::Tester;
use crate::error::KataError;

pub use event::Outcome;
pub use start::{Context, Plan, StartOptions, plan, resume, start, state_of};
pub use state::State;
pub use world::World;

/// What its runs are called.
pub(crate) const NAME: &str = "kata";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kata;

impl Kata {
    /// Its graph, to be drawn.
    pub fn drawing() -> Drawing {
        graph().drawing()
    }
}

impl Workflow for Kata {
    type Start = Start;
    type Event = KataEvent;
    type Outcome = Outcome;
    type State = State;
    type World = World;
    type Error = KataError;

    const ROLES: &'static [Role] = &[
        roles::tester::ROLE,
        roles::implementer::ROLE,
        roles::refactorer::ROLE,
        roles::supervisor::ROLE,
    ];
    const NAMES: &'static [&'static str] = &[NAME];

    fn graph(_: &Start) -> Graph<Kata> {
        graph()
    }

    fn explain(_: &State, world: &World, error: KataError) -> KataError {
        match error {
            KataError::Model(error) => {
                KataError::NoAnswer { run: world.run.id.clone(), error: Box::new(error) }
            }
            error => error,
        }
    }

    fn picture(state: &State) -> Option<Value> {
        let summary = summary::Summary::of(state, 0, None);
        Some(serde_json::to_value(summary).expect("plain data"))
    }
}

fn graph() -> Graph<Kata> {
    Graph::new(NAME)
        .node::<SetUp>()
        .when::<Tester>("a cycle begins", is_tester)
        .then::<Finish>()
        .node::<Tester>()
        .when::<ProveTest>("a test is proposed", |state| {
            matches!(state.phase, Phase::ProveTest { .. })
        })
        .when::<Tester>("the answer was unusable", is_tester)
        .when::<Supervisor>("no test, or none is missing", is_supervisor)
        .then::<Finish>()
        .node::<ProveTest>()
        .when::<Implementer>("the test is red", is_implementer)
        .when::<Tester>("the test was refused", is_tester)
        .when::<Supervisor>("the test passes, or no try is left", is_supervisor)
        .then::<Finish>()
        .node::<Implementer>()
        .when::<ProveCode>("code is proposed", |state| {
            matches!(state.phase, Phase::ProveCode { .. })
        })
        .when::<Implementer>("the answer was unusable", is_implementer)
        .when::<Supervisor>("no try is left", is_supervisor)
        .then::<Finish>()
        .node::<ProveCode>()
        .when::<Refactorer>("all tests pass", is_refactorer)
        .when::<Implementer>("the code was refused", is_implementer)
        .when::<Supervisor>("no try is left", is_supervisor)
        .then::<Finish>()
        .node::<Refactorer>()
        .when::<ProveRefactoring>("a refactoring is proposed", |state| {
            matches!(state.phase, Phase::ProveRefactoring { .. })
        })
        .when::<Refactorer>("the answer was refused", is_refactorer)
        .when::<Tester>("there is nothing to refactor", is_tester)
        .when::<Supervisor>("no try or no cycle is left", is_supervisor)
        .then::<Finish>()
        .node::<ProveRefactoring>()
        .when::<Tester>("all tests pass", is_tester)
        .when::<Refactorer>("the refactoring was reverted", is_refactorer)
        .when::<Supervisor>("no try or no cycle is left", is_supervisor)
        .then::<Finish>()
        .node::<KeepTest>()
        .when::<Tester>("the next cycle begins", is_tester)
        .when::<Supervisor>("no cycle is left", is_supervisor)
        .then::<Finish>()
        .node::<Supervisor>()
        .when::<KeepTest>("the test is kept", |state| state.phase == Phase::KeepTest)
        .when::<Tester>("another test, or a simpler one", is_tester)
        .when::<Implementer>("the implementation is tried again", is_implementer)
        .when::<Refactorer>("the code is prepared, or tried again", is_refactorer)
        .when::<Supervisor>("no cycle is left", is_supervisor)
        .then::<Finish>()
        .node::<Finish>()
        .end()
}

fn is_tester(state: &State) -> bool {
    state.phase == Phase::Tester
}

fn is_implementer(state: &State) -> bool {
    state.phase == Phase::Implementer
}

fn is_refactorer(state: &State) -> bool {
    state.phase == Phase::Refactorer
}

fn is_supervisor(state: &State) -> bool {
    matches!(state.phase, Phase::Supervisor(_))
}
