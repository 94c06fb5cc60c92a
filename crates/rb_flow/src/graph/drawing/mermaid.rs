//! A graph in Mermaid's language.
//!
//! Names of nodes may be words of that language (`end` is one), so nodes are numbered and their names are labels.

use std::fmt::Write as _;

use super::{Drawing, DrawnEdge};
use crate::graph::END;

pub(super) fn write(drawing: &Drawing) -> String {
    let mut out = format!("---\ntitle: {}\n---\nflowchart TD\n", quoted(drawing.name));
    if drawing.nodes.is_empty() {
        return out;
    }
    out.push_str("    start((\" \"))\n");
    for (at, node) in drawing.nodes.iter().enumerate() {
        let label = quoted_lines(&[node.name, node.does]);
        let (open, close) = if node.waits { ("{{", "}}") } else { ("[", "]") };
        let _ = writeln!(out, "    n{at}{open}{label}{close}");
    }
    if drawing.edges.iter().any(|edge| edge.to == END) {
        let _ = writeln!(out, "    finish([{}])", quoted(END));
    }
    out.push_str("    start --> n0\n");
    for edge in &drawing.edges {
        let _ = writeln!(out, "    {}", arrow(drawing, edge));
    }
    out
}

fn arrow(drawing: &Drawing, edge: &DrawnEdge) -> String {
    let (from, to) = (id(drawing, edge.from), id(drawing, edge.to));
    let line = if edge.is_limited { "-.->" } else { "-->" };
    match edge.when {
        Some(words) if edge.is_limited => {
            format!("{from} {line}|{}| {to}", quoted(&format!("{words} (only so often)")))
        }
        Some(words) => format!("{from} {line}|{}| {to}", quoted(words)),
        None => format!("{from} {line} {to}"),
    }
}

/// What is no node has its name for a label, so that a fault of the graph shows.
fn id(drawing: &Drawing, name: &str) -> String {
    match drawing.nodes.iter().position(|node| node.name == name) {
        Some(at) => format!("n{at}"),
        None if name == END => "finish".to_owned(),
        None => {
            let plain = name.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' });
            format!("missing_{}[{}]", plain.collect::<String>(), quoted(name))
        }
    }
}

fn quoted(words: &str) -> String {
    quoted_lines(&[words])
}

fn quoted_lines(lines: &[&str]) -> String {
    let lines: Vec<String> =
        lines.iter().filter(|line| !line.is_empty()).map(|line| escaped(line)).collect();
    format!("\"{}\"", lines.join("<br/>"))
}

/// Mermaid has codes for what means something to it or to a browser.
fn escaped(words: &str) -> String {
    let mut out = String::new();
    for letter in words.chars() {
        match letter {
            '"' => out.push_str("#quot;"),
            '#' => out.push_str("#35;"),
            '&' => out.push_str("#amp;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '`' => out.push_str("#96;"),
            '\\' => out.push_str("#92;"),
            _ if letter.is_control() => out.push(' '),
            _ => out.push(letter),
        }
    }
    out
}
