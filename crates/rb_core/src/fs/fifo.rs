//! Named pipes, for a program that talks over numbered descriptors which its parent cannot pass on.
#![expect(clippy::disallowed_methods, reason = "this is part of the one door to the file system")]

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, mknodat};

use super::{Result, context};
use crate::fault;

/// Makes a named pipe that only its owner may open; nothing may have the name yet.
pub fn make_fifo(path: &Path) -> Result<()> {
    fault::point("mkfifo", path);
    let made = mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0);
    context("create the pipe", path, made.map_err(io::Error::from))
}

/// Opens a named pipe for both directions, so that neither opening nor reading it waits for somebody at its other end: a read with
/// nothing to read, and a write without room, are `WouldBlock`. Follows no link and opens nothing else.
pub fn open_fifo(path: &Path) -> Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW;
    let flags = flags.bits().cast_signed();
    let open = || -> io::Result<File> {
        let file = OpenOptions::new().read(true).write(true).custom_flags(flags).open(path)?;
        if file.metadata()?.file_type().is_fifo() {
            Ok(file)
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a pipe"))
        }
    };
    context("open the pipe", path, open())
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    #[test]
    fn tk4_a_pipe_opens_without_another_end_and_never_waits() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("pipe");
        make_fifo(&path).unwrap();
        assert!(make_fifo(&path).is_err(), "the name is taken");
        let (mut one, mut other) = (open_fifo(&path).unwrap(), open_fifo(&path).unwrap());
        let mut bytes = [0; 8];
        assert_eq!(other.read(&mut bytes).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        one.write_all(b"hello").unwrap();
        assert_eq!(other.read(&mut bytes).unwrap(), 5);
        let full = std::iter::repeat_with(|| one.write(&[0; 4096])).find_map(io::Result::err);
        assert_eq!(full.unwrap().kind(), io::ErrorKind::WouldBlock);
    }

    #[test]
    fn tk4_only_a_pipe_is_opened() {
        let temp = tempfile::tempdir().unwrap();
        let (pipe, link, file) =
            (temp.path().join("pipe"), temp.path().join("link"), temp.path().join("file"));
        make_fifo(&pipe).unwrap();
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        std::fs::write(&file, "kept").unwrap();
        assert!(open_fifo(&link).is_err());
        assert!(open_fifo(&file).is_err());
        assert_eq!(std::fs::read(&file).unwrap(), b"kept");
    }
}
