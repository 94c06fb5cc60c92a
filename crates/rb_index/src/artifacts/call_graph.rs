//! `CALL_GRAPH.json`: who calls whom, as far as it can be told without running anything, and how far that is.

use std::io::Write;

use serde::Serialize;

use super::{Lines, Source, State, WriteError};
use crate::calls::{self, Stats, Target};

#[derive(Serialize)]
struct Head<'a> {
    version: u32,
    state: State<'a>,
    stats: &'a Stats,
}

/// All calls of the same thing in the same symbol. One of `to`, `external` and `unresolved` is there.
#[derive(Default, Serialize)]
struct Call<'a> {
    from: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    how: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unresolved: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    count: u32,
    line: u32,
}

pub(super) fn write(source: &Source<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let tree = &source.view.tree;
    let graph = calls::call_graph(tree, source.view);
    source.view.check()?;
    let head = Head { version: 1, state: source.state(), stats: &graph.stats };
    let mut lines = Lines::begin(out, &head, "calls")?;
    let mut from = (None, String::new());
    for edge in &graph.edges {
        if from.0 != Some(edge.from) {
            from = (Some(edge.from), graph.id(tree, edge.from));
        }
        let mut call =
            Call { from: &from.1, count: edge.count, line: edge.line, ..Call::default() };
        match edge.to {
            Target::Symbol(node, how) => {
                call.to = Some(graph.id(tree, node));
                call.how = Some(how.name());
            }
            Target::External(name) => call.external = Some(graph.name(name)),
            Target::Builtin => continue,
            Target::Unresolved(name, reason) => {
                call.unresolved = Some(graph.name(name));
                call.reason = Some(reason.name());
            }
        }
        lines.line(&call)?;
    }
    lines.end()
}
