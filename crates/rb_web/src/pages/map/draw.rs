//! The treemap as SVG.

use rb_html::Page;

use super::files::Measure;
use super::layout::Rect;
use super::steps::Steps;
use super::tree::{Block, Branch, HEADER, Kind};
use crate::pages::code::address::{self, Address};
use crate::pages::code::numbers::plural;

pub(super) const WITHIN: Rect = Rect { x: 0.0, y: 0.0, width: 1200.0, height: 640.0 };

/// Of a letter, in units of the drawing; names of folders are bold.
const LETTER: f64 = 6.3;
const BOLD: f64 = 1.12;
const LINE: f64 = 13.0;

/// What is shown of the files, and where their folders lead.
pub(super) struct Drawing<'d> {
    pub(super) measure: Measure,
    pub(super) steps: &'d Steps,
    /// The page of the map, without a folder.
    pub(super) address: &'d Address,
    /// The folder that is looked at.
    pub(super) folder: &'d str,
}

impl Drawing<'_> {
    pub(super) fn draw(&self, body: &mut Page, tree: &Branch<'_>) {
        let view = format!("0 0 {} {}", WITHIN.width, WITHIN.height);
        let label = format!(
            "Treemap of {} by lines, coloured by {}. The table below has the same numbers.",
            plural(tree.count() as u64, "file"),
            self.measure.words()
        );
        let class = format!("treemap {}", self.measure.class());
        body.raw("<div class=\"map\">\n");
        let attributes =
            [("class", &*class), ("viewBox", &*view), ("role", "group"), ("aria-label", &*label)];
        body.open("svg", &attributes);
        body.raw("\n");
        for block in tree.blocks(WITHIN) {
            self.block(body, &block);
        }
        body.raw("</svg>\n</div>\n");
    }

    fn block(&self, body: &mut Page, block: &Block<'_>) {
        let folder = || self.address.clone().with("folder", block.path).text().to_owned();
        let lines = plural(block.lines, "line");
        let (href, class, label, title) = match block.kind {
            Kind::Folder => (
                Some(folder()),
                "frame",
                block.label.to_owned(),
                format!("{}/ · {lines}", block.path),
            ),
            Kind::File => (
                Some(address::file(block.path)),
                self.steps.class(block.value),
                block.label.to_owned(),
                format!("{} · {lines} · {}", block.path, self.measure.value(block.value)),
            ),
            Kind::Rest(count) => {
                let files = plural(count as u64, "file");
                let label =
                    if block.label.is_empty() { files.clone() } else { block.label.to_owned() };
                let title = format!("{files} in {}/ · {lines}", block.path);
                let leads_here = block.path == self.folder;
                ((!leads_here).then(folder), self.steps.class(block.value), label, title)
            }
        };
        match (&href, block.kind) {
            // A thousand stops of the tabulator help nobody; the table has the files.
            (Some(href), Kind::File) => body.open("a", &[("href", href), ("tabindex", "-1")]),
            (Some(href), _) => body.open("a", &[("href", href), ("aria-label", &title)]),
            (None, _) => body.open("g", &[]),
        }
        body.element("title", "", &title);
        rect(body, class, &block.rect);
        text(body, block, class, &label);
        body.close(if href.is_some() { "a" } else { "g" });
        body.raw("\n");
    }
}

fn rect(body: &mut Page, class: &str, rect: &Rect) {
    let [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(number);
    body.open(
        "rect",
        &[("class", class), ("x", &x), ("y", &y), ("width", &width), ("height", &height)],
    );
    body.close("rect");
}

/// The label, if there is room for it.
fn text(body: &mut Page, block: &Block<'_>, class: &str, label: &str) {
    let rect = &block.rect;
    let is_high = rect.height >= if block.kind == Kind::Folder { HEADER * 2.0 } else { LINE + 3.0 };
    let room = rect.width - 8.0;
    let label = match block.kind {
        Kind::Rest(count) if block.label.is_empty() => {
            whole(label, room).or_else(|| whole(&count.to_string(), room))
        }
        Kind::Folder => fitting(label, room / BOLD),
        Kind::Rest(_) | Kind::File => fitting(label, room),
    };
    let Some(label) = label.filter(|_| is_high) else { return };
    let (x, y) = (number(rect.x + 4.0), number(rect.y + LINE));
    body.open("text", &[("class", class), ("x", &x), ("y", &y)]);
    body.text(&label);
    body.close("text");
}

/// As much of a label as fits; nothing if that says nothing.
fn fitting(label: &str, width: f64) -> Option<String> {
    whole(label, width).or_else(|| {
        let most = letters(width);
        let cut: String = label.chars().take(most.checked_sub(1)?).collect();
        (most >= 5).then(|| format!("{cut}…"))
    })
}

/// The label if all of it fits.
fn whole(label: &str, width: f64) -> Option<String> {
    (label.chars().count() <= letters(width)).then(|| label.to_owned())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a few hundred letters"
)]
fn letters(width: f64) -> usize {
    (width / LETTER).max(0.0) as usize
}

/// With one decimal, and none where it is zero.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux4_a_label_is_cut_to_its_room() {
        assert_eq!(fitting("index.js", 60.0).as_deref(), Some("index.js"));
        assert_eq!(fitting("controllers.js", 60.0).as_deref(), Some("controll…"));
        assert_eq!(fitting("controllers.js", 20.0), None);
        assert_eq!(fitting("a", -3.0), None);
        assert_eq!([number(3.0), number(2.26)], ["3", "2.3"]);
    }
}
