//! The executor: a proposal for a task. A recipe, else a rule, else a model; what was brought by a person is there already.
//!
//! Models are slow, so that those of independent tasks are asked at once; what they say is applied one after the other, and a proposal
//! whose files have moved meanwhile is made again.

use rb_core::fs;
use rb_core::{Proposer, RepoPath, Sha256, Task, TaskId, TaskKind};
use rb_flow::graph::{Node, Update, View};
use rb_flow::{Query, Reply};
use rb_models::Purpose;
use rb_pack::Pack;
use rb_schema::roles::patcher::{self, PatchResponse, PatchStatus};
use rb_trust::Fence;
use rb_workspace::patch;

use crate::agents::{planner, retriever};
use crate::error::RunError;
use crate::event::{Event, RefactorEvent, RunEvent};
use crate::proposals;
use crate::run_files::RunFiles as _;
use crate::state::{Offer, State};
use crate::verify_setup;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct Executor;

pub(crate) struct Reads<'s> {
    task: Option<&'s Task>,
    attempt: u32,
    offer: Option<&'s Offer>,
    /// Tasks of models that can be asked at the same time.
    beside: Vec<&'s Task>,
    directive: Option<&'s str>,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        let task = state.current_task();
        Reads {
            task,
            attempt: state.current.as_ref().map_or(1, |current| current.attempt),
            offer: task.and_then(|task| state.proposals.get(&task.id)),
            beside: state.beside(),
            directive: state.started.orders.directive.as_deref(),
        }
    }
}

pub(crate) struct Proposed(Vec<(TaskId, Proposal)>);

enum Proposal {
    Patch {
        sha256: Sha256,
        bytes: u64,
        by: Proposer,
        base: String,
    },
    Nothing(String),
    Blocked(String),
    /// The model gave no usable answer.
    Failed(String),
}

impl Update<Refactor> for Proposed {
    fn events(self) -> Vec<Event> {
        let proposed = self.0.into_iter().map(|(task, proposal)| match proposal {
            Proposal::Patch { sha256, bytes, by, base } => {
                RefactorEvent::PatchProposed { task, sha256, bytes, by, base }.into()
            }
            Proposal::Nothing(why) => RefactorEvent::NothingProposed { task, why }.into(),
            Proposal::Blocked(why) => RefactorEvent::ProposalBlocked { task, why }.into(),
            Proposal::Failed(reason) => {
                let role = patcher::ROLE.name.to_owned();
                RunEvent::ModelFailed { role, task: Some(task), reason }.into()
            }
        });
        proposed.collect()
    }
}

impl Node<Refactor> for Executor {
    const NAME: &'static str = "propose";
    const DOES: &'static str = "has a recipe, a rule or a model propose the change";
    type Reads<'s> = Reads<'s>;
    type Writes = Proposed;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Proposed, RunError> {
        let Some(task) = reads.task else { return Ok(Proposed(Vec::new())) };
        if matches!(task.kind, TaskKind::FormatOnly { .. }) {
            return Ok(Proposed(Vec::new()));
        }
        let tip = world.tip()?;
        if let Some(offer) = reads.offer
            && stands(world, task, offer)?
        {
            return Ok(Proposed(said_before(task, offer)));
        }
        match &task.by {
            Proposer::Given => given(world, task, tip).map(|it| Proposed(vec![it])),
            Proposer::Recipe { .. } | Proposer::Rule { .. } => computed(world, task, tip),
            Proposer::Model => by_model(world, task, &reads, &tip),
        }
    }
}

/// Whether nobody has to be asked for the task, because what was proposed for it still holds.
pub(super) fn stands(world: &mut World, task: &Task, offer: &Offer) -> Result<bool, RunError> {
    match offer {
        Offer::Patch { .. } if task.by == Proposer::Given => Ok(true),
        Offer::Patch { base, .. } => still_fits(world, task, base),
        // Of a model: forgotten as soon as one of the task's files changes. Others are quick to find it out again.
        Offer::Nothing { .. } | Offer::Blocked { .. } | Offer::Failed { .. } => {
            Ok(task.by == Proposer::Model)
        }
    }
}

/// What was said about a task while another was at hand is said again in its turn.
fn said_before(task: &Task, offer: &Offer) -> Vec<(TaskId, Proposal)> {
    let again = match offer {
        Offer::Patch { .. } => return Vec::new(),
        Offer::Nothing { why } => Proposal::Nothing(why.clone()),
        Offer::Blocked { why } => Proposal::Blocked(why.clone()),
        Offer::Failed { why } => Proposal::Failed(why.clone()),
    };
    vec![(task.id, again)]
}

