//! What could be done in a repository without a model: for those whose directive nothing serves.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::plural;
use rb_recipes::Arguments;
use rb_rules::engine::OverIndex;

use crate::input::{PlanError, PlanInput};
use crate::plan::{MatchedKind, Unserved};
use crate::understand::menu;
use crate::{chains, edits};

/// What would serve a directive that needs a model.
const SETTINGS: &[&str] = &[
    "--provider claude-code (Claude Code, with its own login)",
    "--provider anthropic (with ANTHROPIC_API_KEY in the environment)",
    "--provider ollama --model NAME (a model on this machine)",
];

/// `why` nothing is done, and what could be. `asked`: the ids of what was tried already or is not wanted.
pub(crate) fn unserved(
    input: &PlanInput<'_>,
    world: &OverIndex<'_>,
    why: String,
    asked: &BTreeSet<&str>,
) -> Result<Unserved, PlanError> {
    let instead = offers(input, world, asked)?;
    Ok(Unserved { why, instead, settings: settings(), is_mistaken: false })
}

pub(crate) fn settings() -> Vec<String> {
    SETTINGS.iter().map(|it| (*it).to_owned()).collect()
}

type Count = (usize, BTreeSet<String>);

/// Directives that would change something here, each with how much.
fn offers(
    input: &PlanInput<'_>,
    world: &OverIndex<'_>,
    asked: &BTreeSet<&str>,
) -> Result<Vec<String>, PlanError> {
    let menu = menu();
    let rules: Vec<&'static rb_rules::Rule> = rb_rules::rules::ALL.to_vec();
    let by_rule = edits::count(input, world, &rules)?;
    let mut by_recipe: BTreeMap<&str, Count> = BTreeMap::new();
    for recipe in rb_recipes::ALL.iter().filter(|it| it.needs.is_empty()) {
        if let Ok(found) = chains::look(input, world, (recipe, &Arguments::new()), None)? {
            let files = found.units.iter().flat_map(|it| it.files.iter().cloned()).collect();
            by_recipe.insert(recipe.id, (found.sites(), files));
        }
    }
    let mut offers = Vec::new();
    for (directive, matched) in &menu {
        let counts = matched.iter().filter(|it| !asked.contains(it.id.as_str())).filter_map(|it| {
            match it.kind {
                MatchedKind::Recipe => by_recipe.get(it.id.as_str()),
                MatchedKind::Rule => by_rule.get(it.id.as_str()),
                MatchedKind::OwnRule => None,
            }
        });
        let (mut places, mut files) = (0, BTreeSet::new());
        for (count, of) in counts {
            places += count;
            files.extend(of);
        }
        if places > 0 {
            let (places, files) = (plural(places, "place"), plural(files.len(), "file"));
            offers.push(format!("\"{directive}\": {places} in {files}"));
        }
    }
    Ok(offers)
}
