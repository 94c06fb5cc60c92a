//! A change by a model with tools, by a model without, or by a coding agent. Whoever it was: a patch is computed from the files.

use std::time::Duration;

use rb_change::{
    AgentOrder, AgentWork, BUDGET_SPENT, ChangeEvent, Failure, have_agent_edit, proposals,
    within_budget,
};
use rb_core::TaskId;
use rb_flow::Desk;
use rb_flow::ask::ToolLimits;
use rb_repo::Opener;
use rb_schema::Answer;
use rb_schema::roles::fix_agent::FixResponse;
use rb_schema::roles::impl_agent::{ImplResponse, ImplStatus};
use rb_tools::{Repository, Toolbox};
use rb_trust::{Fence, FenceError};
use rb_workspace::answer::{AnswerError, Edit, NewFile};
use rb_workspace::patch::Tree;

use super::Ticketing;
use super::edit_tools::{EditTools, Overlay};
use super::event::{Event, Orders, TicketEvent};
use super::world::{World, one_of};
use crate::error::TicketError;

/// What is asked for.
pub(crate) struct Job<'j> {
    pub(crate) task: TaskId,
    pub(crate) attempt: u32,
    pub(crate) orders: &'j Orders,
    /// For the progress line: "implementing".
    pub(crate) what: &'static str,
}

/// An answer with a change in it.
pub(crate) trait Written: Answer {
    fn written(self) -> ImplResponse;
}

impl Written for ImplResponse {
    fn written(self) -> ImplResponse {
        self
    }
}

impl Written for FixResponse {
    fn written(self) -> ImplResponse {
        self.0
    }
}

const LIMITS: ToolLimits = ToolLimits {
    calls: 40,
    repeats: 3,
    result_chars: 12_000,
    context_chars: 120_000,
    tokens: 400_000,
    usd: None,
    time: Duration::from_mins(30),
};

/// Has the change made, and keeps its patch as the proposal of the task.
pub(crate) fn propose<A: Written>(
    world: &mut World,
    job: &Job<'_>,
    prompt: impl Fn(&Fence) -> Result<String, FenceError>,
) -> Result<Vec<Event>, TicketError> {
    world.change.host.progress.begin(job.what, 0);
    let made = match &job.orders.agent {
        Some(order) => by_agent(world, job, order, prompt),
        None => by_model::<A>(world, job, prompt),
    };
    world.change.host.progress.end();
    let event = match made? {
        Made::Patch { patch, summary, reason } => {
            proposals::keep(&world.change.run, job.task, &patch, None)?;
            TicketEvent::Proposed { task: job.task, summary, reason }
        }
        Made::Nothing(why) => ChangeEvent::NothingProposed { task: job.task, why }.into(),
        Made::Failed(failure, reasons) => {
            TicketEvent::NotProposed { task: job.task, failure, reasons }
        }
    };
    Ok(vec![event.into()])
}

/// What came of asking.
pub(crate) enum Made {
    Patch { patch: Vec<u8>, summary: String, reason: String },
    Nothing(String),
    Failed(Failure, Vec<String>),
}

impl Made {
    pub(crate) fn failed(failure: Failure, reason: impl Into<String>) -> Made {
        Made::Failed(failure, vec![reason.into()])
    }
}

/// The agent reads the same words as a model, with its own tools in place of an answer's form.
fn by_agent(
    world: &mut World,
    job: &Job<'_>,
    order: &AgentOrder,
    prompt: impl Fn(&Fence) -> Result<String, FenceError>,
) -> Result<Made, TicketError> {
    let Some(order) = within_budget::<Ticketing>(&world.change.run.dir, order)? else {
        return Ok(Made::failed(Failure::Blocked, BUDGET_SPENT));
    };
    let query = world.query(job.attempt, prompt)?;
    let text = format!("{}\n\n{}\n{AGENT}", query.fence.explanation(), query.user);
    let name = format!("{}-{}", job.task, job.attempt);
    Ok(match have_agent_edit(&mut world.change, &order, &text, &name)? {
        AgentWork::Patch { patch, claims } => {
            Made::Patch { patch, summary: String::new(), reason: claims }
        }
        AgentWork::Nothing { claims } => {
            let words = "the agent changed no file";
            let said =
                if claims.is_empty() { String::new() } else { format!("; it says: {claims}") };
            Made::failed(Failure::Model, format!("{words}{said}"))
        }
        AgentWork::Failed { reasons } => Made::Failed(Failure::Model, reasons),
    })
}

