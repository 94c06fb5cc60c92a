//! Where things lie. Every path below the home folder is named here and nowhere else.

use std::path::{Path, PathBuf};

use crate::id::RunId;

/// The root that all state of refactor-bot lives under (`~/.refactor-bot` unless told otherwise).
#[derive(Debug, Clone)]
pub struct Home {
    root: PathBuf,
}

impl Home {
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Home { root: root.into() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Everything that lies directly in the home folder.
    pub const NAMES: [&str; 13] = [
        "ask",
        "backups",
        "cache",
        "config.json",
        "index",
        "locks",
        "prompts",
        "providers",
        "runs",
        "schemas",
        "scratch",
        "trust.json",
        "worktrees",
    ];

    pub fn config(&self) -> PathBuf {
        self.root.join("config.json")
    }

    /// Which project configurations the person has agreed to.
    pub fn trust(&self) -> PathBuf {
        self.root.join("trust.json")
    }

    pub fn runs(&self) -> PathBuf {
        self.root.join("runs")
    }

    pub fn run(&self, id: &RunId) -> PathBuf {
        self.runs().join(id.as_str())
    }

    /// Held while a checkout is written.
    pub fn locks(&self) -> PathBuf {
        self.root.join("locks")
    }

    pub fn worktrees(&self) -> PathBuf {
        self.root.join("worktrees")
    }

    pub fn worktree(&self, id: &RunId) -> PathBuf {
        self.worktrees().join(id.as_str())
    }

    /// One folder for each repository.
    pub fn index(&self) -> PathBuf {
        self.root.join("index")
    }

    /// Caches that the tools of a repository keep between runs.
    pub fn cache(&self, repo_name: &str) -> PathBuf {
        self.root.join("cache").join(repo_name)
    }

    /// What `ask` remembers of a repository.
    pub fn ask_memory(&self, repo_name: &str) -> PathBuf {
        self.root.join("ask").join(repo_name).join("memory.json")
    }

    /// The lines typed in interactive sessions of `ask`, for all repositories.
    pub fn ask_history(&self) -> PathBuf {
        self.root.join("ask").join("history")
    }

    pub fn backups(&self) -> PathBuf {
        self.root.join("backups")
    }

    pub fn backup(&self, repo_name: &str, id: &RunId) -> PathBuf {
        self.backups().join(repo_name).join(id.as_str())
    }

    /// The state just before a run landed, where it was no longer the one that the run began from.
    pub fn landing_backup(&self, repo_name: &str, id: &RunId) -> PathBuf {
        self.backups().join(repo_name).join(format!("{}-landing", id.as_str()))
    }
}
