//! Models as a run asks them: several at once, every booking in the journal as soon as it is made.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use std::time::Duration;

use rb_flow::role::OwnTexts;
use rb_models::{Answer, Booking, Halt, ModelError, Models, Request, Told};

use crate::error::RunError;
use crate::world::{Effect, World};

/// The models of a run, and what they tell while they are asked.
pub struct Desk {
    pub models: Arc<Models>,
    pub own: OwnTexts,
    /// So many are asked at once.
    pub at_once: usize,
    heard: RefCell<Receiver<Heard>>,
}

/// What a model tells while it is asked.
pub struct Heard(Booking);

/// To be handed to the models, so that what they book is heard at the desk.
pub fn listener(to: Sender<Heard>) -> impl Fn(&Told<'_>) + Send + Sync + 'static {
    move |told| {
        if let Told::Booked(booking) = told {
            // Nobody listens any more: the run has ended.
            let _ = to.send(Heard((*booking).clone()));
        }
    }
}

impl Desk {
    pub fn new(models: Models, own: OwnTexts, at_once: usize, heard: Receiver<Heard>) -> Desk {
        Desk { models: Arc::new(models), own, at_once, heard: RefCell::new(heard) }
    }

    /// Asks all of them, so many at once, and gives the answers in the order of the questions.
    pub(crate) fn ask_all(
        &self,
        world: &World,
        requests: Vec<Request>,
    ) -> Result<Vec<Result<Answer, ModelError>>, RunError> {
        const LOOK: Duration = Duration::from_millis(50);
        let mut answers = Vec::new();
        let mut requests = requests.into_iter().peekable();
        while requests.peek().is_some() {
            let share: Vec<Request> = requests.by_ref().take(self.at_once.max(1)).collect();
            let asked: Vec<_> = share
                .into_iter()
                .map(|request| {
                    let models = Arc::clone(&self.models);
                    thread::spawn(move || models.call(request))
                })
                .collect();
            while asked.iter().any(|thread| !thread.is_finished()) {
                self.enter(world, Some(LOOK))?;
            }
            self.enter(world, None)?;
            for thread in asked {
                answers.push(thread.join().expect("a call does not panic"));
            }
        }
        Ok(answers)
    }

    /// Enters what was booked since, waiting for the first of it if told so.
    fn enter(&self, world: &World, wait: Option<Duration>) -> Result<(), RunError> {
        let heard = self.heard.borrow_mut();
        if let Some(wait) = wait
            && let Ok(Heard(booking)) = heard.recv_timeout(wait)
        {
            world.effect(Effect::Spent { booking })?;
        }
        for Heard(booking) in heard.try_iter() {
            world.effect(Effect::Spent { booking })?;
        }
        Ok(())
    }
}

/// A failed call that the run cannot go on after: a missing key, a reached cap, an interruption. Another is a failed try.
pub(crate) fn stops(error: &ModelError) -> bool {
    match error.fault.halt() {
        Halt::Environment | Halt::Limit | Halt::Usage | Halt::Interrupted => true,
        Halt::Refused => false,
    }
}
