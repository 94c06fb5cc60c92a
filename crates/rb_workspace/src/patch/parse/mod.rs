//! Reading a unified diff, git's extended form or the plain one.
//!
//! The input is foreign: every number, count, name and order is checked, each line is looked at once,
//! and what cannot be carried (binary content, links, submodules, copies) is refused by name. Text around
//! the diffs, as in a mailed patch, is skipped; text that could be a part of one is not.

mod header;
mod hunk;

use std::collections::BTreeSet;

use rb_core::RepoPath;
use rb_core::patch::{Change, FilePatch, Mode, Patch};
use rb_core::path::BadPath;
use thiserror::Error;

use self::header::Header;
use self::hunk::hunks;
use super::name::{self, Tail};
use super::shape::{self, BadHunk};

/// Where reading stopped and why. Lines count from 1.
#[derive(Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct ParseError {
    pub line: usize,
    pub problem: Problem,
}

#[derive(Debug, PartialEq, Eq, Error)]
pub enum Problem {
    #[error("there is no diff")]
    NoDiff,
    #[error("a hunk comes before any file is named")]
    HunkWithoutFile,
    #[error("the file header is not followed by a hunk")]
    NoHunk,
    #[error("the entry says nothing about its file")]
    EmptyEntry,
    #[error("the file name is missing or badly quoted")]
    BadName,
    #[error(transparent)]
    BadPath(#[from] BadPath),
    #[error("the entry names both `{0}` and `{1}`")]
    NamesDiffer(RepoPath, RepoPath),
    #[error("the header lines contradict each other")]
    Contradiction,
    #[error("`{0}` is no file mode")]
    BadMode(String),
    #[error("symbolic links are not changed by patches")]
    Link,
    #[error("submodules are not changed by patches")]
    Submodule,
    #[error("copies are not supported; create the file instead")]
    Copy,
    #[error("binary changes are refused")]
    Binary,
    #[error("combined diffs of merges are not supported")]
    Combined,
    #[error(
        "the hunk header is not `@@ -LINE,COUNT +LINE,COUNT @@`, or a number in it is too large"
    )]
    BadHunkHeader,
    #[error("the header promises {old} old and {new} new lines, the hunk has others")]
    CountMismatch { old: usize, new: usize },
    #[error("the patch ends in the middle")]
    CutOff,
    #[error(transparent)]
    BadHunk(#[from] BadHunk),
    #[error("`{0}` occurs twice")]
    Twice(RepoPath),
}

/// Reads all diffs in `bytes`. Blank input is the empty patch.
pub fn parse(bytes: &[u8]) -> Result<Patch, ParseError> {
    let mut reader = Reader { rest: bytes, line: 1 };
    let mut patch = Patch::default();
    let mut seen = BTreeSet::new();
    while let Some(line) = reader.peek() {
        let at = reader.line;
        let fail = |problem| Err(ParseError { line: at, problem });
        let file = if line.starts_with(b"diff --git ") {
            git_entry(&mut reader)?
        } else if reader.at_names() {
            plain_entry(&mut reader)?
        } else if line.starts_with(b"@@ ") {
            return fail(Problem::HunkWithoutFile);
        } else if is_binary_marker(line) {
            return fail(Problem::Binary);
        } else if line.starts_with(b"diff --cc ") || line.starts_with(b"diff --combined ") {
            return fail(Problem::Combined);
        } else {
            reader.next();
            continue;
        };
        shape::whole(&file).map_err(|why| ParseError { line: at, problem: why.into() })?;
        for path in file.change.paths() {
            if !seen.insert(path.clone()) {
                return fail(Problem::Twice(path.clone()));
            }
        }
        patch.files.push(file);
    }
    if patch.files.is_empty() && !bytes.trim_ascii().is_empty() {
        return Err(ParseError { line: 1, problem: Problem::NoDiff });
    }
    Ok(patch)
}

struct Reader<'a> {
    rest: &'a [u8],
    /// The number of the next line.
    line: usize,
}

impl<'a> Reader<'a> {
    /// The next line with its end.
    fn peek(&self) -> Option<&'a [u8]> {
        super::lines(self.rest).next()
    }

    fn next(&mut self) -> Option<&'a [u8]> {
        let line = self.peek()?;
        self.rest = &self.rest[line.len()..];
        self.line += 1;
        Some(line)
    }

    /// The rest of the next line where it starts with `prefix`, without its end.
    fn take(&mut self, prefix: &[u8]) -> Option<&'a [u8]> {
        let rest = self.peek()?.strip_prefix(prefix)?;
        self.next();
        Some(without_end(rest))
    }

    /// Whether a `---` and a `+++` line come next.
    fn at_names(&self) -> bool {
        let mut lines = super::lines(self.rest);
        let mut starts = |prefix: &[u8]| lines.next().is_some_and(|line| line.starts_with(prefix));
        starts(b"--- ") && starts(b"+++ ")
    }

    /// An error about the line that was just taken.
    fn fail(&self, problem: impl Into<Problem>) -> ParseError {
        ParseError { line: self.line.saturating_sub(1).max(1), problem: problem.into() }
    }
}

