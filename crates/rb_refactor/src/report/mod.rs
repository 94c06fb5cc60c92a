//! What a person reads before deciding, and what programs read after: diffs, summary, validation report, log, page.
//!
//! `Facts::gather` reads what there is of a run; every artifact is then a pure function of it, one file each here. `write` puts
//! them into the run's folder, `copy` into a folder of the person's. Nothing here judges a change.

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

use rb_core::RunId;
use rb_core::fs::{self, Durability, FsError};
use rb_workspace::ledger::{self, LedgerEntry};

use crate::error::RunError;
use crate::event::{Outcome, Record};
pub use change_view::{ChangeView, write_change};
pub(crate) use facts::Facts;
pub use impact_bars::impact_bars;
pub use output::{OutputError, holds_report};
pub(crate) use output::{copy, look};
pub use test_counts::{TestCounts, test_counts};
pub use validation::confidence_of_tasks;
pub(crate) use validation::{task_patch, written_confidence};

/// Writes all artifacts into `dir`, in the place of those of an earlier report.
pub(crate) fn write(dir: &Path, facts: &Facts) -> Result<(), RunError> {
    for folder in ["diffs", "tasks"] {
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
    put(dir, "pr-summary.md", summary::text(facts).as_bytes())?;
    put(dir, validation::NAME, &validation::text(facts))?;
    put(dir, "report.html", html::text(facts).as_bytes())?;
    write_log(dir, &facts.history.state.started.run, &facts.records)
}

/// Enters how the run ended.
pub(crate) fn end(
    dir: &Path,
    run: &RunId,
    records: &[Record],
    outcome: Outcome,
) -> Result<(), RunError> {
    write_log(dir, run, records)?;
    let Some(text) = fs::read_optional(&dir.join(validation::NAME))? else { return Ok(()) };
    let text = validation::enter_outcome(&String::from_utf8_lossy(&text), outcome);
    Ok(put(dir, validation::NAME, text.as_bytes())?)
}

/// Writes the log alone: it goes on after the report, up to the end of the run.
fn write_log(dir: &Path, run: &RunId, records: &[Record]) -> Result<(), RunError> {
    Ok(put(dir, "agent-log.json", &log::text(run, records))?)
}

fn put(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), FsError> {
    fs::write(&dir.join(name), bytes, Durability::Relaxed)
}
