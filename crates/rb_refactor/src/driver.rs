//! The rim of the workflow: performs one step after the other, each announced in the journal first.

use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability};
use rb_core::{RunId, clock};
use rb_flow::event::RunStarted;
use rb_flow::{Decision, Event, Journal, Run, Workflow, journal};
use rb_workspace::backup;
use rb_workspace::carry::carry;
use rb_workspace::fingerprint::{Depth, Fingerprint};
use rb_workspace::ledger::{LedgerEntry, TaskStatus};
use rb_workspace::preflight::{Dirty, Preflight, inspect_checkout, inspect_folder};
use rb_workspace::repo::{Kind, Repo};
use rb_workspace::worktree::{Worktree, remove_leftovers};

use crate::error::RunError;
use crate::examine::Before;
use crate::state::{State, Step};
use crate::verify::Ready;
use crate::{Context, report, rollback, task, verify};

/// A run that this process works on.
pub(crate) struct Driver {
    pub(crate) context: Context,
    pub(crate) run: Run,
    pub(crate) journal: Journal,
    pub(crate) state: State,
    pub(crate) repo: Repo,
    /// A target that was looked at in this process and not yet backed up.
    fresh: Option<Preflight>,
    worktree: Option<Worktree>,
    pub(crate) ready: Option<Ready>,
    /// The worktree at the last good commit, as the audit knows it.
    pub(crate) before: Option<Before>,
    /// What the checkout looked like when this process began.
    watched: Option<Fingerprint>,
}

/// Goes on with a run until it waits for a decision or has ended.
pub fn resume(context: &Context, id: RunId) -> Result<State, RunError> {
    let mut driver = Driver::reopen(context, id)?;
    let _alone = if driver.state.writes_checkout() { Some(driver.lock_repo()?) } else { None };
    if driver.state.next() != Step::Done {
        driver.write(Event::Resumed)?;
    }
    driver.drive()
}

/// What a run's journal says, without a lock and without any change.
pub fn summary(context: &Context, id: &RunId) -> Result<State, RunError> {
    let dir = context.home.run(id);
    if !dir.is_dir() {
        return Err(rb_flow::RunsError::Unknown(id.clone()).into());
    }
    State::fold(id, &journal::read(&dir)?.records)
}

impl Driver {
    /// Begins a journal for a run that has just been made.
    pub(crate) fn begin(
        context: &Context,
        run: Run,
        started: RunStarted,
        target: Preflight,
    ) -> Result<Driver, RunError> {
        let (mut journal, _) = Journal::open(&run.dir)?;
        if let Some(observer) = &context.observer {
            journal.observe(observer.clone());
        }
        let notes: Vec<String> = target.notes.iter().map(ToString::to_string).collect();
        let (state, repo) = (State::new(started.clone()), target.repo.clone());
        journal.write(Event::RunStarted(started))?;
        let context = context.clone();
        let mut driver = Driver {
            context,
            run,
            journal,
            state,
            repo,
            fresh: Some(target),
            worktree: None,
            ready: None,
            before: None,
            watched: None,
        };
        for text in notes {
            driver.write(Event::Noted { text })?;
        }
        Ok(driver)
    }

    pub(crate) fn reopen(context: &Context, id: RunId) -> Result<Driver, RunError> {
        let run = Run::open(&context.home, id)?;
        let (mut journal, contents) = Journal::open(&run.dir)?;
        let state = State::fold(&run.id, &contents.records)?;
        if let Some(observer) = &context.observer {
            journal.observe(observer.clone());
        }
        let repo = open_repo(context, &run.id, &state.started)?;
        let context = context.clone();
        Ok(Driver {
            context,
            run,
            journal,
            state,
            repo,
            fresh: None,
            worktree: None,
            ready: None,
            before: None,
            watched: None,
        })
    }

    pub(crate) fn write(&mut self, event: Event) -> Result<(), RunError> {
        self.state.take(&event);
        Ok(self.journal.write(event)?)
    }

    /// Steps until there is nothing to do without a person. However it ends, the run can be resumed.
    pub(crate) fn drive(mut self) -> Result<State, RunError> {
        match self.steps() {
            Ok(()) => Ok(self.state.clone()),
            Err(error) if self.context.cancel.is_cancelled() && error.is_interruption() => {
                self.leave_nothing();
                self.write(Event::Interrupted)?;
                Err(RunError::Interrupted)
            }
            Err(error) => {
                self.leave_nothing();
                // Where even this cannot be written (a full disk), the journal ends before it.
                let _ = self.write(Event::Stopped { reason: error.to_string() });
                Err(self.explained(error))
            }
        }
    }

