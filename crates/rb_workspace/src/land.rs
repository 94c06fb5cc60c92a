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

use crate::fingerprint::{Depth, MarkKind, mark};
use crate::git::{GitError, fields};
use crate::identity::with_identity;
use crate::listing::Listing;
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
    /// What git has there before; absent when the file is new.
    pub old: Option<Entry>,
    /// What git has there after; absent when the file goes.
    pub entry: Option<Entry>,
}

/// Mode and blob as git names them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub mode: String,
    pub blob: String,
}

/// What becomes of HEAD and the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Move {
    /// The branch, which is checked out, goes on to `to`, a descendant of `from`.
    Forward { branch: String, from: String, to: String },
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
    #[error("the run began on a branch or a detached HEAD that is not checked out now")]
    Detached,
    #[error("`{0}` lies in a repository or submodule inside yours")]
    NotYours(RepoPath),
    #[error("{0} no longer has the commit that the run began from")]
    Rewound(String),
    #[error("{0} moved on while the landing was under way")]
    BranchMoved(String),
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
/// `began` is where HEAD was at the start; `carried` says that `base` holds work that the user had not
/// committed.
pub fn plan(
    repo: &Repo,
    worktree: &mut Worktree,
    began: &Head,
    base: &str,
    tip: &str,
    carried: bool,
) -> Result<Landing, LandError> {
    if carried || repo.kind == Kind::Folder {
        let steps = steps(repo, worktree, base, tip)?;
        check_files(repo, &steps)?;
        return Ok(Landing { steps, commit: Move::FilesOnly });
    }
    let (branch, from) = checked_out(repo, began)?;
    if !repo.git.says_yes(["merge-base", "--is-ancestor", base, &from])? {
        return Err(LandError::Rewound(branch));
    }
    let to = if from == base { tip.to_owned() } else { merge(worktree, &from, tip)? };
    let steps = steps(repo, worktree, &from, &to)?;
    check_files(repo, &steps)?;
    check_index(repo, &steps, |entry, step| *entry == step.old)?;
    Ok(Landing { steps, commit: Move::Forward { branch, from, to } })
}

