//! Which rules are meant: by id, by category, by the name of a bundle.

use thiserror::Error;

use super::bundles::bundle;
use crate::rule::{Category, Level, Rule};
use crate::rules::ALL;

#[derive(Debug, Error, PartialEq, Eq)]
#[error("there is no rule, category or bundle `{name}`")]
pub struct SelectError {
    pub name: String,
    /// Names that it may have been meant for, the nearest first.
    pub nearest: Vec<String>,
}

/// The rule of an id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.id == id)
}

/// The rules that the names stand for, in the order of the guide, each once. Without a name: those of the default level.
///
/// A name is the id of a rule, a category (`async`, `bundle`), a bundle (`waterfalls`), or `all`.
pub fn select(names: &[String], without: &[String]) -> Result<Vec<&'static Rule>, SelectError> {
    let mut chosen: Vec<&'static Rule> = Vec::new();
    if names.is_empty() {
        chosen.extend(ALL.iter().filter(|rule| rule.level == Level::Default));
    }
    for name in names {
        chosen.extend(named(name)?);
    }
    for name in without {
        let gone = named(name)?;
        chosen.retain(|rule| !gone.iter().any(|it| it.id == rule.id));
    }
    Ok(ALL.iter().copied().filter(|rule| chosen.iter().any(|it| it.id == rule.id)).collect())
}

fn named(name: &str) -> Result<Vec<&'static Rule>, SelectError> {
    if name == "all" {
        return Ok(ALL.to_vec());
    }
    if let Some(rule) = rule(name) {
        return Ok(vec![rule]);
    }
    if let Some(bundle) = bundle(name) {
        return Ok(bundle.rules());
    }
    if let Some(category) = Category::ALL.into_iter().find(|it| it.prefix() == name) {
        return Ok(ALL.iter().copied().filter(|rule| rule.category == category).collect());
    }
    Err(SelectError { name: name.to_owned(), nearest: nearest(name) })
}

fn nearest(name: &str) -> Vec<String> {
    let ids = ALL.iter().map(|rule| rule.id);
    let groups = super::BUNDLES.iter().map(|bundle| bundle.name);
    let categories = Category::ALL.into_iter().map(Category::prefix);
    let mut scored: Vec<(usize, &str)> = ids
        .chain(groups)
        .chain(categories)
        .map(|it| {
            let inside = it.contains(name) && name.len() > 2;
            (if inside { 1 } else { strsim::damerau_levenshtein(name, it) }, it)
        })
        .filter(|(distance, it)| *distance <= (it.len() / 3).max(1))
        .collect();
    scored.sort_unstable();
    scored.dedup();
    scored.into_iter().take(3).map(|(_, it)| it.to_owned()).collect()
}
