//! The nodes of a rollback: planned in full, then carried out.

use rb_flow::graph::Node;
use rb_workspace::rollback::{self as workspace, Insist, Rollback};

use crate::driver::summary;
use crate::error::RunError;
use crate::event::{Mode, RefactorEvent, RunEvent};
use crate::rollback::{close, find_backup, landing_of};
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct PlanRollback;

impl Node<Refactor> for PlanRollback {
    const NAME: &'static str = "plan_rollback";
    const DOES: &'static str = "works out what has to be put back";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(_: &State, world: &mut World) -> Result<(), RunError> {
        let Mode::Rollback { of, insist } = world.started.workflow.clone() else {
            return Err(world.bad_journal("it is no rollback"));
        };
        let earlier = summary(&world.context, &of)?;
        let backup = find_backup(&world.context, &of)?;
        let landing = landing_of(&world.context, &earlier)?;
        let insist = if insist { Insist::Yes } else { Insist::No };
        let plan: Rollback = workspace::plan(&world.repo, &backup, landing.as_ref(), insist)?;
        world.write(RefactorEvent::RollbackStarted { plan })
    }
}

pub(crate) struct RollBack;

impl Node<Refactor> for RollBack {
    const NAME: &'static str = "roll_back";
    const DOES: &'static str = "puts everything back";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        let (Mode::Rollback { of, .. }, Some(plan)) =
            (world.started.workflow.clone(), state.rollback.clone())
        else {
            return Err(world.bad_journal("it has no plan to roll back by"));
        };
        let backup = find_backup(&world.context, &of)?;
        let reason = format!("refactor-bot: rollback {of}");
        let mut notes = Vec::new();
        let restored = workspace::perform(&world.repo, &backup, &plan, &reason, &mut notes);
        for text in notes {
            world.write(RunEvent::Noted { text })?;
        }
        restored?;
        close(&world.context, &of)?;
        world.write(RefactorEvent::RolledBack)
    }
}
