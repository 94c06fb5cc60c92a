//! Why a run stopped, as the person meets it: the kind decides the exit code, the hints what to do next.

use std::path::Path;

use rb_change::{ChangeError, GivenChangeError};
use rb_core::RunId;
use rb_flow::{FlowError, JournalError, RunFailure as _, RunsError};
use rb_index::IndexError;
use rb_pack::PackError;
use rb_plan::PlanError;
use rb_refactor::RunError;
use rb_verify::VerifyError;
use rb_workspace::backup::BackupError;
use rb_workspace::carry::CarryError;
use rb_workspace::git::GitError;
use rb_workspace::land::LandError;
use rb_workspace::preflight::Refused;
use rb_workspace::repo::RepoError;
use rb_workspace::rollback::RollbackError;
use rb_workspace::worktree::WorktreeError;

use crate::error::{CliError, ErrorKind};
use crate::numbers::plural;
use crate::{model_settings, numbers, ticket_error};

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        if error.is_interruption() {
            return CliError::new(ErrorKind::Interrupted, "interrupted")
                .hint("`refactor-bot runs list` shows what can be resumed");
        }
        let (kind, hints) = judge(&error);
        hints.into_iter().fold(CliError::new(kind, error), CliError::hint)
    }
}

impl From<ChangeError> for CliError {
    fn from(error: ChangeError) -> Self {
        RunError::from(error).into()
    }
}

/// Adds how to go on with the run, where it can be gone on with.
pub(crate) fn of_run(error: RunError, run: &RunId) -> CliError {
    if error.is_interruption() {
        return CliError::new(ErrorKind::Interrupted, format!("run {run} was interrupted"))
            .hint(format!("continue with `refactor-bot resume {run}`"));
    }
    let resumable = matches!(
        error,
        RunError::Change(
            ChangeError::DiskFull { .. }
                | ChangeError::CheckoutChanged(_)
                | ChangeError::Fs(_)
                | ChangeError::Worktree(_)
                | ChangeError::Agent(_)
                | ChangeError::NotLoggedIn { .. }
                | ChangeError::Flow(FlowError::Journal(JournalError::Fs(_)))
        )
    );
    let error = CliError::from(error);
    if resumable { error.hint(format!("continue with `refactor-bot resume {run}`")) } else { error }
}

pub(crate) type Judgement = (ErrorKind, Vec<String>);

fn judge(error: &RunError) -> Judgement {
    match error {
        RunError::Change(error) => judge_change(error),
        RunError::Model(model) => model_settings::way(model),
        RunError::NoAnswer { run, error } => {
            let (kind, mut hints) = model_settings::way(error);
            hints
                .push(format!("finished tasks are kept; continue with: refactor-bot resume {run}"));
            (kind, hints)
        }
        RunError::Output(_) => (ErrorKind::Usage, Vec::new()),
        RunError::Plan(PlanError::Interrupted) | RunError::Pack(PackError::Interrupted) => {
            (ErrorKind::Interrupted, Vec::new())
        }
        RunError::Plan(PlanError::Store(_))
        | RunError::Pack(_)
        | RunError::Fence(_)
        | RunError::Artifacts(_) => (ErrorKind::Environment, Vec::new()),
    }
}

