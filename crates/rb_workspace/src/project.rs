//! A project that is developed commit by commit: in a new repository, or on a branch of its own in one that exists.
//!
//! `Project` brings the files to a tree, stages them, and commits a tree that somebody else found good. Work that nobody proposed is
//! never deleted: it is moved aside. A checkout that existed before is not touched; its project lies in a linked worktree.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rb_core::fs::{self, Durability, FsError};
use rb_core::process::Env;
use rb_core::{Cancel, RepoPath};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::git::{Git, GitError, fields};
use crate::identity::with_identity;
use crate::repo::{Repo, RepoError};

/// Where a project is developed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "place", rename_all = "snake_case")]
pub enum Place {
    /// A folder that was empty or did not exist: it becomes a repository.
    NewRepository { folder: PathBuf },
    /// A repository that has commits: a worktree on a branch of its own. The checkout is not touched.
    Worktree { checkout: PathBuf, folder: PathBuf, branch: String },
}

impl Place {
    /// Where the files are.
    pub fn folder(&self) -> &Path {
        match self {
            Place::NewRepository { folder } | Place::Worktree { folder, .. } => folder,
        }
    }
}

/// Git in the folder of the project.
#[derive(Debug)]
pub struct Project {
    folder: PathBuf,
    git: Git,
}

