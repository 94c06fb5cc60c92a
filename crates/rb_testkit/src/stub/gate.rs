//! Permission that a piece of a reply waits for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Counts permissions: each lets one piece pass. Clones share the count.
#[derive(Clone, Default)]
pub struct Gate(Arc<(Mutex<usize>, Condvar)>);

impl Gate {
    pub fn new() -> Self {
        Gate::default()
    }

    /// Lets one more piece pass, now or later.
    pub fn open(&self) {
        self.open_for(1);
    }

    pub fn open_for(&self, pieces: usize) {
        *self.0.0.lock().unwrap() += pieces;
        self.0.1.notify_all();
    }

    /// Whether permission came before the test was over.
    pub(super) fn pass(&self, over: &AtomicBool) -> bool {
        let (count, opened) = &*self.0;
        let mut count = count.lock().unwrap();
        while *count == 0 {
            if over.load(Ordering::SeqCst) {
                return false;
            }
            // The end of the test opens no gate, so it is looked for.
            count = opened.wait_timeout(count, Duration::from_millis(10)).unwrap().0;
        }
        *count -= 1;
        true
    }
}
