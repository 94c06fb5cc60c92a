//! The executor: a proposal for a task. A recipe, else a rule, else a coding agent or a model; what was brought by a person is there
//! already.
//!
//! Models are slow, so that those of independent tasks are asked at once; what they say is applied one after the other, and a proposal
//! whose files have moved meanwhile is made again.

mod by_agent;

use std::path::Path;
use std::time::Duration;

use rb_change::{
    AgentOrder, ChangeEvent, ChangeFiles as _, Changing as _, proposals, verify_setup,
};
use rb_core::fs;
use rb_core::{Proposer, Sha256, Task, TaskId, TaskKind};
use rb_flow::ask::ToolLimits;
use rb_flow::graph::{Node, Update, View};
use rb_flow::{Desk, Query, Reply, fence};
use rb_index::{IndexError, OnDisk};
use rb_models::McpServer;
use rb_pack::{AnswerForm, Lookup};
use rb_schema::roles::patcher::{self, PatchResponse, PatchStatus};
use rb_workspace::answer::{AnswerError, Edit, NewFile};

use crate::code_tools::CodeTools;
use crate::error::RunError;
use crate::event::{Event, RefactorEvent, RunEvent};
use crate::planning::{self, PlanRequest};
use crate::questions::{family, patch_need, purpose, read_pack};
use crate::standing::stands;
use crate::state::{Proposal, State};
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct Executor;

pub(crate) struct Reads<'s> {
    task: Option<&'s Task>,
    attempt: u32,
    proposal: Option<&'s Proposal>,
    /// Tasks of models that can be asked at the same time.
    beside: Vec<&'s Task>,
    directive: Option<&'s str>,
    answer_form: AnswerForm,
    /// Who proposes in place of a model.
    agent: Option<&'s AgentOrder>,
    request: PlanRequest<'s>,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        let task = state.current_task();
        Reads {
            task,
            attempt: state.change.current.as_ref().map_or(1, |current| current.attempt),
            proposal: task.and_then(|task| state.proposals.get(&task.id)),
            beside: state.beside(),
            directive: state.started.orders.directive.as_deref(),
            answer_form: state.started.orders.answer_form,
            agent: state.started.orders.agent.as_ref(),
            request: PlanRequest::of(state),
        }
    }
}

pub(crate) struct Proposed(Vec<(TaskId, NewProposal)>);

enum NewProposal {
    Patch {
        sha256: Sha256,
        bytes: u64,
        by: Proposer,
        base: String,
    },
    Nothing(String),
    Blocked {
        why: String,
        needs: Vec<String>,
    },
    /// The model gave no usable answer.
    Failed(String),
}

impl Update<Refactor> for Proposed {
    fn events(self) -> Vec<Event> {
        let proposed = self.0.into_iter().map(|(task, proposal)| match proposal {
            NewProposal::Patch { sha256, bytes, by, base } => {
                RefactorEvent::PatchProposed { task, sha256, bytes, by, base }.into()
            }
            NewProposal::Nothing(why) => {
                Event::Own(ChangeEvent::NothingProposed { task, why }.into())
            }
            NewProposal::Blocked { why, needs } => {
                RefactorEvent::ProposalBlocked { task, why, needs }.into()
            }
            NewProposal::Failed(reason) => {
                let role = patcher::ROLE.name.to_owned();
                RunEvent::ModelFailed { role, task: Some(task), reason }.into()
            }
        });
        proposed.collect()
    }
}

impl Node<Refactor> for Executor {
    const NAME: &'static str = "propose";
    const DOES: &'static str = "gets a proposal from a recipe, a rule, a model or a coding agent";
    type Reads<'s> = Reads<'s>;
    type Writes = Proposed;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Proposed, RunError> {
        let Some(task) = reads.task else { return Ok(Proposed(Vec::new())) };
        if matches!(task.kind, TaskKind::FormatOnly { .. }) {
            return Ok(Proposed(Vec::new()));
        }
        let tip = world.change.tip()?;
        if let Some(proposal) = reads.proposal
            && stands(world, task, proposal)?
        {
            return Ok(Proposed(said_before(task, proposal)));
        }
        match &task.by {
            Proposer::Given => given(world, task, tip).map(|it| Proposed(vec![it])),
            Proposer::Recipe { .. } | Proposer::Rule { .. } => {
                computed(world, &reads.request, task, tip)
            }
            Proposer::Model => match reads.agent {
                Some(order) => by_agent::propose(world, task, &reads, order, tip),
                None => by_model(world, task, &reads, &tip),
            },
        }
    }
}

/// What was said about a task while another was at hand is said again in its turn.
fn said_before(task: &Task, proposal: &Proposal) -> Vec<(TaskId, NewProposal)> {
    let again = match proposal {
        Proposal::Patch { .. } => return Vec::new(),
        Proposal::Nothing { why } => NewProposal::Nothing(why.clone()),
        Proposal::Blocked { why, needs } => {
            NewProposal::Blocked { why: why.clone(), needs: needs.clone() }
        }
        Proposal::Failed { why } => NewProposal::Failed(why.clone()),
    };
    vec![(task.id, again)]
}

