//! Clearing away ended runs of workflows that have no backup: questions and katas.

use rb_change::gc::{GcMode, GcOptions, size};
use rb_core::{RunId, clock, fs};
use rb_flow::{Run, RunDir, RunState as _, RunsError, Workflow, fold, journal, runs};
use rb_refactor::RunError;

use crate::app::App;
use crate::error::CliError;
use crate::run_kind::is_run_of;

/// A run that was removed, or would be.
pub(super) struct ClearedRun {
    pub(super) run: RunId,
    pub(super) bytes: u64,
    what: &'static str,
}

impl ClearedRun {
    pub(super) fn words(&self) -> String {
        let kib = self.bytes.div_ceil(1024);
        format!("{}  {} ({kib} KiB)", self.run, self.what)
    }
}

/// Removes the folders of runs that ended long enough ago. One that can be resumed always stays. `what` says what goes.
pub(super) fn clear<W: Workflow>(
    app: &App,
    options: GcOptions,
    what: &'static str,
) -> Result<Vec<ClearedRun>, CliError> {
    let (home, now) = (app.home()?, clock::now());
    let mut cleared = Vec::new();
    for id in runs::list(home).map_err(RunError::from)? {
        if !is_run_of::<W>(&RunDir::new(home, &id)) {
            continue;
        }
        let run = match Run::open(home, id) {
            Ok(run) => run,
            Err(RunsError::Busy(_)) => continue,
            Err(error) => return Err(RunError::from(error).into()),
        };
        // What cannot be read cannot be known to have ended.
        let Ok(contents) = journal::read::<W>(&run.dir) else { continue };
        let Some(last) = contents.records.last() else { continue };
        let Ok(state) = fold::<W>(&run.id, &contents.records) else { continue };
        if state.course().outcome.is_none() || now.since(last.at) < options.older_than {
            continue;
        }
        let bytes = size(run.dir.path());
        if options.mode == GcMode::Remove {
            fs::remove_dir_all(run.dir.path())?;
        }
        cleared.push(ClearedRun { run: run.id.clone(), bytes, what });
    }
    Ok(cleared)
}
