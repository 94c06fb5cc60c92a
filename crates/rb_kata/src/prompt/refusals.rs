//! Why proposals were refused, for the agent that tries again and for the Supervisor.

use rb_trust::FenceError;

use super::message::Message;
use crate::workflow::event::Refusal;
use crate::workflow::state::{RefusedProposal, State, TRIES};

/// On a retry: every reason, and the files of the last proposal.
pub(super) fn retry(message: &mut Message<'_>, state: &State) -> Result<(), FenceError> {
    let Some(last) = state.refused.last() else { return Ok(()) };
    message.paragraph(&format!(
        "This is try {} of {TRIES}. A program refused what you proposed before in this step.",
        state.attempt
    ));
    reasons(message, &state.refused)?;
    if !last.files.is_empty() {
        message.say("What you proposed last. It was taken back; the project is as shown above:");
    }
    for file in &last.files {
        message.file(&file.path, &file.text)?;
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
        Refusal::WeakenedTests => "it changes or removes earlier tests",
        Refusal::NotRed => "the new test does not fail for a reason that code could mend",
        Refusal::Vacuous => "the new test passes whatever the implementation does",
        Refusal::TestsFail => "tests fail with it",
        Refusal::NotBuilt => "it does not compile, or tests cannot be loaded",
        Refusal::TimedOut => "the tests did not end in time",
        Refusal::Constraints => "constraints of the kata are still broken",
        Refusal::NoChange => "it changes nothing",
        Refusal::Blocked => "the answer was that it cannot be done",
    }
}
