//! `refactor-bot reject`: drops a run.

use rb_core::{RunId, TaskId};
use rb_refactor::Approval;

use super::run::go;
use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::{run_error, run_view};

/// Drop a run: its worktree and branch go, your checkout was never touched
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run, as `refactor-bot runs list` shows it
    run: RunId,

    /// Only refuse the change of this task, such as batch-003, and let the run go on
    #[arg(long, value_name = "TASK")]
    task: Option<TaskId>,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    if let Some(task) = args.task {
        return go::say(app, &args.run, task, Approval::No);
    }
    let state = rb_refactor::reject(&run_view::context(app)?, args.run.clone())
        .map_err(|error| run_error::of_run(error, &args.run))?;
    run_view::show(app, &state)
}
