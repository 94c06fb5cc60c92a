//! The critic: reads a model's patch, and may refuse it, ask for less, or drop it. It is asked before the patch is applied, or after
//! the audit found that it removes behaviour which no test reaches. It is not asked about what the program refuses by itself.

use std::borrow::Cow;

use std::fmt::Write as _;

use rb_change::{ChangeFiles as _, Changing as _, verify_setup};
use rb_core::{RepoPath, Task, TaskId, fs, plural};
use rb_flow::graph::{Node, Update, View};
use rb_flow::{Query, Reply, fence};
use rb_pack::Pack;
use rb_schema::Answer as _;
use rb_schema::roles::critic::{CriticResponse, Decision};
use rb_schema::roles::patcher::PatchResponse;
use rb_workspace::patch;

use crate::constraints;
use crate::error::RunError;
use crate::event::{Event, RefactorEvent};
use crate::packing::{self, PackRequest, Review, touched};
use crate::questions::{CRITIC_NEED, family, purpose};
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct Critic;

pub(crate) struct Reads<'s> {
    task: Option<&'s Task>,
    attempt: u32,
    /// Behaviour that the patch removes and that no test reaches, once that is known.
    unreached: &'s [String],
    directive: Option<&'s str>,
    active_rules: &'s [String],
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        let current = state.change.current.as_ref();
        Reads {
            task: state.current_task(),
            attempt: current.map_or(1, |current| current.attempt),
            unreached: current.map_or(&[], |current| &current.unreached),
            directive: state.started.orders.directive.as_deref(),
            active_rules: &state.active_rules,
        }
    }
}

/// Its decision; `None` where there was nothing to judge.
pub(crate) struct Judged(Option<Judgement>);

struct Judgement {
    task: TaskId,
    decision: Decision,
    reasons: Vec<String>,
    /// What is left of the task for another try.
    /// The smaller task, with the files that it no longer has.
    narrowed: Option<RefactorEvent>,
}

impl Update<Refactor> for Judged {
    fn events(self) -> Vec<Event> {
        let Some(Judgement { task, decision, reasons, narrowed }) = self.0 else {
            return Vec::new();
        };
        let ended = RefactorEvent::CriticEnded { task, decision, reasons };
        std::iter::once(ended).chain(narrowed).map(Event::Own).collect()
    }
}

impl Node<Refactor> for Critic {
    const NAME: &'static str = "criticise";
    const DOES: &'static str = "asks another model to review the patch";
    type Reads<'s> = Reads<'s>;
    type Writes = Judged;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Judged, RunError> {
        let (Some(task), Some(desk)) = (reads.task, world.models.clone()) else {
            return Ok(Judged(None));
        };
        let Some(text) = rb_change::readable_proposal(&mut world.change, task)? else {
            return Ok(Judged(None));
        };
        let rationale = rationale(world, task)?;
        let patch = String::from_utf8_lossy(&text);
        let review = Review { patch: &patch, rationale: &rationale };
        let pack = pack(world, task, &reads, &text, review)?;
        let verifiers = verify_setup::lines(&mut world.change, task.verifier_level)?;
        let told = told(task, reads.unreached);
        let assignment = rb_pack::Assignment {
            task: &told,
            directive: reads.directive,
            verifiers: &verifiers,
            family: family(world),
        };
        let (user, fence) = fence::enclosed::<RunError>(&world.change.run.dir, |fence| {
            pack.critic_prompt(&assignment, fence, &patch, &rationale)
        })?;
        let folder = Some(world.change.worktree()?.dir().to_owned());
        let (purpose, attempt) = (purpose(task), reads.attempt);
        let need = Some(CRITIC_NEED);
        let query = Query { purpose, folder, attempt, need, ..Query::new(user, fence) };
        world.change.host.progress.begin(&format!("asking the critic about {}", task.id), 0);
        let replies = desk.ask::<CriticResponse, _>(&world.log, vec![query]);
        world.change.host.progress.end();
        let judged = match replies?.pop() {
            Some(Reply::Answer(response)) => Ok(judgement(task, response)),
            Some(Reply::Unusable(why)) => Err(why),
            Some(Reply::Stopped(error)) => return Err(error.into()),
            None => return Ok(Judged(None)),
        };
        // A critic that cannot be understood has not accepted.
        let judged = judged.unwrap_or_else(|why| Judgement {
            task: task.id,
            decision: Decision::Reject,
            reasons: vec![format!("the critic gave no usable answer: {why}")],
            narrowed: None,
        });
        Ok(Judged(Some(judged)))
    }
}

