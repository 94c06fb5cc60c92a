//! `tests_of`: the tests of a file or of a symbol, by name, by import and by use.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::plural;
use rb_index::test_links::{self, Why};
use rb_index::{FileId, View};
use serde_json::json;

use super::arguments::{Arguments, schema};
use super::callers::{introduce, meant};
use super::page::{Block, Page};
use super::symbols::{self, Name};
use super::{Tool, paths, source, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

const MOST: usize = 30;
/// The most lines shown of one test file.
const LINES: usize = 6;

fn spec() -> ToolSpec {
    let properties = json!({
        "symbol": {
            "type": "string",
            "description": "A name from the code, such as \"parse\" or \"Store.get\"."
        },
        "path": {
            "type": "string",
            "description": "A source file. With `symbol`, the file that declares it."
        }
    });
    ToolSpec {
        name: "tests_of",
        title: "Tests of a symbol or file",
        description: "Lists the test files of a source file, or the test lines that use a symbol. Give `symbol`, `path` or both.",
        input: schema(&properties, &[]),
    }
}

/// A test file, and why it is thought to be one of what was asked for.
struct TestFile {
    file: FileId,
    why: Option<Why>,
}

fn run(
    on: Repository<'_>,
    cache: &mut ReadCache,
    arguments: &Arguments,
) -> Result<Output, ToolError> {
    let view = on.indexed.view()?;
    match (arguments.text("symbol"), arguments.text("path")) {
        (Some(symbol), path) => {
            let name = Name::parse(on, &view, symbol, path)?;
            of_symbol(on, cache, &view, &name)
        }
        (None, Some(path)) => of_file(&view, paths::find(on, &view, path)?),
        (None, None) => Err(ToolError::Call(
            "`tests_of` needs `symbol` (a name from the code), `path` (a source file) or both."
                .to_owned(),
        )),
    }
}

fn of_file(view: &View<'_>, id: FileId) -> Result<Output, ToolError> {
    let mut page = Page::new();
    let path = &*view.tree.get(id).path;
    let shown = words::path(path);
    page.file(path);
    let links = test_links::link(view.tree, &view.edges());
    if test_links::is_test_path(path) {
        let sources = links.iter().filter(|link| link.test == id);
        let sources = words::listed(sources.map(|link| &*view.tree.get(link.source).path), 10);
        let of = if sources.is_empty() { "no file that is known".to_owned() } else { sources };
        page.line(&format!("{shown} is a test file itself. It tests {of}."));
        return Ok(page.finish());
    }
    note_own_tests(&mut page, view, id);
    let tests = linked(view, &BTreeSet::from([id]));
    if tests.is_empty() {
        page.line(&format!("No test file is named after {shown} or imports it."));
        return Ok(page.finish());
    }
    page.line(&format!("{} for {shown}:", plural(tests.len(), "test file")));
    let left = page.each(&tests, MOST, |test| {
        let file = view.file(test.file);
        let mut block = Block::about(file.path);
        let why = test.why.map_or("uses it", Why::reason);
        let size = plural(file.lines as usize, "line");
        block.line(&format!("  {} ({size}): {why}", words::path(file.path)));
        Ok(block)
    })?;
    if left > 0 {
        page.line(&format!("({} left out.)", plural(left, "more test file")));
    }
    Ok(page.finish())
}

fn of_symbol(
    on: Repository<'_>,
    cache: &mut ReadCache,
    view: &View<'_>,
    name: &Name,
) -> Result<Output, ToolError> {
    let found = symbols::find(on, view, name)?;
    let files: BTreeSet<FileId> = meant(&found).iter().map(|found| found.file).collect();
    let mut page = Page::new();
    introduce(&mut page, view, &found);
    for &file in &files {
        note_own_tests(&mut page, view, file);
    }
    let tests = with_users(on, view, linked(view, &files), name)?;
    let before = page.lines_shown();
    let mut silent: Vec<FileId> = Vec::new();
    let left = page.each(&tests, MOST, |test| {
        let block = uses(on, cache, view, test, name.last());
        if block.is_none() {
            silent.push(test.file);
        }
        Ok(block.unwrap_or_default())
    })?;
    let shown = words::one_line(name.last(), 100);
    if page.lines_shown() == before {
        let none = match left {
            0 => "No test file holds".to_owned(),
            _ => format!("None of the first {} holds", plural(tests.len() - left, "test file")),
        };
        page.line(&format!("{none} the name `{shown}`."));
    }
    if left > 0 {
        page.line(&format!("({} left out.)", plural(left, "more test file")));
    }
    if !silent.is_empty() {
        let paths = words::listed(silent.iter().map(|&file| &*view.tree.get(file).path), 8);
        page.line(&format!("Test files of the same source that do not name `{shown}`: {paths}"));
    }
    Ok(page.finish())
}

/// Says that tests are beside the code, as in Rust.
fn note_own_tests(page: &mut Page, view: &View<'_>, id: FileId) {
    let file = view.tree.get(id);
    if file.marks.tests && !test_links::is_test_path(&file.path) {
        let path = words::path(&file.path);
        page.line(&format!("{path} holds tests itself: see its `outline`."));
    }
}

/// The test files that are linked to some sources, the surest first.
fn linked(view: &View<'_>, sources: &BTreeSet<FileId>) -> Vec<TestFile> {
    let mut why: BTreeMap<FileId, Why> = BTreeMap::new();
    for link in test_links::link(view.tree, &view.edges()) {
        if sources.contains(&link.source) {
            let surest = why.entry(link.test).or_insert(link.why);
            *surest = link.why.min(*surest);
        }
    }
    let by_importance = view.by_importance().iter().copied();
    let mut tests: Vec<TestFile> = by_importance
        .filter_map(|file| Some(TestFile { file, why: Some(*why.get(&file)?) }))
        .collect();
    tests.sort_by_key(|test| test.why);
    tests
}

/// With the test files that use the name and are not linked.
fn with_users(
    on: Repository<'_>,
    view: &View<'_>,
    mut tests: Vec<TestFile>,
    name: &Name,
) -> Result<Vec<TestFile>, ToolError> {
    let linked: BTreeSet<FileId> = tests.iter().map(|test| test.file).collect();
    for &file in view.by_importance() {
        if on.cancel.is_cancelled() {
            return Err(ToolError::Interrupted);
        }
        if linked.contains(&file) || !test_links::is_test_path(&view.tree.get(file).path) {
            continue;
        }
        let Some(facts) = view.read_facts(file)? else { continue };
        let is_user = facts.references.iter().any(|reference| &*reference.name == name.last());
        if is_user {
            tests.push(TestFile { file, why: None });
        }
    }
    Ok(tests)
}

/// The lines of a test file that hold the name; `None` if there are none.
fn uses(
    on: Repository<'_>,
    cache: &mut ReadCache,
    view: &View<'_>,
    test: &TestFile,
    name: &str,
) -> Option<Block> {
    let file = view.file(test.file);
    let source = source::read(on, cache, &file).ok()?;
    let lines = source.text.lines_with(name);
    if lines.is_empty() {
        return None;
    }
    let mut block = Block::about(file.path);
    let why = match test.why {
        Some(Why::NameAndImport) => "named after the source and imports it",
        Some(Why::Name) => "named after the source",
        Some(Why::Import) => "imports the source",
        Some(Why::Folder) => "in a folder named after the source",
        None => "uses something of that name",
    };
    block.line(&format!("{} ({why})", words::path(file.path)));
    for &line in lines.iter().take(LINES) {
        block.source(&source, line);
    }
    if let Some(more) = lines.len().checked_sub(LINES).filter(|more| *more > 0) {
        block.line(&format!("      ({} in this file)", plural(more, "more line")));
    }
    Some(block)
}
