//! Agents run for real: small scripts that behave well or badly, Claude Code and Codex against a scripted service.
//!
//! A machine without a sandbox fails here: what is not seen to hold is not known to hold.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests build their own files, and a failed step is a failed test"
)]

mod claude_code;
mod codex;
mod fixture;
mod scripted;