pub(crate) fn judge_change(error: &ChangeError) -> Judgement {
    if let Some(fs) = error.fs_error() {
        return (ErrorKind::Environment, disk_hints(fs));
    }
    match error {
        ChangeError::Preflight(refused) => preflight(refused),
        ChangeError::Given(given) => given_change(given),
        ChangeError::Land(land) => landing(land),
        ChangeError::Rollback(rollback) => rolling_back(rollback),
        ChangeError::Flow(flow) => flowing(flow),
        ChangeError::DiskFull { at, is_home } => disk_full(at, *is_home),
        ChangeError::OtherRepository { backup, .. } => hint(
            ErrorKind::UnsafeInput,
            &format!(
                "it belongs to {}; the journal of the run was changed from outside",
                backup.display()
            ),
        ),
        ChangeError::CheckoutChanged(_) => hint(
            ErrorKind::UnsafeInput,
            "refactor-bot writes nothing there before you accept; if the change is yours, resume the run",
        ),
        ChangeError::WrongState { run, .. } => {
            hint(ErrorKind::Usage, &format!("`refactor-bot runs show {run}` shows its state"))
        }
        ChangeError::NotLanded { run, is_finished } => not_landed(run, *is_finished),
        ChangeError::LostCheckpoint { run, .. } => hint(
            ErrorKind::UnsafeInput,
            &format!("drop the run with `refactor-bot reject {run}` and start again"),
        ),
        ChangeError::NoBackup(run) => hint(
            ErrorKind::Usage,
            &format!(
                "it ended before it changed anything, or the backup was removed; `refactor-bot runs show {run}` shows which"
            ),
        ),
        ChangeError::Scope(_) => hint(ErrorKind::Usage, "patterns look like `src/**/*.ts`"),
        ChangeError::Backup(backup) => backing_up(backup),
        ChangeError::Worktree(WorktreeError::Git(git))
        | ChangeError::Repo(RepoError::Git(git))
        | ChangeError::Git(git) => git_hints(git),
        ChangeError::Worktree(WorktreeError::BranchTaken(_)) => {
            hint(ErrorKind::UnsafeInput, "delete or rename that branch, or start the run again")
        }
        ChangeError::Worktree(_) => (ErrorKind::UnsafeInput, Vec::new()),
        ChangeError::Repo(_) => {
            hint(ErrorKind::UnsafeInput, "move the repository back to its place")
        }
        ChangeError::Carry(CarryError::Filtered { .. }) => hint(
            ErrorKind::UnsafeInput,
            "commit that file first; programs that the repository's own configuration names are not run",
        ),
        ChangeError::Verify(error) => verifying(error),
        ChangeError::Agent(error) => ticket_error::agent(error),
        ChangeError::NotLoggedIn { .. } => {
            hint(ErrorKind::Environment, "log in with its own program, or set its API key")
        }
        ChangeError::OwnRules(_) => {
            hint(ErrorKind::UnsafeInput, "fix the rule, then run `refactor-bot rules test`")
        }
        ChangeError::Index(IndexError::Embed(error)) => {
            (ErrorKind::Environment, error.hint.iter().cloned().collect())
        }
        ChangeError::Process(_)
        | ChangeError::Carry(_)
        | ChangeError::Fingerprint(_)
        | ChangeError::Index(_)
        | ChangeError::Audit(_)
        | ChangeError::Contracts(_)
        | ChangeError::Fs(_) => (ErrorKind::Environment, Vec::new()),
    }
}

/// What runs of every workflow can stop with.
pub(crate) fn flowing(error: &FlowError) -> Judgement {
    match error {
        FlowError::Interrupted => (ErrorKind::Interrupted, Vec::new()),
        FlowError::Runtime { run, .. } => hint(
            ErrorKind::Limit,
            &format!("finished tasks are kept; continue with: refactor-bot resume {run}"),
        ),
        FlowError::Journal(JournalError::Newer { .. }) => {
            hint(ErrorKind::Environment, "update refactor-bot")
        }
        FlowError::Journal(JournalError::OtherWorkflow { .. }) => {
            hint(ErrorKind::Usage, "use the command that began the run, or update refactor-bot")
        }
        FlowError::Journal(_) | FlowError::BadJournal { .. } => hint(
            ErrorKind::UnsafeInput,
            "the files of the run were changed from outside; the backup below ~/.refactor-bot/backups is not affected",
        ),
        FlowError::Role(_) => hint(
            ErrorKind::UnsafeInput,
            "fix or remove the file in `prompts` or `schemas` of the home folder",
        ),
        FlowError::Runs(runs) => unknown_or_busy(runs),
        FlowError::Fs(_) => (ErrorKind::Environment, Vec::new()),
    }
}

pub(crate) fn hint(kind: ErrorKind, text: &str) -> Judgement {
    (kind, vec![text.to_owned()])
}

pub(crate) fn verifying(error: &VerifyError) -> Judgement {
    match error {
        VerifyError::Sandbox(_) => hint(
            ErrorKind::Environment,
            "`refactor-bot doctor` shows which sandbox works; --sandbox chooses another",
        ),
        VerifyError::Configured { .. } => hint(
            ErrorKind::Usage,
            "checks run at the root of the repository: `cd FOLDER && …` runs one in a folder; `refactor-bot verify --list` shows \
             what was found",
        ),
        VerifyError::BadRecord(_) => hint(
            ErrorKind::UnsafeInput,
            "the files of the run were changed from outside; start the run again",
        ),
        VerifyError::Interrupted | VerifyError::Fs(_) => (ErrorKind::Environment, Vec::new()),
    }
}

fn disk_full(at: &Path, is_home: bool) -> Judgement {
    let way = if is_home { ", or choose another place with --home" } else { "" };
    hint(ErrorKind::Environment, &format!("free some disk space at {}{way}", at.display()))
}

fn not_landed(run: &RunId, is_finished: bool) -> Judgement {
    let next = if is_finished { "accept" } else { "resume" };
    let words =
        format!("`refactor-bot {next} {run}` continues it; `refactor-bot reject {run}` drops it");
    (ErrorKind::UnsafeInput, vec![words])
}

