//! The one door to the file system. Each function that changes something is one effect.
//!
//! Reading is free; writing goes through here so that it is atomic where it must be, stays inside the
//! folder it was meant for, and can be cut off by a test at any effect.
#![expect(clippy::disallowed_methods, reason = "this is the one door to the file system")]

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::fault::{self, Torn};
use crate::folder::{FolderRoot, is_link_error};
use crate::hash::Sha256;
use crate::path::RepoPath;

mod exchange;
mod fifo;
mod private;

pub use exchange::{Exchange, exchange, open_for_writing, rename_new};
pub use fifo::{make_fifo, open_fifo};
pub use private::{close, keep_private};
use private::{make_folder, make_folders, narrowed};

/// A failed effect, with the path it was about.
#[derive(Debug, Error)]
#[error("cannot {what} {}", path.display())]
pub struct FsError {
    pub what: &'static str,
    pub path: PathBuf,
    #[source]
    pub source: io::Error,
}

impl FsError {
    pub fn is_no_space(&self) -> bool {
        matches!(self.source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    }

    pub fn is_read_only(&self) -> bool {
        matches!(
            self.source.kind(),
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied
        )
    }
}

pub type Result<T> = std::result::Result<T, FsError>;

fn context<T>(what: &'static str, path: &Path, result: io::Result<T>) -> Result<T> {
    result.map_err(|source| FsError { what, path: path.to_owned(), source })
}

/// Whether the bytes must survive a power cut once the call returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    Relaxed,
    Synced,
}

/// Replaces or creates a file in one step: whoever reads it sees the old bytes or the new ones.
pub fn write(path: &Path, bytes: &[u8], durability: Durability) -> Result<()> {
    write_with_mode(path, bytes, 0o666, durability)
}

/// As `write`, with the permission bits of a new file before the user's mask.
pub fn write_with_mode(path: &Path, bytes: &[u8], mode: u32, durability: Durability) -> Result<()> {
    replace(path, bytes, (narrowed(path, mode), Masked::Yes), durability)
}

/// As `write`, with exactly these permission bits.
pub fn write_exact(path: &Path, bytes: &[u8], mode: u32, durability: Durability) -> Result<()> {
    replace(path, bytes, (mode, Masked::No), durability)
}

/// Whether the user's mask takes bits from a mode.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Masked {
    Yes,
    No,
}

fn replace(
    path: &Path,
    bytes: &[u8],
    (mode, masked): (u32, Masked),
    durability: Durability,
) -> Result<()> {
    let temp = temp_sibling(path);
    let torn = fault::point("write", &temp);
    let fill = || -> io::Result<()> {
        // A leftover of a killed write may carry another mode, or be a planted link.
        if temp.symlink_metadata().is_ok() {
            fs::remove_file(&temp)?;
        }
        let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&temp)?;
        write_torn(&mut file, bytes, torn)?;
        if masked == Masked::No {
            file.set_permissions(fs::Permissions::from_mode(mode))?;
        }
        if durability == Durability::Synced {
            file.sync_all()?;
        }
        Ok(())
    };
    if let Err(source) = fill() {
        let _ = fs::remove_file(&temp);
        return Err(FsError { what: "write", path: path.to_owned(), source });
    }
    fault::point("rename", path);
    context("write", path, fs::rename(&temp, path))?;
    if durability == Durability::Synced { sync_parent(path) } else { Ok(()) }
}

/// Where `write` prepares its bytes: the same for the same path, so that a repeated write cleans up
/// after a killed one.
pub fn temp_sibling(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    let mut temp = OsString::from(".refactor-bot-");
    temp.push(Sha256::of(name.as_bytes()).short());
    temp.push(".tmp");
    path.with_file_name(temp)
}

fn write_torn(file: &mut File, bytes: &[u8], torn: Torn) -> io::Result<()> {
    match torn {
        Torn::No => file.write_all(bytes),
        #[cfg(feature = "fault")]
        Torn::Half => {
            file.write_all(&bytes[..bytes.len() / 2])?;
            fault::die()
        }
    }
}

fn sync_parent(path: &Path) -> Result<()> {
    let parent = path.parent().unwrap_or(path);
    context("sync", parent, File::open(parent).and_then(|dir| dir.sync_all()))
}

/// Waits until a file that another writer filled is on the disk.
pub fn sync_file(path: &Path) -> Result<()> {
    fault::point("sync", path);
    context("sync", path, File::open(path).and_then(|file| file.sync_all()))
}

/// A file that only grows. Each append is one effect; what was torn off by a crash is cut at opening.
#[derive(Debug)]
pub struct Appender {
    file: File,
    path: PathBuf,
}

