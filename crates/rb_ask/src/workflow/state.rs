//! What a journal says about a question.

use rb_flow::{Course, RunState};
use rb_trust::Finding;
use serde::Serialize;

use super::Ask;
use super::event::{AskEvent, Event, Explored, Outcome, RunEvent, Start};
use crate::answer::{Answer, Counts};
use crate::guide::reflection::Recommendation;
use crate::plan::Plan;

#[derive(Debug, Clone)]
pub struct State {
    pub start: Start,
    /// All plans, the last one is the one that counts.
    pub plans: Vec<Plan>,
    pub warnings: Vec<String>,
    pub recommendations: Vec<(u32, Recommendation)>,
    /// One for each round.
    pub explored: Vec<Explored>,
    /// Rounds whose drafts were checked.
    checked: u32,
    /// What failed of the last draft.
    pub faults: Vec<String>,
    pub counts: Option<Counts>,
    pub answer: Option<Answer>,
    pub course: Course<Ask>,
}

impl State {
    /// In a word or two that do not change. `busy`: a process is working on the run.
    pub fn stands(&self, busy: bool) -> &'static str {
        match self.course.outcome {
            Some(Outcome::Answered) => "answered",
            Some(Outcome::NothingVerified) => "nothing verified",
            None if busy => "at work",
            None => "resumable",
        }
    }

    /// The round that comes next, or is under way.
    pub(crate) fn round(&self) -> u32 {
        self.checked.saturating_add(1)
    }

    /// Tool calls of all rounds.
    pub fn calls(&self) -> u32 {
        self.explored.iter().map(|explored| explored.calls).sum()
    }

    /// Files that the model read, each once, in the order of first reading.
    pub fn files_read(&self) -> Vec<String> {
        let mut files: Vec<String> = Vec::new();
        for file in self.explored.iter().flat_map(|explored| &explored.files_read) {
            if !files.contains(file) {
                files.push(file.clone());
            }
        }
        files
    }

    fn take_own(&mut self, event: &AskEvent) {
        match event {
            AskEvent::Planned { steps, reason, .. } => {
                add(&mut self.plans, Plan { steps: steps.clone(), reason: reason.clone() });
            }
            AskEvent::Warned { text, .. } => add(&mut self.warnings, text.clone()),
            AskEvent::Reflected { call, recommendation, .. } => {
                add(&mut self.recommendations, (*call, *recommendation));
            }
            AskEvent::OffTrack { call, .. } => {
                let text =
                    format!("The calls up to call {call} had nothing to do with the question.");
                add(&mut self.warnings, text);
            }
            // The answer says it.
            AskEvent::Evicted { .. } => {}
            AskEvent::Explored(explored) => {
                self.explored.retain(|known| known.round != explored.round);
                self.explored.push((**explored).clone());
            }
            AskEvent::Checked { round, counts, faults } => {
                self.checked = *round;
                self.counts = Some(*counts);
                self.faults.clone_from(faults);
            }
            // Of two drafts it may be the first, and the last check was of the second.
            AskEvent::Answered { answer } => {
                self.counts = Some(answer.counts);
                self.answer = Some((**answer).clone());
            }
        }
    }
}

/// A node that was killed and performed again says the same twice.
fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

impl RunState<Ask> for State {
    fn new(start: Start) -> Self {
        State {
            start,
            plans: Vec::new(),
            warnings: Vec::new(),
            recommendations: Vec::new(),
            explored: Vec::new(),
            checked: 0,
            faults: Vec::new(),
            counts: None,
            answer: None,
            course: Course::default(),
        }
    }

    fn start(&self) -> &Start {
        &self.start
    }

    fn take(&mut self, event: &Event) {
        match event {
            Event::Own(own) => self.take_own(own),
            Event::Run(RunEvent::Suspected { path, findings, .. }) => {
                for note in suspicions(&path.to_string(), findings) {
                    self.course.note(note);
                }
            }
            Event::Run(_) => {}
        }
        self.course.take(event, "");
    }

    fn course(&self) -> &Course<Ask> {
        &self.course
    }
}

fn suspicions(path: &str, findings: &[Finding]) -> Vec<String> {
    let line = |found: &Finding| {
        let Finding { line, kind, score, excerpt, .. } = found;
        format!("{path}:{line}: suspicious text ({}, {score} of 100): {excerpt}", kind.name())
    };
    findings.iter().map(line).collect()
}

/// The state as `state.json` shows it.
#[derive(Serialize)]
pub(super) struct Saved<'s> {
    question: &'s str,
    plans: &'s [Plan],
    warnings: &'s [String],
    calls: u32,
    files_read: Vec<String>,
    counts: Option<Counts>,
    notes: &'s [String],
}

impl<'s> Saved<'s> {
    pub(super) fn of(state: &'s State) -> Self {
        Saved {
            question: &state.start.question,
            plans: &state.plans,
            warnings: &state.warnings,
            calls: state.calls(),
            files_read: state.files_read(),
            counts: state.counts,
            notes: &state.course.notes,
        }
    }
}
