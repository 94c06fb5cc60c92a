//! Small parts that the tables of the page share.

use rb_html::Page;

use crate::report::markdown::target;

pub(super) fn heading(page: &mut Page, text: &str) {
    page.element("h2", "", text);
    page.raw("\n");
}

/// To an artifact beside the page.
pub(super) fn link(page: &mut Page, path: &str, words: &str) {
    page.link(&target(path), words);
}

/// A list of foreign lines, cut after `most`; the last item says where the rest is.
pub(super) fn list(page: &mut Page, lines: &[String], most: usize) {
    if lines.is_empty() {
        return;
    }
    page.raw("<ul class=\"plain\">");
    for line in lines.iter().take(most) {
        page.element("li", "", line);
    }
    if lines.len() > most {
        let words = format!("and {} more, in validation-report.json", lines.len() - most);
        page.element("li", "soft", &words);
    }
    page.raw("</ul>\n");
}
