//! `refactor-bot rollback`: brings a checkout back to what it was before a run.

use rb_refactor::RolledBack;
use rb_workspace::rollback::Insist;

use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::run_name::RunName;
use crate::{run_error, run_view};

/// Undo a run that landed: bring branch, index and files back
#[derive(Debug, clap::Args)]
#[command(long_about = "\
Undo a run that landed: bring branch, index and files back to what they were before.

The state before the rollback is backed up first, under a run of its own: rolling that run back undoes the \
rollback. Files that git does not track and the run did not make are left alone. A landing that was cut off \
is undone as well, and the run waits for your decision again.

A run that has not landed is refused and stays what it is; `reject` drops one.")]
pub(crate) struct Args {
    /// The run: its id, the beginning of it, or `latest`
    run: RunName,

    /// Also undo work that was done since by others; it is backed up first
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let insist = if args.force { Insist::Yes } else { Insist::No };
    let id = args.run.resolve(app)?;
    let state = rb_refactor::rollback(&run_view::context(app)?, &id, insist)
        .map_err(|error| run_error::of_run(error, &id))?;
    let why = match state {
        RolledBack::Done(state) => return run_view::show(app, &state),
        RolledBack::Already => "your checkout is what it was before the run",
        RolledBack::NeverLanded => "the run never changed your checkout",
    };
    if !app.ui.json {
        app.ui.print(&format!("Nothing to roll back: {why}.\n"))?;
    }
    Ok(Outcome::Done)
}