impl Appender {
    /// Opens or creates the file and cuts it to `keep` bytes, if it is longer.
    pub fn open(path: &Path, keep: Option<u64>) -> Result<Self> {
        fault::point("open", path);
        let open = || -> io::Result<File> {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .mode(narrowed(path, 0o666))
                .open(path)?;
            if let Some(keep) = keep
                && file.metadata()?.len() > keep
            {
                file.set_len(keep)?;
            }
            file.seek(io::SeekFrom::End(0))?;
            Ok(file)
        };
        Ok(Appender { file: context("open", path, open())?, path: path.to_owned() })
    }

    /// Writes all of `bytes` at the end. After an error nothing of them is left behind.
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let torn = fault::point("append", &self.path);
        let before = context("append to", &self.path, self.file.stream_position())?;
        write_torn(&mut self.file, bytes, torn).map_err(|source| {
            let _ = self
                .file
                .set_len(before)
                .and_then(|()| self.file.seek(io::SeekFrom::Start(before)));
            FsError { what: "append to", path: self.path.clone(), source }
        })
    }

    pub fn sync(&mut self) -> Result<()> {
        context("sync", &self.path, self.file.sync_data())
    }
}

/// Creates a file to be filled as a stream; it must not exist.
pub fn create_new(path: &Path) -> Result<File> {
    fault::point("create", path);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true).mode(narrowed(path, 0o666));
    context("create", path, options.open(path))
}

pub fn create_dir_all(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    fault::point("mkdir", path);
    context("create the folder", path, make_folders(path))
}

/// Creates one folder; false when it exists already. Of two processes exactly one gets true.
pub fn create_dir_new(path: &Path) -> Result<bool> {
    fault::point("mkdir", path);
    match make_folder(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(source) => Err(FsError { what: "create the folder", path: path.to_owned(), source }),
    }
}

/// Removes a file or a link; one that is not there is no error.
pub fn remove_file(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    fault::point("remove", path);
    absent_is_fine(path, fs::remove_file(path))
}

/// Removes a folder and all below it; one that is not there is no error.
pub fn remove_dir_all(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    fault::point("rmdir", path);
    absent_is_fine(path, fs::remove_dir_all(path))
}

/// Removes a folder if it is empty, and the empty ones above it up to `root`, which stays.
pub fn remove_empty_dirs(path: &Path, root: &Path) -> Result<()> {
    let mut folder = path;
    while folder != root && folder.starts_with(root) {
        match fs::read_dir(folder) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    return Ok(());
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(source) => return Err(FsError { what: "read", path: folder.to_owned(), source }),
        }
        fault::point("rmdir", folder);
        absent_is_fine(folder, fs::remove_dir(folder))?;
        let Some(parent) = folder.parent() else { return Ok(()) };
        folder = parent;
    }
    Ok(())
}

fn absent_is_fine(path: &Path, result: io::Result<()>) -> Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => context("remove", path, other),
    }
}

pub fn rename(from: &Path, to: &Path) -> Result<()> {
    fault::point("rename", to);
    context("rename to", to, fs::rename(from, to))
}

/// A second name for the same bytes, which must never be written through either.
pub fn hard_link(existing: &Path, link: &Path) -> Result<()> {
    fault::point("link", link);
    context("link", link, fs::hard_link(existing, link))
}

pub fn set_mode(path: &Path, mode: u32) -> Result<()> {
    fault::point("chmod", path);
    context("change the mode of", path, fs::set_permissions(path, fs::Permissions::from_mode(mode)))
}

pub fn symlink(target: &Path, link: &Path) -> Result<()> {
    fault::point("symlink", link);
    context("link", link, std::os::unix::fs::symlink(target, link))
}

/// Copies a folder with all below it. Links are copied as links; what is neither file, folder nor link is left out.
pub fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fault::point("copy", to);
    let mut folders = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = folders.pop() {
        context("create", &to, make_folders(&to))?;
        for name in list(&from)? {
            let (source, target) = (from.join(&name), to.join(&name));
            let kind = context("read", &source, source.symlink_metadata())?.file_type();
            if kind.is_dir() {
                folders.push((source, target));
            } else if kind.is_symlink() {
                let link = context("read", &source, fs::read_link(&source))?;
                context("link", &target, std::os::unix::fs::symlink(link, &target))?;
            } else if kind.is_file() {
                context("copy to", &target, fs::copy(&source, &target))?;
            }
        }
    }
    Ok(())
}

pub fn read(path: &Path) -> Result<Vec<u8>> {
    context("read", path, fs::read(path))
}

/// The content, or nothing where there is no such file.
pub fn read_optional(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(None)
        }
        Err(source) => Err(FsError { what: "read", path: path.to_owned(), source }),
    }
}

