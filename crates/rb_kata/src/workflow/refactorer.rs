//! The Refactorer: proposes better code with the same behaviour, the kata's constraints first.

use std::fmt::Write as _;

use rb_flow::graph::Node;
use rb_schema::roles::refactorer::{RefactoringResponse, RefactoringStatus};

use super::Kata;
use super::event::{Agent, Event, KataEvent, Refusal};
use super::proposal::refused;
use super::state::{Phase, State};
use super::tester::text_files;
use super::world::{SortedFiles, World};
use crate::constraint::Violation;
use crate::error::KataError;
use crate::prompt;

pub(crate) struct Refactorer;

impl Node<Kata> for Refactorer {
    const NAME: &'static str = "refactorer";
    const DOES: &'static str = "proposes better code, constraints first";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event>;

    fn run(state: &State, world: &mut World) -> Result<Vec<Event>, KataError> {
        if state.phase != Phase::Refactorer {
            return Ok(Vec::new());
        }
        let base = state.base.clone().unwrap_or_default();
        world.restore(&state.start, &base)?;
        let files = SortedFiles::of(state.start.runner, world.files(&state.start)?);
        let asked = world.ask::<RefactoringResponse>(state.asked + 1, |fence| {
            prompt::refactorer(state, &files.view(), fence)
        })?;
        Ok(vec![match asked {
            Err(why) => refused(Agent::Refactorer, (Refusal::Unusable, why)),
            Ok(answer) => match answer.status {
                RefactoringStatus::Nothing if !state.violations.is_empty() => {
                    refused(Agent::Refactorer, (Refusal::Constraints, broken(&state.violations)))
                }
                RefactoringStatus::Nothing => {
                    KataEvent::NothingToRefactor { reason: answer.reason }.into()
                }
                RefactoringStatus::Ok => {
                    let files = text_files(answer.files);
                    let deleted = answer.deleted_files.unwrap_or_default();
                    KataEvent::RefactoringProposed { summary: answer.summary, files, deleted }
                        .into()
                }
            },
        }])
    }
}

/// The violations as a model is told them.
pub(super) fn broken(violations: &[Violation]) -> String {
    const MOST: usize = 20;
    let mut text = "The code breaks constraints of the kata:\n".to_owned();
    for Violation { constraint, path, line, what } in violations.iter().take(MOST) {
        let _ = writeln!(text, "- {path}:{line}: {what} ({constraint})");
    }
    if violations.len() > MOST {
        let _ = writeln!(text, "- and {} more", violations.len() - MOST);
    }
    text.trim_end().to_owned()
}
