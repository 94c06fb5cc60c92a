//! The working files as one `snapshot.tar.gz`, written and read as a stream.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use rb_core::fs::{self, FsError};
use rb_core::hash::Hasher;
use rb_core::{Cancel, Progress, RepoPath, Sha256};
use thiserror::Error;

use super::manifest::{SavedFile, SavedKind};

#[derive(Debug, Error)]
pub enum SnapshotError {
    #[error("`{0}` changed while it was being read")]
    Moving(RepoPath),
    #[error("the snapshot cannot be written")]
    Write(#[source] io::Error),
    #[error("the snapshot cannot be read back")]
    Read(#[source] io::Error),
    #[error("the snapshot holds `{0}` otherwise than its manifest says")]
    Mismatch(String),
    #[error("interrupted")]
    Cancelled,
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// Writes the files below `root` into a new archive. Paths that are not there are passed over.
pub(super) fn write<'a>(
    archive: &Path,
    root: &Path,
    paths: impl Iterator<Item = &'a RepoPath>,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Vec<SavedFile>, SnapshotError> {
    let out = BufWriter::with_capacity(1 << 20, fs::create_new(archive)?);
    let mut tar = tar::Builder::new(GzEncoder::new(out, Compression::fast()));
    let mut saved = Vec::new();
    for path in paths {
        if cancel.is_cancelled() {
            return Err(SnapshotError::Cancelled);
        }
        // What lies behind a link is not the checkout's.
        let Ok(place) = fs::contained(root, path) else { continue };
        let Ok(meta) = place.symlink_metadata() else { continue };
        if meta.is_symlink() {
            saved.push(add_link(&mut tar, path, &place)?);
        } else if meta.is_file() {
            saved.push(add_file(&mut tar, path, &place, meta.size(), meta.mode() & 0o7777)?);
        }
        progress.advance(1);
    }
    let finish = || -> io::Result<()> {
        let mut out = tar.into_inner()?.finish()?;
        out.flush()?;
        out.get_ref().sync_all()
    };
    finish().map_err(SnapshotError::Write)?;
    Ok(saved)
}

type Archive = tar::Builder<GzEncoder<BufWriter<File>>>;

fn header(kind: tar::EntryType, size: u64, mode: u32) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(mode);
    header.set_mtime(0);
    header
}

fn add_link(tar: &mut Archive, path: &RepoPath, place: &Path) -> Result<SavedFile, SnapshotError> {
    let target = place.read_link().map_err(SnapshotError::Write)?;
    let target = target.as_os_str().as_bytes();
    append_link(tar, path, target).map_err(SnapshotError::Write)?;
    let sha256 = Sha256::of(target);
    Ok(SavedFile { path: path.clone(), kind: SavedKind::Link, mode: 0, size: 0, sha256 })
}

/// `tar::Builder::append_link` would tidy the target up (`a//b`); a backup keeps every byte.
fn append_link(tar: &mut Archive, path: &RepoPath, target: &[u8]) -> io::Result<()> {
    let mut header = header(tar::EntryType::Symlink, 0, 0o777);
    if header.as_old().linkname.len() < target.len() {
        let mut long = self::header(tar::EntryType::GNULongLink, target.len() as u64 + 1, 0o644);
        long.set_path("././@LongLink")?;
        long.set_cksum();
        tar.append(&long, target.chain(&b"\0"[..]))?;
    } else {
        header.set_link_name_literal(target)?;
    }
    tar.append_data(&mut header, path.as_path(), io::empty())
}

fn add_file(
    tar: &mut Archive,
    path: &RepoPath,
    place: &Path,
    size: u64,
    mode: u32,
) -> Result<SavedFile, SnapshotError> {
    let mut content = Hashing::new(fs::open(place)?.take(size));
    let mut header = header(tar::EntryType::Regular, size, mode);
    tar.append_data(&mut header, path.as_path(), &mut content).map_err(SnapshotError::Write)?;
    let (sha256, read) = content.finish();
    if read != size || place.symlink_metadata().is_ok_and(|meta| meta.size() != size) {
        return Err(SnapshotError::Moving(path.clone()));
    }
    Ok(SavedFile { path: path.clone(), kind: SavedKind::File, mode, size, sha256 })
}

/// Hands each entry of the archive to `take`, in order, with its content as a stream.
pub(crate) fn read_each(
    archive: &Path,
    mut take: impl FnMut(&RepoPath, &mut dyn Read) -> Result<(), SnapshotError>,
) -> Result<(), SnapshotError> {
    let input = GzDecoder::new(BufReader::with_capacity(1 << 20, fs::open(archive)?));
    let mut tar = tar::Archive::new(input);
    for entry in tar.entries().map_err(SnapshotError::Read)? {
        let mut entry = entry.map_err(SnapshotError::Read)?;
        let path = RepoPath::new(entry.path_bytes().as_ref())
            .map_err(|bad| SnapshotError::Mismatch(bad.to_string()))?;
        match entry.header().entry_type() {
            tar::EntryType::Symlink => {
                let target = entry.link_name_bytes().unwrap_or_default().into_owned();
                take(&path, &mut target.as_slice())?;
            }
            _ => take(&path, &mut entry)?,
        }
    }
    Ok(())
}

/// Reads the whole archive back and compares it with what was meant to go in.
pub(super) fn verify(
    archive: &Path,
    saved: &[SavedFile],
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<(), SnapshotError> {
    let mut expected = saved.iter();
    read_each(archive, |path, content| {
        if cancel.is_cancelled() {
            return Err(SnapshotError::Cancelled);
        }
        let sha256 = Sha256::of_reader(content).map_err(SnapshotError::Read)?;
        let matches =
            expected.next().is_some_and(|file| file.path == *path && file.sha256 == sha256);
        progress.advance(1);
        if matches { Ok(()) } else { Err(SnapshotError::Mismatch(path.to_string())) }
    })?;
    match expected.next() {
        Some(missing) => Err(SnapshotError::Mismatch(missing.path.to_string())),
        None => Ok(()),
    }
}

/// Hashes and counts what passes through.
struct Hashing<R> {
    inner: R,
    hasher: Hasher,
    read: u64,
}

impl<R: Read> Hashing<R> {
    fn new(inner: R) -> Self {
        Hashing { inner, hasher: Hasher::new(), read: 0 }
    }

    fn finish(self) -> (Sha256, u64) {
        (self.hasher.finish(), self.read)
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.hasher.write_all(&buffer[..count])?;
        self.read += count as u64;
        Ok(count)
    }
}
