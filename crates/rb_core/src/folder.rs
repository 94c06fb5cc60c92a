//! A folder held open, and what lies below it, reached without following any link.
//!
//! A path that was looked at may be another one when it is used: somebody puts a link in its way. Here the system
//! resolves each path from the held folder and refuses a link in any place, so that nothing outside is ever opened.
//! It only reads.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::path::RepoPath;

/// The folder that everything is reached from.
#[derive(Debug)]
pub struct FolderRoot(OwnedFd);

/// A folder that can be listed.
#[derive(Debug)]
pub struct Folder(Dir);

/// What a name stands for, itself: a link is a link, wherever it leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    Link,
    /// A pipe, a socket, a device.
    Special,
    /// The file system does not tell in a listing; `stat` does.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    pub kind: Kind,
    pub size: u64,
    pub mtime_ns: i64,
    pub ctime_ns: i64,
    pub inode: u64,
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// A pipe put in place of a file must not make the opening wait.
const FILE: OFlags =
    OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

impl FolderRoot {
    /// Links on the way to the folder itself are followed: it is the one that was asked for.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(FolderRoot(rustix::fs::open(path, FOLDER, Mode::empty())?))
    }

    /// The held folder itself, to be listed.
    pub fn top(&self) -> io::Result<Folder> {
        let fd = rustix::fs::openat(&self.0, c".", FOLDER, Mode::empty())?;
        Ok(Folder(Dir::new(fd)?))
    }

    pub fn folder(&self, path: &RepoPath) -> io::Result<Folder> {
        Ok(Folder(Dir::new(beneath(&self.0, path, FOLDER)?)?))
    }

    /// Opens a plain file; whatever else has this name is an error.
    pub fn file(&self, path: &RepoPath) -> io::Result<File> {
        plain(beneath(&self.0, path, FILE)?)
    }
}

impl Folder {
    /// Calls `each` with every name but `.` and `..`, in the order of the file system.
    pub fn list(&mut self, mut each: impl FnMut(&[u8], Kind)) -> io::Result<()> {
        while let Some(entry) = self.0.read() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if !matches!(name, b"." | b"..") {
                each(name, kind(entry.file_type()));
            }
        }
        Ok(())
    }

    /// About an entry of this folder; about the link, where it is one.
    pub fn stat(&self, name: &[u8]) -> io::Result<Stat> {
        Ok(rustix::fs::statat(self.0.fd()?, name, AtFlags::SYMLINK_NOFOLLOW)?.into())
    }

    /// Opens an entry of this folder, which must be a plain file.
    pub fn file(&self, name: &[u8]) -> io::Result<File> {
        plain(rustix::fs::openat(self.0.fd()?, name, FILE | OFlags::NOFOLLOW, Mode::empty())?)
    }
}

impl Stat {
    pub fn of(file: &File) -> io::Result<Self> {
        Ok(rustix::fs::fstat(file)?.into())
    }
}

impl From<rustix::fs::Stat> for Stat {
    #[expect(
        clippy::cast_sign_loss,
        clippy::useless_conversion,
        reason = "the fields have other types on other systems; sizes are never negative"
    )]
    fn from(stat: rustix::fs::Stat) -> Self {
        let nanoseconds = |seconds: i64, rest: Result<i64, _>| {
            seconds.saturating_mul(1_000_000_000).saturating_add(rest.unwrap_or(0))
        };
        Stat {
            kind: kind(FileType::from_raw_mode(stat.st_mode)),
            size: stat.st_size as u64,
            mtime_ns: nanoseconds(stat.st_mtime.into(), stat.st_mtime_nsec.try_into()),
            ctime_ns: nanoseconds(stat.st_ctime.into(), stat.st_ctime_nsec.try_into()),
            inode: stat.st_ino.into(),
        }
    }
}

/// Did the system refuse because the way leads elsewhere: by a link that must not be followed, by links in a circle, or
/// because a folder on it is being moved out?
pub fn is_link_error(error: &io::Error) -> bool {
    let refusals = [Errno::LOOP, Errno::XDEV, Errno::AGAIN];
    refusals.iter().any(|refusal| error.raw_os_error() == Some(refusal.raw_os_error()))
}

/// Has the system nothing left to open it with? A moment later it may have.
pub fn is_exhausted(error: &io::Error) -> bool {
    let exhausted = [Errno::MFILE, Errno::NFILE, Errno::NOMEM];
    exhausted.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

fn kind(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::Link,
        FileType::Unknown => Kind::Unknown,
        _ => Kind::Special,
    }
}

fn plain(fd: OwnedFd) -> io::Result<File> {
    let file = File::from(fd);
    match Stat::of(&file)?.kind {
        Kind::File => Ok(file),
        Kind::Folder => Err(io::ErrorKind::IsADirectory.into()),
        Kind::Link | Kind::Special | Kind::Unknown => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a plain file"))
        }
    }
}

