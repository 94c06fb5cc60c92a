//! Default exports by the names that others give them: `isStream` of `const isStream = require('./is-stream')`.
//!
//! Such an export needs no name of its own, so that its file does not declare what everybody calls it.

use rb_index::calls::FactsSource as _;
use rb_index::resolve::Resolution;
use rb_index::{FileId, View, test_links};
use rb_lang::{Facts, Import, ImportKind, Language, SymbolKind};

use super::symbols::{Declaration, Declarations, Name};
use super::words;
use crate::toolbox::{Repository, ToolError};

/// Files that give on a default export, one behind the other, so many at most.
const MOST_STEPS: usize = 4;
/// Importing files that are named.
const NAMED: usize = 3;

/// What some of `files` import under a name as the default export of another file; of `exporter` alone, if it is given.
pub(crate) fn imported_as(
    on: Repository<'_>,
    view: &View<'_>,
    name: &Name,
    files: impl Iterator<Item = FileId>,
    exporter: Option<FileId>,
) -> Result<Option<Declarations>, ToolError> {
    let [local] = name.parts.as_slice() else { return Ok(None) };
    let (mut importers, mut list) = (Vec::new(), Vec::new());
    for file in files.filter(|&file| view.tree.get(file).language.is_some_and(has_modules)) {
        if on.cancel.is_cancelled() {
            return Err(ToolError::Interrupted);
        }
        let Some(facts) = view.read_facts(file)? else { continue };
        let Some(source) = source_of(view, file, &facts, |import| takes(import, local)) else {
            continue;
        };
        let Some(found) = exported_by(view, source)? else { continue };
        if exporter.is_none_or(|only| only == source || only == found.file) {
            importers.push(&*view.tree.get(file).path);
            add(&mut list, found);
        }
    }
    if list.is_empty() {
        return Ok(None);
    }
    list.sort_by_key(|found| test_links::is_test_path(&view.tree.get(found.file).path));
    let (local, importers) =
        (words::one_line(local, 100), words::listed(importers.into_iter(), NAMED));
    let note = format!("A default export is imported as `{local}` by {importers}.");
    Ok(Some(Declarations { list, note: Some(note) }))
}

/// The default export of a file, whatever its name.
pub(crate) fn of_file(view: &View<'_>, file: FileId) -> Result<Option<Declarations>, ToolError> {
    let Some(found) = exported_by(view, file)? else { return Ok(None) };
    let path = words::path(&view.tree.get(file).path);
    let note = format!("`{path}` is a file. What follows is about its default export.");
    Ok(Some(Declarations { list: vec![found], note: Some(note) }))
}

fn add(list: &mut Vec<Declaration>, found: Declaration) {
    let is_known = |known: &Declaration| known.file == found.file && known.index == found.index;
    if !list.iter().any(is_known) {
        list.push(found);
    }
}

fn has_modules(language: Language) -> bool {
    matches!(language, Language::JavaScript | Language::TypeScript | Language::Tsx)
}

/// Does an import bring in a default export under this name?
fn takes(import: &Import, local: &str) -> bool {
    // What `require` gives as a whole is what `module.exports = …` set.
    let is_whole = |name: &str| name == "*" && import.kind == ImportKind::Require;
    import
        .names
        .iter()
        .any(|name| &*name.local == local && (&*name.name == "default" || is_whole(&name.name)))
}

/// The file that the first import of that kind leads to.
fn source_of(
    view: &View<'_>,
    file: FileId,
    facts: &Facts,
    is_wanted: impl Fn(&Import) -> bool,
) -> Option<FileId> {
    let mut imports = facts.imports.iter().zip(view.resolutions(file));
    match imports.find(|(import, _)| is_wanted(import))?.1 {
        Resolution::Inside(files) => files.first().copied(),
        Resolution::External(_) | Resolution::Builtin | Resolution::Unresolved => None,
    }
}

/// What a file exports as its default, in this file or in one that it has it from.
fn exported_by(view: &View<'_>, file: FileId) -> Result<Option<Declaration>, ToolError> {
    let mut file = file;
    for _ in 0..MOST_STEPS {
        let Some(facts) = view.read_facts(file)? else { return Ok(None) };
        let export = facts.exports.iter().find(|export| &*export.name == "default");
        let Some(local) = export.map(|export| &*export.local) else { return Ok(None) };
        if let Some(found) = declared(file, &facts, local) {
            return Ok(Some(found));
        }
        // `module.exports = require('./a')` names nothing.
        let gives_on = |import: &Import| match local {
            "" => import.kind == ImportKind::Require && import.names.is_empty(),
            local => takes(import, local),
        };
        if local.is_empty() && !facts.marks.only_reexports {
            return Ok(None);
        }
        match source_of(view, file, &facts, gives_on) {
            Some(source) => file = source,
            None => return Ok(None),
        }
    }
    Ok(None)
}

/// The symbol of that name at the top of a file.
fn declared(file: FileId, facts: &Facts, name: &str) -> Option<Declaration> {
    let (index, symbol) = (0..).zip(&facts.symbols).find(|(_, symbol)| {
        symbol.parent.is_none() && symbol.kind != SymbolKind::Method && &*symbol.name == name
    })?;
    Some(Declaration { file, index, symbol: symbol.clone(), qualified: name.to_owned() })
}
