//! What each agent took of a model's context, beside the estimates for one long session.

use rb_flow::{Record, Workflow, spending};
use serde::Serialize;

/// One agent's calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentUse {
    pub agent: String,
    pub calls: u64,
    pub tokens_in: u64,
    pub tokens_out: u64,
    /// The most that one call was sent.
    pub largest_context: u64,
    /// What the design allows it, in a fresh context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<u64>,
}

/// The estimates of the design for one agent, in tokens.
const ESTIMATES: [(&str, u64); 3] =
    [("impl-agent", 30_000), ("verify-agent", 25_000), ("fix-agent", 20_000)];
/// The same for a single session that does all of it, up to the second fix.
pub const SINGLE_SESSION: u64 = 140_000;

/// By agent, in the order in which they were first asked.
pub fn of<W: Workflow>(records: &[Record<W>]) -> Vec<AgentUse> {
    let mut all: Vec<AgentUse> = Vec::new();
    for booking in spending::bookings(records) {
        let at = all.iter().position(|known| known.agent == booking.role).unwrap_or_else(|| {
            let estimate = ESTIMATES.iter().find(|(role, _)| *role == booking.role);
            all.push(AgentUse {
                agent: booking.role.clone(),
                calls: 0,
                tokens_in: 0,
                tokens_out: 0,
                largest_context: 0,
                estimate: estimate.map(|(_, tokens)| *tokens),
            });
            all.len() - 1
        });
        let (sent, came) = (booking.usage.all_input(), booking.usage.output);
        let agent = &mut all[at];
        agent.calls += 1;
        agent.tokens_in += sent;
        agent.tokens_out += came;
        agent.largest_context = agent.largest_context.max(sent);
    }
    all
}

#[cfg(test)]
mod tests {
    use rb_core::clock::Timestamp;
    use rb_flow::event::VERSION;
    use rb_models::{Booking, Usage};
    use serde_json::json;

    use super::*;
    use crate::workflow::Ticketing;
    use crate::workflow::event::{Event, RunEvent};

    fn called(role: &str, sent: u64, came: u64) -> Event {
        let usage = Usage { input: sent - 100, cache_read: 100, output: came, ..Usage::default() };
        let booking = Booking { role: role.to_owned(), usage, ..Booking::default() };
        RunEvent::ModelCalled { booking: booking.into() }.into()
    }

    #[test]
    fn tk5_each_agent_is_held_against_the_estimate_of_the_design() {
        let events = [
            called("impl-agent", 9_000, 400),
            called("verify-agent", 700, 30),
            called("impl-agent", 12_000, 600),
            called("pr-agent", 500, 50),
        ];
        let record = |(seq, event)| Record::<Ticketing> {
            v: VERSION,
            seq,
            at: Timestamp::from_unix_ms(0),
            event,
        };
        let records: Vec<_> = (1..).zip(events).map(record).collect();
        let expected = json!([
            { "agent": "impl-agent", "calls": 2, "tokens_in": 21_000, "tokens_out": 1_000,
              "largest_context": 12_000, "estimate": 30_000 },
            { "agent": "verify-agent", "calls": 1, "tokens_in": 700, "tokens_out": 30,
              "largest_context": 700, "estimate": 25_000 },
            { "agent": "pr-agent", "calls": 1, "tokens_in": 500, "tokens_out": 50,
              "largest_context": 500 },
        ]);
        assert_eq!(json!(of(&records)), expected);
    }

    /// A role that is renamed would lose its estimate.
    #[test]
    fn tk5_each_estimate_is_of_an_agent() {
        for (role, tokens) in ESTIMATES {
            let mut roles = <Ticketing as Workflow>::ROLES.iter();
            assert!(roles.any(|known| known.name == role), "{role}");
            assert!(tokens < SINGLE_SESSION, "{role}");
        }
    }
}
