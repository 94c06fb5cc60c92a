//! A model that answers as a function says, for tests of workflows. Nothing waits: time that a caller would wait for is over at once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use rb_core::clock::{self, Timestamp};
use rb_core::{Cancel, Usd};
use rb_http::Clock;
use rb_models::{
    Abilities, Answer, Calling, Cost, Fault, Message, ModelError, Models, ModelsContext, Patience,
    Probe, Provider, Purse, Request, Route, Routes, SchemaBy, Tape, ToolCall,
};
use serde_json::Value;

use crate::desk::{Desk, listener};
use crate::role::OwnTexts;

/// What the model says to a request, or how the call fails.
pub type Said = Result<Answer, Fault>;

/// What the model can do besides answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Can {
    CallTools,
    Nothing,
}

/// The model, and what it was asked.
pub struct Scripted {
    script: Box<dyn Fn(&Request) -> Said + Send + Sync>,
    can: Can,
    requests: Mutex<Vec<Request>>,
}

impl Scripted {
    /// A desk at which this model sits.
    pub fn desk(
        script: impl Fn(&Request) -> Said + Send + Sync + 'static,
        can: Can,
    ) -> (Arc<Desk>, Arc<Scripted>) {
        let (script, requests) = (Box::new(script), Mutex::default());
        let provider = Arc::new(Scripted { script, can, requests });
        let usual = Route {
            provider: Arc::clone(&provider) as Arc<dyn Provider>,
            model: "m".to_owned(),
            price: None,
            window: None,
            max_output: None,
        };
        let (to, heard) = mpsc::channel();
        let enter = listener(to);
        let context = ModelsContext {
            clock: Arc::new(Impatient::default()),
            cancel: Cancel::new(),
            told: Box::new(move |told| enter(&told)),
        };
        let routes = Routes { usual, roles: BTreeMap::new() };
        let purse = Purse::new(None, Usd::default());
        let models = Models::new(routes, Tape::Off, purse, Patience::default(), context);
        (Arc::new(Desk::new(models, OwnTexts::default(), 1, heard)), provider)
    }

    /// Calls so far, those that failed among them.
    pub fn calls(&self) -> usize {
        self.requests().len()
    }

    pub fn requests(&self) -> MutexGuard<'_, Vec<Request>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Provider for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn abilities(&self) -> Abilities {
        let (tools, schema) = (self.can == Can::CallTools, SchemaBy::Provider);
        Abilities { tools, reads_files: false, schema, paid: false, window: None }
    }

    fn probe(&self, _: &Calling<'_>) -> Result<Probe, ModelError> {
        Ok(Probe::default())
    }

    fn ask(&self, request: &Request, _: &Calling<'_>) -> Result<Answer, ModelError> {
        self.requests().push(request.clone());
        (self.script)(request).map_err(|fault| ModelError::new("scripted", fault))
    }
}

/// A clock that is ahead by all that was waited for.
#[derive(Default)]
struct Impatient {
    ahead: Mutex<Duration>,
}

impl Clock for Impatient {
    fn now(&self) -> Timestamp {
        let ahead = *self.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        let ms = i64::try_from(ahead.as_millis()).unwrap_or(i64::MAX);
        Timestamp::from_unix_ms(clock::now().unix_ms().saturating_add(ms))
    }

    fn wait(&self, time: Duration, _: &Cancel) {
        *self.ahead.lock().unwrap_or_else(PoisonError::into_inner) += time;
    }
}

/// A structured answer.
pub fn answer(value: Value) -> Answer {
    Answer { value: Some(value), cost: Cost::Free, ..Answer::default() }
}

/// A call of a tool.
pub fn calls(name: &str, input: &Value) -> Answer {
    let call = ToolCall { id: "c1".to_owned(), name: name.to_owned(), input: input.clone() };
    Answer { tool_calls: vec![call], cost: Cost::Free, ..Answer::default() }
}

/// What the model was asked in words.
pub fn user(request: &Request) -> &str {
    match request.messages.first() {
        Some(Message::User { text }) => text,
        Some(Message::Assistant { .. } | Message::Tools { .. }) | None => "",
    }
}
