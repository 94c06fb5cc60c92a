//! Which test files reach what was changed, by imports.

use std::collections::{BTreeMap, BTreeSet};

use rb_index::role::Role;
use rb_index::{FileId, View};

/// Test files from which a changed file can be reached, sorted. A changed test file is one of them.
pub fn affected(view: &View<'_>, changed: &[String]) -> Vec<String> {
    let mut users: BTreeMap<FileId, Vec<FileId>> = BTreeMap::new();
    for (user, used) in view.edges() {
        users.entry(used).or_default().push(user);
    }
    let wanted: BTreeSet<&str> = changed.iter().map(String::as_str).collect();
    let mut open: Vec<FileId> =
        view.tree.ids().filter(|&id| wanted.contains(&*view.tree.get(id).path)).collect();
    let mut seen: BTreeSet<FileId> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        for &user in users.get(&id).into_iter().flatten() {
            if seen.insert(user) {
                open.push(user);
            }
        }
    }
    let paths = seen.into_iter().map(|id| view.tree.get(id).path.to_string());
    let mut tests: Vec<String> = paths.filter(|path| Role::of(path) == Role::Test).collect();
    tests.sort();
    tests
}
