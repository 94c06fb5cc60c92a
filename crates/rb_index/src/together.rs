//! Files that mostly change together: a link between them that no import shows.
//!
//! Two files count if at least half of the changes of each touched the other as well, and did so more than once. Commits of
//! many files say nothing of any two of them and are left out.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rb_core::RepoPath;
use serde::{Deserialize, Serialize};

/// A commit of more files is a move, a format or a release.
const MOST_FILES: usize = 30;
/// Once may be chance.
const LEAST_CHANGES: u32 = 2;
/// Those that changed together most often are kept.
const MOST_PAIRS: usize = 20_000;

/// Pairs of files, sorted. Of each pair the smaller path comes first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Together(Vec<(RepoPath, RepoPath)>);

impl Together {
    /// From the files of each commit.
    pub fn of<'c>(commits: impl IntoIterator<Item = &'c [RepoPath]>) -> Together {
        let mut changes: BTreeMap<&RepoPath, u32> = BTreeMap::new();
        let mut pairs: BTreeMap<(&RepoPath, &RepoPath), u32> = BTreeMap::new();
        for commit in commits {
            let files: BTreeSet<&RepoPath> = commit.iter().collect();
            if files.len() > MOST_FILES {
                continue;
            }
            for (at, &one) in files.iter().enumerate() {
                *changes.entry(one).or_default() += 1;
                for &other in files.iter().skip(at + 1) {
                    *pairs.entry((one, other)).or_default() += 1;
                }
            }
        }
        let is_mutual = |one: &RepoPath, other: &RepoPath, count: u32| {
            count >= LEAST_CHANGES && 2 * count >= changes[one].max(changes[other])
        };
        let mutual =
            pairs.into_iter().filter(|&((one, other), count)| is_mutual(one, other, count));
        let mut mutual: Vec<_> = mutual.collect();
        // A stable sort: of equals the first paths are kept.
        mutual.sort_by_key(|&(_, count)| Reverse(count));
        mutual.truncate(MOST_PAIRS);
        let pairs = mutual.into_iter().map(|((one, other), _)| (one.clone(), other.clone()));
        let mut pairs: Vec<(RepoPath, RepoPath)> = pairs.collect();
        pairs.sort();
        Together(pairs)
    }

    /// Do these two files mostly change together?
    pub fn has(&self, one: &str, other: &str) -> bool {
        let wanted = (one.min(other).as_bytes(), one.max(other).as_bytes());
        let places =
            |(one, other): &(RepoPath, RepoPath)| (one.as_bytes(), other.as_bytes()).cmp(&wanted);
        self.0.binary_search_by(places).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs that have changed together in commits such as `a b`.
    fn pairs(commits: &[&str]) -> Vec<String> {
        let path = |name: &str| RepoPath::new(name).unwrap();
        let commits: Vec<Vec<RepoPath>> =
            commits.iter().map(|files| files.split(' ').map(path).collect()).collect();
        let together = Together::of(commits.iter().map(Vec::as_slice));
        together.0.iter().map(|(one, other)| format!("{one} {other}")).collect()
    }

    #[test]
    fn rf3_files_that_change_together_are_a_pair() {
        assert_eq!(pairs(&["b a", "a b", "a c"]), ["a b"]);
        // Once is chance.
        assert!(pairs(&["a b"]).is_empty());
        // A file that is in most commits belongs to none of the others.
        assert!(pairs(&["a all", "a all", "b all", "c all", "d all"]).is_empty());
        assert_eq!(pairs(&["a b c", "a b c"]), ["a b", "a c", "b c"]);
    }

    #[test]
    fn rf3_a_commit_of_many_files_says_nothing_of_two_of_them() {
        let files = |count: usize| {
            let names: Vec<String> = (0..count).map(|at| format!("f{at}")).collect();
            names.join(" ")
        };
        let (most, more) = (files(30), files(31));
        assert_eq!(pairs(&[&most, &most]).len(), 30 * 29 / 2);
        assert!(pairs(&[&more, &more]).is_empty());
        assert_eq!(pairs(&[&more, "f0 f1", "f0 f1"]), ["f0 f1"]);
    }

    #[test]
    fn rf3_a_pair_is_found_in_either_order() {
        let path = |name: &str| RepoPath::new(name).unwrap();
        let commit = [path("src/b.js"), path("src/a.js"), path("src/c.js")];
        let together = Together::of([&commit[..], &commit[..], &commit[2..]]);
        assert!(together.has("src/a.js", "src/b.js") && together.has("src/b.js", "src/a.js"));
        assert!(!together.has("src/a.js", "src/a.js") && !together.has("src/a.js", "src/d.js"));
    }
}
