//! Which folder imports which, from the top down, with the ways that lead round.

mod draw;
mod folders;
mod rows;

use rb_html::Page;
use rb_index::search::Searchable;
use rb_index::{FileId, IndexError, Indexed};
use rb_lang::Language;

use self::folders::{Edge, FolderGraph, Input};
use super::code::address::{self, Address};
use super::code::folder::{End, Folder};
use super::code::navigation::{self, Choice, View};
use super::code::numbers::{count, plural};
use super::code::paging::Paging;
use crate::layout::{Frame, Tab};
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

const DEEPEST: usize = 5;
/// A picture with fewer boxes says little; the next level is shown instead.
const FEWEST: usize = 4;
const ROWS: usize = 50;
const CYCLES: usize = 20;

pub(crate) fn page(site: &Site, request: &Request) -> Result<Reply, Problem> {
    let body = site.indexed(Searchable::Nothing, |_, indexed| body(site, request, indexed))?;
    let frame =
        Frame { title: "Dependencies", tab: Tab::Map, scripts: &["code.js"], is_wide: true };
    Ok(frame.reply(site, &body))
}

fn body(site: &Site, request: &Request, indexed: &Indexed) -> Result<Page, IndexError> {
    let view = indexed.view()?;
    let folder = Folder::of(request);
    let files: Vec<Option<(&str, u32)>> = view
        .tree
        .files
        .iter()
        .map(|file| {
            file.language.filter(|it| it.is_read()).map(|_: Language| (&*file.path, file.lines))
        })
        .collect();
    let (uses, loads) = (view.edges(), view.loading_edges());
    let input = Input { files: &files, uses: &uses, loads: &loads };
    let (depth, graph) = at_depth(&input, &folder, request);
    let mut body = Page::new();
    body.element("h1", "", "Dependencies");
    navigation::tabs(&mut body, View::Graph, &folder);
    body.raw("<div class=\"toolbar\">\n");
    let name = site.root.file_name().unwrap_or_default().to_string_lossy();
    folder.crumbs(&mut body, &name, &Address::new("/map/graph"), End::Here);
    depths(&mut body, depth, &folder);
    body.raw("</div>\n");
    if graph.edges.is_empty() {
        let words = "No folder here imports another. Choose another folder or level.";
        body.element("p", "empty", words);
    } else {
        let left_out = draw::draw(&mut body, &graph, &folder);
        notes(&mut body, &graph, left_out, &folder);
        let path = |id: FileId| &*view.tree.get(id).path;
        cycles(&mut body, &graph, &path);
        table(&mut body, request, &graph, depth, &folder, &path);
    }
    Ok(body)
}

/// The level that was asked for, or the first that shows something.
fn at_depth(input: &Input<'_>, folder: &Folder, request: &Request) -> (usize, FolderGraph) {
    let asked = request.query("depth").and_then(|depth| depth.parse::<usize>().ok());
    if let Some(depth) = asked {
        let depth = depth.clamp(1, DEEPEST);
        return (depth, FolderGraph::of(input, folder, depth));
    }
    let linked = |graph: &FolderGraph| {
        let ends = graph.edges.iter().flat_map(|edge| [edge.from, edge.to]);
        ends.collect::<std::collections::BTreeSet<_>>().len()
    };
    let mut best = (1, FolderGraph::of(input, folder, 1));
    for depth in 2..=DEEPEST {
        if linked(&best.1) >= FEWEST {
            break;
        }
        let graph = FolderGraph::of(input, folder, depth);
        if linked(&graph) > linked(&best.1) {
            best = (depth, graph);
        }
    }
    best
}

fn depths(body: &mut Page, depth: usize, folder: &Folder) {
    let words: Vec<String> = (1..=DEEPEST).map(|depth| depth.to_string()).collect();
    let items: Vec<Choice<'_>> = (1..=DEEPEST)
        .zip(&words)
        .map(|(item, words)| Choice {
            address: Address::new("/map/graph").with("folder", folder.path()).with("depth", words),
            words,
            is_current: item == depth,
        })
        .collect();
    body.raw("<div class=\"labelled\"><span class=\"soft\">Folder levels</span>\n");
    navigation::choices(body, "segments", "Folder levels", &items);
    body.raw("</div>\n");
}

