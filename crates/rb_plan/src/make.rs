//! `plan`: gathers tasks, bounds them, and puts them in order.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::plural;
use rb_core::{Proposer, Task, TaskId};
use rb_index::role::Role;
use rb_rules::engine::OverIndex;
use rb_rules::project::Project;
use rb_rules::{Level, Rule};

use crate::draft::{Draft, number};
use crate::goals::tell_apart;
use crate::group::MOST;
use crate::input::{PlanError, PlanInput};
use crate::order::{renumbered, sequence};
use crate::plan::{Leftover, Matched, Plan, Unserved};
use crate::repo_facts::{RepoFacts, text};
use crate::{directed, whole};

/// What was gathered for a plan, in no order yet.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) drafts: Vec<Draft>,
    pub(crate) leftovers: Vec<Leftover>,
    /// How many more there are.
    pub(crate) unlisted: usize,
    pub(crate) notes: Vec<String>,
    /// Within a stage, the rules of the greatest impact come first, and not what risks least.
    pub(crate) by_impact: bool,
    pub(crate) matched: Vec<Matched>,
    pub(crate) unserved: Option<Unserved>,
    /// Why no operations were made of a directive that asks for a structural change.
    pub(crate) untranslated: Vec<String>,
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
pub fn plan(input: &PlanInput<'_>) -> Result<Plan, PlanError> {
    input.progress.begin("planning", 0);
    let plan = made(input);
    input.progress.end();
    plan
}

fn made(input: &PlanInput<'_>) -> Result<Plan, PlanError> {
    let repo = RepoFacts::new(input);
    with_world(input, |world| {
        let (gathered, rules) = match input.directive {
            Some(directive) => directed::gather(&repo, world, directive)?,
            None => {
                let all = rb_rules::rules::ALL.iter().copied();
                let usual: Vec<&'static Rule> =
                    all.filter(|it| it.level == Level::Default).collect();
                (whole::gather(&repo, world, &usual)?, usual)
            }
        };
        let active_rules = active(world, &rules);
        Ok(assembled(input, gathered, active_rules))
    })
}

/// Hands the project to `work`, with the files as they are now.
pub(crate) fn with_world<T>(
    input: &PlanInput<'_>,
    work: impl FnOnce(&mut OverIndex<'_>) -> T,
) -> T {
    let project = Project::of(input.view, Some(input.root), input.texts);
    work(&mut OverIndex::new(input.view, &project, input.texts))
}

/// The rules that speak to some file here, by impact.
fn active(world: &OverIndex<'_>, rules: &[&'static Rule]) -> Vec<String> {
    let mut rules: Vec<&'static Rule> =
        rules.iter().copied().filter(|rule| world.all_facts().any(rule.applies)).collect();
    rules.sort_by_key(|it| (it.category.impact(), it.category));
    rules.into_iter().map(|it| it.id.to_owned()).collect()
}

pub(crate) fn assembled(
    input: &PlanInput<'_>,
    gathered: Gathered,
    active_rules: Vec<String>,
) -> Plan {
    let Gathered { drafts, mut leftovers, unlisted, mut notes, .. } = gathered;
    let Gathered { by_impact, matched, unserved, untranslated, .. } = gathered;
    leftovers.sort();
    leftovers.dedup();
    let relevance: Vec<usize> = drafts.iter().map(|it| it.relevance).collect();
    let (tasks, mut drafts): (Vec<Task>, Vec<_>) =
        drafts.into_iter().map(|it| (it.task, (it.prepared, it.places))).unzip();
    let has_directive = input.directive.is_some();
    let mut places = sequence(&tasks, |at, task| {
        let rank = if by_impact { u64::from(rank(task)) } else { 0 };
        (rank << 32) | ((relevance[at] as u64) << 8) | u64::from(task.risk_score)
    })
    .expect("a draft depends on earlier ones alone");
    let mut leave = |cut: &[usize], most: &str, suggestion: &str| {
        for &place in cut {
            let of_task = std::mem::take(&mut drafts[place].1);
            leftovers.extend(left_out(&tasks[place], of_task, most, suggestion));
        }
    };
    if has_directive {
        let cut = beyond(&mut places, &tasks);
        leave(&cut, &most_of_directive(), AGAIN);
    }
    let cut = places.split_off(places.len().min(input.limits.max_batches));
    let most = format!("a plan has at most {}", plural(input.limits.max_batches, "task"));
    leave(&cut, &most, "run again when these are done, or raise the limit");
    if !cut.is_empty() {
        notes.push(format!("{} left out: {most}", plural(cut.len(), "task")));
    }
    let mut tasks = renumbered(tasks, &places);
    let mut prepared = BTreeMap::new();
    for (task, &place) in tasks.iter().zip(&places) {
        prepared.extend(drafts[place].0.take().map(|it| (task.id, it)));
    }
    let first_line = |place: &usize| drafts[*place].1.first().map(|it| it.line);
    let first_lines: Vec<Option<u32>> = places.iter().map(first_line).collect();
    tell_apart(&mut tasks, &first_lines);
    set_critical(&mut tasks, has_directive);
    leftovers.retain(|it| input.is_asked_about(it) && input.is_open(it));
    leftovers.sort();
    Plan {
        tasks,
        matched,
        is_react_project: !input.view.react().packages.is_empty(),
        active_rules,
        leftovers,
        unlisted,
        unserved,
        notes,
        untranslated,
        prepared,
    }
}

