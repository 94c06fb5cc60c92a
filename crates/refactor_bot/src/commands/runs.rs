//! `refactor-bot runs`: what runs there are, what they did, and clearing them away.

mod audit;
mod clear;
mod katas;
mod list;
mod look;
mod questions;
mod tickets;

use std::time::Duration;

use clap::Subcommand;
use rb_ask::workflow::Ask;
use rb_change::gc::{Cleared, GcMode, GcOptions, gc};
use rb_core::{RunId, TaskId, fs};
use rb_flow::{RunDir, Workflow, journal};
use rb_kata::workflow::Kata;
use rb_refactor::{Outcome as RunOutcome, Phase, Refactor, RunError, summary};
use rb_ticket::workflow::Ticketing;
use rb_ticket::workflow::event::Outcome as TicketOutcome;
use serde_json::json;

use self::clear::clear;
use self::look::GraphForm;
use crate::app::App;
use crate::change_run;
use crate::commands::run::show_change;
use crate::diff_view;
use crate::error::{CliError, Outcome};
use crate::numbers::plural;
use crate::run_kind::RunKind;
use crate::run_name::RunName;
use crate::run_view;
use crate::ui::printable;

/// List runs, show one, or remove old ones
#[derive(Debug, clap::Args)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Args {
    /// Defaults to `list`
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// List every run and its state, newest last; `--json` prints one per line
    List,
    /// Show one run: tasks, test results, and what you can do with it
    Show {
        /// Run id, a unique prefix of it, or `latest`
        run: RunName,
        /// Show the diffs, one task after the other
        #[arg(long)]
        diff: bool,
        /// Show the static checks of each change: findings, public interface, removed logic
        #[arg(long, conflicts_with = "diff")]
        audit: bool,
        /// Show the plan: tasks, how the directive was understood, what is not changed and why
        #[arg(long, conflicts_with_all = ["diff", "audit"])]
        plan: bool,
        /// Show what a model was given for this task, such as batch-003, and why
        #[arg(long, value_name = "TASK", conflicts_with_all = ["diff", "audit", "plan"])]
        pack: Option<TaskId>,
    },
    /// Show the graph of a workflow: its steps and their conditions
    Graph {
        /// refactor, plan, verify, rollback, ask, kata or ticket
        #[arg(default_value = "refactor")]
        workflow: String,
        /// text, mermaid or svg
        #[arg(long, value_name = "FORM", default_value = "text")]
        format: GraphForm,
    },
    /// Show the events of a run, one per line; `--json` prints them as recorded
    Log {
        /// Run id, a unique prefix of it, or `latest`
        run: RunName,
    },
    /// Remove ended runs and their backups; open runs are kept
    Gc {
        /// Only runs that ended at least this many days ago
        #[arg(long, value_name = "DAYS", default_value = "30")]
        older_than: u32,
        /// Only print what would be removed
        #[arg(long)]
        dry_run: bool,
    },
}

pub(crate) fn run(args: &Args, app: &App) -> Result<Outcome, CliError> {
    match args.verb.as_ref().unwrap_or(&Verb::List) {
        Verb::List => list::list(app),
        Verb::Show { run, diff: true, .. } => diff(app, &run.resolve(app)?),
        Verb::Show { run, audit: true, .. } => audit::audit(app, &run.resolve(app)?),
        Verb::Show { run, plan: true, .. } => look::plan(app, &run.resolve(app)?),
        Verb::Show { run, pack: Some(task), .. } => look::pack(app, &run.resolve(app)?, *task),
        Verb::Show { run, .. } => show(app, &run.resolve(app)?),
        Verb::Graph { workflow, format } => look::graph(app, workflow, *format),
        Verb::Log { run } => log(app, &run.resolve(app)?),
        Verb::Gc { older_than, dry_run } => collect(app, *older_than, *dry_run),
    }
}

fn show(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    match RunKind::of(app, id)? {
        RunKind::Change => {}
        RunKind::Question => return questions::show(app, id),
        RunKind::Kata => return katas::show(app, id),
        RunKind::Ticket => return tickets::show(app, id),
    }
    let state = summary(&run_view::context(app)?, id)?;
    if app.ui.json {
        app.ui.print_json(&json!({
            "run": id, "repo": state.started.repo, "stands": state.stands(false),
            "notes": state.course.notes, "tasks": state.tasks, "ledger": state.change.ledger,
            "backup": state.change.backup,
        }))?;
    } else {
        run_view::show(app, &state)?;
    }
    Ok(Outcome::Done)
}

/// The diffs of a run that waits, one task after the other.
pub(crate) fn show_diff(app: &App, id: &RunId) -> Result<(), CliError> {
    diff(app, id).map(|_| ())
}

