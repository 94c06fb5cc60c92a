//! Parsed files by their text, so that the steps and checks of a plan parse each text once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rb_python::Source;
use rustc_hash::FxHashMap;

use crate::files::Files;

/// Files that a thread takes at a time.
const SHARE: usize = 8;

/// A text, and what it was parsed to; None if it has syntax errors.
type Version = (Arc<str>, Option<Arc<Source>>);

#[derive(Default)]
pub struct SourceCache {
    versions: Mutex<FxHashMap<String, Vec<Version>>>,
}

impl SourceCache {
    pub(crate) fn source(&self, path: &str, text: Arc<str>) -> Option<Arc<Source>> {
        if let Some((_, source)) = self.known(path, &text) {
            return source;
        }
        let source = Source::parse(path, Arc::clone(&text)).ok().map(Arc::new);
        let mut versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        versions.entry(path.to_owned()).or_default().push((text, source.clone()));
        source
    }

    /// Parses files that will all be needed, on all cores.
    pub(crate) fn prepare(&self, files: &dyn Files, paths: &[String]) {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        let share = || {
            loop {
                let first = next.fetch_add(SHARE, Ordering::Relaxed);
                let Some(paths) = paths.get(first..) else { return };
                for path in paths.iter().take(SHARE) {
                    if let Some(text) = files.text(path) {
                        self.source(path, text);
                    }
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads.min(paths.len().div_ceil(SHARE)) {
                scope.spawn(share);
            }
            share();
        });
    }

    fn known(&self, path: &str, text: &Arc<str>) -> Option<Version> {
        let versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        let mut versions = versions.get(path)?.iter();
        let is_same = |(known, _): &&Version| Arc::ptr_eq(known, text) || known == text;
        versions.find(is_same).cloned()
    }
}

/// Files with a cache for all that is planned over them.
pub(crate) struct CachedFiles<'f> {
    files: &'f dyn Files,
    cache: SourceCache,
}

impl<'f> CachedFiles<'f> {
    pub(crate) fn new(files: &'f dyn Files) -> Self {
        CachedFiles { files, cache: SourceCache::default() }
    }
}

impl Files for CachedFiles<'_> {
    fn paths(&self) -> Vec<String> {
        self.files.paths()
    }

    fn text(&self, path: &str) -> Option<Arc<str>> {
        self.files.text(path)
    }

    fn resolve(&self, from: &str, module: &str) -> Option<String> {
        self.files.resolve(from, module)
    }

    fn sources(&self) -> Option<&SourceCache> {
        Some(self.files.sources().unwrap_or(&self.cache))
    }
}
