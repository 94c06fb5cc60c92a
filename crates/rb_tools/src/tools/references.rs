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
use super::{Tool, scope, source, words};
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

fn run(
    on: Repository<'_>,
    cache: &mut ReadCache,
    arguments: &Arguments,
) -> Result<Output, ToolError> {
    let view = on.indexed.view()?;
    let (name, path) = (arguments.required("name"), arguments.text("path"));
    let name = Name::parse(on, &view, name, path)?;
    let (candidates, declaring) = candidates(on, &view, &name)?;
    let mut page = Page::new();
    declared(&mut page, on, &view, &name, &declaring)?;
    let before = page.lines_shown();
    let left = page.each(&candidates, FILES, |candidate| {
        Ok(entry(on, cache, &view, candidate, name.last()))
    })?;
    if left > 0 {
        let rest = candidates[candidates.len() - left..].iter();
        let paths = words::listed(rest.map(|candidate| &*view.tree.get(candidate.file).path), 10);
        page.line(&format!("({} left out: {paths})", plural(left, "more file")));
    }
    let shown = words::one_line(name.last(), 100);
    if page.lines_shown() == before {
        page.line(&format!(
            "No file of code uses the name `{shown}`. Try `search`, which also finds words in documentation."
        ));
    } else {
        page.line(&format!(
            "(Lines that hold `{shown}` as a word, comments and strings among them.)"
        ));
    }
    Ok(page.finish())
}

/// The files to look through, the most important first, and those that declare the name.
fn candidates(
    on: Repository<'_>,
    view: &View<'_>,
    name: &Name,
) -> Result<(Vec<Candidate>, BTreeSet<FileId>), ToolError> {
    let mut sure: Vec<Candidate> = Vec::new();
    let mut declaring = BTreeSet::new();
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
        let importers = scope::users(view, &declaring).into_iter();
        let others = importers.filter(|file| !known.contains(file)).take(IMPORTERS);
        sure.extend(others.map(|file| Candidate { file, ways: BTreeSet::new() }));
    } else if sure.is_empty() {
        sure.extend(name.file().map(|file| Candidate { file, ways: BTreeSet::new() }));
    }
    Ok((sure, declaring))
}

const DECLARES: &str = "declares it";

fn ways(facts: &Facts, name: &str) -> BTreeSet<&'static str> {
    let mut ways = BTreeSet::new();
    if facts.symbols.iter().any(|symbol| &*symbol.name == name) {
        ways.insert(DECLARES);
    }
    let mut taken = facts.imports.iter().flat_map(|import| &import.names);
    if taken.any(|taken| &*taken.name == name || &*taken.local == name) {
        ways.insert("imports it");
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
    declaring: &BTreeSet<FileId>,
) -> Result<(), ToolError> {
    if declaring.is_empty() {
        let shown = words::one_line(name.last(), 100);
        page.line(&format!("`{shown}` is not declared in the code that was looked through."));
        return Ok(());
    }
    let found = symbols::find(on, view, name)?;
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

/// The lines of a file; nothing for one that does not hold the name.
fn entry(
    on: Repository<'_>,
    cache: &mut ReadCache,
    view: &View<'_>,
    candidate: &Candidate,
    name: &str,
) -> Block {
    let file = view.file(candidate.file);
    let mut block = Block::about(file.path);
    let ways: Vec<&str> = candidate.ways.iter().copied().collect();
    let ways = if ways.is_empty() { String::new() } else { format!(" ({})", ways.join(", ")) };
    let heading = format!("{}{ways}", words::path(file.path));
    match source::read(on, cache, &file) {
        Ok(source) => {
            let lines = source.text.lines_with(name);
            if lines.is_empty() {
                return Block::default();
            }
            block.line(&heading);
            for &line in lines.iter().take(LINES) {
                block.source(&source, line);
            }
            if let Some(more) = lines.len().checked_sub(LINES).filter(|more| *more > 0) {
                block.line(&format!("      ({} in this file)", plural(more, "more line")));
            }
        }
        Err(_) if candidate.ways.is_empty() => return Block::default(),
        Err(why) => block.line(&format!("{heading}: not shown: {}", why.words())),
    }
    block
}
