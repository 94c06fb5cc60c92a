//! `refactor-bot accept`: lands a finished run.

use rb_change::{Commits, Decision};
use rb_core::{RunId, TaskId, Verdict};
use rb_refactor::{Approval, Context, Phase, summary};

use super::run::go;
use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::model_flags::ModelFlags;
use crate::run_name::RunName;
use crate::{run_error, run_kind, run_view};

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

    /// Do not change the checkout; keep the branch refactor-bot/RUN
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

    #[command(flatten)]
    pub(super) models: ModelFlags,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let id = args.run.resolve(app)?;
    run_kind::refuse_undecidable(app, &id, "accept")?;
    if let Some(task) = args.task {
        return go::say(app, &id, task, Approval::Yes);
    }
    let decision = if args.keep_branch { Decision::KeepBranch } else { Decision::Accept };
    let context = run_view::context(app)?;
    if decision == Decision::Accept && !args.failing {
        must_not_fail(&context, &id)?;
    }
    let commits = if args.squash || args.message.is_some() {
        Commits::One { message: args.message.clone() }
    } else {
        Commits::All
    };
    let state = rb_change::accept(&context, id.clone(), decision, commits)
        .map_err(|error| run_error::of_run(error, &id))?;
    run_view::show(app, &state)
}

/// What fails its checks lands only if that was said.
fn must_not_fail(context: &Context, id: &RunId) -> Result<(), CliError> {
    let state = summary(context, id).map_err(|error| run_error::of_run(error, id))?;
    let is_open = state.change.decision.is_none() && matches!(state.phase(), Phase::Waiting);
    if !is_open || state.verdict() != Verdict::Fail {
        return Ok(());
    }
    let words = format!("run {id} fails its checks and was not accepted");
    Err(CliError::new(ErrorKind::Refused, words).hint(format!(
        "`refactor-bot runs show {id}` shows what fails; `refactor-bot accept {id} --failing` accepts it anyway"
    )))
}
