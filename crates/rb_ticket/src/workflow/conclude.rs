//! The end of a task, and of a run.

use rb_change::checkpoint::{self, entry};
use rb_change::{ChangeError, Changing as _, Decision};
use rb_flow::graph::Node;
use rb_workspace::git::GitError;
use rb_workspace::ledger::TaskStatus;

use super::Ticketing;
use super::event::{Mode, Outcome, RunEvent, TicketEvent};
use super::pr_writer::record_branch;
use super::state::State;
use super::world::World;
use crate::error::TicketError;

/// Keeps a change that holds.
pub(crate) struct Keep;

impl Node<Ticketing> for Keep {
    const NAME: &'static str = "keep";
    const DOES: &'static str = "keeps the change";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), TicketError> {
        let (Some(current), Some(task)) = (&state.change.current, state.current_task()) else {
            return Ok(());
        };
        let Some(commit) = current.candidate.clone() else {
            let words = "a change was to be kept that was never made";
            return Err(world.change.bad_journal(words).into());
        };
        let entry = entry(task, Some(current), TaskStatus::Applied, Vec::new());
        Ok(checkpoint::keep(&state.change, &mut world.change, entry, &commit)?)
    }
}

/// Ends a task that changes nothing.
pub(crate) struct Close;

impl Node<Ticketing> for Close {
    const NAME: &'static str = "close";
    const DOES: &'static str = "records why nothing changed";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), TicketError> {
        let (Some(current), Some(task)) = (&state.change.current, state.current_task()) else {
            return Ok(());
        };
        checkpoint::discard(&mut world.change)?;
        let last = state.failures.iter().rfind(|failed| failed.task == task.id);
        let (status, reasons) = match last {
            Some(last) if state.is_given_up() => (TaskStatus::Skipped, last.reasons.clone()),
            Some(_) | None => (TaskStatus::Noop, Vec::new()),
        };
        let mut entry = entry(task, Some(current), status, reasons);
        entry.notes.extend(current.nothing.clone().filter(|why| !why.is_empty()));
        Ok(checkpoint::end_task(&state.change, &mut world.change, &entry)?)
    }
}

/// Enters how it ended.
pub(crate) struct Finish;

impl Node<Ticketing> for Finish {
    const NAME: &'static str = "finish";
    const DOES: &'static str = "records the outcome";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), TicketError> {
        if state.course.outcome.is_some() {
            return Ok(());
        }
        let mut branch = state.branch();
        if state.change.decision == Some(Decision::KeepBranch) {
            let name = name_branch(state, world)?;
            world.write(TicketEvent::BranchNamed { branch: name.clone() })?;
            branch = Some(name);
        }
        record_branch(state, branch)?;
        world.write(RunEvent::RunEnded { outcome: outcome(state) })
    }
}

/// The most names that are tried.
const MOST_NAMES: u32 = 100;

/// Gives the branch that is kept the name of the ticket, with a number where that is taken. If git allows none of them, it stays as it
/// is.
fn name_branch(state: &State, world: &World) -> Result<String, TicketError> {
    let (run, ticket) = (state.start.run.branch(), state.start.ticket.branch());
    let git = &world.change.repo.git;
    for number in 1..=MOST_NAMES {
        let name = if number == 1 { ticket.clone() } else { format!("{ticket}-{number}") };
        let place = format!("refs/heads/{name}");
        let found = git.optional_line(["rev-parse", "--verify", "--quiet", &place]);
        match found.map_err(ChangeError::from)? {
            // Killed after it was renamed.
            Some(commit) if Some(commit.as_str()) == state.change.tip() => return Ok(name),
            Some(_) => {}
            None => {
                return match git.run(["branch", "--move", &run, &name]) {
                    Ok(_) => Ok(name),
                    // A branch `fix` leaves no room for `fix/…`.
                    Err(GitError::Failed { .. }) => Ok(run),
                    Err(error) => Err(ChangeError::from(error).into()),
                };
            }
        }
    }
    Ok(run)
}

fn outcome(state: &State) -> Outcome {
    match (&state.start.workflow, state.change.decision) {
        (Mode::TicketRollback { .. }, _) => Outcome::RolledBack,
        (Mode::Ticket, Some(Decision::Accept)) => Outcome::Accepted,
        (Mode::Ticket, Some(Decision::KeepBranch)) => Outcome::BranchKept,
        (Mode::Ticket, Some(Decision::Reject)) => Outcome::Rejected,
        (Mode::Ticket, None) if state.baseline_stops() => Outcome::BaselineFailed,
        (Mode::Ticket, None) => Outcome::Noop,
    }
}
