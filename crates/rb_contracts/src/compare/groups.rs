//! Matches what has the same key before and after, where several may have it: overloads, a flag of two commands.

use std::collections::BTreeMap;

/// What one key had before and has after, without those that are equal on both sides.
pub(super) struct Group<'a, T> {
    pub(super) before: Vec<&'a T>,
    pub(super) after: Vec<&'a T>,
    /// Some were equal, so that the name as such is still there.
    pub(super) is_kept: bool,
}

/// Groups in the order of their keys; those without a difference are left out.
pub(super) fn differing<'a, T, K: Ord>(
    before: impl IntoIterator<Item = &'a T>,
    after: impl IntoIterator<Item = &'a T>,
    key: impl Fn(&'a T) -> K,
    same: impl Fn(&T, &T) -> bool,
) -> BTreeMap<K, Group<'a, T>> {
    let mut groups: BTreeMap<K, Group<'a, T>> = BTreeMap::new();
    let empty = || Group { before: Vec::new(), after: Vec::new(), is_kept: false };
    for one in before {
        groups.entry(key(one)).or_insert_with(empty).before.push(one);
    }
    for one in after {
        let group = groups.entry(key(one)).or_insert_with(empty);
        match group.before.iter().position(|other| same(other, one)) {
            Some(at) => {
                group.before.remove(at);
                group.is_kept = true;
            }
            None => group.after.push(one),
        }
    }
    groups.retain(|_, group| !group.before.is_empty() || !group.after.is_empty());
    groups
}
