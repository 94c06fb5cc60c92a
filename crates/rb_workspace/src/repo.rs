//! The user's repository, as the rest of this crate sees it.
//!
//! A folder without git is given a repository of its own outside the folder, so that every later step
//! works the same way on both; `Repo` is read by them and written only by landing and rollback.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability, FsError};
use rb_core::process::Env;
use rb_core::{Cancel, Home, RepoPath, RunId, Sha256};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::git::{Git, GitError};

/// Where the target lies and which git serves it.
#[derive(Debug, Clone)]
pub struct Repo {
    /// The root of the working files.
    pub root: PathBuf,
    /// The part of it that a run may change, if not all.
    pub scope: Option<RepoPath>,
    pub kind: Kind,
    /// Holds `HEAD` and `index` of this checkout.
    pub git_dir: PathBuf,
    /// Holds refs and objects; the same as `git_dir` unless the checkout is a linked worktree.
    pub common_dir: PathBuf,
    pub git: Git,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The user's own repository.
    Git,
    /// A folder without git, served by a repository of the run's own.
    Folder,
}

/// Where HEAD points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum Head {
    Branch {
        name: String,
        commit: String,
    },
    Detached {
        commit: String,
    },
    /// A branch without commits; also the state of a folder without git.
    Unborn {
        name: String,
    },
}

impl Head {
    pub fn commit(&self) -> Option<&str> {
        match self {
            Head::Branch { commit, .. } | Head::Detached { commit } => Some(commit),
            Head::Unborn { .. } => None,
        }
    }
}

#[derive(Debug, Error)]
pub enum RepoError {
    #[error("{} is gone, or is no longer a repository", .0.display())]
    Gone(PathBuf),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

impl Repo {
    /// Opens the checkout whose root is `root`. No check of its health is made.
    pub fn open_git(
        root: &Path,
        scope: Option<RepoPath>,
        env: &Env,
        cancel: &Cancel,
    ) -> Result<Repo, RepoError> {
        if !root.is_dir() {
            return Err(RepoError::Gone(root.to_owned()));
        }
        let git = Git::new(root, env, cancel);
        let absolute =
            |what: &str| git.line(["rev-parse", "--path-format=absolute", what]).map(PathBuf::from);
        let (git_dir, common_dir) = (absolute("--git-dir")?, absolute("--git-common-dir")?);
        let trusted = git.distrusting()?;
        // Where it is not installed, its files are pointers, and a filter that is required would fail.
        let git = if env.find("git-lfs").is_some() { trusted } else { trusted.without_lfs() };
        Ok(Repo { root: root.to_owned(), scope, kind: Kind::Git, git_dir, common_dir, git })
    }

    /// Where the user's own files lie: this checkout, and the main one where this is a linked worktree.
    pub fn checkouts(&self) -> Vec<PathBuf> {
        let is_inside = self.kind == Kind::Git && self.common_dir.ends_with(".git");
        let main = self.common_dir.parent().filter(|main| is_inside && *main != self.root);
        std::iter::once(&*self.root).chain(main).map(Path::to_owned).collect()
    }

    /// Opens a folder without git, with a repository of its own inside the run's folder. The folder
    /// itself gets nothing.
    pub fn open_folder(
        root: &Path,
        home: &Home,
        run: &RunId,
        env: &Env,
        cancel: &Cancel,
    ) -> Result<Repo, RepoError> {
        if !root.is_dir() {
            return Err(RepoError::Gone(root.to_owned()));
        }
        let own = home.run(run).join("own.git");
        let git = Git::new(root, env, cancel);
        if !own.join("HEAD").is_file() {
            fs::remove_dir_all(&own)?;
            let args = ["init", "--quiet", "--bare", "--initial-branch=main", "--template="];
            git.run(args.iter().map(Into::into).chain([own.clone().into_os_string()]))?;
        }
        let git = git
            .with_setting("core.bare", "false")
            .with_env("GIT_DIR", &own)
            .with_env("GIT_WORK_TREE", root);
        Ok(Repo {
            root: root.to_owned(),
            scope: None,
            kind: Kind::Folder,
            git_dir: own.clone(),
            common_dir: own,
            git,
        })
    }

    /// Git for a worktree of this repository at `dir`.
    pub fn git_at(&self, dir: &Path) -> Git {
        self.git.at(dir).without_env("GIT_DIR").without_env("GIT_WORK_TREE")
    }

    pub fn head(&self) -> Result<Head, GitError> {
        let branch = self.git.optional_line(["symbolic-ref", "--quiet", "HEAD"])?;
        let commit =
            self.git.optional_line(["rev-parse", "--quiet", "--verify", "HEAD^{commit}"])?;
        let short =
            |name: String| name.strip_prefix("refs/heads/").map(ToOwned::to_owned).unwrap_or(name);
        Ok(match (branch, commit) {
            (Some(name), Some(commit)) => Head::Branch { name: short(name), commit },
            (Some(name), None) => Head::Unborn { name: short(name) },
            (None, Some(commit)) => Head::Detached { commit },
            (None, None) => {
                return Err(GitError::Unexpected {
                    command: "rev-parse HEAD".to_owned(),
                    message: "HEAD names neither a branch nor a commit".to_owned(),
                });
            }
        })
    }

    pub fn branch_exists(&self, branch: &str) -> Result<bool, GitError> {
        self.git.says_yes(["show-ref", "--verify", "--quiet", &format!("refs/heads/{branch}")])
    }

    /// Copies the index, in one piece even where git keeps a part of it elsewhere (`core.splitIndex`).
    /// False where there is none.
    pub(crate) fn copy_index<E>(&self, to: &Path) -> Result<bool, E>
    where
        E: From<FsError> + From<GitError>,
    {
        let Some(bytes) = fs::read_optional(&self.git_dir.join("index"))? else { return Ok(false) };
        fs::write(to, &bytes, Durability::Synced)?;
        let is_part = |name: &OsString| name.as_bytes().starts_with(b"sharedindex.");
        let parts: Vec<OsString> = fs::list(&self.git_dir)?.into_iter().filter(is_part).collect();
        for part in &parts {
            let bytes = fs::read(&self.git_dir.join(part))?;
            fs::write(&to.with_file_name(part), &bytes, Durability::Relaxed)?;
        }
        if !parts.is_empty() {
            let git = self.git.with_env("GIT_INDEX_FILE", to);
            git.run(["update-index", "--no-split-index"])?;
        }
        for part in &parts {
            fs::remove_file(&to.with_file_name(part))?;
        }
        Ok(true)
    }

    /// Whether the repository still has that commit.
    pub fn has_commit(&self, commit: &str) -> Result<bool, GitError> {
        self.git.says_yes(["cat-file", "-e", &format!("{commit}^{{commit}}")])
    }

    /// The folder's name with a few digits of its place, so that two projects of one name stay apart.
    pub fn backup_name(&self) -> String {
        backup_name(&self.root)
    }
}

fn backup_name(root: &Path) -> String {
    let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let safe: String = name
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' })
        .collect();
    let safe = safe.trim_start_matches('.').chars().take(60).collect::<String>();
    format!("{safe}-{}", Sha256::of(root.as_os_str().as_bytes()).short())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backup_names_are_plain_and_told_apart() {
        let a = backup_name(Path::new("/x/my app"));
        let b = backup_name(Path::new("/y/my app"));
        assert!(a.starts_with("my_app-") && b.starts_with("my_app-") && a != b);
        assert!(!backup_name(Path::new("/x/..odd")).contains(".."));
    }
}
