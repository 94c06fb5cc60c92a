//! Landing: the only way from the worktree into the user's checkout.
//!
//! A landing is planned in full, recorded by the caller, and then performed step by step. Each step
//! looks whether it was done already, so that a landing cut off anywhere is finished by performing it
//! again. Only files that the run changed are written, and only where they still are what they were. If
//! one was changed meanwhile, the landing takes back what it wrote.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use rb_core::RepoPath;
use rb_core::fs::{self, BehindLink, FsError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::fingerprint::MarkKind;
use crate::git::{GitError, fields};
use crate::identity::with_identity;
use crate::listing::Listing;
use crate::repo::{Head, Kind, Repo};
use crate::swap::{SwapError, Swaps, Undone};
use crate::version::Version;
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
    pub before: Version,
    pub after: Version,
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
    #[error("`{0}` was changed in your checkout while the changes were landing")]
    Saved(RepoPath),
    #[error("another program has `{0}` open for writing")]
    InUse(RepoPath),
    #[error("`{0}` in the run's worktree is not what was to land")]
    Source(RepoPath),
    /// The landing stopped and took back what it had written.
    #[error("{cause}")]
    NotLanded { cause: Box<LandError> },
    #[error("your branch has moved since the run began, and the merge has conflicts: {0}")]
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
    #[error("the run began on {expected}, which is gone; the checkout is on {found}")]
    BranchGone { expected: String, found: String },
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

impl From<SwapError> for LandError {
    fn from(error: SwapError) -> LandError {
        match error {
            SwapError::Saved(path) => LandError::Saved(path),
            SwapError::InUse(path) => LandError::InUse(path),
            SwapError::Source(path) => LandError::Source(path),
            SwapError::BehindLink(error) => LandError::BehindLink(error),
            SwapError::Fs(error) => LandError::Fs(error),
        }
    }
}

impl LandError {
    /// Why it did not land, where it was taken back; otherwise the error itself.
    pub fn cause(&self) -> &LandError {
        match self {
            LandError::NotLanded { cause } => cause,
            other => other,
        }
    }
}

/// The commits of a run, from `base` to `tip`.
#[derive(Debug, Clone, Copy)]
pub struct Work<'w> {
    pub base: &'w str,
    pub tip: &'w str,
    /// `base` holds work that the user had not committed.
    pub carried: bool,
    /// The message of the one commit that lands in place of all of them.
    pub squash: Option<&'w str>,
}

