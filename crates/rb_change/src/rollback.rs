//! Taking a run back. A rollback is a run of its own, with a backup of its own: it can be taken back too.

use rb_core::RunId;
use rb_flow::graph::Node;
use rb_flow::{Driver, Event, RunEvent, RunState as _};
use rb_workspace::backup::{self, Backup};
use rb_workspace::land::{self, Landing};
use rb_workspace::preflight::{Dirty, NoRepository};
use rb_workspace::rollback::{self as workspace, Insist};

use crate::changes::{Changes, Changing, Context, Undone};
use crate::error::ChangeError;
use crate::event::{ChangeEvent, Decision};
use crate::host::Host;
use crate::landing::Decide;
use crate::open::{begin, prepare, reopen, summary};

/// What a rollback did.
#[derive(Debug)]
pub enum RolledBack<S> {
    Done(Box<S>),
    /// The checkout is what it was before the run; no run was made for it.
    Already,
    /// The run has ended and never changed the checkout.
    NeverLanded,
}

/// Brings the checkout back to what it was before run `of` landed.
///
/// A run that waits or was interrupted has landed nothing: it is refused, and stays what it is.
pub fn rollback<W: Changes>(
    context: &Context<W>,
    of: &RunId,
    insist: Insist,
) -> Result<RolledBack<W::State>, W::Error> {
    let earlier = reopen(context, of.clone())?;
    must_have_landed(&earlier)?;
    let change = earlier.state.change();
    let is_rollback = W::undone(earlier.state.start()).is_some();
    if !is_rollback && change.landing.is_none() && change.decision != Some(Decision::Accept) {
        return Ok(RolledBack::NeverLanded);
    }
    let _alone = earlier.world.as_ref().lock_repo()?;
    let backup = find_backup(&context.host, of)?;
    let landing = landing_of::<W>(&context.host, &earlier.state)?;
    // Nothing is given up before it is known that the way back is open.
    let (run, target) =
        prepare(&context.host, &backup.manifest.repo, Dirty::Carry, NoRepository::Copy)?;
    let planned = workspace::plan(&target.repo, &backup, landing.as_ref(), insist);
    drop(earlier);
    match planned {
        Ok(plan) if !plan.is_empty() => {}
        Ok(_) => {
            rb_core::fs::remove_dir_all(run.dir.path()).map_err(ChangeError::from)?;
            close(context, of)?;
            return Ok(RolledBack::Already);
        }
        Err(refused) => {
            // The name that was taken is given back.
            rb_core::fs::remove_dir_all(run.dir.path()).map_err(ChangeError::from)?;
            return Err(ChangeError::from(refused).into());
        }
    }
    let undone = Undone { of: of.clone(), insist: insist == Insist::Yes };
    let start = W::start_of_rollback(run.id.clone(), &target, undone);
    let state = begin(context, run, &start, target)?.drive()?;
    Ok(RolledBack::Done(Box::new(state)))
}

/// Only what landed, or began to, can be rolled back. Everything else would be lost by it.
fn must_have_landed<W: Changes>(earlier: &Driver<W>) -> Result<(), ChangeError> {
    let state = &earlier.state;
    if state.ending().is_some() {
        return Ok(());
    }
    let way = match (W::undone(state.start()), state.change().decision) {
        (Some(_), _) => "is a rollback that has not finished; resume it first",
        (None, Some(Decision::Accept)) => return Ok(()),
        (None, Some(Decision::KeepBranch | Decision::Reject)) => {
            "has a decision but has not finished; resume it first"
        }
        (None, None) => {
            let is_finished = state.undecidable().is_none();
            let run = earlier.world.as_ref().run.id.clone();
            return Err(ChangeError::NotLanded { run, is_finished });
        }
    };
    Err(earlier.world.as_ref().wrong_state(way))
}

