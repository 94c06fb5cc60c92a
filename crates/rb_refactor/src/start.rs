//! The beginning of a run: everything is looked at and read before anything is made.

use std::path::PathBuf;

use rb_change::proposals::{self, Loaded};
use rb_change::{GivenChange, Verify, prepare};
use rb_core::Task;
use rb_flow::Run;
use rb_workspace::patch::Scope;
use rb_workspace::preflight::{Dirty, NoRepository, Preflight};

use crate::Context;
use crate::error::RunError;
use crate::event::{Mode, Orders, RunStarted};
use crate::report;
use crate::state::State;

/// What a run is to do.
#[derive(Debug, Clone)]
pub struct StartOptions {
    pub target: PathBuf,
    pub proposals: Vec<GivenChange>,
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
        proposals::load(&options.proposals)?
    };
    Scope::new(&options.orders.includes, &options.excludes, None)?;
    if let Some(output) = &options.orders.output {
        report::look(output)?;
    }
    let (run, target) =
        prepare(&context.host, &options.target, options.dirty, options.no_repository)?;
    save_proposals(&run, &loaded)?;
    let tasks = loaded.into_iter().map(|loaded| loaded.task).collect();
    let started = started(&run, &target, Mode::Refactor, options, tasks);
    rb_change::begin(context, run, &started, target)?.drive()
}

/// Plans in a worktree of its own, and removes the worktree again. The plan stays in the run's folder.
pub fn plan(context: &Context, options: &StartOptions) -> Result<State, RunError> {
    Scope::new(&options.orders.includes, &options.excludes, None)?;
    let (run, target) =
        prepare(&context.host, &options.target, options.dirty, options.no_repository)?;
    let started = started(&run, &target, Mode::Plan, options, Vec::new());
    rb_change::begin(context, run, &started, target)?.drive()
}

/// Takes the baseline in a worktree of its own, and removes the worktree again.
pub fn verify(context: &Context, options: &VerifyOptions) -> Result<State, RunError> {
    let (run, target) =
        prepare(&context.host, &options.target, options.dirty, options.no_repository)?;
    let started = RunStarted {
        verify: Some(Box::new(options.verify.clone())),
        ..RunStarted::new(run.id.clone(), Mode::Verify, &target, options.dirty)
    };
    rb_change::begin(context, run, &started, target)?.drive()
}

fn started(
    run: &Run,
    target: &Preflight,
    mode: Mode,
    options: &StartOptions,
    tasks: Vec<Task>,
) -> RunStarted {
    RunStarted {
        diff_budget: options.diff_budget,
        excludes: options.excludes.clone(),
        tasks,
        verify: options.verify.clone().map(Box::new),
        orders: Box::new(options.orders.clone()),
        ..RunStarted::new(run.id.clone(), mode, target, options.dirty)
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
