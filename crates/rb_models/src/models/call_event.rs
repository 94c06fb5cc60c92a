//! What is going on in a call, for the journal and for whoever waits.

use std::time::Duration;

use crate::error::{Fault, ModelError};
use crate::ledger::Booking;
use crate::provider::Heard;
use crate::tokens::Estimate;

#[derive(Debug)]
pub enum CallEvent<'a> {
    Asking {
        role: &'a str,
        provider: &'a str,
        model: &'a str,
        estimate: &'a Estimate,
    },
    /// A call that may cost money is about to be sent. This is what it counts as if nothing more is heard of it.
    Sending(&'a Booking),
    Heard(Heard<'a>),
    Waiting {
        fault: &'a Fault,
        wait: Duration,
    },
    /// The answer has not the form that was asked for, or was cut off, and is asked for again.
    AskingAgain {
        why: &'a str,
    },
    Booked(&'a Booking),
    Failed(&'a ModelError),
}
