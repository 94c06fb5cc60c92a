//! Work on a thread with room: ast-grep recurses, as deep as a rule and a tree nest.

use std::panic::resume_unwind;
use std::thread::Builder;

/// Stack that is set aside costs nothing until it is used.
pub(crate) fn with_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = Builder::new().stack_size(bytes).spawn_scoped(scope, work);
        let thread = thread.expect("the system starts one more thread");
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}
