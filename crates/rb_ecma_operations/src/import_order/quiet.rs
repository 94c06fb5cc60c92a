//! Files that only declare when they are loaded, with all that they load: when that happens makes no difference.

use std::collections::BTreeSet;

use rb_ecma::links::Target;

use crate::cycles::{loaded, needs};
use crate::project::{ImportStatement, Project};

/// The most files that are looked at.
const MOST: usize = 300;

pub(super) fn is_quiet(project: &Project<'_>, target: &Target) -> bool {
    let path = match target {
        Target::File(path) => path,
        Target::Builtin => return true,
        Target::Package(_) | Target::Unknown => return false,
    };
    let Some(all) = loaded_with(project, path) else { return false };
    // In a cycle it matters which file is loaded first.
    let is_in_cycle = |from: &str, file: &str| {
        loaded_with(project, from).is_none_or(|loaded| loaded.contains(file))
    };
    all.iter().all(|path| only_declares(project, path))
        && !needs(project, &all).iter().any(|need| is_in_cycle(&need.from, &need.file))
}

/// A file, and all that is loaded with it; `None` if that is too much.
fn loaded_with(project: &Project<'_>, path: &str) -> Option<BTreeSet<String>> {
    let mut seen = BTreeSet::from([path.to_owned()]);
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        open.extend(loaded(project, &path).into_iter().filter(|it| seen.insert(it.clone())));
        if seen.len() > MOST {
            return None;
        }
    }
    Some(seen)
}

fn only_declares(project: &Project<'_>, path: &str) -> bool {
    let Some(facts) = project.module(path) else { return false };
    let loads_only_files = |it: &ImportStatement| {
        it.is_list || it.is_type || matches!(it.target, Target::File(_) | Target::Builtin)
    };
    let mut pieces = facts.declarations.iter().flat_map(|it| &it.pieces);
    facts.links.is_esm
        && facts.effects.is_empty()
        && pieces.all(|it| it.is_pure)
        && facts.statements.iter().all(loads_only_files)
}
