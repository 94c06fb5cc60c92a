//! Answers that arrive in pieces, cut into what they are made of: server-sent events or lines.
//!
//! Where a piece ends means nothing: any split of the same bytes gives the same events. Nothing is repaired:
//! bytes that are no UTF-8 and lines without an end are faults, because what is read here ends up in code.

pub(crate) mod lines;
mod split;
pub(crate) mod sse;

use rb_http::{HttpError, Incoming};
use serde_json::Value;

use crate::error::Fault;
use split::{BOM, too_long};
use sse::Events;

/// Where the bytes of an answer come from.
pub(crate) trait Pieces {
    /// `None` at the proper end of the answer, and not asked again after that or after a fault.
    fn next_piece(&mut self) -> Result<Option<Vec<u8>>, Fault>;
}

impl Pieces for Incoming {
    fn next_piece(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        Incoming::next_piece(self).map_err(|error| match error {
            // It was reached: the answer had begun.
            HttpError::Unreachable { why, .. } => Fault::Half { why },
            other => other.into(),
        })
    }
}

/// What a successful answer to a call for events turns out to be, judged by its first bytes: servers and what
/// stands between them and us are wrong about the type that they name.
pub(crate) enum Body<P> {
    Events(Events<Again<P>>),
    /// The whole answer, or an error in place of one.
    Json(Value),
    /// A page for a browser, as from a proxy or the login of a network; its beginning.
    Page(String),
    Empty,
}

/// An event, a line or a whole answer of more bytes is a fault.
pub(crate) const LARGEST: usize = 16 << 20;

/// This much of a page tells what it is.
const PAGE: usize = 2 << 10;

pub(crate) fn body<P: Pieces>(mut pieces: P) -> Result<Body<P>, Fault> {
    let mut begin = Vec::new();
    let first = loop {
        match pieces.next_piece()? {
            Some(piece) => begin.extend(piece),
            None if begin.trim_ascii().is_empty() => return Ok(Body::Empty),
            None => break begin[0],
        }
        let text = begin.strip_prefix(BOM).unwrap_or(&begin).trim_ascii_start();
        match text.first() {
            Some(&first) if !BOM.starts_with(text) => break first,
            _ => too_long(begin.len(), LARGEST)?,
        }
    };
    match first {
        b'{' | b'[' => {
            let whole = rest(begin, &mut pieces)?;
            json(whole.strip_prefix(BOM).unwrap_or(&whole)).map(Body::Json)
        }
        b'<' => {
            begin.truncate(PAGE);
            Ok(Body::Page(String::from_utf8_lossy(&begin).into_owned()))
        }
        _ => Ok(Body::Events(Events::new(Again { first: Some(begin), rest: pieces }))),
    }
}

fn rest(mut bytes: Vec<u8>, pieces: &mut impl Pieces) -> Result<Vec<u8>, Fault> {
    while let Some(piece) = pieces.next_piece()? {
        bytes.extend(piece);
        too_long(bytes.len(), LARGEST)?;
    }
    Ok(bytes)
}

/// Pieces of which the first was looked at already.
pub(crate) struct Again<P> {
    first: Option<Vec<u8>>,
    rest: P,
}

impl<P: Pieces> Pieces for Again<P> {
    fn next_piece(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        match self.first.take() {
            Some(piece) => Ok(Some(piece)),
            None => self.rest.next_piece(),
        }
    }
}

/// Says where it is broken, and nothing of what it holds.
pub(crate) fn json(text: &[u8]) -> Result<Value, Fault> {
    serde_json::from_slice(text)
        .map_err(|error| Fault::Malformed { why: format!("no JSON: {error}") })
}

#[cfg(test)]
mod tests;
