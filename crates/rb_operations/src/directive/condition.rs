//! Clauses that say how an operation is to be done: which name a package keeps, which files follow, what must not change.

use super::Unclear;
use super::clause::Clause;
use super::definitions::{Index, folder_of, has_word, is_test};
use super::dialect::is_source_name;
use super::phrase::{Link, Name};
use super::reading::{Draft, Reading};
use super::scope::{self, Spot, is_below};
use super::vocabulary::{self, Noun};
use super::{relocate, rename};
use crate::operation::SymbolPath;

/// "keep the package init to be `old`".
#[derive(Debug, Clone, Default)]
pub(super) struct Keep {
    /// The packages and files that keep it; all that give it on if it is empty.
    names: Vec<Name>,
}

impl Keep {
    /// The `__init__.py` files around a symbol that give it on to others.
    pub(super) fn modules(
        &self,
        index: &Index<'_>,
        symbol: &SymbolPath,
    ) -> Result<Vec<String>, Unclear> {
        let spots: Vec<Spot> = self.names.iter().map(|name| scope::spot(index, name)).collect();
        let spots: Vec<&Spot> = spots
            .iter()
            .filter(|spot| !spot.files.is_empty() || !spot.folders.is_empty())
            .collect();
        let gives_on = |path: &&String| {
            let is_around = path.ends_with("__init__.py")
                && **path != symbol.path
                && is_below(&symbol.path, folder_of(path));
            let is_meant = spots.is_empty()
                || spots.iter().any(|spot| {
                    spot.files.contains(path)
                        || spot.folders.iter().any(|folder| folder == folder_of(path))
                });
            is_around
                && is_meant
                && index.files.text(path).is_some_and(|text| has_word(&text, &symbol.name))
        };
        let modules: Vec<String> = index.paths().iter().filter(gives_on).cloned().collect();
        if modules.is_empty() {
            let why =
                format!("no package around {} gives `{}` on to others", symbol.path, symbol.name);
            return Err(Unclear::new(&symbol.name, why));
        }
        Ok(modules)
    }
}

/// Files that an operation must not change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Untouched {
    Tests,
    Documents,
    Spot(Spot),
}

impl Untouched {
    pub(super) fn holds(&self, path: &str) -> bool {
        match self {
            Untouched::Tests => is_test(path),
            Untouched::Documents => {
                [".rst", ".md", ".txt"].iter().any(|ending| path.ends_with(ending))
            }
            Untouched::Spot(spot) => {
                spot.files.iter().any(|file| file == path)
                    || spot.folders.iter().any(|folder| is_below(path, folder))
            }
        }
    }
}

