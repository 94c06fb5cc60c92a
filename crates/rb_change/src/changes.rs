//! What a workflow brings whose runs change a repository. The steps here work for each of them.

use std::path::PathBuf;
use std::sync::Arc;

use rb_core::{RunId, Task, TaskId};
use rb_flow::graph::View;
use rb_flow::{Desk, Log, Observer, Workflow};
use rb_workspace::preflight::Preflight;
use rb_workspace::repo::Kind;
use serde::{Deserialize, Serialize};

use crate::error::ChangeError;
use crate::event::ChangeEvent;
use crate::host::Host;
use crate::options::ChangeOptions;
use crate::state::ChangeState;
use crate::world::ChangeWorld;

pub trait Changes:
    Workflow<
        State: Changing,
        World: AsMut<ChangeWorld> + AsRef<ChangeWorld>,
        Event: From<ChangeEvent>,
        Error: From<ChangeError>,
    >
{
    /// How a run ends that was rejected.
    const REJECTED: Self::Outcome;

    /// The repository that a run works on.
    fn target(start: &Self::Start) -> Target;

    fn options(context: &Context<Self>, start: &Self::Start) -> ChangeOptions;

    /// The world of a run, around what this crate needs of it.
    fn world(context: &Context<Self>, log: Log<Self>, change: ChangeWorld) -> Self::World;

    /// How a run begins that takes another one back.
    fn start_of_rollback(run: RunId, target: &Preflight, of: Undone) -> Self::Start;

    /// The run that this one takes back.
    fn undone(start: &Self::Start) -> Option<Undone>;
}

/// The state of a workflow that changes a repository.
pub trait Changing {
    fn change(&self) -> &ChangeState;

    fn task(&self, id: TaskId) -> Option<&Task>;

    /// The rules that every change is held against.
    fn active_rules(&self) -> &[String] {
        &[]
    }

    /// The task that is under way.
    fn current_task(&self) -> Option<&Task> {
        self.change().current.as_ref().and_then(|current| self.task(current.task))
    }

    /// How the run ended, in words.
    fn ending(&self) -> Option<&'static str>;

    /// What the run waits for instead, or has to do first, where nobody can accept it yet.
    fn undecidable(&self) -> Option<String>;

    /// The message of the one commit that lands in place of the run's own, where nobody gave one.
    fn squash_message(&self) -> String;
}

/// The changes so far, and the task at hand.
pub struct Reads<'s> {
    pub(crate) change: &'s ChangeState,
    pub(crate) task: Option<&'s Task>,
    pub(crate) active_rules: &'s [String],
}

impl<'s, S: Changing> View<'s, S> for Reads<'s> {
    fn of(state: &'s S) -> Self {
        let (change, task) = (state.change(), state.current_task());
        Reads { change, task, active_rules: state.active_rules() }
    }
}

/// A repository as a journal names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub repo: PathBuf,
    pub kind: Kind,
    pub folder: Option<rb_core::RepoPath>,
}

/// A run that is taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undone {
    pub of: RunId,
    /// Work that was done since goes, too.
    pub insist: bool,
}

/// What every entry point needs from the outside.
pub struct Context<W: Workflow> {
    pub host: Host,
    pub observer: Option<Observer<W>>,
    /// The models to ask for what no recipe does.
    pub models: Option<Arc<Desk>>,
}

impl<W: Workflow> Clone for Context<W> {
    fn clone(&self) -> Self {
        let Context { host, observer, models } = self;
        Context { host: host.clone(), observer: observer.clone(), models: models.clone() }
    }
}
