//! What must be known about a target before anything is done to it.
//!
//! Every situation has a decided end: go on, go on and say so (`Note`), or refuse (`Refused`). Nothing
//! is written here.

use std::collections::BTreeMap;
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rb_core::fs::{self, FsError};
use rb_core::process::{Env, ProcessError};
use rb_core::{Cancel, Home, RepoPath, RunId};
use thiserror::Error;

use crate::git::{Git, GitError, MIN_VERSION, fields, nul_separated, parse_version};
use crate::listing::Listing;
use crate::repo::{Head, Kind, Repo, RepoError};

/// A target that a run may begin on.
#[derive(Debug)]
pub struct Preflight {
    pub repo: Repo,
    pub head: Head,
    pub listing: Listing,
    /// Tracked files that differ from HEAD.
    pub changed: Vec<RepoPath>,
    pub notes: Vec<Note>,
}

impl Preflight {
    /// Refuses a folder that no repository manages, with the size of the copy that a run would make.
    pub fn must_be_repository(&self) -> Result<(), Refused> {
        let root = &self.repo.root;
        if self.repo.kind == Kind::Git {
            return Ok(());
        }
        let size = |path: &RepoPath| path.below(root).symlink_metadata().map_or(0, |it| it.len());
        let (files, bytes) =
            self.listing.files().fold((0, 0), |(count, sum), path| (count + 1, sum + size(path)));
        Err(Refused::NotARepository { root: root.clone(), files, bytes })
    }
}

/// Whether uncommitted work is an obstacle or comes along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dirty {
    Refuse,
    Carry,
}

/// Whether a folder that no repository manages may be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRepository {
    Refuse,
    Copy,
}

/// Something the person should know and that does not stop a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    Carried {
        changed: usize,
        untracked: usize,
    },
    UntrackedLeftOut(usize),
    Submodules(usize),
    Nested(usize),
    Lfs(usize),
    Shallow,
    DetachedHead,
    NotGit,
    Unusable(String),
    /// Settings of the repository that name programs.
    Silenced(Vec<String>),
}

#[derive(Debug, Error)]
pub enum Refused {
    #[error("{} does not exist", .0.display())]
    Missing(PathBuf),
    #[error("{} is not a folder", .0.display())]
    NotAFolder(PathBuf),
    #[error("the path {} is not valid UTF-8", .0.display())]
    NotText(PathBuf),
    #[error("git was not found")]
    NoGit,
    #[error("git {found} is too old; {}.{} or newer is needed", MIN_VERSION.0, MIN_VERSION.1)]
    OldGit { found: String },
    #[error("{} is a bare repository: it has no working files", .0.display())]
    Bare(PathBuf),
    #[error("{} is git's own folder, not a checkout", .0.display())]
    InsideGitFolder(PathBuf),
    #[error("{} uncommitted changes: {}", have(paths.len()), sample(paths))]
    Dirty { paths: Vec<RepoPath> },
    #[error("{} is not a git repository", root.display())]
    NotARepository {
        root: PathBuf,
        /// How many files a copy would have.
        files: u64,
        bytes: u64,
    },
    #[error("the repository has no commit yet")]
    NoCommits,
    #[error("a branch named {0} stands where the branches of runs go")]
    BranchInTheWay(&'static str),
    #[error("a {0} is in progress")]
    InProgress(&'static str),
    #[error("another git process is running here or crashed: {} exists", .0.display())]
    Locked(PathBuf),
    #[error(
        "this is a partial clone: some of its history is only on the remote, so it cannot be backed up"
    )]
    PartialClone,
    #[error("{} is a named pipe or a device, and git would wait for it", .0.display())]
    Pipe(PathBuf),
    #[error("{} cannot be written", .0.display())]
    ReadOnly(PathBuf),
    #[error("`{0}` and `{1}` differ only by case, and this file system takes them for one file")]
    CaseCollision(RepoPath, RepoPath),
    #[error(
        "the repository's configuration sets core.worktree to {0}, which is not where its files lie"
    )]
    ForeignWorktree(String),
    #[error("git does not trust {}: {message}", path.display())]
    Ownership { path: PathBuf, message: String },
    #[error("git cannot read the repository: {0}")]
    Broken(String),
    #[error("{} lies inside the home folder of refactor-bot", .0.display())]
    InsideHome(PathBuf),
    #[error("the home folder {} lies inside {}", home.display(), root.display())]
    HomeInside { home: PathBuf, root: PathBuf },
    #[error(transparent)]
    Repo(#[from] RepoError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// What a target turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetPlace {
    /// A checkout; the target may be a part of it.
    Checkout { root: PathBuf, scope: Option<RepoPath> },
    /// A folder that no repository knows of.
    Folder { root: PathBuf },
}

