//! What a run has spent on models, from its journal: a resumed run goes on where the purse was.

use rb_models::Ledger;

use crate::event::{Event, Record, RunEvent};
use crate::workflow::Workflow;

/// Everything that was booked.
pub fn ledger<W: Workflow>(records: &[Record<W>]) -> Ledger {
    Ledger::from_bookings(records.iter().filter_map(|record| match &record.event {
        Event::Run(RunEvent::ModelCalled { booking }) => Some(booking),
        Event::Run(_) | Event::Own(_) => None,
    }))
}

#[cfg(test)]
mod tests {
    use rb_core::Usd;
    use rb_core::clock::Timestamp;
    use rb_models::{Booking, Cost, Fault, Purse};

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
            event: RunEvent::ModelCalled { booking }.into(),
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
}
