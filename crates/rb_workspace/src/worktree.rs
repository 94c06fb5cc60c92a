//! The guard over the throwaway worktree. All change of a run goes through it.
//!
//! Dropped, it removes the worktree and its branch: nothing happened. `suspend` leaves both for a later
//! `resume`; landing is `land`'s. It never writes outside the worktree, except for the objects and the
//! one branch that git keeps for it.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rb_core::fs::{self, Appender, BehindLink, Durability, FsError};
use rb_core::patch::Mode;
use rb_core::{Home, RepoPath, RunId, TaskId, goal_title};
use thiserror::Error;

use crate::disk_tree::DiskTree;
use crate::git::{Git, GitError, LITERAL_PATHSPECS, fields, nul_separated};
use crate::identity::with_identity;
use crate::ledger::{self, LedgerEntry};
use crate::patch::{Checked, FileChange};
use crate::preflight::filters;
use crate::repo::Repo;

/// The throwaway worktree of one run.
#[derive(Debug)]
pub struct Worktree {
    repo: Repo,
    git: Git,
    dir: PathBuf,
    branch: String,
    on_drop: OnDrop,
    /// How many bytes of the ledger this process wrote.
    ledger_len: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OnDrop {
    Discard,
    Leave,
}

/// A commit that a task ended in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Checkpoint {
    Made {
        commit: String,
    },
    /// The files are, for git, what they were before.
    Nothing,
}

