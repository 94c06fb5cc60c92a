//! The state of the user's checkout, taken before and compared after every task.
//!
//! A quick look compares sizes, modes and times and reads a file only where these differ; a full look
//! reads every file. Refs of our own branches do not count; everything else does.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZero;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::thread;

use rb_core::fs::{self, FsError};
use rb_core::{RepoPath, Sha256};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::git::GitError;
use crate::listing::Listing;
use crate::repo::{Head, Kind, Repo};

/// What a checkout looked like.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    pub head: Head,
    pub refs: BTreeMap<String, String>,
    /// Over the entries of the index, not its bytes: a mere refresh is no change.
    pub index: Sha256,
    pub files: BTreeMap<RepoPath, Mark>,
}

/// One path of a checkout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    pub kind: MarkKind,
    pub mode: u32,
    pub size: u64,
    pub mtime: (i64, i64),
    /// Of the content, or of a link's target; absent until a full look.
    pub sha256: Option<Sha256>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkKind {
    File,
    Link,
    /// Tracked, and not there.
    Absent,
    /// A folder, socket or device where a file was expected.
    Other,
}

/// How closely files are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    Quick,
    Full,
}

/// One way in which a checkout is not what it was.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Difference {
    Head,
    Ref { name: String },
    Index,
    Changed { path: RepoPath },
    Appeared { path: RepoPath },
    Vanished { path: RepoPath },
}

#[derive(Debug, Error)]
pub enum FingerprintError {
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

impl Fingerprint {
    pub fn take(repo: &Repo, depth: Depth) -> Result<Fingerprint, FingerprintError> {
        Fingerprint::of_listing(repo, &Listing::of(repo)?, depth)
    }

    pub fn of_listing(
        repo: &Repo,
        listing: &Listing,
        depth: Depth,
    ) -> Result<Fingerprint, FingerprintError> {
        let paths: Vec<&RepoPath> = listing.files().collect();
        let files = marks(&repo.root, &paths, depth)?;
        // The repository of a folder without git is the run's own and changes as it works.
        let (refs, index) = match repo.kind {
            Kind::Git => (refs(repo)?, Sha256::of(&repo.git.run(["ls-files", "--stage", "-z"])?)),
            Kind::Folder => (BTreeMap::new(), Sha256::of(b"")),
        };
        Ok(Fingerprint { head: repo.head()?, refs, index, files })
    }

    /// How the checkout differs from this fingerprint now, sorted; empty when it does not.
    pub fn differences(
        &self,
        repo: &Repo,
        depth: Depth,
    ) -> Result<Vec<Difference>, FingerprintError> {
        let now = Fingerprint::take(repo, depth)?;
        let mut found = Vec::new();
        if repo.kind == Kind::Git {
            if self.head != now.head {
                found.push(Difference::Head);
            }
            found.extend(
                differing_keys(&self.refs, &now.refs)
                    .map(|name| Difference::Ref { name: name.clone() }),
            );
            if self.index != now.index {
                found.push(Difference::Index);
            }
        }
        for path in differing_keys(&self.files, &now.files) {
            found.extend(difference_at(repo, path, self.files.get(path), now.files.get(path))?);
        }
        found.sort();
        Ok(found)
    }
}

fn difference_at(
    repo: &Repo,
    path: &RepoPath,
    before: Option<&Mark>,
    now: Option<&Mark>,
) -> Result<Option<Difference>, FsError> {
    let absent = |mark: Option<&Mark>| mark.is_none_or(|mark| mark.kind == MarkKind::Absent);
    let path = path.clone();
    Ok(match (absent(before), absent(now), before, now) {
        (true, true, ..) => None,
        (true, false, ..) => Some(Difference::Appeared { path }),
        (false, true, ..) => Some(Difference::Vanished { path }),
        (false, false, Some(before), Some(now)) if same_content(repo, &path, before, now)? => None,
        (false, false, ..) => Some(Difference::Changed { path }),
    })
}

/// Times may differ while the content does not; then the content decides.
fn same_content(repo: &Repo, path: &RepoPath, before: &Mark, now: &Mark) -> Result<bool, FsError> {
    if (before.kind, before.mode, before.size) != (now.kind, now.mode, now.size) {
        return Ok(false);
    }
    let current = match now.sha256 {
        Some(sha256) => Some(sha256),
        None if before.mtime == now.mtime => return Ok(true),
        None => content_hash(&path.below(&repo.root), now.kind)?,
    };
    Ok(match (before.sha256, current) {
        (Some(before), Some(current)) => before == current,
        _ => before.mtime == now.mtime,
    })
}

fn differing_keys<'a, K: Ord, V: PartialEq>(
    a: &'a BTreeMap<K, V>,
    b: &'a BTreeMap<K, V>,
) -> impl Iterator<Item = &'a K> {
    let changed = a.iter().filter(|(key, value)| b.get(*key) != Some(*value)).map(|(key, _)| key);
    changed.chain(b.keys().filter(|key| !a.contains_key(*key)))
}