#[derive(Debug, Error)]
pub enum ProjectError {
    /// Somebody else committed, or moved the branch.
    #[error("the branch is at {found}, but should be at {expected}")]
    Moved { expected: String, found: String },
    #[error(transparent)]
    Repo(#[from] RepoError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// What a branch without commits is at.
const NOTHING: &str = "nothing";

impl Project {
    /// Makes the repository or the worktree, unless an earlier process has done so.
    pub fn open(place: &Place, env: &Env, cancel: &Cancel) -> Result<Project, ProjectError> {
        match place {
            Place::NewRepository { folder } => {
                fs::create_dir_all(folder)?;
                if !folder.join(".git").join("HEAD").is_file() {
                    let git = Git::new(folder, env, cancel);
                    git.run(["init", "--quiet", "--initial-branch=main", "--template="])?;
                }
            }
            Place::Worktree { checkout, folder, branch } => {
                let repo = Repo::open_git(checkout, None, env, cancel)?;
                if !folder.join(".git").is_file() {
                    add_worktree(&repo, folder, branch)?;
                }
            }
        }
        let folder = place.folder().to_owned();
        let repo = Repo::open_git(&folder, None, env, cancel)?;
        remove_stale_locks(&repo)?;
        let git = with_identity(&repo.git)?;
        Ok(Project { folder, git })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The last commit; `None` before the first.
    pub fn tip(&self) -> Result<Option<String>, ProjectError> {
        Ok(self.git.optional_line(["rev-parse", "--quiet", "--verify", "HEAD^{commit}"])?)
    }

    /// The tree of the last commit; `None` before the first.
    pub fn tip_tree(&self) -> Result<Option<String>, ProjectError> {
        Ok(self.git.optional_line(["rev-parse", "--quiet", "--verify", "HEAD^{tree}"])?)
    }

    /// Every file that git tracks or would add, sorted.
    pub fn paths(&self) -> Result<Vec<RepoPath>, ProjectError> {
        let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let out = self.git.run(list)?;
        let mut paths: Vec<RepoPath> =
            fields(&out).filter_map(|name| RepoPath::new(name).ok()).collect();
        paths.sort();
        paths.dedup();
        Ok(paths)
    }

    /// Stages all files as they are, and gives their tree.
    pub fn stage(&self) -> Result<String, ProjectError> {
        self.git.run(["add", "--all"])?;
        Ok(self.git.line(["write-tree"])?)
    }

    /// The paths in which two trees differ.
    pub fn differences(&self, from: &str, to: &str) -> Result<Vec<RepoPath>, ProjectError> {
        let out =
            self.git.run(["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to])?;
        Ok(fields(&out).filter_map(|name| RepoPath::new(name).ok()).collect())
    }

    /// Brings index and files to a tree. What differs from the index and was not staged is moved to `aside` first; the paths of
    /// that are given. Ignored files stay.
    pub fn restore(&self, tree: &str, aside: &Path) -> Result<Vec<RepoPath>, ProjectError> {
        let moved = self.move_unstaged(aside)?;
        self.git.run(["read-tree", "--reset", "-u", tree])?;
        self.git.run(["clean", "-d", "--force", "--force", "--quiet"])?;
        Ok(moved)
    }

    /// Copies files that differ from the index, and new ones, to a folder of its own below `aside`.
    fn move_unstaged(&self, aside: &Path) -> Result<Vec<RepoPath>, ProjectError> {
        let changed = self.git.run(["diff-files", "-z", "--name-only", "--diff-filter=AMT"])?;
        let new = self.git.run(["ls-files", "-z", "--others", "--exclude-standard"])?;
        let mut paths: Vec<RepoPath> = fields(&changed)
            .chain(fields(&new))
            .filter_map(|name| RepoPath::new(name).ok())
            .collect();
        paths.sort();
        paths.dedup();
        if paths.is_empty() {
            return Ok(paths);
        }
        let mut free = (1..u32::MAX).map(|number| aside.join(number.to_string()));
        let to = free.find(|at| !at.exists()).unwrap_or_else(|| aside.to_owned());
        for path in &paths {
            // Links, pipes and files of more than this are nobody's notes.
            if let Some(bytes) = fs::read_plain(&self.folder, path, LARGEST).ok().flatten() {
                let copy = path.below(&to);
                fs::create_dir_all(copy.parent().unwrap_or(&to))?;
                fs::write(&copy, &bytes, Durability::Relaxed)?;
            }
        }
        Ok(paths)
    }

    /// Puts those paths back to what a tree has; paths that it has not are removed.
    pub fn put_back(&self, tree: &str, paths: &[RepoPath]) -> Result<(), ProjectError> {
        for path in paths {
            let name = String::from_utf8_lossy(path.as_bytes()).into_owned();
            let has = self.git.says_yes(["cat-file", "-e", &format!("{tree}:{name}")])?;
            if has {
                self.git.run(["checkout", "--quiet", tree, "--", &name])?;
            } else {
                self.git.run(["rm", "--quiet", "--force", "--ignore-unmatch", "--", &name])?;
                fs::remove_file(&path.below(&self.folder))?;
            }
        }
        Ok(())
    }

    /// Commits a tree after `expected`, the commit that the branch must be at.
    pub fn commit(
        &self,
        tree: &str,
        expected: Option<&str>,
        message: &str,
    ) -> Result<String, ProjectError> {
        self.must_be_at(expected)?;
        let mut args: Vec<OsString> = vec!["commit-tree".into(), tree.into()];
        if let Some(parent) = expected {
            args.extend(["-p".into(), parent.into()]);
        }
        args.extend(["-F".into(), "-".into()]);
        let out = self.git.feed(args, message.as_bytes())?;
        let commit = String::from_utf8_lossy(&out).trim().to_owned();
        let before = expected.map_or_else(|| "0".repeat(commit.len()), str::to_owned);
        self.git.uninterruptible().run(["update-ref", "HEAD", &commit, &before])?;
        Ok(commit)
    }

    fn must_be_at(&self, expected: Option<&str>) -> Result<(), ProjectError> {
        let found = self.tip()?;
        if found.as_deref() == expected {
            return Ok(());
        }
        let words = |commit: Option<&str>| commit.unwrap_or(NOTHING).to_owned();
        Err(ProjectError::Moved { expected: words(expected), found: words(found.as_deref()) })
    }

    /// The message of the last commit.
    pub fn tip_message(&self) -> Result<String, ProjectError> {
        let out = self.git.run(["log", "-1", "--format=%B", "HEAD"])?;
        Ok(String::from_utf8_lossy(&out).trim_end().to_owned())
    }
}

/// A larger file is not copied before it is removed.
const LARGEST: u64 = 16 << 20;

fn add_worktree(repo: &Repo, folder: &Path, branch: &str) -> Result<(), ProjectError> {
    fs::remove_dir_all(folder)?;
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent)?;
    }
    let head = repo.git.line(["rev-parse", "--verify", "HEAD^{commit}"])?;
    let at = if repo.branch_exists(branch)? { branch.to_owned() } else { head };
    let args = ["worktree", "add", "--quiet", "--force", "--force", "-B", branch];
    let place = [folder.to_owned().into_os_string(), at.into()];
    repo.git.run(args.map(OsString::from).into_iter().chain(place))?;
    Ok(())
}

/// Removes the worktree of a project whose work is done; its branch stays.
pub fn remove_worktree(place: &Place, env: &Env, cancel: &Cancel) -> Result<(), ProjectError> {
    let Place::Worktree { checkout, folder, .. } = place else { return Ok(()) };
    if folder.exists() {
        let repo = Repo::open_git(checkout, None, env, cancel)?;
        let args = ["worktree", "remove", "--force", "--force"].map(OsString::from);
        repo.git.run(args.into_iter().chain([folder.clone().into_os_string()]))?;
    }
    Ok(())
}

/// What a git that was killed leaves. Nobody else works in this folder: the run holds its lock.
fn remove_stale_locks(repo: &Repo) -> Result<(), ProjectError> {
    let head = repo.git.optional_line(["symbolic-ref", "--quiet", "HEAD"])?;
    let branch = head.map(|name| repo.common_dir.join(format!("{name}.lock")));
    let own = ["index.lock", "HEAD.lock"].map(|name| repo.git_dir.join(name));
    own.into_iter().chain(branch).try_for_each(|lock| fs::remove_file(&lock))?;
    Ok(())
}
