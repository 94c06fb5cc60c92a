//! What a directive looks for, in words that a person would use, each with the recipes and rules that look for it.
//!
//! Ids mean nothing to who did not write them; what found nothing is named by these words.

use super::Reading;
use super::concepts::{CONCEPTS, Serves};

/// Something that is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WantedChange {
    pub(crate) about: String,
    /// Of recipes and rules.
    pub(crate) ids: Vec<String>,
}

impl Reading {
    /// These, too, look for it.
    pub(super) fn want(&mut self, about: &str, ids: Vec<String>) {
        match self.wanted.iter_mut().find(|it| it.about == about) {
            Some(known) => known.ids.extend(ids),
            None => self.wanted.push(WantedChange { about: about.to_owned(), ids }),
        }
    }
}

/// What one recipe looks for in words; a rule goes by its id, since who names one knows it.
pub(super) fn about(id: &str) -> String {
    let alone =
        CONCEPTS.iter().find(|it| matches!(it.serves, [Serves::Recipe(only)] if *only == id));
    alone.map_or_else(|| format!("`{id}`"), |it| it.about.to_owned())
}

/// The ids of what serves a concept.
pub(super) fn ids(serves: &[Serves]) -> Vec<String> {
    let of = |serves: &Serves| match *serves {
        Serves::Recipe(id) | Serves::Rule(id) => vec![id.to_owned()],
        Serves::Bundle(name) => {
            let bundle = rb_rules::engine::bundle(name);
            let rules = bundle.into_iter().flat_map(rb_rules::engine::Bundle::rules);
            rules.map(|it| it.id.to_owned()).collect()
        }
        Serves::Category(category) => {
            let all = rb_rules::rules::ALL.iter().filter(|it| it.category == category);
            all.map(|it| it.id.to_owned()).collect()
        }
    };
    serves.iter().flat_map(of).collect()
}
