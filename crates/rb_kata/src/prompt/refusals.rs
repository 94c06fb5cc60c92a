//! Why proposals were refused, for the agent that tries again and for the Supervisor.

use rb_trust::FenceError;

use super::message::Message;
use crate::text_file::TextFile;
use crate::workflow::event::{Agent, Refusal};
use crate::workflow::state::{RefusedProposal, State, TRIES};

/// On a retry: every reason, and the files of the last proposal that the agent may write.
pub(super) fn retry(
    message: &mut Message<'_>,
    state: &State,
    agent: Agent,
) -> Result<(), FenceError> {
    let Some(last) = state.refused.last() else { return Ok(()) };
    message.paragraph(&format!(
        "This is try {} of {TRIES}. A program refused what you proposed before in this step.",
        state.attempt
    ));
    reasons(message, &state.refused)?;
    let is_ignored =
        |file: &&TextFile| agent != Agent::Tester && state.start.runner.is_test(&file.path);
    let (ignored, own): (Vec<&TextFile>, Vec<&TextFile>) = last.files.iter().partition(is_ignored);
    if !own.is_empty() {
        message.say("What you proposed last. It was taken back; the project is as shown above:");
    }
    for file in own {
        message.file(&file.path, &file.text)?;
    }
    if !ignored.is_empty() {
        message.paragraph(
            "The test files that you wrote were ignored and are not shown: the tests run as the tester wrote them.",
        );
    }
    message.paragraph("Correct it, so that the last reason no longer holds.");
    Ok(())
}

/// The program's words, and what they are about between the marks.
pub(super) fn reasons(
    message: &mut Message<'_>,
    refused: &[RefusedProposal],
) -> Result<(), FenceError> {
    for (nth, proposal) in refused.iter().enumerate() {
        let why = words(proposal.refusal);
        message.say(&format!("Try {} was refused: {why}. In detail:", nth + 1));
        message.output("reason", &proposal.reason)?;
    }
    Ok(())
}

fn words(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Unusable => "the answer could not be read",
        Refusal::WrongFile => "it writes a file that this agent may not write",
        Refusal::BadTest => "it does not add exactly one test that asserts something and runs",
        Refusal::SyntaxError => "a test file has a syntax error",
        Refusal::WeakenedTests => "it changes or removes earlier tests",
        Refusal::NotRed => {
            "the new test must fail by its assertion, by something that does not exist yet or by an error of the code under test, \
             not by an error of its own, and must break no other test"
        }
        Refusal::Vacuous => "the new test passes whatever the implementation does",
        Refusal::TestsFail => "tests fail with it",
        Refusal::NotBuilt => "it does not compile, or tests cannot be loaded",
        Refusal::TimedOut => "the tests did not end in time",
        Refusal::Constraints => "constraints of the kata are still broken",
        Refusal::NoChange => "it changes nothing",
        Refusal::Blocked => "the answer was that it cannot be done",
    }
}
