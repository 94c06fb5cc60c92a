//! `runs list`: every run with where it stands.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rb_change::ChangeError;
use rb_core::RunId;
use rb_flow::{FlowError, JournalError, RunDir, runs};
use rb_refactor::{Context, Mode, Outcome as RunOutcome, RunError, State, summary};
use serde_json::json;

use super::{stands, state_words};
use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::numbers::plural;
use crate::run_view;
use crate::ui::printable;

/// How much of a directive is shown.
const DIRECTIVE: usize = 60;

pub(super) fn list(app: &App) -> Result<Outcome, CliError> {
    let context = run_view::context(app)?;
    let all = states(app, &context)?;
    let undone = rolled_back(&all);
    let mut text = String::new();
    for state in &all {
        let id = &state.started.run;
        let busy = runs::is_busy(&RunDir::new(&context.host.home, id)).map_err(RunError::from)?;
        let stands = if undone.contains(id) { "rolled back" } else { stands(state, busy) };
        let directive = state.started.orders.directive.as_deref();
        if app.ui.json {
            app.ui.print_json(&json!({
                "run": id, "repo": state.started.repo, "stands": stands, "directive": directive,
                "tasks": state.tasks.len(), "done": state.change.ledger.len(),
            }))?;
            continue;
        }
        let (what, stands) = (what(state), state_words(stands));
        let repo = printable(&state.started.repo.display().to_string());
        let asked = directive.map(shortened).unwrap_or_default();
        let line = format!("{id:<18}  {stands:<18}  {what:<29}  {repo}  {asked}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if text.is_empty() && !app.ui.json {
        app.ui.note("no runs yet");
    }
    app.ui.print(&text)?;
    Ok(Outcome::Done)
}

/// The runs that can be read, oldest first.
fn states(app: &App, context: &Context) -> Result<Vec<State>, CliError> {
    let mut states = Vec::new();
    for id in runs::list(&context.host.home).map_err(RunError::from)? {
        match summary(context, &id) {
            Ok(state) => states.push(state),
            // Cut off before its first event: nothing happened.
            Err(RunError::Change(ChangeError::Flow(
                FlowError::Journal(JournalError::Missing(_)) | FlowError::BadJournal { .. },
            ))) => {}
            // One that cannot be read does not hide the others.
            Err(RunError::Change(ChangeError::Flow(FlowError::Journal(error)))) => {
                app.ui.warn(&error.to_string());
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(states)
}

/// Runs that landed and were rolled back. The rollback of a rollback brings a run back.
fn rolled_back(all: &[State]) -> BTreeSet<RunId> {
    let mut undone = BTreeSet::new();
    for state in all.iter().filter(|state| state.course.outcome == Some(RunOutcome::RolledBack)) {
        let Mode::Rollback { of, .. } = &state.started.workflow else { continue };
        let of = all.iter().find(|other| other.started.run == *of);
        match of.map(|of| (&of.started.workflow, of.course.outcome)) {
            Some((Mode::Rollback { of: first, .. }, _)) => {
                undone.remove(first);
            }
            Some((_, Some(RunOutcome::Accepted))) => {
                undone.extend(of.map(|of| of.started.run.clone()));
            }
            Some(_) | None => {}
        }
    }
    undone
}

fn what(state: &State) -> String {
    match &state.started.workflow {
        Mode::Refactor => format!("{}/{} tasks", state.change.ledger.len(), state.tasks.len()),
        Mode::Plan => format!("plan of {}", plural(state.tasks.len() as u64, "task")),
        Mode::Verify => "verify".to_owned(),
        Mode::Rollback { of, .. } => format!("rollback of {of}"),
    }
}

fn shortened(directive: &str) -> String {
    let line = directive.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().take(DIRECTIVE).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    printable(&short)
}
