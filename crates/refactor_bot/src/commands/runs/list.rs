//! `runs list`: every run with where it stands.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rb_change::{ChangeError, Changes as _};
use rb_core::RunId;
use rb_flow::{FlowError, JournalError, RunDir, runs, state_words};
use rb_refactor::{Context, Mode, Outcome as RunOutcome, Refactor, RunError, State, summary};
use rb_ticket::workflow::Ticketing;
use rb_ticket::workflow::event::Outcome as TicketOutcome;
use serde_json::json;

use super::{katas, questions, tickets};
use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::numbers::plural;
use crate::run_kind::RunKind;
use crate::run_view;
use crate::ui::printable;

/// How much of a directive is shown.
const DIRECTIVE: usize = 60;

pub(super) fn list(app: &App) -> Result<Outcome, CliError> {
    let context = run_view::context(app)?;
    let all = listed(app, &context)?;
    let undone = rolled_back(&all);
    let mut text = String::new();
    for run in &all {
        let state = match run {
            Listed::Change(state) => state,
            Listed::Question(state) => {
                text.push_str(&questions::listed(app, state)?);
                continue;
            }
            Listed::Kata(state) => {
                text.push_str(&katas::listed(app, state)?);
                continue;
            }
            Listed::Ticket(state) => {
                let is_undone = undone.contains(&state.start.run);
                text.push_str(&tickets::listed(app, state, is_undone)?);
                continue;
            }
        };
        let id = &state.started.run;
        let busy = runs::is_busy(&RunDir::new(&context.host.home, id)).map_err(RunError::from)?;
        let stands = if undone.contains(id) { "rolled back" } else { state.stands(busy) };
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

/// A run of any workflow.
enum Listed {
    Change(Box<State>),
    Question(Box<rb_ask::workflow::State>),
    Kata(Box<rb_kata::workflow::State>),
    Ticket(Box<rb_ticket::workflow::state::State>),
}

/// The runs that can be read, oldest first.
fn listed(app: &App, context: &Context) -> Result<Vec<Listed>, CliError> {
    let mut all = Vec::new();
    for id in runs::list(&context.host.home).map_err(RunError::from)? {
        match RunKind::of(app, &id)? {
            RunKind::Change => {}
            RunKind::Question => {
                match rb_ask::workflow::summary(&context.host.home, &id) {
                    Ok(state) => all.push(Listed::Question(Box::new(state))),
                    Err(error) => app.ui.warn(&error.to_string()),
                }
                continue;
            }
            RunKind::Kata => {
                match rb_kata::workflow::state_of(&context.host.home, &id) {
                    Ok(state) => all.push(Listed::Kata(Box::new(state))),
                    Err(error) => app.ui.warn(&error.to_string()),
                }
                continue;
            }
            RunKind::Ticket => {
                match rb_change::summary::<Ticketing>(&context.host, &id) {
                    Ok(state) => all.push(Listed::Ticket(Box::new(state))),
                    Err(error) => app.ui.warn(&error.to_string()),
                }
                continue;
            }
        }
        match summary(context, &id) {
            Ok(state) => all.push(Listed::Change(Box::new(state))),
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
    Ok(all)
}

/// Runs that landed and were rolled back. The rollback of a rollback brings a run back.
fn rolled_back(all: &[Listed]) -> BTreeSet<RunId> {
    let ends: Vec<End<'_>> = all.iter().filter_map(End::of).collect();
    let mut undone = BTreeSet::new();
    for rollback in ends.iter().filter(|end| end.is_rolled_back) {
        let Some(of) = &rollback.undoes else { continue };
        match ends.iter().find(|other| other.run == of) {
            Some(End { undoes: Some(first), .. }) => {
                undone.remove(first);
            }
            Some(End { run, is_accepted: true, .. }) => {
                undone.insert((*run).clone());
            }
            Some(_) | None => {}
        }
    }
    undone
}

/// How a run ended that can change a checkout.
struct End<'r> {
    run: &'r RunId,
    /// The run that it takes back.
    undoes: Option<RunId>,
    is_accepted: bool,
    is_rolled_back: bool,
}

impl End<'_> {
    fn of(run: &Listed) -> Option<End<'_>> {
        match run {
            Listed::Change(state) => Some(End {
                run: &state.started.run,
                undoes: Refactor::undone(&state.started).map(|undone| undone.of),
                is_accepted: state.course.outcome == Some(RunOutcome::Accepted),
                is_rolled_back: state.course.outcome == Some(RunOutcome::RolledBack),
            }),
            Listed::Ticket(state) => Some(End {
                run: &state.start.run,
                undoes: Ticketing::undone(&state.start).map(|undone| undone.of),
                is_accepted: state.course.outcome == Some(TicketOutcome::Accepted),
                is_rolled_back: state.course.outcome == Some(TicketOutcome::RolledBack),
            }),
            Listed::Question(_) | Listed::Kata(_) => None,
        }
    }
}

fn what(state: &State) -> String {
    match &state.started.workflow {
        Mode::Refactor => format!("{}/{} tasks", state.change.ledger.len(), state.tasks.len()),
        Mode::Plan => format!("plan of {}", plural(state.tasks.len() as u64, "task")),
        Mode::Verify => "verify".to_owned(),
        Mode::Rollback { of, .. } => format!("rollback of {of}"),
    }
}

pub(super) fn shortened(directive: &str) -> String {
    let line = directive.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().take(DIRECTIVE).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    printable(&short)
}