/// Every place of a task that has no room; the task itself where it knows none.
fn left_out(task: &Task, places: Vec<Leftover>, most: &str, suggestion: &str) -> Vec<Leftover> {
    let (reason, suggestion) = (most.to_owned(), suggestion.to_owned());
    let whole = || Leftover {
        path: task.files.first().map(|it| text(it).to_owned()).unwrap_or_default(),
        line: 1,
        found_by: found_by(task),
        what: task.goal.clone(),
        reason: String::new(),
        suggestion: String::new(),
    };
    let places = if places.is_empty() { vec![whole()] } else { places };
    let with = |it| Leftover { reason: reason.clone(), suggestion: suggestion.clone(), ..it };
    places.into_iter().map(with).collect()
}

/// How soon the rules of a task are to be applied; what a recipe does was asked for by itself.
fn rank(task: &Task) -> u8 {
    let impacts = task.rules.iter().filter_map(|id| rb_rules::engine::rule(id));
    match (impacts.map(|it| it.category.impact() as u8).min(), &task.by) {
        (Some(impact), _) => impact,
        (None, Proposer::Recipe { .. }) => 0,
        (None, Proposer::Rule { .. } | Proposer::Given | Proposer::Model) => u8::MAX,
    }
}

const AGAIN: &str = "run again when these are done";

fn most_of_directive() -> String {
    format!("a directive has at most {}", plural(MOST, "task"))
}

/// Whether it is left only because there are tasks enough.
pub(crate) fn is_past_directive(left: &Leftover) -> bool {
    left.suggestion == AGAIN
}

/// How many tasks a plan may have that has these.
pub(crate) fn most_tasks(input: &PlanInput<'_>, tasks: &[Task]) -> usize {
    let of_recipes = tasks.iter().filter(|it| matches!(it.by, Proposer::Recipe { .. })).count();
    let most = if input.directive.is_some() { MOST.max(of_recipes) } else { usize::MAX };
    most.min(input.limits.max_batches)
}

/// The places of those that stay under the limit of a directive, and what is left of the others.
pub(crate) fn within_directive(tasks: &[Task]) -> (Vec<usize>, Vec<Leftover>) {
    let mut places = (0..tasks.len()).collect();
    let cut = beyond(&mut places, tasks);
    let left = |&at: &usize| left_out(&tasks[at], Vec::new(), &most_of_directive(), AGAIN);
    (places, cut.iter().flat_map(left).collect())
}

/// Takes out the last tasks that a directive has no room for: a model's first, then those of rules. What a recipe does is one thing, and
/// is done as a whole.
fn beyond(places: &mut Vec<usize>, tasks: &[Task]) -> Vec<usize> {
    let mut cut = Vec::new();
    while places.len() > MOST {
        let last = |is_meant: fn(&Proposer) -> bool| {
            places.iter().rposition(|&place| is_meant(&tasks[place].by))
        };
        let of_model = last(|by| *by == Proposer::Model);
        let of_rule = || last(|by| matches!(by, Proposer::Rule { .. }));
        let Some(last) = of_model.or_else(of_rule) else { break };
        cut.push(places.remove(last));
    }
    cut.reverse();
    cut
}

pub(crate) fn found_by(task: &Task) -> String {
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

#[cfg(test)]
mod tests {
    use rb_core::TaskKind;

    use super::*;

    /// `recipe`, `model`, `model RULE` or `RULE`.
    fn task((at, row): (usize, &&str)) -> Task {
        let id = TaskId(u32::try_from(at + 1).expect("few"));
        let mut task = Task::new(id, *row, TaskKind::Change { format: None });
        let rule = row.strip_prefix("model ").unwrap_or(row);
        task.by = match *row {
            "recipe" => Proposer::Recipe {
                id: "fs-async".to_owned(),
                arguments: BTreeMap::new(),
                sites: Vec::new(),
                chains: Vec::new(),
            },
            row if row.starts_with("model") => Proposer::Model,
            row => Proposer::Rule { id: row.to_owned() },
        };
        task.rules = rule.contains('-').then(|| rule.to_owned()).into_iter().collect();
        task
    }

    #[test]
    fn rf3_a_directive_has_six_tasks_and_those_of_a_recipe() {
        #[track_caller]
        fn check(rows: &[&str], left: &[usize]) {
            let tasks: Vec<Task> = rows.iter().enumerate().map(task).collect();
            let mut places: Vec<usize> = (0..tasks.len()).collect();
            assert_eq!(beyond(&mut places, &tasks), left, "{rows:?}");
            assert_eq!(places.len() + left.len(), rows.len());
        }
        const RULE: &str = "js-hoist-regexp";
        check(&[RULE; 6], &[]);
        check(&[RULE; 8], &[6, 7]);
        check(&["recipe", RULE, RULE, RULE, RULE, RULE, RULE, "recipe"], &[5, 6]);
        // One thing that only the budget divides.
        check(&["recipe"; 8], &[]);
        check(&["model js-hoist-regexp"; 8], &[6, 7]);
        // What is ready goes before what a model would have to make.
        check(&["model", "model", RULE, RULE, RULE, RULE, RULE, "model"], &[1, 7]);
        check(&["recipe", "recipe", "recipe", "recipe", "recipe", "recipe", "model"], &[6]);
    }

    #[test]
    fn rf3_what_matters_most_has_the_first_rank() {
        let ranks = |rows: &[&str]| -> Vec<u8> {
            rows.iter().enumerate().map(task).map(|it| rank(&it)).collect()
        };
        let rows = [
            "recipe",
            "async-parallel",
            "server-cache-react",
            "rerender-memo",
            "js-hoist-regexp",
            "no-such",
            "model",
        ];
        let found = ranks(&rows);
        assert!(found.is_sorted(), "{found:?}");
        assert!(found[1] < found[2] && found[2] < found[3] && found[3] < found[4], "{found:?}");
    }
}
