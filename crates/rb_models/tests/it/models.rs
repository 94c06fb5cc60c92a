//! `Models` itself, with a provider that says what the test wants: forms, money, tries, routes, recordings.

mod form;
mod many;
mod money;
mod routes;
mod tape;
mod tries;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use rb_core::{Cancel, Usd};
use rb_http::testing::Waits;
use rb_models::{
    Abilities, Answer, Booking, CallEvent, Calling, Cost, Facts, Fault, Heard, ModelError, Models,
    ModelsContext, Patience, Price, Probe, Provider, Purse, Request, Route, Routes, SchemaBy, Tape,
    Usage,
};
use serde_json::Value;

use crate::doubles;

type Turn = Result<Answer, ModelError>;

/// Answers in turn, and keeps what it was asked.
struct Scripted {
    name: &'static str,
    turns: Mutex<VecDeque<Turn>>,
    asked: Mutex<Vec<Request>>,
    paid: bool,
}

impl Provider for Scripted {
    fn name(&self) -> &str {
        self.name
    }

    fn abilities(&self) -> Abilities {
        let schema = SchemaBy::Provider;
        Abilities { tools: true, reads_files: false, schema, paid: self.paid, window: None }
    }

    fn probe(&self, _calling: &Calling<'_>) -> Result<Probe, ModelError> {
        Ok(Probe::default())
    }

    fn thinks(&self, _model: &str) -> bool {
        false
    }

    fn ask(&self, request: &Request, calling: &Calling<'_>) -> Turn {
        self.asked.lock().unwrap().push(request.clone());
        (calling.heard)(Heard::Begun);
        let turn = self.turns.lock().unwrap().pop_front().expect("nobody asks that often");
        turn.map(|mut answer| {
            self.name.clone_into(&mut answer.facts.provider);
            answer.facts.model.clone_from(&request.model);
            answer
        })
    }
}

/// What a test changes.
struct Setting {
    price: Option<Price>,
    paid: bool,
    window: Option<u64>,
    purse: Purse,
    tape: Tape,
}

impl Default for Setting {
    fn default() -> Self {
        let purse = Purse::new(None, Usd::default());
        Setting { price: Some(price()), paid: true, window: None, purse, tape: Tape::Off }
    }
}

struct Desk {
    models: Models,
    provider: Arc<Scripted>,
    clock: Arc<Waits>,
    cancel: Cancel,
    told: Arc<Mutex<Vec<String>>>,
    booked: Arc<Mutex<Vec<Booking>>>,
}

impl Desk {
    fn new(turns: Vec<Turn>, setting: Setting) -> Self {
        let Setting { price, paid, window, purse, tape } = setting;
        let provider = scripted("scripted", turns, paid);
        let (clock, cancel) = (Waits::new(), Cancel::new());
        let (told, booked) = (Arc::default(), Arc::default());
        let model = "m-1".to_owned();
        let usual = Route {
            provider: Arc::<Scripted>::clone(&provider),
            model,
            price,
            window,
            max_output: None,
        };
        let context = ModelsContext {
            clock: Arc::<Waits>::clone(&clock),
            cancel: cancel.clone(),
            told: listener(&told, &booked),
        };
        let routes = Routes { usual, roles: BTreeMap::new() };
        let models = Models::new(routes, tape, purse, Patience::default(), context);
        Desk { models, provider, clock, cancel, told, booked }
    }

    fn asked(&self) -> Vec<Request> {
        self.provider.asked.lock().unwrap().clone()
    }

    /// One line for each booking.
    fn bookings(&self) -> String {
        let line = |booking: &Booking| {
            let Booking { usage, cost, presumed, tries, replayed, .. } = booking;
            let (tokens, counted) = (usage.total(), usage.counted);
            let replayed = if *replayed { ", replayed" } else { "" };
            format!(
                "{tokens} tokens {counted:?}, {cost:?}, {presumed} presumed, {tries} tries{replayed}\n"
            )
        };
        self.booked.lock().unwrap().iter().map(line).collect()
    }
}

fn listener(
    told: &Arc<Mutex<Vec<String>>>,
    booked: &Arc<Mutex<Vec<Booking>>>,
) -> Box<dyn Fn(CallEvent<'_>) + Send + Sync> {
    let (lines, booked) = (Arc::clone(told), Arc::clone(booked));
    Box::new(move |told| {
        let line = match &told {
            CallEvent::Asking { role, provider, model, .. } => {
                format!("asking {provider} {model} as {role}")
            }
            // Only a journal needs it.
            CallEvent::Sending(_) => return,
            CallEvent::Heard(heard) => format!("heard {heard:?}"),
            CallEvent::Waiting { fault, wait } => {
                format!("waiting {:.1} s: {fault}", wait.as_secs_f64())
            }
            CallEvent::AskingAgain { why } => format!("asking again: {why}"),
            CallEvent::Booked(booking) => {
                booked.lock().unwrap().push((*booking).clone());
                format!("booked {} tokens", booking.usage.total())
            }
            CallEvent::Failed(error) => format!("failed: {error}"),
        };
        lines.lock().unwrap().push(line);
    })
}

fn scripted(name: &'static str, turns: Vec<Turn>, paid: bool) -> Arc<Scripted> {
    Arc::new(Scripted { name, turns: Mutex::new(turns.into()), asked: Mutex::default(), paid })
}

fn usd(dollars: f64) -> Usd {
    Usd::new(dollars).unwrap()
}

/// A dollar for a thousand tokens of any kind.
fn price() -> Price {
    let each = usd(1000.0);
    let published = "2026-01-01".to_owned();
    Price { input: each, output: each, cache_read: each, cache_write: each, published, over: None }
}

/// 100 tokens in and 10 out: 11 cents.
fn says(text: &str) -> Answer {
    Answer {
        text: text.to_owned(),
        usage: Usage { input: 100, output: 10, ..Usage::default() },
        cost: Cost::Unknown,
        facts: Facts { tries: 1, ..Facts::default() },
        ..Answer::default()
    }
}

#[expect(clippy::unnecessary_wraps, reason = "a turn, as what `fails` gives")]
fn gives(value: Value) -> Turn {
    Ok(Answer { value: Some(value), ..says("") })
}

fn fails(fault: Fault) -> Turn {
    Err(ModelError::new("scripted", fault))
}

fn half() -> Fault {
    Fault::Half { why: "it ended".to_owned() }
}

/// A plain question with an answer of at most 900 tokens: with it, it costs about a dollar.
fn question(text: &str) -> Request {
    let mut request = Request::new("patcher", "You patch.", text);
    request.limits.output_tokens = 900;
    request
}

fn formed() -> Request {
    Request { schema: Some(doubles::schema()), ..question("Is it well?") }
}
