//! `refactor-bot accept`: lands a finished run.

use rb_core::{RunId, TaskId};
use rb_flow::Decision;
use rb_refactor::Approval;

use super::run::go;
use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::{run_error, run_view};

/// Land a finished run in your checkout, or keep it as a branch
#[derive(Debug, clap::Args)]
#[command(long_about = "\
Land a finished run in your checkout, or keep it as a branch.

Your branch goes on to the run's last checkpoint; where it went on meanwhile, the two are merged. Only files \
that the run changed are written, and only if they still are what they were. Work that was not committed \
when the run began stays uncommitted.")]
pub(crate) struct Args {
    /// The run, as `refactor-bot runs list` shows it
    run: RunId,

    /// Leave the checkout alone and keep the branch refactor-bot/RUN
    #[arg(long)]
    keep_branch: bool,

    /// Only keep the change of this task, such as batch-003, and let the run go on
    #[arg(long, value_name = "TASK", conflicts_with = "keep_branch")]
    task: Option<TaskId>,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    if let Some(task) = args.task {
        return go::say(app, &args.run, task, Approval::Yes);
    }
    let decision = if args.keep_branch { Decision::KeepBranch } else { Decision::Accept };
    let state = rb_refactor::accept(&run_view::context(app)?, args.run.clone(), decision)
        .map_err(|error| run_error::of_run(error, &args.run))?;
    run_view::show(app, &state)
}
