//! The throwaway worktree, on a branch of its own.

use rb_flow::graph::Node;
use rb_workspace::carry::carry;
use rb_workspace::worktree::Worktree;

use crate::error::RunError;
use crate::event::RefactorEvent;
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct MakeWorktree;

impl Node<Refactor> for MakeWorktree {
    const NAME: &'static str = "worktree";
    const DOES: &'static str = "makes a worktree of its own";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        // Killed after it was announced: whatever of it is there is brought into order.
        if state.base.is_some() {
            let dir = world.worktree()?.dir().to_owned();
            return world.write(RefactorEvent::WorktreeMade { dir });
        }
        let dirty = world.dirty();
        let target = world.target(dirty)?;
        let carried = target.carries(dirty);
        let base = match target.head.commit() {
            Some(commit) if !carried => commit.to_owned(),
            _ => carry(&target, world.run.dir.path())?,
        };
        let branch = world.run.id.branch();
        world.write(RefactorEvent::WorktreeStarted { branch, base: base.clone(), carried })?;
        let made = Worktree::create(&world.repo, &world.context.home, &world.run.id, &base)?;
        let dir = made.dir().to_owned();
        world.worktree = Some(made);
        world.stand_at(Some(&base), Some(&base));
        world.write(RefactorEvent::WorktreeMade { dir })
    }
}
