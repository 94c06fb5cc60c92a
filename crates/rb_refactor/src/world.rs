//! What nodes have effects with: the worktree, the index, the verifier, the models.
//!
//! Agents find here what they may look at and use. What they may enter into the journal while they work is an `Effect`: what was
//! spent, run and seen, and nothing that decides where a run goes. Steps (`steps/`) carry out what was decided, and they
//! alone write other events.

use rb_core::fs::{self};
use rb_core::{RepoPath, TaskId};
use rb_flow::{FlowError, Log, Run};
use rb_trust::Finding;
use rb_verify::Effort;
use rb_workspace::fingerprint::Fingerprint;
use rb_workspace::preflight::{Dirty, Preflight, inspect_checkout, inspect_folder};
use rb_workspace::repo::{Kind, Repo};
use rb_workspace::worktree::Worktree;

use crate::Context;
use crate::edit_history::EditHistory;
use crate::error::RunError;
use crate::event::{Event, RefactorEvent, RunEvent, RunStarted};
use crate::indexed_commit::IndexedCommit;
use crate::run_files::RunFiles as _;
use crate::verify_setup::VerifySetup;
use crate::workflow::Refactor;

/// Everything around the state of one run, in this process.
pub struct World {
    pub(crate) context: Context,
    pub(crate) run: Run,
    /// How the run began; it never changes.
    pub(crate) started: RunStarted,
    pub(crate) repo: Repo,
    pub(crate) log: Log<Refactor>,
    /// Where the branch begins, and the last good commit, as the driver knows them from the state.
    pub(crate) base: Option<String>,
    tip: Option<String>,
    /// The repository was seen to have `tip`. Asking git costs a process, and nodes ask often.
    has_tip: bool,
    /// A target that was looked at in this process and not yet backed up.
    pub(crate) fresh: Option<Preflight>,
    pub(crate) worktree: Option<Worktree>,
    /// What the checkout looked like when this process began.
    pub(crate) watched: Option<Fingerprint>,
    pub(crate) ready: Option<VerifySetup>,
    /// The worktree at the last good commit, as the index knows it.
    pub(crate) known: Option<IndexedCommit>,
    /// The worktree with the change that is being looked at.
    pub(crate) candidate: Option<IndexedCommit>,
    pub(crate) edit_history: EditHistory,
    /// Contracts are taken after each task, and most files are the same as before it.
    pub(crate) contracts: rb_contracts::Memo,
    pub(crate) stopped: Option<RunError>,
}

/// What an agent may enter into the journal while it works.
pub(crate) enum Effect {
    Suspected { task: Option<TaskId>, path: RepoPath, findings: Vec<Finding> },
    BaselineStarted,
    VerifyStarted { task: Option<TaskId>, effort: Effort },
}

impl World {
    pub(crate) fn new(
        context: Context,
        run: Run,
        started: RunStarted,
        repo: Repo,
        log: Log<Refactor>,
        fresh: Option<Preflight>,
    ) -> World {
        World {
            context,
            run,
            started,
            repo,
            log,
            base: None,
            tip: None,
            has_tip: false,
            fresh,
            worktree: None,
            watched: None,
            ready: None,
            known: None,
            candidate: None,
            edit_history: EditHistory::default(),
            contracts: rb_contracts::Memo::default(),
            stopped: None,
        }
    }

    pub(crate) fn effect(&self, effect: Effect) -> Result<(), RunError> {
        match effect {
            Effect::Suspected { task, path, findings } => {
                self.write(RunEvent::Suspected { task, path, findings })
            }
            Effect::BaselineStarted => self.write(RefactorEvent::BaselineStarted),
            Effect::VerifyStarted { task, effort } => {
                self.write(RefactorEvent::VerifyStarted { task, effort })
            }
        }
    }

    /// On disk when it returns.
    pub(crate) fn write(&self, event: impl Into<Event>) -> Result<(), RunError> {
        Ok(self.log.write(event)?)
    }

    /// Stops the run once what the node says is entered; the node is performed again when the run is resumed.
    pub(crate) fn stop_after(&mut self, error: RunError) {
        self.stopped = Some(error);
    }

    /// What is known of an earlier state of the branch is forgotten when the branch has moved otherwise than by a checkpoint.
    pub(crate) fn stand_at(&mut self, base: Option<&str>, tip: Option<&str>) {
        self.base = base.map(ToOwned::to_owned);
        if self.tip.as_deref() != tip {
            self.tip = tip.map(ToOwned::to_owned);
            self.has_tip = false;
            self.known = self.known.take().filter(|known| Some(known.commit.as_str()) == tip);
        }
    }

    /// The last good commit, if the repository still has it.
    pub(crate) fn tip(&mut self) -> Result<String, RunError> {
        let Some(commit) = self.tip.clone() else {
            return Err(self.bad_journal("it names no commit to begin from"));
        };
        if !self.has_tip {
            self.has_tip = self.repo.has_commit(&commit)?;
        }
        if self.has_tip {
            Ok(commit)
        } else {
            Err(RunError::LostCheckpoint { run: self.run.id.clone(), commit })
        }
    }

    /// The worktree at the last good commit, made anew if this process has not opened it yet.
    pub(crate) fn worktree(&mut self) -> Result<&mut Worktree, RunError> {
        if self.worktree.is_none() {
            let commit = self.tip()?;
            self.worktree =
                Some(Worktree::open(&self.repo, &self.context.home, &self.run.id, &commit)?);
        }
        Ok(self.worktree.as_mut().expect("it was opened just now"))
    }

    pub(crate) fn dirty(&self) -> Dirty {
        if self.started.allow_dirty { Dirty::Carry } else { Dirty::Refuse }
    }

    /// The target, looked at in this process or now.
    pub(crate) fn target(&mut self, dirty: Dirty) -> Result<Preflight, RunError> {
        if let Some(target) = self.fresh.take() {
            return Ok(target);
        }
        let Context { home, env, cancel, .. } = &self.context;
        Ok(match self.repo.kind {
            Kind::Git => {
                inspect_checkout(&self.repo.root, self.repo.scope.clone(), dirty, env, cancel)?
            }
            Kind::Folder => inspect_folder(&self.repo.root, home, &self.run.id, env, cancel)?,
        })
    }

    /// The fingerprint that was taken together with the backup.
    pub(crate) fn baseline_fingerprint(&self) -> Result<Fingerprint, RunError> {
        let bytes = fs::read(&self.run.dir.fingerprint())?;
        serde_json::from_slice(&bytes)
            .map_err(|error| self.bad_journal(&format!("its fingerprint cannot be read: {error}")))
    }

    pub(crate) fn bad_journal(&self, message: &str) -> RunError {
        let message = message.to_owned();
        FlowError::BadJournal { run: self.run.id.clone(), message }.into()
    }
}

/// However a process leaves a run, its checkpoints stay for the next one.
impl Drop for World {
    fn drop(&mut self) {
        if let Some(worktree) = self.worktree.take() {
            worktree.suspend();
        }
    }
}
