//! `refactor-bot plan`: what a run would do, and nothing else.

use rb_refactor::plan;
use rb_workspace::preflight::Dirty;
use serde_json::json;

use super::run::{Answers, CopyConsent, PlanFlags, go, left_text, plan_text};
use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::model_flags::ModelFlags;
use crate::run_desk::{self, Consent};
use crate::run_view;
use crate::ui::printable;

const EXAMPLES: &str = "\
Examples:
  refactor-bot plan .
  refactor-bot plan ../shop --directive 'Reduce bundle size'

Nothing is run and nothing is changed.";

/// Show what a run would do: tasks, files, risk, and what it would not change
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    flags: PlanFlags,

    #[command(flatten)]
    pub(super) models: ModelFlags,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let chosen = args.flags.options(app)?;
    let mut context = run_view::context(app)?;
    // The plan is the result; the events of making it are in the run's journal.
    context.observer = None;
    let mut options = chosen.options;
    // It only reads, so it may read what is not committed yet.
    options.dirty = Dirty::Carry;
    let desk = run_desk::fresh(app, chosen.project.as_deref())?;
    options.orders.models = desk.as_ref().map(|desk| desk.choice.clone());
    let consent = Consent { yes: false, is_terminal: false };
    options.orders.ask_first = consent.is_missing(app, desk.as_ref());
    if let (true, Some(desk)) = (options.orders.ask_first, &desk) {
        let name = &desk.choice.provider;
        app.ui.note(&format!(
            "{name} was not called to refine the plan, because that costs money; pass --budget-usd to allow it"
        ));
    }
    if let Some(desk) = desk {
        desk.put_into(&mut context);
    }
    let answers = Answers { yes: false, is_terminal: go::is_terminal(app) };
    let copy = CopyConsent { flag: args.flags.allow_no_git, answers };
    let state = copy.ask(app, |no_repository| {
        options.no_repository = no_repository;
        Ok(plan(&context, &options)?)
    })?;
    let plan = state.whole_plan()?;
    if app.ui.json {
        app.ui.print_json(&json!({ "run": state.started.run, "plan": plan }))?;
    } else {
        let repo = printable(&run_view::target(&state));
        let left = left_text(&plan);
        app.ui.print(&format!("plan of {repo}\n{}{left}", plan_text(&state)?))?;
    }
    Ok(run_view::beyond(&plan).map_or(Outcome::Done, Outcome::Reported))
}
