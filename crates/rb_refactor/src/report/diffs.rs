//! The difference that git shows, taken apart into one patch a file.
//!
//! Each patch applies to the original by itself, and all of them do together. What cannot be parted (a file that gives way to a
//! folder, a file that becomes a link) stays in one patch. It reads what git wrote and no hunk of it.

use std::collections::{BTreeMap, BTreeSet};

use rb_core::path::unquote;
use rb_core::{RepoPath, Sha256};
use serde::Serialize;

/// What happened to one file, as a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileDiff {
    pub(crate) path: RepoPath,
    pub(crate) change: Changed,
    /// What it was called before, where that differs.
    pub(crate) from: Option<RepoPath>,
    pub(crate) added: usize,
    pub(crate) removed: usize,
    pub(crate) patch: Vec<u8>,
    /// Of the file below `diffs/`.
    pub(crate) name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Changed {
    Created,
    Deleted,
    Modified,
    Renamed,
}

impl Changed {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Changed::Created => "created",
            Changed::Deleted => "deleted",
            Changed::Modified => "modified",
            Changed::Renamed => "renamed",
        }
    }
}

/// One patch a file, by path.
pub(crate) fn split(diff: &[u8]) -> Vec<FileDiff> {
    let mut sections: Vec<FileDiff> = sections(diff).filter_map(read).collect();
    sections.sort_by(|a, b| a.path.cmp(&b.path));
    let mut files: Vec<FileDiff> = Vec::new();
    let groups = groups(&sections);
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    for (section, group) in sections.into_iter().zip(groups) {
        match places.get(&group) {
            Some(&place) => files[place].join(section),
            None => {
                places.insert(group, files.len());
                files.push(section);
            }
        }
    }
    name_all(&mut files);
    files
}

/// Lines that were added and removed, by the name that a file has now.
pub(crate) fn lines_by_path(diff: &[u8]) -> BTreeMap<String, usize> {
    let mut lines = BTreeMap::new();
    for file in sections(diff).filter_map(read) {
        let path = String::from_utf8_lossy(file.path.as_bytes()).into_owned();
        *lines.entry(path).or_default() += file.added + file.removed;
    }
    lines
}

/// Within a hunk every line has a mark before it, so that a header can be told from a line that looks like one.
fn sections(diff: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in diff.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(b"diff --git ") {
            starts.push(at);
        }
        at += line.len();
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([diff.len()]).collect();
    starts.into_iter().zip(ends).map(|(start, end)| &diff[start..end])
}

fn read(section: &[u8]) -> Option<FileDiff> {
    let mut lines = section.split(|&byte| byte == b'\n');
    let mut path = both_names(lines.next()?);
    let (mut change, mut from) = (Changed::Modified, None);
    let (mut added, mut removed, mut is_hunk) = (0, 0, false);
    for line in lines {
        if line.starts_with(b"@@ ") {
            is_hunk = true;
        } else if is_hunk {
            added += usize::from(line.starts_with(b"+"));
            removed += usize::from(line.starts_with(b"-"));
        } else if line.starts_with(b"new file mode ") {
            change = Changed::Created;
        } else if line.starts_with(b"deleted file mode ") {
            change = Changed::Deleted;
        } else if let Some(name) = line.strip_prefix(b"rename from ") {
            (change, from) = (Changed::Renamed, plain(name));
        } else if let Some(name) = line.strip_prefix(b"rename to ") {
            path = plain(name);
        }
    }
    let name = String::new();
    Some(FileDiff { path: path?, change, from, added, removed, patch: section.to_vec(), name })
}

/// The one name that stands twice on the first line. For a rename it is none, and other lines tell.
fn both_names(line: &[u8]) -> Option<RepoPath> {
    let names = line.strip_prefix(b"diff --git ")?;
    let half = names.len() / 2;
    let (first, second) = (names.get(..half)?, names.get(half + 1..)?);
    let name = |word: &[u8], side: &[u8]| {
        let word = unquoted(word)?;
        Some(word.strip_prefix(side)?.to_vec())
    };
    let (first, second) = (name(first, b"a/")?, name(second, b"b/")?);
    if first == second { RepoPath::new(first).ok() } else { None }
}

fn plain(word: &[u8]) -> Option<RepoPath> {
    RepoPath::new(unquoted(word)?).ok()
}

fn unquoted(word: &[u8]) -> Option<Vec<u8>> {
    if word.starts_with(b"\"") {
        unquote(std::str::from_utf8(word).ok()?)
    } else {
        Some(word.to_vec())
    }
}

impl FileDiff {
    /// Every path that the patch reads or writes.
    fn paths(&self) -> impl Iterator<Item = &RepoPath> {
        self.from.iter().chain([&self.path])
    }

    fn join(&mut self, other: FileDiff) {
        // What goes must go before something else can take its place.
        if other.change == Changed::Deleted && self.change != Changed::Deleted {
            self.patch = [other.patch, std::mem::take(&mut self.patch)].concat();
        } else {
            self.patch.extend(other.patch);
        }
        self.added += other.added;
        self.removed += other.removed;
        self.change = Changed::Modified;
    }
}

/// For each section the number of the first one that it cannot be parted from.
fn groups(sections: &[FileDiff]) -> Vec<usize> {
    let mut group: Vec<usize> = (0..sections.len()).collect();
    let mut owners: BTreeMap<&RepoPath, usize> = BTreeMap::new();
    let unite = |group: &mut Vec<usize>, a: usize, b: usize| {
        let (one, other) = (group[a].min(group[b]), group[a].max(group[b]));
        group.iter_mut().filter(|it| **it == other).for_each(|it| *it = one);
    };
    for (at, section) in sections.iter().enumerate() {
        for path in section.paths() {
            match owners.get(path) {
                Some(&owner) => unite(&mut group, at, owner),
                None => drop(owners.insert(path, at)),
            }
        }
    }
    for (at, section) in sections.iter().enumerate() {
        for folder in section.paths().flat_map(RepoPath::ancestors) {
            if let Some(&owner) = owners.get(&folder) {
                unite(&mut group, at, owner);
            }
        }
    }
    group
}

