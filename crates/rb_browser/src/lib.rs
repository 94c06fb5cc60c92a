//! A real Chromium beside the server that it looks at, in one sandbox.
//!
//! [`Browser::start`] runs the preview command and Chromium as one job, so that on the loopback network of that job there is no other
//! server, and nothing outlives it. A [`Page`] acts as a person would: it waits for its [`Target`], scrolls to it and clicks where
//! nothing covers it. Chromium is driven over a pipe; no debugging port is open. What pages say is data: bounded, and without control
//! characters. This crate does not judge what it sees.

mod base64;
mod browser;
mod clean;
mod connection;
mod error;
mod job;
mod keys;
mod page;
mod picture;
mod session;
mod setup;
mod target;

pub use self::browser::{Browser, ServerState};
pub use self::error::{BrowserError, ElementError};
pub use self::page::{Loaded, Page};
pub use self::picture::{Difference, png_size};
pub use self::session::{ConsoleError, FailedRequest};
pub use self::setup::{Limits, Server, Setup};
pub use self::target::Target;
