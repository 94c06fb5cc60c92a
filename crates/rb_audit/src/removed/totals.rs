//! What stands in all texts of one side of a change together.

use std::collections::{BTreeMap, BTreeSet};

use super::file::{Code, stem};

#[derive(Default)]
pub(super) struct Totals {
    names: BTreeMap<String, u32>,
    /// Calls by their text.
    keys: BTreeMap<Box<str>, u32>,
    /// Calls by their name.
    pub(super) calls: BTreeMap<String, u32>,
    pub(super) throws: usize,
    pub(super) awaits: usize,
    /// The names of functions, as `stem` gives them.
    pub(super) declared: BTreeSet<Box<str>>,
    /// The words of texts that cannot be read: each may stand for a call.
    pub(super) unread: BTreeSet<String>,
}

impl Totals {
    pub(super) fn of<'f>(codes: impl Iterator<Item = &'f Code>) -> Totals {
        let mut totals = Totals::default();
        for code in codes {
            totals.unread.extend(code.unread.iter().cloned());
            for (name, count) in &code.names {
                *totals.names.entry(name.clone()).or_default() += count;
            }
            totals.declared.extend(code.functions.iter().map(|it| Box::from(stem(&it.name))));
            let Some(effects) = &code.effects else { continue };
            for call in &effects.calls {
                *totals.calls.entry(stem(&call.name).to_owned()).or_default() += 1;
                *totals.keys.entry(call.key.clone()).or_default() += 1;
            }
            totals.throws += effects.throws.len();
            totals.awaits += effects.awaits.len();
        }
        totals
    }

    /// How often a name stands there, or that of its twin.
    pub(super) fn name(&self, name: &str) -> u32 {
        self.names.get(stem(name)).copied().unwrap_or_default()
    }

    /// How often a call occurs with the same arguments. A call that is too long to compare counts as absent.
    pub(super) fn key(&self, key: &str) -> u32 {
        if key.is_empty() { 0 } else { self.keys.get(key).copied().unwrap_or_default() }
    }
}
