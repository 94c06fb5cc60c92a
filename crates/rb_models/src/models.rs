//! The one honest call.
//!
//! Whatever the provider, a call is weighed against the cap before it is made, tried again where that may
//! help, checked against its schema, asked for once more in stronger words where it has not the form, and
//! booked with what it cost. A recording takes the place of the provider without anybody noticing.

mod call_event;
mod form;
mod room;
mod tries;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rb_core::{Cancel, Usd};
use rb_http::Clock;

use crate::call::{Answer, Cost, Counted, Facts, Request, Usage};
use crate::catalog::Price;
use crate::error::{Fault, ModelError, Spent};
use crate::ledger::{Booking, Ledger};
use crate::provider::{Calling, Heard, Provider};
use crate::purse::{Purse, may_be_paid};
use crate::record::{self, Recorder, Replay, Unused};
use crate::tokens::{Calibration, Estimate, Family};

pub use call_event::CallEvent;
pub use tries::Patience;

/// A model of a provider, and what it costs.
#[derive(Clone)]
pub struct Route {
    pub provider: Arc<dyn Provider>,
    pub model: String,
    /// `None`: nobody knows it.
    pub price: Option<Price>,
    /// Tokens that request and answer may have together, where it is known.
    pub window: Option<u64>,
    /// Tokens that an answer may have, where it is known.
    pub max_output: Option<u64>,
}

impl Route {
    /// Calls cost money, and nobody knows how much.
    pub fn is_unpriced(&self) -> bool {
        self.provider.abilities().paid && self.price.is_none() && self.provider.most().is_none()
    }
}

/// Which model answers which role.
#[derive(Clone)]
pub struct Routes {
    pub usual: Route,
    pub roles: BTreeMap<String, Route>,
}

/// Where answers come from.
pub enum Tape {
    /// From the providers.
    Off,
    /// From the providers, and every call is written down.
    Record(Recorder),
    /// From a recording; no provider is asked.
    Replay(Replay),
}

/// What a call stands in.
pub struct ModelsContext {
    pub clock: Arc<dyn Clock>,
    pub cancel: Cancel,
    /// Told what is going on, for the journal and for whoever waits.
    pub told: Box<dyn Fn(CallEvent<'_>) + Send + Sync>,
}

/// All models of a run, and its money.
pub struct Models {
    routes: Routes,
    tape: Tape,
    purse: Purse,
    patience: Patience,
    context: ModelsContext,
    ledger: Mutex<Ledger>,
    /// By the name of the model.
    calibrations: Mutex<BTreeMap<String, Calibration>>,
    /// The dearest call so far of a provider that has no price and told one, by its name: an own program that asks somebody else.
    dearest: Mutex<BTreeMap<String, Usd>>,
}

/// What the tries of one call took so far.
#[derive(Default)]
struct CallCost {
    tries: u32,
    presumed: Usd,
    /// One of them may have to be paid for, and nobody says how much.
    unknown: bool,
}

impl Models {
    pub fn new(
        routes: Routes,
        tape: Tape,
        purse: Purse,
        patience: Patience,
        context: ModelsContext,
    ) -> Self {
        let (ledger, calibrations, dearest) = Default::default();
        Models { routes, tape, purse, patience, context, ledger, calibrations, dearest }
    }

    pub fn route(&self, role: &str) -> &Route {
        self.routes.roles.get(role).unwrap_or(&self.routes.usual)
    }

    /// What the calls of this process took.
    pub fn ledger(&self) -> Ledger {
        locked(&self.ledger).clone()
    }

    pub fn purse(&self) -> &Purse {
        &self.purse
    }

    /// Takes in what the providers counted before the run was interrupted, so that estimates go on from there.
    pub fn recall<'b>(&self, bookings: impl IntoIterator<Item = &'b Booking>) {
        let mut calibrations = locked(&self.calibrations);
        for booking in bookings {
            let Some(count) = &booking.own_count else { continue };
            let new = || Calibration::new(Family::of(&count.model));
            let calibration = calibrations.entry(count.model.clone()).or_insert_with(new);
            calibration.recall(count, &booking.usage);
        }
    }

    /// Recorded calls that nobody asked for.
    pub fn unused(&self) -> Vec<Unused> {
        match &self.tape {
            Tape::Replay(replay) => replay.unused(),
            Tape::Off | Tape::Record(_) => Vec::new(),
        }
    }

    /// Whether the model of a role can be asked, found out without asking it: its price where there is a cap, the login or the key,
    /// and the model itself. One whose price is known is known. A recording needs none of it.
    pub fn check(&self, role: &str) -> Result<(), ModelError> {
        if let Tape::Replay(_) = &self.tape {
            return Ok(());
        }
        let route = self.route(role);
        if let Some(cap) = self.purse.cap()
            && route.is_unpriced()
        {
            return Err(error(route, Fault::PriceUnknown { model: route.model.clone(), cap }));
        }
        let calling = Calling { cancel: &self.context.cancel, heard: &|_| {} };
        route.provider.probe(&calling)?;
        match route.price {
            Some(_) => Ok(()),
            None => route.provider.check_model(&route.model, &calling),
        }
    }

