//! Folders whose content is the user's alone: what is made below them can be read by nobody else.
#![expect(clippy::disallowed_methods, reason = "this is part of the one door to the file system")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Component, Path, PathBuf};
use std::sync::RwLock;

use super::{Result, context};
use crate::fault;

static ROOTS: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// Below a private folder, what git checks out keeps the modes that git gives it. The folder itself is closed.
const OPEN: &str = "worktrees";

/// The bits that let others in.
const OTHERS: u32 = 0o077;

/// From now on, everything that this process makes below `root` is closed to others.
pub fn keep_private(root: &Path) {
    let mut roots = ROOTS.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    if !roots.iter().any(|known| known == root) {
        roots.push(root.to_owned());
    }
}

/// `mode` without the bits of others, if `path` lies below a private folder.
pub(super) fn narrowed(path: &Path, mode: u32) -> u32 {
    let roots = ROOTS.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    let is_private = roots.iter().filter_map(|root| path.strip_prefix(root).ok()).any(|below| {
        let mut names = below.components().map(Component::as_os_str);
        !(names.next() == Some(OsStr::new(OPEN)) && names.next().is_some())
    });
    if is_private { mode & !OTHERS } else { mode }
}

/// Makes a folder and those above it that are missing, each with a mode of its own.
pub(super) fn make_folders(path: &Path) -> std::io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|folder| !folder.is_dir()).collect();
    for folder in missing.into_iter().rev().filter(|folder| !folder.as_os_str().is_empty()) {
        match make_folder(folder) {
            Err(error) if !folder.is_dir() => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

pub(super) fn make_folder(path: &Path) -> std::io::Result<()> {
    fs::DirBuilder::new().mode(narrowed(path, 0o777)).create(path)
}

/// Closes a private folder that exists already, with those of `names` that lie in it. Folders below `worktrees` stay as they are.
///
/// A folder that holds anything else is not ours alone, and keeps its own mode.
pub fn close(root: &Path, names: &[&str]) -> Result<()> {
    let Ok(meta) = root.symlink_metadata() else { return Ok(()) };
    if !meta.is_dir() || is_closed(meta.mode()) {
        return Ok(());
    }
    let entries = super::list(root)?;
    for name in names.iter().filter(|name| entries.iter().any(|entry| entry == **name)) {
        close_tree(&root.join(name), *name != OPEN)?;
    }
    let is_ours = |entry: &std::ffi::OsString| names.iter().any(|name| entry == name);
    if entries.iter().all(is_ours) { close_one(root) } else { Ok(()) }
}

fn close_tree(path: &Path, descend: bool) -> Result<()> {
    let Ok(meta) = path.symlink_metadata() else { return Ok(()) };
    if meta.is_symlink() {
        return Ok(());
    }
    close_one(path)?;
    if meta.is_dir() && descend {
        for name in super::list(path)? {
            close_tree(&path.join(name), true)?;
        }
    }
    Ok(())
}

fn is_closed(mode: u32) -> bool {
    mode == mode & !OTHERS
}

fn close_one(path: &Path) -> Result<()> {
    let mode = context("read", path, path.symlink_metadata())?.mode() & 0o7777;
    if is_closed(mode) {
        return Ok(());
    }
    fault::point("chmod", path);
    let closed = fs::Permissions::from_mode(mode & !OTHERS);
    context("change the mode of", path, fs::set_permissions(path, closed))
}

#[cfg(test)]
mod tests {
    use super::super::{Durability, create_dir_all, create_new, try_lock, write};
    use super::*;

    fn mode(path: &Path) -> u32 {
        path.symlink_metadata().unwrap().mode() & 0o777
    }

    #[test]
    fn mo3_what_is_made_in_a_private_folder_is_closed() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("home");
        keep_private(&root);
        create_dir_all(&root.join("runs/1")).unwrap();
        create_dir_all(&root.join("worktrees/1/src")).unwrap();
        write(&root.join("runs/1/a"), b"x", Durability::Relaxed).unwrap();
        write(&root.join("worktrees/1/a"), b"x", Durability::Relaxed).unwrap();
        drop(create_new(&root.join("runs/1/b")).unwrap());
        try_lock(&root.join("runs/1/lock")).unwrap();
        for folder in ["", "runs", "runs/1", "worktrees"] {
            assert_eq!(mode(&root.join(folder)), 0o700, "{folder}");
        }
        for file in ["runs/1/a", "runs/1/b", "runs/1/lock"] {
            assert_eq!(mode(&root.join(file)), 0o600, "{file}");
        }
        let outside = temp.path().join("outside");
        write(&outside, b"x", Durability::Relaxed).unwrap();
        assert_eq!(mode(&root.join("worktrees/1/a")), mode(&outside));
    }

    #[test]
    fn mo3_a_folder_that_was_open_is_closed_unless_it_is_shared() {
        let temp = tempfile::tempdir().unwrap();
        for (home, is_ours) in [("ours", true), ("shared", false)] {
            let root = temp.path().join(home);
            fs::create_dir_all(root.join("runs/1")).unwrap();
            fs::create_dir_all(root.join("worktrees/1")).unwrap();
            fs::write(root.join("runs/1/journal"), "x").unwrap();
            let outside = temp.path().join(format!("outside-{home}"));
            fs::write(&outside, "x").unwrap();
            fs::set_permissions(&outside, fs::Permissions::from_mode(0o644)).unwrap();
            std::os::unix::fs::symlink(&outside, root.join("runs/1/link")).unwrap();
            fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
            let open = mode(&root.join("worktrees/1"));
            if !is_ours {
                fs::write(root.join("other"), "x").unwrap();
            }
            close(&root, &["runs", "worktrees", "absent"]).unwrap();
            assert_eq!(mode(&root), if is_ours { 0o700 } else { 0o755 });
            assert_eq!(mode(&root.join("runs/1/journal")), 0o600);
            assert_eq!(mode(&outside), 0o644, "behind a link lies what is not ours");
            assert_eq!((mode(&root.join("runs")), mode(&root.join("worktrees"))), (0o700, 0o700));
            assert_eq!(mode(&root.join("worktrees/1")), open);
        }
    }
}
