//! `refactor-bot rollback`: brings a checkout back to what it was before a run.

use rb_change::RolledBack;
use rb_core::RunId;
use rb_refactor::Refactor;
use rb_ticket::workflow::Ticketing;
use rb_workspace::rollback::Insist;

use crate::app::App;
use crate::change_run::ChangeRun;
use crate::error::{CliError, Outcome};
use crate::run_kind::Decidable;
use crate::run_name::RunName;

/// Undo an accepted run: restore branch, index and files
#[derive(Debug, clap::Args)]
#[command(long_about = "\
Undo an accepted run: restore branch, index and files to what they were before.

The current state is backed up first, as a run of its own: roll that run back to undo the rollback. Untracked \
files that the run did not create stay as they are. If an `accept` was interrupted, its part is undone, too, and \
the run waits for your decision again.

A run that was not accepted cannot be rolled back; use `reject`.")]
pub(crate) struct Args {
    /// Run id, a unique prefix of it, or `latest`
    run: RunName,

    /// Also undo newer work; it is backed up first
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let insist = if args.force { Insist::Yes } else { Insist::No };
    let id = args.run.resolve(app)?;
    match Decidable::of(app, &id, "roll back")? {
        Decidable::Change => roll_back::<Refactor>(app, &id, insist),
        Decidable::Ticket => roll_back::<Ticketing>(app, &id, insist),
    }
}

fn roll_back<W: ChangeRun>(app: &App, id: &RunId, insist: Insist) -> Result<Outcome, CliError> {
    let state =
        rb_change::rollback(&W::context(app)?, id, insist).map_err(|error| W::failed(error, id))?;
    let why = match state {
        RolledBack::Done(state) => return W::show(app, &state),
        RolledBack::Already => "your checkout is already as it was before the run",
        RolledBack::NeverLanded => "the run never changed your checkout",
    };
    if !app.ui.json {
        app.ui.print(&format!("Nothing to roll back: {why}.\n"))?;
    }
    Ok(Outcome::Done)
}
