//! `references`: every line that holds a name, in the files that declare, import or use it.
//!
//! Which files these are is told by the index; the lines are found in their texts, so that uses as a value are found as well.

use std::collections::BTreeSet;

use rb_core::plural;
use rb_index::{FileId, View};
use rb_lang::{Facts, ReferenceKind};
use serde_json::json;

use super::arguments::{Arguments, schema};
use super::page::{Block, Page};
use super::symbols::{self, Declaration, Name};
use super::{Tool, default_exports, scope, source, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

/// The most lines shown of one file, and the most files.
const LINES: usize = 8;
const FILES: usize = 60;
/// Files that import a declaring file and do not name what they take of it: so many are searched.
const IMPORTERS: usize = 100;
const DECLARATIONS: usize = 6;

fn spec() -> ToolSpec {
    let properties = json!({
        "name": {
            "type": "string",
            "description": "The name, such as \"parse\" or \"Store.get\". Of a qualified name, the last part is looked for."
        },
        "path": {
            "type": "string",
            "description": "List the uses in this file alone."
        }
    });
    ToolSpec {
        name: "references",
        title: "References to a name",
        description: "Lists the lines of code that hold a name: declarations, imports, calls and other uses, the most important \
                      files first. It goes by the name, so other things of the same name are listed, too.",
        input: schema(&properties, &["name"]),
    }
}

/// A file that holds the name, and in what ways by its facts.
struct Candidate {
    file: FileId,
    ways: BTreeSet<&'static str>,
}

/// Where to look for a name.
struct Candidates {
    /// The most important first.
    files: Vec<Candidate>,
    /// Those of them that declare the name.
    declaring: BTreeSet<FileId>,
    /// Files that import one of these and were not searched.
    unsearched: usize,
}

fn run(
    on: Repository<'_>,
    cache: &mut ReadCache,
    arguments: &Arguments,
) -> Result<Output, ToolError> {
    let view = on.indexed.view()?;
    let (name, path) = (arguments.required("name"), arguments.text("path"));
    let name = Name::parse(on, &view, name, path)?;
    let candidates = candidates(on, cache, &view, &name)?;
    let mut page = Page::new();
    declared(&mut page, on, &view, &name, &candidates)?;
    let Candidates { files, unsearched, .. } = candidates;
    let before = page.lines_shown();
    let mut without = 0;
    let left = page.each(&files, FILES, |candidate| {
        let block = entry(on, cache, &view, candidate, name.last());
        without += usize::from(block.is_none());
        Ok(block.unwrap_or_default())
    })?;
    if left > 0 {
        let rest = files[files.len() - left..].iter();
        let paths = words::listed(rest.map(|candidate| &*view.tree.get(candidate.file).path), 10);
        page.line(&format!("({} left out: {paths})", plural(left, "more file")));
    }
    if unsearched > 0 {
        let more = plural(unsearched, "more file");
        page.line(&format!("(Not searched: {more} importing a file that declares it.)"));
    }
    let shown = words::one_line(name.last(), 100);
    if page.lines_shown() > before {
        page.line(&format!(
            "(Lines that hold `{shown}` as a word, comments and strings among them.)"
        ));
    } else if without == files.len() {
        page.line(&nothing(&view, &name, &shown));
    }
    Ok(page.finish())
}

/// That no file that was looked through holds the name.
fn nothing(view: &View<'_>, name: &Name, shown: &str) -> String {
    match name.file() {
        Some(file) => {
            let path = words::path(view.file(file).path);
            format!(
                "`{path}` does not hold the name `{shown}`. Leave out `path` to look in all files."
            )
        }
        None => format!(
            "No file of code uses the name `{shown}`. Try `search`, which also finds words in documentation."
        ),
    }
}

fn candidates(
    on: Repository<'_>,
    cache: &mut ReadCache,
    view: &View<'_>,
    name: &Name,
) -> Result<Candidates, ToolError> {
    let mut sure: Vec<Candidate> = Vec::new();
    let mut declaring = BTreeSet::new();
    let mut unsearched = 0;
    for &file in view.by_importance() {
        if on.cancel.is_cancelled() {
            return Err(ToolError::Interrupted);
        }
        if name.file().is_some_and(|only| only != file) {
            continue;
        }
        let Some(facts) = view.read_facts(file)? else { continue };
        let ways = ways(&facts, name.last());
        if ways.contains(DECLARES) {
            declaring.insert(file);
        }
        if !ways.is_empty() {
            sure.push(Candidate { file, ways });
        }
    }
    if name.file().is_none() {
        // `utils.LIMIT` is no call, so the facts of who imports `utils` say nothing of it.
        let known: BTreeSet<FileId> = sure.iter().map(|candidate| candidate.file).collect();
        let mut others = scope::users(view, &declaring);
        others.retain(|file| !known.contains(file));
        unsearched = others.len().saturating_sub(IMPORTERS);
        others.truncate(IMPORTERS);
        // Those that do not hold the name must not take the places of others, or count as left out.
        others.retain(|file| {
            let source = source::read(on, cache, &view.file(*file));
            source.is_ok_and(|source| !source.text.lines_with(name.last()).is_empty())
        });
        sure.extend(others.into_iter().map(|file| Candidate { file, ways: BTreeSet::new() }));
    } else if sure.is_empty() {
        sure.extend(name.file().map(|file| Candidate { file, ways: BTreeSet::new() }));
    }
    Ok(Candidates { files: sure, declaring, unsearched })
}

const DECLARES: &str = "declares it";
const IMPORTS: &str = "imports it";

fn ways(facts: &Facts, name: &str) -> BTreeSet<&'static str> {
    let mut ways = BTreeSet::new();
    if facts.symbols.iter().any(|symbol| &*symbol.name == name) {
        ways.insert(DECLARES);
    }
    let mut taken = facts.imports.iter().flat_map(|import| &import.names);
    if taken.any(|taken| &*taken.name == name || &*taken.local == name) {
        ways.insert(IMPORTS);
    }
    for reference in facts.references.iter().filter(|reference| &*reference.name == name) {
        ways.insert(match reference.kind {
            ReferenceKind::Call => "calls it",
            ReferenceKind::New => "creates it",
            ReferenceKind::Element => "renders it",
            ReferenceKind::Inherit => "inherits from it",
            ReferenceKind::Type => "mentions its type",
        });
    }
    ways
}