    /// A look at the baseline is begun anew rather than gone on with, so its worktree need not wait.
    fn leave_nothing(&mut self) {
        if self.state.started.workflow == Workflow::Verify {
            // What cannot be removed is found by `runs gc`.
            let _ = self.clean();
        }
    }

    /// Git has many words for a full disk; the disk itself has one.
    fn explained(&self, error: RunError) -> RunError {
        const HARDLY_ANY: u64 = 1 << 20;
        if error.git_error().is_none() {
            return error;
        }
        let is_full = |at: &&Path| fs::free_space(at).is_ok_and(|free| free < HARDLY_ANY);
        match [self.context.home.root(), self.repo.common_dir.as_path()].into_iter().find(is_full) {
            Some(at) => RunError::DiskFull { at: at.to_owned(), source: Box::new(error) },
            None => error,
        }
    }

    fn steps(&mut self) -> Result<(), RunError> {
        loop {
            let step = self.state.next();
            if self.context.cancel.is_cancelled() && step != Step::Done {
                return Err(RunError::Interrupted);
            }
            match step {
                Step::Backup => self.back_up()?,
                Step::Worktree => self.make_worktree()?,
                Step::Baseline => verify::baseline(self)?,
                Step::Task(index) => task::perform(self, index)?,
                Step::CloseTask => self.close_task()?,
                Step::VerifyInFull => verify::in_full(self)?,
                Step::CompareInFull => self.compare(Depth::Full)?,
                Step::Report => self.report()?,
                Step::Wait => {
                    if !self.state.waiting {
                        self.write(Event::Waiting)?;
                    }
                    return Ok(());
                }
                Step::Land => self.land()?,
                Step::PlanRollback => rollback::plan(self)?,
                Step::RollBack => rollback::perform(self)?,
                Step::Clean => self.clean()?,
                Step::End(outcome) => self.write(Event::RunEnded { outcome })?,
                Step::Done => return Ok(()),
            }
        }
    }

    fn back_up(&mut self) -> Result<(), RunError> {
        let started = clock::now();
        let target = match self.fresh.take() {
            Some(target) => target,
            None => self.look_again()?,
        };
        let dir = self.context.home.backup(&self.repo.backup_name(), &self.run.id);
        // One that was never announced may be of an older state of the checkout.
        fs::remove_dir_all(&dir)?;
        self.write(Event::BackupStarted { dir: dir.clone() })?;
        let mut fingerprint = Fingerprint::of_listing(&self.repo, &target.listing, Depth::Quick)?;
        let context = &self.context;
        let backup = backup::create(
            &target,
            &self.run.id,
            &context.home,
            &*context.progress,
            &context.cancel,
        )?;
        for file in &backup.manifest.files {
            if let Some(mark) = fingerprint.files.get_mut(&file.path) {
                mark.sha256 = Some(file.sha256);
            }
        }
        let text = serde_json::to_vec(&fingerprint).expect("a fingerprint is plain data");
        fs::write(&self.fingerprint_path(), &text, Durability::Synced)?;
        self.watched = Some(fingerprint);
        let bytes = backup.manifest.files.iter().map(|file| file.size).sum();
        let ms = u64::try_from(clock::now().since(started).as_millis()).unwrap_or(u64::MAX);
        let files = backup.manifest.files.len();
        self.fresh = Some(target);
        self.write(Event::BackupMade { dir: backup.dir, files, bytes, ms })
    }

    /// The target as it is now, for a run that was cut off before its backup.
    fn look_again(&self) -> Result<Preflight, RunError> {
        let dirty = match self.state.started.workflow {
            Workflow::Rollback { .. } => Dirty::Carry,
            Workflow::Refactor | Workflow::Verify => self.dirty(),
        };
        let Context { home, env, cancel, .. } = &self.context;
        Ok(match self.repo.kind {
            Kind::Git => {
                inspect_checkout(&self.repo.root, self.repo.scope.clone(), dirty, env, cancel)?
            }
            Kind::Folder => inspect_folder(&self.repo.root, home, &self.run.id, env, cancel)?,
        })
    }

    fn dirty(&self) -> Dirty {
        if self.state.started.allow_dirty { Dirty::Carry } else { Dirty::Refuse }
    }

