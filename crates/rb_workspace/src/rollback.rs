//! Rollback: the checkout as the backup holds it.
//!
//! What the run landed is taken back. Work that was done since by others is found first and refused,
//! unless the caller insists; the caller makes a new backup before performing, so a rollback can itself
//! be rolled back. Like a landing it is planned in full and can be performed again after a kill.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use rb_core::fs::{self, BehindLink, Durability, FsError};
use rb_core::{RepoPath, Sha256};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::backup::{Backup, BackupError, SavedFile, SavedKind, snapshot};
use crate::fingerprint::{Depth, Fingerprint, FingerprintError, MarkKind, mark};
use crate::git::{Git, GitError, fields};
use crate::land::{Landing, Move, Step};
use crate::listing::Listing;
use crate::repo::{Head, Kind, Repo};

/// Everything that a rollback will do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rollback {
    /// Files that get their saved content back, with the content they have now.
    pub restore: BTreeMap<RepoPath, Option<Sha256>>,
    /// Files that were not there, with the content they have now.
    pub remove: BTreeMap<RepoPath, Option<Sha256>>,
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
    #[error("{} stands where a saved file or its folder goes", .0.display())]
    InTheWay(PathBuf),
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
    planner.head(backup, landing, &now.head)?;
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
    ours: BTreeMap<RepoPath, Option<Sha256>>,
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
                Some(mark) => mark.clone(),
                // Ignored by now, or gone.
                None => mark(&path.below(&repo.root), Depth::Full)?,
            };
            let kind = match file.kind {
                SavedKind::File => MarkKind::File,
                SavedKind::Link => MarkKind::Link,
            };
            if (found.kind, found.mode, found.sha256) != (kind, file.mode, Some(file.sha256)) {
                can_be_written(&repo.root, path)?;
                self.note_other(path, found.sha256);
                self.plan.restore.insert((*path).clone(), found.sha256);
            }
        }
        // What nobody told git about is the person's own and stays.
        let ours = self.ours.keys().cloned().collect::<BTreeSet<_>>();
        for path in listing.tracked.union(&ours).filter(|path| !saved.contains_key(path)) {
            let found = mark(&path.below(&repo.root), Depth::Full)?;
            if matches!(found.kind, MarkKind::File | MarkKind::Link) {
                fs::contained(&repo.root, path)?;
                self.note_other(path, found.sha256);
                self.plan.remove.insert(path.clone(), found.sha256);
            }
        }
        Ok(())
    }

    fn note_other(&mut self, path: &RepoPath, found: Option<Sha256>) {
        if self.ours.get(path) != Some(&found) {
            self.others.push(path.to_string());
        }
    }

    fn head(
        &mut self,
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
            return Err(RollbackError::OtherBranch { expected, found });
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
    let saved: BTreeMap<&RepoPath, Sha256> =
        restored.manifest.files.iter().map(|file| (&file.path, file.sha256)).collect();
    let step = |path: &RepoPath, after| Step {
        path: path.clone(),
        before: None,
        after,
        old: None,
        entry: None,
    };
    let restored = plan.restore.keys().map(|path| step(path, saved.get(path).copied()));
    let steps = restored.chain(plan.remove.keys().map(|path| step(path, None))).collect();
    let commit = match &plan.head {
        Some(HeadMove { branch, from, to }) => {
            let branch = branch.clone().unwrap_or_default();
            Move::Forward { branch, from: from.clone(), to: to.clone() }
        }
        None => Move::FilesOnly,
    };
    Landing { steps, commit }
}