/// Headers end in a newline, with a carriage return before it where the patch itself was converted.
fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn is_binary_marker(line: &[u8]) -> bool {
    let line = without_end(line);
    line == b"GIT binary patch" || line.starts_with(b"Binary files ") && line.ends_with(b" differ")
}

fn plain_entry(reader: &mut Reader<'_>) -> Result<FilePatch, ParseError> {
    let (old, new) = names(reader)?;
    let mode = Mode::Regular;
    let change = match (old, new) {
        (Some(old), Some(new)) if old == new => Change::Modify { path: new, mode: None },
        (Some(old), Some(new)) => return Err(reader.fail(Problem::NamesDiffer(old, new))),
        (None, Some(path)) => Change::Create { path, mode },
        (Some(path), None) => Change::Delete { path, mode },
        (None, None) => return Err(reader.fail(Problem::BadName)),
    };
    Ok(FilePatch { change, hunks: hunks(reader)? })
}

fn git_entry(reader: &mut Reader<'_>) -> Result<FilePatch, ParseError> {
    let line = reader.take(b"diff --git ").expect("the caller saw the prefix");
    let equal_name = name::git_line(line);
    let header = Header::read(reader)?;
    let (named, hunks) =
        if reader.at_names() { (Some(names(reader)?), hunks(reader)?) } else { (None, Vec::new()) };
    let change = header.change(named, equal_name).map_err(|problem| reader.fail(problem))?;
    let silent = matches!(change, Change::Modify { mode: None, .. }) && hunks.is_empty();
    if silent { Err(reader.fail(Problem::EmptyEntry)) } else { Ok(FilePatch { change, hunks }) }
}

type Named = (Option<RepoPath>, Option<RepoPath>);

