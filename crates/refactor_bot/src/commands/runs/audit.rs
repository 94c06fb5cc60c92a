//! What was found in each task of a run without running anything: findings, contracts, and logic that is gone.

use std::fmt::Write as _;

use rb_change::{ChangeFiles as _, Examination};
use rb_core::{RunId, fs};
use rb_flow::RunDir;
use rb_refactor::summary;

use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::run_view;
use crate::ui::printable;

pub(super) fn audit(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    let context = run_view::context(app)?;
    let state = summary(&context, id)?;
    let dir = RunDir::new(&context.host.home, id);
    for task in &state.tasks {
        let file = dir.audit(task.id);
        let Some(bytes) = fs::read_optional(&file)? else { continue };
        let examination: Examination = serde_json::from_slice(&bytes)
            .map_err(|error| CliError::new(ErrorKind::UnsafeInput, error))?;
        if app.ui.json {
            app.ui.print_json(&serde_json::json!({ "task": task.id, "audit": examination }))?;
        } else {
            let head = format!("{}  {}\n", task.id, printable(&task.goal));
            app.ui.print(&(head + &text(&examination)))?;
        }
    }
    Ok(Outcome::Done)
}

fn text(examination: &Examination) -> String {
    let Examination { findings, allowed, refused, residue, .. } = examination;
    let mut text = String::new();
    for finding in findings {
        let place = format!("{}:{}", finding.path, finding.line);
        let _ = writeln!(text, "  {}  {}", printable(&place), printable(&finding.message));
        if let Some(cause) = &finding.cause {
            let cause = format!("{}:{}", cause.path, cause.line);
            let _ = writeln!(text, "      caused by the change at {}", printable(&cause));
        }
    }
    for (changes, words) in [(refused, "refused"), (allowed, "allowed")] {
        for change in changes {
            let place = printable(&format!("{}:{}", change.file, change.line));
            let _ = writeln!(text, "  {place}  {words}: {}", printable(&change.words));
        }
    }
    if !residue.lost.is_empty() {
        let (lost, removed) = (residue.lost.len(), residue.removed);
        let _ =
            writeln!(text, "  {lost} of {removed} removed lines of logic were not found again:");
    }
    for line in &residue.lost {
        let place = format!("{}:{}", line.path, line.line);
        let _ = writeln!(text, "    {}  {}", printable(&place), printable(&line.text));
    }
    if text.is_empty() {
        text.push_str("  no findings\n");
    }
    text
}
