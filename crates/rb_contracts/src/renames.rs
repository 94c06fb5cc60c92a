//! What follows from a rename: signatures that mention the old name are written with the new one, and promise what they promised.

use std::collections::BTreeMap;

use crate::compare::{ContractChange, compare};
use crate::model::{Signature, Snapshot};

/// Takes the changes out of `changes` that are not there once the names in signatures are replaced: `params.Depends` became
/// `param.Depends`. The names are dotted, as they are written in code.
pub fn take_consequences(
    changes: &mut Vec<ContractChange>,
    before: &Snapshot,
    after: &Snapshot,
    renames: &BTreeMap<String, String>,
) -> Vec<ContractChange> {
    if changes.is_empty() || renames.is_empty() {
        return Vec::new();
    }
    // On both sides, because words in prose and strings stay as they were.
    let others = compare(&renamed(before, renames), &renamed(after, renames));
    let is_same = |one: &ContractChange, other: &ContractChange| {
        (one.what, &one.file, &one.name) == (other.what, &other.file, &other.name)
    };
    let follows = |change: &mut ContractChange| {
        !others.iter().any(|other| other.breaking && is_same(change, other))
    };
    changes.extract_if(.., follows).collect()
}

/// The snapshot with all signatures and defaults as they read after the renames. Nothing else has another name.
fn renamed(snapshot: &Snapshot, renames: &BTreeMap<String, String>) -> Snapshot {
    let mut snapshot = snapshot.clone();
    let replace = |text: &mut String| *text = replaced(text, renames);
    for export in &mut snapshot.exports {
        let Signature { params, returns, ty, generics, bases, .. } = &mut export.signature;
        params.iter_mut().flatten().filter_map(|param| param.ty.as_mut()).for_each(replace);
        returns.iter_mut().chain(ty).chain(generics).chain(bases).for_each(replace);
    }
    snapshot.flags.iter_mut().filter_map(|flag| flag.default.as_mut()).for_each(replace);
    snapshot
}

/// The text with each whole name replaced, the longest first where several fit.
fn replaced(text: &str, renames: &BTreeMap<String, String>) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_start = is_part(first) && !out.chars().next_back().is_some_and(is_part);
        let fits = |old: &&String| {
            let behind = rest.strip_prefix(old.as_str());
            !old.is_empty() && behind.is_some_and(|it| !it.starts_with(is_part))
        };
        let found = renames.keys().filter(fits).max_by_key(|old| old.len()).filter(|_| is_start);
        if let Some(old) = found {
            out.push_str(&renames[old]);
            rest = &rest[old.len()..];
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st1_whole_names_are_replaced() {
        let pairs = [("params", "param"), ("a.b", "c.d"), ("b", "x"), ("é", "e")];
        let renames = pairs.map(|(old, new)| (old.to_owned(), new.to_owned())).into();
        for (text, expected) in [
            ("", ""),
            ("params.Depends", "param.Depends"),
            ("Optional[fastapi.params.Depends]|None", "Optional[fastapi.param.Depends]|None"),
            ("my_params params2 params", "my_params params2 param"),
            ("a.b.c + b", "c.d.c + x"),
            ("ab é", "ab e"),
        ] {
            assert_eq!(replaced(text, &renames), expected, "{text}");
        }
    }
}
