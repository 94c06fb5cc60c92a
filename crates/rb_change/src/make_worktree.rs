//! The throwaway worktree, on a branch of its own.

use rb_flow::graph::Node;
use rb_workspace::carry::carry;
use rb_workspace::worktree::Worktree;

use crate::changes::{Changes, Reads};
use crate::error::ChangeError;
use crate::event::ChangeEvent;
use crate::state::Base;
use crate::world::ChangeWorld;

pub struct MakeWorktree;

impl MakeWorktree {
    pub const NAME: &'static str = "worktree";
}

impl<W: Changes> Node<W> for MakeWorktree {
    const NAME: &'static str = MakeWorktree::NAME;
    const DOES: &'static str = "creates a separate worktree";
    type Reads<'s> = Reads<'s>;
    type Writes = ();

    fn run(reads: Reads<'_>, world: &mut W::World) -> Result<(), W::Error> {
        Ok(make(reads.change.base.as_ref(), world.as_mut())?)
    }
}

fn make(base: Option<&Base>, world: &mut ChangeWorld) -> Result<(), ChangeError> {
    // Killed after it was announced: whatever of it is there is brought into order.
    if base.is_some() {
        let dir = world.worktree()?.dir().to_owned();
        return world.write(ChangeEvent::WorktreeMade { dir });
    }
    let dirty = world.options.dirty();
    let target = world.target(dirty)?;
    let carried = target.carries(dirty);
    let base = match target.head.commit() {
        Some(commit) if !carried => commit.to_owned(),
        _ => carry(&target, world.run.dir.path())?,
    };
    let branch = world.run.id.branch();
    world.write(ChangeEvent::WorktreeStarted { branch, base: base.clone(), carried })?;
    let made = Worktree::create(&world.repo, &world.host.home, &world.run.id, &base)?;
    let dir = made.dir().to_owned();
    world.worktree = Some(made);
    world.stand_at(Some(&base), Some(&base));
    world.write(ChangeEvent::WorktreeMade { dir })
}
