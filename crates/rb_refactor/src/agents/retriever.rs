//! The retriever: what a model is shown for a task, under hard budgets, each file with its reason.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rb_change::{Changing as _, verify_setup};
use rb_core::fs::{self, Durability};
use rb_core::progress::Silent;
use rb_core::{Proposer, RepoPath, Task};
use rb_flow::graph::{Node, Update, View};
use rb_index::{IndexError, OnDisk, View as Files};
use rb_pack::{Budgets, Pack, RuleText};
use rb_plan::{Leftover, Plan};
use rb_rules::engine::{self, OverIndex};
use rb_rules::project::Project;
use rb_rules::{Certainty, Rule};
use rb_schema::roles::patcher;
use rb_workspace::ledger::LedgerEntry;

use crate::error::RunError;
use crate::event::{Event, RefactorEvent};
use crate::questions::family;
use crate::run_files::RunFiles as _;
use crate::standing::stands;
use crate::state::{Proposal, State};
use crate::style;
use crate::tries::Tries;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct Retriever;

pub(crate) struct Reads<'s> {
    /// The task at hand, and those that can be proposed beside it.
    tasks: Vec<&'s Task>,
    /// What was proposed for the task at hand already.
    proposal: Option<&'s Proposal>,
    directive: Option<&'s str>,
    ledger: &'s [LedgerEntry],
    /// What went wrong with the task at hand so far.
    tries: Tries<'s>,
    active_rules: &'s [String],
    plan: Option<&'s PathBuf>,
}

impl<'s> View<'s, State> for Reads<'s> {
    fn of(state: &'s State) -> Self {
        let current = state.current_task();
        Reads {
            tasks: current.into_iter().chain(state.beside()).collect(),
            proposal: current.and_then(|task| state.proposals.get(&task.id)),
            directive: state.started.orders.directive.as_deref(),
            ledger: &state.change.ledger,
            tries: Tries::of(state, current),
            active_rules: &state.active_rules,
            plan: state.plan.as_ref(),
        }
    }
}

pub(crate) struct Packed(Vec<(Pack, PathBuf)>);

impl Update<Refactor> for Packed {
    fn events(self) -> Vec<Event> {
        let made = self.0.into_iter().map(|(pack, file)| RefactorEvent::PackMade {
            task: pack.task,
            files: pack.files.len(),
            lines: pack.sizes.excerpt_lines,
            chars: pack.sizes.chars,
            tokens: pack.sizes.tokens,
            file,
        });
        made.map(Event::Own).collect()
    }
}

impl Node<Refactor> for Retriever {
    const NAME: &'static str = "retrieve";
    const DOES: &'static str = "collects the context for the model, within its budgets";
    type Reads<'s> = Reads<'s>;
    type Writes = Packed;

    fn run(reads: Reads<'_>, world: &mut World) -> Result<Packed, RunError> {
        // Nobody is asked, so that what was shown stays what is kept.
        if let (Some(task), Some(proposal)) = (reads.tasks.first(), reads.proposal)
            && stands(world, task, proposal)?
        {
            return Ok(Packed(Vec::new()));
        }
        let plan = read_plan(reads.plan)?;
        let beside = world.models.as_ref().map_or(0, |desk| desk.beside());
        let mut packs = Vec::new();
        for task in reads.tasks.iter().take(1 + beside).filter(|task| task.by == Proposer::Model) {
            let pack = pack(world, task, &reads, &plan)?;
            report_suspicions(world, task, &pack)?;
            let file = world.change.run.dir.pack(task.id);
            fs::create_dir_all(file.parent().expect("a file of the run"))?;
            let text = serde_json::to_vec_pretty(&pack).expect("a pack is plain data");
            fs::write(&file, &text, Durability::Relaxed)?;
            packs.push((pack, file));
        }
        Ok(Packed(packs))
    }
}

fn read_plan(file: Option<&PathBuf>) -> Result<Plan, RunError> {
    let Some(file) = file else { return Ok(Plan::default()) };
    let text = fs::read(file)?;
    // One that cannot be read costs places to look at, nothing else.
    Ok(serde_json::from_slice(&text).unwrap_or_default())
}

fn report_suspicions(world: &World, task: &Task, pack: &Pack) -> Result<(), RunError> {
    for (path, findings) in pack.suspicious() {
        if let Ok(path) = RepoPath::new(&path) {
            world.change.suspect(Some(task.id), path, findings)?;
        }
    }
    Ok(())
}

