//! What the history of a repository says about its files. Read by the caller, because only `rb_workspace` runs git.

use rb_core::RepoPath;
use serde::{Deserialize, Serialize};

use crate::together::Together;

/// Where history comes from.
pub trait History {
    /// The commit that the checkout stands on; none outside git, and before the first commit.
    fn head(&self) -> Option<String>;

    /// Which part of the repository the checkout's folder is; the same for the same folder in every clone.
    fn scope(&self) -> String {
        String::new()
    }

    /// The files of the repository that lie in these places, or are one of them. Asked for what ignore files name.
    fn tracked(&self, places: &[RepoPath]) -> Vec<RepoPath> {
        let _ = places;
        Vec::new()
    }

    /// Who changed lately, as of a commit. Depends on the commit alone, so that it can be kept.
    fn activity(&self, head: &str) -> Activity;

    /// The same, with the files that change together: both come from one look at the history.
    fn recent(&self, head: &str) -> (Activity, Together) {
        (self.activity(head), Together::default())
    }
}

/// The latest changes of files, as of one commit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Activity {
    pub head: Option<String>,
    /// How many commits were looked at.
    pub commits: u32,
    /// Sorted by path; files that did not change in these commits are not there.
    pub files: Vec<FileActivity>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileActivity {
    pub path: RepoPath,
    pub commits: u32,
    /// Commits, each counted less the older it is against the newest one.
    pub weight: f32,
}

impl Activity {
    pub fn of(&self, path: &RepoPath) -> Option<&FileActivity> {
        let at = self.files.binary_search_by(|file| file.path.cmp(path)).ok()?;
        Some(&self.files[at])
    }
}

/// For folders that have no history.
pub struct NoHistory;

impl History for NoHistory {
    fn head(&self) -> Option<String> {
        None
    }

    fn activity(&self, _head: &str) -> Activity {
        Activity::default()
    }
}
