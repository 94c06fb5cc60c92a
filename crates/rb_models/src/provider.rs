//! What a provider is: a name, what it can do, a look whether it is ready, and one try at a call.

use std::time::Instant;

use rb_core::{Cancel, Usd};

use crate::call::{Answer, Request};
use crate::error::{Fault, ModelError};

/// One file of `providers/` each.
pub trait Provider: Send + Sync {
    /// As it is chosen by.
    fn name(&self) -> &str;

    fn abilities(&self) -> Abilities;

    /// What one call may cost at most, where the provider itself sees to that.
    fn most(&self) -> Option<Usd> {
        None
    }

    /// Whether a call could be made, found out without one: no model is asked and nothing is paid.
    fn probe(&self, calling: &Calling<'_>) -> Result<Probe, ModelError>;

    /// Whether there is a model of that name that we may use, as far as that can be found out without asking it. A provider
    /// that cannot tell has no objection.
    fn check_model(&self, _model: &str, _calling: &Calling<'_>) -> Result<(), ModelError> {
        Ok(())
    }

    /// Whether the model may think before it answers, which takes room of the answer. Where nobody knows, it may.
    fn thinks(&self, _model: &str) -> bool {
        true
    }

    /// One try. The value in the answer is as the provider gave it: it is checked by the caller.
    fn ask(&self, request: &Request, calling: &Calling<'_>) -> Result<Answer, ModelError>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Abilities {
    /// Calls tools of ours, and waits for their results.
    pub tools: bool,
    /// Reads files of the request's folder by itself.
    pub reads_files: bool,
    pub schema: SchemaBy,
    /// Every call costs money by the token.
    pub paid: bool,
    /// Tokens that request and answer may have together, where it is known.
    pub window: Option<u64>,
}

/// How a form is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaBy {
    /// The provider sees to it.
    Provider,
    /// The words of the prompt ask for it.
    Prompt,
}

/// Whether a fault settles that a model cannot be asked. Any other may pass, or says that a server does not know the question.
pub(crate) fn forbids(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::BadKey { .. }
            | Fault::NoCredit { .. }
            | Fault::NoSuchModel { .. }
            | Fault::Interrupted
    )
}

/// Whether a name of a model can stand in an address as it is.
pub(crate) fn is_path(model: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-._/:@".contains(c);
    !model.is_empty() && model.chars().all(fits) && !model.contains("..")
}

/// What a look at a provider found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Probe {
    /// Such as the version of a program.
    pub found: String,
    /// How it knows who we are: a login, a key, nothing.
    pub login: String,
}

/// What one try stands in.
pub struct Calling<'a> {
    pub cancel: &'a Cancel,
    /// Told of every sign of life.
    pub heard: &'a (dyn Fn(Heard<'_>) + Sync),
}

/// A sign of life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard<'a> {
    /// The provider has begun to answer.
    Begun,
    /// A piece of the answer.
    Text(&'a str),
    /// Something else is going on, such as thinking or a tool.
    Busy,
}

/// Measures a try.
pub(crate) struct Watch {
    started: Instant,
    first: Option<Instant>,
}

impl Watch {
    pub(crate) fn start() -> Self {
        Watch { started: Instant::now(), first: None }
    }

    /// The first sign of life counts.
    pub(crate) fn heard(&mut self) {
        self.first.get_or_insert_with(Instant::now);
    }

    pub(crate) fn timing(&self) -> crate::call::Timing {
        let first = self.first.map_or(self.started.elapsed(), |first| first - self.started);
        crate::call::Timing::of(first, self.started.elapsed())
    }
}
