//! Pieces cut into lines, with a limit on what may have no end.

use std::collections::VecDeque;

use super::Pieces;
use crate::error::Fault;

pub(super) const BOM: &[u8] = "\u{feff}".as_bytes();

pub(super) fn too_long(bytes: usize, limit: usize) -> Result<(), Fault> {
    if bytes <= limit {
        return Ok(());
    }
    Err(Fault::Malformed { why: format!("more than {limit} bytes without an end") })
}

/// Which bytes end a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// `\r\n`, `\n` or `\r`, also mixed.
    Any,
    /// `\n` alone.
    LineFeed,
}

/// Cuts pieces into lines. A line is handed out as soon as its end is there.
pub(super) struct Splitter<P> {
    pieces: P,
    ends: Ends,
    limit: usize,
    ready: VecDeque<String>,
    /// The beginning of a line whose end has not arrived.
    open: Vec<u8>,
    /// A `\r` ended the last line, so that a `\n` belongs to it.
    after_cr: bool,
    begun: bool,
    /// Comes after the lines that are ready.
    end: Option<Result<Cut, Fault>>,
    over: bool,
}

/// What a splitter finds next.
pub(super) enum Cut {
    Line(String),
    /// The bytes after the last end of a line; empty where there are none.
    Last(String),
}

impl<P: Pieces> Splitter<P> {
    pub(super) fn new(pieces: P, ends: Ends, limit: usize) -> Self {
        Splitter {
            pieces,
            ends,
            limit,
            ready: VecDeque::new(),
            open: Vec::new(),
            after_cr: false,
            begun: false,
            end: None,
            over: false,
        }
    }

    /// `None` after the last, and after a fault.
    pub(super) fn next(&mut self) -> Option<Result<Cut, Fault>> {
        while self.ready.is_empty() && !self.over {
            self.end = self.read().map(|last| last.map(Cut::Last)).transpose();
            self.over = self.end.is_some();
        }
        self.ready.pop_front().map(|line| Ok(Cut::Line(line))).or_else(|| self.end.take())
    }

    /// Nothing more is handed out.
    pub(super) fn stop(&mut self) {
        self.over = true;
        self.end = None;
        self.ready.clear();
    }

    /// The last, incomplete line once there are no more pieces.
    fn read(&mut self) -> Result<Option<String>, Fault> {
        let Some(piece) = self.pieces.next_piece()? else {
            return self.line().map(Some);
        };
        let mut piece = piece.as_slice();
        if self.after_cr && !piece.is_empty() {
            self.after_cr = false;
            piece = piece.strip_prefix(b"\n").unwrap_or(piece);
        }
        while let Some(end) = piece.iter().position(|&byte| self.ends.at(byte)) {
            self.keep(&piece[..end])?;
            let line = self.line()?;
            self.ready.push_back(line);
            let rest = &piece[end + 1..];
            let is_cr = piece[end] == b'\r';
            self.after_cr = is_cr && rest.is_empty();
            piece = if is_cr { rest.strip_prefix(b"\n").unwrap_or(rest) } else { rest };
        }
        self.keep(piece)?;
        Ok(None)
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        too_long(self.open.len() + bytes.len(), self.limit)?;
        self.open.extend_from_slice(bytes);
        Ok(())
    }

    fn line(&mut self) -> Result<String, Fault> {
        let mut bytes = std::mem::take(&mut self.open);
        if !self.begun && bytes.starts_with(BOM) {
            bytes.drain(..BOM.len());
        }
        self.begun = true;
        String::from_utf8(bytes)
            .map_err(|_| Fault::Malformed { why: "bytes that are no UTF-8".to_owned() })
    }
}

impl Ends {
    fn at(self, byte: u8) -> bool {
        match self {
            Ends::Any => matches!(byte, b'\n' | b'\r'),
            Ends::LineFeed => byte == b'\n',
        }
    }
}
