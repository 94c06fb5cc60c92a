//! `refactor-bot reject`: drops a run.

use rb_core::TaskId;
use rb_refactor::Approval;

use super::run::go;
use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::run_name::RunName;
use crate::{run_error, run_view};

/// Drop a run: its worktree and branch go, your checkout was never touched
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run: its id, the beginning of it, or `latest`
    run: RunName,

    /// Only refuse the change of this task, such as batch-003, and let the run go on
    #[arg(long, value_name = "TASK")]
    task: Option<TaskId>,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let id = args.run.resolve(app)?;
    if let Some(task) = args.task {
        return go::say(app, &id, task, Approval::No);
    }
    let state = rb_refactor::reject(&run_view::context(app)?, id.clone())
        .map_err(|error| run_error::of_run(error, &id))?;
    run_view::show(app, &state)
}
