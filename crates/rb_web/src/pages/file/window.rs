//! Which lines of a long file are shown, and which of them are marked.

use rb_html::Page;

use crate::pages::code::address;
use crate::pages::code::numbers::count;
use crate::request::Request;

/// Lines that are marked, counted from 1; none if it is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marked {
    first: usize,
    last: usize,
}

impl Marked {
    /// `?lines=12-20` or `?lines=12`
    pub(super) fn of(request: &Request) -> Marked {
        Marked::read(request.query("lines").unwrap_or_default())
            .unwrap_or(Marked { first: 1, last: 0 })
    }

    fn read(text: &str) -> Option<Marked> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (first.parse().ok()?, last.parse().ok()?);
        (first > 0).then_some(Marked { first, last })
    }

    pub(super) fn has(self, line: usize) -> bool {
        (self.first..=self.last).contains(&line)
    }
}

/// More lines make a page slow.
const MOST: usize = 4000;

/// The lines that are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    /// Counted from 1.
    pub(super) first: usize,
    pub(super) last: usize,
    lines: usize,
}

impl Window {
    /// The part of the file with the marked lines, or that the query names by its first line.
    pub(super) fn of(request: &Request, marked: Marked, lines: usize) -> Window {
        let from = request.query("from").and_then(|from| from.parse().ok());
        Window::around(from.unwrap_or(marked.first), lines)
    }

    fn around(line: usize, lines: usize) -> Window {
        let line = line.clamp(1, lines.max(1));
        let first = (line - 1) / MOST * MOST + 1;
        Window { first, last: lines.min(first + MOST - 1), lines }
    }

    /// What is not shown, and how to get there.
    pub(super) fn note(&self, body: &mut Page, path: &str, label: &str) {
        if self.lines <= MOST {
            return;
        }
        body.open("nav", &[("class", "paging"), ("aria-label", label)]);
        let words = format!(
            "Lines {}–{} of {}",
            count(self.first as u64),
            count(self.last as u64),
            count(self.lines as u64)
        );
        body.element("span", "soft", &words);
        let mut link = |from: usize, words: &'static str| {
            body.open(
                "a",
                &[("class", "button"), ("href", &format!("{}?from={from}", address::file(path)))],
            );
            body.text(words);
            body.close("a");
        };
        if self.first > 1 {
            link(self.first - MOST, "Previous");
        }
        if self.last < self.lines {
            link(self.last + 1, "Next");
        }
        body.raw("\n</nav>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux4_lines_of_an_address_are_marked_and_what_is_no_range_marks_nothing() {
        assert_eq!(Marked::read("12-20"), Some(Marked { first: 12, last: 20 }));
        assert_eq!(Marked::read("7"), Some(Marked { first: 7, last: 7 }));
        for text in ["", "a", "0", "3-", "-3", "1-99999999999999999999999"] {
            assert_eq!(Marked::read(text), None, "{text}");
        }
    }

    #[test]
    fn ux4_a_long_file_is_shown_in_parts() {
        let window = |line, lines| {
            let Window { first, last, .. } = Window::around(line, lines);
            (first, last)
        };
        assert_eq!(window(1, 0), (1, 0));
        assert_eq!(window(1, 100), (1, 100));
        assert_eq!(window(4000, 9000), (1, 4000));
        assert_eq!(window(4001, 9000), (4001, 8000));
        assert_eq!(window(99_999, 9000), (8001, 9000));
    }
}