/// A landing of `of` that was cut off is given up; the run waits for a decision again.
fn close<W: Changes>(context: &Context<W>, of: &RunId) -> Result<(), W::Error> {
    let mut driver = reopen(context, of.clone())?;
    let is_landing =
        driver.state.ending().is_none() && driver.state.change().decision == Some(Decision::Accept);
    if is_landing { abandon(&mut driver) } else { Ok(()) }
}

fn find_backup(host: &Host, of: &RunId) -> Result<Backup, ChangeError> {
    backup::find(&host.home, of)?.ok_or_else(|| ChangeError::NoBackup(of.clone()))
}

/// What the run landed. For a rollback it is what that rollback changed: its own plan turned round.
fn landing_of<W: Changes>(host: &Host, earlier: &W::State) -> Result<Option<Landing>, ChangeError> {
    match W::undone(earlier.start()) {
        None => Ok(earlier.change().landing.clone()),
        Some(undone) => {
            let undone = find_backup(host, &undone.of)?;
            let plan = earlier.change().rollback.clone().unwrap_or_default();
            Ok(Some(workspace::as_landing(&undone, &plan)))
        }
    }
}

/// Gives up a landing half-way, whose files were put back.
fn abandon<W: Changes>(driver: &mut Driver<W>) -> Result<(), W::Error> {
    if let Some(landing) = &driver.state.change().landing {
        let mut notes = Vec::new();
        let tidied = land::tidy(&driver.world.as_ref().repo, landing, &mut notes);
        tidied.map_err(ChangeError::from)?;
        for text in notes {
            driver.write(RunEvent::Noted { text })?;
        }
    }
    let abandoned = ChangeEvent::NotLanded { reason: "it was rolled back".to_owned() };
    driver.write(Event::Own(abandoned.into()))?;
    driver.go_to::<Decide>()?;
    driver.write(RunEvent::Waiting)
}

/// The first step of a rollback.
pub struct PlanRollback;

impl<W: Changes> Node<W> for PlanRollback {
    const NAME: &'static str = "plan_rollback";
    const DOES: &'static str = "determines what to restore";
    type Reads<'s> = &'s W::State;
    type Writes = ();

    fn run(state: &W::State, world: &mut W::World) -> Result<(), W::Error> {
        let world = world.as_mut();
        let Some(Undone { of, insist }) = W::undone(state.start()) else {
            return Err(world.bad_journal("it is no rollback").into());
        };
        let earlier = summary::<W>(&world.host, &of)?;
        let backup = find_backup(&world.host, &of)?;
        let landing = landing_of::<W>(&world.host, &earlier)?;
        let insist = if insist { Insist::Yes } else { Insist::No };
        let plan = workspace::plan(&world.repo, &backup, landing.as_ref(), insist);
        let plan = plan.map_err(ChangeError::from)?;
        Ok(world.write(ChangeEvent::RollbackStarted { plan })?)
    }
}

pub struct RollBack;

impl<W: Changes> Node<W> for RollBack {
    const NAME: &'static str = "roll_back";
    const DOES: &'static str = "restores everything";
    type Reads<'s> = &'s W::State;
    type Writes = ();

    fn run(state: &W::State, world: &mut W::World) -> Result<(), W::Error> {
        let world = world.as_mut();
        let (Some(Undone { of, .. }), Some(plan)) =
            (W::undone(state.start()), &state.change().rollback)
        else {
            return Err(world.bad_journal("it has no plan to roll back by").into());
        };
        let backup = find_backup(&world.host, &of)?;
        let reason = format!("refactor-bot: rollback {of}");
        let mut notes = Vec::new();
        let restored = workspace::perform(&world.repo, &backup, plan, &reason, &mut notes);
        for text in notes {
            world.note(text)?;
        }
        restored.map_err(ChangeError::from)?;
        close(&Context::<W> { host: world.host.clone(), observer: None, models: None }, &of)?;
        Ok(world.write(ChangeEvent::RolledBack)?)
    }
}
