//! Katas among the runs: their line in the list, and what `runs show` says.

use std::fmt::Write as _;

use rb_core::RunId;
use rb_flow::{RunDir, runs, state_words};
use rb_kata::KataError;
use rb_kata::workflow::{self, State};
use serde_json::json;

use super::list::shortened;
use crate::app::App;
use crate::commands::kata::summary_text;
use crate::error::{CliError, Outcome};
use crate::kata_run;
use crate::numbers::plural;
use crate::ui::printable;

fn stands(app: &App, state: &State) -> Result<&'static str, CliError> {
    let dir = RunDir::new(app.home()?, &state.start.run);
    Ok(state.stands(runs::is_busy(&dir).map_err(KataError::from)?))
}

/// Its line in the list; printed at once, and empty, where results are JSON.
pub(super) fn listed(app: &App, state: &State) -> Result<String, CliError> {
    let (start, stands) = (&state.start, stands(app, state)?);
    let (id, folder) = (&start.run, start.place.folder());
    if app.ui.json {
        app.ui.print_json(&json!({
            "run": id, "folder": folder, "stands": stands, "kata": start.kata.title,
            "language": start.runner.name(), "cycles": state.cycles(),
            "max_cycles": start.max_cycles, "commits": state.commits.len(),
        }))?;
        return Ok(String::new());
    }
    let commits = plural(state.commits.len() as u64, "commit");
    let what = format!("cycle {}/{}, {commits}", state.cycles(), start.max_cycles);
    let stands = state_words(stands);
    let folder = printable(&folder.display().to_string());
    let kata = shortened(&start.kata.title);
    let line = format!("{id:<18}  {stands:<18}  {what:<29}  {folder}  {kata}");
    Ok(format!("{}\n", line.trim_end()))
}

pub(super) fn show(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    let state = workflow::state_of(app.home()?, id)?;
    let summary = kata_run::summary(app, &state)?;
    if app.ui.json {
        let mut value = serde_json::to_value(&summary).expect("a summary is plain data");
        value["stands"] = json!(stands(app, &state)?);
        value["notes"] = json!(state.course.notes);
        app.ui.print_json(&value)?;
        return Ok(Outcome::Done);
    }
    let mut text = summary_text(&summary);
    if !state.course.notes.is_empty() {
        text.push('\n');
    }
    for note in &state.course.notes {
        let _ = writeln!(text, "note        {}", printable(note));
    }
    text.push_str(&ending(&state));
    app.ui.print(&text)?;
    Ok(Outcome::Done)
}

/// How to go on with one that was interrupted.
fn ending(state: &State) -> String {
    if state.course.outcome.is_some() {
        return String::new();
    }
    let why = state.course.left_off.as_deref();
    let why = printable(why.unwrap_or("it was interrupted, or is still running"));
    format!("\nNot finished: {why}. To continue:\n  refactor-bot resume {}\n", state.start.run)
}
