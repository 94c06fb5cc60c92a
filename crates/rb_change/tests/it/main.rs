//! A whole workflow on this crate: it applies one patch, lands it and takes it back.
#![expect(clippy::unwrap_used, reason = "tests fail where that fails")]

mod mending;
mod patching;
mod toy;
