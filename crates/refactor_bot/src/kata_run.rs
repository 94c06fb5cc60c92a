//! Katas as runs: begun, resumed, shown live on standard error, and summed up.

mod live_view;

use std::path::Path;
use std::sync::Arc;

use rb_core::RunId;
use rb_flow::{Observer, RunDir, journal, spending};
use rb_kata::KataError;
use rb_kata::workflow::event::Place;
use rb_kata::workflow::summary::Summary;
use rb_kata::workflow::{self, Context, Kata, StartOptions, State};
use rb_verify::Shell;

use self::live_view::LiveView;
use crate::app::App;
use crate::error::CliError;
use crate::run_desk::{self, ChosenDesk};
use crate::{kata_error, verify_settings};

/// How many characters of a commit's id are shown.
const SHORT_ID: usize = 10;

/// Develops a kata with the models at `desk`.
pub(crate) fn start(
    app: &App,
    desk: &ChosenDesk,
    options: &StartOptions,
) -> Result<State, CliError> {
    let view = LiveView::new(app, None);
    let shell = Shell::new(app.environment.all()).with_values(&options.verify.env);
    let context = context(app, desk, shell, view.observer())?;
    workflow::start(&context, options).map_err(|error| match view.run() {
        Some(run) => kata_error::of_run(error, &run),
        None => error.into(),
    })
}

/// Resumes an interrupted kata. One that has ended is only read.
pub(crate) fn resume(app: &App, id: &RunId) -> Result<State, CliError> {
    let home = app.home()?;
    let before = workflow::state_of(home, id)?;
    if before.course.outcome.is_some() {
        return Ok(before);
    }
    let begun = before.start.clone();
    let project = project(&begun.place);
    let dir = RunDir::new(home, id);
    let desk = run_desk::again_without_search::<Kata>(app, project, &begun.models, &dir)?;
    let shell = verify_settings::shell_for(app, project, id, &begun.verify)?;
    let view = LiveView::new(app, Some(before));
    let context = context(app, &desk, shell, view.observer())?;
    workflow::resume(&context, id.clone()).map_err(|error| kata_error::of_run(error, id))
}

/// What a run did, and what its models took.
pub(crate) fn summary(app: &App, state: &State) -> Result<Summary, CliError> {
    let dir = RunDir::new(app.home()?, &state.start.run);
    let records = journal::read::<Kata>(&dir).map_err(KataError::from)?.records;
    let total = spending::ledger(&records).total();
    let is_priced = total.calls > 0 && total.unknown == 0;
    let usd = is_priced.then(|| total.cost.to_string().trim_start_matches('$').to_owned());
    Ok(Summary::of(state, total.usage.total(), usd))
}

/// The beginning of a commit's id.
pub(crate) fn short_id(id: &str) -> String {
    id.chars().take(SHORT_ID).collect()
}

/// Whose configuration holds: that of the repository that existed before. What agents write configures nothing.
fn project(place: &Place) -> Option<&Path> {
    match place {
        Place::NewRepository { .. } => None,
        Place::Worktree { checkout, .. } => checkout.is_dir().then_some(checkout.as_path()),
    }
}

fn context(
    app: &App,
    desk: &ChosenDesk,
    shell: Shell,
    observer: Observer<Kata>,
) -> Result<Context, CliError> {
    Ok(Context {
        home: app.home()?.clone(),
        env: app.env.clone(),
        shell,
        cancel: app.cancel.clone(),
        progress: Arc::new(app.ui.progress()),
        models: Arc::clone(&desk.desk),
        observer: Some(observer),
        shim: std::env::current_exe().ok(),
    })
}
