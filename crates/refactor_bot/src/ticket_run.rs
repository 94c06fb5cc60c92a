//! Tickets as runs: begun, resumed, shown live on standard error, and summed up.

mod live_view;
mod screen;

use rb_core::{RunId, Verdict};
use rb_flow::{RunDir, journal, spending};
use rb_ticket::context_use::{self, AgentUse, SINGLE_SESSION};
use rb_ticket::workflow::event::{Orders, Outcome as TicketOutcome, Round};
use rb_ticket::workflow::state::{Phase, State};
use rb_ticket::workflow::{self, Context, StartOptions, Ticketing};
use rb_ticket::{Ticket, TicketError};
use rb_workspace::ledger::TaskStatus;
use serde_json::{Value, json};

use self::live_view::LiveView;
use crate::app::App;
use crate::error::{CliError, ErrorKind, Outcome};
use crate::run_desk::{self, ChosenDesk};
use crate::ui::printable;
use crate::{change_run, ticket_error, verify_settings};

pub(crate) use self::screen::criteria_words;
use self::screen::text;

/// What the workflow needs, without models and without an observer.
pub(crate) fn context(app: &App) -> Result<Context, CliError> {
    Ok(Context { host: change_run::host(app)?, observer: None, models: None })
}

/// Works on a ticket, with the models at `desk` if there are any.
pub(crate) fn start(
    app: &App,
    desk: Option<ChosenDesk>,
    options: StartOptions,
) -> Result<State, CliError> {
    let view = LiveView::new(app, None);
    let mut context = context(app)?;
    context.observer = Some(view.observer());
    if let Some(verify) = &options.orders.verify {
        context.host.shell = context.host.shell.with_values(&verify.options.env);
    }
    match desk {
        Some(desk) => desk.put_into(&mut context),
        None => context.host.search = run_desk::search(app, Some(&options.target))?,
    }
    workflow::start(&context, options).map_err(|error| match view.run() {
        Some(run) => ticket_error::of_run(error, &run),
        None => error.into(),
    })
}

/// Resumes an interrupted run. One that has ended is only read.
pub(crate) fn resume(app: &App, id: &RunId) -> Result<State, CliError> {
    let mut context = context(app)?;
    let before = workflow::summary(&context, id)?;
    if before.course.outcome.is_some() {
        return Ok(before);
    }
    let repo = before.start.repo.clone();
    let Orders { verify, models, .. } = &*before.start.orders;
    if let Some(verify) = verify {
        let project = repo.is_dir().then_some(repo.as_path());
        context.host.shell = verify_settings::shell_for(app, project, id, &verify.options)?;
    }
    if let Some(choice) = models {
        let dir = RunDir::new(app.home()?, id);
        run_desk::again_for::<Ticketing>(app, &repo, choice, &dir)?.put_into(&mut context);
    }
    context.observer = Some(LiveView::new(app, Some(before)).observer());
    workflow::resume(&context, id.clone()).map_err(|error| ticket_error::of_run(error, id))
}

/// Prints where a run stands and gives the exit code that goes with it.
pub(crate) fn show(app: &App, state: &State) -> Result<Outcome, CliError> {
    if app.ui.json {
        app.ui.print_json(&summary(app, state)?)?;
    } else {
        app.ui.print(&text(app, state)?)?;
    }
    Ok(exit(state))
}

/// Whether tests and browser say yes to what waits.
pub(crate) fn is_all_passed(state: &State) -> bool {
    state.change.has_changes()
        && state.test_verdict() != Verdict::Fail
        && state.browser_verdict() == Verdict::Pass
}

/// Whether a person has to look before it is accepted or pushed: an agent changed tests.
pub(crate) fn must_be_seen(state: &State) -> bool {
    !rb_change::changed_tests(state).is_empty()
}

