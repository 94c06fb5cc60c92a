//! The few files of `.git` that could make a later git command run something: compared after a command.
//!
//! Where a sandbox can mount them read-only they cannot change at all; Landlock cannot take a part of a
//! writable folder out, so there this is what notices, and puts the old bytes back.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rb_core::RepoPath;
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
    // From `.git` on, whatever stands in the way is the command's doing.
    let above: Vec<&Path> = path.ancestors().collect();
    let git = above.iter().position(|ancestor| ancestor.ends_with(".git")).unwrap_or(0);
    for ancestor in above[..=git].iter().rev() {
        match ancestor.symlink_metadata() {
            Ok(meta) if meta.is_dir() && *ancestor == path => fs::remove_dir_all(path)?,
            Ok(meta) if !meta.is_dir() => fs::remove_file(ancestor)?,
            _ => {}
        }
    }
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    Ok(fs::write(path, bytes, Durability::Relaxed)?)
}

/// `.git` itself where it is a file, else what in it names programs or other places. Links lead nowhere here: what is behind them is
/// not ours to compare, and least of all to put back.
fn control_files(writable: &[PathBuf]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for git in git_entries(writable) {
        let Ok(meta) = git.symlink_metadata() else { continue };
        if meta.is_file()
            && let Ok(bytes) = fs::read_head(&git, MOST)
        {
            found.insert(git.clone(), bytes);
        }
        if !meta.is_dir() {
            continue;
        }
        let mut names =
            ["config", "config.worktree", "commondir", "HEAD"].map(OsString::from).to_vec();
        for folder in ["hooks", "info"] {
            if git.join(folder).symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
                let inside = fs::list(&git.join(folder)).unwrap_or_default();
                names.extend(
                    inside.iter().map(|name| Path::new(folder).join(name).into_os_string()),
                );
            }
        }
        for name in names {
            let Ok(path) = RepoPath::new(name.as_bytes()) else { continue };
            if let Ok(Some(bytes)) = fs::read_plain(&git, &path, MOST) {
                found.insert(path.below(&git), bytes);
            }
        }
    }
    found
}

/// What is called `.git` in these folders, and in their submodules.
pub(crate) fn git_entries(roots: &[PathBuf]) -> Vec<PathBuf> {
    let mut entries = Vec::new();
    let modules_file = RepoPath::new(".gitmodules").expect("a plain name");
    for root in roots {
        entries.push(root.join(".git"));
        let modules = fs::read_plain(root, &modules_file, MOST).ok().flatten().unwrap_or_default();
        for line in String::from_utf8_lossy(&modules).lines() {
            let Some((key, value)) = line.split_once('=') else { continue };
            // As if it were a file in the submodule: no link may stand on the way to it.
            let inside = RepoPath::new(format!("{}/git", value.trim()));
            if key.trim() == "path"
                && let Ok(place) = inside.map(|path| fs::contained(root, &path))
                && let Ok(place) = place
            {
                entries.push(place.with_file_name(".git"));
            }
        }
    }
    entries.retain(|entry| entry.symlink_metadata().is_ok());
    entries
}
