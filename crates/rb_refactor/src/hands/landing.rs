//! The way of an accepted run into the checkout.

use rb_flow::Event;
use rb_flow::graph::Node;
use rb_workspace::land::{self, LandError, Move};

use crate::error::RunError;
use crate::state::State;
use crate::world::World;

pub(crate) struct Land;

impl Node<State, World> for Land {
    const NAME: &'static str = "land";
    const DOES: &'static str = "brings the changes into your checkout";
    type Reads<'s> = &'s State;
    type Writes = ();
    type Error = RunError;

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        // The landing stopped and was taken back: it is for the person to decide again.
        if state.decision.is_none() {
            return Ok(());
        }
        let landing = match state.landing.clone() {
            Some(landing) => landing,
            // Killed between the decision and the plan.
            None => {
                let landing = plan_landing(state, world)?;
                world.log.write(Event::LandingStarted { landing: landing.clone() })?;
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
            world.log.write(Event::Noted { text })?;
        }
        match landed {
            Ok(()) => world.log.write(Event::Landed),
            Err(error @ LandError::NotLanded { .. }) => {
                world.log.write(Event::NotLanded { reason: error.to_string() })?;
                world.stop_after(error.into());
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }
}

pub(crate) fn plan_landing(state: &State, world: &mut World) -> Result<land::Landing, RunError> {
    let (baseline, tip) = (world.baseline_fingerprint()?, world.tip()?);
    let base = state.base.as_ref().map(|base| base.commit.clone()).unwrap_or_default();
    let carried = state.base.as_ref().is_some_and(|base| base.carried);
    let repo = world.repo.clone();
    Ok(land::plan(&repo, world.worktree()?, &baseline.head, &base, &tip, carried)?)
}
