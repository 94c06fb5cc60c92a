//! The graph of folders as SVG: boxes in rows, imports as curves.

use rb_html::Page;

use super::folders::{Edge, FolderGraph, Node};
use super::rows::{Weighted, rows};
use crate::pages::code::address::Address;
use crate::pages::code::folder::Folder;
use crate::pages::code::numbers::plural;

const BOX: (f64, f64) = (138.0, 44.0);
const GAP: (f64, f64) = (16.0, 58.0);
const MARGIN: f64 = 24.0;
/// Letters of a name that fit into a box.
const LETTERS: usize = 19;
/// More curves cannot be told apart. Those of cycles are always drawn.
pub(super) const MOST_EDGES: usize = 140;

/// The picture, and how many of the weaker edges are not in it.
pub(super) fn draw(body: &mut Page, graph: &FolderGraph, folder: &Folder) -> usize {
    let weighted: Vec<Weighted> =
        graph.edges.iter().map(|edge| (edge.from, edge.to, edge.imports)).collect();
    let rows = rows(graph.nodes.len(), &weighted);
    let places = Places::of(&rows, graph.nodes.len());
    let view = format!("0 0 {} {}", places.width, places.height);
    let edges = drawn(&graph.edges);
    body.raw("<div class=\"map folder-graph\" data-zoom>\n");
    let label = format!(
        "{} and the imports between them. The table below has the same numbers.",
        plural(rows.iter().map(|row| row.len() as u64).sum(), "folder")
    );
    body.open("svg", &[("viewBox", &view), ("role", "group"), ("aria-label", &label)]);
    body.raw("\n<defs>\n<marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"></path></marker>\n");
    body.raw("<marker id=\"tip-bad\" class=\"cyclic\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"></path></marker>\n</defs>\n");
    body.raw("<g class=\"edges\">\n");
    for edge in &edges {
        curve(body, graph, edge, &places);
    }
    body.raw("</g>\n");
    for &node in rows.iter().flatten() {
        folder_box(body, &graph.nodes[node], node, places.at[node], folder);
    }
    body.raw("</svg>\n</div>\n");
    graph.edges.len() - edges.len()
}

/// Those of cycles and the strongest others, the strongest last, so that they lie on top.
fn drawn(edges: &[Edge]) -> Vec<&Edge> {
    let mut drawn: Vec<&Edge> = edges.iter().collect();
    drawn.sort_by_key(|edge| {
        (std::cmp::Reverse((edge.is_cyclic, edge.imports)), edge.from, edge.to)
    });
    let cyclic = drawn.partition_point(|edge| edge.is_cyclic);
    drawn.truncate(MOST_EDGES.max(cyclic));
    drawn.reverse();
    drawn
}

/// Where the boxes stand: their upper left corners.
struct Places {
    at: Vec<(f64, f64)>,
    width: f64,
    height: f64,
}

impl Places {
    #[expect(clippy::cast_precision_loss, reason = "at most sixty boxes")]
    fn of(rows: &[Vec<usize>], nodes: usize) -> Places {
        let row_width = |row: &Vec<usize>| row.len() as f64 * (BOX.0 + GAP.0) - GAP.0;
        let widest = rows.iter().map(row_width).fold(0.0, f64::max);
        let mut at = vec![(0.0, 0.0); nodes];
        for (line, row) in rows.iter().enumerate() {
            let left = MARGIN + (widest - row_width(row)) / 2.0;
            for (column, &node) in row.iter().enumerate() {
                let x = left + column as f64 * (BOX.0 + GAP.0);
                at[node] = (x, MARGIN + line as f64 * (BOX.1 + GAP.1));
            }
        }
        let height = rows.len() as f64 * (BOX.1 + GAP.1) - GAP.1;
        // An edge within a row bends below it.
        Places { at, width: widest + 2.0 * MARGIN, height: height + 2.0 * MARGIN + GAP.1 / 2.0 }
    }
}

fn curve(body: &mut Page, graph: &FolderGraph, edge: &Edge, places: &Places) {
    let path = bend(places.at[edge.from], places.at[edge.to]);
    #[expect(clippy::cast_precision_loss, reason = "a width")]
    let width = format!("{:.1}", (1.0 + (edge.imports as f64).ln() * 0.6).min(5.0));
    let leads_up = places.at[edge.from].1 > places.at[edge.to].1;
    let (class, tip) = match (edge.is_cyclic, leads_up) {
        (true, true) => ("cyclic up", "url(#tip-bad)"),
        (true, false) => ("cyclic", "url(#tip-bad)"),
        (false, _) => ("", "url(#tip)"),
    };
    let (from, to) = (edge.from.to_string(), edge.to.to_string());
    body.open(
        "path",
        &[
            ("class", class),
            ("d", &path),
            ("stroke-width", &width),
            ("marker-end", tip),
            ("data-from", &from),
            ("data-to", &to),
        ],
    );
    let words = format!(
        "{} → {}: {}{}",
        graph.nodes[edge.from].name(),
        graph.nodes[edge.to].name(),
        plural(edge.imports, "import"),
        if edge.is_cyclic { ", part of a cycle" } else { "" }
    );
    body.element("title", "", &words);
    body.raw("</path>\n");
}

/// From the side that faces the other box to the side of the other that faces it.
fn bend((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> String {
    // The ends are spread, so that curves to different boxes can be told apart.
    let lean = ((x2 - x1) * 0.08).clamp(16.0 - BOX.0 / 2.0, BOX.0 / 2.0 - 16.0);
    let (from, to) = (x1 + BOX.0 / 2.0 + lean, x2 + BOX.0 / 2.0 - lean);
    let is_level = (y1 - y2).abs() < 1.0;
    let (start, end, pull) = if is_level {
        (y1 + BOX.1, y2 + BOX.1, GAP.1 * 0.55)
    } else if y1 < y2 {
        (y1 + BOX.1, y2, (y2 - y1 - BOX.1) / 2.0)
    } else {
        (y1, y2 + BOX.1, (y2 + BOX.1 - y1) / 2.0)
    };
    let end_pull = if is_level { pull } else { -pull };
    // Past the boxes between two that stand above each other.
    let is_far = (y1 - y2).abs() > BOX.1 + GAP.1 + 1.0 && (x1 - x2).abs() < BOX.0;
    let aside = match (is_far, y1 < y2) {
        (false, _) => 0.0,
        (true, true) => BOX.0 * 0.8,
        (true, false) => BOX.0 * -0.8,
    };
    format!(
        "M{from:.1} {start:.1}C{:.1} {:.1} {:.1} {:.1} {to:.1} {end:.1}",
        from + aside,
        start + pull,
        to + aside,
        end + end_pull
    )
}

impl Node {
    pub(super) fn name(&self) -> &str {
        match self.path.as_deref() {
            Some("") => "files of the root",
            Some(path) => path,
            None => "other folders",
        }
    }
}

fn folder_box(body: &mut Page, node: &Node, number: usize, (x, y): (f64, f64), folder: &Folder) {
    let href = node.path.as_deref().map(|path| {
        let page = if node.has_folders && path != folder.path() { "/map/graph" } else { "/map" };
        Address::new(page).with("folder", path)
    });
    let files = plural(node.files, "file");
    let title = format!("{}: {files}, {}", node.name(), plural(node.lines, "line"));
    let number = number.to_string();
    match &href {
        Some(href) => {
            let attributes = [("href", href.text()), ("data-node", &*number)];
            body.open("a", &attributes);
        }
        None => body.open("g", &[("data-node", &number)]),
    }
    body.element("title", "", &title);
    let point = |value: f64| format!("{value:.1}");
    let (width, height) = (point(BOX.0), point(BOX.1));
    let at = [
        ("x", &*point(x)),
        ("y", &*point(y)),
        ("width", &*width),
        ("height", &*height),
        ("rx", "6"),
    ]
    .map(|(name, value)| (name, value.to_owned()));
    let at: Vec<(&'static str, &str)> =
        at.iter().map(|(name, value)| (*name, value.as_str())).collect();
    body.open("rect", &at);
    body.close("rect");
    let middle = point(x + BOX.0 / 2.0);
    body.open("text", &[("x", &middle), ("y", &point(y + 19.0))]);
    body.text(&short(node.name(), folder));
    body.close("text");
    body.open("text", &[("class", "soft"), ("x", &middle), ("y", &point(y + 34.0))]);
    body.text(&files);
    body.close("text");
    body.close(if href.is_some() { "a" } else { "g" });
    body.raw("\n");
}

/// The name below the folder that is looked at; its end if it is long.
fn short(name: &str, folder: &Folder) -> String {
    let rest = folder.strip(name).unwrap_or(name);
    let count = rest.chars().count();
    if count <= LETTERS {
        return rest.to_owned();
    }
    let end: String = rest.chars().skip(count - LETTERS + 1).collect();
    format!("…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux4_a_curve_leaves_and_enters_where_the_boxes_face_each_other() {
        assert_eq!(bend((0.0, 0.0), (0.0, 102.0)), "M69.0 44.0C69.0 73.0 69.0 73.0 69.0 102.0");
        assert_eq!(bend((0.0, 0.0), (0.0, 204.0)), "M69.0 44.0C179.4 124.0 179.4 124.0 69.0 204.0");
        assert_eq!(bend((0.0, 102.0), (0.0, 0.0)), "M69.0 102.0C69.0 73.0 69.0 73.0 69.0 44.0");
        assert_eq!(bend((0.0, 0.0), (154.0, 0.0)), "M81.3 44.0C81.3 75.9 210.7 75.9 210.7 44.0");
    }

    #[test]
    fn ux4_names_are_cut_from_the_left() {
        assert_eq!(short("src/a", &Folder::named("src")), "a");
        assert_eq!(short("a/very/long/path/of/folders", &Folder::default()), "…ng/path/of/folders");
    }
}
