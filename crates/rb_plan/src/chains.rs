//! Recipes as a source of units: their chains, as far as they may be made here, and what they leave.

use std::collections::{BTreeMap, BTreeSet};

use rb_recipes::{Arguments, Chain, Left, Planning, Recipe, apply};
use rb_rules::World;

use crate::draft::{over_budget, with_room};
use crate::input::{Limits, PlanError, PlanInput};
use crate::plan::Leftover;
use crate::reasons::would_change;
use crate::risk::Api;
use crate::unit::{Unit, Work, prepared, texts_after};

/// What a recipe found.
#[derive(Debug, Default)]
pub(crate) struct RecipeFindings {
    pub(crate) units: Vec<Unit>,
    pub(crate) left: Vec<Leftover>,
}

impl RecipeFindings {
    pub(crate) fn sites(&self) -> usize {
        self.units.iter().map(|it| it.count).sum()
    }

    pub(crate) fn files(&self) -> usize {
        self.units.iter().flat_map(|it| &it.files).collect::<BTreeSet<_>>().len()
    }
}

/// Runs a recipe. `only`: the files in which sites are looked for. What it cannot be told is an error in its words.
pub(crate) fn look(
    input: &PlanInput<'_>,
    world: &dyn World,
    (recipe, arguments): (&'static Recipe, &Arguments),
    only: Option<&(dyn Fn(&str) -> bool + Sync)>,
) -> Result<Result<RecipeFindings, String>, PlanError> {
    let planning = Planning {
        world,
        promised: input.promised,
        allow_public_api_changes: input.allow_public_api_changes,
        arguments,
        only,
        renamer: input.renamer,
        cancel: input.cancel,
        progress: input.progress,
    };
    let mut plan = match (recipe.plan)(&planning) {
        Ok(plan) => plan,
        Err(rb_recipes::PlanError::Interrupted) => return Err(PlanError::Interrupted),
        Err(
            rb_recipes::PlanError::Argument(message) | rb_recipes::PlanError::Unavailable(message),
        ) => return Ok(Err(message)),
    };
    plan.tidy();
    let mut found = RecipeFindings::default();
    found.left.extend(plan.left.drain(..).map(|left| leftover(recipe.id, left)));
    leave_what_may_not_be(input, world, recipe.id, &mut plan, &mut found.left);
    found.units = units(world, plan.chains, input.limits.diff_budget);
    found.left.sort();
    Ok(Ok(found))
}

/// Takes out the chains that would touch what the run may not, and those whose edits do not fit together.
fn leave_what_may_not_be(
    input: &PlanInput<'_>,
    world: &dyn World,
    id: &str,
    plan: &mut rb_recipes::Plan,
    left: &mut Vec<Leftover>,
) {
    let is_outside = |it: &mut Chain| first_outside(input, it).is_some();
    for chain in plan.chains.extract_if(.., is_outside) {
        let file = first_outside(input, &chain).unwrap_or_default();
        let reason = would_change(file);
        left.extend(all_left(id, &chain, &reason, "extend the scope of the run"));
    }
    for refused in apply(world, plan).refused.iter().rev() {
        let chain = plan.chains.remove(refused.chain);
        let reason = format!("its edits conflict in {}: {}", refused.path, refused.reason);
        left.extend(all_left(id, &chain, &reason, "make this change by hand"));
    }
}

fn first_outside<'c>(input: &PlanInput<'_>, chain: &'c Chain) -> Option<&'c str> {
    chain.paths().map(String::as_str).find(|path| !(input.may_touch)(path))
}

fn leftover(id: &str, left: Left) -> Leftover {
    Leftover {
        path: left.path,
        line: left.line,
        found_by: id.to_owned(),
        what: left.code,
        reason: left.reason,
        suggestion: left.suggestion,
    }
}

/// Every site of a unit that is not made.
pub(crate) fn left_of(id: &str, unit: &Unit, reason: &str, suggestion: &str) -> Vec<Leftover> {
    let in_file = |path: &String| Leftover {
        path: path.clone(),
        line: 1,
        found_by: id.to_owned(),
        what: unit.notes.first().cloned().unwrap_or_default(),
        reason: reason.to_owned(),
        suggestion: suggestion.to_owned(),
    };
    match &unit.work {
        Work::Chains(chains) => {
            chains.iter().flat_map(|it| all_left(id, it, reason, suggestion)).collect()
        }
        Work::Texts(_) if unit.places.is_empty() => unit.sites.iter().map(in_file).collect(),
        Work::Texts(_) => {
            let (reason, suggestion) = (reason.to_owned(), suggestion.to_owned());
            let with = |it: &Leftover| Leftover {
                reason: reason.clone(),
                suggestion: suggestion.clone(),
                ..it.clone()
            };
            unit.places.iter().map(with).collect()
        }
    }
}

/// Where a person set the budget, what is larger and cannot be split is left.
pub(crate) fn keep_to_budget(limits: Limits, id: &str, found: &mut RecipeFindings) {
    if !limits.is_strict {
        return;
    }
    for unit in found.units.extract_if(.., |it| it.lines > limits.diff_budget) {
        let reason = over_budget(unit.lines, limits.diff_budget);
        let suggestion = format!("allow it with --diff-budget {}", with_room(unit.lines));
        found.left.extend(left_of(id, &unit, &reason, &suggestion));
    }
    found.left.sort();
}

/// Every site of a chain that is not made; its files where it knows no site.
fn all_left(id: &str, chain: &Chain, reason: &str, suggestion: &str) -> Vec<Leftover> {
    let left = |path: &str, line: u32, what: &str| Leftover {
        path: path.to_owned(),
        line,
        found_by: id.to_owned(),
        what: what.to_owned(),
        reason: reason.to_owned(),
        suggestion: suggestion.to_owned(),
    };
    if chain.sites.is_empty() {
        return chain.paths().map(|path| left(path, 1, &chain.title)).collect();
    }
    chain.sites.iter().map(|site| left(&site.path, site.line, &site.what)).collect()
}

/// Chains whose sites share a file become one unit, so that a file tells which chains are meant. Where that is more than a task
/// may change, the chains are told apart by their names.
fn units(world: &dyn World, chains: Vec<Chain>, budget: usize) -> Vec<Unit> {
    let files: Vec<BTreeSet<String>> = chains.iter().map(site_files).collect();
    let mut by_group: BTreeMap<usize, Vec<Chain>> = BTreeMap::new();
    for (chain, group) in chains.into_iter().zip(joined(&files)) {
        by_group.entry(group).or_default().push(chain);
    }
    let mut units = Vec::new();
    for chains in by_group.into_values() {
        let whole = unit(world, chains.clone(), false);
        let named = by_name(chains);
        if whole.lines <= budget || named.len() < 2 {
            units.push(whole);
        } else {
            units.extend(named.into_values().map(|same| unit(world, same, true)));
        }
    }
    units.retain(|it| it.lines > 0);
    units.sort_by(|a, b| (&a.sites, &a.files).cmp(&(&b.sites, &b.files)));
    units
}

/// What a chain is known by in a later plan: `path: title`. Chains of one name are not told apart.
pub(crate) fn name(chain: &Chain) -> String {
    let path = site_files(chain).into_iter().next().unwrap_or_default();
    format!("{path}: {}", chain.title)
}

pub(crate) fn by_name(chains: Vec<Chain>) -> BTreeMap<String, Vec<Chain>> {
    let mut named: BTreeMap<String, Vec<Chain>> = BTreeMap::new();
    for chain in chains {
        named.entry(name(&chain)).or_default().push(chain);
    }
    named
}

pub(crate) fn site_files(chain: &Chain) -> BTreeSet<String> {
    if chain.sites.is_empty() {
        return chain.paths().cloned().collect();
    }
    chain.sites.iter().map(|it| it.path.clone()).collect()
}

pub(crate) fn unit(world: &dyn World, chains: Vec<Chain>, is_part: bool) -> Unit {
    let mut notes: Vec<String> = Vec::new();
    let mut api = Api::Same;
    for chain in &chains {
        notes.push(chain.title.clone());
        notes.extend(chain.notes.iter().cloned());
        for change in &chain.api {
            api = api.max(if change.is_public { Api::Public } else { Api::Exported });
        }
    }
    let mut seen = BTreeSet::new();
    notes.retain(|it| seen.insert(it.clone()));
    let mut unit = Unit {
        sites: chains.iter().flat_map(site_files).collect(),
        count: chains.iter().map(|it| it.sites.len().max(1)).sum(),
        files: chains.iter().flat_map(|it| it.paths().cloned()).collect(),
        lines: 0,
        work: Work::Chains(chains),
        api,
        notes,
        is_part,
        places: Vec::new(),
    };
    let patch = prepared(&texts_after(world, std::slice::from_ref(&unit)));
    // A file that only moves changes no line.
    unit.lines = patch.map_or(0, |it| (it.added + it.removed).max(1));
    unit
}

/// For each set the number of its group: sets that share something are in one, also by way of others.
pub(crate) fn joined<T: Ord>(sets: &[BTreeSet<T>]) -> Vec<usize> {
    let mut group: Vec<usize> = (0..sets.len()).collect();
    let mut holder: BTreeMap<&T, usize> = BTreeMap::new();
    for (at, set) in sets.iter().enumerate() {
        for it in set {
            let first = *holder.entry(it).or_insert(at);
            let (one, other) = (top(&group, first), top(&group, at));
            group[one.max(other)] = one.min(other);
        }
    }
    (0..sets.len()).map(|at| top(&group, at)).collect()
}

fn top(group: &[usize], mut at: usize) -> usize {
    while group[at] != at {
        at = group[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf3_sets_that_share_something_are_joined() {
        let check = |sets: &[&[u8]], expected: &[usize]| {
            let sets: Vec<BTreeSet<u8>> =
                sets.iter().map(|it| it.iter().copied().collect()).collect();
            assert_eq!(joined(&sets), expected, "{sets:?}");
        };
        check(&[], &[]);
        check(&[&[1], &[2], &[1, 3]], &[0, 1, 0]);
        check(&[&[1], &[2], &[3], &[2, 3], &[3, 1]], &[0, 0, 0, 0, 0]);
        check(&[&[], &[]], &[0, 1]);
    }
}
