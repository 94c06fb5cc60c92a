//! The text of one found file, whatever its bytes are.
//!
//! A file is opened from the held root, so that a link that was put in its place after the walk leads nowhere. No
//! more than the limit is read, and what is not text is told apart, not guessed at. What the text means is not
//! looked at here.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use rb_core::Sha256;
use rb_core::folder::{self, FolderRoot, Stat};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::walk::{FoundFile, SkipReason};

#[derive(Debug)]
pub struct Content {
    /// Of the bytes as they are on the disk.
    pub hash: Sha256,
    /// Without a byte order mark: offsets into it are offsets of the text.
    pub text: String,
    pub encoding: Encoding,
    /// The file is not what the walk saw any more; hash and text may be of neither state.
    pub changed: bool,
    /// Written by a program for a program: its lines are too long to be read.
    pub minified: bool,
}

impl Content {
    /// As the facts count them: a last line without its end is one.
    pub fn lines(&self) -> u32 {
        u32::try_from(self.text.lines().count()).unwrap_or(u32::MAX)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    Utf8,
    Utf8Bom,
    Utf16Le,
    Utf16Be,
    /// Whatever is text and none of the others: each byte is one character.
    Windows1252,
}

impl Encoding {
    /// `None` for the usual one, which needs no mention.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Encoding::Utf8 => None,
            Encoding::Utf8Bom => Some("UTF-8 with a byte order mark"),
            Encoding::Utf16Le => Some("UTF-16, little endian"),
            Encoding::Utf16Be => Some("UTF-16, big endian"),
            Encoding::Windows1252 => Some("Windows-1252"),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Limits {
    /// Larger files are not read at all.
    pub max_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_bytes: 2 << 20 }
    }
}

/// Why there is no text.
#[derive(Debug, Error)]
pub enum Unread {
    #[error("it has {size} bytes, more than the limit of {limit}")]
    TooLarge { size: u64, limit: u64 },
    #[error("it is binary")]
    Binary,
    #[error("it is behind a link now")]
    Link,
    #[error("it cannot be read")]
    Unreadable(#[source] io::Error),
}

impl From<Unread> for SkipReason {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::TooLarge { size, limit } => SkipReason::TooLarge { size, limit },
            Unread::Binary => SkipReason::Binary,
            Unread::Link => SkipReason::BehindLink,
            Unread::Unreadable(error) => SkipReason::of_error(&error),
        }
    }
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Self {
        if folder::is_link_error(&error) { Unread::Link } else { Unread::Unreadable(error) }
    }
}

/// Reads a file that a walk of `root` found.
pub fn read(root: &Path, found: &FoundFile, limits: &Limits) -> Result<Content, Unread> {
    Bytes::read(&FolderRoot::open(root)?, found, limits)?.text()
}

/// What a file holds, not looked into yet: its hash may tell that it is known.
pub(crate) struct Bytes {
    pub(crate) hash: Sha256,
    pub(crate) changed: bool,
    all: Vec<u8>,
}

impl Bytes {
    pub(crate) fn read(
        root: &FolderRoot,
        found: &FoundFile,
        limits: &Limits,
    ) -> Result<Self, Unread> {
        let limit = limits.max_bytes;
        let too_large = |size| Unread::TooLarge { size, limit };
        if found.size > limit {
            return Err(too_large(found.size));
        }
        let mut file = root.file(&found.path)?;
        let expected = usize::try_from(found.size).map_err(|_| too_large(found.size))?;
        // What grew since the walk is read as far as it was; that it grew is seen by its size.
        let mut bytes = Vec::with_capacity(expected);
        read_up_to(&mut file, &mut bytes, expected.min(SNIFF))?;
        if !may_be_text(&bytes) {
            return Err(Unread::Binary);
        }
        read_up_to(&mut file, &mut bytes, expected)?;
        let (read, stat) = (bytes.len() as u64, Stat::of(&file)?);
        if stat.size > limit {
            return Err(too_large(stat.size));
        }
        let as_found = (found.size, found.mtime_ns, found.inode);
        let changed = read != found.size || (stat.size, stat.mtime_ns, stat.inode) != as_found;
        Ok(Bytes { hash: Sha256::of(&bytes), changed, all: bytes })
    }

    pub(crate) fn text(self) -> Result<Content, Unread> {
        let Bytes { hash, changed, all } = self;
        let (text, encoding) = decode(all).ok_or(Unread::Binary)?;
        Ok(Content { minified: is_minified(&text), hash, text, encoding, changed })
    }
}