pub(crate) fn disk_hints(error: &rb_core::fs::FsError) -> Vec<String> {
    let text = if error.is_no_space() {
        "free some disk space, or choose another place with --home"
    } else if error.is_read_only() {
        "check the permissions of that path, or choose another place with --home"
    } else {
        return Vec::new();
    };
    vec![text.to_owned()]
}

fn preflight(refused: &Refused) -> Judgement {
    use ErrorKind::{Environment, UnsafeInput, Usage};
    match refused {
        Refused::Missing(_) | Refused::NotAFolder(_) => {
            hint(Usage, "name the folder of a repository")
        }
        Refused::NotText(_) => hint(Usage, "rename it, or name a copy whose path is plain text"),
        Refused::BranchInTheWay(name) => {
            hint(UnsafeInput, &format!("rename it: git branch --move {name} OTHER-NAME"))
        }
        Refused::NoGit => hint(Environment, "install git, then run `refactor-bot doctor`"),
        Refused::OldGit { .. } => hint(Environment, "update git, then run `refactor-bot doctor`"),
        Refused::Bare(_) => hint(UnsafeInput, "clone it and name the clone"),
        Refused::InsideGitFolder(_) => {
            hint(UnsafeInput, "name the folder that holds the working files")
        }
        Refused::Dirty { .. } => {
            hint(UnsafeInput, "commit or stash them, or pass --allow-dirty to include them")
        }
        Refused::NotARepository { files, bytes, .. } => {
            let copy = format!("{} ({})", plural(*files, "file"), numbers::bytes(*bytes));
            let hints = [
                format!("pass --allow-no-git to work on a copy: {copy}"),
                "or make it a repository first: git init && git add . && git commit".to_owned(),
            ];
            (UnsafeInput, hints.into())
        }
        Refused::NoCommits => hint(
            UnsafeInput,
            "commit something first, or pass --allow-dirty to begin from the files as they are",
        ),
        Refused::InProgress(what) => {
            hint(UnsafeInput, &format!("finish or abort the {what} first"))
        }
        Refused::Locked(_) => {
            hint(UnsafeInput, "wait for the other git process; if there is none, remove that file")
        }
        Refused::PartialClone => hint(UnsafeInput, "clone it again without --filter"),
        Refused::Pipe(_) => hint(UnsafeInput, "remove it, or put a file in its place"),
        Refused::ReadOnly(_) => hint(
            Environment,
            "make it writable, or copy the repository to a place that is (git keeps the run's branch there)",
        ),
        Refused::CaseCollision(..) => {
            hint(UnsafeInput, "rename one of the two files on a case-sensitive file system")
        }
        Refused::ForeignWorktree(_) => {
            hint(UnsafeInput, "remove core.worktree from .git/config if you did not set it")
        }
        Refused::Ownership { .. } => hint(
            UnsafeInput,
            "it belongs to another user; if you trust it: git config --global --add safe.directory DIR",
        ),
        Refused::Broken(_) => hint(UnsafeInput, "`git status` in that folder shows more"),
        Refused::InsideHome(_) => {
            hint(UnsafeInput, "name your own checkout, not a worktree or a backup of a run")
        }
        Refused::Repo(RepoError::Git(git)) | Refused::Git(git) => git_hints(git),
        Refused::Repo(_) | Refused::Fs(_) => (Environment, Vec::new()),
        Refused::HomeInside { .. } => {
            hint(UnsafeInput, "choose a home outside of it with --home or REFACTOR_BOT_HOME")
        }
    }
}

fn given_change(error: &GivenChangeError) -> Judgement {
    match error {
        GivenChangeError::None => hint(
            ErrorKind::Usage,
            "give a patch with --patch FILE, or a formatter with --format COMMAND",
        ),
        GivenChangeError::Unreadable(_) => hint(ErrorKind::Usage, "give the path of a patch"),
        GivenChangeError::TooLarge(_) => {
            hint(ErrorKind::UnsafeInput, "split it into several patches")
        }
        GivenChangeError::Empty(_) => {
            hint(ErrorKind::UnsafeInput, "make it with `git diff` or `git format-patch`")
        }
    }
}

fn unknown_or_busy(error: &RunsError) -> Judgement {
    match error {
        RunsError::Unknown(_) => {
            hint(ErrorKind::Usage, "`refactor-bot runs list` shows the runs there are")
        }
        RunsError::RepoBusy(_) => {
            hint(ErrorKind::UnsafeInput, "wait for it to finish, then try again")
        }
        RunsError::Busy(_) => {
            hint(ErrorKind::UnsafeInput, "wait for it to finish, or stop it first")
        }
        RunsError::Fs(_) => (ErrorKind::Environment, Vec::new()),
    }
}

