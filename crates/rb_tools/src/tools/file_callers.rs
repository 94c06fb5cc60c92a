//! Who calls what a file declares, for a page about the file. No tool of its own: `callers` answers for one symbol.

use std::collections::BTreeSet;

use rb_index::calls::Target;
use rb_index::{FileId, View, test_links};

use super::scope::{Scope, places};
use crate::toolbox::{Repository, ToolError};

/// The calls of what a file declares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileCallers {
    /// By callee in the order of the file; then certain calls of the product first, those of tests next, likely ones last.
    pub calls: Vec<FileCall>,
    /// Files that import this one and were not looked at because there are too many.
    pub left_out: usize,
}

/// All calls of one symbol in another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCall {
    /// The symbol that is called: its place among the symbols of the file, and its qualified name.
    pub callee: u32,
    pub name: String,
    /// The file that calls. Never the file itself.
    pub from: FileId,
    /// The symbol that calls; `None` for the top level.
    pub caller: Option<String>,
    /// Of the first call.
    pub line: u32,
    pub count: u32,
    /// Likely, rather than certain by the rules of the language.
    pub is_guess: bool,
}

/// Looks in the files that import `file`, the most important of them if there are very many.
pub fn callers_of_file(
    on: Repository<'_>,
    view: &View<'_>,
    file: FileId,
) -> Result<FileCallers, ToolError> {
    let scope = Scope::of_users(on, view, &BTreeSet::from([file]))?;
    let graph = scope.graph();
    let mut calls = Vec::new();
    for edge in &graph.edges {
        let Target::Symbol(to, how) = edge.to else { continue };
        let from = graph.file(edge.from);
        if graph.file(to) != file || from == file {
            continue;
        }
        let (Some(symbol), Some(name)) = (graph.symbol(to), scope.name(&graph, to)) else {
            continue;
        };
        calls.push(FileCall {
            callee: symbol,
            name,
            from,
            caller: scope.name(&graph, edge.from),
            line: edge.line,
            count: edge.count,
            is_guess: how.is_guess(),
        });
    }
    let places = places(view);
    calls.sort_by_key(|call| {
        let is_test = test_links::is_test_path(&view.tree.get(call.from).path);
        (call.callee, call.is_guess, is_test, places[call.from.0 as usize], call.line)
    });
    Ok(FileCallers { calls, left_out: scope.left_out })
}
