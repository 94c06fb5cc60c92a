//! The symbols that a directive names, found in the index: where each is declared, and every file and line that uses it.
//!
//! Files are found by their facts: declarations, imports, calls. A name that no word of a sentence looks like is also looked for
//! in the texts, since facts do not hold every mention. A guess is as good as any here: what is found is shown to a model, and
//! nothing is changed because of it.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use rb_index::FileId;
use rb_index::role::Role;
use rb_lang::{Facts, Language, Symbol, name_words};
use rb_operations::is_changelog;

use crate::brief::is_symbol;
use crate::documents::is_document;
use crate::edits::interrupted;
use crate::input::PlanError;
use crate::names::{Names, folded, is_code, is_of_name, stem};
use crate::reach::Reach;
use crate::repo_facts::RepoFacts;
use crate::smells::{MAX_BYTES, is_function};

/// Texts are searched where there are no more files than these.
const SEARCHED: usize = 20_000;
/// A plain word in backticks may be anything, such as `None`: it is a name if at most one of so many files has it.
const RARE: usize = 4;

/// A name of a directive that is in the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedSymbol {
    /// As the code has it.
    pub(crate) name: String,
    /// The directive means this symbol; the words of another only happen to be its name.
    pub(crate) is_certain: bool,
    /// In order; none for a name that comes from elsewhere, and for what the index does not list, such as a field. All of them where
    /// there are several.
    pub(crate) declarations: Vec<Declaration>,
    /// The directive names the classes whose declarations are meant, and there are others.
    pub(crate) is_partial: bool,
    /// It is called or imported, and not declared here.
    pub(crate) is_foreign: bool,
    /// By file, the lines that have the name, those of the declarations among them.
    pub(crate) lines: BTreeMap<String, Vec<u32>>,
    /// By document, the lines that mention it. Changelogs tell what was, and are none.
    pub(crate) documents: BTreeMap<String, Vec<u32>>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Declaration {
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) kind: &'static str,
    /// The class, or whatever else it is declared in.
    pub(crate) container: Option<String>,
}

impl NamedSymbol {
    fn new(name: &str, is_certain: bool) -> NamedSymbol {
        let (declarations, lines, documents) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        let (is_partial, is_foreign) = (false, false);
        let name = name.to_owned();
        NamedSymbol { name, is_certain, declarations, is_partial, is_foreign, lines, documents }
    }

    pub(crate) fn is_declared(&self) -> bool {
        !self.declarations.is_empty()
    }

    /// Whether it is of this repository, declared or such as a field.
    pub(crate) fn is_own(&self) -> bool {
        self.is_declared() || (is_code(&self.name) && !self.is_foreign)
    }

    /// Takes out the declarations that are not meant: who names the file as well means the symbol that is declared there, who names
    /// the classes those that they declare.
    fn narrow(&mut self, names: &Names, reach: &Reach) -> Vec<Declaration> {
        let is_there = |it: &Declaration| reach.is_file(&it.path);
        let is_held = |it: &Declaration| {
            it.container.as_deref().is_some_and(|container| names.has_container(container))
        };
        let mut others = Vec::new();
        if self.declarations.iter().any(is_there) {
            others.extend(self.declarations.extract_if(.., |it| !is_there(it)));
        }
        if self.declarations.iter().any(is_held) {
            let before = others.len();
            others.extend(self.declarations.extract_if(.., |it| !is_held(it)));
            self.is_partial = others.len() > before;
        }
        others
    }

    /// Takes out the lines of a declaration that is not meant: all of its file if no other is declared there.
    fn forget(&mut self, other: &Declaration) {
        if !self.is_declared_in(&other.path) {
            self.lines.remove(&other.path);
            return;
        }
        if let Some(lines) = self.lines.get_mut(&other.path) {
            lines.retain(|line| *line != other.line);
        }
    }

    pub(crate) fn is_declared_in(&self, path: &str) -> bool {
        self.declarations.iter().any(|it| it.path == path)
    }

    /// Those that declare it, then those that use it most. Who uses what is not certainly meant is of no interest.
    pub(crate) fn files(&self) -> Vec<&str> {
        let mut files: Vec<(&str, usize)> =
            self.lines.iter().map(|(path, lines)| (path.as_str(), lines.len())).collect();
        files.retain(|it| self.is_certain || self.is_declared_in(it.0));
        files.sort_by_key(|(path, uses)| {
            (!self.is_declared_in(path), std::cmp::Reverse(*uses), *path)
        });
        files.into_iter().map(|it| it.0).collect()
    }
}

