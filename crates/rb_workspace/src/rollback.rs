//! Rollback: the checkout as the backup holds it.
//!
//! What the run landed is taken back. Work that was done since by others is found first and refused,
//! unless the caller insists; the caller makes a new backup before performing, so a rollback can itself
//! be rolled back. Like a landing it is planned in full, can be performed again after a kill, and takes back
//! what it wrote when a file is saved meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rb_core::fs::{self, BehindLink, Durability, FsError};
use rb_core::{RepoPath, Sha256};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::backup::{Backup, BackupError, SavedFile, SavedKind, snapshot};
use crate::fingerprint::{Depth, Fingerprint, FingerprintError, MarkKind};
use crate::git::{Git, GitError, fields};
use crate::land::{Landing, Move, Step};
use crate::listing::Listing;
use crate::repo::{Head, Kind, Repo};
use crate::swap::{SwapError, Swaps};
use crate::version::Version;

/// Everything that a rollback will do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rollback {
    /// Files that get their saved content and mode back, with what they are now.
    pub restore: BTreeMap<RepoPath, Version>,
    /// Files that were not there, with what they are now.
    pub remove: BTreeMap<RepoPath, Version>,
    pub head: Option<HeadMove>,
    /// The saved index is put back in place of the one with these entries.
    pub index: Option<Sha256>,
}

/// A branch that goes back, or a detached HEAD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadMove {
    pub branch: Option<String>,
    pub from: String,
    pub to: String,
}

/// Whether work of others may be undone with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Insist {
    No,
    Yes,
}

