//! The history as one `backup.bundle`, unpacked once into a scratch repository before it is believed.
//!
//! A history that an earlier backup of the same repository holds already is shared with it, not made again.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rb_core::fs;
use rb_core::{Progress, Sha256};

use super::manifest::{Manifest, Piece};
use super::{BackupError, piece};
use crate::git::{Git, GitError};
use crate::preflight::Preflight;

/// A bundle in its place, and what it holds.
pub(super) struct Made {
    pub(super) bundle: Piece,
    /// Over every ref with its commit, and HEAD: the same refs are the same history.
    pub(super) refs: Sha256,
}

pub(super) fn create(
    target: &Preflight,
    dir: &Path,
    progress: &dyn Progress,
) -> Result<Made, BackupError> {
    let tips = tips(target)?;
    let refs = Sha256::of(tips.join("\n").as_bytes());
    let bundle = dir.join(FILE);
    if let Some(earlier) = earlier_with(dir, refs)? {
        // Where the file system knows no second names, the bundle is made again.
        if fs::hard_link(&earlier, &bundle).is_ok() {
            return Ok(Made { bundle: piece(&bundle)?, refs });
        }
    }
    progress.begin("saving history", 0);
    let args = ["bundle", "create", "--quiet"].map(OsString::from);
    let made = target.repo.git.run(args.into_iter().chain([bundle.clone().into(), "--all".into()]));
    progress.end();
    made?;
    progress.begin("restoring the history once", 0);
    let restored = try_restore(target, &bundle, &dir.join("trial.git"), &tips);
    progress.end();
    restored?;
    Ok(Made { bundle: piece(&bundle)?, refs })
}

const FILE: &str = "backup.bundle";

/// `commit name` of every ref and of HEAD, as a bundle lists them.
fn tips(target: &Preflight) -> Result<Vec<String>, GitError> {
    let out = target.repo.git.run(["for-each-ref", "--format=%(objectname) %(refname)"])?;
    let mut tips: Vec<String> =
        String::from_utf8_lossy(&out).lines().map(ToOwned::to_owned).collect();
    tips.extend(target.head.commit().map(|commit| format!("{commit} HEAD")));
    tips.sort();
    Ok(tips)
}

/// The bundle of an earlier backup beside this one that holds the same history, whole.
fn earlier_with(dir: &Path, refs: Sha256) -> Result<Option<PathBuf>, BackupError> {
    let Some(beside) = dir.parent() else { return Ok(None) };
    for name in fs::list(beside)?.iter().rev() {
        let earlier = beside.join(name);
        // One that cannot be read is no help and no obstacle.
        let Ok(manifest) = Manifest::load(&earlier) else { continue };
        let (Some(bundle), true) = (manifest.bundle, manifest.refs == Some(refs)) else { continue };
        let path = earlier.join(&bundle.file);
        if piece(&path).is_ok_and(|found| found == bundle) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Unpacks the bundle into an empty repository, which checks every object, and compares every ref.
fn try_restore(
    target: &Preflight,
    bundle: &Path,
    trial: &Path,
    tips: &[String],
) -> Result<(), BackupError> {
    let repo = &target.repo;
    let plain = repo.git_at(bundle.parent().expect("the bundle lies in a folder"));
    let format =
        format!("--object-format={}", repo.git.line(["rev-parse", "--show-object-format"])?);
    let init = ["init", "--quiet", "--bare", "--template=", &format].map(OsString::from);
    plain.run(init.into_iter().chain([trial.into()]))?;
    let git = plain.at(trial);
    // It also lists the HEADs of other worktrees, which are not this checkout's.
    let restored: BTreeSet<String> = unpack_objects(&git, bundle)?.into_iter().collect();
    if let Some(missing) = tips.iter().find(|tip| !restored.contains(*tip)) {
        return Err(BackupError::Bundle(format!("it lacks {missing}")));
    }
    let ids: Vec<&str> = tips.iter().filter_map(|tip| tip.split(' ').next()).collect();
    let found = git.feed(["cat-file", "--batch-check"], ids.join("\n").into_bytes())?;
    if let Some(missing) = String::from_utf8_lossy(&found).lines().find(|l| l.ends_with(" missing"))
    {
        return Err(BackupError::Bundle(format!("it lacks {missing}")));
    }
    fs::remove_dir_all(trial)?;
    Ok(())
}

/// Brings the objects of a bundle in without moving any ref, and gives the refs that it lists.
pub(super) fn unpack_objects(git: &Git, bundle: &Path) -> Result<Vec<String>, BackupError> {
    let out = git.run([OsString::from("bundle"), "unbundle".into(), bundle.into()])?;
    Ok(String::from_utf8_lossy(&out).lines().map(ToOwned::to_owned).collect())
}
