//! Edges between files that see each other without an import: one Go package, one Java package, a Ruby constant.
//!
//! `Surface` is what a file offers to such others, `Wants` what it takes from them, both made from its facts alone and small
//! enough to be stored; `Siblings` puts the surfaces of all files together and finds what is wanted. It goes by names:
//! a name that more than a few files declare says nothing and gives no edge.

mod names;

use std::collections::BTreeSet;

use rb_lang::{Facts, Import, Language};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub(crate) use self::names::Sight;
use crate::tree::{FileId, Tree};

/// What a file offers to files that see it without an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surface {
    /// Its top-level names, sorted: `Store`; with what is around them where the language finds them by that: `Shop::Store`.
    pub names: Vec<Box<str>>,
    pub package: Option<Box<str>>,
}

/// What a file uses and neither declares nor imports.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wants {
    /// Sorted.
    pub names: Vec<Want>,
    /// What is used of each import that binds a whole package to a name, by the place of the import in the facts; sorted.
    pub of_imports: Vec<(u32, Vec<Want>)>,
    pub package: Option<Box<str>>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Want {
    pub name: Box<str>,
    /// Where the name stands, in languages that look for it from the inside out: `Shop::Cart`. Else empty.
    pub scope: Box<str>,
    pub count: u32,
}

impl Surface {
    /// `None` for a language whose files see of each other only what they import.
    pub fn of(facts: &Facts, language: Language) -> Option<Surface> {
        let sight = Sight::of(language)?;
        Some(Surface { names: names::offered(facts, sight), package: facts.package.clone() })
    }
}

impl Wants {
    /// `None` for a language whose files see of each other only what they import.
    pub fn of(facts: &Facts, language: Language) -> Option<Wants> {
        let sight = Sight::of(language)?;
        let (names, of_imports) = names::wanted(facts, sight);
        Some(Wants { names, of_imports, package: facts.package.clone() })
    }

    /// Whether a file that begins or ends to offer one of these names may be meant. The names are as `last_part` has them.
    pub fn any_of(&self, offered: &BTreeSet<Box<str>>) -> bool {
        let of_imports = self.of_imports.iter().flat_map(|(_, wants)| wants);
        self.names.iter().chain(of_imports).any(|want| offered.contains(last_part(&want.name)))
    }

    /// What may be used of the import at this place in the facts. One that binds no name opens a package, so that all
    /// free names may be of it.
    pub fn of_import(&self, at: usize, import: &Import) -> &[Want] {
        if import.names.iter().all(|name| name.local.is_empty()) {
            return &self.names;
        }
        let found = self.of_imports.binary_search_by_key(&at, |(at, _)| *at as usize);
        found.map_or(&[], |found| &self.of_imports[found].1)
    }
}

impl Surface {
    /// The names that one of the two offers and the other does not.
    pub fn difference(&self, other: &Surface) -> Vec<Box<str>> {
        let lacks = |side: &Surface, name: &str| {
            side.names.binary_search_by(|known| (**known).cmp(name)).is_err()
        };
        let here = self.names.iter().filter(|name| lacks(other, name));
        let there = other.names.iter().filter(|name| lacks(self, name));
        here.chain(there).map(|name| last_part(name).into()).collect()
    }
}

/// What a name is called where what is around it needs no mention.
fn last_part(name: &str) -> &str {
    name.rsplit([':', '.', '\\']).next().unwrap_or(name)
}

/// The surfaces of all files.
#[derive(Debug, Default)]
pub struct Siblings {
    /// By language and package, as `Sight::group` spells it.
    groups: FxHashMap<Box<str>, u32>,
    /// Which files declare a name, for each group.
    names: Vec<FxHashMap<Box<str>, Vec<FileId>>>,
    /// How each file looks for names, and its group.
    files: Vec<Option<(Sight, u32)>>,
    /// Files that no import of their package brings in.
    tests: Vec<bool>,
}

/// A name that more files than this declare could mean any of them.
const MAX_DECLARERS: usize = 3;

