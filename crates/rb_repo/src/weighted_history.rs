//! The history of a repository as the index weighs it. Git is asked here, because the index runs no program.

use rb_core::RepoPath;
use rb_index::{Activity, FileActivity, History};
use rb_workspace::history::{Change, History as GitHistory};

/// The number of commits that count.
const COMMITS: u32 = 1000;

/// After so long a commit counts half.
const HALF_LIFE_DAYS: f64 = 90.0;

/// The latest commits, weighed.
pub(crate) struct WeightedHistory {
    pub(crate) git: GitHistory,
    /// The commit that is stood on.
    pub(crate) head: Option<String>,
}

impl History for WeightedHistory {
    fn head(&self) -> Option<String> {
        self.head.clone()
    }

    fn scope(&self) -> String {
        self.git.prefix().unwrap_or_default()
    }

    fn tracked(&self, places: &[RepoPath]) -> Vec<RepoPath> {
        self.git.tracked(places).unwrap_or_default()
    }

    fn activity(&self, head: &str) -> Activity {
        // A history that cannot be read counts as none: the index is poorer for it, and as right.
        weighed(head, &self.git.changes(head, COMMITS).unwrap_or_default())
    }
}

/// Each commit counts less the older it is against the newest of them, so that a commit alone decides the result.
fn weighed(head: &str, changes: &[Change]) -> Activity {
    let newest = changes.iter().map(|change| change.time).max().unwrap_or(0);
    let mut touched: Vec<(&RepoPath, f64)> = Vec::new();
    for change in changes {
        #[expect(clippy::cast_precision_loss, reason = "days need no more than 52 bits")]
        let days = (newest - change.time) as f64 / 86_400.0;
        let weight = (-days / HALF_LIFE_DAYS).exp2();
        touched.extend(change.paths.iter().map(|path| (path, weight)));
    }
    // A stable sort: the sum is built in the order of the history, whatever the paths are.
    touched.sort_by_key(|&(path, _)| path);
    let files = touched
        .chunk_by(|a, b| a.0 == b.0)
        .map(|commits| FileActivity {
            path: commits[0].0.clone(),
            commits: u32::try_from(commits.len()).unwrap_or(u32::MAX),
            #[expect(clippy::cast_possible_truncation, reason = "a weight needs no more digits")]
            weight: commits.iter().map(|&(_, weight)| weight).sum::<f64>() as f32,
        })
        .collect();
    Activity {
        head: Some(head.to_owned()),
        commits: u32::try_from(changes.len()).unwrap_or(u32::MAX),
        files,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix10_a_commit_counts_half_after_ninety_days() {
        let path = |name: &str| RepoPath::new(name).unwrap();
        let day = 86_400;
        let activity = weighed(
            "abc",
            &[
                Change { time: 100 * day, paths: vec![path("a"), path("b")] },
                Change { time: 10 * day, paths: vec![path("a")] },
            ],
        );
        assert_eq!(activity.commits, 2);
        assert_eq!(
            activity.files,
            [
                FileActivity { path: path("a"), commits: 2, weight: 1.5 },
                FileActivity { path: path("b"), commits: 1, weight: 1.0 },
            ]
        );
    }
}
