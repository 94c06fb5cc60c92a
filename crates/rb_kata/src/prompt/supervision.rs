//! What the Supervisor is asked: why it is called, what was tried, and what may be decided.

use rb_schema::roles::supervisor::Decision;
use rb_trust::FenceError;

use super::message::{Message, line};
use super::{described, failing_test, refusals, violations};
use crate::workflow::event::DecidedBy;
use crate::workflow::state::{DecisionRecord, INTERVENTIONS, State, TRIES, Trouble};

/// Earlier decisions that are shown.
const HISTORY: usize = 8;

pub(super) fn show(
    message: &mut Message<'_>,
    state: &State,
    trouble: &Trouble,
) -> Result<(), FenceError> {
    introduction(message, state, trouble)?;
    if !state.refused.is_empty() {
        message.paragraph("What was tried:");
        refusals::reasons(message, &state.refused)?;
    }
    staged_test(message, state)?;
    history(message, &state.decisions)?;
    decisions(message, state, trouble);
    message.paragraph(&format!(
        "This is call {} of the supervisor since the last commit. After call {INTERVENTIONS} without a commit the run is stopped.",
        state.interventions
    ));
    message.say("Decide how the run goes on.");
    Ok(())
}

fn introduction(
    message: &mut Message<'_>,
    state: &State,
    trouble: &Trouble,
) -> Result<(), FenceError> {
    match trouble {
        Trouble::NoTest => {
            message.paragraph(&format!("The tester gave no usable test in {TRIES} tries."));
        }
        Trouble::Overshoot => message.paragraph(
            "The tester's new test passes at once: the code already does what it asks for, or its assertion is too weak. Without the \
             implementation, the test fails.",
        ),
        Trouble::ClaimsComplete { reason } => {
            message.say("The tester says that the kata is complete. Its reason:");
            message.output("tester", reason)?;
        }
        Trouble::NoCode => message.paragraph(&format!(
            "The implementer did not make the new test pass in {TRIES} tries. The code is as it was before."
        )),
        Trouble::NoRefactoring => {
            message.paragraph(&format!(
                "The refactorer gave no usable change in {TRIES} tries. The code is as it was before, and its tests pass."
            ));
            violations(message, &state.violations)?;
        }
        Trouble::NoCycles => message.paragraph(
            "All cycles are used up, and all tests pass. Check whether every requirement and every example of the kata has a test.",
        ),
    }
    Ok(())
}

fn staged_test(message: &mut Message<'_>, state: &State) -> Result<(), FenceError> {
    let Some(staged) = &state.red else { return Ok(()) };
    if staged.reason.is_some() {
        failing_test(message, staged)?;
    } else {
        message.say("The new test:");
        message.output("new test", &described(staged))?;
    }
    Ok(())
}

fn history(message: &mut Message<'_>, decisions: &[DecisionRecord]) -> Result<(), FenceError> {
    if decisions.is_empty() {
        return Ok(());
    }
    let row = |record: &DecisionRecord| {
        let by = match record.by {
            DecidedBy::Model => "the supervisor",
            DecidedBy::Rule => "a rule",
        };
        let (cycle, decision) = (record.cycle, record.decision.name());
        let (reason, guidance) = (line(&record.reason), line(&record.guidance));
        format!("cycle {cycle}: {decision}, by {by}. Reason: {reason} Guidance: {guidance}")
    };
    let last = &decisions[decisions.len().saturating_sub(HISTORY)..];
    message.say("The last decisions, oldest first:");
    message.list("decisions", last.iter().map(row))
}

fn decisions(message: &mut Message<'_>, state: &State, trouble: &Trouble) {
    message.say("What you may decide. If you give no decision of this list, the first is taken:");
    for decision in trouble.decisions() {
        let drops = state.red.is_some() && drops_test(*decision);
        let dropped = if drops { "the new test is dropped, and " } else { "" };
        message.say(&format!("- \"{}\": {dropped}{}", decision.name(), meaning(*decision)));
    }
    message.say("");
}

/// Whether a new test that is not committed goes.
fn drops_test(decision: Decision) -> bool {
    match decision {
        Decision::NextTest
        | Decision::SimplerTest
        | Decision::RefactorFirst
        | Decision::Done
        | Decision::Stop => true,
        Decision::RetryImplementation
        | Decision::RetryRefactoring
        | Decision::KeepTest
        | Decision::SkipRefactoring => false,
    }
}

/// What follows from a decision.
fn meaning(decision: Decision) -> &'static str {
    match decision {
        Decision::NextTest => "the tester writes another test.",
        Decision::SimplerTest => "the tester writes one for a smaller step.",
        Decision::RefactorFirst => "the refactorer prepares the code.",
        Decision::RetryImplementation => {
            "the new test stays, and the implementer tries again with your guidance."
        }
        Decision::RetryRefactoring => "the refactorer tries again with your guidance.",
        Decision::KeepTest => "the new test is committed as it is, and the next cycle begins.",
        Decision::SkipRefactoring => "the code stays as it is, and the next cycle begins.",
        Decision::Done => "the run ends: the kata is complete.",
        Decision::Stop => "the run ends with what is committed, as not complete.",
    }
}
