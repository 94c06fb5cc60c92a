//! The evidence: every picture with its hash, the commit and the server that it came from.

use std::collections::BTreeSet;
use std::path::Path;

use rb_core::clock::Timestamp;
use rb_core::fs::{self, Durability, FsError};
use rb_core::{RepoPath, Sha256};
use rb_sandbox::Guarantees;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::ServerOrigin;
use crate::checks::Viewport;

/// The file beside the pictures.
pub(super) const EVIDENCE: &str = "evidence.json";

const LARGEST: u64 = 64 << 20;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub pictures: Vec<Picture>,
    /// What the sandbox held while the browser ran.
    pub sandbox: Guarantees,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    pub file: String,
    pub sha256: Sha256,
    pub url: String,
    pub criterion: Option<String>,
    pub commit: String,
    pub port: u16,
    pub server_pid: Option<u32>,
    pub command: Option<String>,
    pub origin: ServerOrigin,
    pub time: Timestamp,
    pub viewport: Viewport,
    pub browser: String,
}

/// A picture that is not the one that the browser took.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Forged {
    #[error("{0} is missing")]
    Missing(String),
    #[error("{0} was changed after it was taken")]
    Changed(String),
    #[error("{0} is not in the manifest")]
    Unknown(String),
    #[error("{0} cannot be the name of a picture")]
    Name(String),
    #[error("{file} cannot be read: {why}")]
    Unreadable { file: String, why: String },
}

impl Manifest {
    pub(super) fn new(sandbox: Guarantees) -> Manifest {
        Manifest { pictures: Vec::new(), sandbox }
    }

    /// As the file has it.
    pub fn text(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("plain data with text keys is always JSON");
        text.push('\n');
        text
    }

    /// Kept elsewhere, it shows whether the manifest itself is the one that was written.
    pub fn sha256(&self) -> Sha256 {
        Sha256::of(self.text().as_bytes())
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), FsError> {
        fs::write(&folder.join(EVIDENCE), self.text().as_bytes(), Durability::Synced)
    }

    /// Reads the pictures again. Every one that is missing, changed or unknown is named.
    pub fn verify(&self, folder: &Path) -> Result<(), Vec<Forged>> {
        let mut forged: Vec<Forged> =
            self.pictures.iter().filter_map(|picture| picture.compare(folder).err()).collect();
        let known: BTreeSet<&str> =
            self.pictures.iter().map(|picture| picture.file.as_str()).collect();
        let unknown = fs::list(folder).unwrap_or_default().into_iter().filter_map(|name| {
            let name = name.to_str()?;
            (is_picture(name) && !known.contains(name))
                .then(|| Forged::Unknown(rb_http::printable(name)))
        });
        forged.extend(unknown);
        if forged.is_empty() { Ok(()) } else { Err(forged) }
    }
}

impl Picture {
    fn compare(&self, folder: &Path) -> Result<(), Forged> {
        let file = rb_http::printable(&self.file);
        let path = match RepoPath::new(&self.file) {
            Ok(path) if is_picture(&self.file) => path,
            Ok(_) | Err(_) => return Err(Forged::Name(file)),
        };
        match fs::read_plain(folder, &path, LARGEST) {
            Ok(Some(bytes)) if Sha256::of(&bytes) == self.sha256 => Ok(()),
            Ok(Some(_)) => Err(Forged::Changed(file)),
            Ok(None) => Err(Forged::Missing(file)),
            Err(error) => Err(Forged::Unreadable { file, why: error.source.to_string() }),
        }
    }
}

pub(super) fn is_picture(name: &str) -> bool {
    let has_prefix = name.starts_with("proof-") || name.starts_with("issue-");
    let ending = Path::new(name).extension();
    has_prefix && ending.is_some_and(|ending| ending == "png") && !name.contains('/')
}
