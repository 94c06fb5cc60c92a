//! Room on the stack: the parser and the walk recurse, and how deep is up to the text.
//!
//! A text whose bound fits into the thread that asks is read there; a larger one on a thread of its own. Stack that is
//! set aside costs nothing until it is used, so that bounds can be generous.

use std::cell::Cell;
use std::io;
use std::panic;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// The stack of threads that read many files, which `spawn` starts. On others, files of more than a few lines are each
/// read on a thread of their own.
pub const STACK: usize = 64 << 20;

/// What any thread has left: the smallest that are usual have 2 MB.
const SMALL: usize = 1 << 20;
/// Threads with more than this are not asked for.
const LARGEST: usize = 1 << 30;
/// For what is called outside of the recursion.
const MARGIN: usize = 256 << 10;

thread_local! {
    static ROOM: Cell<usize> = const { Cell::new(SMALL) };
}

/// Starts a thread that has room to read most files by itself.
pub fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    with_stack(scope, STACK, work)
}

/// Does the work where it has `needed` bytes of stack; `None` where there is no such place.
pub(super) fn with_room<T: Send>(needed: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    if needed <= ROOM.get() {
        return Some(work());
    }
    if needed > LARGEST {
        return None;
    }
    std::thread::scope(|scope| {
        let thread = with_stack(scope, needed + MARGIN, work).ok()?;
        Some(thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
    })
}

fn with_stack<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    size: usize,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().stack_size(size).spawn_scoped(scope, move || {
        ROOM.set(size - MARGIN);
        work()
    })
}

pub(super) fn room() -> usize {
    ROOM.get()
}