fn exit(state: &State) -> Outcome {
    match state.phase() {
        Phase::Waiting if is_all_passed(state) => Outcome::Done,
        // Where nothing was changed, nothing was looked at: that is no pass.
        Phase::Waiting | Phase::Ended(TicketOutcome::BaselineFailed | TicketOutcome::Noop) => {
            let is_refused = state.test_verdict() == Verdict::Fail || is_in_vain(state);
            let kind = if is_refused { ErrorKind::Refused } else { ErrorKind::Incomplete };
            Outcome::Reported(kind)
        }
        Phase::Ended(
            TicketOutcome::Accepted
            | TicketOutcome::BranchKept
            | TicketOutcome::Rejected
            | TicketOutcome::RolledBack,
        )
        | Phase::Unfinished
        | Phase::Landing => Outcome::Done,
    }
}

/// Whether no try of the implementation held.
fn is_in_vain(state: &State) -> bool {
    let mut tasks = state.change.ledger.iter();
    !state.change.has_changes() && tasks.any(|entry| entry.status == TaskStatus::Skipped)
}

/// What the models took.
pub(crate) struct Spent {
    pub(crate) agents: Vec<AgentUse>,
    pub(crate) calls: u64,
    pub(crate) tokens: u64,
    /// Unless a price is unknown.
    pub(crate) usd: Option<String>,
}

pub(crate) fn spent(app: &App, run: &RunId) -> Result<Spent, CliError> {
    let dir = RunDir::new(app.home()?, run);
    let records = journal::read::<Ticketing>(&dir).map_err(TicketError::from)?.records;
    let total = spending::ledger(&records).total();
    let is_priced = total.calls > 0 && total.unknown == 0;
    let usd = is_priced.then(|| total.cost.to_string().trim_start_matches('$').to_owned());
    let agents = context_use::of(&records);
    Ok(Spent { agents, calls: total.calls, tokens: total.usage.total(), usd })
}

/// A run for a program: one object.
pub(crate) fn summary(app: &App, state: &State) -> Result<Value, CliError> {
    let start = &state.start;
    let Spent { agents, calls, tokens, usd } = spent(app, &start.run)?;
    let published = state.published.as_ref();
    Ok(json!({
        "run": start.run,
        "repo": start.repo,
        "stands": state.stands(false),
        "ticket": { "key": start.ticket.key, "title": start.ticket.title, "criteria": start.ticket.criteria },
        "verdicts": { "tests": state.test_verdict(), "browser": state.browser_verdict() },
        "rounds": state.rounds,
        "tasks": state.change.ledger,
        "files": changed_files(state),
        "branch": state.branch(),
        "published": published.map(|(branch, url)| json!({ "branch": branch, "url": url })),
        "report": state.report,
        "context": agents,
        "single_session_estimate": SINGLE_SESSION,
        "model_calls": calls,
        "tokens": tokens,
        "usd": usd,
        "notes": state.course.notes,
    }))
}

pub(crate) fn changed_files(state: &State) -> Vec<String> {
    let kept = state.change.ledger.iter().filter(|entry| entry.commit.is_some());
    let mut files: Vec<String> =
        kept.flat_map(|entry| &entry.touched_files).map(ToString::to_string).collect();
    files.sort();
    files.dedup();
    files
}

/// Key and title. A title that begins with the key is enough.
pub(crate) fn headline(ticket: &Ticket) -> String {
    let Ticket { key, title, .. } = ticket;
    if title.starts_with(key.as_str()) {
        return printable(title);
    }
    printable(&format!("{key}: {title}"))
}

/// One look at the app: how many checks were met, then what was found.
fn round_lines(round: &Round) -> Vec<String> {
    let mut lines = Vec::new();
    let number = round.number;
    if round.checks == 0 && round.issues.is_empty() {
        lines.push(format!("browser, round {number}: nothing was checked"));
    } else {
        let (met, checks) = (round.met, round.checks);
        lines.push(format!("browser, round {number}: {met} of {checks} checks met"));
    }
    for issue in &round.issues {
        let picture = issue.screenshot.as_ref().map(|name| format!("  ({name})"));
        let picture = picture.unwrap_or_default();
        lines.push(format!(
            "  {}; expected: {}; actual: {}{picture}",
            issue.description, issue.expected, issue.actual
        ));
    }
    lines.extend(round.unchecked.iter().map(|line| format!("  not checked: {line}")));
    lines
}
