//! What the agent changed: the files of the copy against those of the commit, byte by byte.

use std::collections::BTreeMap;
use std::fs::File as OpenFile;
use std::io::{self, Read as _, Seek as _};

use rb_core::folder::FolderRoot;
use rb_core::fs::FsError;
use rb_core::patch::Mode;
use rb_core::{RepoPath, Sha256};
use rb_workspace::patch::{File, FileChange};

use crate::copy::{Copy, Tracked, is_folder, mode_of};
use crate::error::AgentError;
use crate::lockfiles;
use crate::refusal::{Reason, Refusal};
use crate::walk::{MOST_FILES, Walked, walk};

/// Larger files are not taken.
const LARGEST: u64 = 4 << 20;

/// What all changed files may have together.
const MOST_BYTES: u64 = 128 << 20;

pub(crate) struct Difference {
    pub(crate) changes: Vec<FileChange>,
    pub(crate) refused: Vec<Refusal>,
}

impl Difference {
    fn refused(reason: Reason) -> Self {
        Difference { changes: Vec::new(), refused: vec![Refusal::of_all(reason)] }
    }
}

/// Reads the copy. Whatever is refused stays as it was; the rest is the change.
pub(crate) fn compare(copy: &Copy) -> Result<Difference, AgentError> {
    // Not followed where it is a link now: nothing outside is ever read.
    if !is_folder(&copy.root) {
        return Ok(Difference::refused(Reason::NoCopy));
    }
    let Some(walked) = walk(copy)? else {
        return Ok(Difference::refused(Reason::TooManyFiles { most: MOST_FILES }));
    };
    let Walked { files, blocked, mut refused, .. } = walked;
    let failed = |source| FsError { what: "read", path: copy.root.clone(), source };
    let root = FolderRoot::open(&copy.root).map_err(failed)?;
    let mut after: BTreeMap<RepoPath, Option<File>> = BTreeMap::new();
    let mut bytes = 0;
    for path in files {
        match look(&root, copy, &path) {
            Ok(Found::Same) => {}
            Ok(Found::Mode) => refused.push(Refusal::new(&path, Reason::Mode)),
            Ok(Found::Changed { file, mode_changed }) => {
                if mode_changed {
                    refused.push(Refusal::new(&path, Reason::Mode));
                }
                bytes += file.bytes.len() as u64;
                after.insert(path, Some(file));
            }
            Ok(Found::TooLarge(bytes)) => {
                refused.push(Refusal::new(&path, Reason::TooLarge { bytes, most: LARGEST }));
            }
            Err(_) => refused.push(Refusal::new(&path, Reason::Unreadable)),
        }
        if bytes > MOST_BYTES {
            return Ok(Difference::refused(Reason::TooManyBytes { most: MOST_BYTES }));
        }
    }
    for (path, tracked) in missing(copy, &root, &blocked) {
        match tracked {
            Tracked::File { .. } => drop(after.insert(path.clone(), None)),
            Tracked::Link { .. } => refused.push(Refusal::new(path, Reason::TrackedLink)),
            Tracked::Submodule => {}
        }
    }
    bytes += after.keys().map(|path| original_size(copy, path)).sum::<u64>();
    if bytes > MOST_BYTES {
        return Ok(Difference::refused(Reason::TooManyBytes { most: MOST_BYTES }));
    }
    let mut changes = changes(copy, after, &mut refused)?;
    refused.extend(lockfiles::refuse(&mut changes));
    refused.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Difference { changes, refused })
}

fn original_size(copy: &Copy, path: &RepoPath) -> u64 {
    match copy.tracked.get(path) {
        Some(Tracked::File { bytes, .. }) => *bytes,
        Some(Tracked::Link { .. } | Tracked::Submodule) | None => 0,
    }
}

enum Found {
    Same,
    /// Only the permission differs.
    Mode,
    Changed {
        file: File,
        mode_changed: bool,
    },
    TooLarge(u64),
}

fn look(root: &FolderRoot, copy: &Copy, path: &RepoPath) -> io::Result<Found> {
    let mut file = root.file(path)?;
    let meta = file.metadata()?;
    let mode = mode_of(&meta);
    let before = match copy.tracked.get(path) {
        Some(Tracked::File { hash, mode, .. }) => Some((hash, *mode)),
        _ => None,
    };
    if let Some((hash, before)) = before
        && Sha256::of_reader(&mut file)? == *hash
    {
        return Ok(if before == mode { Found::Same } else { Found::Mode });
    }
    if meta.len() > LARGEST {
        return Ok(Found::TooLarge(meta.len()));
    }
    let bytes = read(&mut file)?;
    let kept: Mode = before.map_or(mode, |(_, before)| before);
    Ok(Found::Changed { file: File { bytes, mode: kept }, mode_changed: kept != mode })
}

fn read(file: &mut OpenFile) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Tracked paths where nothing of their kind is any more.
fn missing<'a>(
    copy: &'a Copy,
    root: &FolderRoot,
    blocked: &[RepoPath],
) -> Vec<(&'a RepoPath, &'a Tracked)> {
    let is_blocked = |path: &RepoPath| blocked.iter().any(|folder| path.is_within(folder));
    let is_gone = |path: &RepoPath| {
        let gone = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
        match root.file(path) {
            Ok(_) => false,
            // A folder took its place.
            Err(_) if path.below(&copy.root).symlink_metadata().is_ok_and(|meta| meta.is_dir()) => {
                true
            }
            Err(error) => gone.contains(&error.kind()),
        }
    };
    copy.tracked.iter().filter(|(path, _)| !is_blocked(path) && is_gone(path)).collect()
}

fn changes(
    copy: &Copy,
    after: BTreeMap<RepoPath, Option<File>>,
    refused: &mut Vec<Refusal>,
) -> Result<Vec<FileChange>, AgentError> {
    let mode = |path: &RepoPath| match copy.tracked.get(path) {
        Some(Tracked::File { mode, .. }) => Some(*mode),
        _ => None,
    };
    let known: Vec<&RepoPath> = after.keys().filter(|path| mode(path).is_some()).collect();
    let mut originals = copy.originals(&known)?;
    let mut changes = Vec::new();
    for (path, after) in after {
        let before = originals.remove(&path).zip(mode(&path));
        let before = before.map(|(bytes, mode)| File { bytes, mode });
        if [&before, &after].into_iter().flatten().any(File::is_binary) {
            refused.push(Refusal::new(&path, Reason::Binary));
            continue;
        }
        changes.push(FileChange { path, before, after });
    }
    Ok(changes)
}
