//! `refactor-bot resume`: goes on with a run that was cut off, or whose plan waits.

use rb_core::TaskId;
use rb_refactor::{Phase, summary};

use super::run::go::{self, Answers, go};
use super::run::narrator;
use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::model_flags::ModelFlags;
use crate::run_kind::RunKind;
use crate::run_name::RunName;
use crate::{run_desk, run_error, run_view, verify_settings};

/// Resume an interrupted run, or one whose plan waits for you
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Run id, a unique prefix of it, or `latest`
    run: RunName,

    /// Answer yes to every question, and accept the result
    #[arg(long, short)]
    yes: bool,

    /// Leave this task out of a plan that waits, such as batch-003, with all that depends on it; repeatable
    #[arg(long, value_name = "TASK")]
    without: Vec<TaskId>,

    #[command(flatten)]
    pub(super) models: ModelFlags,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let id = args.run.resolve(app)?;
    match RunKind::of(app, &id)? {
        RunKind::Change => {}
        RunKind::Question => return super::ask::resume(app, &id),
        RunKind::Kata => return super::kata::resume(app, &id),
        RunKind::Ticket => return super::ticket::resume(app, &id, args.yes),
    }
    let mut context = run_view::context(app)?;
    let before = summary(&context, &id)?;
    if !matches!(before.phase(), Phase::Ended(_)) {
        context.host.shell = verify_settings::shell_again(app, &before)?;
        run_desk::again(app, &before, &mut context)?;
    }
    if before.started.orders.plans {
        context.observer = context.observer.or_else(|| Some(narrator(app)));
    }
    let state = rb_refactor::resume_without(&context, id.clone(), &args.without)
        .map_err(|error| run_error::of_run(error, &id))?;
    let answers = Answers { yes: args.yes, is_terminal: go::is_terminal(app) };
    go(app, &context, state, answers)
}
