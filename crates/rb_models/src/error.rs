//! Why there is no answer, and what follows from it: try again, tell the model, or stop.

use std::time::Duration;

use rb_http::HttpError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::call::{Cost, Usage};

/// No variant and no text in it ever holds a key.
#[derive(Debug, Clone, PartialEq, Error, Serialize, Deserialize)]
#[error("{provider}: {fault}")]
pub struct ModelError {
    pub provider: String,
    pub fault: Fault,
    /// What a person can do about it: whole sentences without a full stop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What the call has cost all the same, where the provider says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<Box<Spent>>,
}

/// What was used up by a call that gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    pub usage: Usage,
    pub cost: Cost,
}

/// Everything that can go wrong with a call. In a recording, times are milliseconds.
#[derive(Debug, Clone, PartialEq, Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    #[error("{what}")]
    NotInstalled { what: String },
    #[error("{what}")]
    NotLoggedIn { what: String },
    #[error("no key is set")]
    NoKey,
    #[error("the key is not accepted: {words}")]
    BadKey { words: String },
    #[error("the account has no credit left: {words}")]
    NoCredit { words: String },
    #[error("there is no model `{model}` for this account: {words}")]
    NoSuchModel { model: String, words: String },
    #[error("the request was refused: {words}")]
    BadRequest { words: String },
    #[error("the request is too long for the model: {words}")]
    TooLong { words: String },
    /// The provider read less than was sent: `ollama` does this without a word.
    #[error("the prompt was cut: {sent} tokens were sent by our count, {read} were read")]
    PromptCut { sent: u64, read: u64 },
    #[error("too many requests: {words}")]
    RateLimited {
        words: String,
        #[serde(default, with = "maybe_ms")]
        wait: Option<Duration>,
    },
    #[error("the provider is overloaded or has a fault ({status}): {words}")]
    Overloaded {
        status: u16,
        words: String,
        #[serde(default, with = "maybe_ms")]
        wait: Option<Duration>,
    },
    #[error("{why}")]
    Unreachable {
        why: String,
        /// The connection was refused or broke off: it may come back.
        lost: bool,
    },
    #[error("no safe connection: {why}")]
    Tls { why: String },
    #[error("no sign of life for {} s", .0.as_secs())]
    Stalled(#[serde(with = "ms")] Duration),
    #[error("no whole answer within {} s", .0.as_secs())]
    TooSlow(#[serde(with = "ms")] Duration),
    /// The answer broke off in the middle.
    #[error("the answer broke off: {why}")]
    Half { why: String },
    #[error("the answer cannot be read: {why}")]
    Malformed { why: String },
    /// The limit of the answer was reached before its end.
    #[error("the answer is longer than the {limit} tokens that it may have")]
    AnswerCut { limit: u64 },
    #[error("the model would not answer: {words}")]
    Refusal { words: String },
    /// Also after it was told so.
    #[error("the answer does not have the form that was asked for: {why}")]
    NotAsAsked { why: String },
    #[error("the provider cannot do this: {what}")]
    Unable { what: String },
    #[error("a program failed: {why}")]
    Program { why: String },
    #[error("the call may bring the cost to {estimate}, over the cap of {cap}; {spent} are spent")]
    OverCap { estimate: rb_core::Usd, cap: rb_core::Usd, spent: rb_core::Usd },
    #[error("the price of `{model}` is not known, so the cap of {cap} cannot be kept")]
    PriceUnknown { model: String, cap: rb_core::Usd },
    #[error("the call is not the recorded one\n{difference}")]
    ReplayDiffers { difference: String },
    #[error("the recording cannot be used: {why}")]
    Recording { why: String },
    #[error("the call was interrupted")]
    Interrupted,
}

/// What to do about a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Advice {
    /// The same call may succeed; not before that time, where the provider says so.
    Retry {
        after: Option<Duration>,
    },
    /// Another question may succeed: these words go into it.
    TellModel(String),
    Stop(Halt),
}

/// Why a run stops; each is an exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// A tool, a login or a key is missing.
    Environment,
    /// Money, time or rate: the run can be resumed.
    Limit,
    /// The model did not do what it was asked for.
    Refused,
    /// What the user set cannot be used.
    Usage,
    Interrupted,
}

