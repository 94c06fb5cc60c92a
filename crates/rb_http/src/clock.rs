//! Waiting between tries, as something that is handed in: tests wait for nothing.

use std::thread;
use std::time::{Duration, Instant};

use rb_core::Cancel;
use rb_core::clock::{Timestamp, now};

pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;

    /// Returns when the time is over, or soon after the work is cancelled.
    fn wait(&self, time: Duration, cancel: &Cancel);
}

/// The time of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// How often a wait looks at the cancel flag.
pub(crate) const TICK: Duration = Duration::from_millis(20);

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        now()
    }

    fn wait(&self, time: Duration, cancel: &Cancel) {
        let until = Instant::now() + time;
        while !cancel.is_cancelled() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            thread::sleep(left.min(TICK));
        }
    }
}
