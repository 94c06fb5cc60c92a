//! What stands at a path of a checkout: its kind, its content and its mode.

use std::io::ErrorKind;
use std::path::Path;

use rb_core::Sha256;
use rb_core::fs::FsError;
use serde::{Deserialize, Serialize};

use crate::fingerprint::{Depth, Mark, MarkKind, mark};

/// One version of a file, or that there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Form")]
pub struct Version {
    pub kind: MarkKind,
    pub sha256: Option<Sha256>,
    /// Unknown for links, and in journals of older versions.
    pub mode: Option<u32>,
}

/// As it is written, and as older versions wrote it: the hash of a file, or nothing.
#[derive(Deserialize)]
#[serde(untagged)]
enum Form {
    Full { kind: MarkKind, sha256: Option<Sha256>, mode: Option<u32> },
    Hash(Option<Sha256>),
}

impl From<Form> for Version {
    fn from(form: Form) -> Version {
        match form {
            Form::Full { kind, sha256, mode } => Version { kind, sha256, mode },
            Form::Hash(Some(sha256)) => Version::file(sha256, None),
            Form::Hash(None) => Version::ABSENT,
        }
    }
}

impl Version {
    pub const ABSENT: Version = Version { kind: MarkKind::Absent, sha256: None, mode: None };

    pub fn file(sha256: Sha256, mode: Option<u32>) -> Version {
        Version { kind: MarkKind::File, sha256: Some(sha256), mode }
    }

    pub fn link(sha256: Sha256) -> Version {
        Version { kind: MarkKind::Link, sha256: Some(sha256), mode: None }
    }

    /// Looks at `place` without following a link.
    pub(crate) fn at(place: &Path) -> Result<Version, FsError> {
        match mark(place, Depth::Full) {
            Ok(found) => Ok(Version::from(&found)),
            // It went between the look and the reading.
            Err(error) if error.source.kind() == ErrorKind::NotFound => Ok(Version::ABSENT),
            Err(error) => Err(error),
        }
    }

    /// Whether both are the same, as far as is known. A folder or a device is never the same as anything.
    pub fn is(self, other: Version) -> bool {
        let same_mode = self.mode.zip(other.mode).is_none_or(|(a, b)| a == b);
        let is_known = self.kind != MarkKind::Other;
        is_known && self.kind == other.kind && self.sha256 == other.sha256 && same_mode
    }

    pub fn is_absent(self) -> bool {
        self.kind == MarkKind::Absent
    }

    pub(crate) fn is_executable(self) -> bool {
        self.mode.is_some_and(|mode| mode & 0o100 != 0)
    }
}

impl From<&Mark> for Version {
    fn from(mark: &Mark) -> Version {
        let mode = (mark.kind == MarkKind::File).then_some(mark.mode);
        Version { kind: mark.kind, sha256: mark.sha256, mode }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sa6_versions_of_older_journals_are_read() {
        let hash = Sha256::of(b"x");
        let read = |text: &str| serde_json::from_str::<Version>(text).unwrap();
        assert_eq!(read("null"), Version::ABSENT);
        assert_eq!(read(&format!("\"{hash}\"")), Version::file(hash, None));
        for version in [Version::ABSENT, Version::link(hash), Version::file(hash, Some(0o640))] {
            assert_eq!(read(&serde_json::to_string(&version).unwrap()), version);
        }
        assert!(Version::file(hash, None).is(Version::file(hash, Some(0o644))));
        assert!(!Version::file(hash, Some(0o755)).is(Version::file(hash, Some(0o644))));
    }
}