pub fn open(path: &Path) -> Result<File> {
    context("open", path, File::open(path))
}

/// The names in a folder, sorted; none where there is no such folder.
pub fn list(path: &Path) -> Result<Vec<OsString>> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => {
            return Err(FsError { what: "read the folder", path: path.to_owned(), source });
        }
    };
    let names: io::Result<Vec<OsString>> = entries.map(|entry| Ok(entry?.file_name())).collect();
    let mut names = context("read the folder", path, names)?;
    names.sort();
    Ok(names)
}

/// Reads the first bytes of a file, at most `limit`.
pub fn read_head(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(limit).read_to_end(&mut head));
    context("read", path, read)?;
    Ok(head)
}

/// Reads a file below `root` that a foreign command may have replaced, at most `limit` bytes of it. Nothing where there is no plain
/// file: no link is followed on the way, and no pipe, device or socket is waited for.
pub fn read_plain(root: &Path, path: &RepoPath, limit: u64) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let read = FolderRoot::open(root)
        .and_then(|held| held.file(path))
        .and_then(|file| file.take(limit).read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if is_no_file(&error) => Ok(None),
        Err(source) => Err(FsError { what: "read", path: path.below(root), source }),
    }
}

fn is_no_file(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, IsADirectory, NotADirectory, NotFound};
    // A socket cannot even be opened.
    let is_socket = error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error());
    matches!(error.kind(), NotFound | NotADirectory | IsADirectory | InvalidInput)
        || is_socket
        || is_link_error(error)
}

/// Files that git reads in any folder, whatever it is asked.
pub const GIT_READS: [&str; 4] = [".gitignore", ".gitattributes", ".gitmodules", ".mailmap"];

/// Paths below `root` of pipes and devices, which whoever opens them may wait for without end. Links are not followed; what is called
/// `.git` and what `skip` names is not looked into.
pub fn find_pipes(root: &Path, skip: &[&str]) -> Vec<PathBuf> {
    let mut folders = vec![root.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let name = entry.file_name();
            if kind.is_dir() && name != ".git" && !skip.iter().any(|skipped| name == **skipped) {
                folders.push(entry.path());
            } else if kind.is_fifo() || kind.is_char_device() || kind.is_block_device() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

/// The last `limit` bytes of a file that may still grow.
pub fn read_tail(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let mut tail = Vec::new();
    let read = File::open(path).and_then(|mut file| {
        let start = file.metadata()?.len().saturating_sub(limit);
        file.seek(io::SeekFrom::Start(start))?;
        file.take(limit).read_to_end(&mut tail)
    });
    context("read", path, read)?;
    Ok(tail)
}

#[derive(Debug, Error)]
#[error("`{path}` lies behind `{link}`, a symbolic link")]
pub struct BehindLink {
    pub path: RepoPath,
    pub link: RepoPath,
}

/// The place of `path` below `root`, if no link stands on the way. The last component is not looked at:
/// whoever writes it replaces a link rather than following it.
pub fn contained(root: &Path, path: &RepoPath) -> std::result::Result<PathBuf, BehindLink> {
    for folder in path.ancestors() {
        let is_link = |meta: fs::Metadata| meta.file_type().is_symlink();
        if folder.below(root).symlink_metadata().is_ok_and(is_link) {
            return Err(BehindLink { path: path.clone(), link: folder });
        }
    }
    Ok(path.below(root))
}

/// Held while one process owns something; released when dropped or when the process dies.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Takes the lock, or nothing when another process has it.
pub fn try_lock(path: &Path) -> Result<Option<Lock>> {
    fault::point("lock", path);
    let mut options = lock_options();
    options.create(true).truncate(false).mode(narrowed(path, 0o666));
    let file = context("open the lock", path, options.open(path))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock { _file: file })),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(source)) => {
            Err(FsError { what: "lock", path: path.to_owned(), source })
        }
    }
}

/// Read as well as written: a pipe in its place would otherwise wait for somebody at its other end.
fn lock_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    options
}

/// Whether a process has the lock. Looking shares it for an instant: several can look at once, and who takes it tries again.
pub fn is_locked(path: &Path) -> Result<bool> {
    let file = match lock_options().open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        opened => context("open the lock", path, opened)?,
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(fs::TryLockError::WouldBlock) => Ok(true),
        Err(fs::TryLockError::Error(source)) => {
            Err(FsError { what: "look at the lock", path: path.to_owned(), source })
        }
    }
}

/// Whether the process may write there, by the system's own word (also on a read-only file system).
pub fn is_writable(path: &Path) -> bool {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok()
}

