//! `refactor-bot rollback`: brings a checkout back to what it was before a run.

use rb_core::RunId;
use rb_workspace::rollback::Insist;

use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::{run_error, run_view};

/// Bring branch, index and files back to what they were before a run
#[derive(Debug, clap::Args)]
#[command(long_about = "\
Bring branch, index and files back to what they were before a run.

The state before the rollback is backed up first, under a run of its own: rolling that run back undoes the \
rollback. Files that git does not track and the run did not make are left alone.")]
pub(crate) struct Args {
    /// The run, as `refactor-bot runs list` shows it
    run: RunId,

    /// Also undo work that was done since by others; it is backed up first
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let insist = if args.force { Insist::Yes } else { Insist::No };
    let state = rb_refactor::rollback(&run_view::context(app)?, &args.run, insist)
        .map_err(|error| run_error::of_run(error, &args.run))?;
    match state {
        Some(state) => run_view::show(app, &state),
        None => {
            if !app.ui.json {
                app.ui.print(
                    "Nothing to roll back: your checkout is what it was before the run.\n",
                )?;
            }
            Ok(Outcome::Done)
        }
    }
}
