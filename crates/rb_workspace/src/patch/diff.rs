//! Computing the patch between two states of some files.
//!
//! Lines are compared as bytes, so line ends, a byte order mark and a missing last newline are changes
//! like any other. A file that went away while the same content appeared elsewhere is a rename; files
//! that merely resemble each other are not.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};
use rb_core::RepoPath;
use rb_core::patch::{Change, FilePatch, Hunk, Line, LineKind, ModeChange, Patch};
use thiserror::Error;

use super::lines;
use super::tree::File;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DiffError {
    #[error("`{path}` holds binary content, which a patch cannot carry")]
    Binary { path: RepoPath },
    #[error("`{path}` has too many lines to compare")]
    TooLong { path: RepoPath },
}

type Files = BTreeMap<RepoPath, File>;

/// How many unchanged lines stand around a change.
const CONTEXT: usize = 3;

/// The comparison addresses lines with 31 bits.
const MAX_BYTES: usize = 0x7fff_ffff;

/// The patch that turns `before` into `after`. Files that are the same in both may be left out of both.
pub fn diff(before: &Files, after: &Files) -> Result<Patch, DiffError> {
    let renamed = renames(before, after);
    let moved: BTreeSet<&RepoPath> = renamed.values().copied().collect();
    let mut files = Vec::new();
    for (path, old) in before {
        match after.get(path) {
            Some(new) if new == old => {}
            Some(new) => files.push(modified(path, old, new)?),
            None if moved.contains(path) => {}
            None => {
                let change = Change::Delete { path: path.clone(), mode: old.mode };
                files.push(FilePatch { change, hunks: hunks(path, &old.bytes, b"")? });
            }
        }
    }
    for (path, new) in after.iter().filter(|(path, _)| !before.contains_key(path)) {
        files.push(match renamed.get(path) {
            Some(&from) => {
                let mode = mode_change(&before[from], new);
                let change = Change::Rename { from: from.clone(), to: path.clone(), mode };
                FilePatch { change, hunks: Vec::new() }
            }
            None => {
                let change = Change::Create { path: path.clone(), mode: new.mode };
                FilePatch { change, hunks: hunks(path, b"", &new.bytes)? }
            }
        });
    }
    files.sort_by(|a, b| a.change.path().cmp(b.change.path()));
    Ok(Patch { files })
}

fn modified(path: &RepoPath, old: &File, new: &File) -> Result<FilePatch, DiffError> {
    let change = Change::Modify { path: path.clone(), mode: mode_change(old, new) };
    let hunks =
        if old.bytes == new.bytes { Vec::new() } else { hunks(path, &old.bytes, &new.bytes)? };
    Ok(FilePatch { change, hunks })
}

fn mode_change(old: &File, new: &File) -> Option<ModeChange> {
    (old.mode != new.mode).then_some(ModeChange { old: old.mode, new: new.mode })
}

/// New paths whose content left another path, each source used once. A source of the same file name is
/// preferred. Empty files are all alike and move nowhere.
fn renames<'a>(before: &'a Files, after: &'a Files) -> BTreeMap<&'a RepoPath, &'a RepoPath> {
    let mut sources: BTreeMap<&[u8], Vec<&RepoPath>> = BTreeMap::new();
    for (path, file) in before.iter().filter(|(path, _)| !after.contains_key(path)) {
        if !file.bytes.is_empty() {
            sources.entry(&file.bytes).or_default().push(path);
        }
    }
    let mut renamed = BTreeMap::new();
    for (to, file) in after.iter().filter(|(path, _)| !before.contains_key(path)) {
        if let Some(from) = sources.get_mut(file.bytes.as_slice()).filter(|from| !from.is_empty()) {
            let same_name = from.iter().position(|from| from.file_name() == to.file_name());
            renamed.insert(to, from.remove(same_name.unwrap_or(0)));
        }
    }
    renamed
}

fn hunks(path: &RepoPath, before: &[u8], after: &[u8]) -> Result<Vec<Hunk>, DiffError> {
    if before.contains(&0) || after.contains(&0) {
        return Err(DiffError::Binary { path: path.clone() });
    }
    if before.len().max(after.len()) >= MAX_BYTES {
        return Err(DiffError::TooLong { path: path.clone() });
    }
    let (before, after): (Vec<&[u8]>, Vec<&[u8]>) =
        (lines(before).collect(), lines(after).collect());
    Ok(group(&line_diff(&before, &after)))
}