pub(super) fn read(reading: &mut Reading<'_>, at: usize) -> usize {
    if reading.drafts.is_empty() {
        return 0;
    }
    let group = reading.group(at);
    let readers: &[fn(&mut Reading<'_>, &[Clause]) -> bool] = &[
        keeps_name,
        keeps_alias,
        renames_test_files,
        renames_tests,
        notes_in_changelogs,
        combines_tests,
        makes_no_tests,
        leaves_untouched,
    ];
    if readers.iter().any(|reader| reader(reading, group)) { group.len() } else { 0 }
}

fn last_rename<'r>(reading: &'r mut Reading<'_>) -> Option<&'r mut rename::Draft> {
    reading.drafts.iter_mut().rev().find_map(|draft| match draft {
        Draft::Rename(draft) => Some(draft),
        Draft::Relocate(_) | Draft::Parameter(_) | Draft::Class(_) | Draft::Import(_) => None,
    })
}

fn last_relocation<'r>(reading: &'r mut Reading<'_>) -> Option<&'r mut relocate::Draft> {
    reading.drafts.iter_mut().rev().find_map(|draft| match draft {
        Draft::Relocate(draft) => Some(draft),
        Draft::Rename(_) | Draft::Parameter(_) | Draft::Class(_) | Draft::Import(_) => None,
    })
}

/// Words for what others see of a package.
const PACKAGE: &[&str] = &[
    "init",
    "package",
    "public",
    "usage",
    "api",
    "export",
    "exported",
    "exports",
    "external",
    "externally",
    "overall",
    "top-level",
    "importable",
    "outside",
    "package-level",
];

/// "but keep the overall usage as `old`", "is still accessible via the name `old`".
fn keeps_name(reading: &mut Reading<'_>, group: &[Clause]) -> bool {
    let index = reading.index;
    let Some(draft) = last_rename(reading) else { return false };
    let Some(old) = draft.object.as_ref().map(|name| name.text.clone()) else { return false };
    let keeps = group.iter().any(|clause| clause.is(vocabulary::KEEP) || clause.has(&["still"]));
    let names_old = group.iter().any(|clause| {
        clause.names().any(|name| name.text == old)
            || clause.texts().any(|text| has_word(text, &old))
            || clause.has(&["old", "original", "previous", "current"])
                && clause.has(&["name", "names"])
    });
    let is_package = |name: &Name| {
        name.text.contains("__init__")
            || !name.is_called && !index.folders_named(&name.text).is_empty()
    };
    let packages: Vec<Name> = group
        .iter()
        .flat_map(Clause::names)
        .filter(|name| name.text != old && is_package(name))
        .cloned()
        .collect();
    let is_of_package = !packages.is_empty() || group.iter().any(|clause| clause.has(PACKAGE));
    if !(keeps && names_old && is_of_package) || group.iter().any(Clause::is_negated) {
        return false;
    }
    draft.keep = Some(Keep { names: packages });
    true
}

/// "but keep the old name as an alias", "and leave `old` available for backwards compatibility".
fn keeps_alias(reading: &mut Reading<'_>, group: &[Clause]) -> bool {
    let Some(draft) = last_rename(reading) else { return false };
    let Some(old) = draft.object.as_ref().map(|name| name.text.clone()) else { return false };
    let to = draft.to.as_ref().map_or("", |name| name.text.as_str());
    let has = |words: &[&str]| group.iter().any(|clause| clause.has(words));
    let keeps = group[0].is(vocabulary::KEEP)
        || group[0].is(&["add", "provide", "create", "define", "introduce"]) && has(&["alias"]);
    let names_old = group.iter().flat_map(Clause::names).any(|name| name.text == old)
        || has(&["old", "original", "previous"]) && has(&["name", "names"]);
    let is_meant = has(&["alias"])
        || has(&["backward", "backwards", "backward-compatible", "backwards-compatible"])
        || names_old && has(&["available", "working", "usable", "valid", "importable", "callable"]);
    let is_more = has(&["deprecated", "deprecate", "deprecation", "warning", "warnings"]);
    let mut names = group.iter().flat_map(Clause::names);
    let is_of_others = names.any(|name| name.text != old && name.text != to);
    if !keeps || !is_meant || is_more || is_of_others || group.iter().any(Clause::is_negated) {
        return false;
    }
    draft.alias = true;
    true
}

/// "update the test names accordingly", "update all references and functions accordingly".
fn renames_tests(reading: &mut Reading<'_>, group: &[Clause]) -> bool {
    let clause = &group[0];
    let Some(draft) = last_rename(reading) else { return false };
    let follows = clause.verb == "rename" || clause.is(vocabulary::FOLLOW);
    let is_of_names = clause.has(&["accordingly", "name", "names", "named"]);
    let is_of_tests = clause.has(vocabulary::TESTS)
        || clause.has(&["functions", "methods", "classes"]) && clause.has(vocabulary::REFERENCES);
    if clause.is_negated() || !(follows && is_of_names && is_of_tests) || clause.names().count() > 0
    {
        return false;
    }
    draft.rename_tests = true;
    true
}

/// "update the filenames for the testing", "rename the test file as well".
fn renames_test_files(reading: &mut Reading<'_>, group: &[Clause]) -> bool {
    let clause = &group[0];
    let Some(draft) = last_rename(reading) else { return false };
    let Some(old) = draft.object.as_ref().map(|name| super::dialect::stem(&name.text).to_owned())
    else {
        return false;
    };
    let is_about_files =
        clause.has(&["file", "files", "filename", "filenames", "module", "modules"]);
    let names_test = |name: &Name| name.text.contains("test") && name.text.contains(&old);
    let is_about_tests = clause.has(vocabulary::TESTS) || clause.names().any(names_test);
    let names_filenames = clause.has(&["filename", "filenames"])
        || clause.has(&["names"]) && clause.has(&["file", "files"]);
    let renames = clause.verb == "rename" || names_filenames && clause.is(vocabulary::FOLLOW);
    let others = clause.names().filter(|name| is_source_name(&name.text)).any(|name| {
        let new = draft.to.as_ref().map_or("", |to| super::dialect::stem(&to.text));
        !name.text.contains(&old) && !name.text.contains(new)
    });
    // A file with its new name is a request of its own, unless it is named after a symbol.
    let is_of_file = draft.object.as_ref().is_some_and(|name| is_source_name(&name.text));
    let is_pair = is_of_file && clause.linked(Link::To).any(|phrase| !phrase.names.is_empty());
    if clause.is_negated() || !(is_about_files && is_about_tests && renames) || others || is_pair {
        return false;
    }
    draft.rename_files = true;
    true
}

/// "update the release notes to say "now called b"".
fn notes_in_changelogs(reading: &mut Reading<'_>, group: &[Clause]) -> bool {
    let words = [
        "doc",
        "docs",
        "documentation",
        "release",
        "releases",
        "changelog",
        "changelogs",
        "notes",
        "history",
        "news",
        "documents",
    ];
    let is_about = group.iter().any(|clause| clause.has(&words));
    let text = group.iter().flat_map(Clause::texts).next().map(str::to_owned);
    let (Some(draft), Some(text), true) = (last_rename(reading), text, is_about) else {
        return false;
    };
    draft.note = Some(text);
    true
}

/// "combine the tests too".
fn combines_tests(reading: &mut Reading<'_>, group: &[Clause]) -> bool {
    let clause = &group[0];
    let combines =
        clause.is(vocabulary::MERGE) || clause.is(vocabulary::MOVE) || clause.verb == "do";
    let is_plain = clause.names().next().is_none() && clause.has(&["tests", "test"]);
    let Some(draft) = last_relocation(reading) else { return false };
    if clause.is_negated() || !combines || !is_plain || !draft.is_of_modules() {
        return false;
    }
    draft.merge_tests = true;
    true
}

/// "don't create a new testing file": none ever is.
fn makes_no_tests(_: &mut Reading<'_>, group: &[Clause]) -> bool {
    let clause = &group[0];
    clause.is_negated() && clause.is(vocabulary::ADD) && clause.has(vocabulary::TESTS)
}

/// "don't touch the tests", "leave a.py as it is".
fn leaves_untouched(reading: &mut Reading<'_>, group: &[Clause]) -> bool {
    let [clause] = group else { return false };
    let changes = clause
        .is(&["change", "modify", "touch", "alter", "update", "edit", "apply", "affect", "adjust"]);
    let leaves = clause.is(vocabulary::KEEP)
        && (clause.has(&["untouched", "unchanged", "alone", "intact", "unmodified"])
            || clause.linked(Link::As).any(|phrase| phrase.has(&["is", "are"])));
    if !(changes && clause.is_negated() || leaves && !clause.is_negated())
        || clause.has(&["only", "except", "unless"])
    {
        return false;
    }
    let mut untouched = Vec::new();
    for phrase in clause.all_phrases() {
        for name in &phrase.names {
            let spot = scope::spot(reading.index, name);
            if spot.files.is_empty() && spot.folders.is_empty() {
                return false;
            }
            untouched.push(Untouched::Spot(spot));
        }
    }
    let is_named = !untouched.is_empty();
    let is_all = clause
        .phrases
        .iter()
        .all(|phrase| phrase.names.is_empty() || phrase.has_noun(Noun::File) || is_named);
    if !is_named && clause.has(vocabulary::TESTS) {
        untouched.push(Untouched::Tests);
    } else if !is_named && clause.has(&["docs", "documentation", "documents"]) {
        untouched.push(Untouched::Documents);
    }
    let is_known = !untouched.is_empty() && is_all;
    reading.untouched.extend(untouched);
    is_known
}
