//! The page as it is written: tags are ours, text is foreign.

use std::fmt::Write as _;

use crate::report::markdown::target;

/// HTML under way. `raw` is for what stands in this program; everything else goes through `text`.
pub(super) struct Page(String);

impl Page {
    pub(super) fn new() -> Page {
        Page(String::new())
    }

    pub(super) fn done(self) -> String {
        self.0
    }

    pub(super) fn raw(&mut self, html: &str) {
        self.0.push_str(html);
    }

    /// Text of any origin. What is not seen, or turns the direction of writing, is shown as what it is.
    pub(super) fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(c),
                c if c.is_control() || is_hidden(c) => {
                    let code = format!("\u{27e8}U+{:04X}\u{27e9}", u32::from(c));
                    self.0.push_str(&code);
                }
                c => self.0.push(c),
            }
        }
    }

    pub(super) fn element(&mut self, tag: &'static str, class: &str, text: &str) {
        self.open(tag, class);
        self.text(text);
        let _ = write!(self.0, "</{tag}>");
    }

    pub(super) fn open(&mut self, tag: &'static str, class: &str) {
        if class.is_empty() {
            let _ = write!(self.0, "<{tag}>");
        } else {
            let _ = write!(self.0, "<{tag} class=\"{class}\">");
        }
    }

    pub(super) fn heading(&mut self, text: &str) {
        self.element("h2", "", text);
        self.0.push('\n');
    }

    /// To an artifact beside the page.
    pub(super) fn link(&mut self, path: &str, words: &str) {
        let _ = write!(self.0, "<a href=\"{}\">", target(path));
        self.text(words);
        self.0.push_str("</a>");
    }

    /// A bar for a number from 0 to 100, and the number.
    pub(super) fn bar(&mut self, score: u8) {
        let score = score.min(100);
        let _ = write!(
            self.0,
            "<span class=\"bar\" aria-hidden=\"true\"><i style=\"width:{score}%\"></i></span> {score}"
        );
    }

    /// Opens a table that scrolls by itself where it is too wide. A heading that ends in `#` is of numbers.
    pub(super) fn table(&mut self, headings: &[&str]) {
        self.raw("<div class=\"wide\">\n<table>\n<thead><tr>");
        for heading in headings {
            match heading.strip_suffix('#') {
                Some(heading) => self.element("th", "number", heading),
                None => self.element("th", "", heading),
            }
        }
        self.raw("</tr></thead>\n<tbody>\n");
    }

    pub(super) fn end_table(&mut self) {
        self.raw("</tbody>\n</table>\n</div>\n");
    }

    pub(super) fn cell(&mut self, class: &str, text: &str) {
        self.element("td", class, text);
    }

    /// A list of foreign lines, cut after `most`; where the rest is, is said.
    pub(super) fn list(&mut self, lines: &[String], most: usize) {
        if lines.is_empty() {
            return;
        }
        self.raw("<ul class=\"plain\">");
        for line in lines.iter().take(most) {
            self.element("li", "", line);
        }
        if lines.len() > most {
            let words = format!("and {} more, in validation-report.json", lines.len() - most);
            self.element("li", "soft", &words);
        }
        self.raw("</ul>\n");
    }
}

fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
