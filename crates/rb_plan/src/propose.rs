//! What a task's recipe or rule proposes for the files as they are now, and the same task with less to do.
//!
//! Nothing is remembered of the plan: the sites are looked for again in the files that the task names, so that a proposal fits
//! whatever earlier tasks have made of them.

use std::collections::BTreeSet;

use rb_core::{Proposer, RepoPath, Task};
use rb_recipes::{Arguments, Chain, Recipe};
use rb_rules::Rule;
use rb_rules::engine::OverIndex;

use crate::chains::{self, RecipeFindings, by_name, left_of, name, site_files, unit};
use crate::draft::{blank, draft};
use crate::edits::{self, RuleRequest};
use crate::input::{PlanError, PlanInput};
use crate::make::{found_by, with_world};
use crate::plan::{Leftover, Prepared};
use crate::repo_facts::{RepoFacts, scope_glob, text};
use crate::unit::{AND, Source, Unit, Work, names, prepared, texts_after};

/// The change of a task that a recipe or a rule makes. `None`: there is nothing left to do, or it is not theirs to do.
pub fn propose(input: &PlanInput<'_>, task: &Task) -> Result<Option<Prepared>, PlanError> {
    with_world(input, |world| {
        let Some((_, units)) = pieces(input, world, task)? else { return Ok(None) };
        Ok(prepared(&texts_after(world, &units)))
    })
}

/// A task with less to do, and the sites that were taken out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Narrowed {
    pub task: Task,
    pub left: Vec<Leftover>,
}

/// The same task with less to do, after a try that failed. `blamed`: the paths that the reasons of the failure name; `why`: the reason
/// that is given for each site that is left out.
///
/// What touches a blamed file is left out, and what a blamed test is linked to. Where that is nothing of the task or all of it,
/// its first half remains. `None` where it cannot be made smaller.
pub fn narrowed(
    input: &PlanInput<'_>,
    task: &Task,
    blamed: &[String],
    why: &str,
) -> Result<Option<Narrowed>, PlanError> {
    let repo = RepoFacts::new(input);
    let mut guilty: BTreeSet<&str> = blamed.iter().map(String::as_str).collect();
    guilty.extend(blamed.iter().flat_map(|it| repo.sources_of(it)));
    match &task.by {
        Proposer::Given => Ok(None),
        Proposer::Model => Ok(fewer_files(task, &guilty, why)),
        Proposer::Recipe { .. } | Proposer::Rule { .. } => with_world(input, |world| {
            let Some((source, pieces)) = pieces(input, world, task)? else { return Ok(None) };
            let is_guilty = |it: &Unit| it.files.iter().any(|it| guilty.contains(it.as_str()));
            let Some((mut kept, dropped)) = fewer(&pieces, is_guilty) else { return Ok(None) };
            tell_apart(&mut kept, &pieces);
            let of = |unit: &Unit| left_of(source.id(), unit, why, BY_ITSELF);
            let mut left: Vec<Leftover> = dropped.iter().flat_map(of).collect();
            left.sort();
            let smaller = draft(&repo, world, &source, &kept);
            let task = smaller.map(|it| like(task, it.task, kept.len(), pieces.len()));
            Ok(task.map(|task| Narrowed { task, left }))
        }),
    }
}

const BY_ITSELF: &str = "run again with --include for this file only, or change it by hand";

/// What remains of a list and what is left out: the guilty; its second half where that is all or nothing. None for a list of one.
fn fewer<T: Clone>(all: &[T], is_guilty: impl Fn(&T) -> bool) -> Option<(Vec<T>, Vec<T>)> {
    let (guilty, innocent): (Vec<T>, Vec<T>) = all.iter().cloned().partition(is_guilty);
    if !innocent.is_empty() && innocent.len() < all.len() {
        return Some((innocent, guilty));
    }
    let half = all.len() / 2;
    (all.len() > 1).then(|| (all[..half].to_vec(), all[half..].to_vec()))
}

fn fewer_files(task: &Task, guilty: &BTreeSet<&str>, why: &str) -> Option<Narrowed> {
    let (kept, dropped) = fewer(&task.files, |it: &RepoPath| guilty.contains(text(it)))?;
    let names: Vec<&str> = kept.iter().map(text).collect();
    let smaller = blank(&task.goal, &names);
    let (count, all) = (kept.len(), task.files.len());
    let left = files_left(task, &dropped, why);
    let mut task = Task { files: smaller.files, scope_globs: smaller.scope_globs, ..task.clone() };
    task.notes.push(format!("retried with {count} of {all} files"));
    Some(Narrowed { task, left })
}

/// Files that a task no longer has, where its sites are not known.
pub fn files_left(task: &Task, files: &[RepoPath], why: &str) -> Vec<Leftover> {
    let left = |path: &RepoPath| Leftover {
        path: path.to_string(),
        line: 1,
        found_by: found_by(task),
        what: task.goal.clone(),
        reason: why.to_owned(),
        suggestion: BY_ITSELF.to_owned(),
    };
    files.iter().map(left).collect()
}

/// The smaller task keeps its place in the plan.
fn like(task: &Task, smaller: Task, count: usize, all: usize) -> Task {
    let mut smaller = Task {
        id: task.id,
        kind: task.kind.clone(),
        depends_on: task.depends_on.clone(),
        is_critical: task.is_critical,
        verifier_level: task.verifier_level.max(smaller.verifier_level),
        ..smaller
    };
    smaller.notes.push(format!("retried with {count} of {all} parts"));
    smaller
}