/// Plans how a run's work reaches the checkout. The worktree ends at the commit whose files are to land.
///
/// `began` is where HEAD was at the start.
pub fn plan(
    repo: &Repo,
    worktree: &mut Worktree,
    began: &Head,
    work: &Work<'_>,
) -> Result<Landing, LandError> {
    let Work { base, tip, carried, squash } = *work;
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
    let to = match squash {
        Some(message) => commit_on(worktree, &from, &to, message)?,
        None => to,
    };
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
        (Head::Branch { name: found, .. }, Head::Branch { name, .. }) => {
            let expected = name.clone();
            Err(if repo.branch_exists(name)? {
                LandError::OtherBranch { expected, found }
            } else {
                LandError::BranchGone { expected, found }
            })
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

/// One commit on `parent` with the files of `commit`.
fn commit_on(
    worktree: &Worktree,
    parent: &str,
    commit: &str,
    message: &str,
) -> Result<String, LandError> {
    let git = with_identity(worktree.git())?;
    let tree = format!("{commit}^{{tree}}");
    Ok(git.line(["commit-tree", &tree, "-p", parent, "-m", message])?)
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
        let before = file_at(&fs::contained(&repo.root, &path)?, &path)?;
        let after = match &entry {
            Some(entry) => {
                let new = file_at(&path.below(worktree.dir()), &path)?;
                Version { mode: mode_after(before, old.as_ref(), entry).or(new.mode), ..new }
            }
            None => Version::ABSENT,
        };
        steps.push(Step { path, before, after, old, entry });
    }
    Ok(steps)
}

/// A replaced file stays as readable as it was, and becomes executable as git says. A new one has no mode to keep.
fn mode_after(before: Version, old: Option<&Entry>, entry: &Entry) -> Option<u32> {
    let mode = before.mode?;
    let is_same = old.is_some_and(|old| old.mode == entry.mode);
    if is_same || before.is_executable() == entry.is_executable() {
        return Some(mode);
    }
    let readable = mode & 0o666;
    Some(if entry.is_executable() { readable | (readable & 0o444) >> 2 } else { readable })
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

fn file_at(place: &Path, path: &RepoPath) -> Result<Version, LandError> {
    let found = Version::at(place)?;
    match found.kind {
        MarkKind::File | MarkKind::Absent => Ok(found),
        MarkKind::Link | MarkKind::Other => Err(LandError::NotAFile(path.clone())),
    }
}

/// Each file still has the content and the mode that git has there. The file itself is asked, not what git
/// remembers of it, so that nothing ignored, flagged as unchanged or freshly written is taken for ours.
fn check_files(repo: &Repo, steps: &[Step]) -> Result<(), LandError> {
    let listing = Listing::of(repo)?;
    for step in steps {
        let foreign = listing.nested.iter().chain(&listing.submodules);
        if foreign.into_iter().any(|other| step.path.is_within(other)) {
            return Err(LandError::NotYours(step.path.clone()));
        }
        if step.before.is_absent() == step.old.is_some() && !step.before.is(step.after) {
            return Err(LandError::Changed(step.path.clone()));
        }
    }
    let tells_modes = has_modes(repo)?;
    let known: Vec<&Step> =
        steps.iter().filter(|step| !step.before.is_absent() && step.old.is_some()).collect();
    for part in known.chunks(MANY) {
        let paths = part.iter().map(|step| step.path.as_path().as_os_str().to_owned());
        let blobs =
            repo.git.run(["hash-object", "--"].map(OsString::from).into_iter().chain(paths))?;
        let blobs = String::from_utf8_lossy(&blobs).into_owned();
        for (step, blob) in part.iter().zip(blobs.lines()) {
            let unchanged = step.old.as_ref().is_some_and(|old| {
                let same_mode = old.is_executable() == step.before.is_executable();
                old.blob == blob && (same_mode || !tells_modes)
            });
            if !unchanged && !step.before.is(step.after) {
                return Err(LandError::Changed(step.path.clone()));
            }
        }
    }
    Ok(())
}

/// Whether modes on this disk mean anything: on some file systems every file looks executable.
fn has_modes(repo: &Repo) -> Result<bool, GitError> {
    let setting = repo.git.optional_line(["config", "--type=bool", "core.fileMode"])?;
    Ok(setting.as_deref() != Some("false"))
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

/// Does what is left to do of a landing. The worktree must be at the commit that lands. `notes` gets what
/// the person has to know.
pub fn perform(
    repo: &Repo,
    worktree: &Worktree,
    landing: &Landing,
    reason: &str,
    notes: &mut Vec<String>,
) -> Result<(), LandError> {
    if let Move::Forward { branch, from, to } = &landing.commit {
        if worktree.tip()? != *to {
            let message = format!("the worktree is not at {to}");
            return Err(GitError::Unexpected { command: "rev-parse".to_owned(), message }.into());
        }
        let began = Head::Branch { name: branch.clone(), commit: from.clone() };
        let (_, now) = checked_out(repo, &began)?;
        if now == *to {
            return tidy(repo, landing, notes);
        }
        if now != *from {
            return Err(LandError::BranchMoved(branch.clone()));
        }
    }
    let mut swaps = Swaps::new(repo);
    let written = write_files(worktree, landing, &mut swaps).and_then(|()| stage(repo, landing));
    if let Err(cause) = written {
        let undone = take_back(repo, landing, &swaps);
        notes.extend(swaps.notes());
        return Err(match undone {
            Ok(Undone::Whole) => LandError::NotLanded { cause: Box::new(cause) },
            Ok(Undone::InPart) | Err(_) => cause,
        });
    }
    let landed = move_branch(repo, landing, reason).and_then(|()| Ok(swaps.finish()?));
    notes.extend(swaps.notes());
    landed
}

fn write_files(worktree: &Worktree, landing: &Landing, swaps: &mut Swaps) -> Result<(), LandError> {
    for step in &landing.steps {
        swaps.add(&step.path, step.before, step.after)?;
        swaps.place(|| fs::read(&step.path.below(worktree.dir())))?;
    }
    Ok(swaps.settle()?)
}

/// Puts the landed files into the index, unless somebody staged something else there. Every other entry
/// stays what it is.
fn stage(repo: &Repo, landing: &Landing) -> Result<(), LandError> {
    let Move::Forward { from, to, .. } = &landing.commit else { return Ok(()) };
    let expected = |entry: &Option<Entry>, step: &Step| *entry == step.old || *entry == step.entry;
    check_index(repo, &landing.steps, expected)?;
    merge_index(repo, from, to)
}

/// Git compares and replaces the entries while it holds the lock of the index.
fn merge_index(repo: &Repo, from: &str, to: &str) -> Result<(), LandError> {
    // Git is not cut off by Ctrl-C here: it would leave its locks behind.
    let git = repo.git.uninterruptible();
    git.run(["read-tree", "-i", "-m", "--no-sparse-checkout", from, to])?;
    // Says "needs update" by its exit code where the user has other changes.
    git.says_yes(["update-index", "-q", "--refresh"])?;
    Ok(())
}

fn move_branch(repo: &Repo, landing: &Landing, reason: &str) -> Result<(), LandError> {
    let Move::Forward { branch, from, to } = &landing.commit else { return Ok(()) };
    let name = format!("refs/heads/{branch}");
    let git = repo.git.uninterruptible();
    match git.run(["update-ref", "-m", reason, &name, to, from]) {
        Ok(_) => Ok(()),
        Err(_) if repo.head()?.commit() != Some(from) => {
            Err(LandError::BranchMoved(branch.clone()))
        }
        Err(error) => Err(error.into()),
    }
}

/// Brings files and index back to what they were before the landing.
fn take_back(repo: &Repo, landing: &Landing, swaps: &Swaps) -> Result<Undone, LandError> {
    let undone = swaps.undo()?;
    if let Move::Forward { from, to, .. } = &landing.commit {
        let is_ours = |entry: &Option<Entry>, step: &Step| *entry == step.entry;
        if check_index(repo, &landing.steps, is_ours).is_ok() {
            merge_index(repo, to, from)?;
        }
    }
    Ok(undone)
}

/// Removes what a landing that was cut off prepared and did not use: half-written copies, old versions,
/// empty folders.
pub fn tidy(repo: &Repo, landing: &Landing, notes: &mut Vec<String>) -> Result<(), LandError> {
    let mut swaps = Swaps::new(repo);
    for step in &landing.steps {
        swaps.add(&step.path, step.before, step.after)?;
    }
    let finished = swaps.finish();
    notes.extend(swaps.notes());
    Ok(finished?)
}

impl Entry {
    fn is_executable(&self) -> bool {
        self.mode == "100755"
    }
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
    /// Each landed path after it, for a later rollback to compare with.
    pub fn after(&self) -> BTreeMap<RepoPath, Version> {
        self.steps.iter().map(|step| (step.path.clone(), step.after)).collect()
    }
}
