//! From units to tasks: goal, scope, risk, notes, and the proposal that is ready.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::plural;
use rb_core::{ApiChanges, Proposer, Stage, Task, TaskId, TaskKind};
use rb_recipes::{ApiChange, Chain};
use rb_rules::World;

use crate::chains::left_of;
use crate::plan::{Leftover, Prepared};
use crate::repo_facts::{RepoFacts, common_folder, repo_path, scope_glob, text, with_change};
use crate::risk::{Api, risk, verifier_level};
use crate::unit::{Source, Unit, Work, is_structural, prepared, texts_after};

/// The most notes that say what a task does; nobody would read more.
const NOTES: usize = 12;

/// A task without its place in the plan. Its number is that of its place among the drafts.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) task: Task,
    pub(crate) prepared: Option<Prepared>,
    /// What it is about, without a reason: said where the task has no room in the plan.
    pub(crate) places: Vec<Leftover>,
    /// How soon it comes among the tasks that were searched for, from 1; 0 for every other.
    pub(crate) relevance: usize,
}

/// The tasks of one source, one for each group of units, those with less risk first. A task that edits a file that an earlier
/// one of them edits depends on it.
pub(crate) fn drafts(
    repo: &RepoFacts<'_>,
    world: &dyn World,
    source: &Source,
    groups: &[Vec<Unit>],
) -> Vec<Draft> {
    let mut drafts: Vec<Draft> =
        groups.iter().filter_map(|units| draft(repo, world, source, units)).collect();
    drafts.sort_by(|a, b| {
        (a.task.risk_score, &a.task.files).cmp(&(b.task.risk_score, &b.task.files))
    });
    number(&mut drafts, 0);
    depend(&mut drafts);
    drafts
}

/// Gives numbers from `first` on, and leads dependencies along.
pub(crate) fn number(drafts: &mut [Draft], first: usize) {
    let id = |at: usize| TaskId(u32::try_from(at + 1).expect("fewer than four billion tasks"));
    let new: BTreeMap<TaskId, TaskId> =
        drafts.iter().enumerate().map(|(at, draft)| (draft.task.id, id(first + at))).collect();
    for (at, draft) in drafts.iter_mut().enumerate() {
        draft.task.id = id(first + at);
        for needed in &mut draft.task.depends_on {
            *needed = new.get(needed).copied().unwrap_or(*needed);
        }
    }
}

/// Each depends on the last before it that edits one of its files.
fn depend(drafts: &mut [Draft]) {
    let mut last: BTreeMap<Vec<u8>, TaskId> = BTreeMap::new();
    for draft in drafts {
        let task = &mut draft.task;
        let mut needed = BTreeSet::new();
        for file in &task.files {
            needed.extend(last.insert(file.as_bytes().to_vec(), task.id));
        }
        task.depends_on = needed.into_iter().collect();
    }
}

/// One task that makes all of these units; none where they change nothing.
pub(crate) fn draft(
    repo: &RepoFacts<'_>,
    world: &dyn World,
    source: &Source,
    units: &[Unit],
) -> Option<Draft> {
    let texts = texts_after(world, units);
    let prepared = prepared(&texts)?;
    // A task is about files that are there; it may create the others.
    let is_there = |path: &&str| texts[*path].0.is_some();
    let (files, new): (Vec<&str>, Vec<&str>) = texts.keys().map(String::as_str).partition(is_there);
    let lines = prepared.added + prepared.removed;
    let budget = repo.input.limits.diff_budget;
    let api = units.iter().map(|it| it.api).max().unwrap_or(Api::Same);
    let measure = repo.measure(files.iter().copied(), source.stage(), false);
    let measure = with_change(measure, lines, api, budget);
    let mut task = blank(&goal(source, units), &files);
    task.scope_globs.extend(new.into_iter().map(scope_glob));
    task.api_changes = api_changes(units);
    task.by = source.proposer(units);
    task.allowed_operations = source.operations();
    task.rules = source.rules();
    task.stage = source.stage();
    task.risk_score = risk(&measure);
    task.verifier_level = verifier_level(&measure, task.risk_score);
    task.diff_budget_loc = Some(if lines > budget { with_room(lines) } else { budget });
    task.notes = notes(units);
    if lines > budget {
        task.notes.insert(0, over_budget(lines, budget));
    }
    let places = units.iter().flat_map(|it| left_of(source.id(), it, "", "")).collect();
    Some(Draft { task, prepared: Some(prepared), places, relevance: 0 })
}

