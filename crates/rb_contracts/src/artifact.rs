//! The snapshot as a file among the project's artifacts.

use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability, FsError};

use crate::model::Snapshot;

/// Writes `CONTRACTS/public_api_snapshot.json` below `folder`, in one step.
pub fn write(folder: &Path, snapshot: &Snapshot) -> Result<PathBuf, FsError> {
    let folder = folder.join("CONTRACTS");
    fs::create_dir_all(&folder)?;
    let path = folder.join("public_api_snapshot.json");
    let mut text = serde_json::to_vec_pretty(snapshot).expect("a snapshot is plain data");
    text.push(b'\n');
    fs::write(&path, &text, Durability::Relaxed)?;
    Ok(path)
}
