//! Addresses of our own pages. Values are encoded, so that a name of a file cannot lead elsewhere.

use rb_html::Page;

/// An address under construction: a path and its query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::pages) struct Address {
    text: String,
    has_query: bool,
}

impl Address {
    pub(in crate::pages) fn new(path: &str) -> Address {
        Address { text: Page::path("", path), has_query: false }
    }

    /// Adds a value to the query. An empty one is left out.
    #[must_use]
    pub(in crate::pages) fn with(mut self, name: &'static str, value: &str) -> Address {
        if !value.is_empty() {
            self.text.push(if self.has_query { '&' } else { '?' });
            self.text.push_str(name);
            self.text = Page::path(&format!("{}=", self.text), value);
            self.has_query = true;
        }
        self
    }

    pub(in crate::pages) fn text(&self) -> &str {
        &self.text
    }
}

/// The page of a file.
pub(in crate::pages) fn file(path: &str) -> String {
    Page::path("/code/", path)
}

/// The page of a file with some of its lines marked, scrolled to the first.
pub(in crate::pages) fn lines(path: &str, first: u32, last: u32) -> String {
    let range = if first == last { first.to_string() } else { format!("{first}-{last}") };
    format!("{}?lines={range}#L{first}", file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux4_a_name_of_a_file_cannot_lead_elsewhere() {
        let address =
            Address::new("/map").with("folder", "a b/\"&c=1").with("by", "").with("page", "2");
        assert_eq!(address.text(), "/map?folder=a%20b/%22%26c%3D1&page=2");
        assert_eq!(file("javascript:x?#"), "/code/javascript%3Ax%3F%23");
        assert_eq!(lines("a.rs", 3, 3), "/code/a.rs?lines=3#L3");
        assert_eq!(lines("a.rs", 3, 9), "/code/a.rs?lines=3-9#L3");
    }
}
