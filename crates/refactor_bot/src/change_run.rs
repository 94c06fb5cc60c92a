//! Runs that change a repository, whatever their workflow: what they need, what `accept`, `reject` and `rollback` need to know of
//! one, and how they end in words.

use std::sync::Arc;

use rb_change::{ChangeState, Changes, Context, Host};
use rb_core::{RunId, TaskId, Verdict};
use rb_refactor::{Phase, Refactor, RunError, State};
use rb_repo::SearchModel;
use rb_ticket::TicketError;
use rb_ticket::workflow::Ticketing;
use rb_ticket::workflow::state::{Phase as TicketPhase, State as TicketState};
use rb_verify::Shell;
use rb_workspace::land::Move;

use crate::app::App;
use crate::error::{CliError, Outcome};
use crate::numbers::plural;
use crate::{run_error, run_view, ticket_error, ticket_run};

pub(crate) trait ChangeRun: Changes {
    fn context(app: &App) -> Result<Context<Self>, CliError>;

    /// Whether it waits for a decision and fails its checks.
    fn waits_failing(state: &Self::State) -> bool;

    /// Adds how to go on with the run, where it can be gone on with.
    fn failed(error: Self::Error, run: &RunId) -> CliError;

    /// Prints where a run stands and gives the exit code that goes with it.
    fn show(app: &App, state: &Self::State) -> Result<Outcome, CliError>;
}

impl ChangeRun for Refactor {
    fn context(app: &App) -> Result<Context<Self>, CliError> {
        run_view::context(app)
    }

    fn waits_failing(state: &State) -> bool {
        let is_open = state.change.decision.is_none() && matches!(state.phase(), Phase::Waiting);
        is_open && state.verdict() == Verdict::Fail
    }

    fn failed(error: RunError, run: &RunId) -> CliError {
        run_error::of_run(error, run)
    }

    fn show(app: &App, state: &State) -> Result<Outcome, CliError> {
        run_view::show(app, state)
    }
}

impl ChangeRun for Ticketing {
    fn context(app: &App) -> Result<Context<Self>, CliError> {
        ticket_run::context(app)
    }

    fn waits_failing(state: &TicketState) -> bool {
        let fails = [state.test_verdict(), state.browser_verdict()].contains(&Verdict::Fail);
        fails && state.phase() == TicketPhase::Waiting
    }

    fn failed(error: TicketError, run: &RunId) -> CliError {
        ticket_error::of_run(error, run)
    }

    fn show(app: &App, state: &TicketState) -> Result<Outcome, CliError> {
        ticket_run::show(app, state)
    }
}

/// What every run that changes a repository needs from the machine.
pub(crate) fn host(app: &App) -> Result<Host, CliError> {
    Ok(Host {
        home: app.home()?.clone(),
        env: app.env.clone(),
        shell: Shell::new(app.environment.all()),
        cancel: app.cancel.clone(),
        progress: Arc::new(app.ui.progress()),
        search: Arc::new(SearchModel::local()),
        shim: std::env::current_exe().ok(),
    })
}

/// What a rejection threw away.
pub(crate) fn rejected(change: &ChangeState, run: &RunId) -> String {
    if change.base.is_none() {
        return "Rejected: your checkout is unchanged.".to_owned();
    }
    let commits = change.ledger.iter().filter(|entry| entry.commit.is_some()).count();
    format!(
        "Rejected: removed {} with {}, the worktree and the branch {}. Your checkout is unchanged.",
        plural(change.ledger.len() as u64, "task"),
        plural(commits as u64, "commit"),
        run.branch()
    )
}

/// Where accepted changes are.
pub(crate) fn accepted(change: &ChangeState, run: &RunId) -> String {
    // Commits would have to hold what the person has not committed.
    let is_carried = change.base.as_ref().is_some_and(|base| base.carried);
    let landing = change.landing.as_ref().map(|landing| &landing.commit);
    let how = match landing {
        _ if is_carried => ", uncommitted, next to your own changes".to_owned(),
        Some(Move::Forward { branch, .. }) => format!(", committed on {branch}"),
        Some(Move::FilesOnly) | None => String::new(),
    };
    format!(
        "Accepted: the changes are in your checkout{how}. To undo:\n  refactor-bot rollback {run}"
    )
}

/// What tasks do that a person has to look at, in a sentence; nothing where there are none.
pub(crate) fn tasks_that(tasks: &[TaskId], one: &str, many: &str, what: &str) -> String {
    let names: Vec<String> = tasks.iter().map(ToString::to_string).collect();
    let verb = if tasks.len() == 1 { one } else { many };
    if names.is_empty() { String::new() } else { format!("{} {verb} {what} ", names.join(", ")) }
}

/// Which tasks changed tests.
pub(crate) fn changed_tests(tasks: &[TaskId]) -> String {
    let what = "tests: make sure that the agent did not weaken them.";
    tasks_that(tasks, "changes", "change", what)
}

/// Where changes are that were accepted as a branch.
pub(crate) fn branch_kept(branch: &str) -> String {
    format!(
        "Accepted: the changes are on {branch}; your checkout is unchanged. To merge them:\n  git merge {branch}"
    )
}
