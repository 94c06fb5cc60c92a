//! The live view of a kata: who is at work, what they do and what came of it, one line on standard error for each event.
//!
//! It folds the events into a `State` of its own, so that it knows the cycle. It decides nothing.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rb_core::RunId;
use rb_flow::{Observer, RunState as _};
use rb_kata::Violation;
use rb_kata::workflow::event::{
    Agent, Commit, CommitKind, DecidedBy, Event, KataEvent, Record, Refusal, RunEvent,
};
use rb_kata::workflow::state::{Phase, TRIES, Trouble};
use rb_kata::workflow::{Kata, State};
use rb_schema::roles::supervisor::Decision;

use super::short_id;
use crate::app::App;
use crate::numbers::plural;
use crate::ui::{Detail, Ui};

/// How much of a reason is shown.
const LONGEST: usize = 160;

pub(super) struct LiveView {
    ui: Ui,
    /// At a terminal, or if asked for.
    speaks: bool,
    /// `None` until the run has begun.
    state: Mutex<Option<State>>,
}

impl LiveView {
    /// `state` is what an earlier process left.
    pub(super) fn new(app: &App, state: Option<State>) -> Arc<LiveView> {
        let ui = app.ui.clone();
        let speaks = ui.live || ui.detail == Detail::Verbose;
        Arc::new(LiveView { ui, speaks, state: Mutex::new(state) })
    }

    pub(super) fn observer(self: &Arc<Self>) -> Observer<Kata> {
        let view = Arc::clone(self);
        Arc::new(move |record: &Record| view.take(&record.event))
    }

    /// The run that was begun: whoever stops it wants to know its name.
    pub(super) fn run(&self) -> Option<RunId> {
        self.state().as_ref().map(|state| state.start.run.clone())
    }

    fn take(&self, event: &Event) {
        let mut known = self.state();
        if let Event::Run(RunEvent::RunStarted(start)) = event {
            *known = Some(State::new(start.clone()));
            return;
        }
        let Some(state) = known.as_mut() else { return };
        let line = told(state, event);
        state.take(event);
        if let Some(line) = line.filter(|_| self.speaks) {
            self.ui.note(&line);
        }
    }

