//! The critic: reads a model's patch before it is applied, and may refuse it, ask for less, or drop it.

use rb_core::fs;
use rb_core::{Task, TaskId};
use rb_flow::Event;
use rb_flow::graph::{Node, Update, View};
use rb_flow::role::RoleCall;
use rb_models::{Limits, Purpose};
use rb_schema::roles::critic::CriticResponse;
use rb_schema::roles::patcher::PatchResponse;
use rb_schema::{Answer as _, Role};
use rb_trust::Fence;

use crate::agents::executor::read_pack;
use crate::agents::retriever;
use crate::answers::Question;
use crate::desk::stops;
use crate::error::RunError;
use crate::proposals;
use crate::ready;
use crate::state::State;
use crate::world::World;

pub(crate) struct Critic;

pub(crate) struct Reads<'s> {
    task: Option<&'s Task>,
    attempt: u32,
    directive: Option<&'s str>,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        Reads {
            task: state.current_task(),
            attempt: state.current.as_ref().map_or(1, |current| current.attempt),
            directive: state.started.orders.directive.as_deref(),
        }
    }
}

/// Its decision; `None` where there was nothing to judge.
pub(crate) struct Judged(Option<(TaskId, String, Vec<String>)>);

impl Update<State> for Judged {
    fn events(self) -> Vec<Event> {
        let judged = self.0.into_iter();
        judged
            .map(|(task, decision, reasons)| Event::CriticEnded { task, decision, reasons })
            .collect()
    }
}

impl Node<State, World> for Critic {
    const NAME: &'static str = "criticise";
    const DOES: &'static str = "has another model read the patch before it is applied";
    type Reads<'s> = Reads<'s>;
    type Writes = Judged;
    type Error = RunError;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Judged, RunError> {
        let (Some(task), Some(desk)) = (reads.task, world.context.models.clone()) else {
            return Ok(Judged(None));
        };
        let pack = read_pack(world, task.id)?;
        let text = fs::read(&proposals::path(&world.run, task.id))?;
        let fence = Fence::new(rb_core::random::bytes());
        let verifiers = ready::lines(world)?;
        let asked = rb_pack::Asked {
            task,
            directive: reads.directive,
            verifiers: &verifiers,
            conventions: &[],
            family: retriever::family(world),
        };
        let rationale = rationale(world, task)?;
        let user =
            pack.critic_prompt(&asked, &fence, &String::from_utf8_lossy(&text), &rationale)?;
        let request = desk.own.request(RoleCall {
            role: Role::Critic,
            purpose: Purpose {
                role: String::new(),
                task: Some(task.id),
                files: task.files.clone(),
            },
            user,
            fence: &fence,
            folder: Some(world.worktree()?.dir().to_owned()),
            limits: Limits::default(),
        })?;
        world.context.progress.begin(&format!("asking the critic about {}", task.id), 0);
        let answers = desk.ask_all(world, vec![Question { request, attempt: reads.attempt }]);
        world.context.progress.end();
        let judged = match answers?.pop() {
            Some(Ok(answer)) => CriticResponse::read(&answer.value.unwrap_or_default())
                .map(|it| (it.decision.name().to_owned(), reasons(&it)))
                .map_err(|faults| faults.to_string()),
            Some(Err(error)) if stops(&error) => return Err(error.into()),
            Some(Err(error)) => Err(error.to_string()),
            None => return Ok(Judged(None)),
        };
        // A critic that cannot be understood has not accepted.
        let (decision, reasons) = judged.unwrap_or_else(|why| {
            ("reject".to_owned(), vec![format!("the critic gave no usable answer: {why}")])
        });
        Ok(Judged(Some((task.id, decision, reasons))))
    }
}

/// Why, and what the next try is to keep to.
fn reasons(answer: &CriticResponse) -> Vec<String> {
    let mut reasons = answer.reasons.clone();
    if let Some(constraints) = answer.suggested_constraints.as_ref().filter(|it| !it.is_empty()) {
        let words = serde_json::to_string(constraints).expect("plain data");
        let words: String = words.chars().take(MOST_OF_CONSTRAINTS).collect();
        reasons.push(format!("the critic asks to keep to {words}"));
    }
    reasons
}

/// Characters.
const MOST_OF_CONSTRAINTS: usize = 500;

/// What the author of the patch said about it.
fn rationale(world: &World, task: &Task) -> Result<String, RunError> {
    let file = world.run.dir.join("proposals").join(format!("{}.answer.json", task.id));
    let text = fs::read_optional(&file)?.unwrap_or_default();
    let value: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
    Ok(PatchResponse::read(&value).map(|it| it.rationale).unwrap_or_default())
}
