//! What a repository says elsewhere of its files: `linguist-generated` and `linguist-vendored` in `.gitattributes`, and
//! the lists that package managers leave in a `vendor` folder.
//!
//! Of `.gitattributes` nothing else is read. The innermost file counts first, and in it the last line that matches.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rb_core::RepoPath;
use rb_core::path::unquote;

use crate::content::{self, Limits};
use crate::pattern::{Pattern, Patterns};
use crate::walk::FoundFile;

#[derive(Debug, Default)]
pub struct Attributes {
    /// By the folder that the file is in; empty for the root.
    files: BTreeMap<Box<[u8]>, File>,
    /// Vendor folders that a package manager fills.
    vendor_folders: BTreeSet<Box<[u8]>>,
}

/// What one `.gitattributes` says.
#[derive(Debug, Default)]
struct File {
    generated: Table,
    vendored: Table,
}

/// The lines that speak of one attribute.
#[derive(Debug, Default)]
struct Table {
    patterns: Patterns,
    says: Vec<Declared>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Declared {
    Yes,
    No,
    #[default]
    Nothing,
}

const ATTRIBUTES: &[u8] = b".gitattributes";
/// Files that package managers leave in a folder named `vendor`: Go, Composer.
const VENDOR_LISTS: &[&[u8]] =
    &[b"vendor/modules.txt", b"vendor/autoload.php", b"vendor/composer/installed.json"];
/// Cargo leaves one in each crate.
const CARGO_LIST: &[u8] = b".cargo-checksum.json";

impl Attributes {
    /// From the files that a walk of `root` found.
    pub fn read(root: &Path, files: &[FoundFile]) -> Self {
        let limits = Limits::default();
        Attributes::collect(files.iter().map(|found| &found.path).zip(files), |found| {
            content::read(root, found, &limits).ok().map(|content| content.text)
        })
    }

    /// Do the attributes hang on this file? When it comes, goes or changes, every file is judged anew.
    pub fn hang_on(path: &RepoPath) -> bool {
        path.file_name() == ATTRIBUTES || listed_vendor_folder(path.as_bytes()).is_some()
    }

    /// `read` is asked for the text of each `.gitattributes`.
    fn collect<'p, F>(
        files: impl IntoIterator<Item = (&'p RepoPath, F)>,
        mut read: impl FnMut(F) -> Option<String>,
    ) -> Self {
        let mut attributes = Attributes::default();
        for (path, file) in files {
            let bytes = path.as_bytes();
            if path.file_name() == ATTRIBUTES {
                if let Some(text) = read(file) {
                    attributes.files.insert(folder_of(bytes).into(), File::parse(&text));
                }
            } else if let Some(folder) = listed_vendor_folder(bytes) {
                attributes.vendor_folders.insert(folder.into());
            }
        }
        attributes
    }

    pub fn generated(&self, path: &RepoPath) -> Declared {
        self.ask(path, |file| &file.generated)
    }

    pub fn vendored(&self, path: &RepoPath) -> Declared {
        self.ask(path, |file| &file.vendored)
    }

    /// The vendor folder that the path is in, if a package manager's list proves that it is one.
    pub(super) fn vendor_folder<'p>(&self, path: &'p RepoPath) -> Option<&'p [u8]> {
        if self.vendor_folders.is_empty() {
            return None;
        }
        folders(path.as_bytes()).find(|folder| self.vendor_folders.contains(*folder))
    }

    fn ask(&self, path: &RepoPath, table: impl Fn(&File) -> &Table) -> Declared {
        if self.files.is_empty() {
            return Declared::Nothing;
        }
        let bytes = path.as_bytes();
        let answers = folders(bytes).filter_map(|folder| {
            let table = table(self.files.get(folder)?);
            let below = if folder.is_empty() { bytes } else { &bytes[folder.len() + 1..] };
            let (at, _) = table.patterns.last_match(below, false)?;
            Some(table.says[at])
        });
        answers.into_iter().next().unwrap_or_default()
    }
}

fn folder_of(path: &[u8]) -> &[u8] {
    path.iter().rposition(|&byte| byte == b'/').map_or(b"", |at| &path[..at])
}

/// The folders that a path is in, innermost first, the root as the empty one.
fn folders(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::successors(Some(folder_of(path)), |folder| {
        (!folder.is_empty()).then(|| folder_of(folder))
    })
}

fn listed_vendor_folder(path: &[u8]) -> Option<&[u8]> {
    let ends = |list: &[u8]| {
        path.strip_suffix(list).is_some_and(|above| above.is_empty() || above.ends_with(b"/"))
    };
    if let Some(list) = VENDOR_LISTS.iter().find(|list| ends(list)) {
        return Some(&path[..path.len() - list.len() + "vendor".len()]);
    }
    if !ends(CARGO_LIST) {
        return None;
    }
    let vendor = folder_of(folder_of(path));
    (vendor == b"vendor" || vendor.ends_with(b"/vendor")).then_some(vendor)
}