/// Finds out what `target` is, without judging its state.
pub fn locate(
    target: &Path,
    home: &Home,
    env: &Env,
    cancel: &Cancel,
) -> Result<TargetPlace, Refused> {
    let root = existing_folder(target, home)?;
    let git = Git::new(&root, env, cancel);
    check_version(&git)?;
    let place = match find_checkout(&git, &root)? {
        Some((root, scope)) => TargetPlace::Checkout { root, scope },
        None => TargetPlace::Folder { root },
    };
    let (TargetPlace::Checkout { root, .. } | TargetPlace::Folder { root }) = &place;
    let home = real_home(home);
    if home.starts_with(root) {
        return Err(Refused::HomeInside { home, root: root.clone() });
    }
    check_pipes(root)?;
    Ok(place)
}

/// Git would wait for a pipe of such a name without end. Installed packages are none of git's business.
fn check_pipes(root: &Path) -> Result<(), Refused> {
    let pipes = fs::find_pipes(root, &["node_modules"]);
    let mut read_by_git =
        pipes.into_iter().filter(|pipe| fs::GIT_READS.iter().any(|name| pipe.ends_with(name)));
    read_by_git.next().map_or(Ok(()), |pipe| Err(Refused::Pipe(pipe)))
}

/// Whether a run may begin on a checkout.
pub fn inspect_checkout(
    root: &Path,
    scope: Option<RepoPath>,
    dirty: Dirty,
    env: &Env,
    cancel: &Cancel,
) -> Result<Preflight, Refused> {
    let repo = Repo::open_git(root, scope, env, cancel).map_err(ownership(root))?;
    check_settings(&repo)?;
    check_state(&repo)?;
    if repo.branch_exists(RunId::BRANCHES)? {
        return Err(Refused::BranchInTheWay(RunId::BRANCHES));
    }
    for folder in [&repo.common_dir, &repo.git_dir, &repo.root] {
        if !fs::is_writable(folder) {
            return Err(Refused::ReadOnly(folder.clone()));
        }
    }
    let head = repo.head()?;
    let listing = Listing::of(&repo)?;
    check_case(&repo, &listing)?;
    let changed = changed_files(&repo, &head)?;
    if dirty == Dirty::Refuse {
        if head.commit().is_none() {
            return Err(Refused::NoCommits);
        }
        if !changed.is_empty() {
            return Err(Refused::Dirty { paths: changed });
        }
    }
    let notes = notes(&repo, &head, &listing, &changed, dirty)?;
    Ok(Preflight { repo, head, listing, changed, notes })
}

/// Whether a run may begin on a folder without git. It is served by a repository in the run's folder.
pub fn inspect_folder(
    root: &Path,
    home: &Home,
    run: &RunId,
    env: &Env,
    cancel: &Cancel,
) -> Result<Preflight, Refused> {
    if !fs::is_writable(root) {
        return Err(Refused::ReadOnly(root.to_owned()));
    }
    let repo = Repo::open_folder(root, home, run, env, cancel)?;
    let head = repo.head()?;
    let listing = Listing::of(&repo)?;
    let mut notes = vec![Note::NotGit];
    notes.extend(left_out(&listing));
    Ok(Preflight { repo, head, listing, changed: Vec::new(), notes })
}

