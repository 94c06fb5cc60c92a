//! Jira's document format as Markdown. The text of nodes that are not known is kept.

use serde_json::Value;

use super::clean::LONGEST_INPUT;

/// Deeper nodes are left out.
const DEEPEST: usize = 40;

pub(super) fn markdown(document: &Value) -> String {
    let mut out = String::new();
    block(document, "", DEEPEST, &mut out);
    out.trim().to_owned()
}

/// Writes whole lines that begin with `indent`.
fn block(node: &Value, indent: &str, depth: usize, out: &mut String) {
    if depth == 0 || out.len() > LONGEST_INPUT {
        return;
    }
    let all = |out: &mut String| {
        children(node).for_each(|child| block(child, indent, depth - 1, out));
    };
    match kind(node) {
        "paragraph" | "decisionItem" | "caption" => line(&inline(node, depth), indent, out),
        "heading" => {
            let level = attribute(node, "level").and_then(Value::as_u64).unwrap_or(1).clamp(1, 6);
            let marks = "#".repeat(usize::try_from(level).unwrap_or(1));
            line(&format!("{marks} {}", inline(node, depth)), indent, out);
        }
        "bulletList" => children(node).for_each(|item| list_item(item, "- ", indent, depth, out)),
        "orderedList" => {
            for (at, item) in children(node).enumerate() {
                list_item(item, &format!("{}. ", at + 1), indent, depth, out);
            }
        }
        "taskItem" => {
            let is_done = attribute(node, "state").and_then(Value::as_str) == Some("DONE");
            let mark = if is_done { "- [x] " } else { "- [ ] " };
            let text = inline(node, depth);
            out.push_str(&[indent, mark, &text, "\n"].concat());
        }
        "taskList" => {
            all(out);
            out.push('\n');
        }
        "codeBlock" => {
            let language = attribute(node, "language").and_then(Value::as_str).unwrap_or_default();
            let code = inline(node, depth);
            // The code cannot end its own fence.
            let fence = if code.contains("```") { "~~~~" } else { "```" };
            line(&format!("{fence}{language}\n{code}\n{fence}"), indent, out);
        }
        "table" => {
            for row in children(node) {
                let cells: Vec<String> = children(row).map(|cell| cell_text(cell, depth)).collect();
                out.push_str(&[indent, "| ", &cells.join(" | "), " |\n"].concat());
                if children(row).next().is_some_and(|cell| kind(cell) == "tableHeader") {
                    out.push_str(&[indent, "|", &"---|".repeat(cells.len()), "\n"].concat());
                }
            }
            out.push('\n');
        }
        "expand" | "nestedExpand" => {
            if let Some(title) = attribute(node, "title").and_then(Value::as_str) {
                line(title, indent, out);
            }
            all(out);
        }
        "rule" => line("---", indent, out),
        _ if node.get("content").is_some() => all(out),
        _ => {
            let text = inline_node(node, depth);
            if !text.is_empty() {
                line(&text, indent, out);
            }
        }
    }
}

fn list_item(item: &Value, mark: &str, indent: &str, depth: usize, out: &mut String) {
    let mut body = String::new();
    let deeper = depth.saturating_sub(1);
    block(item, "", deeper, &mut body);
    for (at, text) in body.trim().lines().enumerate() {
        let lead = if at == 0 { mark.to_owned() } else { " ".repeat(mark.len()) };
        out.push_str(format!("{indent}{lead}{text}").trim_end());
        out.push('\n');
    }
    if depth == DEEPEST - 1 {
        out.push('\n');
    }
}

fn cell_text(cell: &Value, depth: usize) -> String {
    let mut text = String::new();
    block(cell, "", depth.saturating_sub(2), &mut text);
    text.replace('|', "/").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A paragraph and an empty line.
fn line(text: &str, indent: &str, out: &mut String) {
    for text in text.lines() {
        out.push_str(format!("{indent}{text}").trim_end());
        out.push('\n');
    }
    out.push('\n');
}

fn inline(node: &Value, depth: usize) -> String {
    children(node).map(|child| inline_node(child, depth)).collect()
}

fn inline_node(node: &Value, depth: usize) -> String {
    let word = |name: &str| attribute(node, name).and_then(Value::as_str).unwrap_or_default();
    match kind(node) {
        "text" => marked(node),
        "hardBreak" => "\n".to_owned(),
        "emoji" if word("text").is_empty() => word("shortName").to_owned(),
        "mention" | "status" | "emoji" => word("text").to_owned(),
        "inlineCard" | "blockCard" | "embedCard" => word("url").to_owned(),
        "media" | "mediaInline" => word("alt").to_owned(),
        _ if depth == 0 => String::new(),
        _ => {
            let own = node.get("text").and_then(Value::as_str).unwrap_or_default();
            let inner: String = children(node).map(|child| inline_node(child, depth - 1)).collect();
            format!("{own}{inner}")
        }
    }
}

fn marked(node: &Value) -> String {
    let mut text = node.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
    for mark in node.get("marks").and_then(Value::as_array).into_iter().flatten() {
        let word = |name: &str| attribute(mark, name).and_then(Value::as_str).unwrap_or_default();
        text = match kind(mark) {
            "code" => format!("`{text}`"),
            "link" if word("href") != text => format!("[{text}]({})", word("href")),
            // Hidden like any other element if the colour is white.
            "textColor" => {
                let color: String =
                    word("color").chars().filter(|c| c.is_alphanumeric() || *c == '#').collect();
                format!("<span style=\"color:{color}\">{text}</span>")
            }
            _ => text,
        };
    }
    text
}

fn kind(node: &Value) -> &str {
    node.get("type").and_then(Value::as_str).unwrap_or_default()
}

fn attribute<'n>(node: &'n Value, name: &str) -> Option<&'n Value> {
    node.get("attrs")?.get(name)
}

fn children(node: &Value) -> impl Iterator<Item = &Value> {
    node.get("content").and_then(Value::as_array).into_iter().flatten()
}