impl Fault {
    pub fn advice(&self) -> Advice {
        match self {
            Fault::RateLimited { wait, .. } | Fault::Overloaded { wait, .. } => {
                Advice::Retry { after: *wait }
            }
            Fault::Unreachable { lost: true, .. }
            | Fault::Half { .. }
            | Fault::Malformed { .. }
            | Fault::Stalled(_) => Advice::Retry { after: None },
            Fault::NotAsAsked { why } => Advice::TellModel(why.clone()),
            Fault::AnswerCut { .. } => {
                Advice::TellModel("the answer was cut off because it is too long".to_owned())
            }
            Fault::TooLong { .. } | Fault::PromptCut { .. } => {
                Advice::TellModel("the request is too long for the model".to_owned())
            }
            Fault::NotInstalled { .. }
            | Fault::NotLoggedIn { .. }
            | Fault::NoKey
            | Fault::BadKey { .. }
            | Fault::NoCredit { .. }
            | Fault::Unreachable { lost: false, .. }
            | Fault::Tls { .. }
            | Fault::Program { .. } => Advice::Stop(Halt::Environment),
            Fault::TooSlow(_) | Fault::OverCap { .. } => Advice::Stop(Halt::Limit),
            Fault::NoSuchModel { .. }
            | Fault::BadRequest { .. }
            | Fault::Unable { .. }
            | Fault::PriceUnknown { .. }
            | Fault::Recording { .. } => Advice::Stop(Halt::Usage),
            Fault::Refusal { .. } | Fault::ReplayDiffers { .. } => Advice::Stop(Halt::Refused),
            Fault::Interrupted => Advice::Stop(Halt::Interrupted),
        }
    }

    /// How a run ends where nothing else helps any more: tries are used up, the model was told.
    pub fn halt(&self) -> Halt {
        match (self.advice(), self) {
            (Advice::Stop(halt), _) => halt,
            (Advice::TellModel(_), _) => Halt::Refused,
            (Advice::Retry { .. }, Fault::Unreachable { .. } | Fault::Malformed { .. }) => {
                Halt::Environment
            }
            (Advice::Retry { .. }, _) => Halt::Limit,
        }
    }
}

impl ModelError {
    pub fn new(provider: impl Into<String>, fault: Fault) -> Self {
        ModelError { provider: provider.into(), fault, hint: None, spent: None }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub fn spent(mut self, usage: Usage, cost: Cost) -> Self {
        self.spent = Some(Box::new(Spent { usage, cost }));
        self
    }
}

/// A try that gave no answer, and what it used up all the same.
pub(crate) struct Failed {
    pub(crate) fault: Fault,
    pub(crate) used: Option<(Usage, Cost)>,
}

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Self {
        Failed { fault, used: None }
    }
}

impl Failed {
    pub(crate) fn into_error(self, provider: &str, hint: Option<String>) -> ModelError {
        let mut error = ModelError::new(provider, self.fault);
        error.hint = hint;
        match self.used {
            Some((usage, cost)) => error.spent(usage, cost),
            None => error,
        }
    }
}

impl From<HttpError> for Fault {
    /// What every service means by it; a provider looks at its own codes first.
    fn from(error: HttpError) -> Self {
        match error {
            HttpError::Refused { status, words, wait, .. } => of_status(status, words, wait),
            HttpError::RateLimited { at, wait } => Fault::RateLimited { words: at, wait },
            HttpError::Tls { why, .. } => Fault::Tls { why },
            HttpError::Unreachable { lost, .. } => {
                Fault::Unreachable { why: error.to_string(), lost }
            }
            HttpError::NotJson { why, .. } => Fault::Malformed { why },
            HttpError::TooLarge { .. } => Fault::Malformed { why: error.to_string() },
            HttpError::Stalled { silent, .. } => Fault::Stalled(silent),
            HttpError::TooSlow { limit, .. } => Fault::TooSlow(limit),
            HttpError::Interrupted => Fault::Interrupted,
        }
    }
}

fn of_status(status: u16, words: String, wait: Option<Duration>) -> Fault {
    match status {
        401 | 403 => Fault::BadKey { words },
        402 => Fault::NoCredit { words },
        404 => Fault::NoSuchModel { model: String::new(), words },
        413 => Fault::TooLong { words },
        408 | 425 | 500..=599 => Fault::Overloaded { status, words, wait },
        429 => Fault::RateLimited { words, wait },
        _ => Fault::BadRequest { words },
    }
}

mod ms {
    use std::time::Duration;

    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_millis)
    }
}

mod maybe_ms {
    use std::time::Duration;

    use serde::{Deserialize as _, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => super::ms::serialize(time, to),
            None => to.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        Option::<u64>::deserialize(from).map(|time| time.map(Duration::from_millis))
    }
}