fn existing_folder(target: &Path, home: &Home) -> Result<PathBuf, Refused> {
    let real = target.canonicalize().map_err(|_| Refused::Missing(target.to_owned()))?;
    if !real.is_dir() {
        return Err(Refused::NotAFolder(real));
    }
    let home = home.root().canonicalize().unwrap_or_else(|_| home.root().to_owned());
    // The journal and the backup name both as text.
    if let Some(odd) = [&real, &home].into_iter().find(|path| path.to_str().is_none()) {
        return Err(Refused::NotText(odd.clone()));
    }
    if real.starts_with(&home) { Err(Refused::InsideHome(real)) } else { Ok(real) }
}

fn real_home(home: &Home) -> PathBuf {
    home.root().canonicalize().unwrap_or_else(|_| home.root().to_owned())
}

fn check_version(git: &Git) -> Result<(), Refused> {
    match git.line(["--version"]) {
        Ok(text) => match parse_version(&text) {
            Some(version) if version >= MIN_VERSION => Ok(()),
            _ => Err(Refused::OldGit { found: text.replace("git version ", "") }),
        },
        Err(GitError::Process(ProcessError::NotFound { .. })) => Err(Refused::NoGit),
        Err(error) => Err(error.into()),
    }
}

/// The root of the checkout that `target` belongs to and the part of it that `target` is; nothing when
/// git does not manage it.
fn find_checkout(git: &Git, target: &Path) -> Result<Option<(PathBuf, Option<RepoPath>)>, Refused> {
    let answer = match git.line(["rev-parse", "--is-bare-repository", "--is-inside-git-dir"]) {
        Ok(answer) => answer,
        Err(GitError::Failed { message, .. }) if message.contains("not a git repository") => {
            return no_git_above(target, &message);
        }
        Err(GitError::Failed { message, .. }) if message.contains("dubious ownership") => {
            return Err(Refused::Ownership {
                path: target.to_owned(),
                message: first_line(&message),
            });
        }
        Err(GitError::Failed { message, .. }) => return Err(Refused::Broken(first_line(&message))),
        Err(error) => return Err(error.into()),
    };
    match answer.split('\n').collect::<Vec<_>>()[..] {
        ["true", _] => return Err(Refused::Bare(target.to_owned())),
        [_, "true"] => return Err(Refused::InsideGitFolder(target.to_owned())),
        _ => {}
    }
    let root =
        PathBuf::from(git.line(["rev-parse", "--path-format=absolute", "--show-toplevel"])?);
    let root = root.canonicalize().map_err(|_| Refused::Missing(root))?;
    let Ok(inner) = target.strip_prefix(&root) else {
        return Err(Refused::ForeignWorktree(root.display().to_string()));
    };
    if inner.as_os_str().is_empty() {
        return Ok(Some((root, None)));
    }
    let scope = RepoPath::new(inner.as_os_str().as_bytes())
        .map_err(|bad| Refused::Broken(bad.to_string()))?;
    // A folder that an outer repository (a home folder under git, say) knows nothing of is its own.
    let has_tracked = !git.run(["ls-files", "-z", "--", "."])?.is_empty();
    Ok(has_tracked.then_some((root, Some(scope))))
}

/// A `.git` that git cannot use is a broken repository, not a folder without one.
fn no_git_above(
    target: &Path,
    message: &str,
) -> Result<Option<(PathBuf, Option<RepoPath>)>, Refused> {
    let has_git = |folder: &Path| folder.join(".git").symlink_metadata().is_ok();
    if target.ancestors().any(has_git) {
        return Err(Refused::Broken(first_line(message)));
    }
    Ok(None)
}

fn ownership(root: &Path) -> impl FnOnce(RepoError) -> Refused + '_ {
    move |error| match error {
        RepoError::Git(GitError::Failed { message, .. })
            if message.contains("dubious ownership") =>
        {
            Refused::Ownership { path: root.to_owned(), message: first_line(&message) }
        }
        other => other.into(),
    }
}

