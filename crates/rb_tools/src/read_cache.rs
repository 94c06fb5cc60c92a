//! The texts of the files that a session has read, so that no file is read from disk twice while its content stays the same.
//!
//! A text is found by path and content: one of an earlier content is never returned. When the texts take more room than the
//! budget allows, the one that was not used for the longest time is dropped.

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_core::Sha256;

use crate::file_text::FileText;

/// A least-recently-used cache of texts.
#[derive(Debug)]
pub struct ReadCache {
    /// In bytes.
    budget: usize,
    bytes: usize,
    uses: u64,
    entries: BTreeMap<String, Entry>,
    /// The path of each entry by its last use.
    by_use: BTreeMap<u64, String>,
    counts: CacheCounts,
}

/// How often the cache had what was asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheCounts {
    pub hits: u64,
    pub misses: u64,
    pub evictions: u64,
}

#[derive(Debug)]
struct Entry {
    hash: Sha256,
    text: Arc<FileText>,
    last_use: u64,
}

/// Enough for some hundred files; a session reads a few dozen.
const BUDGET: usize = 16 << 20;

impl Default for ReadCache {
    fn default() -> Self {
        ReadCache::new(BUDGET)
    }
}

impl ReadCache {
    pub fn new(budget: usize) -> Self {
        ReadCache {
            budget,
            bytes: 0,
            uses: 0,
            entries: BTreeMap::new(),
            by_use: BTreeMap::new(),
            counts: CacheCounts::default(),
        }
    }

    pub fn counts(&self) -> CacheCounts {
        self.counts
    }

    /// What the texts take. Never more than the budget.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The text of a file with that content. Counted as a hit or a miss.
    pub fn get(&mut self, path: &str, hash: Sha256) -> Option<Arc<FileText>> {
        let found = self.entries.get_mut(path).filter(|entry| entry.hash == hash);
        let Some(entry) = found else {
            self.counts.misses += 1;
            return None;
        };
        self.counts.hits += 1;
        self.uses += 1;
        self.by_use.remove(&entry.last_use);
        self.by_use.insert(self.uses, path.to_owned());
        entry.last_use = self.uses;
        Some(Arc::clone(&entry.text))
    }

    /// Keeps a text in the place of any earlier one of that path. A text that is larger than the whole budget is not kept.
    pub fn put(&mut self, path: &str, hash: Sha256, text: Arc<FileText>) {
        self.remove(path);
        if text.bytes() > self.budget {
            return;
        }
        self.uses += 1;
        self.bytes += text.bytes();
        self.by_use.insert(self.uses, path.to_owned());
        self.entries.insert(path.to_owned(), Entry { hash, text, last_use: self.uses });
        while self.bytes > self.budget {
            let Some((_, oldest)) = self.by_use.pop_first() else { break };
            self.remove(&oldest);
            self.counts.evictions += 1;
        }
    }

    fn remove(&mut self, path: &str) {
        if let Some(entry) = self.entries.remove(path) {
            self.by_use.remove(&entry.last_use);
            self.bytes -= entry.text.bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(content: &str) -> (Sha256, Arc<FileText>) {
        (Sha256::of(content.as_bytes()), Arc::new(FileText::new(content.to_owned(), None)))
    }

    #[test]
    fn as5_a_text_is_found_by_path_and_content() {
        let mut cache = ReadCache::default();
        let (old, old_text) = text("old\n");
        let (new, new_text) = text("new\n");
        assert_eq!(cache.get("a", old), None);
        cache.put("a", old, old_text.clone());
        assert_eq!(cache.get("a", old), Some(old_text));
        assert_eq!(cache.get("a", new), None);
        cache.put("a", new, new_text.clone());
        assert_eq!(cache.get("a", new), Some(new_text));
        assert_eq!(cache.get("a", old), None);
        assert_eq!(cache.counts(), CacheCounts { hits: 2, misses: 3, evictions: 0 });
    }

    #[test]
    fn as5_what_was_not_used_for_longest_is_dropped_first() {
        let (hash, one) = text("1234\n");
        let mut cache = ReadCache::new(one.bytes() * 2);
        for path in ["a", "b"] {
            cache.put(path, hash, one.clone());
        }
        cache.get("a", hash).unwrap();
        cache.put("c", hash, one.clone());
        assert_eq!(cache.get("b", hash), None);
        assert!(cache.get("a", hash).is_some() && cache.get("c", hash).is_some());
        assert_eq!(cache.counts().evictions, 1);
        let (large_hash, large) = text(&"x".repeat(1000));
        cache.put("a", large_hash, large);
        assert_eq!(cache.get("a", large_hash), None);
        assert_eq!(cache.bytes(), one.bytes());
    }

    proptest! {
        #[test]
        fn as5_the_budget_holds(
            steps in proptest::collection::vec((0..6_usize, 0..40_usize, any::<bool>()), 0..60),
        ) {
            let mut cache = ReadCache::new(200);
            for (path, size, puts) in steps {
                let (hash, text) = text(&"x".repeat(size));
                let path = format!("{path}");
                if puts {
                    cache.put(&path, hash, text.clone());
                    prop_assert_eq!(cache.get(&path, hash), Some(text));
                } else if let Some(found) = cache.get(&path, hash) {
                    prop_assert_eq!(found, text);
                }
                prop_assert!(cache.bytes() <= 200);
                let held: usize = cache.entries.values().map(|entry| entry.text.bytes()).sum();
                prop_assert_eq!(held, cache.bytes());
                prop_assert_eq!(cache.by_use.len(), cache.entries.len());
            }
        }
    }
}
