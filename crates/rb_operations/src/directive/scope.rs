//! The places that a directive gives: "in splitter.py in lib/parsing", "of the class Manager".

use super::definitions::{DefinitionKind, Index, folder_of, normalized};
use super::dialect::is_source_name;
use super::phrase::{Link, Name, Phrase};
use super::vocabulary::Noun;

/// One place of a scope: all that its name can mean.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Spot {
    /// As it was written.
    pub(super) name: String,
    pub(super) files: Vec<String>,
    pub(super) folders: Vec<String>,
    pub(super) class: Option<String>,
}

/// What a definition or file must be in; all of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Scope {
    pub(super) spots: Vec<Spot>,
    /// "in the same directory"
    pub(super) is_same_folder: bool,
    /// Names that the project does not have.
    pub(super) unknown: Vec<String>,
}

impl Scope {
    /// The locations among these phrases.
    pub(super) fn of<'p>(
        index: &Index<'_>,
        phrases: impl IntoIterator<Item = &'p Phrase>,
    ) -> Scope {
        let mut scope = Scope::default();
        for phrase in phrases {
            scope.is_same_folder |= phrase.has(&["same"]) && phrase.has_noun(Noun::Folder);
            let from = scope.spots.len();
            for name in &phrase.names {
                scope.add(index, name, phrase);
            }
            scope.join(from);
        }
        scope
    }

    fn add(&mut self, index: &Index<'_>, name: &Name, phrase: &Phrase) {
        if name.noun == Some(Noun::Project) {
            return;
        }
        let spot = spot(index, name);
        let is_whole = phrase.has_noun(Noun::Project) || phrase.has(&["source"]);
        if let [file] = spot.files.as_slice()
            && name.is_plain
            && index.files_named(&name.text).is_empty()
        {
            index.note(format!("there is no file `{}`; {file} is taken for it", name.text));
        }
        if !spot.is_empty() {
            if !self.spots.contains(&spot) {
                self.spots.push(spot);
            }
        } else if !is_whole && !phrase.has_noun(Noun::Parameter) {
            self.unknown.push(name.text.clone());
        }
    }

    /// "in a and b": in one of them.
    fn join(&mut self, from: usize) {
        let mut names = self.spots.drain(from..).collect::<Vec<Spot>>().into_iter();
        if let Some(mut first) = names.next() {
            for other in names {
                first.name = format!("{}` or `{}", first.name, other.name);
                first.files.extend(other.files);
                first.folders.extend(other.folders);
                first.class = first.class.or(other.class);
            }
            self.spots.push(first);
        }
    }

    /// Is this one of the folders that are named, not one below it?
    pub(super) fn is_own_folder(&self, folder: &str) -> bool {
        self.spots.iter().any(|spot| spot.folders.iter().any(|own| own == folder))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.spots.is_empty()
    }

    pub(super) fn merge(&mut self, other: &Scope) {
        self.spots.extend(other.spots.iter().cloned());
        self.is_same_folder |= other.is_same_folder;
        self.unknown.extend(other.unknown.iter().cloned());
    }

    pub(super) fn admits(&self, path: &str) -> bool {
        self.spots.iter().all(|spot| spot.admits(path))
    }

    /// Also for what a file defines: `Class.method` is in its class.
    pub(super) fn admits_definition(&self, path: &str, name: &str) -> bool {
        self.spots.iter().all(|spot| {
            let in_class = |class: &String| {
                name.rsplit_once('.')
                    .is_some_and(|(outer, _)| outer.split('.').any(|part| part == class))
            };
            spot.class.as_ref().is_some_and(in_class) || spot.admits(path)
        })
    }

    /// "`a.py` in `lib`", for a message.
    pub(super) fn describe(&self) -> String {
        let names: Vec<String> = self.spots.iter().map(|spot| format!("`{}`", spot.name)).collect();
        names.join(" in ")
    }

    /// The folder of this scope that is nearest to a path, or the only one.
    pub(super) fn folder(&self, anchor: &str) -> Option<String> {
        let mut found: Option<Vec<String>> = None;
        for spot in self.spots.iter().filter(|spot| !spot.folders.is_empty()) {
            let inner = |folder: &String| {
                found.as_ref().is_none_or(|outer: &Vec<String>| {
                    outer.iter().any(|outer| {
                        folder == outer || is_below(folder, outer) || is_below(outer, folder)
                    })
                })
            };
            let inside: Vec<String> =
                spot.folders.iter().filter(|folder| inner(folder)).cloned().collect();
            let deeper = found.as_ref().is_none_or(|found| longest(&inside) > longest(found));
            if !inside.is_empty() && deeper {
                found = Some(inside);
            }
        }
        nearest_folder(&found?, anchor)
    }
}