fn check_settings(repo: &Repo) -> Result<(), Refused> {
    if let Some(worktree) = repo.git.optional_line(["config", "--get", "core.worktree"])? {
        let told = repo.git_dir.join(&worktree);
        if told.canonicalize().ok().as_deref() != Some(&repo.root) {
            return Err(Refused::ForeignWorktree(worktree));
        }
    }
    let promisor = repo.git.optional_line([
        "config",
        "--get-regexp",
        r"^(remote\..*\.(promisor|partialclonefilter)|extensions\.partialclone)$",
    ])?;
    if promisor.is_some() { Err(Refused::PartialClone) } else { Ok(()) }
}

/// Whether the checkout is in the middle of something of the person's.
pub fn check_state(repo: &Repo) -> Result<(), Refused> {
    const MARKS: [(&str, &str); 6] = [
        ("MERGE_HEAD", "merge"),
        ("rebase-merge", "rebase"),
        ("rebase-apply", "rebase"),
        ("CHERRY_PICK_HEAD", "cherry-pick"),
        ("REVERT_HEAD", "revert"),
        ("BISECT_LOG", "bisect"),
    ];
    for (mark, what) in MARKS {
        if repo.git_dir.join(mark).exists() {
            return Err(Refused::InProgress(what));
        }
    }
    let lock = repo.git_dir.join("index.lock");
    if lock.exists() { Err(Refused::Locked(lock)) } else { Ok(()) }
}

fn check_case(repo: &Repo, listing: &Listing) -> Result<(), Refused> {
    let ignores_case =
        repo.git.optional_line(["config", "--type=bool", "--get", "core.ignorecase"])?;
    if ignores_case.as_deref() != Some("true") {
        return Ok(());
    }
    let mut seen: BTreeMap<String, &RepoPath> = BTreeMap::new();
    for path in &listing.tracked {
        let folded = String::from_utf8_lossy(path.as_bytes()).to_lowercase();
        if let Some(other) = seen.insert(folded, path) {
            return Err(Refused::CaseCollision(other.clone(), path.clone()));
        }
    }
    Ok(())
}

/// Tracked files whose content, mode or presence differs from HEAD, staged or not.
fn changed_files(repo: &Repo, head: &Head) -> Result<Vec<RepoPath>, GitError> {
    let args = [
        "status",
        "--porcelain=v1",
        "-z",
        "--untracked-files=no",
        "--no-renames",
        "--ignore-submodules=dirty",
    ];
    let out = repo.git.run(args)?;
    let mut paths: Vec<RepoPath> =
        fields(&out).filter_map(|entry| RepoPath::new(entry.get(3..)?).ok()).collect();
    if head.commit().is_none() {
        paths.clear();
    }
    paths.sort();
    paths.dedup();
    Ok(paths)
}

fn notes(
    repo: &Repo,
    head: &Head,
    listing: &Listing,
    changed: &[RepoPath],
    dirty: Dirty,
) -> Result<Vec<Note>, GitError> {
    let mut notes = Vec::new();
    let untracked = listing.untracked.len();
    match dirty {
        Dirty::Carry if !changed.is_empty() || untracked > 0 => {
            notes.push(Note::Carried { changed: changed.len(), untracked });
        }
        Dirty::Refuse if untracked > 0 => notes.push(Note::UntrackedLeftOut(untracked)),
        Dirty::Carry | Dirty::Refuse => {}
    }
    notes.extend(left_out(listing));
    let lfs = lfs_files(repo, listing)?;
    if lfs > 0 {
        notes.push(Note::Lfs(lfs));
    }
    if repo.git.line(["rev-parse", "--is-shallow-repository"])? == "true" {
        notes.push(Note::Shallow);
    }
    if matches!(head, Head::Detached { .. }) {
        notes.push(Note::DetachedHead);
    }
    if !repo.git.silenced().is_empty() {
        notes.push(Note::Silenced(repo.git.silenced().to_vec()));
    }
    Ok(notes)
}

fn left_out(listing: &Listing) -> Vec<Note> {
    let mut notes = Vec::new();
    if !listing.submodules.is_empty() {
        notes.push(Note::Submodules(listing.submodules.len()));
    }
    if !listing.nested.is_empty() {
        notes.push(Note::Nested(listing.nested.len()));
    }
    notes.extend(listing.unusable.iter().cloned().map(Note::Unusable));
    notes
}

