//! The tools of `rb_tools`, served to other programs over the Model Context Protocol.
//!
//! `serve` answers one client by standard input and output until it leaves. Calls are carried out one at a time by a thread that
//! brings the index up to date before each of them. Nothing here changes a file of the repository or asks a model, and nothing but
//! the protocol is written to standard output.

mod call_log;
mod reply;
mod serve;
mod server;
mod worker;

pub use serve::{McpError, Open, ServeOptions, serve};
