//! Paths inside a repository: relative, clean, and never able to name anything outside it.

use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// A path relative to the root of a repository, as bytes with `/` between components.
///
/// Holding one proves that it is not empty or absolute, has no `.` or `..`, and does not reach into a
/// `.git` folder under any of the spellings that some file system takes for one. It does not prove that
/// no symbolic link stands on the way: `fs::contained` does, at the time of use.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(Vec<u8>);

#[derive(Debug, Clone, Error, PartialEq, Eq)]
pub enum BadPath {
    #[error("the path is empty")]
    Empty,
    #[error("`{0}` is absolute; paths are relative to the repository")]
    Absolute(String),
    #[error("`{0}` leads outside the repository or is not in its plain form")]
    NotPlain(String),
    #[error("`{0}` reaches into git's own folder")]
    GitFolder(String),
    #[error("`{0}` holds a NUL byte")]
    Nul(String),
    #[error("a path of {0} bytes is too long")]
    TooLong(usize),
}

/// The longest path that Linux and macOS take in one call.
const MAX_LEN: usize = 4095;

impl RepoPath {
    pub fn new(bytes: impl AsRef<[u8]>) -> Result<Self, BadPath> {
        let bytes = bytes.as_ref();
        let shown = || quote(bytes);
        if bytes.is_empty() {
            return Err(BadPath::Empty);
        }
        if bytes.len() > MAX_LEN {
            return Err(BadPath::TooLong(bytes.len()));
        }
        if bytes.contains(&0) {
            return Err(BadPath::Nul(shown()));
        }
        if bytes[0] == b'/' {
            return Err(BadPath::Absolute(shown()));
        }
        bytes.split(|&b| b == b'/').try_for_each(|component| check_component(component, bytes))?;
        Ok(RepoPath(bytes.to_vec()))
    }

    /// An entry of the folder that this path names. Looks at the name alone, so that a walk does not check each
    /// folder again for every file in it.
    pub fn child(&self, name: &[u8]) -> Result<Self, BadPath> {
        let path = [&self.0, b"/".as_slice(), name].concat();
        if path.len() > MAX_LEN {
            return Err(BadPath::TooLong(path.len()));
        }
        if name.contains(&0) {
            return Err(BadPath::Nul(quote(&path)));
        }
        if name.contains(&b'/') {
            return Err(BadPath::NotPlain(quote(&path)));
        }
        check_component(name, &path)?;
        Ok(RepoPath(path))
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub fn as_path(&self) -> &Path {
        Path::new(OsStr::from_bytes(&self.0))
    }

    /// This path below `root`, without a look at the disk.
    pub fn below(&self, root: &Path) -> PathBuf {
        root.join(self.as_path())
    }

    pub fn file_name(&self) -> &[u8] {
        self.0.rsplit(|&b| b == b'/').next().expect("split gives at least one piece")
    }

    /// The folders on the way, outermost first; the path itself is not among them.
    pub fn ancestors(&self) -> impl Iterator<Item = RepoPath> + '_ {
        self.0
            .iter()
            .enumerate()
            .filter(|&(_, &byte)| byte == b'/')
            .map(|(at, _)| RepoPath(self.0[..at].to_vec()))
    }

    /// True for the folder itself and everything below it.
    pub fn is_within(&self, folder: &RepoPath) -> bool {
        self.0
            .strip_prefix(folder.0.as_slice())
            .is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
    }
}

fn check_component(component: &[u8], path: &[u8]) -> Result<(), BadPath> {
    if matches!(component, b"" | b"." | b"..") {
        return Err(BadPath::NotPlain(quote(path)));
    }
    if is_git_folder(component) {
        return Err(BadPath::GitFolder(quote(path)));
    }
    Ok(())
}

/// `.git` as file systems may take it: any case, trailing dots and spaces (NTFS), `git~1` (its short
/// name), and with the invisible characters that HFS+ skips.
fn is_git_folder(component: &[u8]) -> bool {
    // Nearly every name is told by its first byte; an invisible character is not ASCII.
    if component.first().is_some_and(|&b| b.is_ascii() && !matches!(b, b'.' | b'g' | b'G')) {
        return false;
    }
    let text = String::from_utf8_lossy(component);
    let visible: String = text
        .chars()
        .filter(|c| !matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}'))
        .flat_map(char::to_lowercase)
        .collect();
    let stem = visible.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    stem == ".git" || stem == "git~1"
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quote(&self.0))
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quote(&self.0))
    }
}

