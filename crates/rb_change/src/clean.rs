//! The end of the changes: the checkout compared with what it was, and the worktree removed.

use rb_flow::graph::Node;
use rb_workspace::fingerprint::{Depth, Fingerprint};
use rb_workspace::worktree::{Worktree, remove_leftovers};

use crate::agents::remove_copies;
use crate::changes::{Changes, Reads};
use crate::error::ChangeError;
use crate::event::{ChangeEvent, Decision};
use crate::state::ChangeState;
use crate::world::ChangeWorld;

/// Looks whether the checkout is, byte for byte, what it was.
pub struct Compare;

impl Compare {
    pub const NAME: &'static str = "compare";
}

impl<W: Changes> Node<W> for Compare {
    const NAME: &'static str = Compare::NAME;
    const DOES: &'static str = "checks that your checkout is unchanged";
    type Reads<'s> = ();
    type Writes = ();

    fn run((): (), world: &mut W::World) -> Result<(), W::Error> {
        Ok(compare(world.as_mut(), Depth::Full)?)
    }
}

/// Stops the run when the user's checkout is not what it was when this process began.
pub(crate) fn compare(world: &mut ChangeWorld, depth: Depth) -> Result<(), ChangeError> {
    if world.watched.is_none() {
        world.watched = Some(Fingerprint::take(&world.repo, Depth::Full)?);
    }
    let watched = world.watched.as_ref().expect("it was taken just now");
    let differences = watched.differences(&world.repo, depth)?;
    let full = depth == Depth::Full;
    world.write(ChangeEvent::CheckoutCompared { full, differences: differences.clone() })?;
    if differences.is_empty() { Ok(()) } else { Err(ChangeError::CheckoutChanged(differences)) }
}

/// Removes the worktree, and the branch unless it was to stay.
pub struct Clean;

impl Clean {
    pub const NAME: &'static str = "clean";
}

impl<W: Changes> Node<W> for Clean {
    const NAME: &'static str = Clean::NAME;
    const DOES: &'static str = "removes the worktree";
    type Reads<'s> = Reads<'s>;
    type Writes = ();

    fn run(reads: Reads<'_>, world: &mut W::World) -> Result<(), W::Error> {
        Ok(clean(reads.change, world.as_mut())?)
    }
}

pub fn clean(state: &ChangeState, world: &mut ChangeWorld) -> Result<(), ChangeError> {
    remove_copies(world);
    if state.decision == Some(Decision::KeepBranch) {
        world.worktree()?;
        world.worktree.take().map_or(Ok(()), Worktree::keep_branch)?;
    } else if let Some(worktree) = world.worktree.take() {
        worktree.discard()?;
    } else {
        remove_leftovers(&world.repo, &world.host.home, &world.run.id)?;
    }
    world.write(ChangeEvent::Cleaned)
}
