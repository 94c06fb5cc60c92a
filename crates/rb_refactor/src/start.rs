//! The beginning of a run: everything is looked at and read before anything is made.

use std::path::{Path, PathBuf};

use rb_core::clock;
use rb_core::fs;
use rb_core::{RunId, Task};
use rb_flow::Run;
use rb_workspace::patch::Scope;
use rb_workspace::preflight::{
    Dirty, NoRepository, Place, Preflight, inspect_checkout, inspect_folder, locate,
};

use crate::Context;
use crate::driver;
use crate::error::RunError;
use crate::event::{Mode, Orders, RunStarted, Verify};
use crate::proposals;
use crate::propose::{self, Loaded, Proposal};
use crate::report;
use crate::state::State;

/// What a run is to do.
#[derive(Debug, Clone)]
pub struct StartOptions {
    pub target: PathBuf,
    pub proposals: Vec<Proposal>,
    pub dirty: Dirty,
    pub no_repository: NoRepository,
    /// Lines that one task may add and remove together.
    pub diff_budget: usize,
    /// Globs that no task may touch.
    pub excludes: Vec<String>,
    /// How the changes are verified; `None` for not at all.
    pub verify: Option<Verify>,
    /// How the work is planned and carried out.
    pub orders: Orders,
}

/// What a look at the baseline alone is to do.
#[derive(Debug, Clone)]
pub struct VerifyOptions {
    pub target: PathBuf,
    pub dirty: Dirty,
    pub no_repository: NoRepository,
    pub verify: Verify,
}

/// Runs every task and stops where a person has to decide.
pub fn start(context: &Context, options: &StartOptions) -> Result<State, RunError> {
    let loaded = if options.orders.plans && options.proposals.is_empty() {
        Vec::new()
    } else {
        propose::load(&options.proposals)?
    };
    Scope::new(&options.orders.includes, &options.excludes, None)?;
    if let Some(output) = &options.orders.output {
        report::look(output)?;
    }
    let (run, target) = begin(context, &options.target, options.dirty, options.no_repository)?;
    save_proposals(&run, &loaded)?;
    let tasks = loaded.into_iter().map(|loaded| loaded.task).collect();
    let started = started(&run, &target, Mode::Refactor, options, tasks);
    driver::begin(context, run, started, target)?.drive()
}

/// Plans in a worktree of its own, and removes the worktree again. The plan stays in the run's folder.
pub fn plan(context: &Context, options: &StartOptions) -> Result<State, RunError> {
    Scope::new(&options.orders.includes, &options.excludes, None)?;
    let (run, target) = begin(context, &options.target, options.dirty, options.no_repository)?;
    let started = started(&run, &target, Mode::Plan, options, Vec::new());
    driver::begin(context, run, started, target)?.drive()
}

/// Takes the baseline in a worktree of its own, and removes the worktree again.
pub fn verify(context: &Context, options: &VerifyOptions) -> Result<State, RunError> {
    let (run, target) = begin(context, &options.target, options.dirty, options.no_repository)?;
    let started = RunStarted {
        run: run.id.clone(),
        workflow: Mode::Verify,
        repo: target.repo.root.clone(),
        kind: target.repo.kind,
        scope: target.repo.scope.clone(),
        allow_dirty: options.dirty == Dirty::Carry,
        diff_budget: 0,
        excludes: Vec::new(),
        tasks: Vec::new(),
        verify: Some(Box::new(options.verify.clone())),
        orders: Box::default(),
    };
    driver::begin(context, run, started, target)?.drive()
}

fn started(
    run: &Run,
    target: &Preflight,
    mode: Mode,
    options: &StartOptions,
    tasks: Vec<Task>,
) -> RunStarted {
    RunStarted {
        run: run.id.clone(),
        workflow: mode,
        repo: target.repo.root.clone(),
        kind: target.repo.kind,
        scope: target.repo.scope.clone(),
        allow_dirty: options.dirty == Dirty::Carry,
        diff_budget: options.diff_budget,
        excludes: options.excludes.clone(),
        tasks,
        verify: options.verify.clone().map(Box::new),
        orders: Box::new(options.orders.clone()),
    }
}

/// Looks at the target and takes a name for the run. A refused target leaves no run behind.
pub(crate) fn begin(
    context: &Context,
    target: &Path,
    dirty: Dirty,
    no_repository: NoRepository,
) -> Result<(Run, Preflight), RunError> {
    let Context { home, env, cancel, .. } = context;
    fs::create_dir_all(home.root())?;
    match locate(target, home, env, cancel)? {
        Place::Checkout { root, scope } => {
            let target = inspect_checkout(&root, scope, dirty, env, cancel)?;
            let taken = |id: &RunId| Ok::<_, RunError>(target.repo.branch_exists(&id.branch())?);
            Ok((Run::create(home, clock::now(), taken)?, target))
        }
        Place::Folder { root } => {
            let run = Run::create(home, clock::now(), |_| Ok::<_, RunError>(false))?;
            let inspected = inspect_folder(&root, home, &run.id, env, cancel).and_then(|target| {
                if no_repository == NoRepository::Refuse {
                    target.must_be_repository()?;
                }
                Ok(target)
            });
            match inspected {
                Ok(target) => Ok((run, target)),
                Err(refused) => {
                    fs::remove_dir_all(run.dir.path())?;
                    Err(refused.into())
                }
            }
        }
    }
}

fn save_proposals(run: &Run, loaded: &[Loaded]) -> Result<(), RunError> {
    for Loaded { task, text } in loaded {
        if let Some(text) = text {
            proposals::keep(run, task.id, text, None)?;
        }
    }
    Ok(())
}

/// The files that the tasks of a run may touch.
pub(crate) fn scope(started: &RunStarted) -> Result<Scope, RunError> {
    let includes = &started.orders.includes;
    Ok(Scope::new(includes, &started.excludes, started.scope.clone())?)
}

/// The files that one task may touch: what the task names, within what the run allows.
pub(crate) fn scope_of(started: &RunStarted, task: &Task) -> Result<Scope, RunError> {
    Ok(scope(started)?.narrowed(&task.scope_globs)?)
}
