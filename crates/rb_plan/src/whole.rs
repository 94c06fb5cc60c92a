//! A plan for the whole repository: what is proved first, in the order of the stages; then what a model could improve.
//!
//! Nothing is done that changes more than was asked for: synchronous calls stay, rules of the project are not applied, edits that
//! change what is seen are left. All of it is listed, with the words that would have it done.

use std::collections::BTreeSet;

use rb_core::plural;
use rb_index::role::Role;
use rb_recipes::Arguments;
use rb_recipes::recipes::own_barrels::{BEHIND, SMALL};
use rb_rules::Rule;
use rb_rules::engine::OverIndex;

use crate::chains::{self, RecipeFindings};
use crate::draft::{drafts, for_model};
use crate::edits::{self, RuleRequest};
use crate::group::{Bounds, LEAST, MOST, grouped};
use crate::input::{PlanError, SHUT};
use crate::make::Gathered;
use crate::plan::Leftover;
use crate::readable::Sources;
use crate::repo_facts::RepoFacts;
use crate::smells::{Kind, MOST_FILES, Smell, smells};
use crate::unit::{Source, Unit};

/// A task that nobody asked for in particular is about so many files at most.
const FILES: usize = 10;
/// Each task is verified by itself, and so many are enough to tell what fails from what does not.
const TASKS: usize = 24;
/// The most sites of one kind that are listed; the others are counted.
const LISTED: usize = 100;

/// Unasked, imports are led round an index only where so many files lie behind it: with fewer there is little to gain, and the
/// project may want its folders to be imported so.
const BEHIND_AN_INDEX: usize = 8;

/// The recipes that are planned without being asked for.
const RECIPES: &[&str] =
    &["unused-imports", "dead-code", "sql-parameters", "indexed-lookup", "own-barrels"];

