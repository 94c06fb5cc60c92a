//! Landing: the only way from the worktree into the user's checkout.
//!
//! A landing is planned in full, recorded by the caller, and then performed step by step. Each step
//! looks whether it was done already, so that a landing cut off anywhere is finished by performing it
//! again. Only files that the run changed are written, and only where they still are what they were.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rb_core::fs::{self, BehindLink, Durability, FsError};
use rb_core::{RepoPath, Sha256};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::fingerprint::{Depth, Fingerprint, MarkKind, mark};
use crate::git::{GitError, fields};
use crate::identity::with_identity;
use crate::repo::{Head, Kind, Repo};
use crate::worktree::{Worktree, WorktreeError};

/// Everything that a landing will do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Landing {
    pub steps: Vec<Step>,
    pub commit: Move,
}

/// One file of the user's checkout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub path: RepoPath,
    pub before: Option<Sha256>,
    pub after: Option<Sha256>,
    /// Mode and blob as git names them; absent when the file goes.
    pub entry: Option<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub mode: String,
    pub blob: String,
}

/// What becomes of HEAD and the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Move {
    /// The branch that is checked out goes on to `to`, a descendant of `from`.
    Forward { from: String, to: String },
    /// Files only: the work that the run began from was not committed either.
    FilesOnly,
}

