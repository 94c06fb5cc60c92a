//! Working out what a patch does to a tree, exactly or not at all.
//!
//! Nothing is written: the result is the list of files as they were and as they will be. A hunk must
//! fit at its own line numbers; there is no offset and no fuzz.

use std::collections::BTreeSet;

use rb_core::RepoPath;
use rb_core::fs::FsError;
use rb_core::patch::{Change, FilePatch, Hunk, LineKind, ModeChange, Patch};
use thiserror::Error;

use super::conflict::{Conflict, Kind};
use super::tree::{Entry, File, Tree};
use super::{lines, shape};

/// One path before and after a patch; nothing on a side means that the path is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    pub path: RepoPath,
    pub before: Option<File>,
    pub after: Option<File>,
}

#[derive(Debug, Error)]
pub enum ApplyError {
    #[error("the patch does not apply: {}", sentences(.0))]
    Conflicts(Vec<Conflict>),
    #[error("the files to change cannot be read")]
    Tree(#[from] FsError),
}

/// All changes of the patch, sorted by path, or every reason why it does not apply.
pub fn apply(patch: &Patch, tree: &dyn Tree) -> Result<Vec<FileChange>, ApplyError> {
    let (changes, conflicts) = attempt(patch, tree)?;
    if conflicts.is_empty() { Ok(changes) } else { Err(ApplyError::Conflicts(conflicts)) }
}

/// Goes through the whole patch. The changes are complete only where there is no conflict.
pub(super) fn attempt(
    patch: &Patch,
    tree: &dyn Tree,
) -> Result<(Vec<FileChange>, Vec<Conflict>), FsError> {
    let places = Places::of(patch);
    let mut changes = Vec::new();
    let mut conflicts = places.twice.clone();
    for file in &patch.files {
        let mut found = Vec::new();
        for path in file.change.paths() {
            found.extend(places.way_to(path, tree)?);
        }
        if let Change::Create { path, .. } | Change::Rename { to: path, .. } = &file.change {
            found.extend(places.occupied(path, tree)?);
        }
        if found.is_empty() {
            match change(file, tree)? {
                Ok(made) => changes.extend(made),
                Err(conflict) => found.push(conflict),
            }
        }
        conflicts.append(&mut found);
    }
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    conflicts.sort();
    conflicts.dedup();
    Ok((changes, conflicts))
}

/// Which paths the patch empties and which it fills: a folder may give way to a file and the reverse.
struct Places<'a> {
    emptied: BTreeSet<&'a RepoPath>,
    filled: BTreeSet<&'a RepoPath>,
    twice: Vec<Conflict>,
}

impl<'a> Places<'a> {
    fn of(patch: &'a Patch) -> Self {
        let (mut emptied, mut filled, mut seen) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut twice = Vec::new();
        for file in &patch.files {
            for path in file.change.paths() {
                if !seen.insert(path) {
                    twice.push(Conflict::Twice { path: path.clone() });
                }
            }
            match &file.change {
                Change::Create { path, .. } => drop(filled.insert(path)),
                Change::Delete { path, .. } => drop(emptied.insert(path)),
                Change::Modify { .. } => {}
                Change::Rename { from, to, .. } => {
                    emptied.insert(from);
                    filled.insert(to);
                }
            }
        }
        Places { emptied, filled, twice }
    }

    /// Every folder on the way must be one, or become one. The way to what goes away is only looked at
    /// as it is now.
    fn way_to(&self, path: &RepoPath, tree: &dyn Tree) -> Result<Option<Conflict>, FsError> {
        for parent in path.ancestors() {
            let kind = if self.filled.contains(&parent) && !self.emptied.contains(path) {
                Kind::File
            } else {
                match tree.entry(&parent)? {
                    None | Some(Entry::Folder) => continue,
                    Some(Entry::File(_)) if self.emptied.contains(&parent) => continue,
                    Some(entry) => Kind::of(&entry),
                }
            };
            return Ok(Some(Conflict::ParentNotAFolder { path: path.clone(), parent, kind }));
        }
        Ok(None)
    }

    /// A new file needs a free place, or a folder that the patch empties.
    fn occupied(&self, path: &RepoPath, tree: &dyn Tree) -> Result<Option<Conflict>, FsError> {
        let exists = || Some(Conflict::Exists { path: path.clone() });
        match tree.entry(path)? {
            None => Ok(None),
            Some(Entry::File(_) | Entry::Link | Entry::Submodule) => Ok(exists()),
            Some(Entry::Folder) => {
                let stays =
                    |inner: &RepoPath| inner.is_within(path) && !self.emptied.contains(inner);
                Ok(if tree.paths()?.iter().any(stays) { exists() } else { None })
            }
        }
    }
}