    /// The answer, in the form that was asked for, or why there is none.
    pub fn call(&self, mut request: Request) -> Result<Answer, ModelError> {
        let route = self.route(&request.purpose.role);
        if request.model.is_empty() {
            request.model.clone_from(&route.model);
        }
        let result = self.in_form(route, &request);
        if let Err(error) = &result {
            (self.context.told)(CallEvent::Failed(error));
        }
        result
    }

    fn in_form(&self, route: &Route, request: &Request) -> Result<Answer, ModelError> {
        let (why, wrong) = match self.once(route, request) {
            Ok(answer) => match form::fault(request, &answer) {
                None => return Ok(answer),
                Some(why) => (why, Some(answer)),
            },
            Err(ModelError { fault: Fault::NotAsAsked { why }, .. }) => (why, None),
            Err(error) => return Err(error),
        };
        (self.context.told)(CallEvent::AskingAgain { why: &why });
        let answer = self.once(route, &form::stronger(request, &why, wrong.as_ref()))?;
        match form::fault(request, &answer) {
            None => Ok(answer),
            // Who answered, which is not the route where the answer was recorded.
            Some(why) => Err(ModelError::new(answer.facts.provider, Fault::NotAsAsked { why })),
        }
    }

    /// One answer, paid for and booked, whatever its form.
    fn once(&self, route: &Route, request: &Request) -> Result<Answer, ModelError> {
        let sized = room::sized(route, request);
        let estimate = self.calibration(&request.model).estimate(&sized);
        (self.context.told)(CallEvent::Asking {
            role: &request.purpose.role,
            provider: route.provider.name(),
            model: &request.model,
            estimate: &estimate,
        });
        if let Tape::Replay(replay) = &self.tape {
            let result = replay.answer(request);
            match &result {
                Ok(answer) => self.book(&Booking { replayed: true, ..booking(request, answer) }),
                Err(ModelError { provider, spent: Some(spent), .. }) => {
                    let answer = paid_for_nothing(provider, request, spent);
                    self.book(&Booking { replayed: true, ..booking(request, &answer) });
                }
                Err(_) => {}
            }
            return result;
        }
        let mut result = fits(route, &estimate).and_then(|()| self.tried(route, &sized, &estimate));
        if matches!(&result, Err(ModelError { fault: Fault::AnswerCut { .. }, .. }))
            && let Some(wider) = room::wider(route, &sized)
        {
            (self.context.told)(CallEvent::AskingAgain { why: "the answer was cut off" });
            let estimate = self.calibration(&request.model).estimate(&wider);
            result = self.tried(route, &wider, &estimate);
        }
        if let Tape::Record(recorder) = &self.tape {
            recorder.record(request, &result).map_err(|fault| error(route, fault))?;
        }
        result
    }

