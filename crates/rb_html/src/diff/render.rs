//! A diff as HTML: a table a file, with notes at their lines. It needs `DIFF_STYLE` and no script.

mod code;
mod colours;
mod notes;
mod rows;

use rb_core::plural;

use self::notes::Notes;
use super::{FileDiff, Hunk, Side};
use crate::page::Page;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Unified,
    /// On narrow screens the style sheet makes one column of it.
    SideBySide,
}

/// A remark at a line, such as a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note<'a> {
    pub line: u32,
    pub side: Side,
    pub kind: NoteKind,
    pub text: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    Error,
    Warning,
    Info,
}

#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    pub layout: Layout,
    /// Of this file.
    pub notes: &'a [Note<'a>],
    /// Begins the ids of the file and its lines; unique on the page for each patch.
    pub anchor: &'a str,
    /// Where the whole patch is, for lines that are not shown.
    pub patch: Option<&'a str>,
}

/// How many lines may still be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub lines: usize,
    pub lines_per_file: usize,
}

/// Renders a file of a diff; what does not fit into the budget is counted.
pub fn render(page: &mut Page, file: &FileDiff, view: &View<'_>, budget: &mut Budget) {
    let id = format!("{}-{}", view.anchor, file.index);
    page.open("details", &[("class", "file"), ("id", &id), ("open", "")]);
    summary(page, file);
    let mut notes = Notes::new(view.notes);
    let shown = table(page, file, view, budget.lines.min(budget.lines_per_file), &mut notes);
    budget.lines -= shown;
    remarks(page, file);
    if let Some(more) = file.lines().checked_sub(shown).filter(|&more| more > 0) {
        left_out(page, more, view.patch);
    }
    notes.rest(page);
    page.raw("</details>\n");
}

fn summary(page: &mut Page, file: &FileDiff) {
    page.raw("<summary><span class=\"path\">");
    if let Some(from) = &file.from {
        page.text(from);
        page.raw(" <span aria-label=\"to\">→</span> ");
    }
    page.text(&file.path);
    page.raw("</span> ");
    page.element("span", "change", file.change.words());
    page.raw(" <span class=\"size\">");
    page.element("span", "plus", &format!("+{}", file.added));
    page.raw(" ");
    page.element("span", "minus", &format!("−{}", file.removed));
    page.raw("</span></summary>\n");
}

fn left_out(page: &mut Page, lines: usize, patch: Option<&str>) {
    page.raw("<p class=\"remark\">");
    page.text(&format!("{} not shown", plural(lines, "more line")));
    if let Some(patch) = patch {
        page.raw(". ");
        page.link(patch, "Open the whole patch");
    }
    page.raw("</p>");
}

fn remarks(page: &mut Page, file: &FileDiff) {
    if let Some((old, new)) = &file.modes {
        page.element("p", "remark", &format!("Mode {old} → {new}"));
    }
    if file.is_binary {
        page.element("p", "remark", "Binary file, not shown");
    }
}

/// The number of lines that the table shows, `most` at most.
fn table<'a>(
    page: &mut Page,
    file: &FileDiff,
    view: &View<'a>,
    most: usize,
    notes: &mut Notes<'a>,
) -> usize {
    if most == 0 || file.hunks.is_empty() {
        return 0;
    }
    let (class, head) = match view.layout {
        Layout::Unified => ("diff unified", &["Old line", "New line", "Code"][..]),
        Layout::SideBySide => ("diff split", &["Old line", "Old code", "New line", "New code"][..]),
    };
    page.raw("<div class=\"lines\">");
    let label = format!("Changes in {}", file.path);
    page.open("table", &[("class", class), ("aria-label", &label)]);
    if view.layout == Layout::SideBySide {
        page.raw("<colgroup><col class=\"n\"><col><col class=\"n\"><col></colgroup>\n");
    }
    page.raw("<thead><tr>");
    for heading in head {
        page.element("th", "", heading);
    }
    page.raw("</tr></thead>\n<tbody>\n");
    let mut shown = 0;
    for hunk in &file.hunks {
        heading(page, hunk, view.layout);
        let mut rows = rows::Rows { page, file, view, notes };
        let written = rows.hunk(hunk, most - shown);
        shown += written;
        if written < hunk.lines() || shown == most {
            break;
        }
    }
    page.raw("</tbody></table></div>\n");
    shown
}

fn heading(page: &mut Page, hunk: &Hunk, layout: Layout) {
    page.open("tr", &[("class", "hunk")]);
    page.open("td", &[("colspan", columns(layout))]);
    page.text(&hunk.range);
    if !hunk.section.is_empty() {
        page.raw(" ");
        page.element("span", "section", &hunk.section);
    }
    page.raw("</td></tr>\n");
}

fn columns(layout: Layout) -> &'static str {
    match layout {
        Layout::Unified => "3",
        Layout::SideBySide => "4",
    }
}
