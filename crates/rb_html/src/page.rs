//! The page as it is written: markup is ours, text is foreign.

use std::fmt::Write as _;

/// A name from this program, a value from anywhere.
pub type Attribute<'a> = (&'static str, &'a str);

/// HTML under way, or a part of it. Markup can only be a literal of this program; everything else is escaped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page(String);

impl Page {
    pub fn new() -> Page {
        Page::default()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn done(self) -> String {
        self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn raw(&mut self, html: &'static str) {
        self.0.push_str(html);
    }

    /// A part that was made like this one.
    pub fn append(&mut self, part: &Page) {
        self.0.push_str(&part.0);
    }

    /// Markup that another part of this program made, and in which it escaped everything foreign: a drawn graph.
    pub fn markup(&mut self, svg: &str) {
        self.0.push_str(svg);
    }

    /// Text of any origin. Characters that cannot be seen, or that turn the direction of writing, are shown by their code.
    pub fn text(&mut self, text: &str) {
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

    pub fn open(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push_str("=\"");
            self.text(value);
            self.0.push('"');
        }
        self.0.push('>');
    }

    pub fn close(&mut self, tag: &'static str) {
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
    }

    /// An element with nothing but text in it. An empty class is left out.
    pub fn element(&mut self, tag: &'static str, class: &str, text: &str) {
        if class.is_empty() {
            self.open(tag, &[]);
        } else {
            self.open(tag, &[("class", class)]);
        }
        self.text(text);
        self.close(tag);
    }

    /// A link to a path of ours; `href` must not come from foreign text unless it is encoded (see [`Page::path`]).
    pub fn link(&mut self, href: &str, text: &str) {
        self.open("a", &[("href", href)]);
        self.text(text);
        self.close("a");
    }

    /// Percent-encodes a foreign path, so that it can only be a relative link below `prefix`.
    pub fn path(prefix: &str, path: &str) -> String {
        let mut encoded = prefix.to_owned();
        for byte in path.bytes() {
            if byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte) {
                encoded.push(char::from(byte));
            } else {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
        encoded
    }

    /// Opens a table that scrolls by itself where it is too wide. A heading that ends in `#` is of numbers.
    pub fn table(&mut self, headings: &[&'static str]) {
        self.raw("<div class=\"wide\">\n<table>\n<thead><tr>");
        for heading in headings {
            match heading.strip_suffix('#') {
                Some(heading) => self.element("th", "number", heading),
                None => self.element("th", "", heading),
            }
        }
        self.raw("</tr></thead>\n<tbody>\n");
    }

    pub fn end_table(&mut self) {
        self.raw("</tbody>\n</table>\n</div>\n");
    }

    pub fn cell(&mut self, class: &str, text: &str) {
        self.element("td", class, text);
    }

    /// A bar for a number from 0 to 100, and the number.
    pub fn bar(&mut self, score: u8) {
        self.meter(score);
        self.raw(" ");
        self.text(&score.min(100).to_string());
    }

    /// A bar for a number from 0 to 100. Drawn without inline style, which the policy of `serve` forbids.
    pub fn meter(&mut self, score: u8) {
        let score = score.min(100).to_string();
        self.raw("<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">");
        self.open("rect", &[("width", &score), ("height", "8")]);
        self.raw("</rect></svg>");
    }
}

fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
