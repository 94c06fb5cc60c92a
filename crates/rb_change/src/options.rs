//! What a run may change, and how its changes are checked.

use rb_core::{RepoPath, Task};
use rb_verify::Options;
use rb_workspace::patch::{Scope, ScopeError};
use rb_workspace::preflight::Dirty;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeOptions {
    /// The folder of the repository that the run works on; `None` for all of it.
    pub folder: Option<RepoPath>,
    /// Globs of files that may change; empty for all.
    pub includes: Vec<String>,
    /// Globs of files that may not.
    pub excludes: Vec<String>,
    /// Lines that one task may add and remove together, where the task has no limit of its own.
    pub diff_budget: usize,
    /// Uncommitted changes are taken along.
    pub allow_dirty: bool,
    /// `None` for a run that verifies nothing.
    pub verify: Option<Verify>,
    /// A person approves each change, so its diff is kept.
    pub approve_each: bool,
    pub index: IndexNeeds,
}

/// What the index of the worktree is used for beside the audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IndexNeeds {
    /// How often files change.
    pub history: bool,
    /// Questions in plain English.
    pub search: bool,
}

impl ChangeOptions {
    /// Whether the repository's own commands are run.
    pub fn runs_commands(&self) -> bool {
        self.verify.as_ref().is_some_and(|verify| verify.runs_commands)
    }

    /// The files that the run may touch.
    pub fn scope(&self) -> Result<Scope, ScopeError> {
        Scope::new(&self.includes, &self.excludes, self.folder.clone())
    }

    /// The files that one task may touch: what the task names, within what the run allows.
    pub fn scope_of(&self, task: &Task) -> Result<Scope, ScopeError> {
        self.scope()?.narrowed(&task.scope_globs)
    }

    pub fn dirty(&self) -> Dirty {
        if self.allow_dirty { Dirty::Carry } else { Dirty::Refuse }
    }
}

/// Runs of before the choice ran them all.
fn yes() -> bool {
    true
}

/// How the changes of a run are verified.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verify {
    /// Whether the repository's own commands are run. Every change is read all the same.
    #[serde(default = "yes")]
    pub runs_commands: bool,
    pub options: Options,
    /// Number of tasks between two runs of the full verifier; it also runs at the end.
    pub full_every: u32,
    /// Go on although the baseline fails: only what gets worse counts.
    pub allow_failing_baseline: bool,
    pub allow_public_api_changes: bool,
    /// Lines of logic that one task may lose; none is no limit.
    pub max_residue: Option<usize>,
}
