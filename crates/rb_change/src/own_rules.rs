//! The rules that a project wrote itself, from its files. One that cannot be read stops everything: silence would pass for
//! "nothing found".

use std::path::{Path, PathBuf};

use rb_core::fs::{self, FsError};
use rb_patterns::{RuleFileError, Rules};
use rb_rules::engine::own;
use thiserror::Error;

/// A larger file of rules was not written by hand.
const MAX: u64 = 1 << 20;

#[derive(Debug, Error)]
pub enum OwnRulesError {
    #[error("{}", .0[0])]
    Broken(Vec<RuleFileError>),
    #[error("{0} is not UTF-8")]
    NotText(String),
    #[error(transparent)]
    Fs(#[from] FsError),
}

pub fn own_rules(root: &Path) -> Result<Rules, OwnRulesError> {
    let (rules, errors) = own::load(&rule_files(root)?);
    if errors.is_empty() { Ok(rules) } else { Err(OwnRulesError::Broken(errors)) }
}

/// Paths and texts, sorted.
pub fn rule_files(root: &Path) -> Result<Vec<(String, String)>, OwnRulesError> {
    let folder: PathBuf = root.join(own::FOLDER);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for name in fs::list(&folder)? {
        let Some(name) = name.to_str() else { continue };
        if own::is_rule_file(name) && folder.join(name).is_file() {
            let path = format!("{}/{name}", own::FOLDER);
            let bytes = fs::read_head(&folder.join(name), MAX)?;
            let text =
                String::from_utf8(bytes).map_err(|_| OwnRulesError::NotText(path.clone()))?;
            files.push((path, text));
        }
    }
    files.sort();
    Ok(files)
}
