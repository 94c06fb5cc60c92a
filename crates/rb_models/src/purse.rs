//! The cap on money, held before each call over all calls that are under way.
//!
//! A call reserves what it may cost at most; what it did cost takes the place of that. What a failed call books:
//! - dropped without a word: nothing, as nothing was sent;
//! - `fail`: nothing where the provider refused or was not reached; where a model may have worked, nobody says
//!   for how much, so the whole reservation counts against the cap from then on;
//! - `settle`: an answer that came is paid for, also where it cannot be used.
//!
//! An answer may cost more than was reserved for it (an estimate is one): it is booked in full, and nothing that
//! costs money is begun after it. Prices are not known here; amounts are handed in.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rb_core::{Cancel, Usd};

use crate::call::Cost;
use crate::error::Fault;

#[derive(Debug)]
pub struct Purse {
    cap: Option<Usd>,
    state: Mutex<State>,
    /// A reservation has ended.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    spent: Usd,
    /// The most that calls took whose cost nobody knows.
    presumed: Usd,
    reserved: Usd,
    unknown: u64,
}

impl State {
    fn gone(&self) -> Usd {
        self.spent + self.presumed
    }
}

/// How often a call that waits for its turn looks whether the run was stopped.
const LOOK: Duration = Duration::from_millis(50);

impl Purse {
    /// `spent_before` is what the same run spent until it was interrupted.
    pub fn new(cap: Option<Usd>, spent_before: Usd) -> Self {
        let state = Mutex::new(State { spent: spent_before, ..State::default() });
        Purse { cap, state, changed: Condvar::new() }
    }

    /// Holds back what a call of `model` may cost at most. It is refused at once where that does not fit beside
    /// what is spent and what other calls hold back.
    pub fn reserve(&self, most: Option<Usd>, model: &str) -> Result<Reservation<'_>, Fault> {
        self.take(&mut self.state(), most, model)
    }

    /// As `reserve`, but while other calls are under way, one that would fit without them waits for what they
    /// leave over. So it does not depend on who is faster whether a call is made.
    pub fn reserve_in_turn(
        &self,
        most: Option<Usd>,
        model: &str,
        cancel: &Cancel,
    ) -> Result<Reservation<'_>, Fault> {
        let mut state = self.state();
        loop {
            if cancel.is_cancelled() {
                return Err(Fault::Interrupted);
            }
            let hopeless = match (self.cap, most) {
                (Some(cap), Some(most)) => state.gone() + most > cap,
                (None, _) | (_, None) => true,
            };
            match self.take(&mut state, most, model) {
                Err(Fault::OverCap { .. }) if !hopeless => {}
                settled => return settled,
            }
            let waited = self.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn take(
        &self,
        state: &mut State,
        most: Option<Usd>,
        model: &str,
    ) -> Result<Reservation<'_>, Fault> {
        let held = match (self.cap, most) {
            (Some(cap), None) => return Err(Fault::PriceUnknown { model: model.to_owned(), cap }),
            (Some(cap), Some(most)) => {
                let estimate = state.gone() + state.reserved + most;
                // What costs nothing is allowed whatever was spent.
                if estimate > cap && most > Usd::default() {
                    return Err(Fault::OverCap { estimate, cap, spent: state.gone() });
                }
                most
            }
            (None, most) => most.unwrap_or_default(),
        };
        state.reserved = state.reserved + held;
        Ok(Reservation { purse: self, held, booked: Booked::Nothing })
    }

    /// What is known to be spent, before the run was interrupted too.
    pub fn spent(&self) -> Usd {
        self.state().spent
    }

    /// Calls that cost something, but nobody knows how much.
    pub fn unknown(&self) -> u64 {
        self.state().unknown
    }

    /// What those calls may have cost beside `spent`, as far as it was estimated; a cap counts it as spent.
    pub fn presumed(&self) -> Usd {
        self.state().presumed
    }

    pub fn cap(&self) -> Option<Usd> {
        self.cap
    }

    /// Every change is whole, so a thread that panicked elsewhere left nothing half done.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Money that is held back for one call until it is known what it cost.
#[must_use = "dropped, nothing is held back any more"]
#[derive(Debug)]
pub struct Reservation<'purse> {
    purse: &'purse Purse,
    held: Usd,
    booked: Booked,
}

#[derive(Debug, Clone, Copy)]
enum Booked {
    Nothing,
    Known(Usd),
    /// At most what was held back.
    Unknown,
}

/// `settle` and `fail` say what is presumed where nobody knows the cost; it belongs into the booking, so that the cap holds for
/// a resumed run too.
impl Reservation<'_> {
    pub fn held(&self) -> Usd {
        self.held
    }

    /// There is an answer, good or bad, and this is what it cost.
    pub fn settle(mut self, cost: Cost) -> Usd {
        self.booked = cost.usd().map_or(Booked::Unknown, Booked::Known);
        self.presumed()
    }

    /// There is no answer.
    pub fn fail(mut self, fault: &Fault) -> Usd {
        self.booked = if may_be_paid(fault) { Booked::Unknown } else { Booked::Nothing };
        self.presumed()
    }

    fn presumed(&self) -> Usd {
        match self.booked {
            Booked::Nothing | Booked::Known(_) => Usd::default(),
            Booked::Unknown => self.held,
        }
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut state = self.purse.state();
        state.reserved = state.reserved.saturating_sub(self.held);
        match self.booked {
            Booked::Nothing => {}
            Booked::Known(usd) => state.spent = state.spent + usd,
            Booked::Unknown => {
                state.presumed = state.presumed + self.held;
                state.unknown += 1;
            }
        }
        drop(state);
        self.purse.changed.notify_all();
    }
}

/// Whether a model may have worked for a call that failed so.
pub(crate) fn may_be_paid(fault: &Fault) -> bool {
    match fault {
        Fault::PromptCut { .. }
        | Fault::Stalled(_)
        | Fault::TooSlow(_)
        | Fault::Half { .. }
        | Fault::Malformed { .. }
        | Fault::AnswerCut { .. }
        | Fault::Refusal { .. }
        | Fault::NotAsAsked { .. }
        | Fault::Program { .. }
        | Fault::Interrupted => true,
        Fault::NotInstalled { .. }
        | Fault::NotLoggedIn { .. }
        | Fault::NoKey
        | Fault::BadKey { .. }
        | Fault::NoCredit { .. }
        | Fault::NoSuchModel { .. }
        | Fault::BadRequest { .. }
        | Fault::TooLong { .. }
        | Fault::RateLimited { .. }
        | Fault::Overloaded { .. }
        | Fault::Unreachable { .. }
        | Fault::Tls { .. }
        | Fault::Unable { .. }
        | Fault::OverCap { .. }
        | Fault::PriceUnknown { .. }
        | Fault::ReplayDiffers { .. }
        | Fault::Recording { .. } => false,
    }
}