/// The symbols that these names mean, by name.
pub(crate) fn resolve(
    repo: &RepoFacts<'_>,
    names: &Names,
    reach: &Reach,
) -> Result<Vec<NamedSymbol>, PlanError> {
    if names.written.is_empty() && names.runs.is_empty() {
        return Ok(Vec::new());
    }
    let sources = sources(repo);
    let mut found = declared(repo, names, &sources)?;
    let mut namesakes: Vec<(String, Declaration)> = Vec::new();
    for symbol in found.values_mut() {
        symbol.declarations.sort();
        let others = symbol.narrow(names, reach);
        namesakes.extend(others.into_iter().map(|it| (symbol.name.clone(), it)));
    }
    for written in names.written.iter().filter(|it| names.has_code(&it.name)) {
        let name = written.name.as_str();
        found.entry(name.to_owned()).or_insert_with(|| NamedSymbol::new(name, true));
    }
    let mut found: Vec<NamedSymbol> = found.into_values().collect();
    if !found.is_empty() {
        look_for_uses(repo, &sources, &mut found)?;
        look_for_mentions(repo, &mut found)?;
    }
    for (name, other) in &namesakes {
        for symbol in found.iter_mut().filter(|it| it.name == *name) {
            symbol.forget(other);
        }
    }
    let is_rare = |it: &NamedSymbol| RARE * it.lines.len() <= sources.len();
    found.retain(|it| {
        !it.lines.is_empty() && (it.is_declared() || is_code(&it.name) || is_rare(it))
    });
    Ok(found)
}

/// Code that somebody here wrote, tests and examples as well.
pub(crate) fn sources(repo: &RepoFacts<'_>) -> Vec<FileId> {
    let is_source = |id: &FileId| {
        let file = repo.view().file(*id);
        file.language.is_some_and(Language::is_read)
            && file.trivial.is_none()
            && file.skipped.is_none()
            && file.size <= MAX_BYTES
            && Role::of(file.path) != Role::Vendored
    };
    repo.view().tree.ids().filter(is_source).collect()
}

/// The words of a run, and whether it is named as a symbol.
type Wanted<'n> = BTreeMap<String, (&'n [String], bool)>;

/// By name, with all declarations.
fn declared(
    repo: &RepoFacts<'_>,
    names: &Names,
    sources: &[FileId],
) -> Result<BTreeMap<String, NamedSymbol>, PlanError> {
    let mut runs: Wanted<'_> = BTreeMap::new();
    for run in &names.runs {
        runs.entry(run.words.concat()).or_insert((run.words.as_slice(), false)).1 |= run.is_named;
    }
    let mut found: BTreeMap<String, NamedSymbol> = BTreeMap::new();
    for &id in sources {
        interrupted(repo.input)?;
        let Some(facts) = repo.view().read_facts(id)? else { continue };
        let path = &*repo.view().tree.get(id).path;
        for symbol in &facts.symbols {
            let outer = symbol.parent.and_then(|at| facts.symbols.get(at as usize));
            let Some(is_certain) = meant(names, &runs, path, symbol, outer) else { continue };
            let known = found.entry(symbol.name.to_string());
            let known = known.or_insert_with(|| NamedSymbol::new(&symbol.name, is_certain));
            known.is_certain |= is_certain;
            let (line, kind) = (symbol.span.first_line, symbol.kind.name());
            let container = outer.map(|it| &*it.name).filter(|it| is_symbol(it));
            let container = container.map(str::to_owned);
            let declaration = Declaration { path: path.to_owned(), line, kind, container };
            known.declarations.push(declaration);
        }
    }
    Ok(found)
}

/// Does the directive mean this symbol, and for certain?
fn meant(
    names: &Names,
    runs: &Wanted<'_>,
    path: &str,
    symbol: &Symbol,
    outer: Option<&Symbol>,
) -> Option<bool> {
    let is_of = |owner: &str| {
        outer.is_some_and(|it| *it.name == *owner)
            || stem(path) == owner
            || !mentions(&symbol.signature, owner).is_empty()
    };
    let mut same = names.written.iter().filter(|it| *it.name == *symbol.name);
    if same.any(|it| it.owner.as_deref().is_none_or(is_of)) {
        return Some(true);
    }
    // What lives in a function alone is called by words that mean many things.
    let (words, is_named) = runs.get(&folded(&symbol.name))?;
    let is_it = outer.is_none_or(|it| !is_function(it)) && name_words(&symbol.name) == *words;
    is_it.then_some(*is_named)
}

