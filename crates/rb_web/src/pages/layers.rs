//! The architecture: which patterns were found and why, which folders stand above which, where the program begins.

mod imports;

use rb_html::Page;
use rb_index::architecture::{Confidence, Layering};
use rb_index::search::Searchable;
use rb_index::{IndexError, Indexed, Overview};

use self::imports::LayerImports;
use super::code::address::{self, Address};
use super::code::folder::Folder;
use super::code::navigation::{self, View};
use super::code::numbers::{count, plural};
use crate::layout::{Frame, Tab};
use crate::reply::{Problem, Reply};
use crate::request::Request;
use crate::site::Site;

const ENTRY_POINTS: usize = 100;

pub(crate) fn page(site: &Site, _request: &Request) -> Result<Reply, Problem> {
    let body = site.indexed(Searchable::Nothing, |_, indexed| body(indexed))?;
    let frame = Frame { title: "Layers", tab: Tab::Map, scripts: &["code.js"], is_wide: true };
    Ok(frame.reply(site, &body))
}

fn body(indexed: &Indexed) -> Result<Page, IndexError> {
    let overview = indexed.overview()?;
    let mut body = Page::new();
    body.element("h1", "", "Layers");
    navigation::tabs(&mut body, View::Layers, &Folder::default());
    patterns(&mut body, overview);
    if overview.architecture.layers.is_empty() {
        body.element("p", "empty", "No layers were found: no folder imports another.");
    }
    let view = indexed.view()?;
    for layering in &overview.architecture.layers {
        let imports = LayerImports::of(&view, layering);
        layers(&mut body, layering, &imports);
        against(&mut body, layering);
    }
    entry_points(&mut body, overview);
    Ok(body)
}

fn patterns(body: &mut Page, overview: &Overview) {
    let found = &overview.architecture.patterns;
    if found.is_empty() {
        return;
    }
    body.raw("<h2>Architecture</h2>\n<ul class=\"cards\">\n");
    for finding in found {
        body.raw("<li>");
        body.element("b", "", finding.pattern.name());
        if finding.confidence == Confidence::Likely {
            body.raw(" ");
            body.element("span", "badge open", "likely");
        }
        body.raw("<ul class=\"plain soft\">\n");
        for clue in &finding.evidence {
            body.element("li", "", &clue.text);
        }
        body.raw("</ul></li>\n");
    }
    body.raw("</ul>\n");
}

/// A band for each layer, the topmost first.
fn layers(body: &mut Page, layering: &Layering, imports: &LayerImports) {
    body.raw("<h2>");
    match layering.pattern {
        Some(pattern) => body.text(&format!("Layers of {}", pattern.name())),
        None => body.text("Layers by imports"),
    }
    body.raw(
        "</h2>\n<p class=\"soft\">A layer imports those below it.</p>\n<ol class=\"layers\">\n",
    );
    for (at, layer) in layering.layers.iter().enumerate() {
        body.raw("<li>");
        if layering.pattern.is_some() {
            body.element("h3", "", &layer.name);
        }
        body.raw("<ul class=\"folders\">\n");
        for folder in &layer.folders {
            body.raw("<li>");
            body.link(Address::new("/map").with("folder", &folder.path).text(), &folder.path);
            body.raw(" ");
            body.element("span", "soft", &plural(folder.files.into(), "file"));
            body.raw("</li>\n");
        }
        body.raw("</ul>\n");
        let (down, up) = (imports.down(at), imports.up(at));
        body.raw("<p class=\"soft\">");
        body.text(&format!("{} to lower layers", plural(down, "import")));
        if up > 0 {
            body.raw(", ");
            body.element("span", "bad", &format!("{} to higher ones", count(up)));
        }
        body.raw("</p></li>\n");
    }
    body.raw("</ol>\n");
    dependencies(body, layering, imports);
}

fn dependencies(body: &mut Page, layering: &Layering, imports: &LayerImports) {
    let rows = imports.between();
    if rows.is_empty() {
        return;
    }
    body.raw("<details>\n<summary>Dependencies between layers</summary>\n<div>\n");
    body.table(&["From", "To", "Imports#", "Direction"]);
    for (from, to, number) in rows {
        body.raw("<tr>");
        body.cell("long", &layering.layers[from].name);
        body.cell("long", &layering.layers[to].name);
        body.cell("number", &count(number));
        if from < to {
            body.cell("soft", "down");
        } else {
            body.cell("bad", "up");
        }
        body.raw("</tr>\n");
    }
    body.end_table();
    body.raw("</div>\n</details>\n");
}

fn against(body: &mut Page, layering: &Layering) {
    body.raw("<h3>Against the order</h3>\n");
    if layering.against.is_empty() {
        body.element("p", "soft", "No import leads to a higher layer.");
        return;
    }
    body.table(&["From", "To", "Imports#", "For example"]);
    for against in &layering.against {
        body.raw("<tr>");
        body.cell("", &against.from);
        body.cell("", &against.to);
        body.cell("number bad", &count(against.imports.into()));
        body.raw("<td class=\"long\">");
        let (from, to) = &against.example;
        body.link(&address::file(from), from);
        body.raw(" → ");
        body.link(&address::file(to), to);
        body.raw("</td></tr>\n");
    }
    body.end_table();
}

fn entry_points(body: &mut Page, overview: &Overview) {
    let points = &overview.architecture.entry_points;
    body.raw("<h2>Entry points</h2>\n");
    if points.is_empty() {
        body.element("p", "empty", "No entry point was found.");
        return;
    }
    body.table(&["File", "Why", "For"]);
    for point in points.iter().take(ENTRY_POINTS) {
        body.raw("<tr><td class=\"long\">");
        body.link(&address::file(&point.path), &point.path);
        body.raw("</td>");
        body.cell("long", &point.reasons.join("; "));
        body.cell("soft", if point.secondary { "developers" } else { "users" });
        body.raw("</tr>\n");
    }
    body.end_table();
    if let Some(more) = points.len().checked_sub(ENTRY_POINTS).filter(|more| *more > 0) {
        body.element("p", "soft", &format!("And {} more.", count(more as u64)));
    }
}

#[cfg(test)]
mod tests;
