//! The backup that every run begins with: history as a bundle, working files as a snapshot.
//!
//! It is prepared beside its place and moved there only after it was read back: the bundle into a
//! scratch repository, the snapshot entry by entry. A folder of that name is a backup that restores.

mod bundle;
mod history;
pub(crate) mod manifest;
pub(crate) mod snapshot;

use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability, FsError};
use rb_core::{Cancel, Home, Progress, RunId, Sha256, clock};
use thiserror::Error;

use crate::git::GitError;
use crate::preflight::Preflight;
use crate::repo::{Kind, Repo};
use history::{History, WHOLE_UP_TO};
pub use manifest::{Manifest, ManifestError, Piece, SavedFile, SavedKind};
pub use snapshot::SnapshotError;

/// A complete backup.
#[derive(Debug)]
pub struct Backup {
    pub dir: PathBuf,
    pub manifest: Manifest,
}

#[derive(Debug, Error)]
pub enum BackupError {
    #[error("the disk that holds {} has {free} bytes free; the backup needs up to {needed}", at.display())]
    NoRoom { at: PathBuf, free: u64, needed: u64 },
    #[error("the backup is damaged: {} is not what it was when it was made", .0.display())]
    Damaged(PathBuf),
    #[error("the bundle does not restore: {0}")]
    Bundle(String),
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// Backs the checkout up into `dir`, or returns the complete backup that lies there already.
pub fn create(
    target: &Preflight,
    run: &RunId,
    dir: PathBuf,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Backup, BackupError> {
    let repo = &target.repo;
    if dir.is_dir() {
        return Ok(Backup { manifest: Manifest::load(&dir)?, dir });
    }
    let partial = dir.with_extension("partial");
    fs::remove_dir_all(&partial)?;
    fs::create_dir_all(&partial)?;
    check_room(target, &partial)?;

    let shallow = save(&repo.common_dir.join("shallow"), &partial.join("shallow"))?;
    let History { bundle, base, refs } = match repo.kind {
        Kind::Git => history::save(target, run, &partial, WHOLE_UP_TO, progress)?,
        Kind::Folder => History::default(),
    };
    let archive = partial.join("snapshot.tar.gz");
    let total = (target.listing.tracked.len() + target.listing.untracked.len()) as u64;
    progress.begin("saving files", total);
    let files = snapshot::write(&archive, &repo.root, target.listing.files(), progress, cancel);
    progress.end();
    let files = files?;
    progress.begin("checking the saved files", files.len() as u64);
    let verified = snapshot::verify(&archive, &files, progress, cancel);
    progress.end();
    verified?;

    let manifest = Manifest {
        version: manifest::VERSION,
        run: run.clone(),
        created: clock::now(),
        repo: repo.root.clone(),
        kind: repo.kind,
        head: target.head.clone(),
        bundle,
        base,
        refs,
        shallow,
        snapshot: piece(&archive)?,
        index: save_index(target, &partial)?,
        files,
    };
    manifest.save(&partial)?;
    fs::rename(&partial, &dir)?;
    Ok(Backup { dir, manifest })
}

/// Brings commits that the repository lost back from the bundles, under no name of their own.
pub(crate) fn bring_back(repo: &Repo, backup: &Backup) -> Result<(), BackupError> {
    history::bring_back(repo, &backup.dir, &backup.manifest)
}

/// Forgets the refs that held brought-back commits, also those of an earlier try.
pub(crate) fn let_go(repo: &Repo) -> Result<(), BackupError> {
    Ok(bundle::release(&repo.git)?)
}

/// The last backup that a run made, if it made one: of the state before its landing, or before all of it.
pub fn find(home: &Home, run: &RunId) -> Result<Option<Backup>, BackupError> {
    match places(home, run)?.pop() {
        Some(dir) => Ok(Some(Backup { manifest: Manifest::load(&dir)?, dir })),
        None => Ok(None),
    }
}

/// Where a run's backups lie, whole or damaged, in the order in which they were made.
pub fn places(home: &Home, run: &RunId) -> Result<Vec<PathBuf>, FsError> {
    let names = fs::list(&home.backups())?;
    let names = || names.iter().map(|name| name.to_string_lossy());
    let first = names().map(|name| home.backup(&name, run));
    let places = first.chain(names().map(|name| home.landing_backup(&name, run)));
    Ok(places.filter(|dir| dir.is_dir()).collect())
}

/// Refuses early where the working files would not fit: text shrinks, pictures do not.
fn check_room(target: &Preflight, at: &Path) -> Result<(), BackupError> {
    let sizes = target
        .listing
        .files()
        .filter_map(|path| path.below(&target.repo.root).symlink_metadata().ok());
    let needed = sizes.map(|meta| meta.len()).sum::<u64>();
    let free = fs::free_space(at)?;
    if free < needed {
        Err(BackupError::NoRoom { at: at.to_owned(), free, needed })
    } else {
        Ok(())
    }
}

fn save_index(target: &Preflight, partial: &Path) -> Result<Option<Piece>, BackupError> {
    let copy = partial.join("index");
    if target.repo.kind == Kind::Folder || !target.repo.copy_index::<BackupError>(&copy)? {
        return Ok(None);
    }
    Ok(Some(piece(&copy)?))
}

/// Copies a small file of git's; nothing where there is none.
fn save(from: &Path, to: &Path) -> Result<Option<Piece>, FsError> {
    let Some(bytes) = fs::read_optional(from)? else { return Ok(None) };
    fs::write(to, &bytes, Durability::Synced)?;
    piece(to).map(Some)
}

fn piece(path: &Path) -> Result<Piece, FsError> {
    let mut file = fs::open(path)?;
    let failed = |source| FsError { what: "read", path: path.to_owned(), source };
    let bytes = file.metadata().map_err(failed)?.len();
    let sha256 = Sha256::of_reader(&mut file).map_err(failed)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Piece { file: name, bytes, sha256 })
}

impl Backup {
    /// Whether the pieces are still, byte for byte, what the manifest says.
    pub fn check(&self) -> Result<(), BackupError> {
        let Manifest { snapshot, shallow, index, .. } = &self.manifest;
        let pieces = self.manifest.bundles().chain([snapshot]).chain(shallow).chain(index);
        for expected in pieces {
            let path = self.dir.join(&expected.file);
            if piece(&path)? != *expected {
                return Err(BackupError::Damaged(path));
            }
        }
        Ok(())
    }
}
