//! How far a run has come, as every workflow has it: folded from the events that all runs share.

use crate::event::{Event, RunEvent};
use crate::graph::Position;
use crate::workflow::Workflow;

#[derive(Debug, Clone)]
pub struct Course<W: Workflow> {
    pub position: Position,
    /// A person has to say something.
    pub waiting: bool,
    pub notes: Vec<String>,
    pub outcome: Option<W::Outcome>,
    /// Why the last process left off, if it could say so.
    pub left_off: Option<String>,
    /// Time that nodes took since the run began, or was last gone on with.
    pub worked_ms: u64,
}

impl<W: Workflow> Default for Course<W> {
    fn default() -> Self {
        Course {
            position: Position::default(),
            waiting: false,
            notes: Vec::new(),
            outcome: None,
            left_off: None,
            worked_ms: 0,
        }
    }
}

/// Where a run stands, as people read it. Programs get the words of `stands`, which do not change.
pub fn state_words(stands: &str) -> &str {
    match stands {
        "at work" => "running",
        "landing cut off" => "accept interrupted",
        "could not begin" => "failed to start",
        "not served" => "not supported",
        stands => stands,
    }
}

/// What a run says where a person interrupted it.
const INTERRUPTED: &str = "interrupted";

impl<W: Workflow> Course<W> {
    /// Takes in an event; `lap` is that of the state after it.
    pub fn take(&mut self, event: &Event<W>, lap: &str) {
        let Event::Run(event) = event else { return };
        match event {
            RunEvent::Entered { node, from, ms } => {
                self.worked_ms += ms;
                self.waiting = false;
                self.position.enter(node, from.as_deref(), lap);
            }
            RunEvent::Noted { text } => self.note(text.clone()),
            RunEvent::Waiting => self.waiting = true,
            RunEvent::Interrupted => self.left_off = Some(INTERRUPTED.to_owned()),
            RunEvent::Stopped { reason } => self.left_off = Some(reason.clone()),
            RunEvent::Resumed => {
                self.left_off = None;
                self.worked_ms = 0;
            }
            RunEvent::RunEnded { outcome } => self.outcome = Some(*outcome),
            RunEvent::RunStarted(_)
            | RunEvent::ModelCallStarted { .. }
            | RunEvent::ModelCalled { .. }
            | RunEvent::ModelFailed { .. }
            | RunEvent::ToolCalled { .. }
            | RunEvent::Suspected { .. }
            | RunEvent::Recovered { .. } => {}
        }
    }

    /// A node that was killed and performed again says the same twice.
    pub fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// It stopped by itself, and nobody interrupted it.
    pub fn has_stopped(&self) -> bool {
        self.left_off.as_deref().is_some_and(|why| why != INTERRUPTED)
    }
}