/// The branch where the run began and the commit it is at, if it is still checked out.
fn checked_out(repo: &Repo, began: &Head) -> Result<(String, String), LandError> {
    match (repo.head()?, began) {
        (Head::Branch { name, commit }, Head::Branch { name: expected, .. })
            if name == *expected =>
        {
            Ok((name, commit))
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
    let merged = git.run([
        "merge",
        "--quiet",
        "--no-ff",
        "--no-verify",
        "--strategy=ort",
        "-m",
        &message,
        tip,
    ]);
    let result = match merged {
        Ok(_) => Ok(worktree.tip()?),
        Err(error) => {
            let unmerged = git.run(["diff", "--name-only", "--diff-filter=U", "-z"])?;
            let names: Vec<_> = fields(&unmerged).take(5).map(rb_core::path::quote).collect();
            // Without an unmerged file it failed for another reason, which git names.
            if names.is_empty() {
                Err(error.into())
            } else {
                Err(LandError::Conflict(names.join(", ")))
            }
        }
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
    let kept =
        changed.iter().filter(|changed| changed.entry.is_some()).map(|changed| &changed.path);
    worktree.check_out_anew(to, kept)?;
    let mut steps = Vec::new();
    for Changed { path, old, entry } in changed {
        let after = match entry {
            Some(_) => Some(Sha256::of(&fs::read(&path.below(worktree.dir()))?)),
            None => None,
        };
        let before = content(&fs::contained(&repo.root, &path)?, &path)?;
        steps.push(Step { path, before, after, old, entry });
    }
    Ok(steps)
}

/// A path that differs between two commits, with what each has there.
struct Changed {
    path: RepoPath,
    old: Option<Entry>,
    entry: Option<Entry>,
}

fn changed(worktree: &Worktree, from: &str, to: &str) -> Result<Vec<Changed>, LandError> {
    let raw =
        worktree.git().run(["diff", "--raw", "--no-renames", "--no-abbrev", "-z", from, to])?;
    let mut changed = Vec::new();
    let mut parts = fields(&raw);
    while let (Some(info), Some(name)) = (parts.next(), parts.next()) {
        let info = String::from_utf8_lossy(info).into_owned();
        let words: Vec<&str> = info.trim_start_matches(':').split(' ').collect();
        let (Ok(path), [old_mode, mode, old_blob, blob, _]) = (RepoPath::new(name), &words[..])
        else {
            return Err(
                GitError::Unexpected { command: "diff --raw".to_owned(), message: info }.into()
            );
        };
        let entry = |mode: &str, blob: &str| match mode {
            "000000" => Ok(None),
            "100644" | "100755" => Ok(Some(Entry { mode: mode.to_owned(), blob: blob.to_owned() })),
            _ => Err(LandError::NotAFile(path.clone())),
        };
        let (old, entry) = (entry(old_mode, old_blob)?, entry(mode, blob)?);
        changed.push(Changed { path, old, entry });
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

/// Each file is still what git has there: asked of its content, not of what git remembers of it, so
/// that nothing ignored, flagged as unchanged or freshly written is taken for ours.
fn check_files(repo: &Repo, steps: &[Step]) -> Result<(), LandError> {
    let listing = Listing::of(repo)?;
    for step in steps {
        let foreign = listing.nested.iter().chain(&listing.submodules);
        if foreign.into_iter().any(|other| step.path.is_within(other)) {
            return Err(LandError::NotYours(step.path.clone()));
        }
        if step.before.is_some() != step.old.is_some() && step.before != step.after {
            return Err(LandError::Changed(step.path.clone()));
        }
    }
    let known: Vec<&Step> =
        steps.iter().filter(|step| step.before.is_some() && step.old.is_some()).collect();
    for part in known.chunks(MANY) {
        let paths = part.iter().map(|step| step.path.as_path().as_os_str().to_owned());
        let blobs =
            repo.git.run(["hash-object", "--"].map(OsString::from).into_iter().chain(paths))?;
        let blobs = String::from_utf8_lossy(&blobs).into_owned();
        for (step, blob) in part.iter().zip(blobs.lines()) {
            let unchanged = step.old.as_ref().is_some_and(|old| old.blob == blob);
            if !unchanged && step.before != step.after {
                return Err(LandError::Changed(step.path.clone()));
            }
        }
    }
    Ok(())
}

/// How many paths are named in one command.
const MANY: usize = 500;

/// No index entry of a landed path holds work of the user's.
fn check_index(
    repo: &Repo,
    steps: &[Step],
    expected: impl Fn(&Option<Entry>, &Step) -> bool,
) -> Result<(), LandError> {
    for part in steps.chunks(MANY) {
        let paths = part.iter().map(|step| step.path.as_path().as_os_str().to_owned());
        let args = ["ls-files", "--stage", "-z", "--"].map(OsString::from);
        let staged = repo.git.run(args.into_iter().chain(paths))?;
        let mut entries: BTreeMap<&[u8], Entry> = BTreeMap::new();
        for line in fields(&staged) {
            let Some(tab) = line.iter().position(|&byte| byte == b'\t') else { continue };
            let info = String::from_utf8_lossy(&line[..tab]).into_owned();
            let mut words = info.split(' ').map(ToOwned::to_owned);
            if let (Some(mode), Some(blob)) = (words.next(), words.next()) {
                entries.insert(&line[tab + 1..], Entry { mode, blob });
            }
        }
        for step in part {
            if !expected(&entries.get(step.path.as_bytes()).cloned(), step) {
                return Err(LandError::Changed(step.path.clone()));
            }
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
    if let Move::Forward { branch, from, to } = &landing.commit {
        if worktree.tip()? != *to {
            let message = format!("the worktree is not at {to}");
            return Err(GitError::Unexpected { command: "rev-parse".to_owned(), message }.into());
        }
        let began = Head::Branch { name: branch.clone(), commit: from.clone() };
        let (_, now) = checked_out(repo, &began)?;
        if now != *from && now != *to {
            return Err(LandError::BranchMoved(branch.clone()));
        }
    }
    for step in &landing.steps {
        place(repo, worktree, step)?;
    }
    if let Move::Forward { branch, from, to } = &landing.commit {
        // From here on git is not cut off by Ctrl-C: it would leave its locks behind.
        let repo = &Repo { git: repo.git.uninterruptible(), ..repo.clone() };
        check_index(repo, &landing.steps, |entry, step| {
            *entry == step.old || *entry == step.entry
        })?;
        stage(repo, &landing.steps, to.len())?;
        if repo.head()?.commit() != Some(to) {
            let name = format!("refs/heads/{branch}");
            repo.git.run(["update-ref", "-m", reason, &name, to, from])?;
        }
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
    repo.git.feed(["update-index", "-z", "--index-info"], &info)?;
    // Says "needs update" by its exit code where the user has other changes.
    repo.git.says_yes(["update-index", "-q", "--refresh"])?;
    Ok(())
}

impl Move {
    /// Whether this alone led from `began` to `now`; otherwise commits of others lie between.
    pub(crate) fn is_the_whole_way(&self, began: Option<&str>, now: &str) -> bool {
        match self {
            Move::Forward { from, to, .. } => to == now && Some(from.as_str()) == began,
            Move::FilesOnly => false,
        }
    }
}

impl Landing {
    /// The content of each landed path after it, for a later rollback to compare with.
    pub fn after(&self) -> BTreeMap<RepoPath, Option<Sha256>> {
        self.steps.iter().map(|step| (step.path.clone(), step.after)).collect()
    }
}
