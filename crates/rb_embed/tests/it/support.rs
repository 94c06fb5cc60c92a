//! What is the same in every test.

use std::error::Error as _;
use std::fmt::Write as _;

use rb_index::search::embed::EmbedError;

pub(crate) use rb_http::testing::{Waits, context, unhurried};

/// An error as a user sees it, with where the port that the machine chose is replaced.
pub(crate) fn shown(error: &EmbedError, port: u16) -> String {
    let mut text = format!("{error}\n");
    if let Some(hint) = &error.hint {
        writeln!(text, "hint: {hint}").unwrap();
    }
    if let Some(source) = error.source() {
        writeln!(text, "source: {source}").unwrap();
    }
    text.replace(&format!(":{port}"), ":PORT").replace(&format!("--port {port}"), "--port PORT")
}