/// Fills in the lines of every file that has one of the names.
fn look_for_uses(
    repo: &RepoFacts<'_>,
    sources: &[FileId],
    found: &mut [NamedSymbol],
) -> Result<(), PlanError> {
    let edges: BTreeSet<(FileId, FileId)> = repo.view().edges().into_iter().collect();
    let declaring = |it: &NamedSymbol| -> Vec<FileId> {
        it.declarations.iter().filter_map(|it| repo.view().tree.find(&it.path)).collect()
    };
    let declaring: Vec<Vec<FileId>> = found.iter().map(declaring).collect();
    for &id in sources {
        interrupted(repo.input)?;
        let Some(facts) = repo.view().read_facts(id)? else { continue };
        let path = &*repo.view().tree.get(id).path;
        let text = LazyCell::new(|| repo.input.source(id));
        for (symbol, declaring) in found.iter_mut().zip(&declaring) {
            let name = symbol.name.as_str();
            let is_near = || declaring.iter().any(|it| edges.contains(&(id, *it)));
            symbol.is_foreign |= declaring.is_empty() && is_taken(&facts, name);
            let is_user = if is_code(name) || declaring.is_empty() {
                sources.len() <= SEARCHED || is_used(&facts, name)
            } else {
                // Many things have a name that is a plain word.
                is_used(&facts, name) && is_near()
            };
            if !is_user && !declaring.contains(&id) {
                continue;
            }
            let lines = text.as_deref().map(|it| mentions(it, name)).unwrap_or_default();
            if !lines.is_empty() {
                symbol.lines.insert(path.to_owned(), lines);
            }
        }
    }
    Ok(())
}

/// Fills in the lines of documents that mention a symbol by a name that no word of a sentence looks like.
fn look_for_mentions(repo: &RepoFacts<'_>, found: &mut [NamedSymbol]) -> Result<(), PlanError> {
    let mut meant: Vec<&mut NamedSymbol> = found
        .iter_mut()
        .filter(|it| it.is_certain && it.is_declared() && is_code(&it.name))
        .collect();
    if meant.is_empty() {
        return Ok(());
    }
    for id in repo.view().tree.ids() {
        let file = repo.view().file(id);
        let is_document = file.language.is_some_and(is_document)
            && file.trivial.is_none()
            && Role::of(file.path) != Role::Vendored
            && !is_changelog(file.path);
        if !is_document {
            continue;
        }
        interrupted(repo.input)?;
        let Some(text) = repo.input.source(id) else { continue };
        for symbol in &mut meant {
            let lines = mentions(&text, &symbol.name);
            if !lines.is_empty() {
                symbol.documents.insert(file.path.to_owned(), lines);
            }
        }
    }
    Ok(())
}

/// Whether the facts of a file have a use of the name: called, imported, given on, or before a dot.
fn is_used(facts: &Facts, name: &str) -> bool {
    let is_part = |path: &str| path.split(|c: char| !is_of_name(c)).any(|it| it == name);
    let mut exported = facts.exports.iter();
    is_taken(facts, name)
        || facts.references.iter().any(|it| is_part(&it.qualifier))
        || facts.imports.iter().any(|it| is_part(&it.specifier))
        || exported.any(|it| *it.name == *name || *it.local == *name)
}

/// Whether the facts of a file have the name itself as called or imported.
fn is_taken(facts: &Facts, name: &str) -> bool {
    let mut imported = facts.imports.iter().flat_map(|it| &it.names);
    facts.references.iter().any(|it| *it.name == *name)
        || imported.any(|it| *it.name == *name || *it.local == *name)
}

/// The lines of a text that have a name as a whole word.
fn mentions(text: &str, name: &str) -> Vec<u32> {
    let is_whole = |line: &str, at: usize| {
        !line[..at].ends_with(is_of_name) && !line[at + name.len()..].starts_with(is_of_name)
    };
    let has = |line: &str| line.match_indices(name).any(|(at, _)| is_whole(line, at));
    text.lines().zip(1..).filter(|(line, _)| has(line)).map(|it| it.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf3_a_name_is_found_as_a_whole_word() {
        let text = "get\nforget\nget_all\na.get(1)\n$get\n`get`, get";
        assert_eq!(mentions(text, "get"), [1, 4, 6]);
    }

    #[test]
    fn rf3_uses_are_told_by_facts() {
        #[track_caller]
        fn check(text: &str, expected: bool) {
            let facts = rb_lang::extract(Language::Python, text).expect("it is read");
            assert_eq!(is_used(&facts, "pick"), expected, "{text}");
        }
        check("from .a import pick\n", true);
        check("from .a import choose as pick\n", true);
        check("import a\na.pick()\n", true);
        check("from a import pick\npick.now()\n", true);
        check("picked()\n", false);
    }
}
