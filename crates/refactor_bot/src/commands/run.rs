//! `refactor-bot run`: a directive, the whole repository, or patches, one task after the other, in a throwaway worktree.

mod copy_consent;
mod flags;
pub(crate) mod go;
mod model_consent;
mod screen;

use std::sync::{Arc, Mutex, PoisonError};

use rb_core::RunId;
use rb_refactor::event::{Event, Record, RunEvent};
use rb_refactor::{Context, start};

use crate::agent_flags::lacks_consent;
use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::model_flags::ModelFlags;
use crate::run_desk::{self, Consent};
use crate::{run_error, run_view};

pub(crate) use copy_consent::CopyConsent;
pub(crate) use flags::{PlanFlags, globs};
pub(crate) use go::{Answers, go};
pub(crate) use model_consent::agree;
pub(crate) use screen::{left_text, narrator, plan_text, show_change};

const EXAMPLES: &str = "\
Examples:
  refactor-bot run .
  refactor-bot run ../shop --directive 'Reduce bundle size' --output out
  refactor-bot run . --directive 'Convert file operations to async' --dry-run
  refactor-bot run . --directive 'Split the parser' --provider claude-code --critic
  refactor-bot run . --directive 'Split it' --agent 'aider --message-file {prompt_file}'
  refactor-bot run . --patch 1.patch --patch 2.patch --yes
  refactor-bot run . --format 'npx prettier --write .' --exclude 'vendor/**'

Without a directive or a patch, the whole repository is scanned. Recipes and rules need no model; \
--provider chooses one for the rest, and --agent lets your own coding agent do it in a copy. A patch is a unified diff, search/replace blocks or whole files; \
wrong line numbers are corrected. Your checkout is not changed before you accept.";

/// Change a repository in small verified steps, in a temporary worktree
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    flags: flags::RunFlags,

    #[command(flatten)]
    pub(super) models: ModelFlags,
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    let flags = &args.flags;
    let chosen = flags.options(app)?;
    let answers = Answers { yes: flags.yes, is_terminal: go::is_terminal(app) };
    let mut options = chosen.options;
    let mut context = run_view::context(app)?;
    if let Some(verify) = &options.verify {
        context.host.shell = context.host.shell.with_values(&verify.options.env);
    }
    if options.orders.plans {
        let desk = run_desk::fresh(app, chosen.project.as_deref())?;
        options.orders.models = desk.as_ref().map(|desk| desk.choice.clone());
        options.orders.answer_form = desk.as_ref().map(|desk| desk.answer_form).unwrap_or_default();
        let consent = Consent { yes: flags.yes, is_terminal: answers.is_terminal };
        options.orders.ask_first = consent.is_missing(app, desk.as_ref());
        let agent = options.orders.agent.as_ref();
        let is_unasked = agent.is_some_and(|agent| lacks_consent(app, agent, flags.yes));
        options.orders.confirm =
            flags.confirm || consent.must_be_asked(app, desk.as_ref()) || is_unasked;
        if options.orders.critic && desk.is_none() && agent.is_some() {
            app.ui.warn("--critic needs a model: choose one with --provider");
        }
        match desk {
            Some(desk) => desk.put_into(&mut context),
            None if agent.is_some() => {
                context.host.search = run_desk::search(app, chosen.project.as_deref())?;
            }
            None => {}
        }
        context.observer = context.observer.or_else(|| Some(screen::narrator(app)));
    }
    let begun = Begun::watch(&mut context);
    let copy = CopyConsent { flag: flags.plan.allow_no_git, answers };
    let state = copy.ask(app, |no_repository| {
        options.no_repository = no_repository;
        start(&context, &options).map_err(|error| match begun.id() {
            Some(run) => run_error::of_run(error, &run),
            None => error.into(),
        })
    })?;
    go(app, &context, state, answers)
}

/// The run that a command began: whoever stops it wants to know its name.
#[derive(Default)]
struct Begun(Arc<Mutex<Option<RunId>>>);

impl Begun {
    /// Listens to the first event, beside whoever listens already.
    fn watch(context: &mut Context) -> Begun {
        let (begun, others) = (Begun::default(), context.observer.take());
        let seen = Arc::clone(&begun.0);
        context.observer = Some(Arc::new(move |record: &Record| {
            if let Event::Run(RunEvent::RunStarted(started)) = &record.event {
                *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(started.run.clone());
            }
            if let Some(others) = &others {
                others(record);
            }
        }));
        begun
    }

    fn id(&self) -> Option<RunId> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
