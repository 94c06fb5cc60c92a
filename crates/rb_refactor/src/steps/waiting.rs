//! Places where a person has a say. The graph waits before each until the word is in the journal.

use rb_flow::graph::Node;

use crate::error::RunError;
use crate::state::State;
use crate::workflow::Refactor;
use crate::world::World;

macro_rules! waiting {
    ($($(#[$doc:meta])* $node:ident: $name:literal, $does:literal;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $node;

        impl Node<Refactor> for $node {
            const NAME: &'static str = $name;
            const DOES: &'static str = $does;
            type Reads<'s> = &'s State;
            type Writes = ();

            fn run(_: &State, _: &mut World) -> Result<(), RunError> {
                Ok(())
            }
        }
    )*};
}

waiting! {
    /// Before the first task.
    Confirm: "confirm", "you agree to the plan";
    /// After each task, where that was asked for.
    Approve: "approve", "you approve the change";
}