fn longest(folders: &[String]) -> usize {
    folders.iter().map(String::len).max().unwrap_or(0)
}

/// Of several folders, the one around a path; the only one otherwise, those of tests apart.
pub(super) fn nearest_folder(folders: &[String], anchor: &str) -> Option<String> {
    let around =
        folders.iter().filter(|folder| is_below(anchor, folder)).max_by_key(|folder| folder.len());
    if let Some(folder) = around {
        return Some(folder.clone());
    }
    let sources: Vec<&String> = folders
        .iter()
        .filter(|folder| !super::definitions::is_test(&format!("{folder}/x.py")))
        .collect();
    match (sources.as_slice(), folders) {
        ([only], _) => Some((*only).clone()),
        ([], [only]) => Some(only.clone()),
        _ => None,
    }
}

pub(super) fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

impl Spot {
    fn is_empty(&self) -> bool {
        self.files.is_empty() && self.folders.is_empty() && self.class.is_none()
    }

    fn admits(&self, path: &str) -> bool {
        self.files.iter().any(|file| file == path)
            || self.folders.iter().any(|folder| is_below(path, folder))
    }
}

/// All that the name of a place can mean.
pub(super) fn spot(index: &Index<'_>, name: &Name) -> Spot {
    let mut spot = Spot { name: name.text.clone(), ..Spot::default() };
    let is_class = index
        .definitions(&name.text)
        .iter()
        .any(|definition| definition.kind == DefinitionKind::Class);
    let may_be_class = name.noun == Some(Noun::Class)
        || name.noun.is_none() && name.text.starts_with(|c: char| c.is_uppercase());
    if is_class && may_be_class {
        spot.class = Some(name.text.clone());
        if name.noun == Some(Noun::Class) {
            return spot;
        }
    }
    if is_source_name(&normalized(&name.text)) {
        spot.files = qualified(index, index.files_named(&name.text), &name.qualifiers);
        return spot;
    }
    let folders = qualified(index, index.folders_named(&name.text), &name.qualifiers);
    let files = qualified(index, index.files_named(&name.text), &name.qualifiers);
    match name.noun {
        Some(Noun::Folder) if !folders.is_empty() => spot.folders = folders,
        Some(Noun::File) if !files.is_empty() => spot.files = files,
        _ => (spot.files, spot.folders) = (files, folders),
    }
    if spot.is_empty() && name.is_plain {
        let singular = name.text.strip_suffix('s').unwrap_or(&name.text);
        spot.files = index.files_named(singular);
    }
    spot
}

/// Of some paths, those below the folders that were named before: `utils` in "utils serialization.py".
pub(super) fn qualified(
    index: &Index<'_>,
    paths: Vec<String>,
    qualifiers: &[String],
) -> Vec<String> {
    let mut paths = paths;
    for qualifier in qualifiers {
        let folders = index.folders_named(qualifier);
        let inside: Vec<String> = paths
            .iter()
            .filter(|path| {
                folders.iter().any(|folder| is_below(path, folder) || folder_of(path) == folder)
            })
            .cloned()
            .collect();
        if !inside.is_empty() {
            paths = inside;
        }
    }
    paths
}

/// The phrases that say where the one at an index is: those directly behind it.
pub(super) fn behind(phrases: &[Phrase], at: usize) -> impl Iterator<Item = &Phrase> {
    phrases[at + 1..].iter().take_while(|phrase| matches!(phrase.link, Link::In | Link::Of))
}
