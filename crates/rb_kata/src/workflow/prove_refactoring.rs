//! Proves a refactoring: the same tests pass, and the constraints of the kata are met better than before, or as well if none was
//! broken. Otherwise the files are as they were.

use rb_flow::graph::Node;

use super::Kata;
use super::commit::{self, message};
use super::event::{Agent, Commit, CommitKind, Event, Refusal};
use super::proposal::{self, Refused, refused};
use super::prove_code::constraints_checked;
use super::refactorer::broken;
use super::state::{Phase, State};
use super::world::{SortedFiles, World};
use crate::constraint;
use crate::error::KataError;
use crate::text_file::TextFile;

pub(crate) struct ProveRefactoring;

impl Node<Kata> for ProveRefactoring {
    const NAME: &'static str = "prove_refactoring";
    const DOES: &'static str = "runs all tests with the refactoring and commits it, or reverts it";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event>;

    fn run(state: &State, world: &mut World) -> Result<Vec<Event>, KataError> {
        let Phase::ProveRefactoring { summary, files, deleted } = &state.phase else {
            return Ok(Vec::new());
        };
        let made = match commit::unfinished(state, world)? {
            Some(event) => Ok(event),
            None => prove(state, world, summary, (files, deleted))?,
        };
        Ok(match made {
            Ok(event) => vec![constraints_checked(state, world)?, event],
            Err(why) => {
                let base = state.base.clone().unwrap_or_default();
                world.restore(&state.start, &base)?;
                vec![refused(Agent::Refactorer, why)]
            }
        })
    }
}

fn prove(
    state: &State,
    world: &mut World,
    summary: &str,
    (files, deleted): (&[TextFile], &[String]),
) -> Result<Result<Event, Refused>, KataError> {
    let start = &state.start;
    let base = state.base.clone().unwrap_or_default();
    let (files, deleted) = match proposal::without_tests(start, files, deleted) {
        Ok(own) => own,
        Err(why) => return Ok(Err(why)),
    };
    if let Err(why) = proposal::check(start, Agent::Refactorer, &files, &deleted) {
        return Ok(Err(why));
    }
    world.restore(start, &base)?;
    let proposed = (&files[..], &deleted[..]);
    let tree = match proposal::apply(world, start, Agent::Refactorer, proposed, &base)? {
        Ok(tree) => tree,
        Err(why) => return Ok(Err(why)),
    };
    if tree == base {
        return Ok(Err((Refusal::NoChange, "The refactoring changes nothing.".to_owned())));
    }
    let after = SortedFiles::of(start.runner, world.files(start)?);
    let violations = constraint::check(&start.kata.constraints, start.runner, &after.sources);
    let before = state.violations.len();
    if violations.len() > before || (before > 0 && violations.len() == before) {
        return Ok(Err((Refusal::Constraints, broken(&violations))));
    }
    let run = proposal::run_tests(world, start, "refactor")?;
    if let Err(why) = proposal::must_pass(&run, &state.passing, None) {
        return Ok(Err(why));
    }
    let made = Commit {
        kind: CommitKind::Refactor,
        cycle: state.cycle,
        id: String::new(),
        tree,
        subject: commit::subject(CommitKind::Refactor, summary),
        passing: run.passed,
        remarks: Vec::new(),
    };
    let message = message(state, CommitKind::Refactor, summary);
    commit::commit(state, world, made, &message).map(Ok)
}
