//! `refactor-bot reject`: drops a run.

use rb_core::TaskId;
use rb_refactor::Approval;

use super::run::go;
use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::model_flags::ModelFlags;
use crate::run_name::RunName;
use crate::{run_error, run_kind, run_view};

/// Drop a run: remove its worktree and branch; your checkout stays as it is
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Run id, a unique prefix of it, or `latest`
    run: RunName,

    /// Reject only this task, such as batch-003, and continue the run
    #[arg(long, value_name = "TASK")]
    task: Option<TaskId>,

    #[command(flatten)]
    pub(super) models: ModelFlags,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let id = args.run.resolve(app)?;
    run_kind::refuse_undecidable(app, &id, "reject")?;
    if let Some(task) = args.task {
        return go::say(app, &id, task, Approval::No);
    }
    let state = rb_change::reject(&run_view::context(app)?, id.clone())
        .map_err(|error| run_error::of_run(error, &id))?;
    run_view::show(app, &state)
}
