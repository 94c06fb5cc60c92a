//! The Implementer: proposes the smallest change that makes the staged test pass.

use rb_flow::graph::Node;
use rb_schema::roles::implementer::{CodeResponse, CodeStatus};

use super::Kata;
use super::event::{Agent, Event, KataEvent, Refusal};
use super::proposal::refused;
use super::state::{Phase, State};
use super::tester::text_files;
use super::world::{SortedFiles, World};
use crate::error::KataError;
use crate::prompt;

pub(crate) struct Implementer;

impl Node<Kata> for Implementer {
    const NAME: &'static str = "implementer";
    const DOES: &'static str = "proposes the smallest change that makes the test pass";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event>;

    fn run(state: &State, world: &mut World) -> Result<Vec<Event>, KataError> {
        let Some(staged) = state.red.as_ref().filter(|_| state.phase == Phase::Implementer) else {
            return Ok(Vec::new());
        };
        world.restore(&state.start, &staged.tree)?;
        let files = SortedFiles::of(state.start.runner, world.files(&state.start)?);
        let asked = world.ask::<CodeResponse>(state.asked + 1, |fence| {
            prompt::implementer(state, &files.view(), fence)
        })?;
        Ok(vec![match asked {
            Err(why) => refused(Agent::Implementer, (Refusal::Unusable, why)),
            Ok(answer) => match answer.status {
                CodeStatus::Blocked => {
                    refused(Agent::Implementer, (Refusal::Blocked, answer.reason))
                }
                CodeStatus::Ok => {
                    let files = text_files(answer.files);
                    let deleted = answer.deleted_files.unwrap_or_default();
                    KataEvent::CodeProposed { summary: answer.summary, files, deleted }.into()
                }
            },
        }])
    }
}
