//! The question to each agent: the kata, the files, what happened so far, and the next step. All foreign text is fenced.
//!
//! What changes least stands first, so that the caches of providers find it again. The same state gives the same bytes.

mod message;
mod project;
mod refusals;
mod supervision;
#[cfg(test)]
mod tests;

use rb_core::plural;
use rb_trust::{Fence, FenceError};

use crate::constraint::{Constraint, ConstraintKind, Violation};
use crate::red::RedReason;
use crate::text_file::TextFile;
use crate::workflow::event::{Agent, Start};
use crate::workflow::state::{StagedTest, State, TestRecord, Trouble};
use message::{Message, line};

/// The project as it is, for an agent to read.
pub(crate) struct Files<'a> {
    pub(crate) sources: &'a [TextFile],
    pub(crate) tests: &'a [TextFile],
    /// Manifests and other files that agents may not write, by name only.
    pub(crate) others: &'a [String],
}

pub(crate) fn tester(
    state: &State,
    files: &Files<'_>,
    fence: &Fence,
) -> Result<String, FenceError> {
    let mut message = beginning(state, files, fence)?;
    guidance(&mut message, state.guidance.as_deref())?;
    refusals::retry(&mut message, state, Agent::Tester)?;
    message.say(
        "Write one test: for the smallest next step that the code does not do yet, or for an example of the kata that has no test yet. \
         If none is missing, answer \"complete\".",
    );
    Ok(message.finish())
}

pub(crate) fn implementer(
    state: &State,
    files: &Files<'_>,
    fence: &Fence,
) -> Result<String, FenceError> {
    let mut message = beginning(state, files, fence)?;
    if let Some(staged) = &state.red {
        failing_test(&mut message, staged)?;
    }
    guidance(&mut message, state.guidance.as_deref())?;
    refusals::retry(&mut message, state, Agent::Implementer)?;
    message.say("Make this test pass with the simplest change to the implementation.");
    Ok(message.finish())
}

pub(crate) fn refactorer(
    state: &State,
    files: &Files<'_>,
    fence: &Fence,
) -> Result<String, FenceError> {
    let mut message = beginning(state, files, fence)?;
    if !state.start.kata.constraints.is_empty() {
        violations(&mut message, &state.violations)?;
    }
    guidance(&mut message, state.guidance.as_deref())?;
    refusals::retry(&mut message, state, Agent::Refactorer)?;
    message.say(if state.violations.is_empty() {
        "Improve the implementation without changing its behaviour, or answer \"nothing\"."
    } else {
        "Mend these places first, without changing the behaviour of the implementation."
    });
    Ok(message.finish())
}

pub(crate) fn supervisor(
    state: &State,
    trouble: &Trouble,
    files: &Files<'_>,
    fence: &Fence,
) -> Result<String, FenceError> {
    let mut message = beginning(state, files, fence)?;
    supervision::show(&mut message, state, trouble)?;
    Ok(message.finish())
}

/// What every agent sees.
fn beginning<'f>(
    state: &State,
    files: &Files<'_>,
    fence: &'f Fence,
) -> Result<Message<'f>, FenceError> {
    let mut message = Message::new(fence);
    kata(&mut message, &state.start)?;
    constraints(&mut message, &state.start.kata.constraints)?;
    progress(&mut message, state)?;
    project::show(&mut message, files)?;
    Ok(message)
}

fn kata(message: &mut Message<'_>, start: &Start) -> Result<(), FenceError> {
    let name = start.file.file_name().unwrap_or(start.file.as_os_str()).to_string_lossy();
    message.say("The kata:");
    message.file(&name, &start.kata.text)?;
    let conventions = start.runner.conventions(&start.kata.slug);
    message.say(&format!("The language is {}. Its conventions:", start.runner.title()));
    message.paragraph(conventions.trim());
    Ok(())
}

fn constraints(message: &mut Message<'_>, constraints: &[Constraint]) -> Result<(), FenceError> {
    if constraints.is_empty() {
        message.paragraph("The kata has no constraints on the form of the code.");
    }
    let is_judged = |constraint: &&Constraint| constraint.kind == ConstraintKind::Judged;
    let (judged, checked): (Vec<&Constraint>, Vec<&Constraint>) =
        constraints.iter().partition(is_judged);
    let groups = [
        ("Constraints on the form of the code that a program checks, as far as it can:", checked),
        ("Constraints on the form of the code that only you can judge:", judged),
    ];
    for (words, group) in groups {
        if !group.is_empty() {
            message.say(words);
            message.list("constraints", group.iter().map(|constraint| &constraint.text))?;
        }
    }
    Ok(())
}

fn progress(message: &mut Message<'_>, state: &State) -> Result<(), FenceError> {
    let count = match state.passing.len() {
        0 => "No test is committed yet.".to_owned(),
        1 => "1 test is committed and passes.".to_owned(),
        several => format!("{several} tests are committed and pass."),
    };
    let (cycle, most) = (state.cycle, state.start.max_cycles);
    message.paragraph(&format!("This is cycle {cycle} of at most {most}. {count}"));
    if state.tests.is_empty() {
        return Ok(());
    }
    let row = |test: &TestRecord| {
        format!("cycle {}: {} (for: {})", test.cycle, line(&test.name), line(&test.requirement))
    };
    message.say("The tests so far, each with its requirement:");
    message.list("tests so far", state.tests.iter().map(row))
}

fn failing_test(message: &mut Message<'_>, staged: &StagedTest) -> Result<(), FenceError> {
    message.say("The new test:");
    message.output("new test", &described(staged))?;
    let why = match staged.reason {
        Some(RedReason::Assertion) => "It fails because its assertion does not hold.",
        Some(RedReason::MissingSymbol) => "It fails because it uses something that does not exist.",
        Some(RedReason::Exception) => "It fails because the code under test raises an error.",
        None => return Ok(()),
    };
    message.say(&format!("{why} The output:"));
    message.output("test output", &staged.output)
}

fn described(staged: &StagedTest) -> String {
    let (test, requirement) = (&staged.test, line(&staged.requirement));
    let (name, path) = (line(&test.name), line(&test.path));
    format!("name: {name}\nplace: {path}, line {}\nrequirement: {requirement}\n", test.line)
}

fn violations(message: &mut Message<'_>, violations: &[Violation]) -> Result<(), FenceError> {
    /// More would not help: mending the first changes the others.
    const MOST: usize = 40;
    if violations.is_empty() {
        message.paragraph("No constraint that a program checks is broken.");
        return Ok(());
    }
    let row = |violation: &Violation| {
        let Violation { constraint, path, line: nth, what } = violation;
        format!("{}:{nth}: {} ({})", line(path), line(what), line(constraint))
    };
    let places = plural(violations.len(), "place");
    message.say(&format!("Constraints are broken in {places}:"));
    message.list("violations", rb_core::at_most(MOST, violations.iter().map(row)))
}

fn guidance(message: &mut Message<'_>, guidance: Option<&str>) -> Result<(), FenceError> {
    match guidance {
        Some(guidance) => {
            message.say("The supervisor says:");
            message.output("supervisor", guidance)
        }
        None => Ok(()),
    }
}
