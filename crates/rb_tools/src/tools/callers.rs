//! `callers`: who calls a symbol, as far as names and imports tell.

use std::collections::BTreeSet;

use rb_core::plural;
use rb_index::calls::{CallGraph, How, NodeId, Target};
use rb_index::{FileId, View, test_links};
use serde_json::json;

use super::arguments::{Arguments, schema};
use super::page::{Block, Page};
use super::scope::{Scope, places};
use super::symbols::{self, Declaration, Declarations, Name};
use super::{Tool, source, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

const MOST: usize = 60;
/// Of a name that is declared more often, the rest is only listed.
const DECLARATIONS: usize = 6;

fn spec() -> ToolSpec {
    ToolSpec {
        name: "callers",
        title: "Callers of a symbol",
        description: "Lists the places that call a function or method, or create an instance of a class, the most important files \
                      first, with the calling symbol and line. Calls that are only likely are marked.",
        input: schema(&properties(), &["symbol"]),
    }
}

/// What a tool about one symbol takes.
pub(crate) fn properties() -> serde_json::Value {
    json!({
        "symbol": {
            "type": "string",
            "description": "The name as it is declared, such as \"parse\" or \"Store.get\"."
        },
        "path": {
            "type": "string",
            "description": "The file that declares it, if several do."
        }
    })
}

/// A place that calls.
struct Call {
    from: NodeId,
    file: FileId,
    line: u32,
    count: u32,
    is_guess: bool,
}

fn run(
    on: Repository<'_>,
    cache: &mut ReadCache,
    arguments: &Arguments,
) -> Result<Output, ToolError> {
    let view = on.indexed.view()?;
    let (symbol, path) = (arguments.required("symbol"), arguments.text("path"));
    let name = Name::parse(on, &view, symbol, path)?;
    let found = symbols::find(on, &view, &name)?;
    let files: BTreeSet<FileId> = meant(&found).iter().map(|found| found.file).collect();
    let scope = Scope::of_users(on, &view, &files)?;
    let graph = scope.graph();
    let calls = sorted(&view, calls(&scope, &graph, meant(&found)));
    let mut page = Page::new();
    introduce(&mut page, &view, &found);
    if calls.is_empty() {
        page.line(&format!("No call was found in {}.", looked_at(&scope)));
    } else {
        page.line(&format!("Called from {}:", plural(calls.len(), "place")));
    }
    let left = page.each(&calls, MOST, |call| {
        let mut block = Block::about(&view.tree.get(call.file).path);
        block.line(&heading(&view, &scope, &graph, call));
        source::show_line(on, cache, &view, (call.file, call.line), &mut block);
        Ok(block)
    })?;
    if left > 0 {
        page.line(&format!("({} left out.)", plural(left, "more caller")));
    }
    page.line(&format!(
        "(Looked in {}. Calls through values, callbacks or frameworks are not seen: `references` lists every use of the name.)",
        looked_at(&scope)
    ));
    Ok(page.finish())
}

/// The declarations that are followed.
pub(crate) fn meant(found: &Declarations) -> &[Declaration] {
    &found.list[..found.list.len().min(DECLARATIONS)]
}

/// Says which declarations are followed, and which are not.
pub(crate) fn introduce(page: &mut Page, view: &View<'_>, found: &Declarations) {
    if let Some(note) = &found.note {
        page.line(note);
    }
    for declaration in meant(found) {
        page.line(&format!("{}.", declaration.words(view)));
        page.file(&view.tree.get(declaration.file).path);
    }
    if let Some(more) = found.list.len().checked_sub(DECLARATIONS).filter(|more| *more > 0) {
        let more = plural(more, "more declaration");
        page.line(&format!("({more} of that name not followed. Choose one with `path`.)"));
    }
}

/// "12 files: those that declare it and those that import them"
fn looked_at(scope: &Scope<'_>) -> String {
    let files = plural(scope.files(), "file");
    let rest = match scope.left_out {
        0 => String::new(),
        left => format!(", the most important ones; {left} more were not looked at"),
    };
    format!("{files} that declare it or import it{rest}")
}

fn calls(scope: &Scope<'_>, graph: &CallGraph, meant: &[Declaration]) -> Vec<Call> {
    let is_meant = |node: NodeId, how: How| {
        let Some((index, symbol)) = scope.symbol(graph, node) else { return false };
        meant.iter().filter(|found| found.file == graph.file(node)).any(|found| {
            // A class that declares its constructor is called by way of it.
            let is_constructor = how == How::Constructor && symbol.parent == Some(found.index);
            index == found.index || is_constructor
        })
    };
    let mut calls = Vec::new();
    for edge in &graph.edges {
        let Target::Symbol(to, how) = edge.to else { continue };
        if is_meant(to, how) {
            calls.push(Call {
                from: edge.from,
                file: graph.file(edge.from),
                line: edge.line,
                count: edge.count,
                is_guess: how.is_guess(),
            });
        }
    }
    calls
}

/// Certain calls of the product first, then those of tests, then those that are only likely.
fn sorted(view: &View<'_>, mut calls: Vec<Call>) -> Vec<Call> {
    let places = places(view);
    calls.sort_by_key(|call| {
        let is_test = test_links::is_test_path(&view.tree.get(call.file).path);
        (call.is_guess, is_test, places[call.file.0 as usize], call.line)
    });
    calls
}

fn heading(view: &View<'_>, scope: &Scope<'_>, graph: &CallGraph, call: &Call) -> String {
    let likely = if call.is_guess { "likely: " } else { "" };
    let path = words::path(&view.tree.get(call.file).path);
    let from = match scope.name(graph, call.from) {
        Some(name) => format!("in `{}`", words::one_line(&name, 120)),
        None => "at the top level".to_owned(),
    };
    let count = if call.count > 1 { format!(" ({} times)", call.count) } else { String::new() };
    format!("{likely}{path}:{} {from}{count}", call.line)
}