/// How many tracked files git-lfs keeps elsewhere.
fn lfs_files(repo: &Repo, listing: &Listing) -> Result<usize, GitError> {
    let mentions_lfs = |path: &RepoPath| {
        let place = path.below(&repo.root);
        // A link or a pipe of that name is not asked.
        place.symlink_metadata().is_ok_and(|meta| meta.is_file())
            && fs::read_head(&path.below(&repo.root), 1 << 20)
                .is_ok_and(|text| text.windows(10).any(|window| window == b"filter=lfs"))
    };
    let attributes = listing.files().filter(|path| path.file_name() == b".gitattributes");
    if !attributes.into_iter().any(mentions_lfs) {
        return Ok(0);
    }
    let filtered = filters(&repo.git, listing.tracked.iter())?;
    Ok(filtered.iter().filter(|(_, name)| name == "lfs").count())
}

/// Those of `paths` that pass through a filter, with its name.
pub(crate) fn filters<'a>(
    git: &Git,
    paths: impl Iterator<Item = &'a RepoPath>,
) -> Result<Vec<(RepoPath, String)>, GitError> {
    let stdin = nul_separated(paths);
    if stdin.is_empty() {
        return Ok(Vec::new());
    }
    let out = git.feed(["check-attr", "--stdin", "-z", "filter"], &stdin)?;
    let answers: Vec<&[u8]> = fields(&out).collect();
    Ok(answers
        .chunks_exact(3)
        .filter(|answer| !matches!(answer[2], b"unspecified" | b"set" | b"unset"))
        .filter_map(|answer| {
            let name = String::from_utf8_lossy(answer[2]).into_owned();
            Some((RepoPath::new(answer[0]).ok()?, name))
        })
        .collect())
}

fn sample(paths: &[RepoPath]) -> String {
    let mut names: Vec<String> = paths.iter().take(3).map(ToString::to_string).collect();
    if paths.len() > 3 {
        names.push("…".to_owned());
    }
    names.join(", ")
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

impl Preflight {
    /// Whether the working files, not HEAD, are what the run begins from.
    pub fn carries(&self, dirty: Dirty) -> bool {
        let uncommitted = !self.changed.is_empty() || !self.listing.untracked.is_empty();
        match self.repo.kind {
            Kind::Folder => true,
            Kind::Git => self.head.commit().is_none() || (dirty == Dirty::Carry && uncommitted),
        }
    }
}

fn have(files: usize) -> String {
    if files == 1 { "1 file has".to_owned() } else { format!("{files} files have") }
}

fn are(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one} is") } else { format!("{number} {many} are") }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Carried { changed, untracked } => write!(
                f,
                "the run includes your uncommitted work ({changed} changed, {untracked} untracked)"
            ),
            Note::UntrackedLeftOut(n) => {
                write!(f, "{} not part of the run", are(*n, "untracked file", "untracked files"))
            }
            Note::Submodules(n) => {
                let what = are(*n, "submodule", "submodules");
                write!(f, "{what} left out: never changed, not in the backup")
            }
            Note::Nested(n) => {
                let what = are(*n, "nested repository", "nested repositories");
                write!(f, "{what} left out: never changed, not in the backup")
            }
            Note::Lfs(n) => {
                let what = are(*n, "git-lfs file", "git-lfs files");
                write!(f, "{what} left as pointers and cannot be patched")
            }
            Note::Shallow => {
                write!(
                    f,
                    "the clone is shallow: the backup contains only the history that is present"
                )
            }
            Note::DetachedHead => {
                write!(f, "HEAD is detached: `accept` keeps the result on its own branch")
            }
            Note::NotGit => write!(f, "not a git repository: the run works on a copy"),
            Note::Unusable(why) => write!(f, "left out: {why}"),
            Note::Silenced(keys) => write!(
                f,
                "programs named in the repository's git configuration are not run: {}",
                keys.join(", ")
            ),
        }
    }
}
