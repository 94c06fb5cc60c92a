//! Which workflow a run belongs to, for the commands that take any run.

use rb_ask::workflow::Ask;
use rb_core::RunId;
use rb_flow::{RunDir, Workflow, journal};
use rb_kata::workflow::Kata;

use crate::app::App;
use crate::error::{CliError, ErrorKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunKind {
    /// A refactoring, a plan, a verification or a rollback.
    Change,
    Question,
    Kata,
}

impl RunKind {
    pub(crate) fn of(app: &App, id: &RunId) -> Result<RunKind, CliError> {
        let dir = RunDir::new(app.home()?, id);
        Ok(if is_run_of::<Ask>(&dir) {
            RunKind::Question
        } else if is_run_of::<Kata>(&dir) {
            RunKind::Kata
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

/// Refuses to decide on a run that changes no checkout.
pub(crate) fn refuse_undecidable(app: &App, id: &RunId, verb: &str) -> Result<(), CliError> {
    let (what, hint) = match RunKind::of(app, id)? {
        RunKind::Change => return Ok(()),
        RunKind::Question => {
            ("question", format!("`refactor-bot runs show {id}` shows the question and its answer"))
        }
        RunKind::Kata => (
            "kata",
            format!("its commits are made already; `refactor-bot runs show {id}` shows where"),
        ),
    };
    let problem = format!("run {id} is a {what}: there is nothing to {verb}");
    Err(CliError::new(ErrorKind::Usage, problem).hint(hint))
}
