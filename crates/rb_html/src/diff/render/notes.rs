//! Notes by line, each shown once.

use std::collections::BTreeMap;

use super::super::Side;
use super::{Layout, Note, NoteKind, columns};
use crate::page::Page;

pub(super) struct Notes<'a> {
    by_line: BTreeMap<(Side, u32), Vec<&'a Note<'a>>>,
}

impl<'a> Notes<'a> {
    pub(super) fn new(notes: &'a [Note<'a>]) -> Notes<'a> {
        let mut by_line: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for note in notes {
            by_line.entry((note.side, note.line)).or_default().push(note);
        }
        Notes { by_line }
    }

    /// The notes of a line, as a row below it.
    pub(super) fn at(&mut self, page: &mut Page, side: Side, line: u32, layout: Layout) {
        let Some(notes) = self.by_line.remove(&(side, line)) else { return };
        page.raw("<tr class=\"notes\">");
        page.open("td", &[("colspan", columns(layout))]);
        for note in notes {
            write(page, note, None);
        }
        page.raw("</td></tr>\n");
    }

    /// The notes of lines that the diff does not show.
    pub(super) fn rest(self, page: &mut Page) {
        for ((_, line), notes) in self.by_line {
            for note in notes {
                write(page, note, Some(line));
            }
        }
    }
}

fn write(page: &mut Page, note: &Note<'_>, line: Option<u32>) {
    let (class, word) = match note.kind {
        NoteKind::Error => ("note bad", "Error"),
        NoteKind::Warning => ("note open", "Warning"),
        NoteKind::Info => ("note soft", "Note"),
    };
    page.open("div", &[("class", class)]);
    page.element("b", "", word);
    if let Some(line) = line.filter(|&line| line > 0) {
        page.element("span", "soft", &format!(" line {line}"));
    }
    page.raw(" <span>");
    page.text(note.text);
    page.raw("</span></div>\n");
}
