//! What a proposal does to the tests: added, removed, and changed, also by way of what they lean on.

use std::collections::{BTreeMap, BTreeSet};

use rb_lang::Language;

use super::outline::{Outline, TestItem, Unit, UnitKind};
use super::{TestChange, WrittenTest};

pub(super) fn compare(language: Language, before: &[Outline], after: &[Outline]) -> TestChange {
    let old = by_name(before);
    let new = by_name(after);
    let effects = Effects::new(language, before, after);
    let mut removed: Vec<Place<'_>> = Vec::new();
    let mut changed: BTreeSet<&str> = BTreeSet::new();
    for (&(path, name), olds) in &old {
        let news = new.get(&(path, name)).map(Vec::as_slice).unwrap_or_default();
        if news.len() > olds.len() {
            changed.insert(name);
        } else if news.len() < olds.len() {
            // Where some are left, it does not matter which one is gone.
            removed.extend(&olds[news.len()..]);
        }
        let is_changed = olds.iter().zip(news).any(|(old, new)| {
            old.item.test.text != new.item.test.text || effects.reach(new.outline, new.item)
        });
        if is_changed {
            changed.insert(name);
        }
    }
    let fresh = new.iter().filter(|(key, _)| !old.contains_key(*key));
    let mut added: Vec<Place<'_>> = fresh.flat_map(|(_, places)| places.iter().copied()).collect();
    let removed = without_moves(removed, &mut added, &mut changed);
    let mut added: Vec<WrittenTest> = added.iter().map(|place| place.item.test.clone()).collect();
    added.sort_by(|left, right| (&left.path, left.line).cmp(&(&right.path, right.line)));
    TestChange {
        added,
        removed: removed.into_iter().map(str::to_owned).collect(),
        changed: changed.into_iter().map(str::to_owned).collect(),
    }
}

#[derive(Clone, Copy)]
struct Place<'o> {
    outline: &'o Outline,
    item: &'o TestItem,
}

/// The tests by path and name; several of one name in the order of the text.
fn by_name(outlines: &[Outline]) -> BTreeMap<(&str, &str), Vec<Place<'_>>> {
    let mut tests: BTreeMap<(&str, &str), Vec<Place<'_>>> = BTreeMap::new();
    for outline in outlines {
        for item in &outline.tests {
            let key = (outline.path.as_str(), item.test.name.as_str());
            tests.entry(key).or_default().push(Place { outline, item });
        }
    }
    tests
}

/// A test that is gone from one file and stands in another, with its name and text, was moved. It is changed if it leans on
/// something else there.
fn without_moves<'o>(
    removed: Vec<Place<'o>>,
    added: &mut Vec<Place<'o>>,
    changed: &mut BTreeSet<&'o str>,
) -> BTreeSet<&'o str> {
    let mut candidates: BTreeMap<(&str, &str), Vec<Place<'o>>> = BTreeMap::new();
    for &place in &*added {
        candidates.entry(identity(place)).or_default().push(place);
    }
    let mut gone = BTreeSet::new();
    let mut moved: BTreeSet<(&str, u32)> = BTreeSet::new();
    for old in removed {
        let name = old.item.test.name.as_str();
        let Some(new) = candidates.get_mut(&identity(old)).and_then(Vec::pop) else {
            gone.insert(name);
            continue;
        };
        moved.insert((new.outline.path.as_str(), new.item.test.line));
        if own_definitions(old) != own_definitions(new) {
            changed.insert(name);
        }
    }
    added.retain(|place| !moved.contains(&(place.outline.path.as_str(), place.item.test.line)));
    gone
}

fn identity(place: Place<'_>) -> (&str, &str) {
    (place.item.test.name.as_str(), place.item.test.text.as_str())
}

/// What a test mentions of its own file.
fn own_definitions(place: Place<'_>) -> BTreeSet<(&str, &str)> {
    let units = place.outline.units.iter();
    units
        .filter(|unit| place.item.names.contains(&unit.name))
        .map(|unit| (&*unit.name, &*unit.text))
        .collect()
}

/// Helpers of helpers are followed so far.
const MAX_ROUNDS: usize = 8;

/// The helpers, constants, fixtures and hooks that are not what they were.
#[derive(Default)]
struct Effects<'o> {
    /// By path and name.
    names: BTreeSet<(&'o str, &'o str)>,
    /// Of files that others use.
    shared: BTreeSet<&'o str>,
    /// What each path defines itself.
    defined: BTreeSet<(&'o str, &'o str)>,
    /// Scopes whose hooks are not what they were.
    scopes: BTreeSet<(&'o str, u64)>,
    shared_paths: BTreeSet<&'o str>,
}

/// Path, kind, key of the scope, name.
type UnitKey<'o> = (&'o str, UnitKind, u64, &'o str);

