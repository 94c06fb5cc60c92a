//! The providers, one file each.

pub mod anthropic;
pub mod chat;
pub mod claude_code;
pub mod codex;
pub mod command;
pub mod ollama;