impl File {
    fn parse(text: &str) -> Self {
        let (mut generated, mut vendored) = (Vec::new(), Vec::new());
        for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
            let Some((pattern, words)) = split_line(line.trim()) else { continue };
            for (name, lines) in
                [("linguist-generated", &mut generated), ("linguist-vendored", &mut vendored)]
            {
                let said = words.split_whitespace().filter_map(|word| said(word, name)).next_back();
                // Neither a folder alone nor the contrary of a pattern can be meant here, by git's rules.
                if let (Some(said), Some(parsed)) = (said, Pattern::parse(&pattern))
                    && !parsed.negated
                    && !parsed.only_folders
                {
                    lines.push((parsed, said));
                }
            }
        }
        File { generated: generated.into(), vendored: vendored.into() }
    }
}

impl From<Vec<(Pattern, Declared)>> for Table {
    fn from(lines: Vec<(Pattern, Declared)>) -> Self {
        let says = lines.iter().map(|&(_, said)| said).collect();
        Table { patterns: lines.into_iter().map(|(pattern, _)| pattern).collect(), says }
    }
}

/// The pattern, which may be quoted, and the rest of the line.
fn split_line(line: &str) -> Option<(Vec<u8>, &str)> {
    if line.starts_with('"') {
        let mut escaped = false;
        let close = line.char_indices().skip(1).find(|&(_, c)| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        })?;
        let (quoted, rest) = line.split_at(close.0 + 1);
        return Some((unquote(quoted)?, rest));
    }
    let (pattern, rest) = line.split_once(char::is_whitespace)?;
    // `[attr]name` defines a macro.
    (!pattern.starts_with("[attr]")).then(|| (pattern.as_bytes().to_vec(), rest))
}

/// What a word says of an attribute, if it speaks of it.
fn said(word: &str, name: &str) -> Option<Declared> {
    let (sign, rest) = match word.strip_prefix(['-', '!']) {
        Some(rest) => (word.chars().next(), rest),
        None => (None, word),
    };
    let value = rest.strip_prefix(name)?;
    match (sign, value) {
        (None, "" | "=true") => Some(Declared::Yes),
        (Some('-'), "") | (None, "=false") => Some(Declared::No),
        (Some('!'), "") => Some(Declared::Nothing),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    fn attributes(files: &[(&str, &str)]) -> Attributes {
        let paths: Vec<RepoPath> = files.iter().map(|(name, _)| path(name)).collect();
        Attributes::collect(paths.iter().zip(files), |(_, text)| Some((*text).to_owned()))
    }

    fn check(files: &[(&str, &str)], rows: &[(&str, Declared)]) {
        let attributes = attributes(files);
        for (asked, expected) in rows {
            assert_eq!(attributes.generated(&path(asked)), *expected, "{asked}");
        }
    }

    #[test]
    fn ix11_linguist_attributes_are_read() {
        let root = "# comment\n*.ts text linguist-generated\napi/** linguist-generated=true eol=lf\n\
                    keep.ts -linguist-generated\n\"with space.ts\" linguist-generated=false\n\
                    open.ts !linguist-generated\nfolder/ linguist-generated\n[attr]linguist-generated x\n\
                    !x.go linguist-generated\nodd.go linguist-generated=maybe\n";
        check(
            &[(".gitattributes", root)],
            &[
                ("a.ts", Declared::Yes),
                ("x/a.ts", Declared::Yes),
                ("api/deep/a.py", Declared::Yes),
                ("keep.ts", Declared::No),
                ("with space.ts", Declared::No),
                ("open.ts", Declared::Nothing),
                ("folder/a.py", Declared::Nothing),
                ("x.go", Declared::Nothing),
                ("odd.go", Declared::Nothing),
                ("a.py", Declared::Nothing),
            ],
        );
    }

    #[test]
    fn ix11_the_inner_attributes_and_the_last_line_count() {
        let files = [
            (
                ".gitattributes",
                "*.ts linguist-generated\n*.js -linguist-generated\n*.js linguist-generated\n",
            ),
            ("own/.gitattributes", "/*.ts -linguist-generated\n"),
        ];
        check(
            &files,
            &[
                ("a.ts", Declared::Yes),
                ("a.js", Declared::Yes),
                ("own/a.ts", Declared::No),
                ("own/deep/a.ts", Declared::Yes),
                ("own/a.js", Declared::Yes),
            ],
        );
        let vendored = attributes(&[(".gitattributes", "lib/* linguist-vendored\n")]);
        assert_eq!(vendored.vendored(&path("lib/a.c")), Declared::Yes);
        assert_eq!(vendored.generated(&path("lib/a.c")), Declared::Nothing);
    }

    #[test]
    fn ix11_a_vendor_folder_is_proven_by_its_list() {
        let attributes = attributes(&[
            ("vendor/modules.txt", ""),
            ("php/vendor/composer/installed.json", ""),
            ("rs/vendor/serde/.cargo-checksum.json", ""),
            ("xvendor/modules.txt", ""),
        ]);
        for (asked, folder) in [
            ("vendor/a/b.go", Some("vendor")),
            ("php/vendor/a.php", Some("php/vendor")),
            ("rs/vendor/serde/lib.rs", Some("rs/vendor")),
            ("xvendor/a.go", None),
            ("src/vendor/a.go", None),
        ] {
            assert_eq!(
                attributes.vendor_folder(&path(asked)),
                folder.map(str::as_bytes),
                "{asked}"
            );
        }
    }
}