impl<'o> Effects<'o> {
    fn new(language: Language, before: &'o [Outline], after: &'o [Outline]) -> Effects<'o> {
        let mut effects = Effects::default();
        for outline in before.iter().chain(after) {
            let path = outline.path.as_str();
            effects.defined.extend(outline.units.iter().map(|unit| (path, &*unit.name)));
            // All files of a Go package see each other.
            if outline.tests.is_empty() || language == Language::Go {
                effects.shared_paths.insert(path);
            }
        }
        let old = by_key(before);
        let new = by_key(after);
        for (key, units) in &old {
            let left = new.get(key).map(Vec::as_slice).unwrap_or_default();
            if !is_kept(language, units, left) {
                for &(outline, unit) in units {
                    effects.add(outline, unit);
                }
            }
        }
        effects.add_new(before, &old, &new);
        effects.follow(after);
        effects
    }

    /// A new hook runs around the tests that were there. A new definition takes the place of an import of its name. Others
    /// change nothing.
    fn add_new(&mut self, before: &'o [Outline], old: &Units<'o>, new: &Units<'o>) {
        let mut scopes: BTreeSet<(&str, u64)> = BTreeSet::new();
        let mut imports: BTreeSet<(&str, &str)> = BTreeSet::new();
        for outline in before {
            let path = outline.path.as_str();
            scopes.extend(outline.scopes.iter().map(|scope| (path, scope.key)));
            imports.extend(outline.imports.iter().map(|name| (path, name.as_str())));
        }
        for (key, units) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
            let &(path, kind, scope, name) = key;
            let matters = match kind {
                UnitKind::Hook => scopes.contains(&(path, scope)),
                UnitKind::Definition => imports.contains(&(path, name)),
            };
            if matters {
                for &(outline, unit) in units {
                    self.add(outline, unit);
                }
            }
        }
    }

    /// What mentions something that is not what it was is not what it was.
    fn follow(&mut self, after: &'o [Outline]) {
        for _ in 0..MAX_ROUNDS {
            let count = self.names.len() + self.scopes.len();
            for outline in after {
                for unit in &outline.units {
                    if self.reach_names(&outline.path, &unit.names) {
                        self.add(outline, unit);
                    }
                }
            }
            if self.names.len() + self.scopes.len() == count {
                return;
            }
        }
    }

    fn add(&mut self, outline: &'o Outline, unit: &'o Unit) {
        let path = outline.path.as_str();
        let scope = &outline.scopes[unit.scope];
        let name = match unit.kind {
            UnitKind::Definition => Some(unit.name.as_str()),
            // Through their class, hooks are inherited.
            UnitKind::Hook => {
                self.scopes.insert((path, scope.key));
                scope.class.as_deref()
            }
        };
        let Some(name) = name else { return };
        self.names.insert((path, name));
        if self.shared_paths.contains(path) {
            self.shared.insert(name);
        }
    }

    /// Whether a test leans on any of it.
    fn reach(&self, outline: &Outline, item: &TestItem) -> bool {
        if self.reach_names(&outline.path, &item.names) {
            return true;
        }
        let mut scope = Some(item.scope);
        while let Some(around) = scope.and_then(|scope| outline.scopes.get(scope)) {
            if self.scopes.contains(&(outline.path.as_str(), around.key))
                || self.reach_names(&outline.path, &around.names)
            {
                return true;
            }
            scope = around.parent;
        }
        false
    }

    fn reach_names(&self, path: &str, names: &BTreeSet<String>) -> bool {
        names.iter().any(|name| {
            self.names.contains(&(path, name.as_str()))
                || (self.shared.contains(name.as_str())
                    && !self.defined.contains(&(path, name.as_str())))
        })
    }
}

type Units<'o> = BTreeMap<UnitKey<'o>, Vec<(&'o Outline, &'o Unit)>>;

fn by_key(outlines: &[Outline]) -> Units<'_> {
    let mut units = Units::new();
    for outline in outlines {
        for unit in &outline.units {
            let scope = outline.scopes[unit.scope].key;
            let key = (outline.path.as_str(), unit.kind, scope, unit.name.as_str());
            units.entry(key).or_default().push((outline, unit));
        }
    }
    units
}

/// Whether all are there as they were. A second definition of a name takes the place of the first, except where the compiler
/// tells them apart.
fn is_kept(language: Language, before: &[(&Outline, &Unit)], after: &[(&Outline, &Unit)]) -> bool {
    let is_compiled = matches!(language, Language::Rust | Language::Java | Language::Go);
    if is_compiled {
        let texts: BTreeSet<&str> = after.iter().map(|(_, unit)| &*unit.text).collect();
        return before.iter().all(|(_, unit)| texts.contains(&*unit.text));
    }
    before.len() == after.len()
        && before.iter().zip(after).all(|((_, old), (_, new))| old.text == new.text)
}
