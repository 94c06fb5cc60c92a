//! Calls and streams, against a server on this machine.
#![expect(clippy::unwrap_used, reason = "a test fails where its set-up fails")]

mod exchange;
mod stream;
