//! Keys with at most one star, as in `paths` of a tsconfig and `exports` and `imports` of a package: an exact key
//! wins, then the one with the longest text before its star.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

#[derive(Debug)]
pub(super) struct Patterns<T> {
    exact: FxHashMap<Box<str>, T>,
    /// Longest prefix first.
    starred: Vec<Starred<T>>,
}

#[derive(Debug)]
struct Starred<T> {
    prefix: Box<str>,
    suffix: Box<str>,
    value: T,
}

impl<T> Default for Patterns<T> {
    fn default() -> Self {
        Patterns { exact: FxHashMap::default(), starred: Vec::new() }
    }
}

impl<T> Patterns<T> {
    /// As TypeScript reads `paths`: of two prefixes of one length, the first in the text wins.
    pub(super) fn of_paths(entries: impl Iterator<Item = (Box<str>, T)>) -> Self {
        let mut patterns = Patterns::default();
        for (key, value) in entries {
            match key.split_once('*') {
                // With two stars it is no pattern, and matches nothing.
                Some((_, suffix)) if suffix.contains('*') => {}
                Some((prefix, suffix)) => patterns.push(prefix, suffix, value),
                None => drop(patterns.exact.insert(key, value)),
            }
        }
        patterns.starred.sort_by_key(|entry| Reverse(entry.prefix.len()));
        patterns
    }

    /// As Node reads `exports`: of two prefixes of one length, the longer key wins, and a slash at the end is the old
    /// way to say `/*`.
    pub(super) fn of_exports(entries: impl Iterator<Item = (Box<str>, T)>) -> Self {
        let entries = entries.map(|(key, value)| {
            let folder = key.ends_with('/') && !key.contains('*');
            (if folder { format!("{key}*").into() } else { key }, value)
        });
        let mut patterns = Patterns::of_paths(entries);
        patterns.starred.sort_by_key(|entry| Reverse((entry.prefix.len(), entry.suffix.len())));
        patterns
    }

    fn push(&mut self, prefix: &str, suffix: &str, value: T) {
        self.starred.push(Starred { prefix: prefix.into(), suffix: suffix.into(), value });
    }

    /// The value for `name`, and what the star stands for.
    pub(super) fn get<'a>(&'a self, name: &'a str) -> Option<(&'a T, Option<&'a str>)> {
        if let Some(value) = self.exact.get(name) {
            return Some((value, None));
        }
        self.starred.iter().find_map(|entry| {
            let star = name.strip_prefix(&*entry.prefix)?.strip_suffix(&*entry.suffix)?;
            Some((&entry.value, Some(star)))
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.starred.is_empty()
    }
}
