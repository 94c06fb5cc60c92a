//! The same work on many things, on all cores.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What a thread takes at a time.
const STRIDE: usize = 8;

/// The results in the order of the things.
pub(crate) fn in_threads<T: Sync, R: Send>(things: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(things.len().div_ceil(STRIDE));
    if threads <= 1 {
        return things.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let first = next.fetch_add(STRIDE, Ordering::Relaxed);
            if first >= things.len() {
                return done;
            }
            let last = (first + STRIDE).min(things.len());
            let results: Vec<R> = things[first..last].iter().map(&work).collect();
            done.push((first, results));
        }
    };
    let mut done: Vec<(usize, Vec<R>)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, _>| match thread.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        threads.into_iter().flat_map(join).collect()
    });
    done.sort_unstable_by_key(|(first, _)| *first);
    done.into_iter().flat_map(|(_, results)| results).collect()
}
