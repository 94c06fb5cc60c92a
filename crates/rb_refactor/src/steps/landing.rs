//! The way of an accepted run into the checkout.

use rb_core::fs;
use rb_flow::graph::Node;
use rb_workspace::backup;
use rb_workspace::fingerprint::{Depth, Difference, Fingerprint};
use rb_workspace::land::{self, LandError, Landing, Move, Work};
use rb_workspace::preflight::Dirty;

use crate::Context;
use crate::error::RunError;
use crate::event::{RefactorEvent, RunEvent};
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct Land;

impl Node<Refactor> for Land {
    const NAME: &'static str = "land";
    const DOES: &'static str = "brings the changes into your checkout";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        // The landing stopped and was taken back: it is for the person to decide again.
        if state.decision.is_none() {
            return Ok(());
        }
        let landing = match state.landing.clone() {
            Some(landing) => landing,
            // Killed between the decision and the plan.
            None => {
                let landing = prepare_landing(state, state.squash.as_deref(), world)?;
                world.write(RefactorEvent::LandingStarted { landing: landing.clone() })?;
                landing
            }
        };
        if let Move::Forward { to, .. } = &landing.commit {
            let to = to.clone();
            world.worktree()?.reset(&to)?;
        }
        let reason = format!("refactor-bot: accept {}", world.run.id);
        let repo = world.repo.clone();
        let mut notes = Vec::new();
        let landed = land::perform(&repo, world.worktree()?, &landing, &reason, &mut notes);
        for text in notes {
            world.write(RunEvent::Noted { text })?;
        }
        match landed {
            Ok(()) => world.write(RefactorEvent::Landed),
            Err(error @ LandError::NotLanded { .. }) => {
                world.write(RefactorEvent::NotLanded { reason: error.to_string() })?;
                world.stop_after(error.into());
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Plans the landing, and keeps the state just before it where that is not the one that the run began from: a
/// rollback then leads back to it.
pub(crate) fn prepare_landing(
    state: &State,
    squash: Option<&str>,
    world: &mut World,
) -> Result<Landing, RunError> {
    let baseline = world.baseline_fingerprint()?;
    let landing = plan_landing(state, squash, world, &baseline)?;
    let World { context, repo, run, .. } = &*world;
    let dir = context.home.landing_backup(&repo.backup_name(), &run.id);
    // One of an earlier landing that was taken back.
    fs::remove_dir_all(&dir)?;
    let mut differences = baseline.differences(repo, Depth::Quick)?;
    differences.retain(|difference| !matches!(difference, Difference::Ref { .. }));
    if !differences.is_empty() {
        let target = world.target(Dirty::Carry)?;
        let Context { progress, cancel, .. } = &world.context;
        backup::create(&target, &world.run.id, dir, &**progress, cancel)?;
    }
    Ok(landing)
}

fn plan_landing(
    state: &State,
    squash: Option<&str>,
    world: &mut World,
    baseline: &Fingerprint,
) -> Result<Landing, RunError> {
    let tip = world.tip()?;
    let base = state.base.as_ref().map(|base| base.commit.clone()).unwrap_or_default();
    let carried = state.base.as_ref().is_some_and(|base| base.carried);
    let repo = world.repo.clone();
    let result = Work { base: &base, tip: &tip, carried, squash };
    Ok(land::plan(&repo, world.worktree()?, &baseline.head, &result)?)
}
