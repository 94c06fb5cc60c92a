//! Renames by servers: a scripted one that does what it should not, and real ones where they are installed.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "tests build their own files, a failed step is a failed test, and a skipped one says so"
)]

mod real;
mod scripted;
mod support;
