//! The guide as the conversation meets it: which calls are carried out, what is said beside them, and when it is over.

use rb_flow::ask::{OpenResult, Tools, call_in_words};
use rb_models::Tool;
use rb_tools::{ToolSpec, Toolbox};
use serde_json::Value;

use super::call_record::CallRecord;
use super::routing::{self, Routed};
use super::{Guide, breaker, usefulness};
use crate::plan;
use crate::workflow::event::AskEvent;

/// The result of a call that a rule holds back. The reason is given outside the fence, where the model may act on it.
pub(super) const NOT_MADE: &str = "This call was not carried out.";

impl Tools for Guide<'_> {
    fn list(&self) -> Vec<Tool> {
        let tool = |spec: ToolSpec| Tool {
            name: spec.name.to_owned(),
            description: spec.description.to_owned(),
            input: spec.input,
        };
        Toolbox::specs().into_iter().map(tool).chain([plan::tool()]).collect()
    }

    fn begin_call(&mut self, number: u32) {
        self.number = number;
    }

    fn call(&mut self, name: &str, input: &Value) -> Result<String, String> {
        self.journey.calls += 1;
        if name == plan::SET_PLAN {
            return self.set_plan(input);
        }
        self.tell_plan();
        let mut call =
            CallRecord { round: self.round, ..CallRecord::new(self.number, name, input) };
        if let Some(number) = self.same_before(&call) {
            call.failed = true;
            self.calls.push(call);
            return Err(format!("This is call {number} in other words. Its result is above."));
        }
        let is_pointed_to = |path: &str| self.is_named(path, &self.pointed_files);
        let important =
            routing::unimportant_read(&call, &self.calls, is_pointed_to, &self.important);
        let routed = routing::routed(&call, &self.calls, |path| self.is_known(path), &self.warned);
        match routed {
            Routed::Fine => {}
            Routed::Warn(advice) => self.warn(advice),
            Routed::Refuse(advice) => {
                self.put_off.insert((name.to_owned(), input.to_string()));
                call.failed = true;
                self.calls.push(call);
                self.advice.push(advice.to_owned());
                return Err(NOT_MADE.to_owned());
            }
        }
        if let Some(advice) = important {
            self.warn_in_words(routing::UNIMPORTANT, advice);
        }
        self.carry_out(call)
    }

    fn advice(&mut self) -> Option<String> {
        let advice = std::mem::take(&mut self.advice);
        if advice.is_empty() { None } else { Some(advice.join("\n")) }
    }

    /// A chain of calls, the track and the progress are looked at once a round, when all of its results are there.
    fn end_round(&mut self) -> Option<String> {
        self.correct();
        self.reflect();
        self.round += 1;
        self.advice()
    }

    fn may_repeat(&mut self, name: &str, input: &Value) -> bool {
        self.put_off.remove(&(name.to_owned(), input.to_string()))
    }

    fn ended(&mut self) -> Option<String> {
        let sentence = match &self.failure {
            Some(_) => "The repository cannot be read any more.".to_owned(),
            None => {
                let stuck = breaker::stuck(&self.calls)?;
                stuck.sentence(&self.journey.queries(), &self.journey.files_read)
            }
        };
        self.journey.ended = Some(sentence.clone());
        Some(sentence)
    }

    fn least_useful(&mut self, open: &[OpenResult<'_>]) -> Option<usize> {
        let numbers: Vec<u32> = open.iter().map(|result| result.call).collect();
        let nth = usefulness::least(&numbers, &self.calls, &self.question_words)?;
        let OpenResult { call: number, name, input, .. } = open[nth];
        self.lines.forget(number);
        if let Some(call) = self.calls.iter_mut().find(|call| call.number == number) {
            call.removed = true;
        }
        let result = call_in_words(name, input);
        self.journey.evicted.push(result.clone());
        (self.tell)(AskEvent::Evicted { call: number, result }.into());
        Some(nth)
    }
}
