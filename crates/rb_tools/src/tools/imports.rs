//! `imports`: what a file imports, and where each import leads.

use std::collections::BTreeSet;

use rb_core::plural;
use rb_index::calls::FactsSource as _;
use rb_index::resolve::Resolution;
use rb_index::{FileId, View};
use rb_lang::Import;
use serde_json::json;

use super::arguments::{Arguments, schema};
use super::page::{Block, Page};
use super::{Tool, paths, source, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

const MOST: usize = 100;
const TARGETS: usize = 4;

fn spec() -> ToolSpec {
    ToolSpec {
        name: "imports",
        title: "Imports of a file",
        description: "Lists what a file imports, in the order of the text, and where each import leads: a file of the repository, a \
                      package, the language itself, or nowhere.",
        input: schema(&properties(), &["path"]),
    }
}

/// What a tool about one file takes.
pub(crate) fn properties() -> serde_json::Value {
    json!({
        "path": {
            "type": "string",
            "description": "The path of the file, relative to the root of the repository."
        }
    })
}

fn run(
    on: Repository<'_>,
    cache: &mut ReadCache,
    arguments: &Arguments,
) -> Result<Output, ToolError> {
    let view = on.indexed.view()?;
    let id = paths::find(on, &view, arguments.required("path"))?;
    let shown = words::path(&view.tree.get(id).path);
    let mut page = Page::new();
    page.file(&view.tree.get(id).path);
    let Some(facts) = view.read_facts(id)? else {
        page.line(&format!(
            "Imports of {shown} are not read: it is not in a language that has any."
        ));
        return Ok(page.finish());
    };
    let resolutions = view.resolutions(id);
    let imports: Vec<(&Import, Option<&Resolution>)> =
        facts.imports.iter().zip((0..).map(|at: usize| resolutions.get(at))).collect();
    if imports.is_empty() {
        page.line(&format!("{shown} imports nothing."));
    } else {
        page.line(&format!("{shown} has {}:", plural(imports.len(), "import")));
    }
    let mut last = None;
    let left = page.each(&imports, MOST, |(import, resolution)| {
        let mut block = Block::default();
        if last != Some(import.line) {
            source::show_line(on, cache, &view, (id, import.line), &mut block);
            last = Some(import.line);
        }
        block.line(&format!("      -> {}", target(&view, import, *resolution)));
        Ok(block)
    })?;
    if left > 0 {
        page.line(&format!("({} left out.)", plural(left, "more import")));
    }
    unnamed(&mut page, &view, id, resolutions);
    Ok(page.finish())
}

fn target(view: &View<'_>, import: &Import, resolution: Option<&Resolution>) -> String {
    let specifier = words::one_line(&import.specifier, 120);
    match resolution {
        Some(Resolution::Inside(files)) if !files.is_empty() => {
            let paths = files.iter().map(|&file| &*view.tree.get(file).path);
            words::listed(paths, TARGETS)
        }
        Some(Resolution::External(package)) => {
            format!("the package `{}`", words::one_line(package, 100))
        }
        Some(Resolution::Builtin) => format!("`{specifier}` comes with the language"),
        Some(Resolution::Inside(_) | Resolution::Unresolved) | None => {
            format!("`{specifier}` was not found in the repository")
        }
    }
}

/// Files that it uses without an import: those of its package, in languages where these see each other.
fn unnamed(page: &mut Page, view: &View<'_>, id: FileId, resolutions: &[Resolution]) {
    let mut named: BTreeSet<FileId> = BTreeSet::new();
    for resolution in resolutions {
        match resolution {
            Resolution::Inside(files) => named.extend(files),
            Resolution::External(_) | Resolution::Builtin | Resolution::Unresolved => {}
        }
    }
    let others: Vec<&str> = view
        .graph()
        .targets(id)
        .map(|(file, _)| file)
        .filter(|file| !named.contains(file))
        .map(|file| &*view.tree.get(file).path)
        .collect();
    if !others.is_empty() {
        let paths = words::listed(others.iter().copied(), 10);
        page.line(&format!("Used without an import: {paths}"));
    }
}
