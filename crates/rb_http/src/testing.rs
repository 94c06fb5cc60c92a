//! Time that does not pass, for tests of what waits.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rb_core::Cancel;
use rb_core::clock::Timestamp;

use crate::clock::Clock;
use crate::http::{HttpContext, HttpOptions};

/// A clock that stands still, keeps the waits that it was asked for, and can be told what happens in them.
#[derive(Default)]
pub struct Waits {
    asked: Mutex<Vec<Duration>>,
    meanwhile: Mutex<Option<Happening>>,
}

type Happening = Box<dyn FnMut() + Send>;

impl Waits {
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// What happens during each wait.
    pub fn meanwhile(&self, happens: impl FnMut() + Send + 'static) {
        *self.meanwhile.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(happens));
    }

    pub fn asked(&self) -> Vec<Duration> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Clock for Waits {
    fn now(&self) -> Timestamp {
        // Sun, 06 Nov 1994 08:49:37 GMT
        Timestamp::from_unix_ms(784_111_777_000)
    }

    fn wait(&self, time: Duration, _cancel: &Cancel) {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).push(time);
        if let Some(happens) = &mut *self.meanwhile.lock().unwrap_or_else(PoisonError::into_inner) {
            happens();
        }
    }
}

pub fn context(clock: &Arc<Waits>, cancel: &Cancel) -> HttpContext {
    HttpContext { clock: Arc::<Waits>::clone(clock), cancel: cancel.clone() }
}

/// Never in the way of a slow machine.
pub fn unhurried() -> HttpOptions {
    let long = Duration::from_mins(10);
    HttpOptions { connect: long, whole: long, ..HttpOptions::default() }
}
