//! The models of a run: chosen once, asked for their readiness before anything begins, the same again when it is resumed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, mpsc};

use rb_core::fs;
use rb_flow::desk::listener;
use rb_flow::event::ModelChoice;
use rb_flow::role::OwnTexts;
use rb_flow::{Desk, RunDir, Workflow, journal, spending};
use rb_index::walk::WalkOptions;
use rb_models::{Booking, CallEvent, Ledger};
use rb_pack::AnswerForm;
use rb_refactor::{Context, Refactor, State};
use rb_repo::SearchModel;
use rb_schema::Role;
use rb_schema::roles::patcher;

use crate::app::App;
use crate::error::CliError;
use crate::model_settings::{ModelSettings, failed};
use crate::{repo_index, search_model};

/// The most models that are asked at once.
const AT_ONCE: usize = 3;

pub(crate) struct ChosenDesk {
    pub(crate) desk: Arc<Desk>,
    /// Finds the files that a model is shown.
    pub(crate) search: Arc<SearchModel>,
    pub(crate) choice: ModelChoice,
    pub(crate) answer_form: AnswerForm,
    /// Asking may cost money.
    pub(crate) is_paid: bool,
}

impl ChosenDesk {
    pub(crate) fn put_into<W: Workflow>(self, context: &mut rb_change::Context<W>) {
        context.models = Some(self.desk);
        context.host.search = self.search;
    }
}

/// Whether the plan has to wait for a person's word.
pub(crate) struct Consent {
    pub(crate) yes: bool,
    pub(crate) is_terminal: bool,
}

impl Consent {
    /// At a terminal always. Elsewhere only before money is spent that nobody has spoken of.
    pub(crate) fn must_be_asked(&self, app: &App, desk: Option<&ChosenDesk>) -> bool {
        !self.yes && (self.is_terminal || self.is_missing(app, desk))
    }

    /// Asking a model costs money, and nobody has said that it may.
    pub(crate) fn is_missing(&self, app: &App, desk: Option<&ChosenDesk>) -> bool {
        let is_paid = desk.is_some_and(|desk| desk.is_paid);
        let has_said = app.models.budget_usd.is_some() || app.models.replay.is_some();
        is_paid && !has_said && !self.yes
    }
}

/// The models that flags and configuration choose for a refactoring; `None` where no model is asked.
pub(crate) fn fresh(app: &App, project: Option<&Path>) -> Result<Option<ChosenDesk>, CliError> {
    fresh_for(app, project, Refactor::ROLES)
}

/// The same for the roles of any workflow.
pub(crate) fn fresh_for(
    app: &App,
    project: Option<&Path>,
    roles: &[Role],
) -> Result<Option<ChosenDesk>, CliError> {
    fresh_at(app, project, project, roles)
}

/// The same for a workflow that searches no repository.
pub(crate) fn fresh_without_search(
    app: &App,
    project: Option<&Path>,
    roles: &[Role],
) -> Result<Option<ChosenDesk>, CliError> {
    fresh_at(app, project, None, roles)
}

fn fresh_at(
    app: &App,
    project: Option<&Path>,
    searched: Option<&Path>,
    roles: &[Role],
) -> Result<Option<ChosenDesk>, CliError> {
    let settings = ModelSettings::of(app, project)?;
    if settings.chosen() == "builtin" {
        return Ok(None);
    }
    desk(app, &settings, searched, roles, &[]).map(Some)
}

/// The models that a run began with, with what it has spent; flags are stronger.
pub(crate) fn again(app: &App, state: &State, context: &mut Context) -> Result<(), CliError> {
    let orders = &state.started.orders;
    let Some(choice) = &orders.models else {
        if orders.agent.is_some() {
            context.host.search = search(app, Some(&state.started.repo))?;
        }
        return Ok(());
    };
    let dir = RunDir::new(app.home()?, &state.started.run);
    again_for::<Refactor>(app, &state.started.repo, choice, &dir)?.put_into(context);
    Ok(())
}

