//! `ticket --plan`: what was understood, which files are meant, what could be checked. No model, and no change.

use std::fmt::Write as _;
use std::path::Path;

use rb_index::IndexError;
use rb_index::walk::WalkOptions;
use rb_repo::ReadOptions;
use rb_ticket::checks::{Check, Derived, derive};
use rb_ticket::preview::{self, Preview, PreviewOptions};
use rb_ticket::workflow::StartOptions;
use rb_ticket::workflow::event::PreviewOrder;
use rb_ticket::{Affected, Ticket, affected};
use rb_tools::{Repository, ToolError};
use serde_json::json;

use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::ticket_run::{criteria_words, headline};
use crate::ui::printable;
use crate::{repo_index, search_model};

/// The most files that are listed.
const FILES: usize = 12;

/// All that is known without a model.
struct Plan<'t> {
    ticket: &'t Ticket,
    derived: Derived,
    affected: Vec<Affected>,
    /// How the app is started, or why that is not known.
    preview: Result<Preview, String>,
}

pub(super) fn show(app: &App, options: &StartOptions, root: &Path) -> Result<Outcome, CliError> {
    let ticket = &options.ticket;
    let plan = Plan {
        ticket,
        derived: derive(ticket),
        affected: find_affected(app, ticket, root)?,
        preview: find_preview(root, &options.orders.preview),
    };
    if app.ui.json {
        app.ui.print_json(&json!({
            "ticket": ticket,
            "branch": ticket.branch(),
            "affected": plan.affected,
            "checks": plan.derived.checks,
            "unchecked": plan.derived.unchecked,
            "preview": plan.preview.as_ref().ok(),
            "preview_problem": plan.preview.as_ref().err(),
        }))?;
    } else {
        app.ui.print(&text(&plan))?;
    }
    Ok(Outcome::Done)
}

fn find_preview(root: &Path, order: &PreviewOrder) -> Result<Preview, String> {
    if order.off {
        return Err("the browser is turned off".to_owned());
    }
    let options = PreviewOptions { command: order.command.as_deref(), url: order.url.as_deref() };
    preview::find(root, options).map_err(|error| error.to_string())
}

fn find_affected(app: &App, ticket: &Ticket, root: &Path) -> Result<Vec<Affected>, CliError> {
    let repo = repo_index::open(app, root, WalkOptions::default())?;
    let search = search_model::of(app, &repo)?;
    let options = ReadOptions { rebuild: false, search: search.searchable() };
    repo_index::read(app, &repo, &options, |indexed| {
        let on = Repository { repo: &repo, indexed, search: &search, cancel: &app.cancel };
        match affected(on, ticket, FILES) {
            Ok(found) => Ok(Ok(found)),
            Err(ToolError::Index(error)) => Err(error),
            Err(ToolError::Interrupted) => Err(IndexError::Interrupted),
            // The questions are our own.
            Err(ToolError::Call(why)) => Ok(Err(CliError::new(ErrorKind::Bug, why))),
        }
    })?
}

fn text(plan: &Plan<'_>) -> String {
    let Plan { ticket, derived, affected, preview } = plan;
    let mut text = format!("{}\n", headline(ticket));
    let words = criteria_words(ticket.criteria.len(), derived.unchecked.len());
    let _ = writeln!(text, "  {words}");
    if !ticket.summary.is_empty() {
        let _ = writeln!(text, "\n{}", printable(&ticket.summary));
    }
    list(&mut text, "Requirements", ticket.requirements.iter().map(|it| format!("- {it}")));
    list(
        &mut text,
        "Acceptance criteria",
        ticket.criteria.iter().map(|criterion| {
            format!("{}  {} (from {})", criterion.id, criterion.text, criterion.from.name())
        }),
    );
    list(&mut text, "Checks that need no model", derived.checks.iter().map(check_line));
    list(
        &mut text,
        "Not checked without a model",
        derived.unchecked.iter().map(|it| format!("{}  {}", it.criterion, it.why)),
    );
    list(&mut text, "Affected files", affected.iter().map(|it| format!("{}  {}", it.path, it.why)));
    list(
        &mut text,
        "Removed from the ticket, because nobody sees it there",
        ticket
            .stripped
            .iter()
            .map(|it| format!("line {}: {}: {}", it.line, it.kind.name(), it.text)),
    );
    list(
        &mut text,
        "Suspicious text in the ticket",
        ticket.suspicious.iter().map(|it| format!("line {}: {} ({})", it.line, it.excerpt, it.why)),
    );
    let app = match preview {
        Ok(Preview { command: Some(command), url, why, .. }) => {
            format!("{command}, at {url} ({why})")
        }
        Ok(Preview { command: None, url, why, .. }) => format!("{url} ({why})"),
        Err(why) => why.clone(),
    };
    let _ = writeln!(text, "\napp     {}", printable(&app));
    let _ = writeln!(text, "branch  {}", printable(&ticket.branch()));
    if ticket.truncated {
        let _ = writeln!(text, "\nNote: {}.", super::TRUNCATED);
    }
    text.push_str("\nNo model was called, and nothing was changed.\n");
    text
}

/// A heading and its lines; nothing where there are none.
fn list(text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    for (at, line) in lines.enumerate() {
        if at == 0 {
            let _ = writeln!(text, "\n{title}");
        }
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "  {}", printable(&line));
    }
}

/// For which criterion, and what is done and expected.
fn check_line(check: &Check) -> String {
    let id = check.criterion.as_deref().unwrap_or("every page:");
    format!("{id} {check}")
}