/// The longest name of a file without its ending; systems take 255 bytes.
const LONGEST: usize = 180;

/// Names that are unique, also where upper and lower case are one, and that no shell or link has trouble with.
fn name_all(files: &mut [FileDiff]) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let bare: Vec<(String, bool)> = files.iter().map(|file| bare_name(&file.path)).collect();
    for (name, _) in &bare {
        *seen.entry(name.to_lowercase()).or_default() += 1;
    }
    let mut taken = BTreeSet::new();
    for (file, (name, is_whole)) in files.iter_mut().zip(bare) {
        let is_alone = seen[&name.to_lowercase()] == 1;
        let hash = Sha256::of(file.path.as_bytes());
        file.name = format!("{name}.patch");
        if !is_whole || !is_alone || !taken.insert(file.name.to_lowercase()) {
            file.name = format!("{name}-{}.patch", hash.short());
            taken.insert(file.name.to_lowercase());
        }
    }
}

/// The path in one word, and whether all of it is in there.
fn bare_name(path: &RepoPath) -> (String, bool) {
    let mut is_whole = true;
    let mut name = String::new();
    for &byte in path.as_bytes() {
        match byte {
            b'/' => name.push_str("__"),
            b'.' | b'_' | b'-' | b'+' | b'@' => name.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => name.push(char::from(byte)),
            _ => {
                name.push('_');
                is_whole = false;
            }
        }
    }
    if name.len() > LONGEST {
        name = name[name.len() - LONGEST..].to_owned();
        is_whole = false;
    }
    // A dot would hide it, a dash would look like an option.
    if name.starts_with(['.', '-']) {
        name.insert(0, '_');
    }
    (name, is_whole)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use expect_test::{Expect, expect};

    use super::*;

    #[expect(clippy::needless_pass_by_value, reason = "an `Expect` is written in place")]
    #[track_caller]
    fn check(diff: &str, expected: Expect) {
        let mut shown = String::new();
        let mut bytes = 0;
        for file in split(diff.as_bytes()) {
            let FileDiff { path, change, from, added, removed, patch, name } = file;
            let from = from.map(|from| format!(" from {from}")).unwrap_or_default();
            writeln!(shown, "{name}: {path} {}{from} +{added} -{removed}", change.words()).unwrap();
            bytes += patch.len();
        }
        assert_eq!(bytes, diff.len(), "every byte is in one of the patches");
        expected.assert_eq(&shown);
    }

    #[test]
    fn rf9_a_diff_is_parted_by_file() {
        check(
            "diff --git a/src/a.ts b/src/a.ts\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n-diff --git a/x b/x\n+--- b\n@@ -9 +9 @@ f\n-x\n+y\n\
             diff --git a/b b b/b b\nnew file mode 100644\nindex 0..e\n\
             diff --git \"a/\\303\\274\\t\" \"b/\\303\\274\\t\"\ndeleted file mode 100644\n--- \"a/\\303\\274\\t\"\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
             diff --git a/old/name.rs b/new/name.rs\nsimilarity index 100%\nrename from old/name.rs\nrename to new/name.rs\n",
            expect![[r#"
                b_b-32b857b3.patch: b b created +0 -0
                new__name.rs.patch: new/name.rs renamed from old/name.rs +0 -0
                src__a.ts.patch: src/a.ts modified +2 -2
                ___-1adcb62f.patch: "\303\274\t" deleted +0 -1
            "#]],
        );
    }

    #[test]
    fn rf9_names_of_patches_never_meet() {
        let diff: String = ["a/b", "a__b", "A/b", ".env", "-f", "x/[id].tsx"]
            .map(|path| format!("diff --git a/{path} b/{path}\nnew file mode 100644\n"))
            .concat();
        check(
            &diff,
            expect![[r#"
                _-f.patch: -f created +0 -0
                _.env.patch: .env created +0 -0
                A__b-3646f792.patch: A/b created +0 -0
                a__b-c14cddc0.patch: a/b created +0 -0
                a__b-63e5c1c4.patch: a__b created +0 -0
                x___id_.tsx-ea7c7ef0.patch: x/[id].tsx created +0 -0
            "#]],
        );
        let long = format!("{}/x.ts", "very-long-folder/".repeat(40).trim_end_matches('/'));
        let files =
            split(format!("diff --git a/{long} b/{long}\nnew file mode 100644\n").as_bytes());
        assert!(files[0].name.len() < 220 && files[0].name.contains("x.ts-"), "{}", files[0].name);
    }

    #[test]
    fn rf9_what_cannot_be_parted_stays_together() {
        check(
            "diff --git a/lib b/lib\ndeleted file mode 100644\n--- a/lib\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
             diff --git a/lib/x b/lib/x\nnew file mode 100644\n--- /dev/null\n+++ b/lib/x\n@@ -0,0 +1 @@\n+x\n\
             diff --git a/link b/link\ndeleted file mode 100644\n--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n\
             diff --git a/link b/link\nnew file mode 120000\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+lib\n",
            expect![[r#"
                lib.patch: lib modified +1 -1
                link.patch: link modified +1 -1
            "#]],
        );
    }
}
