//! Clearing away what ended runs left below the home.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rb_core::RunId;
use rb_core::clock::{self, Timestamp};
use rb_core::fs;
use rb_flow::{JournalError, Run, RunState as _, RunsError, fold, journal, runs};
use rb_workspace::backup;
use rb_workspace::worktree::remove_leftovers;

use crate::changes::{Changes, Changing as _};
use crate::error::ChangeError;
use crate::event::Decision;
use crate::host::Host;
use crate::open::{open_repo, summary};

/// What to clear away.
#[derive(Debug, Clone, Copy)]
pub struct GcOptions {
    /// Ended runs younger than this are left alone.
    pub older_than: Duration,
    pub mode: GcMode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GcMode {
    /// Only say what would go.
    Preview,
    Remove,
}

/// One run that went, or would go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleared<O> {
    pub run: RunId,
    /// How it ended; none if it was cut off before its first event.
    pub outcome: Option<O>,
    /// Tasks that the run finished; their reports go with it.
    pub tasks: usize,
    pub backups: usize,
    pub bytes: u64,
}

/// Removes ended runs of a workflow with their backups. Runs that can still be resumed or decided on always stay.
pub fn gc<W: Changes>(
    host: &Host,
    options: GcOptions,
) -> Result<Vec<Cleared<W::Outcome>>, ChangeError> {
    let now = clock::now();
    let ids = runs::list(&host.home)?;
    let needed = undone::<W>(host, &ids);
    let mut cleared = Vec::new();
    for id in ids.into_iter().filter(|id| !needed.contains(id)) {
        let run = match Run::open(&host.home, id) {
            Ok(run) => run,
            Err(RunsError::Busy(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        let (state, last) = match age::<W>(&run)? {
            Age::Open => continue,
            Age::NeverBegan => (None, Timestamp::from_unix_ms(0)),
            Age::Ended(state, at) => (Some(state), at),
        };
        if now.since(last) < options.older_than {
            continue;
        }
        let backups = backup::places(&host.home, &run.id)?;
        let bytes = size(run.dir.path()) + backups.iter().map(|dir| size(dir)).sum::<u64>();
        if options.mode == GcMode::Remove {
            remove::<W>(host, &run, state.as_deref(), &backups)?;
        }
        let tasks = state.as_ref().map_or(0, |state| state.change().ledger.len());
        let outcome = state.and_then(|state| state.course().outcome);
        cleared.push(Cleared {
            run: run.id.clone(),
            outcome,
            tasks,
            backups: backups.len(),
            bytes,
        });
    }
    Ok(cleared)
}

/// Runs whose backup a rollback needs: to be finished, or to be rolled back itself.
fn undone<W: Changes>(host: &Host, ids: &[RunId]) -> BTreeSet<RunId> {
    let of = |id: &RunId| Some(W::undone(summary::<W>(host, id).ok()?.start())?.of);
    ids.iter().filter_map(of).collect()
}

enum Age<S> {
    Open,
    /// Cut off before its first event.
    NeverBegan,
    Ended(Box<S>, Timestamp),
}

fn age<W: Changes>(run: &Run) -> Result<Age<W::State>, ChangeError> {
    let records = match journal::read::<W>(&run.dir) {
        Ok(contents) => contents.records,
        Err(JournalError::Missing(_)) => Vec::new(),
        // What cannot be read cannot be known to have ended.
        Err(
            JournalError::Damaged { .. }
            | JournalError::Newer { .. }
            | JournalError::OtherWorkflow { .. },
        ) => return Ok(Age::Open),
        Err(error @ JournalError::Fs(_)) => return Err(error.into()),
    };
    let Some(last) = records.last() else { return Ok(Age::NeverBegan) };
    let state = fold::<W>(&run.id, &records)?;
    let has_ended = state.ending().is_some();
    Ok(if has_ended { Age::Ended(Box::new(state), last.at) } else { Age::Open })
}

fn remove<W: Changes>(
    host: &Host,
    run: &Run,
    state: Option<&W::State>,
    backups: &[PathBuf],
) -> Result<(), ChangeError> {
    // A branch that the person asked to keep is theirs.
    let ours = state.filter(|state| state.change().decision != Some(Decision::KeepBranch));
    let open = |state: &W::State| open_repo(host, &run.id, &W::target(state.start()));
    if let Some(Ok(repo)) = ours.map(open) {
        remove_leftovers(&repo, &host.home, &run.id)?;
    }
    for dir in backups {
        fs::remove_dir_all(dir)?;
    }
    Ok(fs::remove_dir_all(run.dir.path())?)
}

/// The bytes of a file, or of all files in a folder.
pub fn size(path: &Path) -> u64 {
    let Ok(meta) = path.symlink_metadata() else { return 0 };
    if !meta.is_dir() {
        return meta.len();
    }
    let names = fs::list(path).unwrap_or_default();
    names.iter().map(|name| size(&path.join(name))).sum()
}