pub(crate) fn gather(
    repo: &RepoFacts<'_>,
    world: &mut OverIndex<'_>,
    rules: &[&'static Rule],
) -> Result<Gathered, PlanError> {
    let mut gathered = Gathered::default();
    let mut sources: Vec<(Source, RecipeFindings)> = Vec::new();
    for id in RECIPES {
        sources.extend(recipe(repo, world, id)?);
    }
    for (_, found) in sources.iter_mut().filter(|(source, _)| source.id() == "dead-code") {
        leave_tests(found);
    }
    sources.extend(edits::look(repo.input, world, rules, RuleRequest::No, None)?);
    let own: Vec<String> = repo.input.own.iter().map(|it| it.id.to_owned()).collect();
    sources.extend(edits::look_own(repo.input, world, &own, RuleRequest::No, None)?);
    for (source, mut found) in divided(repo, &mut sources) {
        gathered.add(drafts(repo, world, &source, &found.groups));
        if source.id() == "own-barrels" {
            gathered.leftovers.extend(small_indexes(&mut found.left));
        }
        list(repo, &mut gathered, source.id(), found.left);
    }
    synchronous_calls(repo, world, &mut gathered)?;
    improve(repo, &smells(repo)?, &mut gathered);
    gathered.notes.extend(not_looked_at(repo));
    Ok(gathered)
}

/// Says what no recipe and no rule could speak to.
fn not_looked_at(repo: &RepoFacts<'_>) -> Option<String> {
    if repo.input.is_shut() {
        return Some(SHUT.to_owned());
    }
    let sources = Sources::of(repo, None, &|_| true);
    let (other, languages) = (sources.other_were(), &sources.languages);
    let words = format!("{other} skipped: recipes and rules only support {languages}");
    sources.has_other().then_some(words)
}

/// What a source found, in the groups that become its tasks.
struct Divided {
    groups: Vec<Vec<Unit>>,
    left: Vec<Leftover>,
}

/// Files that do not depend on each other are told apart as for a directive, so that one that fails takes few with it. Where that
/// gives too many tasks each source gets fewer, down to one for what lies near each other.
fn divided(
    repo: &RepoFacts<'_>,
    sources: &mut Vec<(Source, RecipeFindings)>,
) -> Vec<(Source, Divided)> {
    let limits = repo.input.limits;
    for (source, found) in sources.iter_mut() {
        chains::keep_to_budget(limits, source.id(), found);
    }
    let by = |most: usize| -> Vec<Vec<Vec<Unit>>> {
        let least = if most == 1 { 0 } else { LEAST.min(most) };
        let bounds = Bounds { lines: limits.diff_budget, files: FILES, least, most };
        sources.iter().map(|(_, found)| grouped(&found.units, bounds)).collect()
    };
    let is_few = |groups: &Vec<Vec<Vec<Unit>>>| {
        groups.iter().map(Vec::len).sum::<usize>() <= limits.max_batches.min(TASKS)
    };
    let groups = (2..=MOST).rev().map(&by).find(is_few).unwrap_or_else(|| by(1));
    let all = sources.drain(..).zip(groups);
    all.map(|((source, found), groups)| (source, Divided { groups, left: found.left })).collect()
}

/// Imports through small indexes are one line of what is left.
fn small_indexes(left: &mut Vec<Leftover>) -> Option<Leftover> {
    let small: Vec<Leftover> = left.extract_if(.., |it| it.suggestion == SMALL).collect();
    let files: BTreeSet<&str> = small.iter().map(|it| it.path.as_str()).collect();
    let first = small.first()?;
    let size = format!("{} in {}", plural(small.len(), "place"), plural(files.len(), "file"));
    Some(Leftover { what: format!("imports through small index files: {size}"), ..first.clone() })
}

fn recipe(
    repo: &RepoFacts<'_>,
    world: &OverIndex<'_>,
    id: &str,
) -> Result<Option<(Source, RecipeFindings)>, PlanError> {
    let Some(recipe) = rb_recipes::recipes::find(id) else { return Ok(None) };
    let mut arguments = Arguments::new();
    if id == "own-barrels" {
        arguments.insert(BEHIND.to_owned(), BEHIND_AN_INDEX.to_string());
    }
    let found = chains::look(repo.input, world, (recipe, &arguments), None)?;
    Ok(found.ok().map(|found| (Source::Recipe { recipe, arguments }, found)))
}

/// Tests are the net under all other tasks. What looks dead in one may be what it tests with, such as a function whose text it reads.
fn leave_tests(found: &mut RecipeFindings) {
    let is_test = |unit: &mut Unit| unit.sites.iter().any(|it| Role::of(it) == Role::Test);
    for unit in found.units.extract_if(.., is_test) {
        let reason = "test code is removed only on request";
        found.left.extend(chains::left_of(
            "dead-code",
            &unit,
            reason,
            "ask for it: \"Remove dead code\"",
        ));
    }
}

/// Takes in what is left, as much of it as somebody will read.
fn list(repo: &RepoFacts<'_>, gathered: &mut Gathered, id: &str, mut left: Vec<Leftover>) {
    left.retain(|it| repo.input.is_asked_about(it) && repo.input.is_open(it));
    // An open injection is never among those that are not listed.
    left.sort_by_key(|it| !it.is_open_injection());
    let more = left.len().saturating_sub(LISTED);
    gathered.unlisted += more;
    gathered.leftovers.extend(left.into_iter().take(LISTED));
    if more > 0 {
        gathered.notes.push(format!("{id}: {} not listed", plural(more, "place")));
    }
}

/// Sync to async is a large change of how code runs, so that it is done when it is asked for.
fn synchronous_calls(
    repo: &RepoFacts<'_>,
    world: &OverIndex<'_>,
    gathered: &mut Gathered,
) -> Result<(), PlanError> {
    let Some((source, found)) = recipe(repo, world, "fs-async")? else { return Ok(()) };
    let Some(first) = found.units.first().and_then(|it| it.sites.first()) else { return Ok(()) };
    let size = format!("{} in {}", plural(found.sites(), "place"), plural(found.files(), "file"));
    gathered.leftovers.push(Leftover {
        path: first.clone(),
        line: 1,
        found_by: source.id().to_owned(),
        what: format!("synchronous file calls that could be async: {size}"),
        reason: "sync-to-async changes are made only on request".to_owned(),
        suggestion: "ask for it: \"Convert synchronous file operations to async\"".to_owned(),
    });
    Ok(())
}

/// The worst smells become tasks of a model, where there is one.
fn improve(repo: &RepoFacts<'_>, smells: &[Smell], gathered: &mut Gathered) {
    for kind in Kind::ALL {
        let of_kind: Vec<&Smell> = smells.iter().filter(|it| it.kind == kind).collect();
        let (mut tasks, mut left) = (Vec::new(), Vec::new());
        let mut busy: BTreeSet<&str> = BTreeSet::new();
        for smell in of_kind {
            let files: BTreeSet<&str> = smell.files.iter().map(String::as_str).collect();
            let files: Vec<&str> = files.into_iter().collect();
            // One at a time: what is done about the worst of a file may mend the others.
            let is_first = files.iter().all(|it| !busy.contains(it));
            let is_small = files.len() <= MOST_FILES && tasks.len() < kind.most();
            if repo.input.has_model && is_first && is_small {
                let mut draft =
                    for_model(repo, &smell.goal, &files, kind.stage(), kind.operations());
                draft.task.notes.push(smell.what.clone());
                draft.places.push(leftover(repo, smell, files.len()));
                busy.extend(&files);
                tasks.push(draft);
            } else {
                left.push(leftover(repo, smell, files.len()));
            }
        }
        crate::draft::number(&mut tasks, 0);
        gathered.add(tasks);
        list(repo, gathered, kind.name(), left);
    }
}

fn leftover(repo: &RepoFacts<'_>, smell: &Smell, files: usize) -> Leftover {
    let reason = match (repo.input.has_model, files > MOST_FILES) {
        (_, true) => format!("it affects {}, too many for one task", plural(files, "file")),
        (true, false) => "worse ones come first".to_owned(),
        (false, false) => "no recipe or rule can change it; a model could".to_owned(),
    };
    Leftover {
        path: smell.files.first().cloned().unwrap_or_default(),
        line: smell.line,
        found_by: smell.kind.name().to_owned(),
        what: smell.what.clone(),
        reason,
        suggestion: smell.goal.clone(),
    }
}
