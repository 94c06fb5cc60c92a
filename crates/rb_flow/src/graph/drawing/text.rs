//! A graph as a listing.

use std::fmt::Write as _;

use super::{Drawing, DrawnEdge};

pub(super) fn write(drawing: &Drawing) -> String {
    let widest = drawing.nodes.iter().map(|node| node.name.chars().count()).max().unwrap_or(0);
    let mut out = format!("{}\n", drawing.name);
    for node in &drawing.nodes {
        let waits = if node.waits { " (may wait for a person)" } else { "" };
        let _ = writeln!(out, "\n{:widest$}  {}{waits}", node.name, node.does);
        let edges: Vec<&DrawnEdge> =
            drawing.edges.iter().filter(|edge| edge.from == node.name).collect();
        for edge in &edges {
            let _ = writeln!(out, "    -> {}{}", edge.to, condition(edge, edges.len()));
        }
    }
    out
}

fn condition(edge: &DrawnEdge, edges: usize) -> String {
    match edge.when {
        Some(words) if edge.is_limited => format!("  when {words}, only so often"),
        Some(words) => format!("  when {words}"),
        None if edges > 1 => "  otherwise".to_owned(),
        None => String::new(),
    }
}
