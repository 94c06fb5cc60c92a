//! A workflow that applies one patch. All that touches the repository is `rb_change`'s.

use rb_change::checkpoint::{self, entry};
use rb_change::{
    Apply, Auditor, BackUp, ChangeError, ChangeEvent, ChangeOptions, ChangeState, ChangeWorld,
    Changes, Changing, Clean, Compare, Context, Decide, Decision, IndexNeeds, Land, MakeWorktree,
    PlanRollback, RollBack, Target, Undone,
};
use rb_core::{Cancel, RepoPath, RunId, Task, TaskId};
use rb_flow::graph::{Graph, Node};
use rb_flow::{Course, Event, Log, Run, RunEvent, RunState, Workflow, WorkflowEvent, World};
use rb_workspace::ledger::TaskStatus;
use rb_workspace::preflight::Preflight;
use rb_workspace::repo::Kind;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Patching;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Start {
    pub(crate) run: RunId,
    workflow: Value,
    repo: std::path::PathBuf,
    kind: Kind,
    folder: Option<RepoPath>,
    task: Option<Task>,
    undone: Option<Undone>,
}

impl Start {
    pub(crate) fn new(run: RunId, target: &Preflight, task: Option<Task>) -> Start {
        let (repo, kind) = (target.repo.root.clone(), target.repo.kind);
        let workflow = json!({"name": "patching"});
        Start { run, workflow, repo, kind, folder: None, task, undone: None }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Changed(ChangeEvent);

impl WorkflowEvent for Changed {}

impl From<ChangeEvent> for Changed {
    fn from(event: ChangeEvent) -> Self {
        Changed(event)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Outcome {
    Ended,
    Rejected,
}

#[derive(Clone)]
pub(crate) struct State {
    start: Start,
    pub(crate) change: ChangeState,
    pub(crate) course: Course<Patching>,
}

pub(crate) struct Place(ChangeWorld);

impl AsRef<ChangeWorld> for Place {
    fn as_ref(&self) -> &ChangeWorld {
        &self.0
    }
}

impl AsMut<ChangeWorld> for Place {
    fn as_mut(&mut self) -> &mut ChangeWorld {
        &mut self.0
    }
}

impl World<Patching> for Place {
    fn run(&self) -> &Run {
        &self.0.run
    }
    fn cancel(&self) -> &Cancel {
        &self.0.host.cancel
    }
    fn follow(&mut self, state: &State) {
        let base = state.change.base.as_ref().map(|base| base.commit.as_str());
        self.0.stand_at(base, state.change.tip());
    }
    fn stopped(&mut self) -> Option<ChangeError> {
        self.0.stopped()
    }
}

impl RunState<Patching> for State {
    fn new(start: Start) -> Self {
        State { start, change: ChangeState::default(), course: Course::default() }
    }
    fn start(&self) -> &Start {
        &self.start
    }
    fn take(&mut self, event: &Event<Patching>) {
        if let Event::Own(Changed(event)) = event {
            self.change.take(event);
        }
        self.course.take(event, "");
    }
    fn course(&self) -> &Course<Patching> {
        &self.course
    }
}

impl Changing for State {
    fn change(&self) -> &ChangeState {
        &self.change
    }
    fn task(&self, id: TaskId) -> Option<&Task> {
        self.start.task.as_ref().filter(|task| task.id == id)
    }
    fn ending(&self) -> Option<&'static str> {
        self.course.outcome.map(|_| "ended")
    }
    fn undecidable(&self) -> Option<String> {
        (!self.course.waiting).then(|| "has not finished".to_owned())
    }
    fn squash_message(&self) -> String {
        "One patch".to_owned()
    }
}

impl Workflow for Patching {
    type Start = Start;
    type Event = Changed;
    type Outcome = Outcome;
    type State = State;
    type World = Place;
    type Error = ChangeError;
    const NAMES: &'static [&'static str] = &["patching"];

    fn graph(start: &Start) -> Graph<Patching> {
        let graph = Graph::new("patching");
        if start.undone.is_some() {
            let graph = graph.node::<BackUp>().then::<PlanRollback>();
            let graph = graph.node::<PlanRollback>().then::<RollBack>();
            return graph.node::<RollBack>().then::<Finish>().node::<Finish>().end();
        }
        graph
            .node::<MakeWorktree>()
            .then::<BackUp>()
            .node::<BackUp>()
            .then::<Begin>()
            .node::<Begin>()
            .then::<Apply>()
            .node::<Apply>()
            .then::<Auditor>()
            .node::<Auditor>()
            .then::<Keep>()
            .node::<Keep>()
            .then::<Compare>()
            .node::<Compare>()
            .then::<Decide>()
            .node::<Decide>()
            .waits_while(|state| state.change.decision.is_none())
            .when::<Land>("accepted", |state| state.change.decision == Some(Decision::Accept))
            .then::<Clean>()
            .node::<Land>()
            .then::<Clean>()
            .node::<Clean>()
            .then::<Finish>()
            .node::<Finish>()
            .end()
    }
}

impl Changes for Patching {
    const REJECTED: Outcome = Outcome::Rejected;

    fn target(start: &Start) -> Target {
        Target { repo: start.repo.clone(), kind: start.kind, folder: start.folder.clone() }
    }
    fn options(_: &Context<Patching>, start: &Start) -> ChangeOptions {
        ChangeOptions {
            folder: start.folder.clone(),
            includes: Vec::new(),
            excludes: Vec::new(),
            diff_budget: 100,
            allow_dirty: false,
            verify: None,
            approve_each: false,
            index: IndexNeeds::default(),
        }
    }
    fn world(_: &Context<Patching>, _: Log<Patching>, change: ChangeWorld) -> Place {
        Place(change)
    }
    fn start_of_rollback(run: RunId, target: &Preflight, undone: Undone) -> Start {
        Start { undone: Some(undone), ..Start::new(run, target, None) }
    }
    fn undone(start: &Start) -> Option<Undone> {
        start.undone.clone()
    }
}

/// The next task: there is one.
struct Begin;

impl Node<Patching> for Begin {
    const NAME: &'static str = "begin";
    const DOES: &'static str = "begins the task";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut Place) -> Result<(), ChangeError> {
        match &state.start.task {
            Some(task) if state.change.current.is_none() => checkpoint::begin_task(&world.0, task),
            Some(_) | None => Ok(()),
        }
    }
}

/// The end of the task: it is kept, or refused.
struct Keep;

impl Node<Patching> for Keep {
    const NAME: &'static str = "keep";
    const DOES: &'static str = "keeps the change, or says why not";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut Place) -> Result<(), ChangeError> {
        let (Some(task), Some(current)) = (state.current_task(), &state.change.current) else {
            return Ok(());
        };
        match (&current.candidate, &current.failed) {
            (Some(commit), None) => {
                let entry = entry(task, Some(current), TaskStatus::Applied, Vec::new());
                checkpoint::keep(&state.change, &mut world.0, entry, commit)
            }
            (_, failed) => {
                checkpoint::discard(&mut world.0)?;
                let reasons = failed.as_ref().map(|(_, reasons)| reasons.clone());
                let reasons = reasons.unwrap_or_default();
                let entry = entry(task, Some(current), TaskStatus::Refused, reasons);
                checkpoint::end_task(&state.change, &mut world.0, &entry)
            }
        }
    }
}

struct Finish;

impl Node<Patching> for Finish {
    const NAME: &'static str = "finish";
    const DOES: &'static str = "ends the run";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event<Patching>>;

    fn run(state: &State, _: &mut Place) -> Result<Self::Writes, ChangeError> {
        let is_rejected = state.change.decision == Some(Decision::Reject);
        let outcome = if is_rejected { Outcome::Rejected } else { Outcome::Ended };
        Ok(vec![RunEvent::RunEnded { outcome }.into()])
    }
}
