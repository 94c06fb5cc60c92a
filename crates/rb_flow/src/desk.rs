//! Models as a run asks them: several at once, every call in the journal before it is sent and every booking as soon as it is made.

use std::sync::mpsc::{Receiver, Sender, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rb_core::fs::FsError;
use rb_models::{Answer, Booking, CallEvent, Halt, ModelError, Models};

use crate::answers::{self, Question};
use crate::error::FlowError;
use crate::event::RunEvent;
use crate::log::Log;
use crate::role::OwnTexts;
use crate::transcript::{self, Strike};
use crate::workflow::Workflow;

/// The models of a run, and what they tell while they are asked.
pub struct Desk {
    pub models: Arc<Models>,
    pub own: OwnTexts,
    /// The most that are asked at once.
    pub at_once: usize,
    heard: Mutex<Receiver<CallRecord>>,
    strike: Arc<Strike>,
}

/// A question on its way.
enum PendingCall {
    /// Answered before this process began.
    Before(Box<Answer>),
    Now(JoinHandle<Result<Result<Answer, ModelError>, FsError>>),
}

/// What the journal has to know of a call while a model is asked.
pub enum CallRecord {
    /// It is sent once this is entered.
    Started(Booking, SyncSender<()>),
    Booked(Booking),
}

/// To be handed to the models, so that what they send and book is heard at the desk.
pub fn listener(to: Sender<CallRecord>) -> impl Fn(&CallEvent<'_>) + Send + Sync + 'static {
    move |told| match told {
        CallEvent::Sending(booking) => {
            let (entered, is_entered) = sync_channel(1);
            // Where nobody listens any more, the run has ended.
            if to.send(CallRecord::Started((*booking).clone(), entered)).is_ok() {
                let _ = is_entered.recv();
            }
        }
        CallEvent::Booked(booking) => {
            let _ = to.send(CallRecord::Booked((*booking).clone()));
        }
        CallEvent::Asking { .. }
        | CallEvent::Heard(_)
        | CallEvent::Waiting { .. }
        | CallEvent::AskingAgain { .. }
        | CallEvent::Failed(_) => {}
    }
}

impl Desk {
    pub fn new(models: Models, own: OwnTexts, at_once: usize, heard: Receiver<CallRecord>) -> Desk {
        let (models, heard) = (Arc::new(models), Mutex::new(heard));
        Desk { models, own, at_once, heard, strike: Arc::new(str::to_owned) }
    }

    /// Transcripts are written as `strike` leaves them: without keys.
    pub fn striking(self, strike: impl Fn(&str) -> String + Send + Sync + 'static) -> Desk {
        Desk { strike: Arc::new(strike), ..self }
    }

    /// How many can be asked beside one.
    pub fn beside(&self) -> usize {
        self.at_once.saturating_sub(1)
    }

    /// Asks all of them, so many at once, and gives the answers in the order of the questions. What was answered before a kill is not
    /// asked again.
    pub(crate) fn ask_all<W: Workflow>(
        &self,
        log: &Log<W>,
        questions: Vec<Question>,
    ) -> Result<Vec<Result<Answer, ModelError>>, FlowError> {
        const LOOK: Duration = Duration::from_millis(50);
        let mut answers = Vec::new();
        let mut questions = questions.into_iter().peekable();
        while questions.peek().is_some() {
            let mut asked = Vec::new();
            for question in questions.by_ref().take(self.at_once.max(1)) {
                asked.push(self.send(log, question)?);
            }
            let is_open =
                |it: &PendingCall| matches!(it, PendingCall::Now(thread) if !thread.is_finished());
            while asked.iter().any(is_open) {
                self.enter(log, Some(LOOK))?;
            }
            self.enter(log, None)?;
            for asked in asked {
                answers.push(match asked {
                    PendingCall::Before(answer) => Ok(*answer),
                    PendingCall::Now(thread) => thread.join().expect("a call does not panic")?,
                });
            }
        }
        Ok(answers)
    }

    fn send<W: Workflow>(
        &self,
        log: &Log<W>,
        question: Question,
    ) -> Result<PendingCall, FlowError> {
        let place = answers::place(log.run_dir(), &question);
        if let Some(answer) = answers::kept(&place)? {
            if !transcript::is_kept(log.run_dir(), &question) {
                let answer = Ok(answer.clone());
                transcript::keep(log.run_dir(), &question, &answer, &*self.strike)?;
            }
            return Ok(PendingCall::Before(Box::new(answer)));
        }
        let (models, strike) = (Arc::clone(&self.models), Arc::clone(&self.strike));
        let run_dir = log.run_dir().clone();
        Ok(PendingCall::Now(thread::spawn(move || {
            let answer = models.call(question.request.clone());
            // First of all: what was answered is paid for.
            if let Ok(answer) = &answer {
                answers::keep(&place, answer)?;
            }
            transcript::keep(&run_dir, &question, &answer, &*strike)?;
            Ok(answer)
        })))
    }

    /// Enters what was sent and booked since, waiting for the first of it if told so.
    fn enter<W: Workflow>(&self, log: &Log<W>, wait: Option<Duration>) -> Result<(), FlowError> {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let first = wait.and_then(|wait| heard.recv_timeout(wait).ok());
        for record in first.into_iter().chain(heard.try_iter()) {
            match record {
                CallRecord::Started(booking, entered) => {
                    log.write(RunEvent::ModelCallStarted { booking: booking.into() })?;
                    // Whoever waits for it may be gone.
                    let _ = entered.send(());
                }
                CallRecord::Booked(booking) => {
                    log.write(RunEvent::ModelCalled { booking: booking.into() })?;
                }
            }
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
