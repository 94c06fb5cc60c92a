//! A real Chromium against a small server, both in a sandbox. Where Chromium is not installed, these tests return at once.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests build their own files, and a failed step is a failed test"
)]

mod actions;
mod end;
mod fixture;
mod pictures;
mod reading;
mod server;