fn refs(repo: &Repo) -> Result<BTreeMap<String, String>, GitError> {
    let out = repo.git.run(["for-each-ref", "--format=%(objectname) %(refname)"])?;
    Ok(String::from_utf8_lossy(&out)
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter(|(_, name)| !name.starts_with("refs/heads/refactor-bot/"))
        .map(|(commit, name)| (name.to_owned(), commit.to_owned()))
        .collect())
}

fn marks(
    root: &Path,
    paths: &[&RepoPath],
    depth: Depth,
) -> Result<BTreeMap<RepoPath, Mark>, FsError> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get);
    let share = paths.len().div_ceil(workers).max(1);
    let look = |part: &[&RepoPath]| -> Result<Vec<(RepoPath, Mark)>, FsError> {
        let look = |path: &RepoPath| match fs::contained(root, path) {
            Ok(place) => mark(&place, depth),
            // What lies behind a link is not the checkout's.
            Err(_) => Ok(ABSENT),
        };
        part.iter().map(|path| Ok(((*path).clone(), look(path)?))).collect()
    };
    thread::scope(|scope| {
        let parts: Vec<_> =
            paths.chunks(share).map(|part| scope.spawn(move || look(part))).collect();
        let mut all = BTreeMap::new();
        for part in parts {
            all.extend(part.join().expect("a look at files does not panic")?);
        }
        Ok(all)
    })
}

const ABSENT: Mark = Mark { kind: MarkKind::Absent, mode: 0, size: 0, mtime: (0, 0), sha256: None };

/// Looks at one path without following it.
pub(crate) fn mark(path: &Path, depth: Depth) -> Result<Mark, FsError> {
    let Ok(meta) = path.symlink_metadata() else {
        return Ok(ABSENT);
    };
    let kind = match meta.file_type() {
        kind if kind.is_file() => MarkKind::File,
        kind if kind.is_symlink() => MarkKind::Link,
        _ => MarkKind::Other,
    };
    let sha256 = match depth {
        Depth::Quick => None,
        Depth::Full => content_hash(path, kind)?,
    };
    // Of a link neither the mode nor, on some systems, the size means anything.
    let (mode, size) =
        if kind == MarkKind::File { (meta.mode() & 0o7777, meta.size()) } else { (0, 0) };
    Ok(Mark { kind, mode, size, mtime: (meta.mtime(), meta.mtime_nsec()), sha256 })
}

fn content_hash(path: &Path, kind: MarkKind) -> Result<Option<Sha256>, FsError> {
    let failed = |source| FsError { what: "read", path: path.to_owned(), source };
    Ok(match kind {
        MarkKind::File => Some(Sha256::of_reader(&mut fs::open(path)?).map_err(failed)?),
        MarkKind::Link => {
            Some(Sha256::of(path.read_link().map_err(failed)?.as_os_str().as_bytes()))
        }
        MarkKind::Absent | MarkKind::Other => None,
    })
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Head => write!(f, "HEAD moved"),
            Difference::Ref { name } => write!(f, "{name} moved"),
            Difference::Index => write!(f, "the index changed"),
            Difference::Changed { path } => write!(f, "{path} changed"),
            Difference::Appeared { path } => write!(f, "{path} appeared"),
            Difference::Vanished { path } => write!(f, "{path} vanished"),
        }
    }
}