impl Siblings {
    /// `surfaces` in any order, at most one for each file. Files without one are nobody's siblings.
    pub fn new<'a>(
        tree: &Tree,
        surfaces: impl IntoIterator<Item = (FileId, &'a Surface)>,
    ) -> Siblings {
        let mut siblings = Siblings {
            files: vec![None; tree.files.len()],
            tests: tree.files.iter().map(|file| file.path.ends_with("_test.go")).collect(),
            ..Siblings::default()
        };
        for (id, surface) in surfaces {
            let file = tree.get(id);
            let Some(sight) = file.language.and_then(Sight::of) else { continue };
            let group = siblings.group(sight.group(&file.path, surface.package.as_deref()));
            siblings.files[id.0 as usize] = Some((sight, group));
            for name in &surface.names {
                siblings.names[group as usize].entry(name.clone()).or_default().push(id);
            }
        }
        for group in &mut siblings.names {
            #[expect(clippy::iter_over_hash_type, reason = "each list is sorted by itself")]
            for files in group.values_mut() {
                files.sort_unstable();
            }
        }
        siblings
    }

    fn group(&mut self, name: String) -> u32 {
        let next = u32::try_from(self.names.len()).expect("fewer groups than files");
        let group = *self.groups.entry(name.into()).or_insert(next);
        if group == next {
            self.names.push(FxHashMap::default());
        }
        group
    }

    /// The files that `from` sees and uses without an import, sorted, with how often it does.
    pub fn edges(&self, from: FileId, wants: &Wants) -> Vec<(FileId, u32)> {
        let Some((sight, group)) = self.files.get(from.0 as usize).copied().flatten() else {
            return Vec::new();
        };
        let mut counts = Vec::new();
        for want in &wants.names {
            let found = self.declarers(sight, group, wants.package.as_deref(), want);
            let others = || found.iter().filter(|&&file| file != from);
            if (1..=MAX_DECLARERS).contains(&others().count()) {
                counts.extend(others().map(|&file| (file, want.count)));
            }
        }
        add_up(counts)
    }

    /// Who declares what is wanted, looked for from the inside out as the language does it.
    fn declarers(&self, sight: Sight, own: u32, package: Option<&str>, want: &Want) -> &[FileId] {
        let in_group = |group: u32, name: &str| {
            self.names[group as usize].get(name).map_or(&[][..], |files| &files[..])
        };
        sight
            .places(package.unwrap_or_default(), want)
            .map(|(group, name)| match group {
                None => in_group(own, &name),
                Some(group) => {
                    self.groups.get(&*group).map_or(&[][..], |&group| in_group(group, &name))
                }
            })
            .find(|files| !files.is_empty())
            .unwrap_or_default()
    }

    /// Of the files of a package that is imported as a whole, those that declare what is used of it, sorted, with how
    /// often it is. Where that finds none: all but its tests, each with a zero.
    pub fn narrow(&self, inside: &[FileId], used: &[Want]) -> Vec<(FileId, u32)> {
        let mut groups: Vec<u32> = inside
            .iter()
            .filter_map(|file| self.files.get(file.0 as usize).copied().flatten())
            .map(|(_, group)| group)
            .collect();
        groups.sort_unstable();
        groups.dedup();
        let mut counts = Vec::new();
        for want in used {
            for &group in &groups {
                let files =
                    self.names[group as usize].get(&want.name).map_or(&[][..], |files| &files[..]);
                if files.len() <= MAX_DECLARERS {
                    let imported = files.iter().filter(|file| inside.contains(file));
                    counts.extend(imported.map(|&file| (file, want.count)));
                }
            }
        }
        if counts.is_empty() {
            counts
                .extend(inside.iter().filter(|file| !self.is_test(**file)).map(|&file| (file, 0)));
        }
        add_up(counts)
    }

    fn is_test(&self, file: FileId) -> bool {
        self.tests.get(file.0 as usize).copied().unwrap_or(false)
    }
}

fn add_up(mut counts: Vec<(FileId, u32)>) -> Vec<(FileId, u32)> {
    counts.sort_unstable();
    counts.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 = kept.1.saturating_add(next.1);
        }
        same
    });
    counts
}

#[cfg(test)]
mod tests;
