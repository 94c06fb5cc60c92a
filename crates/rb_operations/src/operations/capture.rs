//! Does every name still mean what it meant? A file before and after a rename, compared name by name.
//!
//! A rename changes how variables are called and nothing else, so both texts have the same scopes and the same names in the same order. Where
//! a name leads to another variable than before, the new name was captured, or it captured one.

use std::collections::{BTreeMap, BTreeSet};

use rb_python::{Name, Source, VariableId};

use crate::outcome::Place;

/// Places in which a name would mean something else. `renamed` are variables of the file before.
pub(super) fn captures(
    before: &Source,
    after: &Source,
    renamed: &BTreeSet<VariableId>,
    to: &str,
) -> Vec<Place> {
    let (old, new) = (before.scopes(), after.scopes());
    let is_same_shape = old.scopes.len() == new.scopes.len() && old.names.len() == new.names.len();
    if !is_same_shape {
        let what = format!("`{to}` would change how this file is read");
        return vec![Place { path: before.path().to_owned(), line: 1, what }];
    }
    let mut images = Images::new(before, after, renamed, to);
    let mut places = std::mem::take(&mut images.clashes);
    for (was, is) in old.names.iter().zip(&new.names) {
        let expected = was.variable.and_then(|variable| images.of.get(&variable).copied());
        let is_unbound_twin = was.variable.is_none() && was.name != is.name && images.is_free(to);
        if is.variable != expected || is_unbound_twin {
            places.push(place(before, was, to));
        }
    }
    places.sort();
    places.dedup();
    places
}

fn place(source: &Source, name: &Name, to: &str) -> Place {
    let what = if name.name == to {
        format!("`{to}` means something else here already")
    } else {
        format!("`{}` would be taken for another `{to}`", name.name)
    };
    Place { path: source.path().to_owned(), line: source.line(name.range.start()), what }
}

/// Which variable after stands for which before.
struct Images {
    of: BTreeMap<VariableId, VariableId>,
    clashes: Vec<Place>,
    /// Names that were bound nowhere in the file: builtins, and what `import *` brings.
    unbound: BTreeSet<String>,
}

impl Images {
    fn new(before: &Source, after: &Source, renamed: &BTreeSet<VariableId>, to: &str) -> Self {
        let mut of = BTreeMap::new();
        let mut clashes = Vec::new();
        let mut taken = BTreeMap::new();
        for (index, variable) in (0_u32..).zip(&before.scopes().variables) {
            let id = VariableId(index);
            let name = if renamed.contains(&id) { to } else { variable.name.as_str() };
            if let Some(other) = taken.insert((variable.scope, name), id) {
                let there_before = if renamed.contains(&id) { other } else { id };
                let variable = before.scopes().variable(there_before);
                clashes.extend(bindings_of(before, variable, to));
            }
            if let Some(image) = after.scopes().scope(variable.scope).variables.get(name) {
                of.insert(id, *image);
            }
        }
        let names = before.scopes().names.iter().filter(|name| name.variable.is_none());
        let unbound = names.map(|name| name.name.clone()).collect();
        Images { of, clashes, unbound }
    }

    fn is_free(&self, name: &str) -> bool {
        self.unbound.contains(name)
    }
}

fn bindings_of<'s>(
    source: &'s Source,
    variable: &'s rb_python::Variable,
    to: &'s str,
) -> impl Iterator<Item = Place> + 's {
    variable.bindings.iter().map(move |binding| Place {
        path: source.path().to_owned(),
        line: source.line(binding.range.start()),
        what: format!("`{to}` is bound here already"),
    })
}
