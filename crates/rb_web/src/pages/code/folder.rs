//! A folder of the repository, as an address names it.

use rb_core::RepoPath;
use rb_html::Page;

use super::address::Address;
use crate::request::Request;

/// A path below the root, or empty for the root. What is not such a path is the root, so that an address cannot lead out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::pages) struct Folder(String);

impl Folder {
    pub(in crate::pages) fn of(request: &Request) -> Folder {
        Folder::named(request.query("folder").unwrap_or_default())
    }

    pub(in crate::pages) fn named(text: &str) -> Folder {
        let path = text.trim_matches('/');
        Folder(if RepoPath::new(path).is_ok() { path.to_owned() } else { String::new() })
    }

    pub(in crate::pages) fn path(&self) -> &str {
        &self.0
    }

    pub(in crate::pages) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The rest of a path that lies in this folder.
    pub(in crate::pages) fn strip<'p>(&self, path: &'p str) -> Option<&'p str> {
        if self.is_root() { Some(path) } else { path.strip_prefix(&*self.0)?.strip_prefix('/') }
    }

    /// The way from the root to here. What is not the page itself is a link.
    pub(in crate::pages) fn crumbs(
        &self,
        body: &mut Page,
        root: &str,
        address: &Address,
        end: End,
    ) {
        body.raw("<nav class=\"crumbs\" aria-label=\"Folder\">\n");
        let ends = self.0.match_indices('/').map(|(at, _)| at).chain([self.0.len()]);
        let names = ends.filter(|_| !self.is_root()).map(|at| &self.0[..at]);
        let all: Vec<&str> = [""].into_iter().chain(names).collect();
        for (at, path) in all.iter().enumerate() {
            if at > 0 {
                body.raw("<span class=\"soft\">/</span>");
            }
            let name = if path.is_empty() { root } else { path.rsplit('/').next().unwrap_or(path) };
            if end == End::Here && at + 1 == all.len() {
                body.open("span", &[("aria-current", "page")]);
                body.text(name);
                body.close("span");
            } else {
                body.link(address.clone().with("folder", path).text(), name);
            }
        }
        body.raw("\n</nav>\n");
    }
}

/// What the way to a folder ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pages) enum End {
    /// The folder is what the page is about.
    Here,
    /// The page is about something in it.
    Above,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ux4_a_folder_cannot_lead_out_of_the_repository() {
        for (text, path) in
            [("src/a/", "src/a"), ("../x", ""), ("/etc", "etc"), ("a/../b", ""), ("", "")]
        {
            assert_eq!(Folder::named(text).path(), path, "{text}");
        }
    }

    #[test]
    fn ux4_every_folder_on_the_way_is_a_link() {
        let shown = |path: &str, end: End| {
            let mut body = Page::new();
            Folder::named(path).crumbs(&mut body, "shop", &Address::new("/map"), end);
            body.done()
                .replace("<nav class=\"crumbs\" aria-label=\"Folder\">\n", "")
                .replace("\n</nav>\n", "")
        };
        assert_eq!(shown("", End::Here), "<span aria-current=\"page\">shop</span>");
        assert_eq!(shown("", End::Above), "<a href=\"/map\">shop</a>");
        let way = "<a href=\"/map\">shop</a><span class=\"soft\">/</span><a href=\"/map?folder=a\">a</a><span class=\"soft\">/</span>";
        assert_eq!(shown("a/b", End::Here), format!("{way}<span aria-current=\"page\">b</span>"));
        assert_eq!(shown("a/b", End::Above), format!("{way}<a href=\"/map?folder=a/b\">b</a>"));
    }

    #[test]
    fn ux4_paths_are_cut_at_whole_names() {
        let folder = Folder::named("src");
        assert_eq!(folder.strip("src/a.js"), Some("a.js"));
        assert_eq!(folder.strip("srcs/a.js"), None);
        assert_eq!(folder.strip("src"), None);
        assert_eq!(Folder::default().strip("src/a.js"), Some("src/a.js"));
    }
}
