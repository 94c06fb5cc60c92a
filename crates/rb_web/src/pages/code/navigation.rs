//! The tabs of the code map, choices between views, and tiles with numbers.

use rb_html::Page;

use super::address::Address;
use super::folder::Folder;

/// The pages of the code map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pages) enum View {
    Treemap,
    Graph,
    Layers,
}

const VIEWS: [(View, &str, &str); 3] = [
    (View::Treemap, "/map", "Files"),
    (View::Graph, "/map/graph", "Dependencies"),
    (View::Layers, "/map/layers", "Layers"),
];

/// The pages of the code map; the folder that is looked at stays.
pub(in crate::pages) fn tabs(body: &mut Page, current: View, folder: &Folder) {
    let items = VIEWS.map(|(view, path, words)| {
        let kept = if view == View::Layers { "" } else { folder.path() };
        Choice {
            address: Address::new(path).with("folder", kept),
            words,
            is_current: view == current,
        }
    });
    choices(body, "tabs", "Code map", &items);
}

/// One of several views of the same thing.
pub(in crate::pages) struct Choice<'w> {
    pub(in crate::pages) address: Address,
    pub(in crate::pages) words: &'w str,
    pub(in crate::pages) is_current: bool,
}

/// `class` says how they look: `tabs` or `segments`.
pub(in crate::pages) fn choices(
    body: &mut Page,
    class: &'static str,
    label: &str,
    items: &[Choice<'_>],
) {
    body.open("nav", &[("class", class), ("aria-label", label)]);
    for item in items {
        body.raw("\n");
        if item.is_current {
            body.open("a", &[("href", item.address.text()), ("aria-current", "page")]);
        } else {
            body.open("a", &[("href", item.address.text())]);
        }
        body.text(item.words);
        body.close("a");
    }
    body.raw("\n</nav>\n");
}

/// Numbers with what they count.
pub(in crate::pages) fn tiles(body: &mut Page, tiles: &[(String, String)]) {
    body.raw("<ul class=\"tiles\">\n");
    for (number, words) in tiles {
        body.raw("<li>");
        body.element("b", "", number);
        body.element("span", "", words);
        body.raw("</li>\n");
    }
    body.raw("</ul>\n");
}