fn notes(body: &mut Page, graph: &FolderGraph, left_out: usize, folder: &Folder) {
    let mut notes =
        vec!["Folders above import those below. A thicker line means more imports.".to_owned()];
    if !graph.cycles.is_empty() {
        notes.push("Red lines are part of a cycle; the strong ones lead upwards.".to_owned());
    }
    if left_out > 0 {
        notes.push(format!(
            "Not drawn: {}, all in the table.",
            plural(left_out as u64, "weaker dependency")
        ));
    }
    if !folder.is_root() {
        let (outward, inward) = (plural(graph.outward, "import"), plural(graph.inward, "import"));
        notes.push(format!("{outward} lead out of this folder, {inward} lead into it."));
    }
    let ends = |node: usize| graph.edges.iter().any(|edge| edge.from == node || edge.to == node);
    let alone = (0..graph.nodes.len()).filter(|&node| !ends(node));
    let alone: Vec<String> = alone.map(|node| graph.nodes[node].name().to_owned()).collect();
    if !alone.is_empty() {
        let names = rb_core::at_most(8, alone.into_iter());
        notes.push(format!("Without imports from or to other folders: {}.", names.join(", ")));
    }
    body.element("p", "soft caption", &notes.join(" "));
}

/// Groups of folders that import each other, with a way round.
fn cycles<'v>(body: &mut Page, graph: &FolderGraph, path: &impl Fn(FileId) -> &'v str) {
    body.raw("<h2>Cycles</h2>\n");
    if graph.cycles.is_empty() {
        body.element("p", "soft", "No folders import each other in a circle.");
        return;
    }
    body.raw("<ul class=\"cards\">\n");
    for (size, way) in graph.cycles.iter().take(CYCLES) {
        body.raw("<li>");
        body.element("b", "", &format!("{} import each other", plural(*size as u64, "folder")));
        body.raw("<ol class=\"way\">\n");
        for (at, &node) in way.iter().enumerate() {
            let next = way[(at + 1) % way.len()];
            body.raw("<li>");
            body.element("code", "", graph.nodes[node].name());
            body.raw(" imports ");
            body.element("code", "", graph.nodes[next].name());
            let edge = graph.edges.iter().find(|edge| edge.from == node && edge.to == next);
            if let Some(Edge { example: (from, to), .. }) = edge {
                body.raw("<span class=\"soft\">: ");
                body.link(&address::file(path(*from)), path(*from));
                body.raw(" → ");
                body.link(&address::file(path(*to)), path(*to));
                body.raw("</span>");
            }
            body.raw("</li>\n");
        }
        body.raw("</ol></li>\n");
    }
    body.raw("</ul>\n");
    if let Some(more) = graph.cycles.len().checked_sub(CYCLES).filter(|more| *more > 0) {
        body.element("p", "soft", &format!("And {} more.", plural(more as u64, "cycle")));
    }
}

fn table<'v>(
    body: &mut Page,
    request: &Request,
    graph: &FolderGraph,
    depth: usize,
    folder: &Folder,
    path: &impl Fn(FileId) -> &'v str,
) {
    let mut edges: Vec<&Edge> = graph.edges.iter().collect();
    edges.sort_by_key(|edge| (std::cmp::Reverse(edge.imports), edge.from, edge.to));
    let paging = Paging::of(request, edges.len(), ROWS);
    body.raw("<h2>All dependencies</h2>\n");
    body.table(&["Folder", "Imports", "Imports#", "In a cycle", "For example"]);
    for edge in paging.shown(&edges) {
        body.raw("<tr>");
        body.cell("", graph.nodes[edge.from].name());
        body.cell("", graph.nodes[edge.to].name());
        body.cell("number", &count(edge.imports));
        body.cell("bad", if edge.is_cyclic { "yes" } else { "" });
        body.raw("<td class=\"long\">");
        body.link(&address::file(path(edge.example.0)), path(edge.example.0));
        body.raw("</td></tr>\n");
    }
    body.end_table();
    let depth = depth.to_string();
    let address = Address::new("/map/graph").with("folder", folder.path()).with("depth", &depth);
    paging.links(body, &address);
}

#[cfg(test)]
mod tests;