/// Bytes that may still be written on the file system that holds `path`.
pub fn free_space(path: &Path) -> Result<u64> {
    let stat =
        context("ask for free space at", path, rustix::fs::statvfs(path).map_err(Into::into))?;
    Ok(stat.f_bavail.saturating_mul(stat.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_in_the_place_of_a_lock_does_not_wait() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU).unwrap();
        assert!(try_lock(&path).unwrap().is_some());
    }

    #[test]
    fn ux4_a_lock_is_looked_at_without_being_made_or_taken() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        assert!(!is_locked(&path).unwrap());
        assert!(!path.exists());
        let lock = try_lock(&path).unwrap().unwrap();
        assert!(is_locked(&path).unwrap());
        drop(lock);
        assert!(!is_locked(&path).unwrap());
        // Somebody else who looks does not make it busy.
        let looking = lock_options().open(&path).unwrap();
        looking.try_lock_shared().unwrap();
        assert!(!is_locked(&path).unwrap());
    }

    #[test]
    fn write_replaces_and_leaves_no_temporary_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        write(&path, b"one", Durability::Relaxed).unwrap();
        std::fs::write(temp_sibling(&path), "left over from a kill").unwrap();
        write(&path, b"two", Durability::Synced).unwrap();
        assert_eq!(read(&path).unwrap(), b"two");
        assert_eq!(list(dir.path()).unwrap(), ["a"]);
    }

    #[test]
    fn write_does_not_follow_a_planted_temporary_link() {
        let dir = tempfile::tempdir().unwrap();
        let (path, victim) = (dir.path().join("a"), dir.path().join("victim"));
        std::fs::write(&victim, "precious").unwrap();
        symlink(&victim, &temp_sibling(&path)).unwrap();
        write(&path, b"x", Durability::Relaxed).unwrap();
        assert_eq!(read(&victim).unwrap(), b"precious");
        assert!(!path.symlink_metadata().unwrap().is_symlink());
    }

    #[test]
    fn trust_a_path_behind_a_link_is_not_contained() {
        let dir = tempfile::tempdir().unwrap();
        symlink(Path::new("/"), &dir.path().join("out")).unwrap();
        let path = |text: &str| RepoPath::new(text).unwrap();
        assert!(contained(dir.path(), &path("in/a")).is_ok());
        assert!(contained(dir.path(), &path("out")).is_ok());
        assert_eq!(contained(dir.path(), &path("out/etc/a")).unwrap_err().link, path("out"));
    }

    #[test]
    fn trust_a_file_that_a_command_replaced_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        create_dir_all(&root.join("folder")).unwrap();
        std::fs::write(dir.path().join("secret"), "secret").unwrap();
        std::fs::write(root.join("folder/file"), "0123456789").unwrap();
        symlink(&dir.path().join("secret"), &root.join("link")).unwrap();
        symlink(dir.path(), &root.join("out")).unwrap();
        symlink(Path::new("link"), &root.join("loop")).unwrap();
        let (pipe, mode) = (root.join("folder/pipe"), rustix::fs::Mode::RWXU);
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, mode).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
        let check = |path: &str, expected: Option<&[u8]>| {
            let read = read_plain(&root, &RepoPath::new(path).unwrap(), 4).unwrap();
            assert_eq!(read.as_deref(), expected, "{path}");
        };
        check("folder/file", Some(b"0123"));
        for other in [
            "link",
            "out/secret",
            "loop",
            "folder/pipe",
            "socket",
            "folder",
            "missing/a",
            "folder/file/a",
        ] {
            check(other, None);
        }
        assert_eq!(find_pipes(&root, &[]), [pipe]);
        assert!(find_pipes(&root, &["folder"]).is_empty());
    }

    #[test]
    fn appender_cuts_a_torn_end() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        Appender::open(&path, None).unwrap().append(b"whole\ntor").unwrap();
        Appender::open(&path, Some(6)).unwrap().append(b"next\n").unwrap();
        assert_eq!(read(&path).unwrap(), b"whole\nnext\n");
    }

    #[test]
    fn of_two_only_one_holds_the_lock() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let first = try_lock(&path).unwrap();
        assert!(first.is_some());
        assert!(try_lock(&path).unwrap().is_none());
        drop(first);
        assert!(try_lock(&path).unwrap().is_some());
    }

    #[test]
    fn empty_folders_go_up_to_the_root() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/b/c");
        create_dir_all(&deep).unwrap();
        std::fs::write(dir.path().join("a/keep"), "").unwrap();
        remove_empty_dirs(&deep, dir.path()).unwrap();
        assert_eq!(list(&dir.path().join("a")).unwrap(), ["keep"]);
    }
}
