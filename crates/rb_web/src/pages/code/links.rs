//! Links from a run to the code that it is about.

use std::path::Path;

use rb_ask::CheckedCitation;
use rb_core::{RepoPath, fs};
use rb_html::Page;

use super::address;

/// A citation of a larger file is not looked at again.
const MOST_BYTES: u64 = 4 << 20;

/// The page shows runs of all repositories, but the code of one: names of files of the others lead nowhere.
pub(in crate::pages) struct CodeLinks<'a> {
    /// The folder of the code, if it is the one that the server shows.
    code: Option<&'a Path>,
}

impl<'a> CodeLinks<'a> {
    /// `repo` is what the run is about, `shown` what the server shows.
    pub(in crate::pages) fn new(repo: &Path, shown: &'a Path) -> CodeLinks<'a> {
        CodeLinks { code: (repo == shown).then_some(shown) }
    }

    pub(in crate::pages) fn file(&self, page: &mut Page, path: &str) {
        match self.code {
            Some(_) => page.link(&address::file(path), path),
            None => page.text(path),
        }
    }

    /// The cited lines, and whether they have changed since.
    pub(in crate::pages) fn citation(&self, page: &mut Page, checked: &CheckedCitation) {
        let citation = &checked.citation;
        let words = citation.place();
        let Some(code) = self.code else {
            page.open("span", &[("class", "cite"), ("title", &citation.quote)]);
            page.text(&words);
            page.close("span");
            return;
        };
        let href = address::lines(&citation.path, citation.first_line, citation.last_line);
        page.open("a", &[("class", "cite"), ("href", &href), ("title", &citation.quote)]);
        page.text(&words);
        page.close("a");
        if has_changed(code, checked) {
            page.raw(" ");
            page.element("span", "badge open", "changed since");
        }
    }
}

fn has_changed(code: &Path, checked: &CheckedCitation) -> bool {
    let path = RepoPath::new(&checked.citation.path).ok();
    let bytes = path.and_then(|path| fs::read_plain(code, &path, MOST_BYTES + 1).ok().flatten());
    bytes.is_none_or(|bytes| bytes.len() as u64 <= MOST_BYTES && !checked.holds_in(bytes))
}

#[cfg(test)]
mod tests {
    use rb_ask::Citation;
    use rb_testkit::Repo;

    use super::*;

    fn written(repo: &Path, shown: &Path) -> String {
        let citation = Citation {
            path: "src/a b.js".to_owned(),
            first_line: 2,
            last_line: 3,
            quote: "return total;".to_owned(),
        };
        let checked = CheckedCitation { citation, hash: None, repaired_from: None, fault: None };
        let links = CodeLinks::new(repo, shown);
        let mut page = Page::new();
        links.file(&mut page, "src/a b.js");
        page.raw("\n");
        links.citation(&mut page, &checked);
        page.done()
    }

    #[test]
    fn ux4_citations_lead_to_the_code_of_their_own_repository_and_say_if_it_has_changed() {
        let repo = Repo::git_repo("//- b.js\nlet b;\n");
        repo.write("src/a b.js", "function sum() {\n  return total;\n}\n");
        let (root, other) = (repo.root(), repo.beside("other"));
        let link = "<a href=\"/code/src/a%20b.js\">src/a b.js</a>\n";
        let cite = "<a class=\"cite\" href=\"/code/src/a%20b.js?lines=2-3#L2\" title=\"return total;\">src/a b.js:2-3</a>";
        assert_eq!(written(root, root), format!("{link}{cite}"));
        assert_eq!(
            written(&other, root),
            "src/a b.js\n<span class=\"cite\" title=\"return total;\">src/a b.js:2-3</span>"
        );
        let changed = format!("{link}{cite} <span class=\"badge open\">changed since</span>");
        repo.write("src/a b.js", "\n\n\n\nfunction sum() {\n  return total;\n}\n");
        assert_eq!(written(root, root), changed);
        fs::remove_file(&root.join("src/a b.js")).unwrap();
        assert_eq!(written(root, root), changed);
    }
}
