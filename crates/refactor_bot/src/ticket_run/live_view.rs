//! The live view of a ticket: what is done and what came of it, a line on standard error for each event.
//!
//! It folds the events into a `State` of its own, so that it knows the task. It decides nothing.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rb_change::ChangeEvent;
use rb_core::clock::Timestamp;
use rb_core::{RunId, TaskId};
use rb_flow::{Observer, Record, RunState as _};
use rb_ticket::workflow::Ticketing;
use rb_ticket::workflow::event::{Event, RunEvent, TicketEvent};
use rb_ticket::workflow::state::State;
use rb_verify::Effort;

use super::{headline, round_lines};
use crate::app::App;
use crate::ui::{Detail, Ui};

/// How much of a reason is shown.
const LONGEST: usize = 160;

pub(super) struct LiveView {
    ui: Ui,
    /// At a terminal, or if asked for.
    speaks: bool,
    known: Mutex<Known>,
}

/// What the events so far say.
#[derive(Default)]
struct Known {
    /// `None` until the run has begun.
    state: Option<State>,
    /// When the node at hand was entered.
    entered: Option<Timestamp>,
}

impl LiveView {
    /// `state` is what an earlier process left.
    pub(super) fn new(app: &App, state: Option<State>) -> Arc<LiveView> {
        let ui = app.ui.clone();
        let speaks = ui.live || ui.detail == Detail::Verbose;
        Arc::new(LiveView { ui, speaks, known: Mutex::new(Known { state, entered: None }) })
    }

    pub(super) fn observer(self: &Arc<Self>) -> Observer<Ticketing> {
        let view = Arc::clone(self);
        Arc::new(move |record: &Record<Ticketing>| view.take(record))
    }

    /// The run that was begun: whoever stops it wants to know its name.
    pub(super) fn run(&self) -> Option<RunId> {
        self.known().state.as_ref().map(|state| state.start.run.clone())
    }

    fn take(&self, record: &Record<Ticketing>) {
        let mut known = self.known();
        if let Event::Run(RunEvent::RunStarted(start)) = &record.event {
            self.say(&[headline(&start.ticket)]);
            known.state = Some(State::new(start.clone()));
            return;
        }
        if let Event::Run(RunEvent::Entered { .. }) = &record.event {
            known.entered = Some(record.at);
        }
        let seconds = known.entered.map_or(0, |entered| record.at.since(entered).as_secs());
        let Some(state) = known.state.as_mut() else { return };
        let lines = told(state, &record.event, seconds);
        state.take(&record.event);
        self.say(&lines);
    }

