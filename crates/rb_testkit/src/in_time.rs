//! A test that fails where it would hang.

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Far more than any busy machine needs.
const LIMIT: Duration = Duration::from_mins(2);

/// Runs `work`, and panics if it has not ended after two minutes.
pub fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, ended) = channel();
    let thread = thread::spawn(move || {
        let _ = done.send(work());
    });
    match ended.recv_timeout(LIMIT) {
        Ok(value) => value,
        Err(RecvTimeoutError::Timeout) => panic!("it has not ended after {LIMIT:?}"),
        Err(RecvTimeoutError::Disconnected) => {
            resume_unwind(thread.join().expect_err("a thread that says nothing has panicked"))
        }
    }
}
