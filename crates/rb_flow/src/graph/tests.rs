use std::collections::BTreeMap;
use std::path::PathBuf;

use rb_core::Cancel;
use serde::{Deserialize, Serialize};

use super::*;
use crate::course::Course;
use crate::error::FlowError;
use crate::event::RunEvent;
use crate::runs::Run;
use crate::workflow::{RunFailure, RunState, WorkflowEvent};

/// A workflow for the tests of this crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Toy;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum ToyEvent {
    NextTask,
    Confirmed,
}

impl WorkflowEvent for ToyEvent {
    fn is_milestone(&self) -> bool {
        true
    }
}

impl From<ToyEvent> for Event<Toy> {
    fn from(event: ToyEvent) -> Self {
        Event::Own(event)
    }
}

impl Workflow for Toy {
    type Start = PathBuf;
    type Event = ToyEvent;
    type Outcome = bool;
    type State = State;
    type World = World;
    type Error = Failed;

    const NAMES: &'static [&'static str] = &["toy"];

    fn graph(_: &PathBuf) -> Graph<Toy> {
        toy()
    }
}

/// What a run of the toy workflow knows: the task at hand, and what was said of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    start: PathBuf,
    task: u32,
    tries: u32,
    has_word: bool,
    course: Course<Toy>,
}

impl State {
    fn with(note: &str) -> State {
        let mut state = State::default();
        state.course.note(note.to_owned());
        state
    }
}

impl RunState<Toy> for State {
    fn new(start: PathBuf) -> Self {
        State { start, ..State::default() }
    }

    fn start(&self) -> &PathBuf {
        &self.start
    }

    fn take(&mut self, event: &Event<Toy>) {
        match event {
            Event::Own(ToyEvent::NextTask) => self.task += 1,
            Event::Own(ToyEvent::Confirmed) => self.has_word = true,
            Event::Run(_) => {}
        }
        let lap = self.lap();
        self.course.take(event, &lap);
    }

    fn lap(&self) -> String {
        self.task.to_string()
    }

    fn course(&self) -> &Course<Toy> {
        &self.course
    }
}

/// What nodes see of it, and what they do with it.
struct Notes<'s>(&'s [String]);

impl<'s> View<'s, State> for Notes<'s> {
    fn of(state: &'s State) -> Self {
        Notes(&state.course.notes)
    }
}

struct Note(String);

impl Update<Toy> for Note {
    fn events(self) -> Vec<Event<Toy>> {
        vec![note(&self.0)]
    }
}

/// Counts what was performed.
#[derive(Default)]
pub(crate) struct World {
    performed: BTreeMap<&'static str, u32>,
}

impl crate::workflow::World<Toy> for World {
    fn run(&self) -> &Run {
        unreachable!("nothing is driven here")
    }

    fn cancel(&self) -> &Cancel {
        unreachable!("nothing is driven here")
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failed;

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("failed")
    }
}

impl From<FlowError> for Failed {
    fn from(_: FlowError) -> Self {
        Failed
    }
}

impl RunFailure for Failed {
    fn is_interruption(&self) -> bool {
        false
    }
}

macro_rules! node {
    ($type:ident, $name:literal) => {
        struct $type;
        impl Node<Toy> for $type {
            const NAME: &'static str = $name;
            const DOES: &'static str = concat!("does ", $name);
            type Reads<'s> = Notes<'s>;
            type Writes = Note;

            fn run(reads: Notes<'_>, world: &mut World) -> Result<Note, Failed> {
                *world.performed.entry($name).or_default() += 1;
                if reads.0.iter().any(|note| note == "broken") {
                    return Err(Failed);
                }
                Ok(Note(format!("{} after {}", $name, reads.0.len())))
            }
        }
    };
}

node!(Plan, "plan");
node!(Propose, "propose");
node!(Verify, "verify");
node!(Skip, "skip");
node!(Review, "review");
node!(Nowhere, "nowhere");

fn is_red(state: &State) -> bool {
    state.course.notes.iter().any(|note| note == "red")
}

fn toy() -> Graph<Toy> {
    Graph::new("toy")
        .node::<Plan>()
        .then::<Propose>()
        .node::<Propose>()
        .then::<Verify>()
        .node::<Verify>()
        .again::<Propose>("it is red", is_red, |state| state.tries)
        .when::<Skip>("it is red", is_red)
        .then::<Review>()
        .node::<Skip>()
        .when::<Propose>("tasks are left", |state| state.task < 2)
        .then::<Review>()
        .node::<Review>()
        .waits_while(|state| !state.has_word)
        .end()
}

/// The way that the graph takes from its first node on, with an event of the state after some nodes.
fn way(
    graph: &Graph<Toy>,
    state: &mut State,
    said: &dyn Fn(&str, &State) -> Option<Event<Toy>>,
) -> String {
    let mut position = Position::default();
    let mut from: Option<&'static str> = None;
    let mut at = graph.first();
    let mut way = Vec::new();
    while at != END && way.len() < 30 {
        position.enter(at, from, &state.lap());
        way.push(at);
        if let Some(event) = said(at, state) {
            state.take(&event);
        }
        from = Some(at);
        at = graph.next(at, state, &position);
    }
    way.join(" ")
}

fn note(text: &str) -> Event<Toy> {
    RunEvent::Noted { text: text.to_owned() }.into()
}

