//! `refactor-bot accept`: lands a finished run.

use rb_change::{Commits, Decision};
use rb_core::{RunId, Sha256, TaskId};
use rb_refactor::{Approval, Judged, Refactor};
use rb_ticket::workflow::Ticketing;

use super::run::go;
use crate::app::App;
use crate::change_run::ChangeRun;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::model_flags::ModelFlags;
use crate::run_kind::{Decidable, no_single_tasks};
use crate::run_name::RunName;

/// Apply a finished run to your checkout, or keep it as a branch
#[derive(Debug, clap::Args)]
#[command(long_about = "\
Apply a finished run to your checkout, or keep it as a branch.

Your branch moves to the last commit of the run. If it has moved since the run began, the two are merged first. \
Only files that the run changed are written, and only if you have not changed them since. Work that was \
uncommitted when the run began stays uncommitted.")]
pub(crate) struct Args {
    /// Run id, a unique prefix of it, or `latest`
    run: RunName,

    /// Do not change the checkout; keep the branch refactor-bot/RUN, or fix/KEY-TITLE of a ticket
    #[arg(long)]
    keep_branch: bool,

    /// Make a single commit instead of one per task
    #[arg(long, conflicts_with_all = ["keep_branch", "task"])]
    squash: bool,

    /// Message of the single commit; implies --squash
    #[arg(long, short, value_name = "TEXT", conflicts_with_all = ["keep_branch", "task"])]
    message: Option<String>,

    /// Accept it even though it fails its checks
    #[arg(long)]
    failing: bool,

    /// Approve only this task, such as batch-003, and continue the run
    #[arg(long, value_name = "TASK", conflicts_with = "keep_branch")]
    task: Option<TaskId>,

    /// Decide only if the patch of the task still has this SHA-256
    #[arg(long, value_name = "HASH", requires = "task", value_parser = patch_hash)]
    if_patch: Option<Sha256>,

    #[command(flatten)]
    pub(super) models: ModelFlags,
}

/// The value of `--if-patch`.
pub(super) fn patch_hash(text: &str) -> Result<Sha256, &'static str> {
    Sha256::from_hex(text).ok_or("a SHA-256 has 64 hexadecimal digits")
}

pub(super) fn judged(patch: Option<Sha256>) -> Judged {
    patch.map_or(Judged::Current, Judged::Patch)
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let id = args.run.resolve(app)?;
    match (Decidable::of(app, &id, "accept")?, args.task) {
        (Decidable::Change, Some(task)) => {
            go::say(app, &id, task, judged(args.if_patch), Approval::Yes)
        }
        (Decidable::Change, None) => accept::<Refactor>(args, app, &id),
        (Decidable::Ticket, Some(_)) => Err(no_single_tasks(&id, "accept")),
        (Decidable::Ticket, None) => accept::<Ticketing>(args, app, &id),
    }
}

fn accept<W: ChangeRun>(args: &Args, app: &App, id: &RunId) -> Result<Outcome, CliError> {
    let decision = if args.keep_branch { Decision::KeepBranch } else { Decision::Accept };
    let context = W::context(app)?;
    let failed = |error| W::failed(error, id);
    if decision == Decision::Accept && !args.failing {
        let state = rb_change::summary::<W>(&context.host, id);
        must_not_fail::<W>(&state.map_err(|error| failed(error.into()))?, id)?;
    }
    let commits = if args.squash || args.message.is_some() {
        Commits::One { message: args.message.clone() }
    } else {
        Commits::All
    };
    let state = rb_change::accept(&context, id.clone(), decision, commits).map_err(failed)?;
    W::show(app, &state)
}

/// What fails its checks lands only if that was said.
fn must_not_fail<W: ChangeRun>(state: &W::State, id: &RunId) -> Result<(), CliError> {
    if !W::waits_failing(state) {
        return Ok(());
    }
    let words = format!("run {id} fails its checks and was not accepted");
    Err(CliError::new(ErrorKind::Refused, words).hint(format!(
        "`refactor-bot runs show {id}` shows what fails; `refactor-bot accept {id} --failing` accepts it anyway"
    )))
}
