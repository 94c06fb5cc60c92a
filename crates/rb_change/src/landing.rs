//! The way of an accepted run into the checkout.

use rb_core::fs;
use rb_flow::graph::Node;
use rb_workspace::backup;
use rb_workspace::fingerprint::{Depth, Difference, Fingerprint};
use rb_workspace::land::{self, LandError, Landing, Move, Work};
use rb_workspace::preflight::Dirty;

use crate::changes::{Changes, Reads};
use crate::error::ChangeError;
use crate::event::ChangeEvent;
use crate::host::Host;
use crate::state::ChangeState;
use crate::world::ChangeWorld;

/// Where a person accepts or rejects. The graph waits before it until the word is in the journal.
pub struct Decide;

impl Decide {
    pub const NAME: &'static str = "decide";
}

impl<W: Changes> Node<W> for Decide {
    const NAME: &'static str = Decide::NAME;
    const DOES: &'static str = "you accept or reject";
    type Reads<'s> = ();
    type Writes = ();

    fn run((): (), _: &mut W::World) -> Result<(), W::Error> {
        Ok(())
    }
}

pub struct Land;

impl Land {
    pub const NAME: &'static str = "land";
}

impl<W: Changes> Node<W> for Land {
    const NAME: &'static str = Land::NAME;
    const DOES: &'static str = "applies the changes to your checkout";
    type Reads<'s> = Reads<'s>;
    type Writes = ();

    fn run(reads: Reads<'_>, world: &mut W::World) -> Result<(), W::Error> {
        Ok(land(reads.change, world.as_mut())?)
    }
}

fn land(state: &ChangeState, world: &mut ChangeWorld) -> Result<(), ChangeError> {
    // The landing stopped and was taken back: it is for the person to decide again.
    if state.decision.is_none() {
        return Ok(());
    }
    let landing = match state.landing.clone() {
        Some(landing) => landing,
        // Killed between the decision and the plan.
        None => {
            let landing = prepare_landing(state, state.squash.as_deref(), world)?;
            world.write(ChangeEvent::LandingStarted { landing: landing.clone() })?;
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
        world.note(text)?;
    }
    match landed {
        Ok(()) => world.write(ChangeEvent::Landed),
        Err(error @ LandError::NotLanded { .. }) => {
            world.write(ChangeEvent::NotLanded { reason: error.to_string() })?;
            world.stop_after(error.into());
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

/// Plans the landing, and keeps the state just before it where that is not the one that the run began from: a
/// rollback then leads back to it.
pub(crate) fn prepare_landing(
    state: &ChangeState,
    squash: Option<&str>,
    world: &mut ChangeWorld,
) -> Result<Landing, ChangeError> {
    let baseline = world.baseline_fingerprint()?;
    let landing = plan_landing(state, squash, world, &baseline)?;
    let ChangeWorld { host, repo, run, .. } = &*world;
    let dir = host.home.landing_backup(&repo.backup_name(), &run.id);
    // One of an earlier landing that was taken back.
    fs::remove_dir_all(&dir)?;
    let mut differences = baseline.differences(repo, Depth::Quick)?;
    differences.retain(|difference| !matches!(difference, Difference::Ref { .. }));
    if !differences.is_empty() {
        let target = world.target(Dirty::Carry)?;
        let Host { progress, cancel, .. } = &world.host;
        backup::create(&target, &world.run.id, dir, &**progress, cancel)?;
    }
    Ok(landing)
}

fn plan_landing(
    state: &ChangeState,
    squash: Option<&str>,
    world: &mut ChangeWorld,
    baseline: &Fingerprint,
) -> Result<Landing, ChangeError> {
    let tip = world.tip()?;
    let base = state.base.as_ref().map(|base| base.commit.clone()).unwrap_or_default();
    let carried = state.carried();
    let repo = world.repo.clone();
    let result = Work { base: &base, tip: &tip, carried, squash };
    Ok(land::plan(&repo, world.worktree()?, &baseline.head, &result)?)
}
