//! The next task. One whose groundwork did not come about is passed over.

use rb_change::checkpoint;
use rb_flow::graph::Node;

use crate::error::RunError;
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

pub(crate) struct Choose;

impl Node<Refactor> for Choose {
    const NAME: &'static str = "choose";
    const DOES: &'static str = "takes the next task";
    type Reads<'s> = &'s State;
    type Writes = ();

    fn run(state: &State, world: &mut World) -> Result<(), RunError> {
        if state.refusal().is_some() || state.aborted.is_some() {
            return Ok(());
        }
        let Some(task) = state.next_task() else { return Ok(()) };
        // Begun already, where it was killed after that.
        if state.change.current.is_none() {
            checkpoint::begin_task(&world.change, task)?;
        }
        if let Some(missing) = state.missing_for(task) {
            let reasons = vec![format!("it depends on {missing}, which was not completed")];
            checkpoint::pass_over(&world.change, task, reasons)?;
        }
        Ok(())
    }
}
