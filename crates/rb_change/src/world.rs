//! What the steps of a run work with in one process: the worktree, its index, the verifier.
//!
//! Whoever holds it may look at all of it and note what is suspicious. Only this crate can write other events through it.

use std::path::Path;

use rb_core::fs;
use rb_core::{RepoPath, TaskId};
use rb_flow::{FlowError, JournalError, Log, Run, RunEvent, Workflow};
use rb_models::Booking;
use rb_trust::Finding;
use rb_workspace::fingerprint::Fingerprint;
use rb_workspace::preflight::{Dirty, Preflight, inspect_checkout, inspect_folder};
use rb_workspace::repo::{Kind, Repo};
use rb_workspace::worktree::Worktree;

use crate::change_files::ChangeFiles as _;
use crate::edit_history::EditHistory;
use crate::error::{ChangeError, is_disk_full};
use crate::event::ChangeEvent;
use crate::host::Host;
use crate::indexed_commit::IndexedCommit;
use crate::options::ChangeOptions;
use crate::verify_setup::VerifySetup;

pub struct ChangeWorld {
    pub host: Host,
    pub run: Run,
    pub options: ChangeOptions,
    pub repo: Repo,
    journal: Box<dyn ChangeJournal>,
    /// Where the branch begins, and the last good commit, as the driver knows them from the state.
    pub base: Option<String>,
    tip: Option<String>,
    /// The repository was seen to have `tip`. Asking git costs a process, and nodes ask often.
    has_tip: bool,
    /// A target that was looked at in this process and not yet backed up.
    pub(crate) fresh: Option<Preflight>,
    pub(crate) worktree: Option<Worktree>,
    /// What the checkout looked like when this process began.
    pub(crate) watched: Option<Fingerprint>,
    pub ready: Option<VerifySetup>,
    /// The worktree at the last good commit, as the index knows it.
    pub known: Option<IndexedCommit>,
    /// The worktree with the change that is being looked at.
    pub candidate: Option<IndexedCommit>,
    pub(crate) edit_history: EditHistory,
    /// Contracts are taken after each task, and most files are the same as before it.
    pub(crate) contracts: rb_contracts::Memo,
    stopped: Option<ChangeError>,
}

/// The journal of a run, whatever its workflow.
trait ChangeJournal: Send {
    fn write(&self, event: ChangeEvent) -> Result<(), JournalError>;
    fn note(&self, text: String) -> Result<(), JournalError>;
    fn call_started(&self, booking: Booking) -> Result<(), JournalError>;
    fn called(&self, booking: Booking) -> Result<(), JournalError>;
    fn suspect(
        &self,
        task: Option<TaskId>,
        path: RepoPath,
        findings: Vec<Finding>,
    ) -> Result<(), JournalError>;
}

impl<W: Workflow<Event: From<ChangeEvent>>> ChangeJournal for Log<W> {
    fn write(&self, event: ChangeEvent) -> Result<(), JournalError> {
        self.write(rb_flow::Event::Own(event.into()))
    }

    fn note(&self, text: String) -> Result<(), JournalError> {
        self.write(RunEvent::Noted { text })
    }

    fn call_started(&self, booking: Booking) -> Result<(), JournalError> {
        self.write(RunEvent::ModelCallStarted { booking: booking.into() })
    }

    fn called(&self, booking: Booking) -> Result<(), JournalError> {
        self.write(RunEvent::ModelCalled { booking: booking.into() })
    }

    fn suspect(
        &self,
        task: Option<TaskId>,
        path: RepoPath,
        findings: Vec<Finding>,
    ) -> Result<(), JournalError> {
        self.write(RunEvent::Suspected { task, path, findings })
    }
}

