//! `plan`: gathers tasks, bounds them, and puts them in order.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::{Proposer, Task, TaskId};
use rb_index::role::Role;
use rb_rules::engine::OverIndex;
use rb_rules::project::Project;
use rb_rules::{Level, Rule};

use crate::draft::{Draft, number, plural};
use crate::given::{Given, PlanError};
use crate::order::{renumbered, sequence};
use crate::plan::{Leftover, Matched, Plan, Unserved};
use crate::scene::{Scene, text};
use crate::{directed, whole};

/// What was gathered for a plan, in no order yet.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) drafts: Vec<Draft>,
    pub(crate) leftovers: Vec<Leftover>,
    pub(crate) notes: Vec<String>,
    pub(crate) matched: Vec<Matched>,
    pub(crate) unserved: Option<Unserved>,
}

impl Gathered {
    /// Takes in tasks whose numbers are those of their places.
    pub(crate) fn add(&mut self, mut drafts: Vec<Draft>) {
        number(&mut drafts, self.drafts.len());
        self.drafts.append(&mut drafts);
    }
}

/// What is to be done in a repository: for the directive, or for the whole of it.
///
/// Every proposal is made for the files as they are now. Where an earlier task edits the same file it does not fit any more by the
/// time its turn comes; `propose` then makes it anew.
pub fn plan(given: &Given<'_>) -> Result<Plan, PlanError> {
    given.progress.begin("planning", 0);
    let plan = made(given);
    given.progress.end();
    plan
}

fn made(given: &Given<'_>) -> Result<Plan, PlanError> {
    let scene = Scene::new(given);
    with_world(given, |world| {
        let (gathered, rules) = match given.directive {
            Some(directive) => directed::gather(&scene, world, directive)?,
            None => {
                let all = rb_rules::rules::ALL.iter().copied();
                let usual: Vec<&'static Rule> =
                    all.filter(|it| it.level == Level::Default).collect();
                (whole::gather(&scene, world, &usual)?, usual)
            }
        };
        let active_rules = active(world, &rules);
        Ok(assembled(given, gathered, active_rules))
    })
}

/// Hands the project to `work`, with the files as they are now.
pub(crate) fn with_world<T>(given: &Given<'_>, work: impl FnOnce(&mut OverIndex<'_>) -> T) -> T {
    let project = Project::of(given.view, Some(given.root), given.texts);
    work(&mut OverIndex::new(given.view, &project, given.texts))
}

/// The rules that speak to some file here, by impact.
fn active(world: &OverIndex<'_>, rules: &[&'static Rule]) -> Vec<String> {
    let mut rules: Vec<&'static Rule> =
        rules.iter().copied().filter(|rule| world.all_facts().any(rule.applies)).collect();
    rules.sort_by_key(|it| (it.category.impact(), it.category));
    rules.into_iter().map(|it| it.id.to_owned()).collect()
}

fn assembled(given: &Given<'_>, gathered: Gathered, active_rules: Vec<String>) -> Plan {
    let Gathered { drafts, mut leftovers, mut notes, matched, unserved } = gathered;
    let (tasks, mut proposals): (Vec<_>, Vec<_>) =
        drafts.into_iter().map(|it| (it.task, it.prepared)).unzip();
    let mut places = sequence(&tasks, |_, task| u64::from(task.risk_score))
        .expect("a draft depends on earlier ones alone");
    let cut = places.split_off(places.len().min(given.limits.max_batches));
    let most = plural(given.limits.max_batches, "task");
    leftovers.extend(cut.iter().map(|&place| left_out(&tasks[place], &most)));
    if !cut.is_empty() {
        notes.push(format!("{} left out: a plan has {most} at most", plural(cut.len(), "task")));
    }
    let mut tasks = renumbered(tasks, &places);
    let mut prepared = BTreeMap::new();
    for (task, &place) in tasks.iter().zip(&places) {
        prepared.extend(proposals[place].take().map(|it| (task.id, it)));
    }
    number_parts(&mut tasks);
    set_critical(&mut tasks, given.directive.is_some());
    leftovers.retain(|it| given.is_asked_about(it));
    leftovers.sort();
    leftovers.dedup();
    Plan {
        tasks,
        matched,
        is_react_project: !given.view.react().packages.is_empty(),
        active_rules,
        leftovers,
        unserved,
        notes,
        prepared,
    }
}

/// Tasks of one goal are parts of it, and each says which.
fn number_parts(tasks: &mut [Task]) {
    // But for how many places it is about.
    let name = |task: &Task| match task.goal.rsplit_once(" (") {
        Some((name, _)) => name.to_owned(),
        None => task.goal.clone(),
    };
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for task in tasks.iter() {
        counts.entry(name(task)).or_default().1 += 1;
    }
    for task in tasks {
        let Some((part, all)) = counts.get_mut(&name(task)) else { continue };
        *part += 1;
        if *all > 1 {
            task.goal = format!("{}, part {part} of {all}", task.goal);
        }
    }
}

fn left_out(task: &Task, most: &str) -> Leftover {
    Leftover {
        path: task.files.first().map(|it| text(it).to_owned()).unwrap_or_default(),
        line: 1,
        found_by: found_by(task),
        what: task.goal.clone(),
        reason: format!("a plan has {most} at most"),
        suggestion: "run again when these are done, or raise the limit".to_owned(),
    }
}

fn found_by(task: &Task) -> String {
    match &task.by {
        Proposer::Recipe { id, .. } | Proposer::Rule { id } => id.clone(),
        Proposer::Given | Proposer::Model => task.by.words(),
    }
}

/// What others depend on is critical, and so is the only task of a directive. A task that touches tests alone never is.
pub(crate) fn set_critical(tasks: &mut [Task], has_directive: bool) {
    let needed: BTreeSet<TaskId> =
        tasks.iter().flat_map(|it| it.depends_on.iter().copied()).collect();
    let is_only = has_directive && tasks.len() == 1;
    for task in tasks {
        let is_for_tests = task.files.iter().all(|it| Role::of(text(it)) == Role::Test);
        task.is_critical = (is_only || needed.contains(&task.id)) && !is_for_tests;
    }
}
