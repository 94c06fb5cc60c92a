//! The few files of `.git` that could make a later git command run something: compared after a command.
//!
//! Where a sandbox can mount them read-only they cannot change at all; Landlock cannot take a part of a
//! writable folder out, so there this is what notices, and puts the old bytes back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability};

use crate::error::SandboxError;

/// Larger ones are neither read nor expected.
const MOST: u64 = 1 << 20;

#[derive(Debug)]
pub(crate) struct GitGuard {
    writable: Vec<PathBuf>,
    before: BTreeMap<PathBuf, Vec<u8>>,
}

impl GitGuard {
    pub(crate) fn look(writable: &[PathBuf]) -> Self {
        GitGuard { writable: writable.to_vec(), before: control_files(writable) }
    }

    /// Puts back what changed, and says what that was.
    pub(crate) fn restore(&self) -> Result<Vec<PathBuf>, SandboxError> {
        let after = control_files(&self.writable);
        let mut paths = Vec::new();
        for path in after.keys().filter(|path| !self.before.contains_key(*path)) {
            fs::remove_file(path)?;
            paths.push(path.clone());
        }
        for (path, bytes) in
            self.before.iter().filter(|(path, bytes)| after.get(*path) != Some(bytes))
        {
            put_back(path, bytes)?;
            paths.push(path.clone());
        }
        paths.sort();
        Ok(paths)
    }
}

fn put_back(path: &Path, bytes: &[u8]) -> Result<(), SandboxError> {
    for ancestor in [path.parent().unwrap_or(path), path] {
        // Whatever stands in the way is the command's doing.
        let is_link = ancestor.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
        if is_link || (ancestor.is_file() && ancestor != path) {
            fs::remove_file(ancestor)?;
        }
    }
    if path.is_dir() {
        fs::remove_dir_all(path)?;
    }
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    Ok(fs::write(path, bytes, Durability::Relaxed)?)
}

/// `.git` itself where it is a file, else what in it names programs or other places.
fn control_files(writable: &[PathBuf]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for git in git_entries(writable) {
        let mut paths = vec![git.clone()];
        paths.extend(["config", "config.worktree", "commondir", "HEAD"].map(|name| git.join(name)));
        for folder in ["hooks", "info"] {
            let folder = git.join(folder);
            let names = fs::list(&folder).unwrap_or_default();
            paths.extend(names.into_iter().map(|name| folder.join(name)));
        }
        for path in paths {
            if path.is_file()
                && let Ok(bytes) = fs::read_head(&path, MOST)
            {
                found.insert(path, bytes);
            }
        }
    }
    found
}

/// What is called `.git` in these folders, and in their submodules.
pub(crate) fn git_entries(roots: &[PathBuf]) -> Vec<PathBuf> {
    let mut entries = Vec::new();
    for root in roots {
        entries.push(root.join(".git"));
        let modules = fs::read_head(&root.join(".gitmodules"), MOST).unwrap_or_default();
        for line in String::from_utf8_lossy(&modules).lines() {
            let Some((key, value)) = line.split_once('=') else { continue };
            let path = Path::new(value.trim());
            let stays_inside =
                path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
            if key.trim() == "path" && stays_inside {
                entries.push(root.join(path).join(".git"));
            }
        }
    }
    entries.retain(|entry| entry.symlink_metadata().is_ok());
    entries
}