fn given(world: &World, task: &Task, base: String) -> Result<(TaskId, NewProposal), RunError> {
    let text = fs::read(&world.change.run.dir.proposal(task.id))?;
    Ok((task.id, of_text(&text, Proposer::Given, base)))
}

fn of_text(text: &[u8], by: Proposer, base: String) -> NewProposal {
    NewProposal::Patch { sha256: Sha256::of(text), bytes: text.len() as u64, by, base }
}

fn computed(
    world: &mut World,
    request: &PlanRequest<'_>,
    task: &Task,
    base: String,
) -> Result<Proposed, RunError> {
    let proposal = match planning::propose(world, request, task)? {
        None => NewProposal::Nothing("nothing left to do".to_owned()),
        Some(prepared) => {
            proposals::keep(&world.change.run, task.id, &prepared.patch, None)?;
            of_text(&prepared.patch, task.by.clone(), base)
        }
    };
    Ok(Proposed(vec![(task.id, proposal)]))
}

fn by_model(
    world: &mut World,
    task: &Task,
    reads: &Reads<'_>,
    base: &str,
) -> Result<Proposed, RunError> {
    let Some(desk) = world.models.clone() else {
        let why = "it needs a model, and none was chosen".to_owned();
        let blocked = NewProposal::Blocked { why, needs: Vec::new() };
        return Ok(Proposed(vec![(task.id, blocked)]));
    };
    let beside = reads.beside.iter().copied().take(desk.beside());
    let tasks: Vec<&Task> = std::iter::once(task).chain(beside).collect();
    let mut queries = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let attempt = if at == 0 { reads.attempt } else { 1 };
        queries.push(query(world, task, reads, attempt)?);
    }
    let what = if tasks.len() > 1 { format!("{} tasks", tasks.len()) } else { task.id.to_string() };
    world.change.host.progress.begin(&format!("asking the model about {what}"), 0);
    let replies = ask(world, &desk, queries);
    world.change.host.progress.end();
    let mut proposed = Vec::new();
    let mut stopped = None;
    for (task, reply) in tasks.into_iter().zip(replies?) {
        match reply {
            Reply::Answer(response) => {
                proposed.push((task.id, answered(world, task, response, base)?));
            }
            Reply::Unusable(why) => {
                // The one before it is no longer the last.
                fs::remove_file(&world.change.run.dir.answer(task.id))?;
                proposed.push((task.id, NewProposal::Failed(why)));
            }
            Reply::Stopped(error) => stopped = stopped.or(Some(error)),
        }
    }
    // What the others answered is paid for and kept; the failed one is asked again by a resumed run.
    if let Some(error) = stopped
        && proposed.iter().all(|(id, _)| *id != task.id)
    {
        world.stop_after(error.into());
    }
    Ok(Proposed(proposed))
}

/// Asks the model, with tools to look up code if it can use them and has none of its own.
fn ask(
    world: &mut World,
    desk: &Desk,
    queries: Vec<Query>,
) -> Result<Vec<Reply<PatchResponse>>, RunError> {
    let abilities = desk.models.route(patcher::ROLE.name).provider.abilities();
    if !abilities.tools || abilities.reads_files {
        return Ok(desk.ask::<PatchResponse, _>(&world.log, queries)?);
    }
    world.change.know()?;
    let root = world.change.worktree()?.dir().to_owned();
    let known = world.change.known.as_ref().expect("it was made sure of just now");
    let view = known.indexed.view().map_err(IndexError::from)?;
    let (texts, cancel) = (OnDisk { root: &root }, &world.change.host.cancel);
    let mut tools = CodeTools { lookup: Lookup { view: &view, texts: &texts, cancel } };
    Ok(desk.ask_with_tools::<PatchResponse, _>(&world.log, queries, &mut tools, TOOL_LIMITS)?)
}

/// The pack shows what a task needs as a rule, so a few calls are enough.
const TOOL_LIMITS: ToolLimits = ToolLimits {
    calls: 10,
    repeats: 2,
    result_chars: 12_000,
    context_chars: 120_000,
    tokens: 200_000,
    usd: None,
    time: Duration::from_mins(15),
};

