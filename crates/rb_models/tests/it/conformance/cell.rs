//! One provider in one case: what came of the call, what it took, and that no key is to be seen anywhere.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rb_core::{Cancel, Usd};
use rb_http::testing::Waits;
use rb_models::{
    Abilities, Answer, Booking, CallEvent, Calling, Cost, Counted, Fault, Message, ModelError,
    Models, ModelsContext, Patience, Price, Probe, Provider, Purse, Recorder, Replay, Request,
    Route, Routes, Tape, ToolResult,
};

use super::case::Case;
use super::{Scene, Stand};
use crate::support::KEY;

/// What can be compared from provider to provider.
#[derive(Debug)]
pub(super) struct Row {
    outcome: String,
    tries: usize,
    waits: Vec<f64>,
    booked: Vec<Booking>,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let waits: Vec<String> = self.waits.iter().map(|wait| format!("{wait:.1}")).collect();
        let waits = if waits.is_empty() { "no wait".to_owned() } else { waits.join(" ") };
        let tries = if self.tries == 1 { "try" } else { "tries" };
        write!(f, "{} | {} {tries} | {waits} | ", self.outcome, self.tries)?;
        let mut booked: Vec<(String, usize)> = Vec::new();
        for booking in self.booked.iter().map(shown) {
            match booked.last_mut() {
                Some((known, times)) if *known == booking => *times += 1,
                _ => booked.push((booking, 1)),
            }
        }
        let booked = booked.into_iter().map(|(text, times)| match times {
            1 => text,
            _ => format!("{times} × {text}"),
        });
        let booked: Vec<String> = booked.collect();
        f.write_str(if booked.is_empty() { "nothing" } else { "" })?;
        f.write_str(&booked.join(" + "))
    }
}

/// Tokens, of which an estimate is marked, and who says what they cost.
fn shown(booking: &Booking) -> String {
    let by = match booking.usage.counted {
        Counted::ByProvider => "",
        Counted::Estimate => "~",
    };
    let cost = match booking.cost {
        Cost::Reported(_) => "reported",
        Cost::Priced(_) => "priced",
        Cost::Free => "free",
        Cost::Unknown if booking.presumed > Usd::default() => "presumed",
        Cost::Unknown => "unknown",
    };
    // What tries before the good one may have cost.
    let more = match booking.cost {
        Cost::Unknown => "",
        _ if booking.presumed > Usd::default() => " and presumed",
        _ => "",
    };
    let replayed = if booking.replayed { " replayed" } else { "" };
    format!("{by}{} {cost}{more}{replayed}", booking.usage.total())
}

/// Counts how often it is asked.
struct Tallied {
    inner: Option<Arc<dyn Provider>>,
    asked: AtomicUsize,
}

const NOBODY: &str = "a recording asks nobody";

impl Provider for Tallied {
    fn name(&self) -> &str {
        self.inner.as_ref().map_or("replay", |inner| inner.name())
    }

    fn abilities(&self) -> Abilities {
        self.inner.as_ref().expect(NOBODY).abilities()
    }

    fn probe(&self, calling: &Calling<'_>) -> Result<Probe, ModelError> {
        self.inner.as_ref().expect(NOBODY).probe(calling)
    }

    fn ask(&self, request: &Request, calling: &Calling<'_>) -> Result<Answer, ModelError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.inner.as_ref().expect(NOBODY).ask(request, calling)
    }
}

#[derive(Default)]
struct Seen {
    told: Vec<String>,
    booked: Vec<Booking>,
}

/// A cell as it is lived, and again from its recording.
pub(super) fn row(scene: &Scene, stand: &dyn Stand, case: Case) -> (Row, Row) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("calls.jsonl");
    // Without our keys: what reaches a recording has none already.
    let record = Tape::Record(Recorder::new(&file, &[]).unwrap());
    let provider = Some(Arc::clone(&scene.provider));
    let (lived, row) = played(provider, record, stand, case);
    if let Some(place) = &scene.place {
        place.assert_swept();
    }
    assert_hushed(&std::fs::read_to_string(&file).unwrap());
    let (replayed, again) = played(None, replay(&file), stand, case);
    assert_eq!(replayed, lived, "{}: {}", stand.name(), row.outcome);
    (row, again)
}

fn replay(file: &Path) -> Tape {
    Tape::Replay(Replay::open(file, &[]).unwrap())
}

