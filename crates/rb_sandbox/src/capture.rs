//! Output of a command: all of it read and counted, its first and last part kept in a file.
//!
//! The last part waits in memory until the stream ends, so that memory is bounded by half of the limit.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use rb_core::fs;
use serde::{Deserialize, Serialize};

use crate::error::SandboxError;

/// Where output lies and how much of it that is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Captured {
    pub path: PathBuf,
    /// All that was written.
    pub bytes: u64,
    /// How many of those are in the file; one line in the middle says how many are not.
    pub kept: u64,
    pub cut: bool,
}

impl Captured {
    /// Beginning and end, of `max` bytes together, with the number of bytes left out between them.
    pub fn excerpt(&self, max: usize) -> String {
        match self.read_excerpt(max as u64) {
            Ok(text) => text,
            Err(error) => format!("[{} cannot be read: {error}]", self.path.display()),
        }
    }

    fn read_excerpt(&self, max: u64) -> io::Result<String> {
        let mut file = fs::open(&self.path).map_err(|error| error.source)?;
        if self.kept <= max && !self.cut {
            return Ok(lossy(&read_at(&mut file, 0, self.kept)?));
        }
        // A file that was cut has a line of its own between two halves of the same length.
        let half = (max / 2).min(self.kept / 2);
        let head = read_at(&mut file, 0, half)?;
        let end = file.seek(SeekFrom::End(0))?;
        let tail = read_at(&mut file, end.saturating_sub(half), half)?;
        let left_out = left_out_line(self.bytes - 2 * half);
        Ok(format!("{}{left_out}{}", lossy(&head), lossy(&tail)))
    }
}

fn left_out_line(count: u64) -> String {
    format!("\n[… {count} bytes left out …]\n")
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn read_at(file: &mut File, offset: u64, count: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The file that one stream goes to.
pub(crate) struct Capture {
    path: PathBuf,
    file: File,
    half: u64,
    bytes: u64,
    in_file: u64,
    tail: VecDeque<u8>,
    failed: Option<io::Error>,
}

impl Capture {
    /// Makes the file anew.
    pub(crate) fn create(path: &Path, limit: u64) -> Result<Self, SandboxError> {
        fs::remove_file(path)?;
        Ok(Capture {
            path: path.to_owned(),
            file: fs::create_new(path)?,
            half: limit / 2,
            bytes: 0,
            in_file: 0,
            tail: VecDeque::new(),
            failed: None,
        })
    }

    /// A full disk does not stop the reading: the command would wait for ever.
    pub(crate) fn take(&mut self, chunk: &[u8]) {
        self.bytes += chunk.len() as u64;
        let room = usize::try_from(self.half - self.in_file).unwrap_or(usize::MAX);
        let (head, rest) = chunk.split_at(room.min(chunk.len()));
        self.write(head);
        self.in_file += head.len() as u64;
        let half = usize::try_from(self.half).unwrap_or(usize::MAX);
        let rest = &rest[rest.len().saturating_sub(half)..];
        let too_many = (self.tail.len() + rest.len()).saturating_sub(half);
        self.tail.drain(..too_many);
        self.tail.extend(rest);
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.failed.is_none()
            && let Err(error) = self.file.write_all(bytes)
        {
            self.failed = Some(error);
        }
    }

    pub(crate) fn finish(mut self) -> Result<Captured, SandboxError> {
        let kept = self.in_file + self.tail.len() as u64;
        let cut = kept < self.bytes;
        if cut {
            self.write(left_out_line(self.bytes - kept).as_bytes());
        }
        let tail = std::mem::take(&mut self.tail);
        let (first, second) = tail.as_slices();
        self.write(first);
        self.write(second);
        match self.failed {
            Some(source) => Err(SandboxError::Log { path: self.path, source }),
            None => Ok(Captured { path: self.path, bytes: self.bytes, kept, cut }),
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(limit: u64, written: &[&str], excerpt: usize, expected: &Expect) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let mut capture = Capture::create(&path, limit).unwrap();
        for chunk in written {
            capture.take(chunk.as_bytes());
        }
        let captured = capture.finish().unwrap();
        let file = std::fs::read_to_string(&path).unwrap();
        let Captured { bytes, kept, cut, .. } = captured;
        let excerpt = captured.excerpt(excerpt);
        expected.assert_eq(&format!("{bytes} {kept} {cut} {file:?} {excerpt:?}"));
    }

    #[test]
    fn ve2_head_and_tail_are_kept_and_all_is_counted() {
        check(8, &["abc"], 8, &expect![[r#"3 3 false "abc" "abc""#]]);
        check(8, &["abcd", "efgh"], 8, &expect![[r#"8 8 false "abcdefgh" "abcdefgh""#]]);
        check(
            8,
            &["abcdefgh", "i"],
            8,
            &expect![[
                r#"9 8 true "abcd\n[… 1 bytes left out …]\nfghi" "abcd\n[… 1 bytes left out …]\nfghi""#
            ]],
        );
        check(
            8,
            &["abcdefghijklmnopqrstuvwxyz"],
            4,
            &expect![[
                r#"26 8 true "abcd\n[… 18 bytes left out …]\nwxyz" "ab\n[… 22 bytes left out …]\nyz""#
            ]],
        );
        check(
            8,
            &["a", "bcdefghijk", "lmn", "opqrstuvwxyz"],
            40,
            &expect![[
                r#"26 8 true "abcd\n[… 18 bytes left out …]\nwxyz" "abcd\n[… 18 bytes left out …]\nwxyz""#
            ]],
        );
        check(
            0,
            &["abc"],
            8,
            &expect![[r#"3 0 true "\n[… 3 bytes left out …]\n" "\n[… 3 bytes left out …]\n""#]],
        );
        check(
            100,
            &["0123456789"],
            4,
            &expect![[r#"10 10 false "0123456789" "01\n[… 6 bytes left out …]\n89""#]],
        );
    }
}
