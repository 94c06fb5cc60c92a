//! `refactor-bot kata`: develops a code kata test-first; every commit is green.

mod order;
mod screen;

use std::path::PathBuf;

use rb_core::RunId;
use rb_flow::Workflow as _;
use rb_kata::KataError;
use rb_kata::workflow::{Kata, Outcome as KataOutcome, Plan, State, plan};

use self::order::Order;
use super::run::agree;
use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::model_flags::ModelFlags;
use crate::{kata_run, run_desk};

pub(crate) use self::screen::summary_text;

const EXAMPLES: &str = "\
Examples:
  refactor-bot kata fizzbuzz.md --provider anthropic
  refactor-bot kata fizzbuzz.md --dry-run
  refactor-bot kata bowling.md --language python --work-dir bowling --provider ollama
  refactor-bot kata roman.md --provider openai --model-for supervisor=MODEL

A Tester, an Implementer, a Refactorer and a Supervisor propose; refactor-bot runs the tests and commits. A new test \
must fail for the right reason before code is written, and only trees whose tests all pass are committed. An empty \
folder becomes a repository; in an existing repository the work happens on a branch of its own.";

/// Develop a code kata test-first, with four agents and only green commits
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Markdown file that describes the kata
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Programming language [default: what the kata says, or rust]
    #[arg(long, value_name = "NAME")]
    language: Option<String>,

    /// Folder for the project, empty or a git repository [default: ./agentic-tdd-output]
    #[arg(long, value_name = "DIR")]
    work_dir: Option<PathBuf>,

    /// Maximum number of cycles [default: 15]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max_cycles: Option<u32>,

    /// Maximum time for one run of the tests, in seconds [default: 120]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    timeout: Option<u32>,

    /// Sandbox for the tests: auto, bubblewrap, landlock, docker:IMAGE or off
    #[arg(long, value_name = "SANDBOX")]
    sandbox: Option<String>,

    /// Show how the kata is understood and what would be done; no model is called
    #[arg(long)]
    dry_run: bool,

    /// Use a paid model without asking for confirmation
    #[arg(long, short)]
    yes: bool,

    #[command(flatten)]
    pub(super) models: ModelFlags,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let mut order = Order::new(args, app)?;
    let plan = plan(&app.env, &app.cancel, app.home()?, &order.options)?;
    if args.dry_run {
        return show_plan(app, &order, &plan);
    }
    if let Some(error) = fatal(&order, &plan) {
        return Err(error.hint("the same command with --dry-run shows what was understood"));
    }
    let project = order.project.as_deref();
    let Some(desk) = run_desk::fresh_without_search(app, project, Kata::ROLES)? else {
        return Err(no_model());
    };
    let problems = plan.kata.problems.iter().map(|problem| &problem.text);
    for text in problems.chain(&plan.notes) {
        app.ui.warn(text);
    }
    agree(app, &desk, args.yes)?;
    order.options.models = desk.choice.clone();
    let state = kata_run::start(app, &desk, &order.options)?;
    show(app, &state)
}

/// Resumes an interrupted kata, and shows what came of it.
pub(super) fn resume(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    show(app, &kata_run::resume(app, id)?)
}

fn show_plan(app: &App, order: &Order, plan: &Plan) -> Result<Outcome, CliError> {
    if app.ui.json {
        app.ui.print_json(&screen::plan_json(order, plan))?;
    } else {
        app.ui.print(&screen::plan_text(order, plan))?;
    }
    match fatal(order, plan) {
        Some(error) => Err(error),
        None => Ok(Outcome::Done),
    }
}

fn show(app: &App, state: &State) -> Result<Outcome, CliError> {
    let summary = kata_run::summary(app, state)?;
    if app.ui.json {
        app.ui.print_json(&summary)?;
    } else {
        app.ui.print(&(summary_text(&summary) + &screen::next(state)))?;
    }
    Ok(match summary.outcome {
        Some(KataOutcome::Complete) => Outcome::Done,
        Some(KataOutcome::CyclesUsedUp | KataOutcome::Stopped) | None => {
            Outcome::Reported(ErrorKind::Refused)
        }
    })
}

/// What keeps a kata from being begun.
fn fatal(order: &Order, plan: &Plan) -> Option<CliError> {
    let problems = plan.kata.problems.iter().filter(|problem| problem.is_fatal);
    let texts: Vec<&str> = problems.map(|problem| problem.text.trim_end_matches('.')).collect();
    let (file, why) = (order.options.file.clone(), texts.join("; "));
    (!texts.is_empty()).then(|| KataError::BadKata { file, why }.into())
}

fn no_model() -> CliError {
    CliError::new(ErrorKind::Usage, "a kata needs a model, and none is chosen")
        .hint("choose one with --provider, such as claude-code, anthropic or ollama; `refactor-bot models` lists all")
        .hint("--dry-run needs no model")
}