fn diff(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    if RunKind::of(app, id)? == RunKind::Ticket {
        return tickets::diff(app, id);
    }
    let context = run_view::context(app)?;
    let state = summary(&context, id)?;
    if let Phase::Approval(task) = state.phase() {
        show_change(app, &state, task)?;
        return Ok(Outcome::Done);
    }
    let report = RunDir::new(&context.host.home, id).report();
    // A run from before there was a patch a file has those of its tasks among the diffs.
    let of_tasks = report.join("tasks");
    let dir = if of_tasks.is_dir() { of_tasks } else { report.join("diffs") };
    let mut all = Vec::new();
    for name in fs::list(&dir)? {
        let bytes = fs::read(&dir.join(&name))?;
        if app.ui.json {
            let (name, diff) = (name.to_string_lossy(), String::from_utf8_lossy(&bytes));
            app.ui.print_json(&json!({ "file": name, "diff": diff }))?;
        }
        all.extend(bytes);
    }
    if !app.ui.json && all.is_empty() {
        app.ui.note(&format!("run {id} has no diffs"));
    } else if !app.ui.json {
        diff_view::print(app, &all)?;
    }
    Ok(Outcome::Done)
}

fn log(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    match RunKind::of(app, id)? {
        RunKind::Change => {}
        RunKind::Question => return log_of::<Ask>(app, id),
        RunKind::Kata => return log_of::<Kata>(app, id),
        RunKind::Ticket => return log_of::<Ticketing>(app, id),
    }
    summary(&run_view::context(app)?, id)?;
    log_of::<Refactor>(app, id)
}

fn log_of<W: Workflow>(app: &App, id: &RunId) -> Result<Outcome, CliError> {
    let contents = journal::read::<W>(&RunDir::new(app.home()?, id)).map_err(RunError::from)?;
    for record in &contents.records {
        if app.ui.json {
            app.ui.print_json(record)?;
            continue;
        }
        let mut value = serde_json::to_value(&record.event).expect("an event is plain data");
        let name = value.as_object_mut().and_then(|object| object.remove("event"));
        let name = name.as_ref().and_then(|name| name.as_str()).unwrap_or_default().to_owned();
        let rest = value.as_object().filter(|object| !object.is_empty()).map(|_| value.to_string());
        let line = format!("{}  {name}  {}", record.at, rest.unwrap_or_default());
        app.ui.print(&format!("{}\n", printable(line.trim_end())))?;
    }
    Ok(Outcome::Done)
}

/// A run that goes, and all that goes with it.
fn cleared_words<O: Copy>(gone: &Cleared<O>, words: fn(O) -> &'static str) -> String {
    let outcome = gone.outcome.map_or("never started", words);
    let tasks = plural(gone.tasks as u64, "task");
    let backups = plural(gone.backups as u64, "backup");
    let kib = gone.bytes.div_ceil(1024);
    format!("{}  {outcome}: {tasks}, logs and reports, {backups} ({kib} KiB)", gone.run)
}

fn collect(app: &App, days: u32, dry_run: bool) -> Result<Outcome, CliError> {
    let options = GcOptions {
        older_than: Duration::from_secs(u64::from(days) * 86_400),
        mode: if dry_run { GcMode::Preview } else { GcMode::Remove },
    };
    let host = change_run::host(app)?;
    let verb = if dry_run { "would remove" } else { "removed" };
    let print = |run: &RunId, bytes: u64, words: &str| {
        if app.ui.json {
            return app.ui.print_json(&json!({ "run": run, "bytes": bytes, "removed": !dry_run }));
        }
        app.ui.print(&format!("{verb} {words}\n"))
    };
    let cleared = gc::<Refactor>(&host, options).map_err(RunError::from)?;
    for gone in &cleared {
        print(&gone.run, gone.bytes, &cleared_words(gone, RunOutcome::words))?;
    }
    let mut tickets = gc::<Ticketing>(&host, options).map_err(RunError::from)?;
    // A run that never began is one of any workflow.
    tickets.retain(|gone| gone.outcome.is_some());
    for gone in &tickets {
        print(&gone.run, gone.bytes, &cleared_words(gone, TicketOutcome::words))?;
    }
    let mut others = clear::<Ask>(app, options, "question: its log and its answer")?;
    others.extend(clear::<Kata>(app, options, "kata: its log; its project stays")?);
    for gone in &others {
        print(&gone.run, gone.bytes, &gone.words())?;
    }
    if cleared.is_empty() && tickets.is_empty() && others.is_empty() && !app.ui.json {
        app.ui.note("nothing to remove");
    }
    Ok(Outcome::Done)
}
