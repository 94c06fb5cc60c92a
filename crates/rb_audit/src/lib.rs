//! Whether a change is consistent in itself: imports, exports, signatures, references, cycles, layers.
//!
//! `audit` compares the index before a change with the index after it and reports what the change broke, with the place and
//! the edit that did it. What was broken before stays silent, and so does whatever cannot be told from the text: a finding
//! must be worth stopping for. It writes nothing, runs nothing, and never asks a model.

mod callee;
mod carried;
mod changed;
mod checks;
mod comparison;
mod fit;
mod globals;
mod leftovers;
mod overlaps;
mod provided;
mod reach;
mod removed;
mod renamed;
mod residue;
mod rules;
mod words;

use rb_core::Cancel;
use rb_index::{StoreError, Texts, View};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use self::carried::carry_over;
use self::comparison::Comparison;
pub use self::overlaps::Overlaps;
pub use self::removed::removed_behaviour;
pub use self::renamed::{Renamed, renames};
pub use self::residue::{LostLine, Residue, residue};
pub use self::rules::{NoRules, RuleHit, Rules, When};

/// One file of a change. `None` stands for a file that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub path: String,
    pub before: Option<Vec<u8>>,
    pub after: Option<Vec<u8>>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Finding {
    pub path: String,
    /// In the text after the change, or before it where the place is gone.
    pub line: u32,
    pub kind: FindingKind,
    pub severity: Severity,
    pub message: String,
    /// The edit that did it.
    pub cause: Option<Cause>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cause {
    pub path: String,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    SyntaxError,
    UnresolvedImport,
    MissingExport,
    DanglingReference,
    SignatureMismatch,
    OrphanedImport,
    OrphanedFunction,
    NewCycle,
    CrossLayerImport,
    AntiPattern,
    EditedTwice,
    ContradictoryEdit,
    RemovedBehaviour,
    /// An old name that still stands somewhere.
    StaleName,
    /// Documentation of parameters that are gone.
    StaleDocs,
    /// Something whose last use the change removed.
    UnusedHelper,
    /// Moved code that still stands where it was.
    RemainingCopy,
}

impl FindingKind {
    /// As it is shown and stored.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::SyntaxError => "syntax_error",
            FindingKind::UnresolvedImport => "unresolved_import",
            FindingKind::MissingExport => "missing_export",
            FindingKind::DanglingReference => "dangling_reference",
            FindingKind::SignatureMismatch => "signature_mismatch",
            FindingKind::OrphanedImport => "orphaned_import",
            FindingKind::OrphanedFunction => "orphaned_function",
            FindingKind::NewCycle => "new_cycle",
            FindingKind::CrossLayerImport => "cross_layer_import",
            FindingKind::AntiPattern => "anti_pattern",
            FindingKind::EditedTwice => "edited_twice",
            FindingKind::ContradictoryEdit => "contradictory_edit",
            FindingKind::RemovedBehaviour => "removed_behaviour",
            FindingKind::StaleName => "stale_name",
            FindingKind::StaleDocs => "stale_docs",
            FindingKind::UnusedHelper => "unused_helper",
            FindingKind::RemainingCopy => "remaining_copy",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It does not build, or fails when the code gets there.
    Error,
    /// It works, and somebody should look at it.
    Warning,
}

#[derive(Debug, Error)]
pub enum AuditError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("interrupted")]
    Interrupted,
}

/// What the change broke, sorted by place. The views are of the state before and after it; they may share a store.
pub fn audit(
    before: &View<'_>,
    after: &View<'_>,
    texts: &dyn Texts,
    changes: &[Change],
    rules: &dyn Rules,
    cancel: &Cancel,
) -> Result<Vec<Finding>, AuditError> {
    let comparison = Comparison::new(before, after, texts, changes, rules, cancel);
    let mut findings = Vec::new();
    for check in checks::ALL {
        if cancel.is_cancelled() {
            return Err(AuditError::Interrupted);
        }
        findings.extend(check(&comparison));
    }
    // What another check already says of a line is not said again.
    let mut leftovers = leftovers::find(&comparison);
    leftovers.retain(|it| {
        !findings.iter().any(|other| (&other.path, other.line) == (&it.path, it.line))
    });
    findings.extend(leftovers);
    comparison.check()?;
    if cancel.is_cancelled() {
        return Err(AuditError::Interrupted);
    }
    findings.sort();
    findings.dedup();
    Ok(findings)
}
