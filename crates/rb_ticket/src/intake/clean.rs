//! What a reader of the rendered ticket sees, and what was taken out of it.
//!
//! A model must not act on text that the person who handed over the ticket never saw. Where it is unclear whether something is
//! visible, it is removed: it is listed either way. Visible text is never reworded.

mod characters;
mod markup;
mod style;
mod tag;
mod titles;

use rb_trust::printable;

use crate::ticket::{Stripped, StrippedKind};

/// Nothing is read beyond this many bytes of one text. The services allow less.
pub(super) const LONGEST_INPUT: usize = 256 << 10;
/// And this much of it is kept.
pub(super) const LONGEST_TEXT: usize = 64 << 10;
const MOST_STRIPPED: usize = 200;

/// Cleans the texts of one ticket and remembers what was removed from them.
#[derive(Debug, Default)]
pub(super) struct Cleaner {
    pub(super) stripped: Vec<Stripped>,
    pub(super) truncated: bool,
}

impl Cleaner {
    pub(super) fn clean(&mut self, text: &str) -> String {
        let text = self.cut(text, LONGEST_INPUT);
        let text = characters::visible(text, self);
        let text = titles::removed(text, self);
        let text = markup::visible(&text, self);
        let text = tidy(&text);
        self.cut(&text, LONGEST_TEXT).to_owned()
    }

    /// A text of one line.
    pub(super) fn line(&mut self, text: &str) -> String {
        self.clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(super) fn cut<'t>(&mut self, text: &'t str, most: usize) -> &'t str {
        let cut = &text[..text.floor_char_boundary(most)];
        self.truncated |= cut.len() < text.len();
        cut
    }

    fn report(&mut self, kind: StrippedKind, text: &str, line: usize) {
        if self.stripped.len() < MOST_STRIPPED {
            // The middle of a long text is left out, so most of it need not be looked at.
            let text = printable(text.trim());
            self.stripped.push(Stripped { kind, text, line });
        } else {
            self.truncated = true;
        }
    }

    /// In the order of the text: the stages each read it from its start.
    pub(super) fn sort(&mut self) {
        self.stripped.sort_by_key(|stripped| stripped.line);
    }
}

/// No blanks at the ends of lines, and no two empty lines in a row.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.lines().map(str::trim_end) {
        empty = if line.is_empty() { empty + 1 } else { 0 };
        if empty < 2 && !(line.is_empty() && out.is_empty()) {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out
}