    fn say(&self, lines: &[String]) {
        for line in lines.iter().filter(|_| self.speaks) {
            self.ui.note(line);
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an event is told as; `state` is that before it, `seconds` how long the node took so far.
fn told(state: &State, event: &Event, seconds: u64) -> Vec<String> {
    match event {
        Event::Own(own) => result(own, seconds),
        Event::Run(RunEvent::Entered { node, .. }) => action(state, node).into_iter().collect(),
        Event::Run(RunEvent::ModelFailed { role, reason, .. }) => {
            vec![format!("{role}: model failed: {}", first_sentence(reason))]
        }
        Event::Run(RunEvent::Resumed) => vec!["resumed".to_owned()],
        Event::Run(RunEvent::Suspected { path, .. }) => {
            vec![format!("suspicious text in {path} is not followed")]
        }
        Event::Run(_) => Vec::new(),
    }
}

/// What an agent is about to do.
fn action(state: &State, node: &str) -> Option<String> {
    match node {
        "implement" => Some("implementing …".to_owned()),
        "fix" => {
            let issues = state.rounds.last().map_or(0, |round| round.issues.len());
            let issues = crate::numbers::plural(issues as u64, "issue");
            Some(format!("fixing {issues} …"))
        }
        "browse" => Some("looking at the application …".to_owned()),
        "write_pr" => Some("writing the pull request …".to_owned()),
        _ => None,
    }
}

fn result(event: &TicketEvent, seconds: u64) -> Vec<String> {
    match event {
        TicketEvent::Proposed { task, summary, .. } => {
            let what = if *task == TaskId(1) { "implemented" } else { "fixed" };
            let summary = first_sentence(summary);
            let summary = if summary.is_empty() { summary } else { format!(": {summary}") };
            vec![format!("{what} in {seconds} s{summary}")]
        }
        TicketEvent::TryFailed { attempt, reasons, again, .. } => {
            let next = if *again { "trying again" } else { "giving up" };
            let why = reasons.first().map(|why| first_sentence(why)).unwrap_or_default();
            vec![format!("attempt {attempt} failed, {next}: {why}")]
        }
        TicketEvent::Browsed(round) => round_lines(round),
        TicketEvent::Published { branch, url } => {
            let url = url.as_ref().map(|url| format!(", {url}")).unwrap_or_default();
            vec![format!("pushed {branch}{url}")]
        }
        TicketEvent::Change(ChangeEvent::BaselineTaken { verdict, .. }) => {
            vec![format!("baseline: {}", verdict.words())]
        }
        TicketEvent::Change(ChangeEvent::VerifyEnded { effort, verdict, .. }) => {
            let what = match effort {
                Effort::Fast => "tests",
                Effort::Full => "all tests",
            };
            vec![format!("{what}: {}", verdict.words())]
        }
        TicketEvent::Assigned { .. }
        | TicketEvent::NotProposed { .. }
        | TicketEvent::PrWritten { .. }
        | TicketEvent::BranchNamed { .. }
        | TicketEvent::Change(_) => Vec::new(),
    }
}

/// The first sentence, cut off where it is long: a model may write any amount.
fn first_sentence(text: &str) -> String {
    let text = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let sentence = text.split(". ").next().unwrap_or_default().trim_end_matches('.');
    let mut short: String = sentence.chars().take(LONGEST).collect();
    if short.len() < sentence.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use rb_change::Failure;
    use rb_core::Verdict;
    use rb_ticket::workflow::event::Round;

    use super::*;

    #[test]
    fn tk2_results_are_told_in_a_line() {
        let check = |event: TicketEvent, expected: &[&str]| {
            assert_eq!(result(&event, 12), expected);
        };
        let summary = "Cards show the points. The rest is as it was.".to_owned();
        let task = TaskId(1);
        check(
            TicketEvent::Proposed { task, summary, reason: String::new() },
            &["implemented in 12 s: Cards show the points"],
        );
        let proposed = |task| {
            let (summary, reason) = (String::new(), String::new());
            TicketEvent::Proposed { task, summary, reason }
        };
        check(proposed(TaskId(2)), &["fixed in 12 s"]);
        let failed = |again| {
            let reasons = vec!["the patch does not fit. Line 3".to_owned()];
            TicketEvent::TryFailed { task, attempt: 1, failure: Failure::Patch, reasons, again }
        };
        check(failed(true), &["attempt 1 failed, trying again: the patch does not fit"]);
        check(failed(false), &["attempt 1 failed, giving up: the patch does not fit"]);
        let round = Round {
            number: 2,
            commit: "0".repeat(40),
            checks: 8,
            met: 8,
            unchecked: vec!["C5: only a person can tell".to_owned()],
            issues: Vec::new(),
            folder: "browser/2".into(),
        };
        let unseen = Round { checks: 0, met: 0, unchecked: Vec::new(), ..round.clone() };
        check(
            TicketEvent::Browsed(Box::new(round)),
            &["browser, round 2: 8 of 8 checks met", "  not checked: C5: only a person can tell"],
        );
        check(TicketEvent::Browsed(Box::new(unseen)), &["browser, round 2: nothing was checked"]);
        let published = |url: Option<&str>| TicketEvent::Published {
            branch: "fix/SHOP-31-points".to_owned(),
            url: url.map(str::to_owned),
        };
        check(published(None), &["pushed fix/SHOP-31-points"]);
        check(published(Some("https://x/1")), &["pushed fix/SHOP-31-points, https://x/1"]);
        assert_eq!(Verdict::Pass.words(), "pass");
    }
}
