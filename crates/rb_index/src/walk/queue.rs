//! Work that brings more work, shared by a few threads until none is left.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub(super) struct Queue<J> {
    state: Mutex<State<J>>,
    changed: Condvar,
}

struct State<J> {
    /// The newest is taken first, so that few are waiting at any time.
    waiting: Vec<J>,
    /// Taken and not finished: each may still bring more.
    taken: usize,
}

/// A job in work. It counts as finished when dropped, even by a panic: otherwise the other threads would wait for ever.
pub(super) struct ActiveJob<'q, J> {
    queue: &'q Queue<J>,
    job: J,
}

impl<J> Queue<J> {
    pub(super) fn new(first: J) -> Self {
        Queue {
            state: Mutex::new(State { waiting: vec![first], taken: 0 }),
            changed: Condvar::new(),
        }
    }

    /// The next job; waits while another thread may still bring one. `None` when all are done.
    pub(super) fn take(&self) -> Option<ActiveJob<'_, J>> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.waiting.pop() {
                state.taken += 1;
                return Some(ActiveJob { queue: self, job });
            }
            if state.taken == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J> ActiveJob<'_, J> {
    /// Does the job and queues what it brings.
    pub(super) fn finish(self, work: impl FnOnce(&J) -> Vec<J>) {
        let brought = work(&self.job);
        if !brought.is_empty() {
            self.queue.lock().waiting.extend(brought);
            self.queue.changed.notify_all();
        }
    }
}

impl<J> Drop for ActiveJob<'_, J> {
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.taken -= 1;
        if state.taken == 0 && state.waiting.is_empty() {
            self.queue.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn ix1_every_job_is_done_once_by_some_thread() {
        let done = AtomicUsize::new(0);
        let queue = Queue::new(12_u32);
        let work = || {
            while let Some(taken) = queue.take() {
                taken.finish(|&depth| {
                    done.fetch_add(1, Ordering::Relaxed);
                    if depth == 0 { Vec::new() } else { vec![depth - 1; 2] }
                });
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(work);
            }
        });
        assert_eq!(done.into_inner(), (1 << 13) - 1);
    }

    #[test]
    fn ix1_a_panic_in_one_thread_lets_the_others_end() {
        let queue = Queue::new(0_u32);
        let panicked = std::thread::scope(|scope| {
            let bad = scope.spawn(|| {
                if let Some(taken) = queue.take() {
                    taken.finish(|_| panic!("on purpose"));
                }
            });
            bad.join().is_err()
        });
        assert!(panicked);
        assert!(queue.take().is_none());
    }
}
