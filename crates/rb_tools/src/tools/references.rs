//! `references`: every line that holds a name, in the files that declare, import or use it.
//!
//! Which files these are is told by the index; the lines are found in their texts, so that uses as a value are found as well.

use std::collections::BTreeSet;

use rb_core::plural;
use rb_index::{FileId, View, test_links};
use rb_lang::{Facts, ReferenceKind};
use serde_json::json;

use super::arguments::{Arguments, schema};
use super::page::{Block, Page};
use super::source::SourceFile;
use super::symbols::{self, Declaration, Name};
use super::{Tool, default_exports, scope, source, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

/// The most lines shown of one of several files, and the most files.
const LINES: usize = 8;
/// The same of a file of tests.
const TEST_LINES: usize = 3;
/// So few more lines are shown rather than counted.
const SPARE: usize = 3;
const FILES: usize = 60;
/// Of the files that no fact says hold the name, so many are searched: those that import a declaring file, and others if few hold it.
const SEARCHED: usize = 2_000;
const FEW: usize = 20;
const DECLARATIONS: usize = 6;

fn spec() -> ToolSpec {
    let properties = json!({
        "name": {
            "type": "string",
            "description": "The name, such as \"parse\" or \"Store.get\". Of a qualified name, the last part is looked for."
        },
        "path": {
            "type": "string",
            "description": "List the uses in this file alone, all of them."
        }
    });
    ToolSpec {
        name: "references",
        title: "References to a name",
        description: "Lists the lines of code that hold a name, with the symbol that they are in: declarations, imports, calls and \
                      other uses, the most important files first and tests last. It goes by the name, so other things of the \
                      same name are listed, too.",
        input: schema(&properties, &["name"]),
    }
}

/// A file that holds the name, and in what ways by its facts.
struct Candidate {
    file: FileId,
    ways: BTreeSet<&'static str>,
}

/// A line that holds the name, and the symbol that it is in; the empty name for the top level.
struct Place {
    line: u32,
    symbol: String,
    is_test: bool,
}

/// Where to look for a name.
struct Candidates {
    /// The most important first, and tests last.
    files: Vec<Candidate>,
    /// Those of them that declare the name.
    declaring: BTreeSet<FileId>,
    /// Files that were not searched.
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
    let shown = words::one_line(name.last(), 100);
    let is_declared = declared(&mut page, on, &view, &name, &candidates)?;
    let Candidates { files, unsearched, .. } = candidates;
    if !is_declared && !files.is_empty() {
        let place = if name.file().is_some() { " in this file" } else { "" };
        page.line(&format!(
            "The index has no declaration of `{shown}`{place}. It may be imported, a field, a parameter or a local name:"
        ));
    }
    let before = page.lines_shown();
    if let (Some(_), [candidate]) = (name.file(), files.as_slice()) {
        let holds = whole_file(on, cache, &view, &mut page, (candidate, name.last()))?;
        if page.lines_shown() > before {
            page.line(&format!(
                "(Lines that hold `{shown}` as a word, comments and strings among them.)"
            ));
        } else if !holds {
            page.line(&nothing(&view, &name, &shown));
        }
        return Ok(page.finish());
    }
    let mut without = 0;
    let left = page.each(&files, FILES, |candidate| {
        let block = entry(on, cache, &view, candidate, name.last())?;
        without += usize::from(block.is_none());
        Ok(block.unwrap_or_default())
    })?;
    if left > 0 {
        let rest = files[files.len() - left..].iter();
        let paths = words::listed(rest.map(|candidate| &*view.tree.get(candidate.file).path), 10);
        page.line(&format!("({} left out: {paths})", plural(left, "more file")));
    }
    if unsearched > 0 {
        page.line(&format!("(Not searched: {}.)", plural(unsearched, "less important file")));
    }
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
        // `utils.LIMIT` is no call, so the facts of who imports `utils` say nothing of it. Nor does any fact know a field.
        let known: BTreeSet<FileId> = sure.iter().map(|candidate| candidate.file).collect();
        let mut others = scope::users(view, &declaring);
        if sure.len() < FEW {
            let users: BTreeSet<FileId> = others.iter().copied().collect();
            let is_other =
                |file: &FileId| !users.contains(file) && view.file(*file).language.is_some();
            others.extend(view.by_importance().iter().copied().filter(is_other));
        }
        others.retain(|file| !known.contains(file));
        unsearched = others.len().saturating_sub(SEARCHED);
        others.truncate(SEARCHED);
        // Those that do not hold the name must not take the places of others, or count as left out.
        others.retain(|file| {
            let source = source::read(on, cache, &view.file(*file));
            source.is_ok_and(|source| !source.text.lines_with(name.last()).is_empty())
        });
        sure.extend(others.into_iter().map(|file| Candidate { file, ways: BTreeSet::new() }));
    } else if sure.is_empty() {
        // One that cannot be shown may hold it.
        let may_hold = |file: &FileId| {
            let source = source::read(on, cache, &view.file(*file));
            !source.is_ok_and(|source| source.text.lines_with(name.last()).is_empty())
        };
        let file = name.file().filter(may_hold);
        sure.extend(file.map(|file| Candidate { file, ways: BTreeSet::new() }));
    }
    sure.sort_by_key(|candidate| test_links::is_test_path(&view.tree.get(candidate.file).path));
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

/// Says where the name is declared, if the parser knows.
fn declared(
    page: &mut Page,
    on: Repository<'_>,
    view: &View<'_>,
    name: &Name,
    candidates: &Candidates,
) -> Result<bool, ToolError> {
    let found = if candidates.declaring.is_empty() {
        let is_importer = |candidate: &&Candidate| candidate.ways.contains(IMPORTS);
        let importers = candidates.files.iter().filter(is_importer).map(|importer| importer.file);
        default_exports::imported_as(on, view, name, importers, None)?
    } else {
        Some(symbols::find(on, view, name)?)
    };
    let Some(found) = found else { return Ok(false) };
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
    Ok(true)
}

/// The lines of one of several files; `None` for one that does not hold the name.
fn entry(
    on: Repository<'_>,
    cache: &mut ReadCache,
    view: &View<'_>,
    candidate: &Candidate,
    name: &str,
) -> Result<Option<Block>, ToolError> {
    let file = view.file(candidate.file);
    let mut block = Block::about(file.path);
    let heading = heading(file.path, candidate);
    let source = match source::read(on, cache, &file) {
        Ok(source) => source,
        Err(why) => {
            block.line(&format!("{heading}: not shown: {}", why.words()));
            return Ok(Some(block));
        }
    };
    let places = places(view, candidate.file, &source, name)?;
    if places.is_empty() {
        return Ok(None);
    }
    let most = if test_links::is_test_path(file.path) { TEST_LINES } else { LINES };
    let (places, left) = first_places(places, most);
    block.line(&heading);
    for (at, place) in places.iter().enumerate() {
        show(&mut block, &source, &places[..at], place);
    }
    if left > 0 {
        let more = plural(left, "more line");
        block.line(&format!("      ({more} in this file. `path` lists them all.)"));
    }
    Ok(Some(block))
}

/// All lines of one file, as far as there is room. `false` if it does not hold the name.
fn whole_file(
    on: Repository<'_>,
    cache: &mut ReadCache,
    view: &View<'_>,
    page: &mut Page,
    (candidate, name): (&Candidate, &str),
) -> Result<bool, ToolError> {
    let file = view.file(candidate.file);
    page.file(file.path);
    let heading = heading(file.path, candidate);
    let source = match source::read(on, cache, &file) {
        Ok(source) => source,
        Err(why) => {
            page.line(&format!("{heading}: not shown: {}", why.words()));
            return Ok(true);
        }
    };
    let places = places(view, candidate.file, &source, name)?;
    if places.is_empty() {
        return Ok(false);
    }
    page.line(&heading);
    for (at, place) in places.iter().enumerate() {
        let mut block = Block::default();
        show(&mut block, &source, &places[..at], place);
        if !page.add(block) {
            let more = plural(places.len() - at, "more line");
            page.line(&format!("({more} left out, from line {} on.)", place.line));
            break;
        }
    }
    Ok(true)
}

/// "test/view.test.js (test: calls it, imports it)"
fn heading(path: &str, candidate: &Candidate) -> String {
    let ways: Vec<&str> = candidate.ways.iter().copied().collect();
    let ways = ways.join(", ");
    let notes = match (test_links::is_test_path(path), ways.is_empty()) {
        (true, true) => " (test)".to_owned(),
        (true, false) => format!(" (test: {ways})"),
        (false, true) => String::new(),
        (false, false) => format!(" ({ways})"),
    };
    format!("{}{notes}", words::path(path))
}

/// The lines of a file that hold the name.
fn places(
    view: &View<'_>,
    file: FileId,
    source: &SourceFile,
    name: &str,
) -> Result<Vec<Place>, ToolError> {
    let symbols = view.read_facts(file)?.unwrap_or_default().symbols;
    let place = |line: u32| {
        let around = symbols::around(&symbols, line, name);
        let symbol = around.map(|index| symbols::qualified(&symbols, index)).unwrap_or_default();
        let is_test = around.is_some_and(|index| symbols::is_in_tests(&symbols, index));
        Place { line, symbol, is_test }
    };
    Ok(source.text.lines_with(name).into_iter().map(place).collect())
}

/// The places that are shown of one of several files, in the order of the text, and how many are left out: tests first.
fn first_places(places: Vec<Place>, most: usize) -> (Vec<Place>, usize) {
    if places.len() <= most + SPARE {
        return (places, 0);
    }
    let left = places.len() - most;
    let (tests, mut first): (Vec<Place>, Vec<Place>) =
        places.into_iter().partition(|place| place.is_test);
    first.extend(tests);
    first.truncate(most);
    first.sort_by_key(|place| place.line);
    (first, left)
}

/// Shows a line; the symbol that it is in stands above the first of its lines.
fn show(block: &mut Block, source: &SourceFile, before: &[Place], place: &Place) {
    let above = before.last().map_or("", |place| place.symbol.as_str());
    if above != place.symbol {
        let test = if place.is_test { " (test)" } else { "" };
        let symbol = words::one_line(&place.symbol, 120);
        block.line(&match symbol.as_str() {
            "" => "  at the top level".to_owned(),
            symbol => format!("  in `{symbol}`{test}"),
        });
    }
    block.source(source, place.line);
}