type Made = Result<Vec<FileChange>, Conflict>;

fn change(file: &FilePatch, tree: &dyn Tree) -> Result<Made, FsError> {
    if let Err(why) = shape::whole(file) {
        let path = file.change.path().clone();
        return Ok(Err(Conflict::BadHunk { path, hunk: 1, why }));
    }
    let (source, target, mode) = match &file.change {
        Change::Create { path, mode } => {
            return Ok(patched(path, b"", &file.hunks).map(|bytes| {
                let after = Some(File { bytes, mode: *mode });
                vec![FileChange { path: path.clone(), before: None, after }]
            }));
        }
        // As in git, the mode of a deletion is a remark: plain diffs do not carry it.
        Change::Delete { path, .. } => (path, None, None),
        Change::Modify { path, mode } => (path, Some(path), *mode),
        Change::Rename { from, to, mode } => (from, Some(to), *mode),
    };
    let old = match tree.entry(source)? {
        Some(Entry::File(old)) => old,
        Some(entry) => {
            return Ok(Err(Conflict::NotAFile { path: source.clone(), kind: Kind::of(&entry) }));
        }
        None => return Ok(Err(Conflict::Missing { path: source.clone() })),
    };
    Ok(replaced(source, target, mode, old, &file.hunks))
}

fn replaced(
    source: &RepoPath,
    target: Option<&RepoPath>,
    mode: Option<ModeChange>,
    old: File,
    hunks: &[Hunk],
) -> Made {
    if !hunks.is_empty() && old.is_binary() {
        return Err(Conflict::Binary { path: source.clone() });
    }
    let new_mode = match mode {
        Some(ModeChange { old: expected, .. }) if expected != old.mode => {
            let (found, expected) = (old.mode.git(), expected.git());
            return Err(Conflict::Mode { path: source.clone(), found, expected });
        }
        Some(ModeChange { new, .. }) => new,
        None => old.mode,
    };
    let bytes = patched(source, &old.bytes, hunks)?;
    let gone = |before| FileChange { path: source.clone(), before: Some(before), after: None };
    let Some(target) = target else {
        let leftover = Conflict::Leftover { path: source.clone() };
        return if bytes.is_empty() { Ok(vec![gone(old)]) } else { Err(leftover) };
    };
    let after = Some(File { bytes, mode: new_mode });
    Ok(if target == source {
        vec![FileChange { path: source.clone(), before: Some(old), after }]
    } else {
        vec![gone(old), FileChange { path: target.clone(), before: None, after }]
    })
}

fn patched(path: &RepoPath, before: &[u8], hunks: &[Hunk]) -> Result<Vec<u8>, Conflict> {
    let before: Vec<&[u8]> = lines(before).collect();
    let mut walk = shape::Walk::default();
    let mut after = Vec::new();
    let mut done = 0;
    for (index, hunk) in hunks.iter().enumerate() {
        let bad = |why| Conflict::BadHunk { path: path.clone(), hunk: index + 1, why };
        let start = walk.step(hunk).map_err(bad)?;
        let Some(kept) = before.get(done..start) else {
            return Err(Conflict::PastEnd {
                path: path.clone(),
                line: start + 1,
                len: before.len(),
            });
        };
        after.extend(kept.concat());
        done = start;
        for line in &hunk.lines {
            if line.kind != LineKind::Add {
                if before.get(done) != Some(&line.text.as_slice()) {
                    return Err(Conflict::Mismatch { path: path.clone(), line: done + 1 });
                }
                done += 1;
            }
            if line.kind != LineKind::Remove {
                after.extend_from_slice(&line.text);
            }
        }
        let open_end = hunk.lines.last().is_some_and(|line| line.kind != LineKind::Context);
        if open_end && done < before.len() {
            return Err(Conflict::NoTrailingContext { path: path.clone(), line: done });
        }
    }
    after.extend(before[done..].concat());
    Ok(after)
}

pub(super) fn sentences<T: ToString>(list: &[T]) -> String {
    list.iter().map(T::to_string).collect::<Vec<_>>().join("; ")
}