/// The task as the critic is shown it: with what the audit found in the patch.
fn told<'t>(task: &'t Task, unreached: &[String]) -> Cow<'t, Task> {
    if unreached.is_empty() {
        return Cow::Borrowed(task);
    }
    let mut told = task.clone();
    told.notes.push(format!(
        "The patch deletes {} with effects (a call, a throw, an await, or what stops an event), puts nothing in the place, and no \
         test reaches that code. Accept it only if the goal asks for that, or what stays does the same.",
        plural(unreached.len(), "statement")
    ));
    Cow::Owned(told)
}

fn judgement(task: &Task, response: CriticResponse) -> Judgement {
    let CriticResponse { decision, mut reasons, suggested_constraints } = response;
    let wishes = suggested_constraints.unwrap_or_default();
    let asks = match decision {
        Decision::Accept | Decision::Noop => None,
        Decision::Reject => Some(""),
        Decision::ShrinkScope => Some("it is to leave more alone"),
        Decision::ShrinkDiff => Some("it is to change fewer lines"),
    };
    let mut narrowed = None;
    if let Some(words) = asks {
        reasons.extend((!words.is_empty()).then(|| words.to_owned()));
        reasons.extend(constraints::words(&wishes));
        narrowed = constraints::narrowed(task, &wishes).map(|smaller| without(task, smaller));
    }
    Judgement { task: task.id, decision, reasons, narrowed }
}

/// The smaller task that replaces `task`.
fn without(task: &Task, smaller: Task) -> RefactorEvent {
    let gone: Vec<RepoPath> =
        task.files.iter().filter(|file| !smaller.files.contains(file)).cloned().collect();
    let why = "the critic asked to leave this file alone";
    let dropped = rb_plan::files_left(task, &gone, why);
    RefactorEvent::Narrowed { dropped, task: Box::new(smaller) }
}

/// The functions that the patch touches, whole, then the rest of the files as for its author.
fn pack(
    world: &mut World,
    task: &Task,
    reads: &Reads<'_>,
    text: &[u8],
    review: Review<'_>,
) -> Result<Pack, RunError> {
    let patch = patch::parse(text).unwrap_or_default();
    let request = PackRequest {
        directive: reads.directive,
        active_rules: reads.active_rules,
        needs: touched(&patch, "changed by the patch"),
        review: Some(review),
        ..PackRequest::default()
    };
    packing::pack(world, task, &request)
}

/// What the author of the patch said about it, and what they see as its risks.
fn rationale(world: &World, task: &Task) -> Result<String, RunError> {
    let text = fs::read_optional(&world.change.run.dir.answer(task.id))?.unwrap_or_default();
    let value: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    let Ok(answer) = PatchResponse::read(&value) else { return Ok(String::new()) };
    let mut words = answer.rationale;
    for risk in &answer.risk_notes {
        let _ = write!(words, "\nRisk: {risk}");
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use rb_core::TaskKind;

    use super::*;

    #[test]
    fn ve6_the_critic_is_told_of_removed_behaviour_and_shown_no_code_with_it() {
        let task = Task::new(TaskId(1), "Tidy up", TaskKind::Change { format: None });
        assert_eq!(*told(&task, &[]), task);
        let found = ["src/a.js:2: removed call: `ignore(all, rules);`".to_owned()];
        let told = told(&task, &found).into_owned();
        let [note] = told.notes.as_slice() else { panic!("one note: {:?}", told.notes) };
        assert!(note.starts_with("The patch deletes 1 statement with effects"), "{note}");
        assert!(!note.contains("ignore"), "code belongs inside of a fence: {note}");
    }
}
