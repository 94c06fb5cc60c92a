//! A hostile test suite against every kind of sandbox that this machine must be able to hold.
//!
//! A machine without bubblewrap or Landlock fails here: what is not seen to hold is not known to hold.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests build their own files, and a failed step is a failed test"
)]

mod contain;
mod disk;
mod escape;
mod fixture;
mod limits;
mod orphan;
mod probe;
