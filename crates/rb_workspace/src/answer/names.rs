//! From what an answer calls a file to the path that is meant.
//!
//! A name means the file of that path and no other: a bare file name is never looked up elsewhere. Only
//! decoration goes: Markdown around a path line, `./`, and git's `a/` or `b/` where the path behind it
//! exists and the one with it does not.

use std::collections::BTreeSet;

use rb_core::RepoPath;

/// The files that are there.
pub(super) struct Names(BTreeSet<RepoPath>);

/// How many files of the same name are offered as a hint.
const MAX_SIMILAR: usize = 3;

impl Names {
    pub(super) fn new(paths: Vec<RepoPath>) -> Self {
        Names(paths.into_iter().collect())
    }

    pub(super) fn contains(&self, path: &RepoPath) -> bool {
        self.0.contains(path)
    }

    /// The path on a line of its own above a block, if the line is one.
    pub(super) fn path_line(&self, line: &[u8]) -> Option<RepoPath> {
        let line = line.trim_ascii();
        let plain = undecorated(line);
        for candidate in [line, plain] {
            if let Ok(path) = RepoPath::new(candidate)
                && self.0.contains(&path)
            {
                return Some(path);
            }
        }
        let path = self.settle(RepoPath::new(plain.strip_prefix(b"./").unwrap_or(plain)).ok()?);
        (self.0.contains(&path) || looks_like_path(path.as_bytes())).then_some(path)
    }

    /// The path without a diff's prefix or blanks behind it, where only that one exists.
    pub(super) fn settle(&self, path: RepoPath) -> RepoPath {
        let bytes = path.as_bytes();
        let bare = bytes.strip_prefix(b"a/").or_else(|| bytes.strip_prefix(b"b/")).unwrap_or(bytes);
        let spellings = [bytes, bytes.trim_ascii_end(), bare, bare.trim_ascii_end()];
        let known =
            |spelling: &[u8]| RepoPath::new(spelling).ok().filter(|path| self.0.contains(path));
        let found = spellings.into_iter().find_map(known);
        found.unwrap_or(path)
    }

    /// Files elsewhere that end in the same name, for a hint.
    pub(super) fn similar(&self, path: &RepoPath) -> Vec<RepoPath> {
        let same = self.0.iter().filter(|known| known.file_name() == path.file_name());
        same.filter(|known| *known != path).take(MAX_SIMILAR).cloned().collect()
    }

    /// Whether a file that nobody announced may appear at `path`: below a top folder that exists, or at
    /// the root under a name that looks like a file and is not one that lies elsewhere. Names such as
    /// `path/to/x`, `python` or a bare `index.ts` are what answers leave behind by mistake.
    pub(super) fn is_plausible(&self, path: &RepoPath) -> bool {
        if is_placeholder(path) {
            return false;
        }
        match path.ancestors().next() {
            Some(top) => self.0.iter().any(|known| known.is_within(&top) && *known != top),
            None => {
                let name = path.file_name();
                let is_file_like = name.contains(&b'.') || name[0].is_ascii_uppercase();
                is_file_like && self.similar(path).is_empty()
            }
        }
    }
}

/// The example path of many prompts.
pub(super) fn is_placeholder(path: &RepoPath) -> bool {
    path.as_bytes().starts_with(b"path/to/")
}

/// Takes off what Markdown and habit put around a path: heading and list marks, emphasis, backticks,
/// comment marks, `File:` and a final colon.
fn undecorated(line: &[u8]) -> &[u8] {
    const BEFORE: [&[u8]; 8] = [b"<!--", b"//", b"#", b"*", b"`", b">", b"\"", b"-- "];
    const AFTER: [&[u8]; 5] = [b"-->", b"*", b"`", b":", b"\""];
    const LABELS: [&str; 5] = ["file:", "path:", "filename:", "file path:", "filepath:"];
    let mut line = line.trim_ascii();
    loop {
        let front = BEFORE.iter().find_map(|mark| line.strip_prefix(*mark));
        let label = LABELS.iter().find_map(|label| {
            let (head, rest) = line.split_at_checked(label.len())?;
            head.eq_ignore_ascii_case(label.as_bytes()).then_some(rest)
        });
        let back = || AFTER.iter().find_map(|mark| line.strip_suffix(*mark));
        match front.or(label).or_else(back) {
            Some(rest) => line = rest.trim_ascii(),
            None => return line,
        }
    }
}

/// One word with a folder or an extension in it, and not the end of a sentence.
fn looks_like_path(text: &[u8]) -> bool {
    let is_word = !text.iter().any(u8::is_ascii_whitespace);
    let has_parts = text.contains(&b'/') || text.contains(&b'.');
    is_word && has_parts && !text.ends_with(b".") && !text.windows(3).any(|three| three == b"://")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let path = |text: &&str| RepoPath::new(text).unwrap();
        Names::new(["src/a.ts", "src/b b.ts", "Makefile", "b/real.ts"].iter().map(path).collect())
    }

    #[test]
    fn sa4_a_path_line_is_found_under_its_decoration() {
        let check = |line: &str, expected: Option<&str>| {
            let found = names().path_line(line.as_bytes());
            assert_eq!(found, expected.map(|path| RepoPath::new(path).unwrap()), "{line}");
        };
        for line in [
            "src/a.ts",
            "`src/a.ts`",
            "### src/a.ts",
            "**src/a.ts**",
            "File: src/a.ts",
            "src/a.ts:",
            "// src/a.ts",
            "# `src/a.ts`:",
            "<!-- src/a.ts -->",
            "b/src/a.ts",
            "./src/a.ts",
            "* **`src/a.ts`**:",
        ] {
            check(line, Some("src/a.ts"));
        }
        check("src/b b.ts", Some("src/b b.ts"));
        check("Makefile", Some("Makefile"));
        check("b/real.ts", Some("b/real.ts"));
        check("src/new.ts", Some("src/new.ts"));
        check("a.ts", Some("a.ts"));
        for line in
            ["", "Here is the code:", "python", "../x.ts", "/etc/x.d", "e.g.", "https://x.y/z"]
        {
            check(line, None);
        }
    }

    #[test]
    fn sa4_stray_files_are_not_plausible() {
        let check = |path: &str, expected: bool| {
            assert_eq!(names().is_plausible(&RepoPath::new(path).unwrap()), expected, "{path}");
        };
        check("src/new.ts", true);
        check("src/deep/new.ts", true);
        check("README.md", true);
        check("Dockerfile", true);
        check("path/to/a.ts", false);
        check("lib/new.ts", false);
        check("python", false);
        check("a.ts", false);
        check("Makefile/x", false);
    }
}