/// Why a task has more lines than tasks may have.
pub(crate) fn over_budget(lines: usize, budget: usize) -> String {
    format!("{lines} lines, over the budget of {budget}: one chain that cannot be split")
}

/// A change that is computed again later may differ by a few lines.
pub(crate) fn with_room(lines: usize) -> usize {
    lines + (lines / 10).max(10)
}

/// A task over these files, and no others.
pub(crate) fn blank(goal: &str, files: &[&str]) -> Task {
    let files: BTreeSet<&str> = files.iter().copied().collect();
    let mut task = Task::new(TaskId(0), goal, TaskKind::Change { format: None });
    task.files = files.iter().filter_map(|it| repo_path(it)).collect();
    task.scope_globs = task.files.iter().map(|it| scope_glob(text(it))).collect();
    task
}

fn goal(source: &Source, units: &[Unit]) -> String {
    let sites: BTreeSet<&str> = units.iter().flat_map(|it| &it.sites).map(String::as_str).collect();
    let count: usize = units.iter().map(|it| it.count).sum();
    // How many files it is, and how many lines, is said beside the goal wherever it is shown.
    let size = format!("({})", plural(count, "place"));
    let place = place(&sites);
    match source {
        Source::Recipe { recipe, arguments } => {
            match (arguments.get("symbol"), arguments.get("to"), title(units)) {
                (Some(symbol), Some(to), _) if recipe.id == "rename" => {
                    format!("Rename `{symbol}` to `{to}` {size}")
                }
                (_, _, Some(title)) if is_structural(recipe) => title.to_owned(),
                _ => format!("{} in {place} {size}", recipe.title),
            }
        }
        Source::Rules { rules, .. } => {
            let ids: Vec<&str> = rules.iter().map(|it| it.id).collect();
            format!("{} in {place} {size}", ids.join(", "))
        }
        Source::Rule(_) | Source::Own { .. } => {
            format!("{}: {} in {place} {size}", source.id(), source.title())
        }
    }
}

/// What the chains do, in the words of the first.
fn title(units: &[Unit]) -> Option<&str> {
    units.first()?.notes.first().map(String::as_str)
}

/// A directive with the place of one task, unless the directive names the place itself.
pub(crate) fn in_place(words: &str, place: &str) -> String {
    let words = words.trim().trim_end_matches('.');
    if words.contains(place) { words.to_owned() } else { format!("{words}, in {place}") }
}

/// Where some files lie, in words. A folder that holds half of the repository says nothing, so that those in it are named.
pub(crate) fn place(files: &BTreeSet<&str>) -> String {
    let mut each = files.iter();
    if let (Some(file), None) = (each.next(), each.next()) {
        return (*file).to_owned();
    }
    let common = common_folder(files.iter().copied());
    let whole = match common {
        "" => "the repository".to_owned(),
        folder => format!("{folder}/"),
    };
    let inside = |path: &str| path[common.len()..].trim_start_matches('/').to_owned();
    let mut folders: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for &path in files {
        let inner = inside(path);
        let Some((child, _)) = inner.split_once('/') else { return whole };
        folders.entry(child.to_owned()).or_default().push(path);
    }
    if common.contains('/') {
        return whole;
    }
    let mut folders: Vec<Vec<&str>> = folders.into_values().collect();
    folders.sort_by_key(|it| std::cmp::Reverse(it.len()));
    let name = |files: &Vec<&str>| format!("{}/", common_folder(files.iter().copied()));
    match folders.as_slice() {
        [] => whole,
        [one] => name(one),
        [one, other] => format!("{} and {}", name(one), name(other)),
        [one, others @ ..] => {
            let of = if common.is_empty() { String::new() } else { format!(" of {common}/") };
            format!("{} and {}{of}", name(one), plural(others.len(), "more folder"))
        }
    }
}

