//! A folder for the files of one call, and names that nothing else has.

use std::fs::File;
use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability, FsError};

/// Readable by this user alone; removed with all that lies in it when this is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(parent: &Path) -> Result<Self, FsError> {
        fs::create_dir_all(parent)?;
        loop {
            let folder = parent.join(format!("refactor-bot-{}", uuid()));
            if fs::create_dir_new(&folder)? {
                let scratch = Scratch(folder);
                fs::set_mode(&scratch.0, 0o700)?;
                return Ok(scratch);
            }
        }
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, FsError> {
        let path = self.0.join(name);
        fs::write_with_mode(&path, bytes, 0o600, Durability::Relaxed)?;
        Ok(path)
    }

    /// A new file, to be written and to be read at the same time.
    pub(crate) fn output(&self, name: &str) -> Result<(File, File), FsError> {
        let path = self.0.join(name);
        Ok((fs::create_new(&path)?, fs::open(&path)?))
    }

    /// A folder with nothing in it, for a program that has no business in any other.
    pub(crate) fn empty_folder(&self) -> Result<PathBuf, FsError> {
        let folder = self.0.join("empty");
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A random UUID (version 4).
pub(crate) fn uuid() -> String {
    let random = u128::from_be_bytes(rb_core::random::bytes());
    let random = random & !(0xf << 76) | (4 << 76);
    let random = random & !(0b11 << 62) | (0b10 << 62);
    let text = format!("{random:032x}");
    let parts = [&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]];
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn mo2_a_uuid_is_one_and_never_comes_twice() {
        let all: BTreeSet<String> = (0..1000).map(|_| uuid()).collect();
        assert_eq!(all.len(), 1000);
        for uuid in all {
            let parts: Vec<&str> = uuid.split('-').collect();
            assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
            assert!(parts.iter().all(|part| part.bytes().all(|b| b.is_ascii_hexdigit())), "{uuid}");
            assert!(parts[2].starts_with('4') && "89ab".contains(&parts[3][..1]), "{uuid}");
        }
    }
}