impl ChangeWorld {
    /// `fresh` is a target that was looked at just now.
    pub fn new<W: Workflow<Event: From<ChangeEvent>>>(
        host: Host,
        run: Run,
        options: ChangeOptions,
        repo: Repo,
        log: Log<W>,
        fresh: Option<Preflight>,
    ) -> ChangeWorld {
        ChangeWorld {
            host,
            run,
            options,
            repo,
            journal: Box::new(log),
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

    /// On disk when it returns.
    pub(crate) fn write(&self, event: ChangeEvent) -> Result<(), ChangeError> {
        Ok(self.journal.write(event)?)
    }

    pub fn note(&self, text: String) -> Result<(), ChangeError> {
        Ok(self.journal.note(text)?)
    }

    /// Enters that an agent is about to work, and what it counts as if nobody says more.
    pub(crate) fn call_started(&self, booking: Booking) -> Result<(), ChangeError> {
        Ok(self.journal.call_started(booking)?)
    }

    /// Enters what an agent took.
    pub(crate) fn called(&self, booking: Booking) -> Result<(), ChangeError> {
        Ok(self.journal.called(booking)?)
    }

    /// Enters text that tries to steer a model, or is not what it looks like.
    pub fn suspect(
        &self,
        task: Option<TaskId>,
        path: RepoPath,
        findings: Vec<Finding>,
    ) -> Result<(), ChangeError> {
        Ok(self.journal.suspect(task, path, findings)?)
    }

    /// Stops the run once what the node says is entered; the node is performed again when the run is resumed.
    pub(crate) fn stop_after(&mut self, error: ChangeError) {
        self.stopped = Some(error);
    }

    /// What a node stopped the run with, once.
    pub fn stopped(&mut self) -> Option<ChangeError> {
        self.stopped.take()
    }

    /// What is known of an earlier state of the branch is forgotten when the branch has moved otherwise than by a checkpoint.
    pub fn stand_at(&mut self, base: Option<&str>, tip: Option<&str>) {
        self.base = base.map(ToOwned::to_owned);
        if self.tip.as_deref() != tip {
            self.tip = tip.map(ToOwned::to_owned);
            self.has_tip = false;
            self.known = self.known.take().filter(|known| Some(known.commit.as_str()) == tip);
        }
    }

    /// The last good commit, if the repository still has it.
    pub fn tip(&mut self) -> Result<String, ChangeError> {
        let Some(commit) = self.tip.clone() else {
            return Err(self.bad_journal("it names no commit to begin from"));
        };
        if !self.has_tip {
            self.has_tip = self.repo.has_commit(&commit)?;
        }
        if self.has_tip {
            Ok(commit)
        } else {
            Err(ChangeError::LostCheckpoint { run: self.run.id.clone(), commit })
        }
    }

    /// The worktree at the last good commit, made anew if this process has not opened it yet.
    pub fn worktree(&mut self) -> Result<&mut Worktree, ChangeError> {
        if self.worktree.is_none() {
            let commit = self.tip()?;
            self.worktree =
                Some(Worktree::open(&self.repo, &self.host.home, &self.run.id, &commit)?);
        }
        Ok(self.worktree.as_mut().expect("it was opened just now"))
    }

    /// The target, looked at in this process or now.
    pub(crate) fn target(&mut self, dirty: Dirty) -> Result<Preflight, ChangeError> {
        if let Some(target) = self.fresh.take() {
            return Ok(target);
        }
        let Host { home, env, cancel, .. } = &self.host;
        Ok(match self.repo.kind {
            Kind::Git => {
                inspect_checkout(&self.repo.root, self.repo.scope.clone(), dirty, env, cancel)?
            }
            Kind::Folder => inspect_folder(&self.repo.root, home, &self.run.id, env, cancel)?,
        })
    }

    /// The fingerprint that was taken together with the backup.
    pub(crate) fn baseline_fingerprint(&self) -> Result<Fingerprint, ChangeError> {
        let bytes = fs::read(&self.run.dir.fingerprint())?;
        serde_json::from_slice(&bytes)
            .map_err(|error| self.bad_journal(&format!("its fingerprint cannot be read: {error}")))
    }

    /// The error as a person should see it: git has many words for a full disk, and the disk itself has one.
    pub fn explained(&self, error: ChangeError) -> ChangeError {
        const HARDLY_ANY: u64 = 1 << 20;
        let is_git = error.git_error().is_some();
        let words = ["No space left on device", "Disk quota exceeded"];
        let says_so = error.git_error().is_some_and(|error| {
            let text = error.to_string();
            words.iter().any(|word| text.contains(word))
        });
        let is_tight = is_git && free(self.tightest()) < HARDLY_ANY;
        if says_so || is_tight || is_disk_full(&error) {
            return self.disk_full(error.fs_error().map(|error| error.path.as_path()));
        }
        error
    }

    /// That a disk is full: the one that holds this path, or else the one with the least room.
    pub fn disk_full(&self, at: Option<&Path>) -> ChangeError {
        let at = at.unwrap_or_else(|| self.tightest());
        ChangeError::DiskFull { is_home: at.starts_with(self.host.home.root()), at: at.to_owned() }
    }

    fn tightest(&self) -> &Path {
        let places = [self.host.home.root(), self.repo.common_dir.as_path()];
        places.into_iter().min_by_key(|at| free(at)).expect("there are two places")
    }

    pub fn bad_journal(&self, message: &str) -> ChangeError {
        let message = message.to_owned();
        FlowError::BadJournal { run: self.run.id.clone(), message }.into()
    }
}

fn free(at: &Path) -> u64 {
    fs::free_space(at).unwrap_or(u64::MAX)
}

/// However a process leaves a run, its checkpoints stay for the next one.
impl Drop for ChangeWorld {
    fn drop(&mut self) {
        if let Some(worktree) = self.worktree.take() {
            worktree.suspend();
        }
    }
}