    fn state(&self) -> MutexGuard<'_, Option<State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an event is told as; `state` is that before it.
fn told(state: &State, event: &Event) -> Option<String> {
    match event {
        Event::Own(own) => result(state, own),
        Event::Run(RunEvent::Entered { node, .. }) => action(state, node),
        Event::Run(RunEvent::ModelFailed { role, reason, .. }) => {
            Some(line(state.cycle, role, &format!("model failed: {}", first_sentence(reason))))
        }
        Event::Run(RunEvent::Resumed) => Some(format!("resumed in cycle {}", state.cycle)),
        Event::Run(RunEvent::Suspected { path, .. }) => {
            Some(format!("suspicious text in {path} is not followed"))
        }
        Event::Run(_) => None,
    }
}

/// Columns: cycle, agent, words.
fn line(cycle: u32, agent: &str, words: &str) -> String {
    format!("cycle {cycle:<3}{agent:<12}{words}")
}

/// What an agent is about to do.
fn action(state: &State, node: &str) -> Option<String> {
    let mut words = match node {
        "tester" => "writing a test".to_owned(),
        "implementer" => match &state.red {
            Some(staged) => format!("making `{}` pass", staged.test.name),
            None => "writing code".to_owned(),
        },
        "refactorer" if state.violations.is_empty() => "improving the code".to_owned(),
        "refactorer" => {
            let broken = plural(state.violations.len() as u64, "broken constraint");
            format!("mending {broken}")
        }
        "supervisor" => {
            let trouble = match &state.phase {
                Phase::Supervisor(trouble) => trouble_words(trouble),
                Phase::SetUp
                | Phase::Tester
                | Phase::ProveTest { .. }
                | Phase::Implementer
                | Phase::ProveCode { .. }
                | Phase::Refactorer
                | Phase::ProveRefactoring { .. }
                | Phase::KeepTest
                | Phase::Finish(_) => "what follows",
            };
            return Some(line(state.cycle, node, &format!("deciding: {trouble}")));
        }
        _ => return None,
    };
    if state.attempt > 1 {
        words = format!("{words} (try {} of {TRIES})", state.attempt);
    }
    Some(line(state.cycle, node, &words))
}

fn result(state: &State, event: &KataEvent) -> Option<String> {
    let (agent, words) = match event {
        KataEvent::ProjectReady { files, passing, .. } => {
            let files = plural(files.len() as u64, "file");
            let tests = plural(passing.len() as u64, "test");
            return Some(format!("project ready: {files}, {tests}"));
        }
        KataEvent::TestProposed { name, .. } => {
            (Agent::Tester.name(), format!("proposed `{name}`; running the tests"))
        }
        KataEvent::NothingToTest { reason } => {
            (Agent::Tester.name(), format!("nothing left to test: {}", first_sentence(reason)))
        }
        KataEvent::Red { test, reason, .. } => {
            (Agent::Tester.name(), format!("red: `{}` fails, {}", test.name, reason.words()))
        }
        KataEvent::Overshot { test, .. } => {
            (Agent::Tester.name(), format!("overshoot: `{}` passes at once", test.name))
        }
        KataEvent::CodeProposed { summary, .. } => (Agent::Implementer.name(), proposal(summary)),
        KataEvent::RefactoringProposed { summary, .. } => {
            (Agent::Refactorer.name(), proposal(summary))
        }
        KataEvent::NothingToRefactor { reason } => {
            (Agent::Refactorer.name(), format!("nothing to refactor: {}", first_sentence(reason)))
        }
        KataEvent::Refused { agent, refusal, reason } => {
            let why = first_sentence(reason);
            (agent.name(), format!("refused, {}: {why}", refusal_words(*refusal)))
        }
        KataEvent::Committed(commit) => return Some(committed(commit)),
        KataEvent::ConstraintsChecked { violations } => return broken(state, violations),
        KataEvent::Decided { decision, reason, by, .. } => {
            (Agent::Supervisor.name(), decided(*decision, *by, reason))
        }
        KataEvent::CommitStarted { .. } => return None,
    };
    Some(line(state.cycle, agent, &words))
}

fn broken(state: &State, violations: &[Violation]) -> Option<String> {
    let first = violations.first()?;
    let all = plural(violations.len() as u64, "place");
    let words = format!("broken in {all}, first {}:{}: {}", first.path, first.line, first.what);
    Some(line(state.cycle, "constraints", &words))
}

fn decided(decision: Decision, by: DecidedBy, reason: &str) -> String {
    let by = match by {
        DecidedBy::Model => "",
        DecidedBy::Rule => " (by rule)",
    };
    format!("{}{by}: {}", decision_words(decision), first_sentence(reason))
}

fn proposal(summary: &str) -> String {
    match first_sentence(summary) {
        summary if summary.is_empty() => "proposed a change; running the tests".to_owned(),
        summary => format!("proposed: {summary}; running the tests"),
    }
}

fn committed(commit: &Commit) -> String {
    let agent = match commit.kind {
        CommitKind::Test => Agent::Tester,
        CommitKind::Feat => Agent::Implementer,
        CommitKind::Refactor => Agent::Refactorer,
    };
    let tests = match commit.passing.len() as u64 {
        1 => "1 test passes".to_owned(),
        number => format!("{} pass", plural(number, "test")),
    };
    let words = format!("committed {}  {} ({tests})", short_id(&commit.id), commit.subject);
    line(commit.cycle, agent.name(), &words)
}

/// The first sentence, cut off where it is long: a model may write any amount.
fn first_sentence(text: &str) -> String {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut text = lines.next().unwrap_or_default().to_owned();
    // A line that announces the next one says nothing by itself.
    if text.ends_with(':')
        && let Some(next) = lines.next()
    {
        text = format!("{text} {next}");
    }
    let sentence = text.split(". ").next().unwrap_or_default().trim_end_matches('.');
    let mut short: String = sentence.chars().take(LONGEST).collect();
    if short.len() < sentence.len() {
        short.push('…');
    }
    short
}

fn trouble_words(trouble: &Trouble) -> &'static str {
    match trouble {
        Trouble::NoTest => "no usable test",
        Trouble::Overshoot => "the new test passes at once",
        Trouble::ClaimsComplete { .. } => "is the kata complete?",
        Trouble::NoCode => "the test could not be made to pass",
        Trouble::NoRefactoring => "the refactoring failed",
        Trouble::NoCycles => "no cycle is left; is the kata complete?",
    }
}

fn refusal_words(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Unusable => "unusable answer",
        Refusal::WrongFile => "wrong file",
        Refusal::BadTest => "not one good test",
        Refusal::SyntaxError => "syntax error",
        Refusal::WeakenedTests => "earlier tests changed",
        Refusal::NotRed => "not red",
        Refusal::Vacuous => "tests nothing",
        Refusal::TestsFail => "tests fail",
        Refusal::NotBuilt => "does not build",
        Refusal::TimedOut => "tests timed out",
        Refusal::Constraints => "constraints broken",
        Refusal::NoChange => "no change",
        Refusal::Blocked => "blocked",
    }
}

fn decision_words(decision: Decision) -> &'static str {
    match decision {
        Decision::NextTest => "next test",
        Decision::SimplerTest => "a simpler test first",
        Decision::RefactorFirst => "refactor first",
        Decision::RetryImplementation => "implement again",
        Decision::RetryRefactoring => "refactor again",
        Decision::KeepTest => "keep the test",
        Decision::SkipRefactoring => "skip the refactoring",
        Decision::Done => "done",
        Decision::Stop => "stop",
    }
}

#[cfg(test)]
mod tests;
