//! Taking a run back. A rollback is a run of its own, with a backup of its own: it can be taken back too.

use rb_core::RunId;
use rb_workspace::backup::{self, Backup};
use rb_workspace::land::Landing;
use rb_workspace::preflight::{Dirty, NoRepository};
use rb_workspace::rollback::{self as workspace, Insist};

use crate::driver::{Driver, begin, reopen};
use crate::error::RunError;
use crate::event::{Decision, Mode, RefactorEvent, RunEvent, RunStarted};
use crate::state::{Phase, State};
use crate::steps::Decide;
use crate::{Context, start};

/// What a rollback did.
#[derive(Debug)]
pub enum RolledBack {
    Done(Box<State>),
    /// The checkout is what it was before the run; no run was made for it.
    Already,
    /// The run has ended and never changed the checkout.
    NeverLanded,
}

/// Brings the checkout back to what it was before run `of` landed.
///
/// A run that waits or was interrupted has landed nothing: it is refused, and stays what it is.
pub fn rollback(context: &Context, of: &RunId, insist: Insist) -> Result<RolledBack, RunError> {
    let earlier = reopen(context, of.clone())?;
    must_have_landed(&earlier)?;
    let is_rollback = matches!(earlier.state.started.workflow, Mode::Rollback { .. });
    if !is_rollback
        && earlier.state.landing.is_none()
        && earlier.state.decision.is_none_or(|it| it != Decision::Accept)
    {
        return Ok(RolledBack::NeverLanded);
    }
    let _alone = earlier.world.lock_repo()?;
    let backup = find_backup(context, of)?;
    let landing = landing_of(context, &earlier.state)?;
    // Nothing is given up before it is known that the way back is open.
    let (run, target) =
        start::begin(context, &backup.manifest.repo, Dirty::Carry, NoRepository::Copy)?;
    let planned = workspace::plan(&target.repo, &backup, landing.as_ref(), insist);
    drop(earlier);
    match planned {
        Ok(plan) if !plan.is_empty() => {}
        Ok(_) => {
            rb_core::fs::remove_dir_all(run.dir.path())?;
            close(context, of)?;
            return Ok(RolledBack::Already);
        }
        Err(refused) => {
            // The name that was taken is given back.
            rb_core::fs::remove_dir_all(run.dir.path())?;
            return Err(refused.into());
        }
    }
    let started = RunStarted {
        run: run.id.clone(),
        workflow: Mode::Rollback { of: of.clone(), insist: insist == Insist::Yes },
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
    let state = begin(context, run, started, target)?.drive()?;
    Ok(RolledBack::Done(Box::new(state)))
}

/// Only what landed, or began to, can be rolled back. Everything else would be lost by it.
fn must_have_landed(earlier: &Driver) -> Result<(), RunError> {
    let state = &earlier.state;
    if state.course.outcome.is_some() {
        return Ok(());
    }
    let way = match (&state.started.workflow, state.decision, state.phase()) {
        (Mode::Rollback { .. }, ..) => "is a rollback that has not finished; resume it first",
        (_, Some(Decision::Accept), _) => return Ok(()),
        (_, Some(Decision::KeepBranch | Decision::Reject), _) => {
            "was decided on and has not finished; resume it first"
        }
        (_, None, phase) => {
            let is_finished = phase == Phase::Waiting;
            return Err(RunError::NotLanded { run: state.started.run.clone(), is_finished });
        }
    };
    Err(earlier.state.wrong_state(way))
}

/// A landing of `of` that was cut off is given up; the run waits for a decision again.
pub(crate) fn close(context: &Context, of: &RunId) -> Result<(), RunError> {
    let mut driver = reopen(context, of.clone())?;
    let is_landing =
        driver.state.course.outcome.is_none() && driver.state.decision == Some(Decision::Accept);
    if is_landing { abandon(&mut driver) } else { Ok(()) }
}

pub(crate) fn find_backup(context: &Context, of: &RunId) -> Result<Backup, RunError> {
    backup::find(&context.home, of)?.ok_or_else(|| RunError::NoBackup(of.clone()))
}

/// What the run landed. For a rollback it is what that rollback changed: its own plan turned round.
pub(crate) fn landing_of(context: &Context, earlier: &State) -> Result<Option<Landing>, RunError> {
    match &earlier.started.workflow {
        Mode::Refactor | Mode::Plan | Mode::Verify => Ok(earlier.landing.clone()),
        Mode::Rollback { of: undone, .. } => {
            let undone = find_backup(context, undone)?;
            let plan = earlier.rollback.clone().unwrap_or_default();
            Ok(Some(workspace::as_landing(&undone, &plan)))
        }
    }
}

/// Gives up a landing half-way, whose files were put back.
fn abandon(driver: &mut Driver) -> Result<(), RunError> {
    if let Some(landing) = &driver.state.landing {
        let mut notes = Vec::new();
        rb_workspace::land::tidy(&driver.world.repo, landing, &mut notes)?;
        for text in notes {
            driver.write(RunEvent::Noted { text })?;
        }
    }
    driver.write(RefactorEvent::NotLanded { reason: "it was rolled back".to_owned() })?;
    driver.go_to::<Decide>()?;
    driver.write(RunEvent::Waiting)
}