/// Reads until `bytes` has so many, or the file ends. The system is not asked whether there would be more.
fn read_up_to(file: &mut File, bytes: &mut Vec<u8>, wanted: usize) -> io::Result<()> {
    let mut have = bytes.len();
    bytes.resize(wanted, 0);
    while have < wanted {
        match file.read(&mut bytes[have..]) {
            Ok(0) => break,
            Ok(read) => have += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(have);
    Ok(())
}

/// Where git looks for a NUL byte, too.
const SNIFF: usize = 8 << 10;

/// By the first bytes. UTF-16 is full of zeros and is looked at as a whole.
fn may_be_text(begin: &[u8]) -> bool {
    match begin {
        // UTF-32, which nobody writes source in.
        [0xff, 0xfe, 0, 0, ..] => false,
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        _ => !begin.iter().take(SNIFF).any(|&byte| byte == 0),
    }
}

/// The text of a file without its byte order mark, and how it was written. `None` for what is no text.
pub fn decode(bytes: Vec<u8>) -> Option<(String, Encoding)> {
    if !may_be_text(&bytes) {
        return None;
    }
    match bytes.as_slice() {
        [0xff, 0xfe, text @ ..] => {
            return Some((utf16(text, u16::from_le_bytes)?, Encoding::Utf16Le));
        }
        [0xfe, 0xff, text @ ..] => {
            return Some((utf16(text, u16::from_be_bytes)?, Encoding::Utf16Be));
        }
        _ => {}
    }
    match String::from_utf8(bytes) {
        Ok(text) => Some(match text.strip_prefix('\u{feff}') {
            Some(rest) => (rest.to_owned(), Encoding::Utf8Bom),
            None => (text, Encoding::Utf8),
        }),
        Err(error) => {
            let text = error.as_bytes().iter().map(|&byte| windows_1252(byte)).collect();
            Some((text, Encoding::Windows1252))
        }
    }
}

/// Strict: binary files that happen to begin like UTF-16 do not go on like it.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let sniffed = pairs.iter().take(SNIFF / 2);
    if !rest.is_empty() || sniffed.clone().any(|&pair| pair == [0, 0]) {
        return None;
    }
    char::decode_utf16(pairs.iter().map(|&pair| unit(pair))).collect::<Result<_, _>>().ok()
}

fn windows_1252(byte: u8) -> char {
    /// From 0x80 on; what the encoding leaves open stands for itself.
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        other => char::from(other),
    }
}

const LONGEST_LINE: usize = 64 << 10;
const LONGEST_AVERAGE: usize = 1000;
/// A short file with one long line is still quickly read.
const SMALL: usize = 20_000;

pub(crate) fn is_minified(text: &str) -> bool {
    if text.len() <= SMALL {
        return false;
    }
    let (mut lines, mut longest) = (0, 0);
    for line in text.lines() {
        lines += 1;
        longest = longest.max(line.len());
    }
    longest > LONGEST_LINE || text.len() / lines.max(1) > LONGEST_AVERAGE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes decoded, or `binary`.
    fn check(bytes: &[u8], expected: &str) {
        let shown = match decode(bytes.to_vec()) {
            Some((text, encoding)) => format!("{encoding:?} {text:?}"),
            None => "binary".to_owned(),
        };
        assert_eq!(shown, expected, "{bytes:?}");
    }

    #[test]
    fn ix1_every_encoding_is_read() {
        check(b"", r#"Utf8 """#);
        check("aü€".as_bytes(), r#"Utf8 "aü€""#);
        check(b"\xef\xbb\xbfa", r#"Utf8Bom "a""#);
        check(b"\xff\xfea\0\xfc\0=\xd8\0\xde", r#"Utf16Le "aü😀""#);
        check(b"\xfe\xff\0a\0\xfc", r#"Utf16Be "aü""#);
        check(b"na\xefve \x80 \x93x\x94 \x81", r#"Windows1252 "naïve € “x” \u{81}""#);
        check(b"\xef\xbb\xbfa\xff", r#"Windows1252 "ï»¿aÿ""#);
    }

    #[test]
    fn ix1_what_is_no_text_is_binary() {
        check(b"\x7fELF\0\0", "binary");
        check(b"\xff\xfea\0b", "binary");
        check(b"\xff\xfea\0\0\0", "binary");
        check(b"\xff\xfe\0\xd8a\0", "binary");
        check(b"\xff\xfe\0\0a\0\0\0", "binary");
        let mut late = vec![b'a'; SNIFF];
        late.push(0);
        assert!(decode(late).is_some());
        assert!(decode([vec![b'a'; SNIFF - 1], vec![0]].concat()).is_none());
    }

    #[test]
    fn ix1_long_lines_are_minified() {
        let line = |length: usize| "x".repeat(length - 1) + "\n";
        assert!(!is_minified(&line(SMALL)));
        assert!(is_minified(&line(SMALL + 1)));
        assert!(!is_minified(&line(1000).repeat(30)));
        assert!(is_minified(&line(1001).repeat(30)));
        let mostly_short = line(10).repeat(10_000);
        assert!(!is_minified(&(mostly_short.clone() + &line(LONGEST_LINE + 1))));
        assert!(is_minified(&(mostly_short + &line(LONGEST_LINE + 2))));
    }
}
