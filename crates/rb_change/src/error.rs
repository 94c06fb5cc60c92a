//! Why a change could not be made, checked, landed or taken back. The binary turns each case into an exit code and a hint.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use rb_agent::AgentError;
use rb_audit::AuditError;
use rb_contracts::ContractError;
use rb_core::fs::FsError;
use rb_core::process::ProcessError;
use rb_core::{Interrupted, RunId, at_most};
use rb_flow::{FlowError, JournalError, RunFailure, RunsError};
use rb_index::IndexError;
use rb_index::walk::WalkError;
use rb_verify::VerifyError;
use rb_workspace::backup::{BackupError, SnapshotError};
use rb_workspace::carry::CarryError;
use rb_workspace::fingerprint::{Difference, FingerprintError};
use rb_workspace::git::GitError;
use rb_workspace::land::LandError;
use rb_workspace::patch::ScopeError;
use rb_workspace::preflight::Refused;
use rb_workspace::repo::RepoError;
use rb_workspace::rollback::RollbackError;
use rb_workspace::worktree::WorktreeError;
use thiserror::Error;

use crate::own_rules::OwnRulesError;
use crate::proposals::GivenChangeError;

#[derive(Debug, Error)]
pub enum ChangeError {
    #[error("your checkout changed during the run: {}", shown(.0))]
    CheckoutChanged(Vec<Difference>),
    #[error("the disk that holds {} is full", at.display())]
    DiskFull {
        at: PathBuf,
        /// The disk holds the home folder.
        is_home: bool,
    },
    #[error("run {run} was not started in {}", repo.display())]
    OtherRepository { run: RunId, repo: PathBuf, backup: PathBuf },
    #[error("run {run} {state}")]
    WrongState { run: RunId, state: String },
    #[error("the checkpoint {commit} of run {run} is gone from the repository")]
    LostCheckpoint { run: RunId, commit: String },
    #[error("run {run} was not applied to the checkout: there is nothing to roll back")]
    NotLanded {
        run: RunId,
        /// It waits for a decision; otherwise there is work left to do.
        is_finished: bool,
    },
    #[error("there is no backup of run {0}")]
    NoBackup(RunId),
    #[error(transparent)]
    OwnRules(#[from] OwnRulesError),
    #[error(transparent)]
    Preflight(#[from] Refused),
    #[error(transparent)]
    Given(#[from] GivenChangeError),
    #[error(transparent)]
    Scope(#[from] ScopeError),
    #[error(transparent)]
    Backup(#[from] BackupError),
    #[error(transparent)]
    Carry(#[from] CarryError),
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
    #[error(transparent)]
    Fingerprint(#[from] FingerprintError),
    #[error(transparent)]
    Land(#[from] LandError),
    #[error(transparent)]
    Rollback(#[from] RollbackError),
    #[error(transparent)]
    Repo(#[from] RepoError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Process(#[from] ProcessError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Audit(#[from] AuditError),
    #[error(transparent)]
    Contracts(#[from] ContractError),
    #[error(transparent)]
    Verify(#[from] VerifyError),
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error("{agent} is not logged in")]
    NotLoggedIn { agent: String },
    #[error(transparent)]
    Flow(#[from] FlowError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

fn shown(differences: &[Difference]) -> String {
    at_most(5, differences.iter().map(ToString::to_string)).join(", ")
}

impl From<JournalError> for ChangeError {
    fn from(error: JournalError) -> Self {
        FlowError::from(error).into()
    }
}

impl From<RunsError> for ChangeError {
    fn from(error: RunsError) -> Self {
        FlowError::from(error).into()
    }
}

impl RunFailure for ChangeError {
    fn is_interruption(&self) -> bool {
        let is_one = matches!(
            self,
            ChangeError::Flow(FlowError::Interrupted)
                | ChangeError::Verify(VerifyError::Interrupted)
                | ChangeError::Index(
                    IndexError::Interrupted | IndexError::Walk(WalkError::Interrupted)
                )
                | ChangeError::Audit(AuditError::Interrupted)
                | ChangeError::Contracts(ContractError::Interrupted)
                | ChangeError::Backup(BackupError::Snapshot(SnapshotError::Cancelled))
        );
        is_one || is_interrupted(self)
    }
}

/// Whether a disk without room is at the bottom of it.
pub fn is_disk_full(error: &(dyn std::error::Error + 'static)) -> bool {
    causes(error).any(|cause| {
        let kind = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        matches!(kind, Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded))
    })
}

/// Whether somebody's interruption is at the bottom of it.
pub fn is_interrupted(error: &(dyn std::error::Error + 'static)) -> bool {
    causes(error).any(<dyn std::error::Error>::is::<Interrupted>)
}

fn causes<'e>(
    error: &'e (dyn std::error::Error + 'static),
) -> impl Iterator<Item = &'e (dyn std::error::Error + 'static)> {
    std::iter::successors(Some(error), |error| error.source())
}

impl ChangeError {
    /// The failed git command below, if that is what it was.
    pub fn git_error(&self) -> Option<&GitError> {
        match self {
            ChangeError::Land(error) => match error.cause() {
                LandError::Git(error) | LandError::Worktree(WorktreeError::Git(error)) => {
                    Some(error)
                }
                _ => None,
            },
            ChangeError::Git(error)
            | ChangeError::Preflight(Refused::Git(error) | Refused::Repo(RepoError::Git(error)))
            | ChangeError::Backup(BackupError::Git(error))
            | ChangeError::Carry(CarryError::Git(error))
            | ChangeError::Worktree(WorktreeError::Git(error))
            | ChangeError::Fingerprint(FingerprintError::Git(error))
            | ChangeError::Rollback(RollbackError::Git(error))
            | ChangeError::Agent(AgentError::Git(error))
            | ChangeError::Repo(RepoError::Git(error)) => Some(error),
            _ => None,
        }
    }

    /// The failed file-system effect below, if that is what it was.
    pub fn fs_error(&self) -> Option<&FsError> {
        match self {
            ChangeError::Land(error) => match error.cause() {
                LandError::Fs(error) | LandError::Worktree(WorktreeError::Fs(error)) => Some(error),
                _ => None,
            },
            ChangeError::Fs(error)
            | ChangeError::Preflight(Refused::Fs(error) | Refused::Repo(RepoError::Fs(error)))
            | ChangeError::Backup(
                BackupError::Fs(error) | BackupError::Snapshot(SnapshotError::Fs(error)),
            )
            | ChangeError::Carry(CarryError::Fs(error))
            | ChangeError::Worktree(WorktreeError::Fs(error))
            | ChangeError::Fingerprint(FingerprintError::Fs(error))
            | ChangeError::Rollback(RollbackError::Fs(error))
            | ChangeError::Repo(RepoError::Fs(error))
            | ChangeError::Verify(VerifyError::Fs(error))
            | ChangeError::Agent(AgentError::Fs(error))
            | ChangeError::Flow(
                FlowError::Fs(error)
                | FlowError::Journal(JournalError::Fs(error))
                | FlowError::Runs(RunsError::Fs(error)),
            ) => Some(error),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use rb_core::Cancel;
    use rb_core::progress::Silent;
    use rb_index::{NoHistory, Options, Request};
    use rb_sandbox::SandboxError;
    use rb_testkit::Repo;

    use super::*;

    #[test]
    fn sa6_whatever_an_interruption_cuts_off_is_one() {
        let repo = Repo::plain("//- a.js\nexport const a = 1;\n");
        let cancel = Cancel::new();
        cancel.cancel();
        let cut_off = rb_index::update(&Request {
            root: repo.root(),
            folder: &repo.beside("index"),
            options: &Options::default(),
            history: &NoHistory,
            progress: &Silent,
            cancel: &cancel,
        });
        let walk = ChangeError::from(cut_off.err().expect("it was cancelled"));
        // However many errors hide themselves from the chain of sources.
        let program = "git".to_owned();
        let process = ProcessError::Cancelled { program, source: Interrupted };
        let git = ChangeError::from(WorktreeError::from(GitError::from(process)));
        let sandbox = VerifyError::from(SandboxError::Cancelled(Interrupted)).into();
        for error in [walk, git, sandbox, FlowError::Interrupted.into()] {
            assert!(error.is_interruption(), "{error:?}");
        }
        assert!(!ChangeError::from(VerifyError::BadRecord(String::new())).is_interruption());
    }
}