#[derive(Debug, Error)]
pub enum RollbackError {
    #[error("other work was done since: {}", .0.join(", "))]
    OtherWork(Vec<String>),
    #[error("the checkout is on {found}; the backup was made on {expected}")]
    OtherBranch { expected: String, found: String },
    #[error("the backup was made on {expected}, which is gone; the checkout is on {found}")]
    BranchGone { expected: String, found: String },
    #[error("{} stands where a saved file or its folder goes", .0.display())]
    InTheWay(PathBuf),
    #[error("another program has `{0}` open for writing")]
    InUse(RepoPath),
    #[error(transparent)]
    BehindLink(#[from] BehindLink),
    #[error(transparent)]
    Backup(#[from] BackupError),
    #[error(transparent)]
    Fingerprint(#[from] FingerprintError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

impl From<SwapError> for RollbackError {
    fn from(error: SwapError) -> RollbackError {
        match error {
            SwapError::Saved(path) => RollbackError::OtherWork(vec![path.to_string()]),
            SwapError::InUse(path) => RollbackError::InUse(path),
            SwapError::Source(path) => {
                BackupError::from(snapshot::SnapshotError::Mismatch(path.to_string())).into()
            }
            SwapError::BehindLink(error) => RollbackError::BehindLink(error),
            SwapError::Fs(error) => RollbackError::Fs(error),
        }
    }
}

impl Rollback {
    pub fn is_empty(&self) -> bool {
        *self == Rollback::default()
    }
}

/// Plans the way back to `backup`. `landing` is what the run landed, or had begun to.
pub fn plan(
    repo: &Repo,
    backup: &Backup,
    landing: Option<&Landing>,
    insist: Insist,
) -> Result<Rollback, RollbackError> {
    backup.check()?;
    let listing = Listing::of(repo)?;
    let now = Fingerprint::of_listing(repo, &listing, Depth::Full)?;
    let mut planner = Planner {
        plan: Rollback::default(),
        others: Vec::new(),
        ours: landing.map(Landing::after).unwrap_or_default(),
    };
    planner.files(repo, backup, &now, &listing)?;
    planner.head(repo, backup, landing, &now.head)?;
    planner.index(repo, backup)?;
    if insist == Insist::No && !planner.others.is_empty() {
        planner.others.truncate(8);
        return Err(RollbackError::OtherWork(planner.others));
    }
    Ok(planner.plan)
}

struct Planner {
    plan: Rollback,
    others: Vec<String>,
    ours: BTreeMap<RepoPath, Version>,
}

impl Planner {
    fn files(
        &mut self,
        repo: &Repo,
        backup: &Backup,
        now: &Fingerprint,
        listing: &Listing,
    ) -> Result<(), RollbackError> {
        let saved: BTreeMap<&RepoPath, &SavedFile> =
            backup.manifest.files.iter().map(|file| (&file.path, file)).collect();
        for (path, file) in &saved {
            let found = match now.files.get(*path) {
                Some(mark) => Version::from(mark),
                // Ignored by now, or gone.
                None => Version::at(&path.below(&repo.root))?,
            };
            if !found.is(version(file)) {
                can_be_written(&repo.root, path)?;
                self.note_other(path, found);
                self.plan.restore.insert((*path).clone(), found);
            }
        }
        // What nobody told git about is the person's own and stays.
        let ours = self.ours.keys().cloned().collect::<BTreeSet<_>>();
        for path in listing.tracked.union(&ours).filter(|path| !saved.contains_key(path)) {
            let found = Version::at(&path.below(&repo.root))?;
            if matches!(found.kind, MarkKind::File | MarkKind::Link) {
                fs::contained(&repo.root, path)?;
                self.note_other(path, found);
                self.plan.remove.insert(path.clone(), found);
            }
        }
        Ok(())
    }

    fn note_other(&mut self, path: &RepoPath, found: Version) {
        if !self.ours.get(path).is_some_and(|ours| ours.is(found)) {
            self.others.push(path.to_string());
        }
    }

    fn head(
        &mut self,
        repo: &Repo,
        backup: &Backup,
        landing: Option<&Landing>,
        now: &Head,
    ) -> Result<(), RollbackError> {
        if backup.manifest.kind == Kind::Folder || *now == backup.manifest.head {
            return Ok(());
        }
        let name = |head: &Head| match head {
            Head::Branch { name, .. } | Head::Unborn { name } => name.clone(),
            Head::Detached { .. } => "a detached HEAD".to_owned(),
        };
        let (expected, found) = (name(&backup.manifest.head), name(now));
        let (Some(from), Some(to), true) =
            (now.commit(), backup.manifest.head.commit(), expected == found)
        else {
            let is_there = match &backup.manifest.head {
                Head::Branch { name, .. } => repo.branch_exists(name)?,
                Head::Detached { .. } | Head::Unborn { .. } => true,
            };
            return Err(if is_there {
                RollbackError::OtherBranch { expected, found }
            } else {
                RollbackError::BranchGone { expected, found }
            });
        };
        let landed =
            landing.is_some_and(|l| l.commit.is_the_whole_way(backup.manifest.head.commit(), from));
        if !landed {
            self.others.push(format!("commits on {found}"));
        }
        let branch = matches!(now, Head::Branch { .. }).then_some(found);
        self.plan.head = Some(HeadMove { branch, from: from.to_owned(), to: to.to_owned() });
        Ok(())
    }

    fn index(&mut self, repo: &Repo, backup: &Backup) -> Result<(), RollbackError> {
        if backup.manifest.index.is_none() {
            return Ok(());
        }
        let (now, then) = (staged(&repo.git)?, staged(&saved_index(repo, backup))?);
        if now == then {
            return Ok(());
        }
        self.plan.index = Some(Sha256::of(&now));
        let (now, then) = (by_name(&now), by_name(&then));
        let names: BTreeSet<&Vec<u8>> = now.keys().chain(then.keys()).collect();
        for name in names {
            let path = RepoPath::new(name.get(1..).unwrap_or_default()).ok();
            let ours = path.is_some_and(|path| self.ours.contains_key(&path));
            if !ours && now.get(name) != then.get(name) {
                self.others.push(format!("{} in the index", rb_core::path::quote(&name[1..])));
            }
        }
        Ok(())
    }
}

/// The entries of an index, as git lists them.
fn staged(git: &Git) -> Result<Vec<u8>, GitError> {
    git.run(["ls-files", "--stage", "-z"])
}

fn saved_index(repo: &Repo, backup: &Backup) -> Git {
    repo.git.with_env("GIT_INDEX_FILE", backup.dir.join("index"))
}

fn by_name(staged: &[u8]) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let split = |entry: &[u8]| {
        let tab = entry.iter().position(|&byte| byte == b'\t').unwrap_or(0);
        (entry[tab..].to_vec(), entry[..tab].to_vec())
    };
    fields(staged).map(split).collect()
}

/// Whether nothing but a file or a link stands at `path`, and nothing but folders above it.
fn can_be_written(root: &Path, path: &RepoPath) -> Result<(), RollbackError> {
    let place = fs::contained(root, path)?;
    let is_folder = |place: &Path| place.symlink_metadata().ok().map(|meta| meta.is_dir());
    if is_folder(&place) == Some(true) {
        return Err(RollbackError::InTheWay(place));
    }
    let mut above = path.ancestors().map(|folder| folder.below(root));
    match above.find(|folder| is_folder(folder) == Some(false)) {
        Some(file) => Err(RollbackError::InTheWay(file)),
        None => Ok(()),
    }
}

/// What a rollback did, as the landing that a rollback of it has to take back.
pub fn as_landing(restored: &Backup, plan: &Rollback) -> Landing {
    let saved = saved(restored);
    let changed = plan.restore.iter().chain(&plan.remove);
    let steps = changed.map(|(path, before)| Step {
        path: path.clone(),
        before: *before,
        after: saved.get(path).map_or(Version::ABSENT, |file| version(file)),
        old: None,
        entry: None,
    });
    let steps = steps.collect();
    let commit = match &plan.head {
        Some(HeadMove { branch, from, to }) => {
            let branch = branch.clone().unwrap_or_default();
            Move::Forward { branch, from: from.clone(), to: to.clone() }
        }
        None => Move::FilesOnly,
    };
    Landing { steps, commit }
}

/// Does what is left to do of a rollback. `notes` gets what the person has to know.
pub fn perform(
    repo: &Repo,
    backup: &Backup,
    plan: &Rollback,
    reason: &str,
    notes: &mut Vec<String>,
) -> Result<(), RollbackError> {
    check_unmoved(repo, backup, plan)?;
    let mut swaps = Swaps::new(repo);
    let restored =
        write_files(backup, plan, &mut swaps).and_then(|()| move_back(repo, backup, plan, reason));
    let finished = match restored {
        Ok(()) => swaps.finish().map_err(RollbackError::from),
        Err(error) => {
            // The error that led here is the one to report.
            let _ = swaps.undo();
            Err(error)
        }
    };
    notes.extend(swaps.notes());
    finished
}

/// Branch and index go back together: git's own lock keeps others from staging anything meanwhile.
fn move_back(
    repo: &Repo,
    backup: &Backup,
    plan: &Rollback,
    reason: &str,
) -> Result<(), RollbackError> {
    let lock = match plan.index {
        Some(_) => Some(lock_index(repo, backup)?),
        None => None,
    };
    let moved =
        check_index(repo, backup, plan).and_then(|()| move_head(repo, backup, plan, reason));
    match (moved, lock) {
        (Ok(()), Some(lock)) => Ok(fs::rename(&lock, &repo.git_dir.join("index"))?),
        (Err(error), Some(lock)) => {
            fs::remove_file(&lock)?;
            Err(error)
        }
        (moved, None) => moved,
    }
}

/// Takes the lock of the index with the saved index as its content. A lock with that content is one that an
/// earlier process left.
fn lock_index(repo: &Repo, backup: &Backup) -> Result<PathBuf, RollbackError> {
    let (new, lock) = (repo.git_dir.join("index.refactor-bot"), repo.git_dir.join("index.lock"));
    let bytes = fs::read(&backup.dir.join("index"))?;
    fs::write(&new, &bytes, Durability::Synced)?;
    if fs::rename_new(&new, &lock)? {
        return Ok(lock);
    }
    fs::remove_file(&new)?;
    if fs::read_optional(&lock)?.is_some_and(|left| left == bytes) {
        return Ok(lock);
    }
    let message = format!("Unable to create '{}': File exists", lock.display());
    Err(GitError::Unexpected { command: "update-index".to_owned(), message }.into())
}

fn move_head(
    repo: &Repo,
    backup: &Backup,
    plan: &Rollback,
    reason: &str,
) -> Result<(), RollbackError> {
    let Some(HeadMove { branch, from, to }) = &plan.head else { return Ok(()) };
    // Git is not cut off by Ctrl-C here: it would leave its locks behind.
    let git = repo.git.uninterruptible();
    if !repo.has_commit(to)? {
        crate::backup::bring_back(repo, backup)?;
    }
    crate::backup::let_go(repo)?;
    let name = branch.as_ref().map_or("HEAD".to_owned(), |name| format!("refs/heads/{name}"));
    if repo.head()?.commit() != Some(to) {
        git.run(["update-ref", "--no-deref", "-m", reason, &name, to, from])?;
    }
    Ok(())
}

fn saved(backup: &Backup) -> BTreeMap<&RepoPath, &SavedFile> {
    backup.manifest.files.iter().map(|file| (&file.path, file)).collect()
}

fn version(file: &SavedFile) -> Version {
    match file.kind {
        SavedKind::File => Version::file(file.sha256, Some(file.mode)),
        SavedKind::Link => Version::link(file.sha256),
    }
}

/// Everything that is about to be written is still what it was when the rollback was planned, or is
/// already what it should be. A rollback that was cut off and resumed later may find newer work.
fn check_unmoved(repo: &Repo, backup: &Backup, plan: &Rollback) -> Result<(), RollbackError> {
    let saved = saved(backup);
    for (path, planned) in plan.restore.iter().chain(&plan.remove) {
        let found = Version::at(&fs::contained(&repo.root, path)?)?;
        let after = saved.get(path).map_or(Version::ABSENT, |file| version(file));
        if !found.is(*planned) && !found.is(after) {
            return Err(RollbackError::OtherWork(vec![path.to_string()]));
        }
    }
    if let Some(HeadMove { branch, from, to }) = &plan.head {
        let (name, commit) = match repo.head()? {
            Head::Branch { name, commit } => (Some(name), commit),
            Head::Detached { commit } => (None, commit),
            Head::Unborn { name } => (Some(name), String::new()),
        };
        if name != *branch || (commit != *from && commit != *to) {
            return Err(RollbackError::OtherWork(vec!["HEAD".to_owned()]));
        }
    }
    check_index(repo, backup, plan)
}

fn check_index(repo: &Repo, backup: &Backup, plan: &Rollback) -> Result<(), RollbackError> {
    let Some(planned) = plan.index else { return Ok(()) };
    let now = Sha256::of(&staged(&repo.git)?);
    if now == planned || now == Sha256::of(&staged(&saved_index(repo, backup))?) {
        return Ok(());
    }
    Err(RollbackError::OtherWork(vec!["the index".to_owned()]))
}

/// Files that come back first, then those that go.
fn write_files(backup: &Backup, plan: &Rollback, swaps: &mut Swaps) -> Result<(), RollbackError> {
    restore_files(backup, plan, swaps)?;
    for (path, found) in &plan.remove {
        swaps.add(path, *found, Version::ABSENT)?;
        swaps.place(|| Ok(Vec::new()))?;
    }
    Ok(swaps.settle()?)
}

fn restore_files(backup: &Backup, plan: &Rollback, swaps: &mut Swaps) -> Result<(), RollbackError> {
    if plan.restore.is_empty() {
        return Ok(());
    }
    let saved = saved(backup);
    let mut failed = None;
    let archive = backup.dir.join(&backup.manifest.snapshot.file);
    let read = snapshot::read_each(&archive, |path, content| {
        let (Some(file), Some(found), None) = (saved.get(path), plan.restore.get(path), &failed)
        else {
            return Ok(());
        };
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes).map_err(snapshot::SnapshotError::Read)?;
        let placed =
            swaps.add(path, *found, version(file)).and_then(|()| swaps.place(|| Ok(bytes)));
        failed = placed.err();
        Ok(())
    });
    read.map_err(BackupError::from)?;
    failed.map_or(Ok(()), |error| Err(error.into()))
}
