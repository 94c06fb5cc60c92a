//! A model that answers as a function says, and counts its calls.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, mpsc};

use rb_core::{Cancel, Usd};
use rb_flow::Desk;
use rb_flow::desk::listener;
use rb_flow::role::OwnTexts;
use rb_http::SystemClock;
use rb_models::{
    Abilities, Answer, Calling, Cost, ModelError, Models, ModelsContext, Patience, Probe, Provider,
    Purse, Request, Route, Routes, SchemaBy, Tape, ToolCall,
};
use serde_json::{Value, json};

pub(crate) type Script = fn(&Request) -> Answer;

pub(crate) struct Scripted {
    script: Script,
    pub(crate) calls: AtomicU32,
}

impl Provider for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn abilities(&self) -> Abilities {
        let schema = SchemaBy::Provider;
        Abilities { tools: true, reads_files: false, schema, paid: false, window: None }
    }

    fn probe(&self, _: &Calling<'_>) -> Result<Probe, ModelError> {
        Ok(Probe::default())
    }

    fn ask(&self, request: &Request, _: &Calling<'_>) -> Result<Answer, ModelError> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        Ok((self.script)(request))
    }
}

pub(crate) fn desk(script: Script) -> (Arc<Desk>, Arc<Scripted>) {
    let provider = Arc::new(Scripted { script, calls: AtomicU32::new(0) });
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
        clock: Arc::new(SystemClock),
        cancel: Cancel::new(),
        told: Box::new(move |told| enter(&told)),
    };
    let routes = Routes { usual, roles: std::collections::BTreeMap::new() };
    let purse = Purse::new(None, Usd::default());
    let models = Models::new(routes, Tape::Off, purse, Patience::default(), context);
    (Arc::new(Desk::new(models, OwnTexts::default(), 1, heard)), provider)
}

pub(crate) fn calls(name: &str, input: &Value) -> Answer {
    let call = ToolCall { id: "c1".to_owned(), name: name.to_owned(), input: input.clone() };
    Answer { tool_calls: vec![call], cost: Cost::Free, ..Answer::default() }
}

pub(crate) fn says(total: &str) -> Answer {
    Answer { value: Some(json!({ "total": total })), cost: Cost::Free, ..Answer::default() }
}