fn beneath(top: &OwnedFd, path: &RepoPath, flags: OFlags) -> io::Result<OwnedFd> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::ResolveFlags;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        match rustix::fs::openat2(top, path.as_path(), flags, Mode::empty(), resolve) {
            // Old kernels and strict sandboxes have no such call; a race makes it ask to be called again.
            Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => {}
            other => return Ok(other?),
        }
    }
    Ok(step_by_step(top, path, flags)?)
}

/// The same where the system cannot do it in one call: opens each folder on the way from the one above it.
fn step_by_step(top: &OwnedFd, path: &RepoPath, flags: OFlags) -> Result<OwnedFd, Errno> {
    let name = OsStr::from_bytes(path.file_name());
    let mut above: Option<OwnedFd> = None;
    for folder in path.ancestors() {
        let from = above.as_ref().unwrap_or(top).as_fd();
        let name = OsStr::from_bytes(folder.file_name());
        above = Some(rustix::fs::openat(from, name, FOLDER | OFlags::NOFOLLOW, Mode::empty())?);
    }
    let from = above.as_ref().unwrap_or(top).as_fd();
    rustix::fs::openat(from, name, flags | OFlags::NOFOLLOW, Mode::empty())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests build their own files")]
mod tests {
    use std::fs;
    use std::io::Read as _;
    use std::os::unix::fs::symlink;

    use super::*;

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    /// A folder `in` with a file, a folder, links that stay and links that leave, beside a file `secret`.
    fn fixture() -> tempfile::TempDir {
        let temp = tempfile::tempdir().unwrap();
        let inside = temp.path().join("in");
        fs::create_dir_all(inside.join("a/b")).unwrap();
        fs::create_dir(temp.path().join("out")).unwrap();
        for name in ["in/a/b/file", "out/secret", "in/top"] {
            fs::write(temp.path().join(name), name).unwrap();
        }
        symlink("../out/secret", inside.join("file_out")).unwrap();
        symlink("../out", inside.join("folder_out")).unwrap();
        symlink("a/b/file", inside.join("file_in")).unwrap();
        symlink("b", inside.join("a/folder_in")).unwrap();
        temp
    }

    /// Both ways to open must agree; the answer is the content or `refused`.
    fn check(held: &FolderRoot, at: &str) -> String {
        let text = |fd: io::Result<OwnedFd>| {
            let mut text = String::new();
            match fd.and_then(plain).and_then(|mut file| file.read_to_string(&mut text)) {
                Ok(_) => text,
                Err(_) => "refused".to_owned(),
            }
        };
        let slow = text(step_by_step(&held.0, &path(at), FILE).map_err(Into::into));
        assert_eq!(text(beneath(&held.0, &path(at), FILE)), slow, "{at}");
        slow
    }

    #[test]
    fn trust_no_link_is_followed_from_a_held_folder() {
        let temp = fixture();
        let held = FolderRoot::open(&temp.path().join("in")).unwrap();
        assert_eq!(check(&held, "top"), "in/top");
        assert_eq!(check(&held, "a/b/file"), "in/a/b/file");
        for refused in
            ["file_out", "folder_out/secret", "file_in", "a/folder_in/file", "a/b", "missing"]
        {
            assert_eq!(check(&held, refused), "refused", "{refused}");
        }
        assert!(held.folder(&path("a/b")).is_ok());
        assert!(held.folder(&path("folder_out")).is_err());
        assert!(held.folder(&path("a/folder_in")).is_err());
        assert!(held.top().unwrap().file(b"file_in").is_err());
        let refusal = |at: &str| is_link_error(&held.file(&path(at)).unwrap_err());
        assert!(refusal("file_out") && refusal("folder_out/secret"));
        assert!(!refusal("missing") && !refusal("a/b"));
    }

    #[test]
    fn trust_a_held_folder_stays_the_one_it_was() {
        let temp = fixture();
        let inside = temp.path().join("in");
        let held = FolderRoot::open(&inside).unwrap();
        fs::rename(&inside, temp.path().join("moved")).unwrap();
        symlink("out", &inside).unwrap();
        assert_eq!(check(&held, "top"), "in/top");
        assert_eq!(check(&held, "secret"), "refused");
    }

    #[test]
    fn a_listing_names_each_entry_with_its_kind() {
        let temp = fixture();
        let held = FolderRoot::open(&temp.path().join("in")).unwrap();
        let mut top = held.top().unwrap();
        let mut seen = Vec::new();
        top.list(|name, kind| seen.push((String::from_utf8_lossy(name).into_owned(), kind)))
            .unwrap();
        seen.sort_by(|a, b| a.0.cmp(&b.0));
        let expected = [
            ("a", Kind::Folder),
            ("file_in", Kind::Link),
            ("file_out", Kind::Link),
            ("folder_out", Kind::Link),
            ("top", Kind::File),
        ];
        assert_eq!(seen, expected.map(|(name, kind)| (name.to_owned(), kind)));
        let stat = top.stat(b"top").unwrap();
        assert_eq!((stat.kind, stat.size), (Kind::File, 6));
        assert_eq!(Stat::of(&top.file(b"top").unwrap()).unwrap(), stat);
        assert_eq!(top.stat(b"file_out").unwrap().kind, Kind::Link);
    }
}