fn played(
    provider: Option<Arc<dyn Provider>>,
    tape: Tape,
    stand: &dyn Stand,
    case: Case,
) -> (Result<Answer, ModelError>, Row) {
    let (clock, cancel, seen) = (Waits::new(), Cancel::new(), Arc::new(Mutex::default()));
    let tallied = Arc::new(Tallied { inner: provider, asked: AtomicUsize::new(0) });
    let usual = Route {
        provider: Arc::<Tallied>::clone(&tallied),
        model: "some-model".to_owned(),
        price: stand.is_priced().then(price),
        window: None,
        max_output: None,
    };
    let context = ModelsContext {
        clock: Arc::<Waits>::clone(&clock),
        cancel: cancel.clone(),
        told: listener(&seen, case, cancel),
    };
    let routes = Routes { usual, roles: BTreeMap::new() };
    let purse = Purse::new(None, Usd::default());
    let models = Models::new(routes, tape, purse, Patience::default(), context);
    let result = conversation(&models, case);
    assert!(models.unused().is_empty());
    let Seen { told, booked } = std::mem::take(&mut *seen.lock().unwrap());
    assert_hushed(&format!("{told:?} {result:?} {result:#?}"));
    assert_sums(&models, &booked);
    let outcome = match &result {
        Ok(_) => "ok".to_owned(),
        Err(error) => format!("{}, {:?}", kind(&error.fault), error.fault.halt()),
    };
    let tries = tallied.asked.load(Ordering::SeqCst);
    let waits = clock.asked().iter().map(std::time::Duration::as_secs_f64).collect();
    (result, Row { outcome, tries, waits, booked })
}

fn listener(
    seen: &Arc<Mutex<Seen>>,
    case: Case,
    cancel: Cancel,
) -> Box<dyn Fn(CallEvent<'_>) + Send + Sync> {
    let seen = Arc::clone(seen);
    Box::new(move |told| {
        let mut seen = seen.lock().unwrap();
        seen.told.push(format!("{told:?}"));
        match told {
            CallEvent::Booked(booking) => seen.booked.push(booking.clone()),
            CallEvent::Heard(_) if case == Case::Cancelled => cancel.cancel(),
            CallEvent::Failed(error) => seen.told.push(error.to_string()),
            CallEvent::Heard(_)
            | CallEvent::Asking { .. }
            | CallEvent::Sending(_)
            | CallEvent::Waiting { .. }
            | CallEvent::AskingAgain { .. } => {}
        }
    })
}

/// A call, and where a tool was called, the one that follows.
fn conversation(models: &Models, case: Case) -> Result<Answer, ModelError> {
    let mut request = case.request();
    let answer = models.call(request.clone())?;
    if case != Case::ToolCall {
        return Ok(answer);
    }
    let call = answer.tool_calls.first().unwrap();
    assert_eq!((call.name.as_str(), call.input.to_string()), ("look", r#"{"path":"a"}"#.into()));
    let (id, name) = (call.id.clone(), call.name.clone());
    let result = ToolResult { id, name, text: "It is well.".to_owned(), failed: false };
    request.messages.push(Message::Assistant { text: answer.text, tool_calls: answer.tool_calls });
    request.messages.push(Message::Tools { results: vec![result] });
    let answer = models.call(request)?;
    assert!(answer.tool_calls.is_empty());
    Ok(answer)
}

/// The purse, the ledger and the bookings tell the same.
fn assert_sums(models: &Models, booked: &[Booking]) {
    let paid = booked.iter().filter(|booking| !booking.replayed);
    let spent: Usd = paid.clone().filter_map(|booking| booking.cost.usd()).sum();
    let presumed: Usd = paid.clone().map(|booking| booking.presumed).sum();
    assert_eq!((models.purse().spent(), models.purse().presumed()), (spent, presumed));
    // Whatever the purse does not know the cost of, somebody can read in the ledger.
    let unsaid =
        |booking: &Booking| booking.cost == Cost::Unknown || booking.presumed > Usd::default();
    assert_eq!(models.purse().unknown() > 0, paid.clone().any(unsaid), "{booked:?}");
    assert_eq!(models.ledger(), rb_models::Ledger::from_bookings(booked));
}

fn assert_hushed(text: &str) {
    assert!(!text.contains(KEY), "{text}");
}

pub(super) fn kind(fault: &Fault) -> String {
    let text = format!("{fault:?}");
    text.split([' ', '(']).next().unwrap_or_default().to_owned()
}

/// A dollar for a thousand tokens of any kind.
fn price() -> Price {
    let usd = Usd::new(1000.0).unwrap();
    let published = "2026-01-01".to_owned();
    Price { input: usd, output: usd, cache_read: usd, cache_write: usd, published, over: None }
}
