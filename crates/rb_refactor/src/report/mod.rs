//! What a person reads before deciding, and what programs read after: diffs, summary, validation report, log, page.
//!
//! `Facts::gather` reads what there is of a run; every artifact is then a pure function of it, one file each here. `write` puts
//! them into the run's folder, `rewrite` does so again once the run has ended, `copy` puts them into a folder of the person's. Nothing
//! here judges a change.

mod change_view;
mod diffs;
mod entry_point;
mod facts;
mod html;
mod impact_bars;
mod leftovers;
mod log;
mod markdown;
mod metrics;
mod output;
#[cfg(test)]
mod real;
mod risk;
mod run_history;
#[cfg(test)]
mod samples;
mod suites;
mod summary;
mod test_counts;
mod validation;
pub(crate) mod words;

use std::path::Path;

use rb_core::fs::{self, Durability, FsError};
use rb_flow::{RunDir, journal};
use rb_workspace::ledger::{self, LedgerEntry};

use crate::error::RunError;
use crate::event::Outcome;
use crate::workflow::Refactor;
pub use change_view::{ChangeView, write_change};
pub(crate) use facts::Facts;
pub use impact_bars::impact_bars;
pub use output::{OutputError, holds_report};
pub(crate) use output::{copy, look};
pub use test_counts::{TestCounts, test_counts};
pub use validation::confidence_of_tasks;
pub(crate) use validation::{task_patch, written_confidence};

/// Holds one patch a file.
const DIFFS: &str = "diffs";

/// Writes all artifacts into `dir`, in the place of those of an earlier report.
pub(crate) fn write(dir: &Path, facts: &Facts) -> Result<(), RunError> {
    for folder in [DIFFS, "tasks"] {
        // A patch of an earlier report must not stand beside those of this one.
        fs::remove_dir_all(&dir.join(folder))?;
        fs::create_dir_all(&dir.join(folder))?;
    }
    for file in &facts.files {
        put(dir, &validation::file_patch(file), &file.diff.patch)?;
    }
    for task in &facts.tasks {
        if let Some(patch) = &task.patch {
            put(dir, &validation::task_patch(task.id()), patch)?;
        }
    }
    let entries: Vec<LedgerEntry> =
        facts.tasks.iter().filter_map(|task| task.entry().cloned()).collect();
    ledger::write(&dir.join("TASK_LEDGER.jsonl"), &entries)?;
    Ok(write_pages(dir, facts)?)
}

/// Writes the pages of the report in `dir` again once the run has ended: they say how to decide and how to undo, or what was decided. The
/// worktree is gone by then, so that the patches are those of the report. A report whose patches were thrown away stays as it is.
pub(crate) fn rewrite(run_dir: &RunDir, dir: &Path, outcome: Outcome) -> Result<(), RunError> {
    if !dir.join(DIFFS).is_dir() {
        return Ok(());
    }
    let records = journal::read::<Refactor>(run_dir)?.records;
    let mut facts = Facts::of_report(run_dir.path(), &records, dir)?;
    // That a run was rolled back is in the journal of another one.
    facts.history.state.course.outcome = Some(outcome);
    Ok(write_pages(dir, &facts)?)
}

/// Writes everything but the patches and the ledger.
fn write_pages(dir: &Path, facts: &Facts) -> Result<(), FsError> {
    put(dir, "pr-summary.md", summary::text(facts).as_bytes())?;
    put(dir, validation::NAME, &validation::text(facts))?;
    put(dir, "report.html", html::text(facts).as_bytes())?;
    let run = &facts.history.state.started.run;
    put(dir, "agent-log.json", &log::text(run, &facts.records))
}

fn put(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), FsError> {
    fs::write(&dir.join(name), bytes, Durability::Relaxed)
}
