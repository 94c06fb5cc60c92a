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

/// The estimates of the design: tokens of one agent, and of a single session up to the second fix.
const ESTIMATES: [(&str, u64); 3] =
    [("impl-agent", 30_000), ("verify-agent", 25_000), ("fix-agent", 20_000)];
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
