//! Plans over the worktree at the last good commit: made, kept in the run's folder, made smaller, carried out.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

use rb_change::{ChangeWorld, own_rules, proposals};
use rb_core::fs::{self, Durability};
use rb_core::{RepoPath, Sha256, Task};
use rb_flow::event::noted;
use rb_flow::graph::Update;
use rb_index::search::Question;
use rb_index::{IndexError, Indexed, OnDisk};
use rb_language_servers::LanguageServers;
use rb_plan::{Limits, Narrowed, Plan, PlanInput, Prepared};
use rb_recipes::Promised;

use crate::error::RunError;
use crate::event::{Event, RefactorEvent};
use crate::run_files::RunFiles as _;
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

/// What to plan.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlanRequest<'s> {
    directive: Option<&'s str>,
    max_batches: usize,
    /// What needs more lines than the diff budget and cannot be split is left.
    keeps_to_budget: bool,
    /// A coding agent does what no recipe and no rule does.
    has_agent: bool,
}

impl<'s> PlanRequest<'s> {
    pub(crate) fn of(state: &'s State) -> PlanRequest<'s> {
        let orders = &state.started.orders;
        PlanRequest {
            directive: orders.directive.as_deref(),
            max_batches: orders.max_batches as usize,
            keeps_to_budget: orders.keep_to_budget,
            has_agent: orders.agent.is_some(),
        }
    }
}

/// A plan that is in the run's folder.
pub(crate) struct Planned {
    /// Tasks that were brought: they come before those that are planned.
    first: Vec<Task>,
    plan: Plan,
    file: PathBuf,
    notes: Vec<String>,
    /// Proposals that are ready, and the commit that they were made for.
    prepared: Vec<(Task, Sha256, u64)>,
    tip: String,
}

impl Update<Refactor> for Planned {
    fn events(self) -> Vec<Event> {
        let Planned { first, plan, file, notes, prepared, tip } = self;
        let mut events: Vec<Event> = noted(notes).collect();
        let Plan { tasks, is_react_project, active_rules, .. } = plan;
        let tasks = first.into_iter().chain(tasks).collect();
        events.push(RefactorEvent::Planned { tasks, is_react_project, active_rules, file }.into());
        events.extend(prepared.into_iter().map(|(task, sha256, bytes)| {
            RefactorEvent::PatchProposed {
                task: task.id,
                sha256,
                bytes,
                by: task.by,
                base: tip.clone(),
            }
            .into()
        }));
        events
    }
}

/// Puts a plan into the run's folder, with the proposals that are ready.
pub(crate) fn planned(
    world: &World,
    first: &[Task],
    plan: Plan,
    notes: Vec<String>,
    tip: &str,
) -> Result<Planned, RunError> {
    let plan = plan.after(first);
    let prepared = keep(world, &plan)?;
    let file = world.change.run.dir.plan();
    let text = serde_json::to_vec_pretty(&plan).expect("a plan is plain data");
    fs::write(&file, &text, Durability::Relaxed)?;
    let first = first.to_vec();
    Ok(Planned { first, plan, file, notes, prepared, tip: tip.to_owned() })
}

/// Puts the proposals that are ready into the run's folder.
fn keep(world: &World, plan: &Plan) -> Result<Vec<(Task, Sha256, u64)>, RunError> {
    let mut ready = Vec::new();
    for task in &plan.tasks {
        if let Some(Prepared { patch, .. }) = plan.prepared.get(&task.id) {
            proposals::keep(&world.change.run, task.id, patch, None)?;
            ready.push((task.clone(), Sha256::of(patch), patch.len() as u64));
        }
    }
    Ok(ready)
}

/// A task with less to do, after a try that failed for these reasons. `why` is given for each site that it no longer has.
pub(crate) fn narrowed(
    world: &mut World,
    request: &PlanRequest<'_>,
    task: &Task,
    reasons: &[String],
    why: &str,
) -> Result<Option<Narrowed>, RunError> {
    let blamed = blamed(world, reasons)?;
    with_input(world, request, |input| Ok(rb_plan::narrowed(input, task, &blamed, why)?))
}

/// The proposal of a recipe or a rule for the files as they are now.
pub(crate) fn propose(
    world: &mut World,
    request: &PlanRequest<'_>,
    task: &Task,
) -> Result<Option<Prepared>, RunError> {
    with_input(world, request, |input| Ok(rb_plan::propose(input, task)?))
}

/// Files of the repository that the reasons of a failure speak of.
fn blamed(world: &mut World, reasons: &[String]) -> Result<Vec<String>, RunError> {
    let paths = world.change.worktree()?.paths()?;
    let names: BTreeSet<String> = paths.iter().map(ToString::to_string).collect();
    let is_part = |c: char| !(c.is_whitespace() || "`'\"(),:;".contains(c));
    let mut found = BTreeSet::new();
    for reason in reasons {
        let words = reason.split(|c: char| !is_part(c));
        found.extend(words.filter(|word| names.contains(*word)).map(str::to_owned));
    }
    Ok(found.into_iter().collect())
}

/// The most files considered for what nothing else serves.
const FOUND: usize = 40;

/// The files that a question in plain English is about, best first.
fn relevant(
    change: &ChangeWorld,
    indexed: &Indexed,
    question: &str,
) -> Result<Vec<String>, IndexError> {
    let question = Question { text: question.to_owned(), limit: FOUND, ..Question::default() };
    let answer = change.host.search.ask(indexed, &question, &rb_core::progress::Silent)?;
    Ok(answer.hits.into_iter().map(|hit| hit.path).collect())
}

/// Hands the worktree at the last good commit to the planning functions.
pub(crate) fn with_input<T>(
    world: &mut World,
    request: &PlanRequest<'_>,
    work: impl FnOnce(&PlanInput<'_>) -> Result<T, RunError>,
) -> Result<T, RunError> {
    world.change.know()?;
    let root = world.change.worktree()?.dir().to_owned();
    let options = &world.change.options;
    let scope = options.scope()?;
    let may_touch = |path: &str| RepoPath::new(path).is_ok_and(|path| scope.contains(&path));
    let own = own_rules(&root)?;
    let known = world.change.known.as_ref().expect("it was made sure of just now");
    let view = known.indexed.view().map_err(IndexError::from)?;
    let overview = known.indexed.overview().map_err(IndexError::from)?;
    let exports = known.contracts.exports.iter().filter(|it| !it.hidden);
    let promised = Promised(exports.map(|it| (it.file.clone(), it.name.clone())).collect());
    let verify = options.verify.as_ref();
    let renamer = LanguageServers {
        root: root.clone(),
        checkouts: world.change.repo.checkouts(),
        scratch: world.change.host.home.cache(&world.change.repo.backup_name()),
        env: world.change.host.env.clone(),
        sandbox: verify.map(|verify| verify.options.sandbox.clone()).unwrap_or_default(),
        shim: world.change.host.shim.clone(),
        cancel: world.change.host.cancel.clone(),
        limits: rb_language_servers::Limits::default(),
    };
    let failure = RefCell::new(None);
    let search = |question: &str| {
        relevant(&world.change, &known.indexed, question).unwrap_or_else(|error| {
            failure.replace(Some(error));
            Vec::new()
        })
    };
    let done = work(&PlanInput {
        directive: request.directive,
        view: &view,
        overview,
        texts: &OnDisk { root: &root },
        // The user's: whether the worktree has links to it depends on what is run there.
        root: &world.change.repo.root,
        promised: &promised,
        own: &own,
        folder: options.folder.as_ref(),
        may_touch: &may_touch,
        search: &search,
        renamer: &renamer,
        limits: Limits {
            max_batches: request.max_batches,
            diff_budget: options.diff_budget,
            is_strict: request.keeps_to_budget,
        },
        has_model: world.models.is_some() || request.has_agent,
        allow_public_api_changes: verify.is_some_and(|verify| verify.allow_public_api_changes),
        cancel: &world.change.host.cancel,
        progress: &rb_core::progress::Silent,
    });
    // A plan without the files that a search would have found is no plan.
    match failure.into_inner() {
        Some(error) => Err(error.into()),
        None => done,
    }
}
