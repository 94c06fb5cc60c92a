//! Tickets among the runs: their line in the list, and what `runs show` says.

use rb_core::{RunId, fs};
use rb_flow::{RunDir, runs, state_words};
use rb_ticket::TicketError;
use rb_ticket::workflow;
use rb_ticket::workflow::event::Mode;
use rb_ticket::workflow::state::State;
use serde_json::json;

use super::list::shortened;
use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::numbers::plural;
use crate::ui::printable;
use crate::{diff_view, ticket_run};

/// Its line in the list; printed at once, and empty, where results are JSON.
pub(super) fn listed(app: &App, state: &State, is_undone: bool) -> Result<String, CliError> {
    let start = &state.start;
    let id = &start.run;
    let busy = runs::is_busy(&RunDir::new(app.home()?, id)).map_err(TicketError::from)?;
    let stands = if is_undone { "rolled back" } else { state.stands(busy) };
    let ticket = &start.ticket;
    if app.ui.json {
        app.ui.print_json(&json!({
            "run": id, "repo": start.repo, "stands": stands, "ticket": ticket.key,
            "title": ticket.title, "rounds": state.rounds.len(),
            "tasks": state.tasks.len(), "done": state.change.ledger.len(),
        }))?;
        return Ok(String::new());
    }
    let what = match &start.workflow {
        Mode::Ticket => {
            let rounds = plural(state.rounds.len() as u64, "round");
            format!("{}, {rounds}", printable(&ticket.key))
        }
        Mode::TicketRollback { of, .. } => format!("rollback of {of}"),
    };
    let stands = state_words(stands);
    let repo = printable(&start.repo.display().to_string());
    let title = shortened(&ticket.title);
    let line = format!("{id:<18}  {stands:<18}  {what:<29}  {repo}  {title}");
    Ok(format!("{}\n", line.trim_end()))
}

pub(super) fn show(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    let state = workflow::summary(&ticket_run::context(app)?, id)?;
    ticket_run::show(app, &state)?;
    Ok(Outcome::Done)
}

/// The whole change.
pub(super) fn diff(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    let file = RunDir::new(app.home()?, id).report().join("change.diff");
    let diff = fs::read_optional(&file)?.unwrap_or_default();
    if app.ui.json {
        let text = String::from_utf8_lossy(&diff);
        app.ui.print_json(&json!({ "file": "change.diff", "diff": text }))?;
    } else if diff.is_empty() {
        app.ui.note(&format!("run {id} has no diffs"));
    } else {
        diff_view::print(app, &diff)?;
    }
    Ok(Outcome::Done)
}
