//! What a server says, and how it ends.

use super::gate::Gate;

/// Built by a constructor, then changed: `Reply::stream(pieces).gated(&gate).then_hang_up()`.
#[derive(Clone)]
pub struct Reply {
    pub(super) form: Form,
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) pieces: Vec<Vec<u8>>,
    /// Each piece waits here.
    pub(super) gate: Option<Gate>,
    /// Bytes of head and body together after which the connection breaks off.
    pub(super) cut: Option<usize>,
    after: After,
    /// The end of a stream is said, as HTTP wants it.
    pub(super) ends: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// With `Content-Length`.
    Whole,
    /// In chunks, one for each piece.
    Chunked,
    /// No head: the pieces as they are.
    Raw,
}

/// What follows the last byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    Close,
    /// The connection stays open and nothing more is said.
    Silence,
    /// The next request on the same connection is answered, as through the tunnel of a proxy.
    Next,
}

impl Reply {
    /// Status 200 and this body.
    pub fn ok(body: impl AsRef<[u8]>) -> Self {
        Reply::status(200, body)
    }

    pub fn status(status: u16, body: impl AsRef<[u8]>) -> Self {
        Reply::of(Form::Whole, status, vec![body.as_ref().to_vec()])
    }

    /// Status 200 and a body in pieces, each sent on its own.
    pub fn stream<P: AsRef<[u8]>>(pieces: impl IntoIterator<Item = P>) -> Self {
        let pieces = pieces.into_iter().map(|piece| piece.as_ref().to_vec()).collect();
        Reply::of(Form::Chunked, 200, pieces)
    }

    /// Server-sent events, one piece for each text.
    pub fn events<P: AsRef<[u8]>>(pieces: impl IntoIterator<Item = P>) -> Self {
        Reply::stream(pieces).header("content-type", "text/event-stream")
    }

    /// Bytes that are no HTTP, and the end of the connection.
    pub fn garbage(bytes: impl AsRef<[u8]>) -> Self {
        Reply::of(Form::Raw, 0, vec![bytes.as_ref().to_vec()])
    }

    /// The request is read and the connection broken off.
    pub fn hang_up() -> Self {
        Reply::of(Form::Raw, 0, Vec::new())
    }

    /// The request is read and nothing is ever said.
    pub fn silence() -> Self {
        Reply { after: After::Silence, ..Reply::hang_up() }
    }

    /// Opens a tunnel as a proxy does: the next request on this connection is answered like any other.
    pub fn tunnel() -> Self {
        let opened = Reply::of(Form::Raw, 0, vec![b"HTTP/1.1 200 OK\r\n\r\n".to_vec()]);
        Reply { after: After::Next, ..opened }
    }

    fn of(form: Form, status: u16, pieces: Vec<Vec<u8>>) -> Self {
        Reply {
            form,
            status,
            headers: Vec::new(),
            pieces,
            gate: None,
            cut: None,
            after: After::Close,
            ends: true,
        }
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Each piece waits for a permission. The head of a reply waits for none.
    pub fn gated(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    /// Breaks off after so many bytes of head and body together, chunk marks included.
    pub fn cut_after(mut self, bytes: usize) -> Self {
        self.cut = Some(bytes);
        self
    }

    /// A stream breaks off after its last piece: its end is not said.
    pub fn then_hang_up(mut self) -> Self {
        self.ends = false;
        self
    }

    /// Nothing follows the last piece, and the connection stays open.
    pub fn then_silence(mut self) -> Self {
        self.ends = false;
        self.after = After::Silence;
        self
    }

    pub(super) fn after(&self) -> After {
        self.after
    }
}
