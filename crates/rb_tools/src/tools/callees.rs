//! `callees`: what a symbol calls, as far as names and imports tell.

use std::collections::BTreeSet;

use rb_core::plural;
use rb_index::calls::{CallEdge, CallGraph, Target};
use rb_index::{FileId, View};

use super::arguments::{Arguments, schema};
use super::callers::{introduce, meant, properties};
use super::page::{Block, Page};
use super::scope::Scope;
use super::symbols::{self, Declaration, Name, line_range};
use super::{Tool, source, words};
use crate::read_cache::ReadCache;
use crate::toolbox::{Output, Repository, ToolError, ToolSpec};

pub(crate) const TOOL: Tool = Tool { spec, run };

const MOST: usize = 80;

fn spec() -> ToolSpec {
    ToolSpec {
        name: "callees",
        title: "What a symbol calls",
        description: "Lists what a function, method or class calls, in the order of the text, with the place of each declaration. \
                      Calls that are only likely, that lead to packages or that could not be resolved are marked.",
        input: schema(&properties(), &["symbol"]),
    }
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
    let scope = Scope::of_used(on, &view, &files)?;
    let graph = scope.graph();
    let calls = calls(&scope, &graph, meant(&found));
    let mut page = Page::new();
    introduce(&mut page, &view, &found);
    if calls.is_empty() {
        page.line("It calls nothing but what comes with the language.");
        return Ok(page.finish());
    }
    page.line(&format!("It makes {}:", plural(calls.len(), "different call")));
    let mut last = None;
    let left = page.each(&calls, MOST, |edge| {
        let place = (graph.file(edge.from), edge.line);
        let mut block = Block::default();
        // Several calls of one line show it once.
        if last != Some(place) {
            source::show_line(on, cache, &view, place, &mut block);
            last = Some(place);
        }
        block.line(&format!("      {}", target(&view, &scope, &graph, edge)));
        Ok(block)
    })?;
    for edge in &calls[..calls.len() - left] {
        if let Target::Symbol(to, _) = edge.to {
            page.file(&view.tree.get(graph.file(to)).path);
        }
    }
    if left > 0 {
        page.line(&format!("({} left out.)", plural(left, "more call")));
    }
    if scope.left_out > 0 {
        let more = plural(scope.left_out, "more file");
        page.line(&format!("(Not looked at: {more} that it uses, directly or by way of others.)"));
    }
    page.line("(Calls of what comes with the language are left out.)");
    Ok(page.finish())
}

/// The calls inside of the declarations, in the order of the text.
fn calls(scope: &Scope<'_>, graph: &CallGraph, meant: &[Declaration]) -> Vec<CallEdge> {
    let is_inside = |edge: &CallEdge| {
        let file = graph.file(edge.from);
        let index = graph.symbol(edge.from);
        meant.iter().any(|found| found.file == file && is_within(scope, file, index, found.index))
    };
    let mut calls: Vec<CallEdge> = graph.edges.iter().copied().filter(is_inside).collect();
    let order = |file: FileId| meant.iter().position(|found| found.file == file);
    calls.sort_by_key(|edge| (order(graph.file(edge.from)), edge.line));
    calls
}

/// Is a symbol the one that is meant, or declared in it?
fn is_within(scope: &Scope<'_>, file: FileId, index: Option<u32>, meant: u32) -> bool {
    let symbols = scope.symbols(file);
    let mut at = index;
    while let Some(index) = at {
        if index == meant {
            return true;
        }
        // A parent always comes before what is in it.
        at = symbols.get(index as usize).and_then(|symbol| symbol.parent);
    }
    false
}

fn target(view: &View<'_>, scope: &Scope<'_>, graph: &CallGraph, edge: &CallEdge) -> String {
    let count = if edge.count > 1 { format!(" ({} times)", edge.count) } else { String::new() };
    let what = match edge.to {
        Target::Symbol(to, how) => {
            let likely = if how.is_guess() { "likely " } else { "" };
            let path = words::path(&view.tree.get(graph.file(to)).path);
            let name = scope.name(graph, to).unwrap_or_default();
            let name = words::one_line(&name, 120);
            match scope.symbol(graph, to) {
                Some((_, symbol)) => {
                    let lines = line_range(symbol.span.first_line, symbol.span.last_line);
                    format!("{likely}{} `{name}` in {path}:{lines}", symbol.kind.name())
                }
                None => format!("{likely}the top level of {path}"),
            }
        }
        Target::External(package) => {
            format!("something of the package `{}`", words::one_line(graph.name(package), 100))
        }
        Target::Builtin => "something that comes with the language".to_owned(),
        Target::Unresolved(name, reason) => {
            let name = words::one_line(graph.name(name), 100);
            format!("`{name}`, not resolved: {}", reason.name())
        }
    };
    format!("-> {what}{count}")
}