impl Serialize for RepoPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RepoPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let bytes = unquote(&text)
            .ok_or_else(|| serde::de::Error::custom(format!("`{text}` is badly quoted")))?;
        RepoPath::new(bytes).map_err(serde::de::Error::custom)
    }
}

/// Git's C-style quoting, used only where plain text would be lost or misread.
///
/// A name that is printable UTF-8 without quotes or backslashes stands for itself.
pub fn quote(bytes: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.chars().any(|c| c.is_control() || c == '"' || c == '\\')
    {
        return text.to_owned();
    }
    let mut quoted = String::from('"');
    for &byte in bytes {
        match byte {
            b'"' => quoted.push_str("\\\""),
            b'\\' => quoted.push_str("\\\\"),
            b'\n' => quoted.push_str("\\n"),
            b'\t' => quoted.push_str("\\t"),
            b'\r' => quoted.push_str("\\r"),
            0x20..=0x7e => quoted.push(char::from(byte)),
            other => {
                let _ = write!(quoted, "\\{other:03o}");
            }
        }
    }
    quoted.push('"');
    quoted
}

/// The bytes behind `quote`'s or git's own quoting; `None` where it is broken.
pub fn unquote(text: &str) -> Option<Vec<u8>> {
    let Some(inner) = text.strip_prefix('"') else { return Some(text.as_bytes().to_vec()) };
    let inner = inner.strip_suffix('"')?.as_bytes();
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.iter().copied();
    while let Some(byte) = rest.next() {
        if byte == b'"' {
            return None;
        }
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next()? {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            plain @ (b'"' | b'\\') => plain,
            high @ b'0'..=b'3' => {
                let octal =
                    |b: Option<u8>| b.filter(|b| (b'0'..=b'7').contains(b)).map(|b| b - b'0');
                let (middle, low) = (octal(rest.next())?, octal(rest.next())?);
                (high - b'0') * 64 + middle * 8 + low
            }
            _ => return None,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_only_plain_paths_are_repo_paths() {
        for good in ["a", "src/a b.ts", ".gitignore", ".github/x", "a/.gitattributes", "git", "ü"]
        {
            assert!(RepoPath::new(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "/a",
            "../a",
            "a/../b",
            "a//b",
            "./a",
            "a/",
            "a/.",
            ".git",
            ".git/config",
            "a/.GIT/x",
            ".git.",
            ".git ",
            ".git::$INDEX_ALLOCATION",
            "git~1/x",
            ".g\u{200c}it/x",
            "\u{200c}.git",
            "GIT~1",
            "a\0b",
        ] {
            assert!(RepoPath::new(bad).is_err(), "{bad}");
        }
        let folder = RepoPath::new("a").unwrap();
        assert_eq!(folder.child(b"b"), RepoPath::new("a/b"));
        for bad in ["", ".", "..", "b/c", "/b", ".git", "\u{200c}.git", "git~1", "b\0"] {
            assert!(folder.child(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(folder.child("x".repeat(MAX_LEN - 2).as_bytes()).is_ok());
        assert!(folder.child("x".repeat(MAX_LEN - 1).as_bytes()).is_err());
        assert!(RepoPath::new("x".repeat(MAX_LEN + 1)).is_err());
    }

    #[test]
    fn quoting_round_trips() {
        let names: [&[u8]; 7] = [
            b"plain",
            b"a b",
            b"\"",
            b"back\\slash",
            b"\xff\xfe",
            b"new\nline\t",
            "na\u{ef}ve".as_bytes(),
        ];
        for name in names {
            assert_eq!(unquote(&quote(name)).as_deref(), Some(name));
        }
        assert_eq!(quote(b"a b"), "a b");
        assert_eq!(quote(b"\xff\""), "\"\\377\\\"\"");
        for broken in ["\"", "\"a", "\"\\x\"", "\"\\40\"", "\"a\"b\""] {
            assert_eq!(unquote(broken), None, "{broken}");
        }
    }

    #[test]
    fn within_means_whole_components() {
        let path = |text: &str| RepoPath::new(text).unwrap();
        assert!(path("a/b").is_within(&path("a")));
        assert!(path("a").is_within(&path("a")));
        assert!(!path("ab").is_within(&path("a")));
        assert_eq!(path("a/b/c").ancestors().collect::<Vec<_>>(), [path("a"), path("a/b")]);
    }
}
