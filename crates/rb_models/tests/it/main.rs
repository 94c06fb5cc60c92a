//! The providers against servers and programs on this machine, and what stands above all of them.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests start programs and damage files on purpose, and fail where that fails"
)]

mod anthropic;
mod calls;
mod catalog;
mod chat;
mod claude_call;
mod claude_code;
mod claude_real;
mod codex;
mod command;
mod conformance;
mod doubles;
mod models;
mod money;
mod ollama;
mod record;
mod record_file;
mod support;
