//! How much room an answer gets. The whole of it is held back under the cap, so that an answer which needs little must not keep
//! other calls waiting; one that was cut off gets twice as much, once.

use super::Route;
use crate::call::{Limits, Request};

/// Less saves nothing, and a few words too many would fill it.
const LEAST: u64 = 2_000;

/// The request with the room that its answer needs. Thoughts take room that nobody can tell before.
pub(super) fn sized(route: &Route, request: &Request) -> Request {
    let limit = request.limits.output_tokens;
    let most = route.max_output.map_or(limit, |most| most.min(limit));
    let room = match request.need {
        None => limit,
        Some(_) if route.provider.thinks(&request.model) => most,
        Some(need) => need.max(LEAST).min(most),
    };
    with_room(request, room)
}

/// The request with twice the room, as far as the model can write so much; only where the answer was given what it should need.
pub(super) fn wider(route: &Route, sized: &Request) -> Option<Request> {
    sized.need?;
    let room = sized.limits.output_tokens;
    let most = route.max_output.unwrap_or(Limits::default().output_tokens);
    let wider = room.saturating_mul(2).min(most);
    (wider > room).then(|| with_room(sized, wider))
}

fn with_room(request: &Request, output_tokens: u64) -> Request {
    Request { limits: Limits { output_tokens, ..request.limits }, ..request.clone() }
}
