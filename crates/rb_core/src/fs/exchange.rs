//! Moves that never overwrite: two names change places, or a file gets a name that nobody has.
//!
//! Whoever replaces a file this way still holds what stood there, and can look at it before it goes.
#![expect(clippy::disallowed_methods, reason = "this is part of the one door to the file system")]

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::{FsError, Result, context};
use crate::fault;

/// How an exchange ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exchange {
    Done,
    /// One of the two names does not exist.
    Missing,
    /// The file system cannot exchange names.
    Unsupported,
}

/// Lets two names change places in one step.
pub fn exchange(a: &Path, b: &Path) -> Result<Exchange> {
    fault::point("exchange", b);
    match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(Exchange::Done),
        Err(Errno::NOENT) => Ok(Exchange::Missing),
        Err(errno) if is_unsupported(errno) => Ok(Exchange::Unsupported),
        Err(errno) => {
            Err(FsError { what: "exchange", path: b.to_owned(), source: io::Error::from(errno) })
        }
    }
}

/// Renames to a name that nothing has; false when something has it.
pub fn rename_new(from: &Path, to: &Path) -> Result<bool> {
    fault::point("rename", to);
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(true),
        Err(Errno::EXIST) => Ok(false),
        Err(errno) if is_unsupported(errno) => rename_by_link(from, to),
        Err(errno) => context("rename to", to, Err(io::Error::from(errno))),
    }
}

/// As `rename_new` where the file system has no such call: a second name is made, and the first one goes.
fn rename_by_link(from: &Path, to: &Path) -> Result<bool> {
    match fs::hard_link(from, to) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
        // Neither is possible here. Looking first is the best that is left.
        Err(_) if to.symlink_metadata().is_err() => {
            return context("rename to", to, fs::rename(from, to)).map(|()| true);
        }
        Err(_) => return Ok(false),
    }
    context("remove", from, fs::remove_file(from)).map(|()| true)
}

fn is_unsupported(errno: Errno) -> bool {
    [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP].contains(&errno)
}

/// The first of `paths` that a process has open for writing. None where the system does not tell.
pub fn open_for_writing<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Option<&'p Path> {
    let place = |path: &Path| path.symlink_metadata().ok().map(|meta| (meta.dev(), meta.ino()));
    let paths: Vec<(&Path, (u64, u64))> =
        paths.into_iter().filter_map(|path| Some((path, place(path)?))).collect();
    if paths.is_empty() {
        return None;
    }
    let open = written_files();
    paths.into_iter().find(|(_, place)| open.contains(place)).map(|(path, _)| path)
}

/// Device and inode of every file that a process of this user has open for writing.
fn written_files() -> BTreeSet<(u64, u64)> {
    let mut open = BTreeSet::new();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let is_process =
            process.file_name().to_str().is_some_and(|name| name.parse::<u32>().is_ok());
        if !is_process {
            continue;
        }
        let path = process.path();
        for descriptor in fs::read_dir(path.join("fd")).into_iter().flatten().flatten() {
            let Ok(meta) = fs::metadata(descriptor.path()) else { continue };
            let info = path.join("fdinfo").join(descriptor.file_name());
            if meta.is_file() && fs::read_to_string(info).is_ok_and(|info| is_written(&info)) {
                open.insert((meta.dev(), meta.ino()));
            }
        }
    }
    open
}

/// `flags:` of a descriptor, in octal; the last two bits are the access mode.
fn is_written(info: &str) -> bool {
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok()).is_some_and(|it| it & 3 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> (tempfile::TempDir, std::path::PathBuf, std::path::PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        fs::write(&a, "one").unwrap();
        (dir, a, b)
    }

    #[test]
    fn sa1_two_names_change_places_and_nothing_is_overwritten() {
        let (_dir, a, b) = two();
        assert_eq!(exchange(&a, &b).unwrap(), Exchange::Missing);
        fs::write(&b, "two").unwrap();
        assert!(!rename_new(&a, &b).unwrap());
        assert!(!rename_by_link(&a, &b).unwrap());
        assert_eq!(exchange(&a, &b).unwrap(), Exchange::Done);
        assert_eq!((fs::read(&a).unwrap(), fs::read(&b).unwrap()), (b"two".into(), b"one".into()));
        fs::remove_file(&a).unwrap();
        assert!(rename_by_link(&b, &a).unwrap() && rename_new(&a, &b).unwrap());
        assert_eq!(fs::read(&b).unwrap(), b"one");
        assert!(!a.exists());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn sa1_a_file_that_is_open_for_writing_is_found() {
        let (_dir, a, b) = two();
        let reader = fs::File::open(&a).unwrap();
        while open_for_writing([a.as_path(), b.as_path()]).is_some() {
            std::thread::yield_now();
        }
        let writer = fs::File::options().write(true).open(&a).unwrap();
        // Also under another name.
        fs::rename(&a, &b).unwrap();
        assert_eq!(open_for_writing([a.as_path(), b.as_path()]), Some(b.as_path()));
        drop((reader, writer));
        // A process that another test starts has every descriptor for a moment.
        while open_for_writing([b.as_path()]).is_some() {
            std::thread::yield_now();
        }
    }
}
