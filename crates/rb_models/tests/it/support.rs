//! Time that does not pass, and what is the same in every test.

use std::error::Error as _;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rb_core::Cancel;
use rb_core::clock::Timestamp;
use rb_index::search::embed::EmbedError;
use rb_models::{Clock, HttpContext, HttpOptions};

/// A clock that stands still, keeps the waits that it was asked for, and can be told what happens in them.
#[derive(Default)]
pub(crate) struct Waits {
    asked: Mutex<Vec<Duration>>,
    meanwhile: Mutex<Option<Box<dyn FnMut() + Send>>>,
}

impl Waits {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    /// What happens during each wait.
    pub(crate) fn meanwhile(&self, happens: impl FnMut() + Send + 'static) {
        *self.meanwhile.lock().unwrap() = Some(Box::new(happens));
    }

    pub(crate) fn asked(&self) -> Vec<Duration> {
        self.asked.lock().unwrap().clone()
    }
}

impl Clock for Waits {
    fn now(&self) -> Timestamp {
        // Sun, 06 Nov 1994 08:49:37 GMT
        Timestamp::from_unix_ms(784_111_777_000)
    }

    fn wait(&self, time: Duration, _cancel: &Cancel) {
        self.asked.lock().unwrap().push(time);
        if let Some(happens) = &mut *self.meanwhile.lock().unwrap() {
            happens();
        }
    }
}

pub(crate) fn context(clock: &Arc<Waits>, cancel: &Cancel) -> HttpContext {
    HttpContext { clock: Arc::<Waits>::clone(clock), cancel: cancel.clone() }
}

/// Never in the way of a slow machine.
pub(crate) fn unhurried() -> HttpOptions {
    let long = Duration::from_mins(10);
    HttpOptions { connect: long, whole: long, ..HttpOptions::default() }
}

/// An error as a user sees it, with where the port that the machine chose is replaced.
pub(crate) fn shown(error: &EmbedError, port: u16) -> String {
    let mut text = format!("{error}\n");
    if let Some(hint) = &error.hint {
        writeln!(text, "hint: {hint}").unwrap();
    }
    if let Some(source) = error.source() {
        writeln!(text, "source: {source}").unwrap();
    }
    text.replace(&port.to_string(), "PORT")
}
