//! Questions as this process begins them, goes on with them and looks at them.

use std::path::PathBuf;
use std::sync::Arc;

use rb_core::process::Env;
use rb_core::{Cancel, Home, Progress, RunId, clock, fs};
use rb_flow::event::ModelChoice;
use rb_flow::{Desk, Driver, Log, Observer, Run, RunDir, RunsError, fold, journal};
use rb_index::walk::WalkOptions;
use rb_models::McpServer;
use rb_repo::{Opener, SearchModel};

use super::Ask;
use super::event::{Kind, RunEvent, Start};
use super::state::State;
use super::world::World;
use crate::error::AskError;

/// What every entry point needs from the outside.
pub struct Context {
    pub home: Home,
    pub env: Env,
    pub cancel: Cancel,
    pub progress: Arc<dyn Progress + Send + Sync>,
    pub search: Arc<SearchModel>,
    pub models: Arc<Desk>,
    pub observer: Option<Observer<Ask>>,
    /// How a provider that calls tools by itself starts a server of ours; `None` for providers that cannot.
    pub mcp: Option<McpServer>,
}

/// One question.
#[derive(Debug, Clone, Default)]
pub struct StartOptions {
    /// The root of the repository, or a folder in one.
    pub repo: PathBuf,
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    pub question: String,
    pub models: ModelChoice,
    /// The file that holds what earlier questions found out; it is read at the beginning, and what is verified is added at the end.
    pub memory: Option<PathBuf>,
}

/// Asks, explores, checks and answers.
pub fn start(context: &Context, options: &StartOptions) -> Result<State, AskError> {
    fs::create_dir_all(context.home.root())?;
    let run = Run::create(&context.home, clock::now(), |_| Ok::<_, AskError>(false))?;
    let StartOptions { repo, include, exclude, question, models, memory } = options.clone();
    let (id, workflow) = (run.id.clone(), Kind::ask());
    let start = Start { run: id, workflow, repo, include, exclude, question, models, memory };
    let driver = Driver::begin(run, start.clone(), context.observer.clone(), |run, log| {
        world(context, &start, run, log)
    })?;
    driver.drive()
}

/// Goes on with a run that was interrupted. One that has ended stays as it is.
pub fn resume(context: &Context, id: RunId) -> Result<State, AskError> {
    let run = Run::open(&context.home, id)?;
    let mut driver =
        Driver::<Ask>::reopen(run, context.observer.clone(), |run, state: &State, log| {
            Ok(world(context, &state.start, run, log))
        })?;
    if driver.state.course.outcome.is_none() {
        driver.write(RunEvent::Resumed)?;
    }
    driver.drive()
}

/// What a run's journal says, without a lock and without any change.
pub fn summary(home: &Home, id: &RunId) -> Result<State, AskError> {
    let dir = RunDir::new(home, id);
    if !dir.path().is_dir() {
        return Err(RunsError::Unknown(id.clone()).into());
    }
    Ok(fold::<Ask>(id, &journal::read(&dir)?.records)?)
}

fn world(context: &Context, start: &Start, run: Run, log: Log<Ask>) -> World {
    let Context { home, env, cancel, .. } = context;
    let opener = Opener { home, env, cancel };
    let (include, exclude) = (start.include.clone(), start.exclude.clone());
    let walk = WalkOptions { include, exclude, own: None };
    // Without history, ranks are worse and nothing else; whoever opened the repository first has said so.
    let repo = opener.checkout(start.repo.clone(), walk, |_| {});
    World {
        run,
        log,
        desk: Arc::clone(&context.models),
        repo,
        search: Arc::clone(&context.search),
        progress: Arc::clone(&context.progress),
        cancel: cancel.clone(),
        memory: start.memory.clone(),
        mcp: context.mcp.clone(),
        indexed: None,
    }
}