#[derive(Debug, Error)]
pub enum LandError {
    #[error("`{0}` was changed in your checkout since the run began")]
    Changed(RepoPath),
    #[error("`{0}` is neither what it was before the landing nor what it should be after it")]
    Foreign(RepoPath),
    #[error("your branch went on since the run began, and the two do not merge: {0}")]
    Conflict(String),
    #[error("HEAD is detached; there is no branch to land on")]
    Detached,
    #[error("the checkout is on {found}; the run began on {expected}")]
    OtherBranch { expected: String, found: String },
    #[error("`{0}` is a folder, a link or a submodule, in your checkout or in the result")]
    NotAFile(RepoPath),
    #[error(transparent)]
    BehindLink(#[from] BehindLink),
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// Plans how `base..tip` reaches the checkout. The worktree ends at the commit whose files are to land.
///
/// `baseline` is the checkout's fingerprint at the start; `carried` says that `base` holds work that the
/// user had not committed.
pub fn plan(
    repo: &Repo,
    worktree: &mut Worktree,
    baseline: &Fingerprint,
    base: &str,
    tip: &str,
    carried: bool,
) -> Result<Landing, LandError> {
    if carried || repo.kind == Kind::Folder {
        let steps = steps(repo, worktree, base, tip)?;
        unchanged_since(&steps, baseline)?;
        return Ok(Landing { steps, commit: Move::FilesOnly });
    }
    let head = checked_out(repo, &baseline.head)?;
    let to = if head == base { tip.to_owned() } else { merge(worktree, &head, tip)? };
    let steps = steps(repo, worktree, &head, &to)?;
    if head == base {
        unchanged_since(&steps, baseline)?;
    }
    clean_for_git(repo, &steps)?;
    Ok(Landing { steps, commit: Move::Forward { from: head, to } })
}

/// The commit that the checkout is at, if it is still on the branch where the run began.
fn checked_out(repo: &Repo, began: &Head) -> Result<String, LandError> {
    match (repo.head()?, began) {
        (Head::Branch { name, commit }, Head::Branch { name: expected, .. })
            if name == *expected =>
        {
            Ok(commit)
        }
        (Head::Branch { name, .. }, Head::Branch { name: expected, .. }) => {
            Err(LandError::OtherBranch { expected: expected.clone(), found: name })
        }
        _ => Err(LandError::Detached),
    }
}

/// A merge commit of the user's branch and the run's, made in the worktree.
fn merge(worktree: &mut Worktree, head: &str, tip: &str) -> Result<String, LandError> {
    let git = with_identity(worktree.git())?;
    worktree.reset(tip)?;
    git.run(["checkout", "--quiet", "--detach", head])?;
    let message = format!("Merge branch '{}'", worktree.branch());
    let merged = git.run(["merge", "--quiet", "--no-ff", "--no-verify", "-m", &message, tip]);
    let result = match merged {
        Ok(_) => Ok(worktree.tip()?),
        Err(GitError::Failed { .. }) => {
            let unmerged = git.run(["diff", "--name-only", "--diff-filter=U", "-z"])?;
            let names: Vec<_> = fields(&unmerged).take(5).map(rb_core::path::quote).collect();
            Err(LandError::Conflict(names.join(", ")))
        }
        Err(error) => Err(error.into()),
    };
    git.run(["checkout", "--quiet", "--force", worktree.branch()])?;
    result
}

fn steps(
    repo: &Repo,
    worktree: &mut Worktree,
    from: &str,
    to: &str,
) -> Result<Vec<Step>, LandError> {
    let changed = changed(worktree, from, to)?;
    let kept = changed.iter().filter(|(_, entry)| entry.is_some()).map(|(path, _)| path);
    worktree.check_out_anew(to, kept)?;
    let mut steps = Vec::new();
    for (path, entry) in changed {
        let after = match entry {
            Some(_) => Some(Sha256::of(&fs::read(&path.below(worktree.dir()))?)),
            None => None,
        };
        let before = content(&fs::contained(&repo.root, &path)?, &path)?;
        steps.push(Step { path, before, after, entry });
    }
    Ok(steps)
}

/// The paths that differ between two commits, with what the second has there.
fn changed(
    worktree: &Worktree,
    from: &str,
    to: &str,
) -> Result<Vec<(RepoPath, Option<Entry>)>, LandError> {
    let raw =
        worktree.git().run(["diff", "--raw", "--no-renames", "--no-abbrev", "-z", from, to])?;
    let mut changed = Vec::new();
    let mut parts = fields(&raw);
    while let (Some(info), Some(name)) = (parts.next(), parts.next()) {
        let info = String::from_utf8_lossy(info).into_owned();
        let words: Vec<&str> = info.trim_start_matches(':').split(' ').collect();
        let (Ok(path), [_, mode, _, blob, _]) = (RepoPath::new(name), &words[..]) else {
            return Err(
                GitError::Unexpected { command: "diff --raw".to_owned(), message: info }.into()
            );
        };
        let entry = match *mode {
            "000000" => None,
            "100644" | "100755" => {
                Some(Entry { mode: (*mode).to_owned(), blob: (*blob).to_owned() })
            }
            _ => return Err(LandError::NotAFile(path)),
        };
        changed.push((path, entry));
    }
    Ok(changed)
}

fn content(place: &Path, path: &RepoPath) -> Result<Option<Sha256>, LandError> {
    let found = mark(place, Depth::Full)?;
    match found.kind {
        MarkKind::File => Ok(found.sha256),
        MarkKind::Absent => Ok(None),
        MarkKind::Link | MarkKind::Other => Err(LandError::NotAFile(path.clone())),
    }
}

fn unchanged_since(steps: &[Step], baseline: &Fingerprint) -> Result<(), LandError> {
    for step in steps {
        let then = baseline.files.get(&step.path).and_then(|mark| mark.sha256);
        // A file that the run creates may already stand there, ignored or new: it is not ours.
        if then != step.before && step.before != step.after {
            return Err(LandError::Changed(step.path.clone()));
        }
    }
    Ok(())
}

/// Nothing that the landing writes is changed or staged in the checkout.
fn clean_for_git(repo: &Repo, steps: &[Step]) -> Result<(), LandError> {
    let args = [
        "status",
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignored=matching",
        "--",
    ];
    let paths: Vec<OsString> =
        steps.iter().map(|step| step.path.as_path().as_os_str().to_owned()).collect();
    for part in paths.chunks(500) {
        let out = repo.git.run(args.iter().map(OsString::from).chain(part.iter().cloned()))?;
        if let Some(path) = fields(&out).find_map(|entry| RepoPath::new(entry.get(3..)?).ok()) {
            return Err(LandError::Changed(path));
        }
    }
    Ok(())
}

/// Does what is left to do of a landing. The worktree must be at the commit that lands.
pub fn perform(
    repo: &Repo,
    worktree: &Worktree,
    landing: &Landing,
    reason: &str,
) -> Result<(), LandError> {
    let commit = match &landing.commit {
        Move::Forward { to, .. } => Some(to.as_str()),
        Move::FilesOnly => None,
    };
    if let Some(to) = commit
        && worktree.tip()? != to
    {
        let message = format!("the worktree is not at {to}");
        return Err(GitError::Unexpected { command: "rev-parse".to_owned(), message }.into());
    }
    for step in &landing.steps {
        place(repo, worktree, step)?;
    }
    if let Move::Forward { from, to } = &landing.commit {
        stage(repo, &landing.steps, to.len())?;
        move_head(repo, from, to, reason)?;
    }
    Ok(())
}

/// Removes what a landing that was cut off prepared and did not use: half-written copies, empty folders.
pub fn tidy(repo: &Repo, landing: &Landing) -> Result<(), LandError> {
    for step in &landing.steps {
        let target = fs::contained(&repo.root, &step.path)?;
        fs::remove_file(&fs::temp_sibling(&target))?;
        fs::remove_empty_dirs(target.parent().unwrap_or(&repo.root), &repo.root)?;
    }
    Ok(())
}

fn place(repo: &Repo, worktree: &Worktree, step: &Step) -> Result<(), LandError> {
    let target = fs::contained(&repo.root, &step.path)?;
    let found = content(&target, &step.path)?;
    if found != step.before && found != step.after {
        return Err(LandError::Foreign(step.path.clone()));
    }
    let Some(entry) = &step.entry else {
        // The file may be gone already and only its folder be left.
        fs::remove_file(&target)?;
        return Ok(fs::remove_empty_dirs(target.parent().unwrap_or(&repo.root), &repo.root)?);
    };
    if found == step.after && mode_is_right(&target, entry) {
        return Ok(());
    }
    let bytes = fs::read(&step.path.below(worktree.dir()))?;
    if Some(Sha256::of(&bytes)) != step.after {
        return Err(LandError::Foreign(step.path.clone()));
    }
    if let Some(parent) = target.parent() {
        fs::create_dir_all(parent)?;
    }
    Ok(fs::write_with_mode(&target, &bytes, permission(&target, entry), Durability::Synced)?)
}

/// As readable as the file that it replaces, and executable as git says.
fn permission(target: &Path, entry: &Entry) -> u32 {
    let readable = target.metadata().map_or(0o666, |meta| meta.permissions().mode() & 0o666);
    if entry.mode == "100755" { readable | (readable & 0o444) >> 2 } else { readable }
}

fn mode_is_right(target: &Path, entry: &Entry) -> bool {
    let executable = target.metadata().is_ok_and(|meta| meta.permissions().mode() & 0o100 != 0);
    executable == (entry.mode == "100755")
}

/// Puts the landed files into the index and leaves every other entry alone.
fn stage(repo: &Repo, steps: &[Step], id_len: usize) -> Result<(), LandError> {
    let mut info = Vec::new();
    for step in steps {
        let line = match &step.entry {
            Some(entry) => format!("{} {}\t", entry.mode, entry.blob),
            None => format!("0 {}\t", "0".repeat(id_len)),
        };
        info.extend_from_slice(line.as_bytes());
        info.extend_from_slice(step.path.as_bytes());
        info.push(0);
    }
    repo.git.feed(["update-index", "-z", "--index-info"], info)?;
    // Says "needs update" by its exit code where the user has other changes.
    repo.git.says_yes(["update-index", "-q", "--refresh"])?;
    Ok(())
}

fn move_head(repo: &Repo, from: &str, to: &str, reason: &str) -> Result<(), LandError> {
    if repo.head()?.commit() != Some(to) {
        repo.git.run(["update-ref", "-m", reason, "HEAD", to, from])?;
    }
    Ok(())
}

impl Landing {
    /// The content of each landed path after it, for a later rollback to compare with.
    pub fn after(&self) -> BTreeMap<RepoPath, Option<Sha256>> {
        self.steps.iter().map(|step| (step.path.clone(), step.after)).collect()
    }
}
