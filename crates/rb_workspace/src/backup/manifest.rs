//! What a backup holds, with a hash of each piece.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rb_core::clock::Timestamp;
use rb_core::fs::{self, Durability, FsError};
use rb_core::{RepoPath, RunId, Sha256};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::repo::{Head, Kind};

/// `manifest.json` of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub version: u32,
    pub run: RunId,
    pub created: Timestamp,
    pub repo: PathBuf,
    pub kind: Kind,
    pub head: Head,
    /// The history, or what came after `base`. Absent where nothing did, or where there is no commit.
    pub bundle: Option<Piece>,
    /// The history up to an earlier backup: the same bytes as there, under the name `base.bundle`.
    pub base: Option<Piece>,
    /// What every ref and HEAD pointed at.
    pub refs: BTreeMap<String, String>,
    /// Git's list of the commits where a shallow history ends; the bundle restores only beside it.
    pub shallow: Option<Piece>,
    pub snapshot: Piece,
    /// The index as git had it; absent where there was none.
    pub index: Option<Piece>,
    pub files: Vec<SavedFile>,
}

/// A file of the backup itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    pub file: String,
    pub bytes: u64,
    pub sha256: Sha256,
}

/// A file of the checkout, as the snapshot holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFile {
    pub path: RepoPath,
    pub kind: SavedKind,
    pub mode: u32,
    pub size: u64,
    pub sha256: Sha256,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SavedKind {
    File,
    Link,
}

pub(super) const VERSION: u32 = 1;

#[derive(Debug, Error)]
pub enum ManifestError {
    #[error("there is no backup at {}", .0.display())]
    Missing(PathBuf),
    #[error("the manifest at {} cannot be read: {message}", path.display())]
    Malformed { path: PathBuf, message: String },
    #[error("the backup at {} was written by a newer version (format {found})", path.display())]
    Newer { path: PathBuf, found: u32 },
    #[error(transparent)]
    Fs(#[from] FsError),
}

impl Manifest {
    pub fn load(backup: &Path) -> Result<Manifest, ManifestError> {
        let path = backup.join("manifest.json");
        let bytes =
            fs::read_optional(&path)?.ok_or_else(|| ManifestError::Missing(backup.to_owned()))?;
        let malformed = |message: String| ManifestError::Malformed { path: path.clone(), message };
        let value: serde_json::Value =
            serde_json::from_slice(&bytes).map_err(|error| malformed(error.to_string()))?;
        match value.get("version").and_then(serde_json::Value::as_u64) {
            Some(found) if found > u64::from(VERSION) => {
                return Err(ManifestError::Newer {
                    path,
                    found: u32::try_from(found).unwrap_or(u32::MAX),
                });
            }
            Some(_) => {}
            None => return Err(malformed("it has no version".to_owned())),
        }
        serde_json::from_value(value).map_err(|error| malformed(error.to_string()))
    }

    /// The bundles in the order in which they are unpacked.
    pub fn bundles(&self) -> impl Iterator<Item = &Piece> {
        self.base.iter().chain(&self.bundle)
    }

    pub(super) fn save(&self, backup: &Path) -> Result<(), FsError> {
        let mut text = serde_json::to_vec_pretty(self).expect("a manifest is plain data");
        text.push(b'\n');
        fs::write(&backup.join("manifest.json"), &text, Durability::Synced)
    }
}