/// Both texts in one sequence of unchanged, removed and added lines.
pub(crate) fn line_diff<'a>(before: &[&'a [u8]], after: &[&'a [u8]]) -> Vec<(LineKind, &'a [u8])> {
    let mut input = InternedInput::default();
    input.update_before(before.iter().copied());
    input.update_after(after.iter().copied());
    // Histogram takes quadratic time where many lines change far apart.
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_lines(&input);
    let mut script = Vec::with_capacity(before.len() + after.len());
    let mut done = 0;
    let mut push = |kind, lines: &[&'a [u8]]| script.extend(lines.iter().map(|&line| (kind, line)));
    for hunk in diff.hunks() {
        let (old, new) = (range(hunk.before), range(hunk.after));
        push(LineKind::Context, &before[done..old.start]);
        done = old.end;
        push(LineKind::Remove, &before[old]);
        push(LineKind::Add, &after[new]);
    }
    push(LineKind::Context, &before[done..]);
    script
}

fn range(range: Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Changes that lie so close that their context touches share a hunk.
fn group(script: &[(LineKind, &[u8])]) -> Vec<Hunk> {
    let mut clusters: Vec<Range<usize>> = Vec::new();
    for at in (0..script.len()).filter(|&at| script[at].0 != LineKind::Context) {
        match clusters.last_mut() {
            Some(last) if at - last.end <= 2 * CONTEXT => last.end = at + 1,
            Some(_) | None => clusters.push(at..at + 1),
        }
    }
    let mut hunks = Vec::with_capacity(clusters.len());
    let (mut old_done, mut new_done, mut done) = (0, 0, 0);
    for cluster in clusters {
        let start = cluster.start.saturating_sub(CONTEXT);
        let end = script.len().min(cluster.end + CONTEXT);
        // Everything between two hunks is unchanged and counts on both sides.
        let skipped = start - done;
        (old_done, new_done, done) = (old_done + skipped, new_done + skipped, end);
        let as_line = |&(kind, text): &(LineKind, &[u8])| Line { kind, text: text.to_vec() };
        let lines = script[start..end].iter().map(as_line).collect();
        let mut hunk = Hunk { old_start: 0, new_start: 0, section: Vec::new(), lines };
        let (old_len, new_len) = hunk.lens();
        hunk.old_start = old_done + usize::from(old_len > 0);
        hunk.new_start = new_done + usize::from(new_len > 0);
        (old_done, new_done) = (old_done + old_len, new_done + new_len);
        hunks.push(hunk);
    }
    hunks
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use rb_core::patch::Mode;

    use super::*;
    use crate::patch::write;

    fn files(list: &[(&str, &str)]) -> Files {
        let entry =
            |&(path, text): &(&str, &str)| (RepoPath::new(path).unwrap(), File::regular(text));
        list.iter().map(entry).collect()
    }

    fn check(before: &[(&str, &str)], after: &[(&str, &str)], expected: &Expect) {
        let patch = diff(&files(before), &files(after)).unwrap();
        expected.assert_eq(&String::from_utf8(write(&patch)).unwrap());
    }

    #[test]
    fn sa4_every_kind_of_change_is_written_as_git_does() {
        check(
            &[
                ("gone", "x\n"),
                ("moved", "m\n"),
                ("same", "s"),
                ("text", "1\n2\n3\n4\n5\n6\n7\n8\n9"),
            ],
            &[
                ("new", ""),
                ("to/moved", "m\n"),
                ("same", "s"),
                ("text", "1\n2\n3\n4\nV\n6\n7\n8\n9\n"),
            ],
            &expect![[r"
                diff --git a/gone b/gone
                deleted file mode 100644
                --- a/gone
                +++ /dev/null
                @@ -1 +0,0 @@
                -x
                diff --git a/new b/new
                new file mode 100644
                diff --git a/text b/text
                --- a/text
                +++ b/text
                @@ -2,8 +2,8 @@
                 2
                 3
                 4
                -5
                +V
                 6
                 7
                 8
                -9
                \ No newline at end of file
                +9
                diff --git a/moved b/to/moved
                similarity index 100%
                rename from moved
                rename to to/moved
            "]],
        );
    }

    #[test]
    fn far_changes_get_hunks_of_their_own() {
        let before: String = (0..30).flat_map(|n| [n.to_string(), "\n".to_owned()]).collect();
        let after = before.replace("\n4\n", "\nfour\n").replace("\n20\n", "\n");
        check(
            &[("f", &before)],
            &[("f", &after)],
            &expect![[r"
            diff --git a/f b/f
            --- a/f
            +++ b/f
            @@ -2,7 +2,7 @@
             1
             2
             3
            -4
            +four
             5
             6
             7
            @@ -18,7 +18,6 @@
             17
             18
             19
            -20
             21
             22
             23
        "]],
        );
    }

    #[test]
    fn sa4_binary_content_is_refused_but_may_move() {
        let (old, new) = (files(&[("a", "\0")]), files(&[("b", "\0")]));
        assert_eq!(diff(&old, &new).unwrap().size(), (0, 0));
        let path = RepoPath::new("a").unwrap();
        assert_eq!(diff(&old, &Files::new()), Err(DiffError::Binary { path: path.clone() }));
        assert_eq!(diff(&old, &files(&[("a", "text")])), Err(DiffError::Binary { path }));
    }

    #[test]
    fn of_equal_files_the_one_of_the_same_name_moves() {
        let patch =
            diff(&files(&[("p/2", "m"), ("q/1", "m")]), &files(&[("r/1", "m"), ("r/2", "m")]))
                .unwrap();
        let from: Vec<String> = patch
            .files
            .iter()
            .flat_map(|file| file.change.paths())
            .map(ToString::to_string)
            .collect();
        assert_eq!(from, ["q/1", "r/1", "p/2", "r/2"]);
    }

    #[test]
    fn a_mode_alone_is_a_change() {
        let old = files(&[("a", "x")]);
        let mut new = old.clone();
        for file in new.values_mut() {
            file.mode = Mode::Executable;
        }
        let patch = diff(&old, &new).unwrap();
        let mode = Some(ModeChange { old: Mode::Regular, new: Mode::Executable });
        assert_eq!(
            patch.files[0].change,
            Change::Modify { path: RepoPath::new("a").unwrap(), mode }
        );
        assert!(patch.files[0].hunks.is_empty());
    }
}