fn landing(error: &LandError) -> Judgement {
    match error {
        LandError::Changed(_) => hint(
            ErrorKind::UnsafeInput,
            "commit or undo that change and accept again, or take the branch with --keep-branch",
        ),
        LandError::NotLanded { cause } => {
            let (kind, hints) = landing(cause);
            let words = "nothing was applied, and your own changes are in place".to_owned();
            (kind, [words].into_iter().chain(hints).collect())
        }
        LandError::Saved(_) => {
            hint(ErrorKind::UnsafeInput, "commit or undo that change, then accept again")
        }
        LandError::InUse(_) => hint(ErrorKind::UnsafeInput, "close it there, then accept again"),
        LandError::Source(_) => {
            hint(ErrorKind::UnsafeInput, "accept again; the worktree will be recreated")
        }
        LandError::Conflict(_) => hint(
            ErrorKind::Refused,
            "keep the run's branch with `accept --keep-branch` and merge it by hand; your checkout is unchanged",
        ),
        LandError::Detached => hint(
            ErrorKind::UnsafeInput,
            "check a branch out, or take the run's branch with --keep-branch",
        ),
        LandError::OtherBranch { expected, .. } => hint(
            ErrorKind::UnsafeInput,
            &format!("`git switch {expected}` first, or take the run's branch with --keep-branch"),
        ),
        LandError::BranchGone { expected, found } => hint(
            ErrorKind::UnsafeInput,
            &format!(
                "if it was renamed: git branch -m {found} {expected}; or take the run's branch with --keep-branch"
            ),
        ),
        LandError::NotYours(_) => hint(
            ErrorKind::UnsafeInput,
            "your checkout is unchanged; take the branch with --keep-branch and see what belongs there",
        ),
        LandError::Rewound(_) => hint(
            ErrorKind::UnsafeInput,
            "it was reset or rebased since; take the run's branch with --keep-branch, or start again",
        ),
        LandError::BranchMoved(_) => hint(
            ErrorKind::UnsafeInput,
            "`rollback --force` restores the state before the run; your later work is backed up first",
        ),
        LandError::NotAFile(_) | LandError::BehindLink(_) => hint(
            ErrorKind::UnsafeInput,
            "take the run's branch with --keep-branch and merge it by hand; your checkout is unchanged",
        ),
        LandError::Worktree(_) | LandError::Fs(_) => (ErrorKind::UnsafeInput, Vec::new()),
        LandError::Git(git) => git_hints(git),
    }
}

fn rolling_back(error: &RollbackError) -> Judgement {
    match error {
        RollbackError::OtherWork(_) => hint(
            ErrorKind::UnsafeInput,
            "pass --force to undo that work too; it is backed up first and can be restored",
        ),
        RollbackError::OtherBranch { expected, .. } => {
            hint(ErrorKind::UnsafeInput, &format!("check out {expected} first"))
        }
        RollbackError::BranchGone { expected, found } => hint(
            ErrorKind::UnsafeInput,
            &format!("if it was renamed: git branch -m {found} {expected}"),
        ),
        RollbackError::InUse(_) => hint(ErrorKind::UnsafeInput, "close it there, then try again"),
        RollbackError::InTheWay(_) => hint(ErrorKind::UnsafeInput, "move it away first"),
        RollbackError::Backup(backup) => backing_up(backup),
        RollbackError::Git(git) => git_hints(git),
        RollbackError::BehindLink(_) | RollbackError::Fingerprint(_) | RollbackError::Fs(_) => {
            (ErrorKind::UnsafeInput, Vec::new())
        }
    }
}

fn backing_up(error: &BackupError) -> Judgement {
    match error {
        BackupError::NoRoom { .. } => hint(
            ErrorKind::Environment,
            "free some disk space, or choose another place with --home",
        ),
        BackupError::Damaged(_) => hint(
            ErrorKind::Environment,
            "nothing was changed; put that file back from a copy, or undo the run's commits with git",
        ),
        BackupError::Snapshot(_) => {
            hint(ErrorKind::Environment, "stop what writes to the checkout and try again")
        }
        BackupError::Bundle(_) | BackupError::Manifest(_) | BackupError::Fs(_) => {
            (ErrorKind::Environment, Vec::new())
        }
        BackupError::Git(git) => git_hints(git),
    }
}

pub(crate) fn git_hints(error: &GitError) -> Judgement {
    if matches!(error, GitError::OddSetting(_)) {
        return hint(
            ErrorKind::UnsafeInput,
            "look into .git/config and remove it if it is not yours",
        );
    }
    let text = error.to_string();
    if text.contains(".lock") {
        return hint(
            ErrorKind::Environment,
            "another git process is running or crashed; if none is running, remove that file and try again",
        );
    }
    if text.contains("unable to read") || text.contains("bad object") {
        return hint(
            ErrorKind::UnsafeInput,
            "the repository lacks parts of its own history; `git fsck` shows which",
        );
    }
    (ErrorKind::Environment, Vec::new())
}