fn notes(units: &[Unit]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut all: Vec<String> = units
        .iter()
        .flat_map(|it| &it.notes)
        .filter(|it| seen.insert((*it).clone()))
        .cloned()
        .collect();
    // Exports come right after the first note, so that no list that is cut leaves them out.
    let at = all.len().min(1);
    all.splice(at..at, exports(units));
    let more = all.len().saturating_sub(NOTES);
    let mut notes: Vec<String> = all.into_iter().take(NOTES).collect();
    if more > 0 {
        notes.push(format!("… and {more} more"));
    }
    notes
}

/// The exports that change, in one line for each kind of change.
fn exports(units: &[Unit]) -> Vec<String> {
    let mut changes: Vec<ApiChange> = chains(units).flat_map(|chain| chain.api.clone()).collect();
    changes.sort();
    changes.dedup();
    ApiChange::lines(&changes)
}

/// Changes of the public interface that the task is for.
fn api_changes(units: &[Unit]) -> ApiChanges {
    let mut all = ApiChanges::default();
    for ApiChanges { names, renames } in chains(units).map(Chain::api_changes) {
        all.names.extend(names);
        all.renames.extend(renames);
    }
    all.names.sort();
    all.names.dedup();
    all
}

fn chains(units: &[Unit]) -> impl Iterator<Item = &Chain> {
    units.iter().flat_map(|unit| match &unit.work {
        Work::Chains(chains) => chains.as_slice(),
        Work::Texts(_) => &[],
    })
}

/// A task for a model over these files, the tests that are named after them included.
pub(crate) fn for_model(
    repo: &RepoFacts<'_>,
    goal: &str,
    files: &[&str],
    stage: Stage,
    operations: &[&str],
) -> Draft {
    let mut all: BTreeSet<&str> = files.iter().copied().collect();
    for file in files {
        let tests = repo.tests_named_after(file);
        all.extend(tests.into_iter().filter(|it| (repo.input.may_touch)(it)).take(TESTS_OF_A_FILE));
    }
    let all: Vec<&str> = all.into_iter().collect();
    for_model_alone(repo, goal, &all, stage, operations)
}

/// A task for a model over these files and no others.
pub(crate) fn for_model_alone(
    repo: &RepoFacts<'_>,
    goal: &str,
    files: &[&str],
    stage: Stage,
    operations: &[&str],
) -> Draft {
    let mut task = blank(goal, files);
    let budget = repo.input.limits.diff_budget;
    // What a model will write is not known; half of what it may is the guess.
    let measure = repo.measure(files.iter().copied(), stage, true);
    let measure = with_change(measure, budget / 2, Api::Same, budget);
    task.by = Proposer::Model;
    task.allowed_operations = operations.iter().map(|it| (*it).to_owned()).collect();
    task.stage = stage;
    task.risk_score = risk(&measure);
    task.verifier_level = verifier_level(&measure, task.risk_score);
    task.diff_budget_loc = Some(budget);
    Draft { task, prepared: None, places: Vec::new(), relevance: 0 }
}

/// More tests of one file are seldom named after it.
const TESTS_OF_A_FILE: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf3_a_goal_names_its_place_once() {
        assert_eq!(in_place("Use guard clauses.", "src/a.js"), "Use guard clauses, in src/a.js");
        let words = "In src/a.js, use guard clauses";
        assert_eq!(in_place(words, "src/a.js"), words);
    }

    #[test]
    fn rf3_a_place_is_named_as_narrowly_as_it_can_be() {
        #[track_caller]
        fn check(files: &str, expected: &str) {
            let files: BTreeSet<&str> = files.split(' ').collect();
            assert_eq!(place(&files), expected, "{files:?}");
        }
        check("src/a.js", "src/a.js");
        check("src/a.js src/b.js", "src/");
        check("src/a.js src/deep/b.js", "src/");
        check("src/x/a.js src/x/b.js", "src/x/");
        check("a.js src/b.js", "the repository");
        check("packages/features/ee/x/a.ts packages/features/ee/b.ts", "packages/features/ee/");
        check(
            "packages/ee/a.ts packages/ee/x/b.ts packages/lib/c.ts",
            "packages/ee/ and packages/lib/",
        );
        check("p/one/a.ts p/two/x/a.ts p/two/x/b.ts p/z/c.ts", "p/two/x/ and 2 more folders of p/");
        check("api/a.js lib/b.js web/c.js", "api/ and 2 more folders");
    }
}
