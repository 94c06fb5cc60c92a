//! Which changes of contracts are let through.
//!
//! What only adds is never refused. Everything that breaks somebody is, unless all such changes are allowed or the name is.

use globset::{Glob, GlobSet, GlobSetBuilder};
use thiserror::Error;

use crate::compare::ContractChange;

/// What the person allows.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    pub allow_public_api_changes: bool,
    /// Patterns of names, `*` for any part: `Router.*`, `GET /internal/*`, `--old-flag`.
    pub allowed: Vec<String>,
    /// Changes that were asked for: a file and a name of it with all its members, `*` for all names of the file.
    pub asked: Vec<(String, String)>,
}

impl Policy {
    fn is_asked(&self, change: &ContractChange) -> bool {
        self.asked.iter().any(|(file, name)| {
            let rest = change.name.strip_prefix(name.as_str());
            let is_name = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
            *file == change.file && (name == "*" || is_name)
        })
    }
}

#[derive(Debug, Error)]
#[error("`{pattern}` is not a valid name pattern")]
pub struct PolicyError {
    pub pattern: String,
    #[source]
    source: globset::Error,
}

/// The changes that are allowed, and those that are refused; both in the order given.
pub fn judge(
    changes: Vec<ContractChange>,
    policy: &Policy,
) -> Result<(Vec<ContractChange>, Vec<ContractChange>), PolicyError> {
    let names = patterns(&policy.allowed)?;
    Ok(changes.into_iter().partition(|change| {
        !change.breaking
            || policy.allow_public_api_changes
            || names.is_match(&change.name)
            || policy.is_asked(change)
    }))
}

fn patterns(allowed: &[String]) -> Result<GlobSet, PolicyError> {
    let mut builder = GlobSetBuilder::new();
    let wrong = |pattern: &str, source| PolicyError { pattern: pattern.to_owned(), source };
    for pattern in allowed {
        builder.add(Glob::new(pattern).map_err(|error| wrong(pattern, error))?);
    }
    builder.build().map_err(|error| wrong(&allowed.join(", "), error))
}