fn query(
    world: &mut World,
    task: &Task,
    reads: &Reads<'_>,
    attempt: u32,
) -> Result<Query, RunError> {
    let pack = read_pack(world, task.id)?;
    let verifiers = verify_setup::lines(&mut world.change, task.verifier_level)?;
    let (directive, family) = (reads.directive, family(world));
    let assignment = rb_pack::Assignment { task, directive, verifiers: &verifiers, family };
    let run_dir = &world.change.run.dir;
    let (user, fence) = fence::enclosed::<RunError>(run_dir, |fence| {
        pack.prompt(&assignment, reads.answer_form, fence)
    })?;
    let folder = world.change.worktree()?.dir().to_owned();
    let mcp = index_server(world, &format!("{}-{attempt}", task.id), &folder)?;
    let budget = task.diff_budget_loc.unwrap_or(world.change.options.diff_budget);
    let need = Some(patch_need(&pack, budget));
    let folder = Some(folder);
    Ok(Query { purpose: purpose(task), folder, mcp, attempt, need, ..Query::new(user, fence) })
}

/// The tools of the index, for a provider that reads by itself and can call a server's. Their index is the run's: it goes with it.
fn index_server(
    world: &World,
    conversation: &str,
    folder: &Path,
) -> Result<Option<McpServer>, RunError> {
    let provider =
        world.models.as_ref().map(|desk| &desk.models.route(patcher::ROLE.name).provider);
    let reads = provider.is_some_and(|provider| provider.abilities().reads_files);
    let Some(command) = world.change.host.shim.clone().filter(|_| reads) else { return Ok(None) };
    let home = world.change.run.dir.join("served");
    fs::create_dir_all(&home)?;
    let log = home.join(format!("{conversation}.jsonl"));
    let text = |path: &Path| path.to_str().map(str::to_owned);
    let (Some(folder), Some(home), Some(log)) = (text(folder), text(&home), text(&log)) else {
        return Ok(None);
    };
    let most = TOOL_LIMITS.calls.to_string();
    let args = ["mcp", &folder, "--home", &home, "--log", &log, "--most-calls", &most];
    let args = args.map(str::to_owned).to_vec();
    Ok(Some(McpServer { name: "refactor-bot".to_owned(), command, args }))
}

/// What an answer amounts to.
fn answered(
    world: &mut World,
    task: &Task,
    response: PatchResponse,
    base: &str,
) -> Result<NewProposal, RunError> {
    keep_answer(world, task, &response)?;
    Ok(match response.status {
        PatchStatus::Noop => NewProposal::Nothing(response.rationale),
        PatchStatus::Blocked => NewProposal::Blocked {
            why: response.rationale,
            needs: response.needs.unwrap_or_default(),
        },
        PatchStatus::Ok => match kept_patch(world, task, &response)? {
            Ok(text) => of_text(&text, Proposer::Model, base.to_owned()),
            Err(instead) => instead,
        },
    })
}

const EMPTY: &str =
    "the status is \"ok\", and the patch is empty; where nothing is to be changed it is \"noop\"";
const BOTH: &str = "the answer has both a unified diff and edits or new files; give one of the two";

/// The text of an answer's patch, which is kept, or what the answer amounts to without one. A diff is kept as it came, edits and new
/// files as the patch that they come to.
fn kept_patch(
    world: &mut World,
    task: &Task,
    response: &PatchResponse,
) -> Result<Result<Vec<u8>, NewProposal>, RunError> {
    let failed = |words: &str| Ok(Err(NewProposal::Failed(words.to_owned())));
    let (diff, touched) = (&response.patch_unified_diff, &response.touched_files);
    let edits: Vec<Edit<'_>> = response.edits.iter().flatten().map(edit).collect();
    let new_files: Vec<NewFile<'_>> = response.new_files.iter().flatten().map(new_file).collect();
    let has_diff = !diff.trim().is_empty();
    let has_edits = !edits.is_empty() || !new_files.is_empty();
    match (has_diff, has_edits) {
        (false, false) => failed(EMPTY),
        (true, true) => failed(BOTH),
        (true, false) => {
            proposals::keep(&world.change.run, task.id, diff.as_bytes(), Some(touched))?;
            Ok(Ok(diff.clone().into_bytes()))
        }
        (false, true) => match rb_change::place_edits(&mut world.change, &edits, &new_files)? {
            Ok(placed) => {
                Ok(Ok(proposals::keep_placed(&world.change.run, task.id, &placed, touched)?))
            }
            Err(noop @ AnswerError::Noop) => Ok(Err(NewProposal::Nothing(noop.to_string()))),
            Err(error) => failed(&error.to_string()),
        },
    }
}

fn edit(edit: &patcher::Edit) -> Edit<'_> {
    Edit { path: &edit.path, search: &edit.search, replace: &edit.replace }
}

fn new_file(file: &patcher::NewFile) -> NewFile<'_> {
    NewFile { path: &file.path, content: &file.content }
}

/// The whole answer, for the critic and for whoever wants to know why.
fn keep_answer(world: &World, task: &Task, response: &PatchResponse) -> Result<(), RunError> {
    let text = serde_json::to_vec_pretty(response).expect("an answer is plain data");
    fs::create_dir_all(&world.change.run.dir.proposals())?;
    Ok(fs::write(&world.change.run.dir.answer(task.id), &text, fs::Durability::Relaxed)?)
}
