//! What a rule may cost on one file, counted in steps and never in time, so that the same rule ends at the same place
//! on every machine.
//!
//! ast-grep's matcher cannot be stopped from outside, but all it does goes through our nodes and texts. They call
//! `spend`; when nothing is left the match is abandoned by unwinding, as a cancelled query is in other tools. It is also
//! abandoned when it has recursed too deep for the stack.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Why a run was abandoned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spent {
    /// The rule took more steps than it may on one file.
    Steps,
    /// It recursed deeper than the stack allows.
    Stack,
    /// The library gave up with an error of its own.
    Panic,
}

#[derive(Clone, Copy)]
struct Tank {
    steps: usize,
    /// The address of the stack where the run began, and how far it may go from there.
    base: usize,
    reach: usize,
}

const FULL: Tank = Tank { steps: usize::MAX, base: 0, reach: usize::MAX };

thread_local! {
    static TANK: Cell<Tank> = const { Cell::new(FULL) };
}

/// Does the work with this many steps and about this many bytes of stack.
pub(crate) fn within<T>(steps: usize, stack: usize, work: impl FnOnce() -> T) -> Result<T, Spent> {
    let before = TANK.replace(Tank { steps, base: here(), reach: stack });
    let result = catch_unwind(AssertUnwindSafe(work));
    TANK.set(before);
    result.map_err(|thrown| thrown.downcast_ref().copied().unwrap_or(Spent::Panic))
}

#[inline]
pub(crate) fn spend(steps: usize) {
    let mut tank = TANK.get();
    match tank.steps.checked_sub(steps) {
        Some(left) => tank.steps = left,
        None => abandon(Spent::Steps),
    }
    TANK.set(tank);
    if tank.base.abs_diff(here()) > tank.reach && tank.base != 0 {
        abandon(Spent::Stack);
    }
}

/// Unwinds to `within` without a message: nothing is wrong with this program.
#[cold]
fn abandon(why: Spent) -> ! {
    resume_unwind(Box::new(why))
}

/// Near the top of the stack.
#[inline]
fn here() -> usize {
    let place = 0_u8;
    std::hint::black_box(&raw const place).addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recurse(depth: usize) -> usize {
        spend(1);
        if depth == 0 { 0 } else { 1 + std::hint::black_box(recurse(depth - 1)) }
    }

    #[test]
    fn ru4_a_run_ends_when_its_steps_or_its_stack_are_spent() {
        assert_eq!(within(11, 1 << 20, || recurse(10)), Ok(10));
        assert_eq!(within(10, 1 << 20, || recurse(10)), Err(Spent::Steps));
        assert_eq!(within(usize::MAX, 16 << 10, || recurse(100_000)), Err(Spent::Stack));
        // What is outside of a run is not counted.
        assert_eq!(recurse(100), 100);
    }

    #[test]
    fn ru4_a_run_inside_of_a_run_does_not_spend_its_steps() {
        let inner = within(5, 1 << 20, || (within(100, 1 << 20, || recurse(50)), TANK.get().steps));
        assert_eq!(inner, Ok((Ok(50), 5)));
    }
}