    fn make_worktree(&mut self) -> Result<(), RunError> {
        let target = match self.fresh.take() {
            Some(target) => target,
            None => self.look_again()?,
        };
        let carried = target.carries(self.dirty());
        let base = match target.head.commit() {
            Some(commit) if !carried => commit.to_owned(),
            _ => carry(&target, &self.run.dir)?,
        };
        let branch = self.run.id.branch();
        self.write(Event::WorktreeStarted { branch, base: base.clone(), carried })?;
        let worktree = Worktree::create(&self.repo, &self.context.home, &self.run.id, &base)?;
        let dir = worktree.dir().to_owned();
        self.worktree = Some(worktree);
        self.write(Event::WorktreeMade { dir })
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

    /// The last good commit, if the repository still has it.
    pub(crate) fn tip(&self) -> Result<String, RunError> {
        let run = self.run.id.clone();
        let Some(commit) = self.state.tip().map(ToOwned::to_owned) else {
            return Err(RunError::BadJournal {
                run,
                message: "it names no commit to begin from".to_owned(),
            });
        };
        if self.repo.has_commit(&commit)? {
            Ok(commit)
        } else {
            Err(RunError::LostCheckpoint { run, commit })
        }
    }

    fn close_task(&mut self) -> Result<(), RunError> {
        let Some(current) = self.state.current.clone() else { return Ok(()) };
        self.end_task(current.commit, TaskStatus::Applied, Vec::new())
    }

    /// Ends the current task: compares the checkout, then enters the outcome into journal and ledger.
    pub(crate) fn end_task(
        &mut self,
        commit: Option<String>,
        status: TaskStatus,
        reasons: Vec<String>,
    ) -> Result<(), RunError> {
        let run = self.run.id.clone();
        let Some(current) = self.state.current.clone() else {
            return Err(RunError::BadJournal {
                run,
                message: "a task ended that had not begun".to_owned(),
            });
        };
        let goal = self
            .state
            .started
            .tasks
            .iter()
            .find(|task| task.id == current.task)
            .map(|task| task.goal.clone());
        let entry = LedgerEntry {
            task: current.task,
            goal: goal.unwrap_or_default(),
            status,
            commit,
            touched_files: current.paths,
            added: current.added,
            removed: current.removed,
            rung: current.rung,
            verdict: current.verdict.unwrap_or(rb_core::Verdict::NoVerifierRan),
            attempts: 1,
            confidence: None,
            reasons,
            notes: current.notes,
            at: clock::now(),
        };
        self.compare(Depth::Quick)?;
        self.write(Event::TaskEnded { entry })?;
        let ledger = self.state.ledger.clone();
        Ok(self.worktree()?.write_ledger(&ledger)?)
    }

    /// Stops the run when the user's checkout is not what it was when this process began.
    fn compare(&mut self, depth: Depth) -> Result<(), RunError> {
        if self.watched.is_none() {
            self.watched = Some(Fingerprint::take(&self.repo, Depth::Full)?);
        }
        let watched = self.watched.as_ref().expect("it was taken just now");
        let differences = watched.differences(&self.repo, depth)?;
        self.write(Event::CheckoutCompared {
            full: depth == Depth::Full,
            differences: differences.clone(),
        })?;
        if differences.is_empty() { Ok(()) } else { Err(RunError::CheckoutChanged(differences)) }
    }

    fn report(&mut self) -> Result<(), RunError> {
        let (ledger, base) = (self.state.ledger.clone(), self.state.base.clone());
        let base = base.map(|base| base.commit).unwrap_or_default();
        let dir = self.run.dir.join("report");
        report::write(&dir, self.worktree()?, &base, &ledger)?;
        self.write(Event::ReportWritten { dir })
    }

    fn clean(&mut self) -> Result<(), RunError> {
        if self.state.decision == Some(Decision::KeepBranch) {
            self.worktree()?;
            self.worktree.take().map_or(Ok(()), Worktree::keep_branch)?;
        } else if let Some(worktree) = self.worktree.take() {
            worktree.discard()?;
        } else {
            remove_leftovers(&self.repo, &self.context.home, &self.run.id)?;
        }
        self.write(Event::Cleaned)
    }

    /// The fingerprint that was taken together with the backup.
    pub(crate) fn baseline(&self) -> Result<Fingerprint, RunError> {
        let bytes = fs::read(&self.fingerprint_path())?;
        serde_json::from_slice(&bytes).map_err(|error| RunError::BadJournal {
            run: self.run.id.clone(),
            message: format!("its fingerprint cannot be read: {error}"),
        })
    }

    fn fingerprint_path(&self) -> PathBuf {
        self.run.dir.join("fingerprint.json")
    }
}

/// However a process leaves a run, its checkpoints stay for the next one.
impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(worktree) = self.worktree.take() {
            worktree.suspend();
        }
    }
}

/// Opens the repository that a run works on, as it was when the run began.
pub(crate) fn open_repo(
    context: &Context,
    run: &RunId,
    started: &RunStarted,
) -> Result<Repo, RunError> {
    let Context { home, env, cancel, .. } = context;
    Ok(match started.kind {
        Kind::Git => Repo::open_git(&started.repo, started.scope.clone(), env, cancel)?,
        Kind::Folder => Repo::open_folder(&started.repo, home, run, env, cancel)?,
    })
}
