//! The Tester: proposes one test, or says that nothing is missing.

use rb_flow::graph::Node;
use rb_schema::roles::tester::{TestResponse, TestStatus};

use super::Kata;
use super::event::{Agent, Event, KataEvent, Refusal};
use super::proposal::refused;
use super::state::{Phase, State};
use super::world::{SortedFiles, World};
use crate::error::KataError;
use crate::prompt;
use crate::text_file::TextFile;

pub(crate) struct Tester;

impl Node<Kata> for Tester {
    const NAME: &'static str = "tester";
    const DOES: &'static str = "proposes one test that should fail";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event>;

    fn run(state: &State, world: &mut World) -> Result<Vec<Event>, KataError> {
        if state.phase != Phase::Tester {
            return Ok(Vec::new());
        }
        let base = state.base.clone().unwrap_or_default();
        world.restore(&state.start, &base)?;
        let files = SortedFiles::of(state.start.runner, world.files(&state.start)?);
        let asked = world.ask::<TestResponse>(state.asked + 1, |fence| {
            prompt::tester(state, &files.view(), fence)
        })?;
        Ok(vec![match asked {
            Err(why) => refused(Agent::Tester, (Refusal::Unusable, why)),
            Ok(answer) => match answer.status {
                TestStatus::Complete => KataEvent::NothingToTest { reason: answer.reason }.into(),
                TestStatus::Test => KataEvent::TestProposed {
                    requirement: answer.requirement,
                    name: answer.test_name,
                    files: text_files(answer.files),
                }
                .into(),
            },
        }])
    }
}

pub(super) fn text_files(files: Vec<rb_schema::roles::patcher::NewFile>) -> Vec<TextFile> {
    files.into_iter().map(|file| TextFile::new(file.path, file.content)).collect()
}
