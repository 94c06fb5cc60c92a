//! `importers`: which files import a file, the most important first.

use std::collections::BTreeSet;

use rb_core::plural;
use rb_index::calls::FactsSource as _;
use rb_index::resolve::Resolution;
use rb_index::{FileId, View, test_links};
use rb_lang::ImportKind;

use super::arguments::{Arguments, schema};
use super::imports::properties;
use super::page::{Block, Page};
use super::{Tool, paths, source, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

const MOST: usize = 60;

fn spec() -> ToolSpec {
    ToolSpec {
        name: "importers",
        title: "Files that import a file",
        description: "Lists the files that import or use a file, the most important first and tests last, with the line of the import.",
        input: schema(&properties(), &["path"]),
    }
}

fn run(
    on: Repository<'_>,
    cache: &mut ReadCache,
    arguments: &Arguments,
) -> Result<Output, ToolError> {
    let view = on.indexed.view()?;
    let id = paths::find(on, &view, arguments.required("path"))?;
    let users: BTreeSet<FileId> =
        view.edges().into_iter().filter(|(_, to)| *to == id).map(|(from, _)| from).collect();
    let mut files: Vec<FileId> =
        view.by_importance().iter().copied().filter(|file| users.contains(file)).collect();
    let is_test = |file: FileId| test_links::is_test_path(&view.tree.get(file).path);
    files.sort_by_key(|file| is_test(*file));
    let mut page = Page::new();
    page.file(&view.tree.get(id).path);
    let shown = words::path(&view.tree.get(id).path);
    if files.is_empty() {
        page.line(&format!(
            "No file imports {shown}. It may be an entry point, or be loaded by name."
        ));
        return Ok(page.finish());
    }
    let tests = files.iter().filter(|file| is_test(**file)).count();
    let verb = if files.len() == 1 { "uses" } else { "use" };
    let tests = if tests == 0 { String::new() } else { format!(", {tests} of them tests") };
    page.line(&format!("{} {verb} {shown}{tests}:", plural(files.len(), "file")));
    let left = page.each(&files, MOST, |file| entry(on, cache, &view, *file, id))?;
    if left > 0 {
        let rest = files[files.len() - left..].iter().map(|&file| &*view.tree.get(file).path);
        let paths = words::listed(rest, 8);
        page.line(&format!("({} left out: {paths})", plural(left, "more file")));
    }
    Ok(page.finish())
}

fn entry(
    on: Repository<'_>,
    cache: &mut ReadCache,
    view: &View<'_>,
    from: FileId,
    to: FileId,
) -> Result<Block, ToolError> {
    let path = &*view.tree.get(from).path;
    let mut block = Block::about(path);
    let facts = view.read_facts(from)?.unwrap_or_default();
    let leads_there = |resolution: &Resolution| match resolution {
        Resolution::Inside(files) => files.contains(&to),
        Resolution::External(_) | Resolution::Builtin | Resolution::Unresolved => false,
    };
    let imports = facts.imports.iter().zip(view.resolutions(from));
    let imports: Vec<_> = imports
        .filter(|&(_, resolution)| leads_there(resolution))
        .map(|(import, _)| import)
        .collect();
    let is_given_on = imports.iter().any(|import| import.kind == ImportKind::ReExport);
    let note = if is_given_on {
        " (gives it on to those that import it)"
    } else if imports.is_empty() {
        " (without an import)"
    } else {
        ""
    };
    block.line(&format!("{}{note}", words::path(path)));
    if let Some(first) = imports.first() {
        source::show_line(on, cache, view, (from, first.line), &mut block);
    }
    Ok(block)
}
