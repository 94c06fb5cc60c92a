//! A whole workflow of two nodes: a model adds two numbers with a tool, then the run ends.

use std::sync::Arc;

use rb_core::{Cancel, RunId};
use rb_flow::ask::{ToolLimits, Tools};
use rb_flow::graph::{Graph, Node};
use rb_flow::{
    Course, Desk, Event, FlowError, Log, Query, Reply, Run, RunEvent, RunState, Workflow,
    WorkflowEvent, World,
};
use rb_models::Tool;
use rb_schema::{Answer, Role};
use rb_trust::Fence;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adding;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Start {
    pub(crate) run: RunId,
    pub(crate) workflow: Value,
    pub(crate) numbers: (i64, i64),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum AddingEvent {
    Added { total: String },
}

#[derive(Clone)]
pub(crate) struct State {
    start: Start,
    pub(crate) total: Option<String>,
    pub(crate) course: Course<Adding>,
}

pub(crate) struct Place {
    pub(crate) run: Run,
    pub(crate) log: Log<Adding>,
    pub(crate) desk: Arc<Desk>,
    pub(crate) cancel: Cancel,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Total {
    pub(crate) total: String,
}

impl Answer for Total {
    const ROLE: Role = Role {
        name: "adder",
        prompt: "Add the numbers with the tool `sum`.",
        schema: r#"{"type": "object", "properties": {"total": {"type": "string"}}, "required": ["total"]}"#,
    };
}

impl WorkflowEvent for AddingEvent {}

impl Workflow for Adding {
    type Start = Start;
    type Event = AddingEvent;
    type Outcome = bool;
    type State = State;
    type World = Place;
    type Error = FlowError;
    const ROLES: &'static [Role] = &[Total::ROLE];
    const NAMES: &'static [&'static str] = &["adding"];

    fn graph(_: &Start) -> Graph<Adding> {
        Graph::new("adding").node::<Add>().then::<Finish>().node::<Finish>().end()
    }
}

impl RunState<Adding> for State {
    fn new(start: Start) -> Self {
        State { start, total: None, course: Course::default() }
    }
    fn start(&self) -> &Start {
        &self.start
    }
    fn take(&mut self, event: &Event<Adding>) {
        if let Event::Own(AddingEvent::Added { total }) = event {
            self.total = Some(total.clone());
        }
        self.course.take(event, "");
    }
    fn course(&self) -> &Course<Adding> {
        &self.course
    }
}

impl World<Adding> for Place {
    fn run(&self) -> &Run {
        &self.run
    }
    fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}

struct Add;
impl Node<Adding> for Add {
    const NAME: &'static str = "add";
    const DOES: &'static str = "has a model add";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event<Adding>>;

    fn run(state: &State, place: &mut Place) -> Result<Self::Writes, FlowError> {
        let question = format!("{:?}", state.start.numbers);
        let query = Query::new(question, Fence::new(rb_core::random::bytes()));
        let limits = ToolLimits::default();
        let replies =
            place.desk.ask_with_tools::<Total, _>(&place.log, vec![query], &mut Sum, limits)?;
        let event = |reply| match reply {
            Reply::Answer(Total { total }) => Event::Own(AddingEvent::Added { total }),
            Reply::Unusable(text) => RunEvent::Noted { text }.into(),
            Reply::Stopped(error) => RunEvent::Noted { text: error.to_string() }.into(),
        };
        Ok(replies.into_iter().map(event).collect())
    }
}

struct Finish;
impl Node<Adding> for Finish {
    const NAME: &'static str = "finish";
    const DOES: &'static str = "ends the run";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event<Adding>>;

    fn run(state: &State, _: &mut Place) -> Result<Self::Writes, FlowError> {
        Ok(vec![RunEvent::RunEnded { outcome: state.total.is_some() }.into()])
    }
}

/// The only tool.
pub(crate) struct Sum;
impl Tools for Sum {
    fn list(&self) -> Vec<Tool> {
        let (name, description) = ("sum".to_owned(), "Adds two numbers".to_owned());
        vec![Tool { name, description, input: json!({"type": "object"}) }]
    }
    fn call(&mut self, _: &str, input: &Value) -> Result<String, String> {
        let number = |key: &str| input[key].as_i64().ok_or(format!("`{key}` is not a number"));
        Ok((number("a")? + number("b")?).to_string())
    }
}