/// Says where the name is declared.
fn declared(
    page: &mut Page,
    on: Repository<'_>,
    view: &View<'_>,
    name: &Name,
    candidates: &Candidates,
) -> Result<(), ToolError> {
    let found = if candidates.declaring.is_empty() {
        let is_importer = |candidate: &&Candidate| candidate.ways.contains(IMPORTS);
        let importers = candidates.files.iter().filter(is_importer).map(|importer| importer.file);
        default_exports::imported_as(on, view, name, importers, None)?
    } else {
        Some(symbols::find(on, view, name)?)
    };
    let Some(found) = found else {
        let shown = words::one_line(name.last(), 100);
        page.line(&format!("`{shown}` is not declared in the code that was looked through."));
        return Ok(());
    };
    if let Some(note) = &found.note {
        page.line(note);
    }
    let left = page.each(&found.list, DECLARATIONS, |declaration: &Declaration| {
        let mut block = Block::default();
        block.line(&format!("Declared: {}", declaration.words(view)));
        Ok(block)
    })?;
    if left > 0 {
        page.line(&format!("({} left out.)", plural(left, "more declaration")));
    }
    Ok(())
}

/// The lines of a file; `None` for one that does not hold the name.
fn entry(
    on: Repository<'_>,
    cache: &mut ReadCache,
    view: &View<'_>,
    candidate: &Candidate,
    name: &str,
) -> Option<Block> {
    let file = view.file(candidate.file);
    let mut block = Block::about(file.path);
    let ways: Vec<&str> = candidate.ways.iter().copied().collect();
    let ways = if ways.is_empty() { String::new() } else { format!(" ({})", ways.join(", ")) };
    let heading = format!("{}{ways}", words::path(file.path));
    match source::read(on, cache, &file) {
        Ok(source) => {
            let lines = source.text.lines_with(name);
            if lines.is_empty() {
                return None;
            }
            block.line(&heading);
            for &line in lines.iter().take(LINES) {
                block.source(&source, line);
            }
            if let Some(more) = lines.len().checked_sub(LINES).filter(|more| *more > 0) {
                block.line(&format!("      ({} in this file)", plural(more, "more line")));
            }
        }
        Err(why) => block.line(&format!("{heading}: not shown: {}", why.words())),
    }
    Some(block)
}