/// Chains that are left out may have their sites in files that are kept: then names say which are meant.
fn tell_apart(units: &mut [Unit], all: &[Unit]) {
    let kept: BTreeSet<&String> = units.iter().flat_map(|it| &it.sites).collect();
    let named = names(units);
    let is_left = |it: &&Unit| names(std::slice::from_ref(*it)).is_disjoint(&named);
    let is_mixed = all.iter().filter(is_left).flat_map(|it| &it.sites).any(|it| kept.contains(it));
    for unit in units {
        unit.is_part |= is_mixed;
    }
}

type Pieces = (Source, Vec<Unit>);

/// What the task consists of now: the least that can be left out alone. None for what is not a recipe's or a rule's.
fn pieces(
    input: &PlanInput<'_>,
    world: &mut OverIndex<'_>,
    task: &Task,
) -> Result<Option<Pieces>, PlanError> {
    match &task.by {
        Proposer::Given | Proposer::Model => Ok(None),
        Proposer::Recipe { id, arguments, sites, chains } => {
            let Some(recipe) = rb_recipes::recipes::find(id) else { return Ok(None) };
            let sites = if sites.is_empty() { &task.files } else { sites };
            let meant = Meant {
                sites: paths(sites),
                names: chains,
                files: paths(&task.files),
                globs: &task.scope_globs,
            };
            let pieces = meant.pieces(input, world, (recipe, arguments))?;
            Ok(Some((Source::Recipe { recipe, arguments: arguments.clone() }, pieces)))
        }
        Proposer::Rule { id } => {
            let files = paths(&task.files);
            let only = |path: &str| files.contains(path);
            let inside = |it: &Unit| it.files.iter().all(|file| files.contains(file.as_str()));
            let (source, found) = by_rules(input, world, id, &only)?;
            // What an earlier rule edits is not edited by a later one as well.
            let mut taken: BTreeSet<String> = BTreeSet::new();
            let mut units: Vec<Unit> = Vec::new();
            for found in found {
                let free: Vec<Unit> =
                    found.units.into_iter().filter(|it| it.files.is_disjoint(&taken)).collect();
                taken.extend(free.iter().flat_map(|it| it.files.iter().cloned()));
                units.extend(free.into_iter().filter(inside));
            }
            Ok(source.map(|source| (source, units)))
        }
    }
}

/// What one rule finds, several that make one task, or one of the project. No source where none finds anything.
fn by_rules(
    input: &PlanInput<'_>,
    world: &mut OverIndex<'_>,
    id: &str,
    only: &(dyn Fn(&str) -> bool + Sync),
) -> Result<(Option<Source>, Vec<RecipeFindings>), PlanError> {
    let rules: Vec<&'static Rule> = id.split(AND).filter_map(rb_rules::engine::rule).collect();
    let found = if rules.is_empty() {
        edits::look_own(input, world, &[id.to_owned()], RuleRequest::ByName, Some(only))?
    } else {
        edits::look(input, world, &rules, RuleRequest::ByName, Some(only))?
    };
    let (mut sources, found): (Vec<Source>, Vec<RecipeFindings>) = found.into_iter().unzip();
    let source = match sources.len() {
        0 => None,
        _ if rules.len() > 1 => Some(Source::rules_of(rules)),
        _ => Some(sources.remove(0)),
    };
    Ok((source, found))
}

fn paths(files: &[RepoPath]) -> BTreeSet<&str> {
    files.iter().map(text).collect()
}

/// Which chains a task means.
struct Meant<'t> {
    sites: BTreeSet<&'t str>,
    names: &'t [String],
    /// All that it may edit or remove.
    files: BTreeSet<&'t str>,
    /// What it may create is among these.
    globs: &'t [String],
}

impl Meant<'_> {
    /// Its chains, those of one name together.
    fn pieces(
        &self,
        input: &PlanInput<'_>,
        world: &OverIndex<'_>,
        (recipe, arguments): (&'static Recipe, &Arguments),
    ) -> Result<Vec<Unit>, PlanError> {
        let only = |path: &str| self.sites.contains(path);
        // What it cannot be told any more is done: the symbol has its new name.
        let Ok(found) = chains::look(input, world, (recipe, arguments), Some(&only))? else {
            return Ok(Vec::new());
        };
        let chains = found.units.into_iter().flat_map(|it| chains_of(it.work));
        let named = by_name(chains.filter(|it| self.has(it)).collect());
        let is_part = !self.names.is_empty();
        Ok(named.into_values().map(|same| unit(world, same, is_part)).collect())
    }

    fn has(&self, chain: &Chain) -> bool {
        site_files(chain).iter().all(|it| self.sites.contains(it.as_str()))
            && chain.edits.keys().chain(&chain.removed).all(|it| self.files.contains(it.as_str()))
            && chain.created.keys().all(|it| self.globs.contains(&scope_glob(it)))
            && (self.names.is_empty() || self.names.contains(&name(chain)))
    }
}

fn chains_of(work: Work) -> Vec<Chain> {
    match work {
        Work::Chains(chains) => chains,
        Work::Texts(_) => Vec::new(),
    }
}