/// The `---` and `+++` lines, which the caller saw.
fn names(reader: &mut Reader<'_>) -> Result<Named, ParseError> {
    let mut next = |prefix: &[u8]| {
        let raw = reader.take(prefix).unwrap_or_default();
        name::read(raw, Tail::Tab).ok_or_else(|| reader.fail(Problem::BadName))
    };
    let (old, new) = (next(b"--- ")?, next(b"+++ ")?);
    name::pair(&old, &new).map_err(|bad| reader.fail(bad))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    /// One entry with this change and this many hunks.
    fn check(text: &str, change: &Change, hunks: usize) {
        let patch = parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!((patch.files.len(), patch.files[0].hunks.len()), (1, hunks), "{text}");
        assert_eq!(patch.files[0].change, *change, "{text}");
    }

    fn check_refused(text: &str, line: usize, problem: Problem) {
        assert_eq!(parse(text.as_bytes()), Err(ParseError { line, problem }), "{text}");
    }

    const PLAIN: &str = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

    #[test]
    fn sa4_reads_git_and_plain_entries() {
        let modify = || Change::Modify { path: path("x"), mode: None };
        check(PLAIN, &modify(), 1);
        check(&format!("diff --git a/x b/x\nindex 1..2 100644\n{PLAIN}"), &modify(), 1);
        check(&format!("From 1\nSubject: x\n---\n x | 2 +-\n\n{PLAIN}-- \n2.47.3\n"), &modify(), 1);
        check(
            "--- x\t2026-01-01 00:00:00 +0100\n+++ x\t2026\n@@ -1 +1 @@ f\n-a\n+b\n",
            &modify(),
            1,
        );
        check("--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n\n-a\n@@ -9 +8,2 @@\n b\n+c\n", &modify(), 2);
        check(
            "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n",
            &Change::Create { path: path("x"), mode: Mode::Regular },
            1,
        );
        check(
            "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
            &Change::Delete { path: path("x"), mode: Mode::Regular },
            1,
        );
        let empty = "diff --git a/x y b/x y\nnew file mode 100755\nindex 000..e69\n";
        check(empty, &Change::Create { path: path("x y"), mode: Mode::Executable }, 0);
        let rename = "diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n";
        let renamed = || Change::Rename { from: path("x"), to: path("y"), mode: None };
        check(rename, &renamed(), 0);
        check(
            &format!("{rename}index 1..2 100644\n{}", PLAIN.replace("b/x", "b/y")),
            &renamed(),
            1,
        );
        assert_eq!(parse(b" \n").unwrap(), Patch::default());
    }

    #[test]
    fn sa4_what_a_patch_cannot_carry_is_refused_by_name() {
        let git = |rest: &str| format!("diff --git a/x b/x\n{rest}");
        check_refused(&git("index 1..2\nGIT binary patch\nliteral 1\n"), 3, Problem::Binary);
        check_refused(&git("Binary files a/x and b/x differ\n"), 2, Problem::Binary);
        check_refused("Binary files x and y differ\n", 1, Problem::Binary);
        check_refused("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-\0\n+b\n", 4, Problem::Binary);
        check_refused(&git("new file mode 120000\n"), 2, Problem::Link);
        check_refused(&git("index 1..2 120000\n"), 2, Problem::Link);
        check_refused(&git("index 1..2 160000\n"), 2, Problem::Submodule);
        check_refused(&git("old mode 100648\n"), 2, Problem::BadMode("100648".to_owned()));
        check_refused(&git("copy from x\ncopy to y\n"), 2, Problem::Copy);
        check_refused("diff --cc x\n", 1, Problem::Combined);
    }

    #[test]
    fn sa4_hostile_headers_are_refused() {
        check_refused("nothing here\n", 1, Problem::NoDiff);
        check_refused("@@ -1 +1 @@\n-a\n+b\n", 1, Problem::HunkWithoutFile);
        check_refused("--- a/x\n+++ b/x\n", 2, Problem::NoHunk);
        check_refused("diff --git a/x b/x\nindex 1..2\n", 2, Problem::EmptyEntry);
        check_refused("diff --git a/x b/y\nnew file mode 100644\n", 2, Problem::BadName);
        check_refused("diff --git a/x b/x\nold mode 100644\n", 2, Problem::Contradiction);
        check_refused(&PLAIN.replace("b/x", "b/y"), 2, Problem::NamesDiffer(path("x"), path("y")));
        check_refused(
            &format!("diff --git a/y b/y\n{PLAIN}"),
            6,
            Problem::NamesDiffer(path("y"), path("x")),
        );
        check_refused(&format!("{PLAIN}{PLAIN}"), 6, Problem::Twice(path("x")));
        for outside in ["../x", "/etc/x", ".git/config", "a/../../x", "x\\\\..//y"] {
            let text = format!("--- a/{outside}\n+++ b/{outside}\n@@ -1 +1 @@\n-a\n+b\n");
            let error = parse(text.as_bytes()).unwrap_err();
            assert!(
                matches!(error, ParseError { line: 2, problem: Problem::BadPath(_) }),
                "{error}"
            );
        }
    }

    #[test]
    fn sa4_hostile_hunks_are_refused() {
        let hunks = |text: &str| format!("--- a/x\n+++ b/x\n{text}");
        let bad = |text: &str, line, why| check_refused(&hunks(text), line, Problem::BadHunk(why));
        for header in [
            "@@ -1",
            "@@ -x +1 @@",
            "@@ -1 +99999999999999999999 @@",
            "@@ -1,2000000000 +1 @@",
            "@@ ... @@",
        ] {
            check_refused(&hunks(&format!("{header}\n-a\n+b\n")), 3, Problem::BadHunkHeader);
        }
        let wrong = |old, new| Problem::CountMismatch { old, new };
        check_refused(&hunks("@@ -1 +1 @@\n-a\n-b\n+c\n"), 5, wrong(1, 1));
        check_refused(&hunks("@@ -1 +1 @@\n-a\n+b\n+c\n"), 6, wrong(1, 1));
        check_refused(&hunks("@@ -1,2 +1,2 @@\n-a\n+b\ndiff --git a/y b/y\n"), 6, wrong(2, 2));
        check_refused(&hunks("@@ -1,900000000 +1 @@\n-a\n+b\n"), 5, Problem::CutOff);
        check_refused(&hunks("@@ -1 +1 @@\n-a\n+b"), 5, Problem::CutOff);
        bad("@@ -1 +1 @@\n a\n", 3, BadHunk::ChangesNothing);
        bad("@@ -0 +1 @@\n-a\n+b\n", 3, BadHunk::ZeroStart);
        bad("@@ -3,0 +4 @@\n+b\n", 3, BadHunk::NoOldLine);
        bad("@@ -1,2 +1,2 @@\n-a\n+b\n c\n@@ -2 +2 @@\n-c\n+d\n", 7, BadHunk::OutOfOrder);
        bad("@@ -9 +9 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n", 6, BadHunk::OutOfOrder);
        bad("@@ -1 +7 @@\n-a\n+b\n", 3, BadHunk::NewStart);
        bad("@@ -1 +1,2 @@\n-a\n+b\n\\ No newline at end of file\n+c\n", 3, BadHunk::LineAfterEnd);
        bad("@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n", 4, BadHunk::LineAfterEnd);
        let ended = "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n";
        bad(&format!("{ended}@@ -5 +5 @@\n-a\n+b\n"), 7, BadHunk::LineAfterEnd);
        bad(&format!("{ended}@@ -5 +4,0 @@\n-a\n"), 7, BadHunk::LineAfterEnd);
        bad("@@ -1 +1 @@\n-a\n+\n\\ No newline at end of file\n", 3, BadHunk::BrokenLine);
        let created = "--- /dev/null\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
        check_refused(created, 1, Problem::BadHunk(BadHunk::NotOnlyAdded));
        check_refused(
            &created.replace("/dev/null", "a/x").replace("b/x", "/dev/null"),
            1,
            Problem::BadHunk(BadHunk::NotOnlyRemoved),
        );
    }
}