    fn tried(
        &self,
        route: &Route,
        request: &Request,
        estimate: &Estimate,
    ) -> Result<Answer, ModelError> {
        let mut taken = CallCost::default();
        loop {
            let error = match self.one_try(route, request, estimate, &mut taken) {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let seed = record::seed(request);
            let Some(wait) = self.patience.wait(&error.fault, taken.tries, seed) else {
                self.book_failed(route, request, &taken);
                return Err(error);
            };
            (self.context.told)(CallEvent::Waiting { fault: &error.fault, wait });
            self.context.clock.wait(wait, &self.context.cancel);
        }
    }

    fn one_try(
        &self,
        route: &Route,
        request: &Request,
        estimate: &Estimate,
        taken: &mut CallCost,
    ) -> Result<Answer, ModelError> {
        let cancel = &self.context.cancel;
        let reservation = self
            .purse
            .reserve_in_turn(self.most(route, estimate), &request.model, cancel)
            .map_err(|fault| error(route, fault))?;
        taken.tries += 1;
        if route.provider.abilities().paid || reservation.held() > Usd::default() {
            let presumed = taken.presumed + reservation.held();
            let unheard = unanswered(route.provider.name(), request, taken.tries);
            let usage = estimate.most();
            let lost = Booking { usage, presumed, ..booking(request, &unheard) };
            (self.context.told)(CallEvent::Sending(&lost));
        }
        let heard = |heard: Heard<'_>| (self.context.told)(CallEvent::Heard(heard));
        let calling = Calling { cancel, heard: &heard };
        match route.provider.ask(request, &calling) {
            Ok(mut answer) => {
                complete(route, &mut answer, estimate);
                answer.facts.tries = taken.tries;
                let presumed = taken.presumed + reservation.settle(answer.cost);
                self.remember(route, answer.cost);
                self.learn(&request.model, estimate, &answer.usage);
                let own_count = Some(estimate.own_count(&request.model));
                self.book(&Booking { presumed, own_count, ..booking(request, &answer) });
                Ok(answer)
            }
            Err(mut error) => {
                match error.spent.as_deref_mut() {
                    Some(spent) => {
                        let mut answer = paid_for_nothing(route.provider.name(), request, spent);
                        complete(route, &mut answer, estimate);
                        // So that a recording has it too.
                        *spent = Spent { usage: answer.usage, cost: answer.cost };
                        let presumed = reservation.settle(answer.cost);
                        self.book(&Booking { presumed, ..booking(request, &answer) });
                    }
                    None if route.provider.abilities().paid => {
                        taken.unknown |= may_be_paid(&error.fault);
                        taken.presumed = taken.presumed + reservation.fail(&error.fault);
                    }
                    None => drop(reservation),
                }
                Err(error)
            }
        }
    }

    /// The most that a call may cost; unknown where the price is.
    fn most(&self, route: &Route, estimate: &Estimate) -> Option<Usd> {
        if route.provider.abilities().paid {
            let priced = route.price.as_ref().map(|price| price.of(&estimate.most()));
            return priced.or_else(|| route.provider.most());
        }
        Some(locked(&self.dearest).get(route.provider.name()).copied().unwrap_or_default())
    }

    fn remember(&self, route: &Route, cost: Cost) {
        if let (Cost::Reported(usd), false) = (cost, route.provider.abilities().paid) {
            let mut dearest = locked(&self.dearest);
            let known = dearest.entry(route.provider.name().to_owned()).or_default();
            *known = (*known).max(usd);
        }
    }

    fn calibration(&self, model: &str) -> Calibration {
        let known = locked(&self.calibrations).get(model).copied();
        known.unwrap_or_else(|| Calibration::new(Family::of(model)))
    }

    fn learn(&self, model: &str, estimate: &Estimate, usage: &Usage) {
        let mut calibrations = locked(&self.calibrations);
        let new = || Calibration::new(Family::of(model));
        calibrations.entry(model.to_owned()).or_insert_with(new).learn(estimate, usage);
    }

    /// A call without an answer is booked where it may have to be paid for.
    fn book_failed(&self, route: &Route, request: &Request, taken: &CallCost) {
        if !taken.unknown {
            return;
        }
        let mut answer = unanswered(route.provider.name(), request, taken.tries);
        answer.usage.counted = Counted::Estimate;
        self.book(&Booking { presumed: taken.presumed, ..booking(request, &answer) });
    }

    fn book(&self, booking: &Booking) {
        (self.context.told)(CallEvent::Booked(booking));
        locked(&self.ledger).book(booking);
    }
}

/// What is behind the lock is whole at any time.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn error(route: &Route, fault: Fault) -> ModelError {
    ModelError::new(route.provider.name(), fault)
}

/// What cannot fit is not sent.
fn fits(route: &Route, estimate: &Estimate) -> Result<(), ModelError> {
    match route.window {
        Some(window) if estimate.input > window => {
            let input = estimate.input;
            let words = format!("it has about {input} tokens, and the model reads {window}");
            Err(error(route, Fault::TooLong { words }))
        }
        _ => Ok(()),
    }
}

/// What the provider did not say is filled in, and said to be our estimate.
fn complete(route: &Route, answer: &mut Answer, estimate: &Estimate) {
    if answer.usage.counted == Counted::Estimate && answer.usage.total() == 0 {
        answer.usage = estimate.usage_of(answer);
    }
    if answer.cost == Cost::Unknown {
        answer.cost = match (&route.price, route.provider.abilities().paid) {
            (_, false) => Cost::Free,
            (Some(price), true) => Cost::Priced(price.of(&answer.usage)),
            (None, true) => Cost::Unknown,
        };
    }
}

/// Nothing, from a model that was asked.
fn unanswered(provider: &str, request: &Request, tries: u32) -> Answer {
    let (provider, model) = (provider.to_owned(), request.model.clone());
    Answer { facts: Facts { provider, model, tries, ..Facts::default() }, ..Answer::default() }
}

/// A try that gave no answer and took something all the same.
fn paid_for_nothing(provider: &str, request: &Request, spent: &Spent) -> Answer {
    let Spent { usage, cost } = *spent;
    Answer { usage, cost, ..unanswered(provider, request, 1) }
}

fn booking(request: &Request, answer: &Answer) -> Booking {
    Booking {
        role: request.purpose.role.clone(),
        task: request.purpose.task,
        files: request.purpose.files.clone(),
        provider: answer.facts.provider.clone(),
        model: answer.facts.model.clone(),
        usage: answer.usage,
        cost: answer.cost,
        presumed: Usd::default(),
        ms: answer.timing.whole_ms,
        tries: answer.facts.tries,
        replayed: false,
        own_count: None,
    }
}