#[derive(Debug, Error)]
pub enum WorktreeError {
    #[error("a branch named {0} exists already")]
    BranchTaken(String),
    #[error("`{path}` in the worktree is not what the patch was made for")]
    Moved { path: RepoPath },
    #[error("the checkpoint would hold `{path}`, which the task did not touch")]
    Stray { path: RepoPath },
    #[error(transparent)]
    BehindLink(#[from] BehindLink),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// The folder inside the worktree that holds our artifacts and is never committed.
pub const ARTIFACTS: &str = ".refactor-bot";

impl Worktree {
    /// Makes the branch and the worktree at `base`.
    pub fn create(
        repo: &Repo,
        home: &Home,
        run: &RunId,
        base: &str,
    ) -> Result<Worktree, WorktreeError> {
        let branch = run.branch();
        if repo.branch_exists(&branch)? {
            return Err(WorktreeError::BranchTaken(branch));
        }
        Worktree::open(repo, home, run, base)
    }

    /// Brings branch and worktree to `commit`, whatever a killed run left of them.
    pub fn open(
        repo: &Repo,
        home: &Home,
        run: &RunId,
        commit: &str,
    ) -> Result<Worktree, WorktreeError> {
        let (dir, branch) = (home.worktree(run), run.branch());
        let git = Repo { git: with_identity(&repo.git)?, ..repo.clone() }.git_at(&dir);
        let mut worktree = Worktree {
            repo: repo.clone(),
            git,
            dir,
            branch,
            on_drop: OnDrop::Discard,
            ledger_len: None,
        };
        if !worktree.is_intact()? {
            worktree.make(home, commit)?;
        }
        // Settings may hold for this place or this branch alone (`includeIf`), so they are read here
        // before any file is written. Pointers of git-lfs stay pointers.
        worktree.git = worktree.git.distrusting()?.without_lfs();
        worktree.reset(commit)?;
        Ok(worktree)
    }

    /// Makes branch and folder anew, without any file in it yet.
    fn make(&self, home: &Home, commit: &str) -> Result<(), WorktreeError> {
        self.remove_folder()?;
        drop_stale_lock(&self.repo, &self.branch)?;
        fs::create_dir_all(&home.worktrees())?;
        let args = ["worktree", "add", "--quiet", "--force", "--no-checkout", "-B", &self.branch];
        let place = [self.dir.clone().into_os_string(), commit.into()];
        self.repo.git.run(args.map(OsString::from).into_iter().chain(place))?;
        Ok(())
    }

    /// Whether the worktree of an earlier process can be gone on with: git knows it by its place, its
    /// branch is checked out there, and no git died in it. Then bringing it to a commit is enough.
    fn is_intact(&self) -> Result<bool, WorktreeError> {
        if !self.dir.join(".git").is_file() {
            return Ok(false);
        }
        let Ok(record) = self.git.line(["rev-parse", "--path-format=absolute", "--git-dir"]) else {
            return Ok(false);
        };
        let record = Path::new(&record);
        let ours = record.parent() == Some(&self.repo.common_dir.join("worktrees"));
        // `locked` stays when git dies while it makes a worktree, `*.lock` when it dies later.
        let left = |name: &OsString| name == "locked" || name.as_bytes().ends_with(b".lock");
        let locked = fs::list(record)?.iter().any(left);
        let stale = self.repo.common_dir.join(format!("refs/heads/{}.lock", self.branch)).exists();
        let head = self.git.optional_line(["symbolic-ref", "--quiet", "HEAD"])?;
        let on_branch = head == Some(format!("refs/heads/{}", self.branch));
        Ok(ours && !locked && !stale && on_branch)
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn branch(&self) -> &str {
        &self.branch
    }

    pub fn git(&self) -> &Git {
        &self.git
    }

    /// The files as they are now, for a patch to be checked against.
    pub fn tree(&self) -> Result<DiskTree, WorktreeError> {
        Ok(DiskTree::of(&self.git)?)
    }

    /// Every path that git tracks in the worktree, sorted.
    pub fn paths(&self) -> Result<BTreeSet<RepoPath>, WorktreeError> {
        let out = self.git.run(["ls-files", "-z"])?;
        Ok(fields(&out).filter_map(|name| RepoPath::new(name).ok()).collect())
    }

    /// The bytes of a file as a commit has them; `None` where it has no such file.
    pub fn file_at(&self, commit: &str, path: &RepoPath) -> Result<Option<Vec<u8>>, WorktreeError> {
        let mut name = format!("{commit}:").into_bytes();
        name.extend_from_slice(path.as_bytes());
        let name = OsStr::from_bytes(&name);
        match self.git.run([OsStr::new("cat-file"), OsStr::new("blob"), name]) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(GitError::Failed { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Those of `paths` that git-lfs keeps elsewhere: here they are pointers.
    pub fn kept_by_lfs(&self, paths: &[&RepoPath]) -> Result<Vec<RepoPath>, WorktreeError> {
        let filtered = filters(&self.git, paths.iter().copied())?;
        Ok(filtered.into_iter().filter(|(_, name)| name == "lfs").map(|(path, _)| path).collect())
    }

    /// Those of `paths` that pass through a program which is not run, with its name: what lies here is not
    /// what the user sees.
    pub fn unfiltered(
        &self,
        paths: &[&RepoPath],
    ) -> Result<Vec<(RepoPath, String)>, WorktreeError> {
        let off = |name: &str| self.repo.git.silences_filter(name);
        let filtered = filters(&self.git, paths.iter().copied())?;
        Ok(filtered.into_iter().filter(|(_, name)| off(name)).collect())
    }

    /// Those of `paths` that git is told to ignore.
    pub fn ignored(&self, paths: &[&RepoPath]) -> Result<Vec<RepoPath>, WorktreeError> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        // This command takes no literal paths; `./` keeps a leading `:` from meaning anything.
        let mut names = Vec::new();
        for path in paths {
            names.extend_from_slice(b"./");
            names.extend_from_slice(path.as_bytes());
            names.push(0);
        }
        let git = self.git.without_env(LITERAL_PATHSPECS);
        match git.feed(["check-ignore", "-z", "--stdin"], &names) {
            Ok(out) => {
                let plain =
                    |name: &[u8]| RepoPath::new(name.strip_prefix(b"./").unwrap_or(name)).ok();
                Ok(fields(&out).filter_map(plain).collect())
            }
            Err(GitError::Failed { exit: 1, .. }) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }

    /// Git's own opinion of a patch: nothing when it would apply, its words when not.
    pub fn git_objects_to(&self, patch: &[u8]) -> Result<Option<String>, WorktreeError> {
        match self.git.feed(["apply", "--check", "--whitespace=nowarn", "-"], patch) {
            Ok(_) => Ok(None),
            Err(GitError::Failed { message, .. }) => Ok(Some(message)),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes a checked patch: all files or, after an error and a `reset`, none.
    pub fn apply(&mut self, checked: &Checked) -> Result<(), WorktreeError> {
        let places: Vec<PathBuf> = checked
            .changes()
            .iter()
            .map(|change| fs::contained(&self.dir, &change.path))
            .collect::<Result<_, _>>()?;
        for change in checked.changes() {
            // Where a folder gives way to a file, no file is there yet.
            let found = fs::read_plain(&self.dir, &change.path, u64::MAX)?;
            if found.as_deref() != change.before.as_ref().map(|file| file.bytes.as_slice()) {
                return Err(WorktreeError::Moved { path: change.path.clone() });
            }
        }
        let (going, staying): (Vec<_>, Vec<_>) =
            checked.changes().iter().zip(&places).partition(|(change, _)| change.after.is_none());
        for (change, place) in going.into_iter().chain(staying) {
            write_change(change, place, &self.dir)?;
        }
        Ok(())
    }

    /// Commits exactly `paths` as `checkpoint: batch-NNN <title>`, with the whole goal below where the title is shorter.
    pub fn checkpoint(
        &mut self,
        task: TaskId,
        goal: &str,
        paths: &[&RepoPath],
    ) -> Result<Checkpoint, WorktreeError> {
        let update = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
        self.git.feed(update, &nul_separated(paths.iter().copied()))?;
        let staged =
            self.git.run(["diff", "--cached", "--name-only", "--no-renames", "-z", "HEAD"])?;
        let names: BTreeSet<&[u8]> = paths.iter().map(|path| path.as_bytes()).collect();
        let mut count = 0;
        for name in fields(&staged) {
            count += 1;
            if !names.contains(name) {
                let path = RepoPath::new(name).unwrap_or_else(|_| paths[0].clone());
                return Err(WorktreeError::Stray { path });
            }
        }
        if count == 0 {
            return Ok(Checkpoint::Nothing);
        }
        self.git.run([
            "commit",
            "--quiet",
            "--no-verify",
            "--cleanup=verbatim",
            "-m",
            &message(task, goal),
        ])?;
        Ok(Checkpoint::Made { commit: self.tip()? })
    }

    /// The commit that the branch is at.
    pub fn tip(&self) -> Result<String, WorktreeError> {
        Ok(self.git.line(["rev-parse", "--verify", "HEAD^{commit}"])?)
    }

    /// Back to `commit`: tracked files, index and branch; new files that git does not ignore go.
    pub fn reset(&mut self, commit: &str) -> Result<(), WorktreeError> {
        self.git.run(["reset", "--hard", "--quiet", commit])?;
        self.git.run(["clean", "-d", "--force", "--quiet", "--exclude", ARTIFACTS])?;
        Ok(())
    }

    /// Back to `commit`, with those files written by git itself: line ends and filters as a fresh checkout
    /// would have them, whatever was written into the worktree before.
    pub fn check_out_anew<'a>(
        &mut self,
        commit: &str,
        paths: impl Iterator<Item = &'a RepoPath>,
    ) -> Result<(), WorktreeError> {
        for path in paths {
            fs::remove_file(&fs::contained(&self.dir, path)?)?;
        }
        self.reset(commit)
    }

    /// Tracked files that differ from the last checkpoint and new ones that git does not ignore.
    pub fn changed_paths(&self) -> Result<Vec<RepoPath>, WorktreeError> {
        let out = self.git.run([
            "status",
            "--porcelain=v1",
            "-z",
            "--untracked-files=all",
            "--no-renames",
        ])?;
        let artifacts = RepoPath::new(ARTIFACTS).expect("a plain name");
        let mut paths: Vec<RepoPath> = fields(&out)
            .filter_map(|entry| RepoPath::new(entry.get(3..)?).ok())
            .filter(|path| !path.is_within(&artifacts))
            .collect();
        paths.sort();
        Ok(paths)
    }

    /// The change between two commits as a patch, computed by git.
    pub fn diff(&self, from: &str, to: &str) -> Result<Vec<u8>, WorktreeError> {
        let args = [
            "diff",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--full-index",
            "--binary",
            "--find-renames",
        ];
        Ok(self.git.run(args.into_iter().chain([from, to]))?)
    }

    /// Lines that differ from the last checkpoint: added and removed.
    pub fn uncommitted_size(&self) -> Result<(usize, usize), WorktreeError> {
        self.lines(&["HEAD"])
    }

    /// Lines that differ between two commits: added and removed.
    pub fn size(&self, from: &str, to: &str) -> Result<(usize, usize), WorktreeError> {
        self.lines(&[from, to])
    }

    fn lines(&self, commits: &[&str]) -> Result<(usize, usize), WorktreeError> {
        let args = ["diff", "--numstat", "--no-renames"];
        let out = self.git.run(args.iter().chain(commits))?;
        let text = String::from_utf8_lossy(&out);
        let number =
            |field: Option<&str>| field.and_then(|text| text.parse::<usize>().ok()).unwrap_or(0);
        Ok(text.lines().fold((0, 0), |(added, removed), line| {
            let mut numbers = line.split('\t');
            (added + number(numbers.next()), removed + number(numbers.next()))
        }))
    }

    /// Writes `TASK_LEDGER.jsonl` into the worktree's own folder.
    pub fn write_ledger(&mut self, entries: &[LedgerEntry]) -> Result<(), WorktreeError> {
        let text = ledger::lines(entries);
        fs::write(&self.ledger_file()?, &text, Durability::Relaxed)?;
        self.ledger_len = Some(text.len() as u64);
        Ok(())
    }

    /// Writes one more entry; all of them where the file is not the one that this process wrote last.
    pub fn extend_ledger(
        &mut self,
        earlier: &[LedgerEntry],
        entry: &LedgerEntry,
    ) -> Result<(), WorktreeError> {
        let file = self.ledger_file()?;
        let len = file.metadata().ok().map(|meta| meta.len());
        if len.is_none() || len != self.ledger_len {
            self.write_ledger(earlier)?;
        }
        let text = ledger::lines(std::slice::from_ref(entry));
        Appender::open(&file, None)?.append(&text)?;
        self.ledger_len = self.ledger_len.map(|len| len + text.len() as u64);
        Ok(())
    }

    /// Earlier entries changed: the next one writes all of them.
    pub fn ledger_changed(&mut self) {
        self.ledger_len = None;
    }

    fn ledger_file(&self) -> Result<PathBuf, WorktreeError> {
        let folder = RepoPath::new(ARTIFACTS).expect("a plain name");
        let file = RepoPath::new(format!("{ARTIFACTS}/TASK_LEDGER.jsonl")).expect("a plain name");
        let place = fs::contained(&self.dir, &file)?;
        fs::create_dir_all(&folder.below(&self.dir))?;
        Ok(place)
    }

    /// Leaves branch and worktree for a later `open`.
    pub fn suspend(mut self) {
        self.on_drop = OnDrop::Leave;
    }

    /// Removes the worktree and keeps the branch.
    pub fn keep_branch(mut self) -> Result<(), WorktreeError> {
        self.on_drop = OnDrop::Leave;
        self.remove_folder()
    }

    /// Removes worktree and branch.
    pub fn discard(mut self) -> Result<(), WorktreeError> {
        self.on_drop = OnDrop::Leave;
        self.remove_all()
    }

    fn remove_all(&self) -> Result<(), WorktreeError> {
        self.remove_folder()?;
        delete_branch(&self.repo, &self.branch)
    }

    fn remove_folder(&self) -> Result<(), WorktreeError> {
        remove_folder(&self.repo, &self.dir)
    }
}

impl Drop for Worktree {
    fn drop(&mut self) {
        if self.on_drop == OnDrop::Discard {
            // Nobody is left to tell; `runs gc` finds what could not be removed.
            let _ = self.remove_all();
        }
    }
}

/// Removes what a run left of its worktree and branch, without opening it first.
pub fn remove_leftovers(repo: &Repo, home: &Home, run: &RunId) -> Result<(), WorktreeError> {
    remove_folder(repo, &home.worktree(run))?;
    delete_branch(repo, &run.branch())
}

/// Removes the folder and git's record of it. `git worktree prune` would also forget worktrees of the
/// user's that lie on a disk which is not mounted just now, so only the record of this run is taken away.
fn remove_folder(repo: &Repo, dir: &Path) -> Result<(), WorktreeError> {
    fs::remove_dir_all(dir)?;
    let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let records = repo.common_dir.join("worktrees");
    for record in fs::list(&records)? {
        let record_name = record.to_string_lossy().into_owned();
        let numbered = record_name
            .strip_prefix(&name)
            .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
        if !numbered {
            continue;
        }
        let place = records.join(&record);
        let points_at = fs::read_optional(&place.join("gitdir"))?.unwrap_or_default();
        let points_at = String::from_utf8_lossy(&points_at).trim_end().to_owned();
        // A record without a target was left by a git that died while making it.
        if points_at.is_empty() || points_at.ends_with(&format!("/{name}/.git")) {
            fs::remove_dir_all(&place)?;
        }
    }
    fs::remove_empty_dirs(&records, &repo.common_dir)?;
    Ok(())
}

fn delete_branch(repo: &Repo, branch: &str) -> Result<(), WorktreeError> {
    drop_stale_lock(repo, branch)?;
    if repo.branch_exists(branch)? {
        repo.git.run(["update-ref", "-d", &format!("refs/heads/{branch}")])?;
    }
    Ok(())
}

/// The branch is this run's alone, and the run is locked: a lock on it was left by a git that died.
fn drop_stale_lock(repo: &Repo, branch: &str) -> Result<(), FsError> {
    fs::remove_file(&repo.common_dir.join(format!("refs/heads/{branch}.lock")))
}

fn write_change(change: &FileChange, place: &Path, root: &Path) -> Result<(), FsError> {
    let Some(file) = &change.after else {
        fs::remove_file(place)?;
        return fs::remove_empty_dirs(place.parent().unwrap_or(root), root);
    };
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    let mode = match file.mode {
        Mode::Regular => 0o666,
        Mode::Executable => 0o777,
    };
    fs::write_with_mode(place, &file.bytes, mode, Durability::Relaxed)
}

/// The most characters of a goal that a message holds.
const LONGEST_GOAL: usize = 2_000;
/// How wide the text of a message is.
const WIDTH: usize = 72;

fn message(task: TaskId, goal: &str) -> String {
    let shown = goal.chars().filter(|c| c.is_whitespace() || !c.is_control()).take(LONGEST_GOAL);
    let shown: String = shown.collect();
    let words: Vec<&str> = shown.split_whitespace().collect();
    let title = goal_title(&shown);
    let subject = format!("checkpoint: {task} {title}").trim_end().to_owned();
    if title == words.join(" ") { subject } else { format!("{subject}\n\n{}", body(&words)) }
}

/// Lines of whole words. Indented, so that git takes none of them for a trailer.
fn body(words: &[&str]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        let room = WIDTH.saturating_sub(word.chars().count() + 1);
        match lines.last_mut().filter(|line| line.chars().count() <= room) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(format!("  {word}")),
        }
    }
    lines.join("\n")
}
