//! Why a run could not go on. The binary turns each case into an exit code and a hint.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use rb_audit::AuditError;
use rb_contracts::ContractError;
use rb_core::fs::FsError;
use rb_core::process::ProcessError;
use rb_core::{Interrupted, RunId};
use rb_flow::role::RoleError;
use rb_flow::{FlowError, JournalError, RunFailure, RunsError};
use rb_index::IndexError;
use rb_index::walk::WalkError;
use rb_models::{Fault, ModelError};
use rb_trust::FenceError;
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

use crate::artifacts::ArtifactsError;
use crate::own_rules::OwnRulesError;
use crate::propose::ProposalError;
use crate::report::OutputError;

#[derive(Debug, Error)]
pub enum RunError {
    #[error("your checkout changed during the run: {}", shown(.0))]
    CheckoutChanged(Vec<Difference>),
    #[error("the disk that holds {} is full", at.display())]
    DiskFull {
        at: PathBuf,
        /// The disk holds the home folder.
        is_home: bool,
    },
    #[error("run {run} was not begun in {}", repo.display())]
    OtherRepository { run: RunId, repo: PathBuf, backup: PathBuf },
    #[error("run {run} {state}")]
    WrongState { run: RunId, state: String },
    #[error("the checkpoint {commit} of run {run} is gone from the repository")]
    LostCheckpoint { run: RunId, commit: String },
    #[error("run {run} has not landed: there is nothing to roll back")]
    NotLanded {
        run: RunId,
        /// It waits for a decision; otherwise there is work left to do.
        is_finished: bool,
    },
    #[error("there is no backup of run {0}")]
    NoBackup(RunId),
    #[error(transparent)]
    Model(#[from] ModelError),
    /// As `Model`, in a run that can be gone on with. It is the whole message, so that it is not a cause as well.
    #[error("{error}")]
    NoAnswer { run: RunId, error: Box<ModelError> },
    #[error(transparent)]
    Plan(#[from] rb_plan::PlanError),
    #[error(transparent)]
    Pack(#[from] rb_pack::PackError),
    #[error(transparent)]
    Fence(#[from] FenceError),
    #[error(transparent)]
    Artifacts(#[from] ArtifactsError),
    #[error(transparent)]
    Output(#[from] OutputError),
    #[error(transparent)]
    OwnRules(#[from] OwnRulesError),
    #[error(transparent)]
    Preflight(#[from] Refused),
    #[error(transparent)]
    Proposal(#[from] ProposalError),
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
    Flow(#[from] FlowError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

fn shown(differences: &[Difference]) -> String {
    let mut words: Vec<String> = differences.iter().take(5).map(ToString::to_string).collect();
    if differences.len() > 5 {
        words.push(format!("and {} more", differences.len() - 5));
    }
    words.join(", ")
}

impl From<JournalError> for RunError {
    fn from(error: JournalError) -> Self {
        FlowError::from(error).into()
    }
}

impl From<RunsError> for RunError {
    fn from(error: RunsError) -> Self {
        FlowError::from(error).into()
    }
}

impl From<RoleError> for RunError {
    fn from(error: RoleError) -> Self {
        FlowError::from(error).into()
    }
}

impl RunFailure for RunError {
    fn is_interruption(&self) -> bool {
        if matches!(
            self,
            RunError::Flow(FlowError::Interrupted)
                | RunError::Verify(VerifyError::Interrupted)
                | RunError::Plan(rb_plan::PlanError::Interrupted)
                | RunError::Model(ModelError { fault: Fault::Interrupted, .. })
                | RunError::Pack(rb_pack::PackError::Interrupted)
                | RunError::Index(
                    IndexError::Interrupted | IndexError::Walk(WalkError::Interrupted)
                )
                | RunError::Audit(AuditError::Interrupted)
                | RunError::Contracts(ContractError::Interrupted)
                | RunError::Backup(BackupError::Snapshot(SnapshotError::Cancelled))
        ) {
            return true;
        }
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(self);
        while let Some(error) = cause {
            if error.is::<Interrupted>() {
                return true;
            }
            cause = error.source();
        }
        false
    }
}

impl RunError {
    /// Whether it failed because a disk has no room.
    pub(crate) fn is_disk_full(&self) -> bool {
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(self);
        while let Some(error) = cause {
            let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
            if matches!(kind, Some(ErrorKind::StorageFull | ErrorKind::QuotaExceeded)) {
                return true;
            }
            cause = error.source();
        }
        let words = ["No space left on device", "Disk quota exceeded"];
        self.git_error().is_some_and(|error| {
            let text = error.to_string();
            words.iter().any(|word| text.contains(word))
        })
    }

    /// The failed git command below, if that is what it was.
    pub fn git_error(&self) -> Option<&GitError> {
        match self {
            RunError::Land(error) => match error.cause() {
                LandError::Git(error) | LandError::Worktree(WorktreeError::Git(error)) => {
                    Some(error)
                }
                _ => None,
            },
            RunError::Git(error)
            | RunError::Preflight(Refused::Git(error) | Refused::Repo(RepoError::Git(error)))
            | RunError::Backup(BackupError::Git(error))
            | RunError::Carry(CarryError::Git(error))
            | RunError::Worktree(WorktreeError::Git(error))
            | RunError::Fingerprint(FingerprintError::Git(error))
            | RunError::Rollback(RollbackError::Git(error))
            | RunError::Repo(RepoError::Git(error)) => Some(error),
            _ => None,
        }
    }

    /// The failed file-system effect below, if that is what it was.
    pub fn fs_error(&self) -> Option<&FsError> {
        match self {
            RunError::Land(error) => match error.cause() {
                LandError::Fs(error) | LandError::Worktree(WorktreeError::Fs(error)) => Some(error),
                _ => None,
            },
            RunError::Fs(error)
            | RunError::Preflight(Refused::Fs(error) | Refused::Repo(RepoError::Fs(error)))
            | RunError::Backup(
                BackupError::Fs(error) | BackupError::Snapshot(SnapshotError::Fs(error)),
            )
            | RunError::Carry(CarryError::Fs(error))
            | RunError::Worktree(WorktreeError::Fs(error))
            | RunError::Fingerprint(FingerprintError::Fs(error))
            | RunError::Rollback(RollbackError::Fs(error))
            | RunError::Repo(RepoError::Fs(error))
            | RunError::Verify(VerifyError::Fs(error))
            | RunError::Flow(
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
        let walk = RunError::from(cut_off.err().expect("it was cancelled"));
        let pack = RunError::from(rb_pack::PackError::Interrupted);
        // However many errors hide themselves from the chain of sources.
        let program = "git".to_owned();
        let process = ProcessError::Cancelled { program, source: Interrupted };
        let git = RunError::from(WorktreeError::from(GitError::from(process)));
        let sandbox = VerifyError::from(SandboxError::Cancelled(Interrupted)).into();
        for error in [walk, pack, git, sandbox, FlowError::Interrupted.into()] {
            assert!(error.is_interruption(), "{error:?}");
        }
        assert!(!RunError::from(VerifyError::BadRecord(String::new())).is_interruption());
    }
}
