//! The layers of a repository as a Mermaid diagram.

use std::fmt::Write as _;

use rb_index::Overview;

/// Layers from the top down, each importing the next; what goes against that is drawn dotted.
pub(super) fn diagram(overview: &Overview) -> String {
    let mut text = String::from("flowchart TD\n");
    let Some(layering) = overview.architecture.layers.first() else {
        let name = overview.architecture.what.name.as_deref().unwrap_or("repository");
        let _ = writeln!(text, "  n0[\"{}\"]", label(name));
        return text;
    };
    for (at, layer) in layering.layers.iter().enumerate() {
        let folders: Vec<String> = layer
            .folders
            .iter()
            .map(|folder| format!("{} ({})", label(&folder.path), folder.files))
            .collect();
        let _ = writeln!(text, "  n{at}[\"{}<br/>{}\"]", label(&layer.name), folders.join("<br/>"));
    }
    for at in 1..layering.layers.len() {
        let _ = writeln!(text, "  n{} --> n{at}", at - 1);
    }
    let place = |name: &str| layering.layers.iter().position(|layer| layer.name == name);
    for against in &layering.against {
        if let (Some(from), Some(to)) = (place(&against.from), place(&against.to)) {
            let _ = writeln!(text, "  n{from} -. {} .-> n{to}", against.imports);
        }
    }
    text
}

/// Foreign text inside a quoted label.
fn label(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '"' => '\'',
            '<' | '>' | '`' | '[' | ']' | '{' | '}' | '|' | '#' | ';' => '_',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect()
}
