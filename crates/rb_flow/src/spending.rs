//! What a run has spent on models, from its journal: a resumed run goes on where the purse was.

use rb_models::{Booking, Ledger};

use crate::event::{Event, Record, RunEvent};
use crate::workflow::Workflow;

/// Everything that was booked or has to be presumed.
pub fn ledger<W: Workflow>(records: &[Record<W>]) -> Ledger {
    Ledger::from_bookings(bookings(records))
}

/// Everything that was booked, and each call that was under way when the process was killed, with what was held back for it.
pub fn bookings<W: Workflow>(records: &[Record<W>]) -> Vec<&Booking> {
    let mut booked: Vec<&Booking> = Vec::new();
    let mut under_way: Vec<&Booking> = Vec::new();
    for record in records {
        match &record.event {
            Event::Run(RunEvent::ModelCallStarted { booking }) => {
                // What the tries before it may have cost is part of it.
                under_way.retain(|call| !is_same(call, booking) || call.tries >= booking.tries);
                under_way.push(booking);
            }
            Event::Run(RunEvent::ModelCalled { booking }) => {
                if let Some(at) = under_way.iter().position(|call| is_same(call, booking)) {
                    under_way.remove(at);
                }
                booked.push(booking);
            }
            Event::Run(RunEvent::Recovered { .. }) => {}
            Event::Run(RunEvent::Resumed) => booked.append(&mut under_way),
            // A run goes on when all of its calls have ended: these cost nothing.
            Event::Run(_) | Event::Own(_) => under_way.clear(),
        }
    }
    booked.append(&mut under_way);
    booked
}

/// Whether both can be of one call.
fn is_same(one: &Booking, other: &Booking) -> bool {
    (&one.role, one.task) == (&other.role, other.task)
}

#[cfg(test)]
mod tests {
    use rb_core::clock::Timestamp;
    use rb_core::{TaskId, Usd};
    use rb_models::{Cost, Fault, Purse};

    use super::*;
    use crate::event::VERSION;
    use crate::graph::tests::Toy;

    #[test]
    fn mo7_the_cap_holds_over_a_resume() {
        let usd = |dollars: f64| Usd::new(dollars).unwrap();
        let booked = |seq: u64, booking: Booking| Record::<Toy> {
            v: VERSION,
            seq,
            at: Timestamp::from_unix_ms(0),
            event: RunEvent::ModelCalled { booking: booking.into() }.into(),
        };
        let paid = Booking { cost: Cost::Priced(usd(1.5)), ..Booking::default() };
        let unsure = Booking { presumed: usd(0.4), ..Booking::default() };
        let replayed = Booking { replayed: true, ..paid.clone() };
        let records = [booked(1, paid), booked(2, unsure), booked(3, replayed)];
        // Through the text of the journal, as a resume reads it.
        let text = serde_json::to_string(&records).unwrap();
        let records: Vec<Record<Toy>> = serde_json::from_str(&text).unwrap();

        let gone = ledger(&records).gone();
        assert_eq!(gone, usd(1.9));
        let purse = Purse::new(Some(usd(2.0)), gone);
        drop(purse.reserve(Some(usd(0.1)), "m").unwrap());
        let refused = purse.reserve(Some(usd(0.2)), "m").unwrap_err();
        assert!(matches!(refused, Fault::OverCap { .. }), "{refused}");
    }

    /// What a journal says → what counts against the cap. A call is a task, a try, and what was held back for it in cents.
    #[test]
    fn mo7_a_call_under_way_when_the_process_was_killed_is_presumed() {
        let usd = |cents: u32| Usd::new(f64::from(cents) / 100.0).unwrap();
        let started = |task: u32, tries: u32, cents: u32| {
            let (role, task) = ("patcher".to_owned(), Some(TaskId(task)));
            let booking = Booking { role, task, tries, presumed: usd(cents), ..Booking::default() };
            RunEvent::<Toy>::ModelCallStarted { booking: booking.into() }
        };
        let booked = |task: u32, cents: u32| {
            let (role, task) = ("patcher".to_owned(), Some(TaskId(task)));
            let cost = Cost::Priced(usd(cents));
            RunEvent::<Toy>::ModelCalled {
                booking: Booking { role, task, cost, ..Booking::default() }.into(),
            }
        };
        let noted = || RunEvent::<Toy>::Noted { text: "the node has ended".to_owned() };
        let torn = || RunEvent::<Toy>::Recovered { torn_bytes: 1 };
        let check = |events: Vec<RunEvent<Toy>>, calls: u64, cents: u32| {
            let record = |(seq, event): (u64, RunEvent<Toy>)| Record {
                v: VERSION,
                seq,
                at: Timestamp::from_unix_ms(0),
                event: event.into(),
            };
            let records: Vec<Record<Toy>> = (1..).zip(events).map(record).collect();
            let text = serde_json::to_string(&records).unwrap();
            let read: Vec<Record<Toy>> = serde_json::from_str(&text).unwrap();
            let ledger = ledger(&read);
            assert_eq!((ledger.total().calls, ledger.gone()), (calls, usd(cents)), "{text}");
        };
        check(vec![started(1, 1, 40)], 1, 40);
        check(vec![started(1, 1, 40), torn(), RunEvent::Resumed, noted()], 1, 40);
        check(vec![started(1, 1, 40), RunEvent::Resumed, started(1, 1, 40), booked(1, 7)], 2, 47);
        // One of two was answered.
        check(vec![started(1, 1, 40), started(2, 1, 30), booked(1, 7)], 2, 37);
        // The second try of a call has what the first may have cost.
        check(vec![started(1, 1, 40), started(1, 2, 80), torn()], 1, 80);
        // The first was booked by itself.
        check(vec![started(1, 1, 40), booked(1, 7), started(1, 2, 40)], 2, 47);
        // It was refused, which costs nothing.
        check(vec![started(1, 1, 40), noted(), RunEvent::Resumed], 0, 0);
        // As journals were before there was a line for the beginning.
        check(vec![booked(1, 7), RunEvent::Resumed, booked(2, 7)], 2, 14);
    }
}
