//! `refactor-bot resume`: goes on with a run that was cut off.

use rb_core::RunId;

use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::{run_error, run_view};

/// Go on with a run that was interrupted, killed or stopped
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run, as `refactor-bot runs list` shows it
    run: RunId,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let state = rb_refactor::resume(&run_view::context(app)?, args.run.clone())
        .map_err(|error| run_error::of_run(error, &args.run))?;
    run_view::show(app, &state)
}