/// Whether the files of a proposal are still what it was made for.
fn still_fits(world: &mut World, task: &Task, base: &str) -> Result<bool, RunError> {
    let tip = world.tip()?;
    if base == tip {
        return Ok(true);
    }
    let paths = touched(world, task)?;
    let worktree = world.worktree()?;
    for path in &paths {
        if worktree.file_at(base, path)? != worktree.file_at(&tip, path)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The files that a proposal touches. A model's patch may be too loose to be read without the files: then what its author says, and
/// else all that it may touch.
fn touched(world: &World, task: &Task) -> Result<Vec<RepoPath>, RunError> {
    let text = fs::read(&world.run.dir.proposal(task.id))?;
    if let Ok(patch) = patch::parse(&text) {
        return Ok(patch.paths().into_iter().cloned().collect());
    }
    let claimed = proposals::claimed(&world.run, task.id)?.unwrap_or_default();
    Ok(if claimed.is_empty() { task.files.clone() } else { claimed.into_iter().collect() })
}

fn given(world: &World, task: &Task, base: String) -> Result<(TaskId, Proposal), RunError> {
    let text = fs::read(&world.run.dir.proposal(task.id))?;
    Ok((task.id, of_text(&text, Proposer::Given, base)))
}

fn of_text(text: &[u8], by: Proposer, base: String) -> Proposal {
    Proposal::Patch { sha256: Sha256::of(text), bytes: text.len() as u64, by, base }
}

fn computed(world: &mut World, task: &Task, base: String) -> Result<Proposed, RunError> {
    let proposal = match planner::propose(world, task)? {
        None => Proposal::Nothing("nothing is left to do there".to_owned()),
        Some(prepared) => {
            proposals::keep(&world.run, task.id, &prepared.patch, None)?;
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
    let Some(desk) = world.context.models.clone() else {
        let why = "it needs a model, and none was chosen".to_owned();
        return Ok(Proposed(vec![(task.id, Proposal::Blocked(why))]));
    };
    let beside = reads.beside.iter().copied().take(desk.beside());
    let tasks: Vec<&Task> = std::iter::once(task).chain(beside).collect();
    let mut queries = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let attempt = if at == 0 { reads.attempt } else { 1 };
        queries.push(query(world, task, reads.directive, attempt)?);
    }
    let what = if tasks.len() > 1 { format!("{} tasks", tasks.len()) } else { task.id.to_string() };
    world.context.progress.begin(&format!("asking the model about {what}"), 0);
    let replies = desk.ask::<PatchResponse, _>(&world.log, queries);
    world.context.progress.end();
    let mut proposed = Vec::new();
    let mut stopped = None;
    for (task, reply) in tasks.into_iter().zip(replies?) {
        match reply {
            Reply::Answer(response) => {
                proposed.push((task.id, answered(world, task, response, base)?));
            }
            Reply::Unusable(why) => proposed.push((task.id, Proposal::Failed(why))),
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

fn query(
    world: &mut World,
    task: &Task,
    directive: Option<&str>,
    attempt: u32,
) -> Result<Query, RunError> {
    let pack = read_pack(world, task.id)?;
    let verifiers = verify_setup::lines(world)?;
    let family = retriever::family(world);
    let assignment = rb_pack::Assignment { task, directive, verifiers: &verifiers, family };
    // The mark has 128 random bits: a text that holds it is no accident, and none was made yet.
    let fence = Fence::new(rb_core::random::bytes());
    let user = pack.prompt(&assignment, &fence)?;
    let folder = Some(world.worktree()?.dir().to_owned());
    Ok(Query { purpose: purpose(task), folder, attempt, ..Query::new(user, fence) })
}

/// What a call about a task is booked to.
pub(super) fn purpose(task: &Task) -> Purpose {
    Purpose { role: String::new(), task: Some(task.id), files: task.files.clone() }
}

pub(super) fn read_pack(world: &World, task: TaskId) -> Result<Pack, RunError> {
    let text = fs::read(&world.run.dir.pack(task))?;
    serde_json::from_slice(&text)
        .map_err(|error| world.bad_journal(&format!("the pack of {task} cannot be read: {error}")))
}

/// What an answer amounts to.
fn answered(
    world: &World,
    task: &Task,
    response: PatchResponse,
    base: &str,
) -> Result<Proposal, RunError> {
    keep_answer(world, task, &response)?;
    Ok(match response.status {
        PatchStatus::Noop => Proposal::Nothing(response.rationale),
        PatchStatus::Blocked => Proposal::Blocked(response.rationale),
        PatchStatus::Ok if response.patch_unified_diff.trim().is_empty() => {
            let words = "the status is \"ok\", and the patch is empty; where nothing is to be changed it is \"noop\"";
            Proposal::Failed(words.to_owned())
        }
        PatchStatus::Ok => {
            let text = response.patch_unified_diff.as_bytes();
            proposals::keep(&world.run, task.id, text, Some(&response.touched_files))?;
            of_text(text, Proposer::Model, base.to_owned())
        }
    })
}

/// The whole answer, for the critic and for whoever wants to know why.
fn keep_answer(world: &World, task: &Task, response: &PatchResponse) -> Result<(), RunError> {
    let text = serde_json::to_vec_pretty(response).expect("an answer is plain data");
    fs::create_dir_all(&world.run.dir.proposals())?;
    Ok(fs::write(&world.run.dir.answer(task.id), &text, fs::Durability::Relaxed)?)
}
