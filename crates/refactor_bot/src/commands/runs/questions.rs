//! Questions among the runs: their line in the list, and what `runs show` says.

use std::fmt::Write as _;

use rb_ask::workflow::{self, AskFiles as _, State};
use rb_ask::{AskError, render};
use rb_core::RunId;
use rb_flow::{RunDir, runs, state_words};
use serde_json::json;

use super::list::shortened;
use crate::app::App;
use crate::ask_run;
use crate::error::{CliError, Outcome};
use crate::numbers::plural;
use crate::ui::printable;

fn stands(app: &App, state: &State) -> Result<&'static str, CliError> {
    let dir = RunDir::new(app.home()?, &state.start.run);
    Ok(state.stands(runs::is_busy(&dir).map_err(AskError::from)?))
}

/// How many claims hold; nothing before they were checked.
fn verdict(state: &State) -> String {
    let Some(counts) = &state.counts else { return "question".to_owned() };
    let claims = plural(counts.claims.into(), "claim");
    format!("{} of {claims} verified", counts.verified_claims)
}

/// Its line in the list; printed at once, and empty, where results are JSON.
pub(super) fn listed(app: &App, state: &State) -> Result<String, CliError> {
    let (start, stands) = (&state.start, stands(app, state)?);
    let id = &start.run;
    if app.ui.json {
        app.ui.print_json(&json!({
            "run": id, "repo": start.repo, "stands": stands, "question": start.question,
            "claims": state.counts.map(|counts| counts.claims),
            "verified_claims": state.counts.map(|counts| counts.verified_claims),
        }))?;
        return Ok(String::new());
    }
    let (what, stands) = (verdict(state), state_words(stands));
    let repo = printable(&start.repo.display().to_string());
    let question = shortened(&start.question);
    let line = format!("{id:<18}  {stands:<18}  {what:<29}  {repo}  {question}");
    Ok(format!("{}\n", line.trim_end()))
}

pub(super) fn show(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    let state = workflow::summary(app.home()?, id)?;
    let ledger = ask_run::spent(app, id)?.ledger;
    let total = ledger.total();
    if app.ui.json {
        app.ui.print_json(&json!({
            "run": id, "repo": state.start.repo, "stands": stands(app, &state)?,
            "question": state.start.question, "notes": state.course.notes,
            "counts": state.counts, "answer": state.answer, "model_calls": total.calls,
            "tokens": total.usage.total(), "usd": ledger.gone(),
        }))?;
        return Ok(Outcome::Done);
    }
    let calls = plural(total.calls, "model call");
    let tokens = plural(total.usage.total(), "token");
    let mut text = format!("run {id}  {}\n", printable(&state.start.repo.display().to_string()));
    let _ = writeln!(text, "question {}", printable(&state.start.question));
    if let Some(counts) = &state.counts {
        let _ = writeln!(text, "claims   {}", render::summary(counts));
    }
    let _ = writeln!(text, "cost     {}, {calls}, {tokens}", ledger.gone());
    for note in &state.course.notes {
        let _ = writeln!(text, "note     {}", printable(note));
    }
    text.push_str(&ending(app, &state)?);
    app.ui.print(&text)?;
    Ok(Outcome::Done)
}

fn ending(app: &App, state: &State) -> Result<String, CliError> {
    let run = &state.start.run;
    if state.course.outcome.is_some() {
        let file = RunDir::new(app.home()?, run).answer_markdown();
        return Ok(format!("answer   {}\n", printable(&file.display().to_string())));
    }
    let why = state.course.left_off.as_deref();
    let why = printable(why.unwrap_or("it was interrupted, or is still running"));
    Ok(format!("\nNot finished: {why}. To continue:\n  refactor-bot resume {run}\n"))
}
