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
        !change.breaking || policy.allow_public_api_changes || names.is_match(&change.name)
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
