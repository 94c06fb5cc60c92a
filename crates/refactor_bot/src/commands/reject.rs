//! `refactor-bot reject`: drops a run.

use rb_core::{RunId, Sha256, TaskId};
use rb_refactor::{Approval, Refactor};
use rb_ticket::workflow::Ticketing;

use super::accept::{judged, patch_hash};
use super::run::go;
use crate::app::App;
use crate::change_run::ChangeRun;
use crate::error::{CliError, Outcome};
use crate::model_flags::ModelFlags;
use crate::run_kind::{Decidable, no_single_tasks};
use crate::run_name::RunName;

/// Drop a run: remove its worktree and branch; your checkout stays as it is
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Run id, a unique prefix of it, or `latest`
    run: RunName,

    /// Reject only this task, such as batch-003, and continue the run
    #[arg(long, value_name = "TASK")]
    task: Option<TaskId>,

    /// What is wrong with the task; a model tries it again with this
    #[arg(long, value_name = "TEXT", requires = "task")]
    comment: Option<String>,

    /// Decide only if the patch of the task still has this SHA-256
    #[arg(long, value_name = "HASH", requires = "task", value_parser = patch_hash)]
    if_patch: Option<Sha256>,

    #[command(flatten)]
    pub(super) models: ModelFlags,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let id = args.run.resolve(app)?;
    match (Decidable::of(app, &id, "reject")?, args.task) {
        (Decidable::Change, Some(task)) => {
            let word = Approval::No { comment: args.comment.clone() };
            go::say(app, &id, task, judged(args.if_patch), word)
        }
        (Decidable::Change, None) => reject::<Refactor>(app, &id),
        (Decidable::Ticket, Some(_)) => Err(no_single_tasks(&id, "reject")),
        (Decidable::Ticket, None) => reject::<Ticketing>(app, &id),
    }
}

fn reject<W: ChangeRun>(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    let state =
        rb_change::reject(&W::context(app)?, id.clone()).map_err(|error| W::failed(error, id))?;
    W::show(app, &state)
}
