//! A long list in parts.

use rb_html::Page;

use super::address::Address;
use super::numbers::count;
use crate::request::Request;

/// Which part of a list is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pages) struct Paging {
    /// Counted from 1.
    page: usize,
    size: usize,
    total: usize,
}

impl Paging {
    /// The part that the query names, or the nearest that exists.
    pub(in crate::pages) fn of(request: &Request, total: usize, size: usize) -> Paging {
        let asked = request.query("page").and_then(|page| page.parse().ok()).unwrap_or(1);
        Paging { page: asked.clamp(1, total.div_ceil(size).max(1)), size, total }
    }

    pub(in crate::pages) fn first(&self) -> usize {
        (self.page - 1) * self.size
    }

    pub(in crate::pages) fn shown<'l, T>(&self, list: &'l [T]) -> &'l [T] {
        let first = self.first().min(list.len());
        &list[first..list.len().min(first + self.size)]
    }

    /// Where the reader is, and the ways to the parts before and after. Nothing for a list that is shown whole.
    pub(in crate::pages) fn links(&self, body: &mut Page, address: &Address) {
        if self.total <= self.size {
            return;
        }
        let last = self.total.min(self.first() + self.size);
        body.raw("<nav class=\"paging\" aria-label=\"Pages\">\n");
        let words = format!(
            "{}–{} of {}",
            count(self.first() as u64 + 1),
            count(last as u64),
            count(self.total as u64)
        );
        body.element("span", "soft", &words);
        let mut link = |page: usize, rel: &'static str, words: &'static str| {
            let page = if page > 1 { page.to_string() } else { String::new() };
            let address = address.clone().with("page", &page);
            body.open("a", &[("href", address.text()), ("rel", rel), ("class", "button")]);
            body.text(words);
            body.close("a");
        };
        if self.page > 1 {
            link(self.page - 1, "prev", "Previous");
        }
        if last < self.total {
            link(self.page + 1, "next", "Next");
        }
        body.raw("\n</nav>\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(asked: &str, total: usize) -> (Vec<usize>, String) {
        let query = vec![("page".to_owned(), asked.to_owned())];
        let paging = Paging::of(&Request { query, ..Request::default() }, total, 3);
        let mut body = Page::new();
        paging.links(&mut body, &Address::new("/x"));
        let list: Vec<usize> = (0..total).collect();
        (paging.shown(&list).to_vec(), body.done())
    }

    #[test]
    fn ux4_a_list_is_shown_in_parts_and_every_part_exists() {
        assert_eq!(shown("1", 7).0, [0, 1, 2]);
        assert_eq!(shown("3", 7).0, [6]);
        assert_eq!(shown("99", 7).0, [6]);
        assert_eq!(shown("-1", 7).0, [0, 1, 2]);
        assert_eq!(shown("2", 0).0, [0; 0]);
        assert_eq!(shown("1", 3).1, "");
        let middle = shown("2", 7).1;
        for part in ["4–6 of 7", "href=\"/x\" rel=\"prev\"", "href=\"/x?page=3\" rel=\"next\""] {
            assert!(middle.contains(part), "{middle}");
        }
    }
}
