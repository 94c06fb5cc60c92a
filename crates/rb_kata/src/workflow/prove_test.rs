//! Proves a proposed test: it is one, it asserts something, it fails for a reason that an implementation can mend. Otherwise it is
//! refused, or it shows that the code does already more than the tests ask for.

use rb_flow::graph::Node;

use super::Kata;
use super::event::{Agent, Event, KataEvent, Refusal};
use super::proposal::{self, Refused, refused};
use super::state::{Phase, State};
use super::world::{SortedFiles, World};
use crate::error::KataError;
use crate::red::{self, NewTestVerdict};
use crate::stub;
use crate::suite::{SuiteRun, SuiteVerdict};
use crate::test_code::{self, WrittenTest};
use crate::text_file::TextFile;

pub(crate) struct ProveTest;

impl Node<Kata> for ProveTest {
    const NAME: &'static str = "prove_test";
    const DOES: &'static str = "stages the test and proves that it fails for the right reason";
    type Reads<'s> = &'s State;
    type Writes = Vec<Event>;

    fn run(state: &State, world: &mut World) -> Result<Vec<Event>, KataError> {
        let Phase::ProveTest { requirement, files, .. } = &state.phase else {
            return Ok(Vec::new());
        };
        let event = match prove(state, world, requirement, files)? {
            Ok(event) => event,
            Err(why) => refused(Agent::Tester, why),
        };
        Ok(vec![event])
    }
}

fn prove(
    state: &State,
    world: &mut World,
    requirement: &str,
    files: &[TextFile],
) -> Result<Result<Event, Refused>, KataError> {
    let start = &state.start;
    if let Err(why) = proposal::check(start, Agent::Tester, files, &[]) {
        return Ok(Err(why));
    }
    let base = state.base.clone().unwrap_or_default();
    world.restore(start, &base)?;
    let before = SortedFiles::of(start.runner, world.files(start)?);
    let tree = match proposal::apply(world, start, Agent::Tester, (files, &[]), &base)? {
        Ok(tree) => tree,
        Err(why) => return Ok(Err(why)),
    };
    let after = SortedFiles::of(start.runner, world.files(start)?);
    let test = match new_test(state, &before, &after) {
        Ok(test) => test,
        Err(why) => return Ok(Err(why)),
    };
    let run = proposal::run_tests(world, start, "red")?;
    Ok(match red::judge(start.runner.language(), &run, &test, &state.passing) {
        NewTestVerdict::Red { reason, output } => {
            let (test, requirement) = (Box::new(test), requirement.to_owned());
            Ok(KataEvent::Red { test, requirement, tree, reason, output }.into())
        }
        NewTestVerdict::Refused(why) => Err((Refusal::NotRed, why)),
        NewTestVerdict::Passed => {
            return passed(state, world, requirement, (test, tree), &after, &run);
        }
    })
}

fn new_test(
    state: &State,
    before: &SortedFiles,
    after: &SortedFiles,
) -> Result<WrittenTest, Refused> {
    let language = state.start.runner.language();
    let broken = after.tests.iter().find_map(|file| {
        let line = test_code::syntax_error(language, file)?;
        Some(format!("`{}` has a syntax error near line {line}.", file.path))
    });
    if let Some(why) = broken {
        return Err((Refusal::SyntaxError, why));
    }
    let change = test_code::compare(language, &before.tests, &after.tests);
    let is_weakened = !change.removed.is_empty() || !change.changed.is_empty();
    let kind = if is_weakened { Refusal::WeakenedTests } else { Refusal::BadTest };
    test_code::one_new_test(&change).cloned().map_err(|why| (kind, why))
}

/// A test that passes at once: without the implementation it must fail, or it tests nothing.
fn passed(
    state: &State,
    world: &mut World,
    requirement: &str,
    (test, tree): (WrittenTest, String),
    files: &SortedFiles,
    run: &SuiteRun,
) -> Result<Result<Event, Refused>, KataError> {
    if is_vacuous(state, world, &tree, &test, files)? {
        let why = format!(
            "The test `{}` passes even if every function of the implementation fails. It does not test \
             the implementation. Assert the value that it returns for a concrete input.",
            test.name
        );
        return Ok(Err((Refusal::Vacuous, why)));
    }
    let (test, requirement) = (Box::new(test), requirement.to_owned());
    let passing = run.passed.clone();
    Ok(Ok(KataEvent::Overshot { test, requirement, tree, passing }.into()))
}

fn is_vacuous(
    state: &State,
    world: &mut World,
    tree: &str,
    test: &WrittenTest,
    files: &SortedFiles,
) -> Result<bool, KataError> {
    let start = &state.start;
    // Without a function there is nothing that a test could call.
    let Some(stubbed) = stub::stubbed(start.runner, &files.sources) else {
        return Ok(files.sources.iter().all(|file| !file.text.contains(['(', '='])));
    };
    for file in &stubbed {
        let path = rb_core::RepoPath::new(&file.path).expect("it is a path of the project");
        let place = rb_core::fs::contained(world.project(start)?.folder(), &path)?;
        rb_core::fs::write(&place, file.text.as_bytes(), rb_core::fs::Durability::Relaxed)?;
    }
    // So that it is not taken for somebody's work when the files are put back.
    world.project(start)?.stage()?;
    let run = proposal::run_tests(world, start, "stubbed");
    world.restore(start, tree)?;
    let run = run?;
    let passes = run.passed.iter().any(|id| SuiteRun::names(id, &test.name));
    Ok(passes && matches!(run.verdict, SuiteVerdict::Green | SuiteVerdict::Red))
}
