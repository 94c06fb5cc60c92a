//! What lies in the copy after the agent: a bounded walk that follows no link and leaves out what the repository ignores.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;

use rb_core::RepoPath;
use rb_core::folder::{Folder, FolderRoot, Kind};
use rb_core::fs::FsError;

use crate::copy::{Copy, Tracked};
use crate::error::AgentError;
use crate::refusal::{Reason, Refusal};
use crate::text;

/// Names that are looked at before the walk gives up, ignored ones not counted below their folder.
pub(crate) const MOST_FILES: usize = 200_000;

#[derive(Default)]
pub(crate) struct Walked {
    /// Plain files: tracked ones, and new ones that are not ignored.
    pub(crate) files: BTreeSet<RepoPath>,
    /// What was found there says nothing about the tracked files at and below these paths.
    pub(crate) blocked: Vec<RepoPath>,
    pub(crate) refused: Vec<Refusal>,
    names: usize,
}

/// Something that the commit does not have.
struct New {
    path: RepoPath,
    kind: Kind,
}

type Entries = Vec<(Vec<u8>, Kind)>;

/// Nothing where there is too much.
pub(crate) fn walk(copy: &Copy) -> Result<Option<Walked>, AgentError> {
    let failed = |source| FsError { what: "read", path: copy.root.clone(), source };
    let root = FolderRoot::open(&copy.root).map_err(failed)?;
    let mut walked = Walked::default();
    let mut level: Vec<Option<RepoPath>> = vec![None];
    while !level.is_empty() {
        let (mut next, mut new) = (Vec::new(), Vec::new());
        for folder in level {
            let opened = match &folder {
                Some(path) => root.folder(path),
                None => root.top(),
            };
            let Ok(entries) = opened.and_then(|mut opened| list(&mut opened)) else {
                // The root itself was made by us; what is unreadable below it is the agent's doing.
                if let Some(path) = folder {
                    walked.block(path, Reason::Unreadable);
                }
                continue;
            };
            walked.names += entries.len();
            if walked.names > MOST_FILES {
                return Ok(None);
            }
            walked.folder(copy, folder.as_ref(), entries, &mut next, &mut new);
        }
        next.extend(walked.sort_new(copy, new)?.into_iter().map(Some));
        level = next;
    }
    Ok(Some(walked))
}

fn list(folder: &mut Folder) -> std::io::Result<Entries> {
    let mut entries = Vec::new();
    folder.list(|name, kind| {
        if entries.len() <= MOST_FILES {
            entries.push((name.to_vec(), kind));
        }
    })?;
    for (name, kind) in entries.iter_mut().filter(|(_, kind)| *kind == Kind::Unknown) {
        *kind = folder.stat(name)?.kind;
    }
    entries.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(entries)
}

impl Walked {
    fn refuse(&mut self, path: &RepoPath, reason: Reason) {
        self.refused.push(Refusal::new(path, reason));
    }

    fn block(&mut self, path: RepoPath, reason: Reason) {
        self.refuse(&path, reason);
        self.blocked.push(path);
    }

    fn folder(
        &mut self,
        copy: &Copy,
        folder: Option<&RepoPath>,
        entries: Entries,
        next: &mut Vec<Option<RepoPath>>,
        new: &mut Vec<New>,
    ) {
        if let Some(path) = folder
            && !copy.folders.contains(path)
            && entries.iter().any(|(name, _)| name == b".git")
        {
            return self.refuse(path, Reason::NestedRepository);
        }
        for (name, kind) in entries {
            let path = match folder {
                Some(folder) => folder.child(&name),
                None if name == b".git" => continue,
                None => RepoPath::new(&name),
            };
            let path = match path {
                Ok(path) => path,
                Err(error) => {
                    let shown = text::shown(&name);
                    let shown = folder.map_or(shown.clone(), |folder| format!("{folder}/{shown}"));
                    self.refused.push(Refusal::new(shown, Reason::BadName(error)));
                    continue;
                }
            };
            match (copy.tracked.get(&path), kind) {
                (Some(Tracked::Submodule), kind) => self.submodule(copy, &path, kind),
                (Some(Tracked::Link { target }), kind) => {
                    let is_same = kind == Kind::Link && link_target(copy, &path) == *target;
                    if !is_same {
                        self.refuse(&path, Reason::TrackedLink);
                    }
                    self.blocked.push(path);
                }
                (Some(Tracked::File { .. }), Kind::File) => drop(self.files.insert(path)),
                (None, Kind::Folder) if copy.folders.contains(&path) => next.push(Some(path)),
                (Some(Tracked::File { .. }), Kind::Folder) => next.push(Some(path)),
                (Some(Tracked::File { .. }), kind) => self.odd(copy, path, kind),
                (None, kind) => new.push(New { path, kind }),
            }
        }
    }

    /// Git leaves an empty folder in its place.
    fn submodule(&mut self, copy: &Copy, path: &RepoPath, kind: Kind) {
        let is_empty = kind == Kind::Folder
            && rb_core::fs::list(&path.below(&copy.root)).is_ok_and(|names| names.is_empty());
        if !is_empty {
            self.refuse(path, Reason::Submodule);
        }
    }

    fn odd(&mut self, copy: &Copy, path: RepoPath, kind: Kind) {
        let reason = if kind == Kind::Link { link(copy, &path) } else { Reason::Special };
        self.block(path, reason);
    }

    /// Files are taken up, folders returned to be walked, everything else refused, and nothing of it where git ignores it.
    fn sort_new(&mut self, copy: &Copy, new: Vec<New>) -> Result<Vec<RepoPath>, AgentError> {
        let name = |new: &New| {
            let end: &[u8] = if new.kind == Kind::Folder { b"/" } else { b"" };
            [new.path.as_bytes(), end].concat()
        };
        let ignored = copy.ignored(&new.iter().map(name).collect::<Vec<_>>())?;
        let mut folders = Vec::new();
        for new in new.into_iter().filter(|new| !ignored.contains(&name(new))) {
            match new.kind {
                Kind::File => drop(self.files.insert(new.path)),
                Kind::Folder => folders.push(new.path),
                Kind::Link | Kind::Special | Kind::Unknown => self.odd(copy, new.path, new.kind),
            }
        }
        Ok(folders)
    }
}

fn link_target(copy: &Copy, path: &RepoPath) -> Vec<u8> {
    let target = path.below(&copy.root).read_link().unwrap_or_default();
    target.as_os_str().as_bytes().to_vec()
}

fn link(copy: &Copy, path: &RepoPath) -> Reason {
    let target = link_target(copy, path);
    let shown = text::shown(&target);
    if leads_out(path, &target) {
        Reason::LinkOut { target: shown }
    } else {
        Reason::Link { target: shown }
    }
}

/// By its words alone: whether it is absolute or climbs above the repository.
fn leads_out(path: &RepoPath, target: &[u8]) -> bool {
    let mut depth = path.ancestors().count();
    for part in target.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." if depth == 0 => return true,
            b".." => depth -= 1,
            _ => depth += 1,
        }
    }
    target.starts_with(b"/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ag1_a_link_out_of_the_tree_is_known_by_its_words() {
        let check = |path: &str, target: &str, out: bool| {
            let path = RepoPath::new(path).unwrap();
            assert_eq!(leads_out(&path, target.as_bytes()), out, "{path} -> {target}");
        };
        check("a", "b", false);
        check("a", "/etc/passwd", true);
        check("a", "../b", true);
        check("a/b", "../c", false);
        check("a/b", "x/../../../c", true);
    }
}