/// How an agent with tools of its own works here.
const AGENT: &str = "\
How you work
- Edit the files in the current folder, which is a copy of the repository. Only the files count: what you say is not read as a result.
- Make the smallest change that meets every criterion. Keep to the style of the files. Do not weaken or delete a test, change no lockfile,
  and do not commit.
- You can run the tests. The network may be closed to commands.
";

fn by_model<A: Written>(
    world: &mut World,
    job: &Job<'_>,
    prompt: impl Fn(&Fence) -> Result<String, FenceError>,
) -> Result<Made, TicketError> {
    let Some(desk) = world.models.clone() else {
        return Ok(Made::failed(Failure::Model, "there is no model to ask"));
    };
    let query = world.query(job.attempt, prompt)?;
    let tip = world.change.tip()?;
    world.change.worktree()?.reset(&tip)?;
    let tree = world.change.worktree()?.tree()?;
    let abilities = desk.models.route(A::ROLE.name).provider.abilities();
    if abilities.tools && !abilities.reads_files {
        return with_tools::<A>(world, &desk, query, &tree);
    }
    let asked = world.ask::<A>(&desk, query)?;
    finished(asked.map(A::written), Overlay::new(&tree))
}

fn with_tools<A: Written>(
    world: &mut World,
    desk: &Desk,
    query: rb_flow::Query,
    tree: &dyn Tree,
) -> Result<Made, TicketError> {
    world.change.know()?;
    let root = world.change.worktree()?.dir().to_owned();
    let rb_change::Host { home, env, cancel, search, .. } = &world.change.host;
    let repo = Opener { home, env, cancel }.worktree(root, &world.change.repo.root, None);
    let known = world.change.known.as_ref().expect("it was made sure of just now");
    let on = Repository { repo: &repo, indexed: &known.indexed, search, cancel };
    let (toolbox, copy) = (Toolbox::default(), Overlay::new(tree));
    let mut tools = EditTools { on, toolbox, copy };
    let replies =
        desk.ask_with_tools::<A, Ticketing>(&world.log, vec![query], &mut tools, LIMITS)?;
    let asked = one_of(replies)?;
    finished(asked.map(A::written), tools.copy)
}

/// The edits of an answer come on top of those that were made with tools.
fn finished(
    asked: Result<ImplResponse, String>,
    mut copy: Overlay<'_>,
) -> Result<Made, TicketError> {
    let response = match asked {
        Ok(response) => response,
        Err(why) => return Ok(Made::failed(Failure::Model, why)),
    };
    match response.status {
        ImplStatus::Nothing => return Ok(Made::Nothing(response.reason)),
        ImplStatus::Blocked => return Ok(Made::failed(Failure::Blocked, response.reason)),
        ImplStatus::Done => {}
    }
    let edits: Vec<Edit<'_>> = response
        .edits
        .iter()
        .map(|edit| Edit { path: &edit.path, search: &edit.search, replace: &edit.replace })
        .collect();
    let new_files: Vec<NewFile<'_>> = response
        .new_files
        .iter()
        .map(|file| NewFile { path: &file.path, content: &file.content })
        .collect();
    if !(edits.is_empty() && new_files.is_empty()) {
        match copy.edit(&edits, &new_files) {
            Ok(_) | Err(AnswerError::Noop) => {}
            Err(AnswerError::Tree(error)) => return Err(error.into()),
            Err(error) => return Ok(Made::failed(Failure::Patch, error.to_string())),
        }
    }
    Ok(match copy.patch() {
        Ok(Some(patch)) => {
            Made::Patch { patch, summary: response.summary, reason: response.reason }
        }
        Ok(None) => Made::failed(
            Failure::Patch,
            "the status is \"done\", but no file was changed; use the edit tools or give \"edits\"",
        ),
        Err(why) => Made::failed(Failure::Patch, why),
    })
}