/// The models that a run of any workflow began with.
pub(crate) fn again_for<W: Workflow>(
    app: &App,
    repo: &Path,
    choice: &ModelChoice,
    dir: &RunDir,
) -> Result<ChosenDesk, CliError> {
    again_at::<W>(app, Some(repo), Some(repo), choice, dir)
}

/// The same for a workflow that searches no repository.
pub(crate) fn again_without_search<W: Workflow>(
    app: &App,
    project: Option<&Path>,
    choice: &ModelChoice,
    dir: &RunDir,
) -> Result<ChosenDesk, CliError> {
    again_at::<W>(app, project, None, choice, dir)
}

fn again_at<W: Workflow>(
    app: &App,
    project: Option<&Path>,
    searched: Option<&Path>,
    choice: &ModelChoice,
    dir: &RunDir,
) -> Result<ChosenDesk, CliError> {
    let settings = ModelSettings::again(app, project, choice)?;
    let records = journal::read::<W>(dir).map_err(rb_refactor::RunError::from)?.records;
    desk(app, &settings, searched, W::ROLES, &spending::bookings(&records))
}

/// What finds the files that a model or an agent is shown in the repository.
pub(crate) fn search(app: &App, searched: Option<&Path>) -> Result<Arc<SearchModel>, CliError> {
    let search = match searched {
        Some(root) => search_model::of(app, &repo_index::open(app, root, WalkOptions::default())?)?,
        None => SearchModel::local(),
    };
    Ok(Arc::new(search))
}

/// `searched` is the repository that the workflow searches. `before` is what the same run was booked until it was interrupted.
fn desk(
    app: &App,
    settings: &ModelSettings<'_>,
    searched: Option<&Path>,
    roles: &[Role],
    before: &[&Booking],
) -> Result<ChosenDesk, CliError> {
    let search = search(app, searched)?;
    let (to, heard) = mpsc::channel();
    let enter = listener(to);
    let ui = app.ui.clone();
    let spent = Ledger::from_bookings(before.iter().copied()).gone();
    let models = settings.models(spent, move |told: CallEvent<'_>| {
        if let CallEvent::Waiting { fault, wait } = &told {
            let seconds = wait.as_secs_f64().ceil();
            ui.note(&format!("{fault}; retrying in {seconds:.0} s"));
        }
        enter(&told);
    })?;
    models.recall(before.iter().copied());
    let mut is_paid = false;
    for role in roles {
        is_paid |= models.route(role.name).provider.abilities().paid;
        // A missing login or an unknown price is better found before an hour of work than after it.
        models.check(role.name).map_err(failed)?;
    }
    let answer_form = settings.answer_form(models.route(patcher::ROLE.name).provider.name())?;
    let secrets = settings.secrets();
    let desk = Desk::new(models, own_texts(app, roles)?, AT_ONCE, heard).striking(move |text| {
        secrets.iter().fold(text.to_owned(), |text, secret| secret.struck_from(&text))
    });
    let desk = Arc::new(desk);
    let choice = settings.choice();
    Ok(ChosenDesk { desk, search, choice, answer_form, is_paid })
}

/// Prompts and schemas that the user put in the place of those that come with the program.
fn own_texts(app: &App, roles: &[Role]) -> Result<OwnTexts, CliError> {
    let home = app.home()?.root();
    let texts = |folder: &str, ending: &str| -> Result<BTreeMap<String, String>, CliError> {
        let mut found = BTreeMap::new();
        for role in roles {
            let file = home.join(folder).join(format!("{}.{ending}", role.name));
            if let Some(bytes) = fs::read_optional(&file)? {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                found.insert(role.name.to_owned(), text);
            }
        }
        Ok(found)
    };
    let own = OwnTexts {
        prompts: texts("prompts", "system.txt")?,
        schemas: texts("schemas", "schema.json")?,
    };
    // Before anything is made rather than in the middle.
    own.check(roles).map_err(rb_refactor::RunError::from)?;
    Ok(own)
}