fn pack(world: &mut World, task: &Task, reads: &Reads<'_>, plan: &Plan) -> Result<Pack, RunError> {
    let (errors, tried) = if reads.tries.are_of(task) {
        (reads.tries.words(&world.change.run)?, reads.tries.patch(&world.change.run)?)
    } else {
        (Vec::new(), None)
    };
    let verifiers = verify_setup::lines(&mut world.change)?;
    world.change.know()?;
    let root = world.change.worktree()?.dir().to_owned();
    let scope = world.change.options.scope_of(task)?;
    let may_change = |path: &str| RepoPath::new(path).is_ok_and(|path| scope.contains(&path));
    let known = world.change.known.as_ref().expect("it was made sure of just now");
    let view = known.indexed.view().map_err(IndexError::from)?;
    let texts = OnDisk { root: &root };
    Ok(rb_pack::build(&rb_pack::PackInput {
        task,
        directive: reads.directive,
        view: &view,
        texts: &texts,
        may_change: &may_change,
        places: &places(task, plan),
        rules: rules(task, &broken(world, &view, &texts, task, reads.active_rules)),
        ledger: reads.ledger,
        errors: &errors,
        tried: tried.as_deref(),
        verifiers: &verifiers,
        conventions: conventions(&view, &root, task),
        budgets: budgets(world),
        family: family(world),
        cancel: &world.change.host.cancel,
    })?)
}

/// What was found in the files of the task, and is what the task is about.
fn places(task: &Task, plan: &Plan) -> Vec<rb_pack::TaskSite> {
    let files: Vec<String> = task.files.iter().map(ToString::to_string).collect();
    let is_meant = |left: &&Leftover| {
        let is_of_its_rules = task.rules.contains(&left.found_by) && !left.is_candidate();
        files.contains(&left.path) && (task.rules.is_empty() || is_of_its_rules)
    };
    let place = |left: &Leftover| rb_pack::TaskSite {
        path: left.path.clone(),
        line: left.line,
        why: format!("{}: {}", left.found_by, left.what),
    };
    plan.leftovers.iter().filter(is_meant).map(place).collect()
}

/// How code looks in the languages of the task, and how tests are named.
fn conventions(view: &Files<'_>, root: &Path, task: &Task) -> Vec<String> {
    let tests = style::names_of_tests(view).map(|it| format!("tests are named {}", it.found));
    style::lines(view, root, &task.files).into_iter().chain(tests).collect()
}

/// The active rules that find something in the files of the task, in their order.
fn broken(
    world: &World,
    view: &Files<'_>,
    texts: &OnDisk<'_>,
    task: &Task,
    active: &[String],
) -> Vec<String> {
    let rules: Vec<&Rule> = active.iter().filter_map(|id| engine::rule(id)).collect();
    let project = Project::of(view, Some(&world.change.repo.root), texts);
    let only = |path: &str| task.files.iter().any(|it| it.as_bytes() == path.as_bytes());
    let options = engine::Options {
        include_tests: false,
        ignore_suppressions: false,
        certainty: Certainty::Proved,
        trust_unused: true,
        only: Some(&only),
        cancel: &world.change.host.cancel,
        progress: &Silent,
    };
    let findings = engine::check(&OverIndex::new(view, &project, texts), &rules, &options).findings;
    let found: BTreeSet<&str> = findings.iter().map(|it| it.rule.as_str()).collect();
    active.iter().filter(|id| found.contains(id.as_str())).cloned().collect()
}

/// The rules that the task is about, then the others that its files break: wrong and right.
fn rules(task: &Task, broken: &[String]) -> Vec<RuleText> {
    let others = broken.iter().filter(|id| !task.rules.contains(id));
    let known = task.rules.iter().chain(others).filter_map(|id| {
        let rule = engine::rule(id)?;
        Some(RuleText {
            id: rule.id.to_owned(),
            title: rule.title.to_owned(),
            wrong: rule.doc.wrong.to_owned(),
            right: rule.doc.right.to_owned(),
        })
    });
    known.collect()
}

/// A model that reads little is given half of what it reads: the rest is for its orders and its answer.
fn budgets(world: &World) -> Budgets {
    let route = world.models.as_ref().map(|desk| desk.models.route(patcher::ROLE.name));
    let half = route.and_then(|route| route.window).map(|window| (window / 2).max(LEAST_TOKENS));
    let usual = Budgets::default();
    let tokens = usual.tokens.into_iter().chain(half).min();
    Budgets { tokens, ..usual }
}

/// With fewer a task can hardly be told.
const LEAST_TOKENS: u64 = 4_000;
