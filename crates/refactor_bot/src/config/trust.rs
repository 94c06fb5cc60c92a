//! Which projects' configurations the person has agreed to. Kept outside the repositories.
//!
//! Agreement is to one content at one place: when the file changes, it has to be given again.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rb_core::clock::{self, Timestamp};
use rb_core::fs::{self, Durability};
use rb_core::path::quote;
use rb_core::{Home, Sha256};
use serde::{Deserialize, Serialize};

use super::error::ConfigError;
use super::file::ProjectFile;

#[derive(Debug)]
pub(crate) struct Trust {
    file: PathBuf,
    list: List,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    /// By the project's folder, quoted as git quotes paths so that no two folders look the same.
    trusted: BTreeMap<String, Agreement>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Agreement {
    sha256: Sha256,
    since: Timestamp,
}

impl Trust {
    /// A list that cannot be read is an error, never an empty list or a full one.
    pub(crate) fn load(home: &Home) -> Result<Self, ConfigError> {
        let file = home.trust();
        let list = match fs::read_optional(&file)? {
            None => List::default(),
            Some(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                ConfigError::BrokenTrust { file: file.clone(), problem: error.to_string() }
            })?,
        };
        Ok(Trust { file, list })
    }

    pub(crate) fn covers(&self, project: &ProjectFile) -> bool {
        self.list.trusted.get(&name(&project.root)).is_some_and(|a| a.sha256 == project.sha256)
    }

    pub(crate) fn add(&mut self, project: &ProjectFile) -> Result<(), ConfigError> {
        let agreement = Agreement { sha256: project.sha256, since: clock::now() };
        self.list.trusted.insert(name(&project.root), agreement);
        self.save()
    }

    /// False when the project was not on the list.
    pub(crate) fn remove(&mut self, root: &Path) -> Result<bool, ConfigError> {
        if self.list.trusted.remove(&name(root)).is_none() {
            return Ok(false);
        }
        self.save()?;
        Ok(true)
    }

    fn save(&self) -> Result<(), ConfigError> {
        let mut text = serde_json::to_string_pretty(&self.list).expect("the list has text keys");
        text.push('\n');
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write_with_mode(&self.file, text.as_bytes(), 0o600, Durability::Synced)?;
        Ok(())
    }
}

fn name(root: &Path) -> String {
    quote(root.as_os_str().as_bytes())
}
