//! Which workflow a run belongs to, for the commands that take any run.

use rb_ask::workflow::Ask;
use rb_core::RunId;
use rb_flow::{RunDir, Workflow, journal};
use rb_kata::workflow::Kata;
use rb_ticket::workflow::Ticketing;

use crate::app::App;
use crate::error::{CliError, ErrorKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunKind {
    /// A refactoring, a plan, a verification or a rollback.
    Change,
    Question,
    Kata,
    Ticket,
}

impl RunKind {
    pub(crate) fn of(app: &App, id: &RunId) -> Result<RunKind, CliError> {
        let dir = RunDir::new(app.home()?, id);
        Ok(if is_run_of::<Ask>(&dir) {
            RunKind::Question
        } else if is_run_of::<Kata>(&dir) {
            RunKind::Kata
        } else if is_run_of::<Ticketing>(&dir) {
            RunKind::Ticket
        } else {
            RunKind::Change
        })
    }
}

/// Whether the workflow `W` wrote this journal.
pub(crate) fn is_run_of<W: Workflow>(dir: &RunDir) -> bool {
    // Whoever reads the rest of a journal says what is wrong with it.
    let head = journal::head(dir).ok().flatten();
    head.is_some_and(|head| W::NAMES.contains(&head.workflow.as_str()))
}

/// The workflows whose runs a person decides on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decidable {
    Change,
    Ticket,
}

impl Decidable {
    /// Refuses a run that changes no checkout.
    pub(crate) fn of(app: &App, id: &RunId, verb: &str) -> Result<Decidable, CliError> {
        let (what, hint) = match RunKind::of(app, id)? {
            RunKind::Change => return Ok(Decidable::Change),
            RunKind::Ticket => return Ok(Decidable::Ticket),
            RunKind::Question => (
                "question",
                format!("`refactor-bot runs show {id}` shows the question and its answer"),
            ),
            RunKind::Kata => (
                "kata",
                format!("its commits are made already; `refactor-bot runs show {id}` shows where"),
            ),
        };
        let problem = format!("run {id} is a {what}: there is nothing to {verb}");
        Err(CliError::new(ErrorKind::Usage, problem).hint(hint))
    }
}

/// What `--task` comes to for a ticket, whose changes stand or fall together.
pub(crate) fn no_single_tasks(id: &RunId, verb: &str) -> CliError {
    let problem = format!("run {id} works on a ticket: its tasks are not decided on one by one");
    CliError::new(ErrorKind::Usage, problem)
        .hint(format!("`refactor-bot {verb} {id}` decides on all of it"))
}