/// Does what is left to do of a rollback.
pub fn perform(
    repo: &Repo,
    backup: &Backup,
    plan: &Rollback,
    reason: &str,
) -> Result<(), RollbackError> {
    check_unmoved(repo, backup, plan)?;
    restore_files(repo, backup, &plan.restore)?;
    for path in plan.remove.keys().chain(plan.restore.keys()) {
        fs::remove_file(&fs::temp_sibling(&fs::contained(&repo.root, path)?))?;
    }
    for path in plan.remove.keys() {
        let place = fs::contained(&repo.root, path)?;
        fs::remove_file(&place)?;
        fs::remove_empty_dirs(place.parent().unwrap_or(&repo.root), &repo.root)?;
    }
    // From here on git is not cut off by Ctrl-C: it would leave its locks behind.
    let git = repo.git.uninterruptible();
    if let Some(HeadMove { branch, from, to }) = &plan.head {
        if !repo.has_commit(to)? {
            crate::backup::bring_back(repo, backup)?;
        }
        crate::backup::let_go(repo)?;
        let name = branch.as_ref().map_or("HEAD".to_owned(), |name| format!("refs/heads/{name}"));
        if repo.head()?.commit() != Some(to) {
            git.run(["update-ref", "--no-deref", "-m", reason, &name, to, from])?;
        }
    }
    if plan.index.is_some() {
        let bytes = fs::read(&backup.dir.join("index"))?;
        fs::write(&repo.git_dir.join("index"), &bytes, Durability::Synced)?;
    }
    Ok(())
}

/// Everything that is about to be written is still what it was when the rollback was planned, or is
/// already what it should be. A rollback that was cut off and resumed later may find newer work.
fn check_unmoved(repo: &Repo, backup: &Backup, plan: &Rollback) -> Result<(), RollbackError> {
    let saved: BTreeMap<&RepoPath, &SavedFile> =
        backup.manifest.files.iter().map(|file| (&file.path, file)).collect();
    let other = |what: String| Err(RollbackError::OtherWork(vec![what]));
    for (path, planned) in plan.restore.iter().chain(&plan.remove) {
        let found = mark(&fs::contained(&repo.root, path)?, Depth::Full)?.sha256;
        let (after, is_link) = match saved.get(path) {
            Some(file) => (Some(file.sha256), file.kind == SavedKind::Link),
            None => (None, false),
        };
        // A link is restored in two steps; between them nothing stands there.
        if found != *planned && found != after && !(is_link && found.is_none()) {
            return other(path.to_string());
        }
    }
    if let Some(HeadMove { branch, from, to }) = &plan.head {
        let (name, commit) = match repo.head()? {
            Head::Branch { name, commit } => (Some(name), commit),
            Head::Detached { commit } => (None, commit),
            Head::Unborn { name } => (Some(name), String::new()),
        };
        if name != *branch || (commit != *from && commit != *to) {
            return other("HEAD".to_owned());
        }
    }
    if let Some(planned) = plan.index {
        let now = Sha256::of(&staged(&repo.git)?);
        if now != planned && now != Sha256::of(&staged(&saved_index(repo, backup))?) {
            return other("the index".to_owned());
        }
    }
    Ok(())
}

fn restore_files(
    repo: &Repo,
    backup: &Backup,
    wanted: &BTreeMap<RepoPath, Option<Sha256>>,
) -> Result<(), RollbackError> {
    if wanted.is_empty() {
        return Ok(());
    }
    let saved: BTreeMap<&RepoPath, &SavedFile> =
        backup.manifest.files.iter().map(|file| (&file.path, file)).collect();
    let mut failed = None;
    let archive = backup.dir.join(&backup.manifest.snapshot.file);
    let read = snapshot::read_each(&archive, |path, content| {
        let Some(file) = saved.get(path).filter(|_| wanted.contains_key(path)) else {
            return Ok(());
        };
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes).map_err(snapshot::SnapshotError::Read)?;
        if failed.is_none()
            && let Err(error) = restore_file(&repo.root, file, bytes)
        {
            failed = Some(error);
        }
        Ok(())
    });
    read.map_err(BackupError::from)?;
    failed.map_or(Ok(()), Err)
}

fn restore_file(root: &Path, file: &SavedFile, bytes: Vec<u8>) -> Result<(), RollbackError> {
    let place = fs::contained(root, &file.path)?;
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    match file.kind {
        SavedKind::Link => {
            fs::remove_file(&place)?;
            fs::symlink(Path::new(&std::ffi::OsString::from_vec(bytes)), &place)?;
        }
        SavedKind::File => {
            fs::write(&place, &bytes, Durability::Synced)?;
            fs::set_mode(&place, file.mode)?;
        }
    }
    Ok(())
}
