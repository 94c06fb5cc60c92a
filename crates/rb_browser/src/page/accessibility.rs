//! The page as a screen reader has it: roles, names and states, one line each.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Page;
use crate::clean;
use crate::error::BrowserError;

/// They say nothing by themselves; what is in them moves up.
const NOISE: [&str; 14] = [
    "none",
    "generic",
    "InlineTextBox",
    "LineBreak",
    "LayoutTable",
    "LayoutTableRow",
    "LayoutTableCell",
    "ListMarker",
    "Iframe",
    "LabelText",
    "Section",
    "emphasis",
    "strong",
    "MenuListPopup",
];

/// States in the order in which they are written.
const STATES: [&str; 9] = [
    "checked", "pressed", "selected", "expanded", "disabled", "required", "readonly", "invalid",
    "level",
];

const LONGEST_NAME: usize = 120;

/// Deeper ones are not looked at.
const DEEPEST: usize = 60;

impl Page {
    /// Indented lines `role "name"` with states; at most `max_lines`, and one that says how many more there are.
    pub fn accessibility_tree(&self, max_lines: usize) -> Result<String, BrowserError> {
        let answer = self.call("Accessibility.getFullAXTree", json!({}))?;
        let nodes = answer["nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(tree(nodes, max_lines))
    }
}

fn tree(nodes: &[Value], max_lines: usize) -> String {
    let by_id: BTreeMap<&str, &Value> =
        nodes.iter().filter_map(|node| Some((node["nodeId"].as_str()?, node))).collect();
    let mut lines = Vec::new();
    // With the name above, which a text inside would only repeat.
    let mut open: Vec<(&Value, usize, String)> = nodes
        .iter()
        .filter(|node| node.get("parentId").is_none())
        .map(|node| (node, 0, String::new()))
        .collect();
    open.reverse();
    let mut budget = nodes.len();
    while let Some((node, depth, name_above)) = open.pop() {
        // Foreign data: it could have a circle.
        let Some(left) = budget.checked_sub(1) else { break };
        budget = left;
        let role = node["role"]["value"].as_str().unwrap_or_default();
        let name = clean::line(node["name"]["value"].as_str().unwrap_or_default(), LONGEST_NAME);
        let is_text = role == "StaticText";
        let is_noise = node["ignored"] == true
            || NOISE.contains(&role)
            || is_text && (name.is_empty() || name_above.contains(&name))
            || role == "paragraph" && name.is_empty();
        let (mut below, mut name_below) = (depth, name_above);
        if !is_noise {
            lines.push(line(node, role, &name, depth));
            below = depth + 1;
            let value = node["value"]["value"].as_str().unwrap_or_default();
            name_below = format!("{name} {}", clean::line(value, LONGEST_NAME));
        }
        if is_text || depth > DEEPEST {
            continue;
        }
        let children = node["childIds"].as_array().map(Vec::as_slice).unwrap_or_default();
        let children = children.iter().filter_map(|id| by_id.get(id.as_str()?));
        let first = open.len();
        open.extend(children.map(|child| (*child, below, name_below.clone())));
        open[first..].reverse();
    }
    let more = lines.len().saturating_sub(max_lines);
    lines.truncate(max_lines);
    if more > 0 {
        lines.push(format!("({more} more lines)\n"));
    }
    lines.concat()
}

fn line(node: &Value, role: &str, name: &str, depth: usize) -> String {
    let role = match role {
        "StaticText" => "text",
        "RootWebArea" => "page",
        other => other,
    };
    let mut line = format!("{}{}", "  ".repeat(depth), clean::line(role, 40));
    if !name.is_empty() {
        let _ = write!(line, " \"{name}\"");
    }
    if let Some(value) = node["value"]["value"].as_str().filter(|value| *value != name) {
        let _ = write!(line, " = \"{}\"", clean::line(value, LONGEST_NAME));
    }
    let properties = node["properties"].as_array().map(Vec::as_slice).unwrap_or_default();
    for state in STATES {
        let Some(property) = properties.iter().find(|property| property["name"] == state) else {
            continue;
        };
        match &property["value"]["value"] {
            Value::Bool(true) => write!(line, " [{state}]"),
            Value::Bool(false) if state == "expanded" => write!(line, " [collapsed]"),
            Value::String(text) if text == "true" => write!(line, " [{state}]"),
            Value::String(text) if text == "mixed" => write!(line, " [{state}: mixed]"),
            Value::Number(number) if node["role"]["value"] == "heading" => {
                write!(line, " [{state} {number}]")
            }
            _ => Ok(()),
        }
        .expect("a string can be written to");
    }
    line.push('\n');
    line
}
