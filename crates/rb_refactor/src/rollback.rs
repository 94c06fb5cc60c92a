//! Taking a run back. A rollback is a run of its own, with a backup of its own: it can be taken back too.

use rb_core::RunId;
use rb_flow::event::RunStarted;
use rb_flow::{Decision, Event, Outcome, Workflow};
use rb_workspace::backup::{self, Backup};
use rb_workspace::land::Landing;
use rb_workspace::preflight::Dirty;
use rb_workspace::rollback::{self as workspace, Insist};

use crate::driver::Driver;
use crate::error::RunError;
use crate::graph::DECIDE;
use crate::state::State;
use crate::world::World;
use crate::{Context, start};

/// Brings the checkout back to what it was when run `of` began.
///
/// A run that has not landed is dropped as well. Where nothing differs, no run is made and the plan is
/// empty.
pub fn rollback(context: &Context, of: &RunId, insist: Insist) -> Result<Option<State>, RunError> {
    let earlier = Driver::reopen(context, of.clone())?;
    let is_rollback = matches!(earlier.state.started.workflow, Workflow::Rollback { .. });
    if is_rollback && earlier.state.outcome.is_none() {
        return Err(earlier.wrong_state("is a rollback that has not finished; resume it first"));
    }
    let _alone = earlier.lock_repo()?;
    let backup = find_backup(context, of)?;
    let landing = landing_of(context, &earlier.state)?;
    // Nothing is given up before it is known that the way back is open.
    let (run, target) = start::begin(context, &backup.manifest.repo, Dirty::Carry)?;
    let planned = workspace::plan(&target.repo, &backup, landing.as_ref(), insist);
    drop(earlier);
    match planned {
        Ok(plan) if !plan.is_empty() => {}
        Ok(_) => {
            rb_core::fs::remove_dir_all(&run.dir)?;
            close(context, of)?;
            return Ok(None);
        }
        Err(refused) => {
            // The name that was taken is given back.
            rb_core::fs::remove_dir_all(&run.dir)?;
            return Err(refused.into());
        }
    }
    let started = RunStarted {
        run: run.id.clone(),
        workflow: Workflow::Rollback { of: of.clone(), insist: insist == Insist::Yes },
        repo: target.repo.root.clone(),
        kind: target.repo.kind,
        scope: None,
        allow_dirty: true,
        diff_budget: 0,
        excludes: Vec::new(),
        tasks: Vec::new(),
        verify: None,
        orders: Box::default(),
    };
    Driver::begin(context, run, started, target)?.drive().map(Some)
}

/// Ends the earlier run if it is still open, without finishing what it was doing.
pub(crate) fn close(context: &Context, of: &RunId) -> Result<(), RunError> {
    let mut driver = Driver::reopen(context, of.clone())?;
    if driver.state.outcome.is_some() {
        return Ok(());
    }
    match driver.state.decision {
        Some(Decision::Accept) => driver.abandon(),
        Some(Decision::KeepBranch | Decision::Reject) => driver.drive().map(drop),
        None => {
            driver.write(Event::Decided { decision: Decision::Reject })?;
            driver.go_to(DECIDE)?;
            driver.drive().map(drop)
        }
    }
}

pub(crate) fn find_backup(context: &Context, of: &RunId) -> Result<Backup, RunError> {
    backup::find(&context.home, of)?.ok_or_else(|| RunError::NoBackup(of.clone()))
}

/// What the run landed. For a rollback it is what that rollback changed: its own plan turned round.
pub(crate) fn landing_of(context: &Context, earlier: &State) -> Result<Option<Landing>, RunError> {
    match &earlier.started.workflow {
        Workflow::Refactor | Workflow::Plan | Workflow::Verify => Ok(earlier.landing.clone()),
        Workflow::Rollback { of: undone, .. } => {
            let undone = find_backup(context, undone)?;
            let plan = earlier.rollback.clone().unwrap_or_default();
            Ok(Some(workspace::as_landing(&undone, &plan)))
        }
    }
}

impl Driver {
    /// Gives up a landing half-way; the rollback that follows puts its files back.
    fn abandon(&mut self) -> Result<(), RunError> {
        if let Some(landing) = &self.state.landing {
            let mut notes = Vec::new();
            rb_workspace::land::tidy(&self.world.repo, landing, &mut notes)?;
            for text in notes {
                self.write(Event::Noted { text })?;
            }
        }
        let World { repo, context, run, .. } = &self.world;
        rb_workspace::worktree::remove_leftovers(repo, &context.home, &run.id)?;
        self.write(Event::Cleaned)?;
        self.write(Event::RunEnded { outcome: Outcome::RolledBack })
    }
}
