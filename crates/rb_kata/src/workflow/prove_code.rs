//! Proves a proposed implementation: with the staged tests, and no others, everything passes. Then test and code are one commit.

use rb_flow::graph::Node;

use super::Kata;
use super::commit::{self, message};
use super::event::{Agent, Commit, CommitKind, Event, KataEvent};
use super::proposal::{self, Refused, refused};
use super::state::{Phase, State};
use super::world::{SortedFiles, World};
use crate::constraint;
use crate::error::KataError;
use crate::special_case::special_cases;
use crate::test_code;
use crate::text_file::TextFile;

pub(crate) struct ProveCode;

impl Node<Kata> for ProveCode {
    const NAME: &'static str = "prove_code";
    const DOES: &'static str = "runs all tests with the change and commits it with the test";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event>;

    fn run(state: &State, world: &mut World) -> Result<Vec<Event>, KataError> {
        let Phase::ProveCode { summary, files, deleted } = &state.phase else {
            return Ok(Vec::new());
        };
        let made = match commit::unfinished(state, world)? {
            Some(event) => Ok(event),
            None => prove(state, world, summary, (files, deleted))?,
        };
        Ok(match made {
            Ok(event) => vec![constraints_checked(state, world)?, event],
            Err(why) => vec![refused(Agent::Implementer, why)],
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
    let Some(staged) = &state.red else { return Ok(Err(nothing_staged())) };
    let (files, deleted) = match proposal::without_tests(start, files, deleted) {
        Ok(own) => own,
        Err(why) => return Ok(Err(why)),
    };
    if let Err(why) = proposal::check(start, Agent::Implementer, &files, &deleted) {
        return Ok(Err(why));
    }
    world.restore(start, &staged.tree)?;
    let before = SortedFiles::of(start.runner, world.files(start)?);
    let proposed = (&files[..], &deleted[..]);
    let tree = match proposal::apply(world, start, Agent::Implementer, proposed, &staged.tree)? {
        Ok(tree) => tree,
        Err(why) => return Ok(Err(why)),
    };
    let after = SortedFiles::of(start.runner, world.files(start)?);
    let run = proposal::run_tests(world, start, "green")?;
    if let Err(why) = proposal::must_pass(&run, &state.passing, Some(&staged.test.name)) {
        return Ok(Err(why));
    }
    let language = start.runner.language();
    // The newest test may be answered by a constant: that is a small step.
    let mut tests = test_code::tests_in(language, &after.tests);
    tests.retain(|test| test.name != staged.test.name);
    let remarks =
        special_cases(language, &start.kata.text, &tests, &before.sources, &after.sources);
    let made = Commit {
        kind: CommitKind::Feat,
        cycle: state.cycle,
        id: String::new(),
        tree,
        subject: commit::subject(CommitKind::Feat, summary),
        passing: run.passed,
        remarks,
    };
    let message = message(state, CommitKind::Feat, summary);
    commit::commit(state, world, made, &message).map(Ok)
}

fn nothing_staged() -> Refused {
    (super::event::Refusal::NoChange, "There is no test to make pass.".to_owned())
}

/// What the implementation breaks now.
pub(super) fn constraints_checked(state: &State, world: &mut World) -> Result<Event, KataError> {
    let start = &state.start;
    let files = SortedFiles::of(start.runner, world.files(start)?);
    let violations = constraint::check(&start.kata.constraints, start.runner, &files.sources);
    Ok(KataEvent::ConstraintsChecked { violations }.into())
}
