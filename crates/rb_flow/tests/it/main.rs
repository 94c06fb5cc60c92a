//! A workflow on this crate alone, and conversations with tools.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests cut journals off themselves, and fail where that fails"
)]

mod adding;
mod room;
mod scripted;
mod toy;
