//! A ticket's run as people read it. All text of tickets, pages and models passes `printable`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use rb_core::Verdict;
use rb_ticket::checks::derive;
use rb_ticket::context_use::SINGLE_SESSION;
use rb_ticket::workflow::event::{Mode, Outcome as TicketOutcome};
use rb_ticket::workflow::state::{Phase, State};

use super::{headline, is_in_vain, round_lines, spent};
use crate::app::App;
use crate::error::CliError;
use crate::numbers::plural;
use crate::ui::printable;
use crate::{change_run, run_view};

/// The most reasons that are shown; all are in the records below `verify/`.
const REASONS: usize = 5;

/// What was done, what was found, and what to do next.
pub(super) fn text(app: &App, state: &State) -> Result<String, CliError> {
    let start = &state.start;
    let repo = printable(&start.repo.display().to_string());
    if let Mode::TicketRollback { of, .. } = &start.workflow {
        let text = format!("run {}  {repo}\nrollback of {of}\n", start.run);
        return Ok(text + &ending(state));
    }
    let ticket = &start.ticket;
    let mut text = format!("{}\n", headline(ticket));
    let _ = writeln!(
        text,
        "  {}",
        criteria_words(ticket.criteria.len(), derive(ticket).unchecked.len())
    );
    let _ = writeln!(text, "run {}  {repo}", start.run);
    for note in &state.course.notes {
        let _ = writeln!(text, "  note: {}", printable(note));
    }
    for entry in &state.change.ledger {
        text.push_str(&run_view::task_lines(&app.ui, entry, None, &BTreeMap::new()));
    }
    text.push_str(&tests(state));
    for line in state.rounds.iter().flat_map(round_lines) {
        let _ = writeln!(text, "{}", printable(&line));
    }
    text.push_str(&models(app, state)?);
    if let Some(report) = state.report.as_deref().filter(|_| state.change.has_changes()) {
        let at = |name: &str| printable(&report.join(name).display().to_string());
        let _ = write!(text, "Pull request text: {}", at("pr.md"));
        if report.join("evidence").is_dir() {
            let _ = write!(text, ", evidence: {}", at("evidence"));
        }
        text.push('\n');
    }
    if let Some((branch, url)) = &state.published {
        let _ = writeln!(text, "Pushed: {}", printable(branch));
        if let Some(url) = url {
            let _ = writeln!(text, "Pull request: {}", printable(url));
        }
    }
    Ok(text + &ending(state))
}

/// How many criteria there are, and how many of them need no model.
pub(crate) fn criteria_words(all: usize, unchecked: usize) -> String {
    let criteria = match all {
        1 => "1 acceptance criterion".to_owned(),
        all => format!("{all} acceptance criteria"),
    };
    match all - unchecked.min(all) {
        0 => format!("{criteria}, none can be checked without a model"),
        own if own == all && all > 1 => format!("{criteria}, all can be checked without a model"),
        1 if all == 1 => format!("{criteria}, which can be checked without a model"),
        own => format!("{criteria}, {own} of them can be checked without a model"),
    }
}

fn tests(state: &State) -> String {
    if state.change.baseline.is_none() && state.change.ledger.is_empty() {
        return String::new();
    }
    let mut text = format!("tests: {}\n", state.test_verdict().words());
    let reasons = match state.test_verdict() {
        Verdict::Fail if !state.change.full_reasons.is_empty() => &state.change.full_reasons,
        Verdict::Fail => &state.change.baseline_reasons,
        Verdict::Pass | Verdict::NoVerifierRan => return text,
    };
    for reason in reasons.iter().take(REASONS) {
        let _ = writeln!(text, "  {}", printable(reason));
    }
    text
}

/// What each agent took of a model's context.
fn models(app: &App, state: &State) -> Result<String, CliError> {
    let spent = spent(app, &state.start.run)?;
    if spent.calls == 0 {
        return Ok(String::new());
    }
    let cost = match &spent.usd {
        Some(usd) => format!("${usd}"),
        None => "unknown price".to_owned(),
    };
    let (calls, tokens) = (plural(spent.calls, "model call"), plural(spent.tokens, "token"));
    let mut text = format!("cost: {cost}, {calls}, {tokens}\n");
    for agent in &spent.agents {
        let largest = plural(agent.largest_context, "token");
        let calls = plural(agent.calls, "call");
        let _ = writeln!(text, "  {}: {calls}, largest context {largest}", printable(&agent.agent));
    }
    let session = plural(SINGLE_SESSION, "token");
    let _ = writeln!(text, "  estimate for one session that does all of it: {session}");
    Ok(text)
}

/// What to do next.
fn ending(state: &State) -> String {
    let run = &state.start.run;
    match state.phase() {
        Phase::Waiting => {
            let (words, flag) = match (state.test_verdict(), state.browser_verdict()) {
                (Verdict::Fail, _) => ("It fails the repository's checks. ", " --failing"),
                (_, Verdict::Fail) => ("Not all criteria are met. ", " --failing"),
                (_, Verdict::NoVerifierRan) => ("No criterion was checked. ", ""),
                (_, Verdict::Pass) => ("", ""),
            };
            let seen = change_run::changed_tests(&rb_change::changed_tests(state));
            format!(
                "\nYour checkout is unchanged. {words}{seen}Review the diff, then accept or reject:\n  \
                 refactor-bot runs show {run} --diff\n  \
                 refactor-bot accept {run}{flag}\n  \
                 refactor-bot reject {run}\n"
            )
        }
        Phase::Landing => {
            format!("\n`accept` was interrupted. To finish it:\n  refactor-bot accept {run}\n")
        }
        Phase::Unfinished => {
            let why = state.course.left_off.as_deref();
            let why = printable(why.unwrap_or("it was interrupted, or is still running"));
            format!("\nNot finished: {why}. To continue:\n  refactor-bot resume {run}\n")
        }
        Phase::Ended(outcome) => format!("\n{}\n", ended(state, outcome)),
    }
}

fn ended(state: &State, outcome: TicketOutcome) -> String {
    let run = &state.start.run;
    match outcome {
        TicketOutcome::Accepted => change_run::accepted(&state.change, run),
        TicketOutcome::BranchKept => change_run::branch_kept(&state.branch().unwrap_or_default()),
        TicketOutcome::Rejected => change_run::rejected(&state.change, run),
        TicketOutcome::RolledBack => format!(
            "Rolled back: your checkout is as it was before the run. To undo:\n  refactor-bot rollback {run}"
        ),
        TicketOutcome::Noop if is_in_vain(state) => {
            "Nothing changed: no attempt passed its checks.".to_owned()
        }
        TicketOutcome::Noop => "Nothing changed, and no criterion was checked.".to_owned(),
        TicketOutcome::BaselineFailed => format!(
            "No change was attempted: the repository already fails its own checks. To see what fails:\n  \
             refactor-bot verify {}\n\
             To continue anyway, so that only new failures count, pass --allow-failing-baseline.",
            printable(&state.start.repo.display().to_string())
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tk1_criteria_are_counted_in_a_sentence() {
        let check = |all, unchecked, expected: &str| {
            assert_eq!(criteria_words(all, unchecked), expected);
        };
        check(5, 1, "5 acceptance criteria, 4 of them can be checked without a model");
        check(5, 0, "5 acceptance criteria, all can be checked without a model");
        check(1, 0, "1 acceptance criterion, which can be checked without a model");
        check(2, 2, "2 acceptance criteria, none can be checked without a model");
    }
}
