//! The file of a memory: `ask/REPOSITORY/memory.json` in the home folder.
//!
//! Losing a memory costs a few reads, so nothing that is wrong with the file stops a question.

use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability, FsError};
use serde_json::Value;

use super::{Memory, VERSION};

impl Memory {
    /// Reads the memory. A file that cannot be used is set aside, the memory begins empty, and the second value says so.
    pub fn load(file: &Path) -> (Memory, Option<String>) {
        let bytes = match fs::read_optional(file) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return (Memory::default(), None),
            Err(error) => {
                let warning = format!("the memory of this repository is not used: {error}");
                return (Memory::default(), Some(warning));
            }
        };
        match parse(&bytes) {
            Ok(memory) => (memory, None),
            Err(why) => (Memory::default(), Some(set_aside(file, why))),
        }
    }

    /// Writes the memory in one step: a reader sees the old one or the new one.
    pub fn save(&self, file: &Path) -> Result<(), FsError> {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        let memory = Memory { version: VERSION, ..self.clone() };
        let mut bytes = serde_json::to_vec_pretty(&memory).expect("a memory is plain data");
        bytes.push(b'\n');
        fs::write(file, &bytes, Durability::Relaxed)
    }

    /// Deletes the memory and what was set aside, and returns what went; `None` if there was nothing.
    pub fn forget(file: &Path) -> Result<Option<Memory>, FsError> {
        fs::remove_file(&aside(file))?;
        let Some(bytes) = fs::read_optional(file)? else { return Ok(None) };
        fs::remove_file(file)?;
        Ok(Some(parse(&bytes).unwrap_or_default()))
    }
}

fn parse(bytes: &[u8]) -> Result<Memory, &'static str> {
    let value: Value = serde_json::from_slice(bytes).map_err(|_| "is damaged")?;
    let version = value.get("version").and_then(Value::as_u64).unwrap_or_default();
    if version > u64::from(VERSION) {
        return Err("was written by a newer version of refactor-bot");
    }
    serde_json::from_value(value).map_err(|_| "is damaged")
}

fn set_aside(file: &Path, why: &str) -> String {
    let aside = aside(file);
    match fs::rename(file, &aside) {
        Ok(()) => format!(
            "the memory of this repository {why}; it was moved to {} and a new one begins",
            aside.display()
        ),
        Err(error) => format!("the memory of this repository {why} and is not used: {error}"),
    }
}

fn aside(file: &Path) -> PathBuf {
    file.with_extension("json.unusable")
}