#[test]
fn rf2_the_first_edge_that_holds_is_taken() {
    let graph = toy();
    let mut green = State::default();
    assert_eq!(way(&graph, &mut green, &|_, _| None), "plan propose verify review");
    let mut red = State { task: 2, ..State::with("red") };
    assert_eq!(way(&graph, &mut red, &|_, _| None), "plan propose verify skip review");
}

#[test]
fn rf2_a_cycle_ends_at_its_limit_and_each_task_counts_anew() {
    let graph = toy();
    let mut state = State { tries: 2, ..State::with("red") };
    let said = |node: &str, _: &State| (node == "skip").then(|| ToyEvent::NextTask.into());
    let lap = "propose verify propose verify propose verify skip";
    assert_eq!(way(&graph, &mut state, &said), format!("plan {lap} {lap} review"));
    // None is left from the beginning.
    let mut state = State { tries: 0, ..State::with("red") };
    assert_eq!(
        way(&graph, &mut state, &said),
        "plan propose verify skip propose verify skip review"
    );
}

#[test]
fn rf2_where_a_run_stands_is_what_its_journal_says() {
    let graph = toy();
    let state = State { tries: 2, ..State::with("red") };
    let mut position = Position::default();
    assert_eq!((position.at(), position.is_at_end()), (None, false));
    let journal = [
        ("plan", None),
        ("propose", Some("plan")),
        ("verify", Some("propose")),
        ("propose", Some("verify")),
        ("verify", Some("propose")),
    ];
    for (node, from) in journal {
        position.enter(node, from, "0");
    }
    assert_eq!(position.at(), Some("verify"));
    assert_eq!(position.taken("0", "verify", "propose"), 1);
    assert_eq!(graph.next("verify", &state, &position), "propose");
    position.enter("propose", Some("verify"), "0");
    position.enter("verify", Some("propose"), "0");
    assert_eq!(graph.next("verify", &state, &position), "skip");

    // A kill, and the same journal in another process: the same place, the same way on.
    let mut again = Position::default();
    for (node, from) in journal.into_iter().chain(journal.into_iter().skip(3)) {
        again.enter(node, from, "0");
    }
    assert_eq!(again, position);

    // The next task has its tries again, even before it is entered.
    let next = State { task: 1, ..state };
    assert_eq!(graph.next("verify", &next, &position), "propose");
    position.enter("propose", Some("verify"), "1");
    assert_eq!(position.taken("1", "verify", "propose"), 1);
    assert_eq!(position.taken("0", "verify", "propose"), 0);

    position.enter(END, Some("review"), "1");
    assert!(position.is_at_end());
    assert_eq!(graph.next(END, &next, &position), END);
}

#[test]
fn rf2_a_node_gives_events_and_changes_nothing_itself() {
    let graph = toy();
    let mut world = World::default();
    let state = State::with("one");
    let events = graph.perform("plan", &state, &mut world);
    assert_eq!(events, Ok(vec![note("plan after 1")]));
    assert_eq!(state.course.notes, ["one"]);
    assert_eq!(graph.perform("nowhere", &state, &mut world), Ok(Vec::new()));
    let broken = State::with("broken");
    assert_eq!(graph.perform("verify", &broken, &mut world), Err(Failed));
    assert_eq!(world.performed, BTreeMap::from([("plan", 1), ("verify", 1)]));
}

#[test]
fn rf2_a_node_waits_until_a_person_has_spoken() {
    let graph = toy();
    let mut state = State::default();
    assert!(graph.waits("review", &state));
    assert!(!graph.waits("plan", &state));
    assert!(!graph.waits("nowhere", &state));
    state.take(&ToyEvent::Confirmed.into());
    assert!(!graph.waits("review", &state));
}

#[test]
fn rf2_what_is_wrong_with_a_graph_is_told() {
    #[track_caller]
    fn check(graph: &Graph<Toy>, expected: &[&str]) {
        assert_eq!(graph.faults(), expected);
    }
    check(&toy(), &[]);
    check(
        &Graph::new("x").node::<Plan>().then::<Nowhere>().node::<Skip>().end(),
        &["plan leads to nowhere, which is no node", "nothing leads to skip"],
    );
    check(
        &Graph::new("x").node::<Plan>().when::<Skip>("red", is_red).node::<Skip>().again::<Plan>(
            "red",
            is_red,
            |_| 1,
        ),
        &["plan has no last way out", "skip has no last way out"],
    );
    check(
        &Graph::new("x").node::<Plan>().then::<Plan>().node::<Plan>().end(),
        &["two nodes have one name"],
    );
}

#[test]
fn rf2_a_graph_knows_its_nodes_and_begins_with_the_first() {
    let graph = toy();
    assert_eq!((graph.name, graph.first()), ("toy", "plan"));
    assert_eq!(Graph::<Toy>::new("empty").first(), END);
    let drawing = graph.drawing();
    assert_eq!(drawing.nodes.len(), 5);
    assert_eq!(drawing.nodes[4], DrawnNode { name: "review", does: "does review", waits: true });
    let limited: Vec<&DrawnEdge> = drawing.edges.iter().filter(|edge| edge.is_limited).collect();
    let expected =
        DrawnEdge { from: "verify", to: "propose", when: Some("it is red"), is_limited: true };
    assert_eq!(limited, [&expected]);
}
