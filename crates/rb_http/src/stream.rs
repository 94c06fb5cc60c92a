//! An answer that is read while it is being written, so that a silent server is told from a slow one.
//!
//! One try: what is tried again, and when, is decided by who knows what the answer was worth. The body is
//! read on a thread of its own and handed over in pieces; a caller that stops listening ends the connection
//! with the next piece.

use std::io::{self, Read as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use ureq::http::{Request, Response};
use ureq::{Agent, Timeout};

use crate::clock::TICK;
use crate::error::HttpError;
use crate::http::{Auth, Http, HttpContext, LARGEST_REFUSAL};
use crate::settings::header;

/// How long a stream may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// Until the head of the answer, and from there to the first byte of its body: a model may have to be
    /// loaded first.
    pub first: Duration,
    /// Between two pieces.
    pub idle: Duration,
    /// From the first byte sent to the last byte read.
    pub whole: Duration,
}

/// An answer with a good status, whose body is still arriving.
pub struct Incoming {
    at: String,
    headers: Vec<(String, String)>,
    pieces: Receiver<Piece>,
    times: Times,
    started: Instant,
    begun: bool,
    context: HttpContext,
    /// What may still be read.
    left: usize,
    limit: usize,
    broken: Box<dyn Fn(&ureq::Error) -> HttpError + Send>,
}

enum Piece {
    Head(Head),
    Bytes(Vec<u8>),
    End,
    Failed(ureq::Error),
}

struct Head {
    status: u16,
    headers: Vec<(String, String)>,
    /// Of a refusal.
    body: Vec<u8>,
}

/// Pieces that wait to be taken; the server is held back after that.
const AHEAD: usize = 64;

const PIECE: usize = 16 << 10;

impl Http {
    /// Sends `body` and returns when the answer begins. A status other than success is an error with the
    /// server's words.
    pub fn stream(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        body: &impl Serialize,
        times: Times,
    ) -> Result<Incoming, HttpError> {
        let body = serde_json::to_vec(body).expect("plain data with text keys is always JSON");
        if self.context.cancel.is_cancelled() {
            return Err(HttpError::Interrupted);
        }
        let (sender, pieces) = sync_channel(AHEAD);
        let call = Call {
            agent: self.agent.clone(),
            url: format!("{}{path}", self.base),
            auth: self.auth.clone(),
            headers: headers.iter().map(|&(n, v)| (n.to_owned(), v.to_owned())).collect(),
            body,
            whole: times.whole,
        };
        thread::spawn(move || call.run(&sender));
        let mut incoming = Incoming {
            at: self.base.clone(),
            headers: Vec::new(),
            pieces,
            times,
            started: Instant::now(),
            begun: false,
            context: self.context.clone(),
            left: self.largest_answer,
            limit: self.largest_answer,
            broken: Box::new(self.hushing(times.whole)),
        };
        let head = incoming.head()?;
        if !(200..300).contains(&head.status) {
            return Err(self.turned_down(&head));
        }
        incoming.headers = head.headers;
        Ok(incoming)
    }

    fn turned_down(&self, head: &Head) -> HttpError {
        let wait = named(&head.headers, "retry-after");
        let to = named(&head.headers, "location");
        match (head.status, to) {
            // The page that comes with it says nothing; where it leads may show what is wrong.
            (300..400, Some(to)) => {
                let words = format!("it sends us on to {to}, and redirects are not followed");
                self.refused(head.status, wait, words.as_bytes())
            }
            (status, _) => self.refused(status, wait, &head.body),
        }
    }

    /// Turns a failure of the connection into one that can be shown, after `self` is gone.
    fn hushing(&self, whole: Duration) -> impl Fn(&ureq::Error) -> HttpError + Send + use<> {
        let this = self.clone();
        move |error| match error {
            // The same limit as ours, which it may be ahead of.
            ureq::Error::Timeout(Timeout::PerCall) => {
                HttpError::TooSlow { at: this.base.clone(), limit: whole }
            }
            other => this.unreachable(other, 1),
        }
    }
}

impl Incoming {
    /// A header of the answer; the name is in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        named(&self.headers, name)
    }

    /// Waits for the next bytes; `None` at the proper end of the answer.
    pub fn next_piece(&mut self) -> Result<Option<Vec<u8>>, HttpError> {
        let silent = if self.begun { self.times.idle } else { self.times.first };
        match self.wait(silent)? {
            Piece::Bytes(bytes) => match self.left.checked_sub(bytes.len()) {
                Some(left) => {
                    self.begun = true;
                    self.left = left;
                    Ok(Some(bytes))
                }
                None => Err(HttpError::TooLarge { at: self.at.clone(), limit: self.limit }),
            },
            Piece::End => Ok(None),
            Piece::Failed(error) => Err((self.broken)(&error)),
            Piece::Head(_) => unreachable!("the head comes first, and once"),
        }
    }

    fn head(&mut self) -> Result<Head, HttpError> {
        match self.wait(self.times.first)? {
            Piece::Head(head) => Ok(head),
            Piece::Failed(error) => Err((self.broken)(&error)),
            Piece::Bytes(_) | Piece::End => unreachable!("the head comes first"),
        }
    }

    fn wait(&self, silent: Duration) -> Result<Piece, HttpError> {
        let since = Instant::now();
        loop {
            let at = || self.at.clone();
            // Also where pieces come without a pause.
            if self.context.cancel.is_cancelled() {
                return Err(HttpError::Interrupted);
            }
            if self.started.elapsed() >= self.times.whole {
                return Err(HttpError::TooSlow { at: at(), limit: self.times.whole });
            }
            match self.pieces.recv_timeout(TICK.min(silent)) {
                Ok(piece) => return Ok(piece),
                Err(RecvTimeoutError::Disconnected) => {
                    let ended = io::Error::other("the request ended early");
                    return Ok(Piece::Failed(ureq::Error::Io(ended)));
                }
                Err(RecvTimeoutError::Timeout) if since.elapsed() >= silent => {
                    return Err(HttpError::Stalled { at: at(), silent });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

fn named<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// What the thread needs to make the request.
struct Call {
    agent: Agent,
    url: String,
    auth: Option<Auth>,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    whole: Duration,
}

impl Call {
    fn run(&self, sender: &SyncSender<Piece>) {
        let last = match self.read(sender) {
            Ok(()) => Piece::End,
            Err(error) => Piece::Failed(error),
        };
        // Nobody listens any more where the call was given up.
        let _ = sender.send(last);
    }

    fn read(&self, sender: &SyncSender<Piece>) -> Result<(), ureq::Error> {
        let mut response = self.send()?;
        let status = response.status().as_u16();
        let headers = headers_of(&response);
        let mut body = response.body_mut().as_reader();
        if !(200..300).contains(&status) {
            let mut words = Vec::new();
            // The status tells enough where the words break off.
            let _ = body.take(LARGEST_REFUSAL as u64).read_to_end(&mut words);
            let _ = sender.send(Piece::Head(Head { status, headers, body: words }));
            return Ok(());
        }
        let mut heard = sender.send(Piece::Head(Head { status, headers, body: Vec::new() }));
        let mut buffer = vec![0; PIECE];
        while heard.is_ok() {
            match body.read(&mut buffer)? {
                0 => return Ok(()),
                read => heard = sender.send(Piece::Bytes(buffer[..read].to_vec())),
            }
        }
        Ok(())
    }

    fn send(&self) -> Result<Response<ureq::Body>, ureq::Error> {
        let mut request = Request::builder()
            .method("POST")
            .uri(&self.url)
            .header("accept", "text/event-stream, application/x-ndjson, application/json")
            .header("content-type", "application/json");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some((name, value)) = self.auth.as_ref().and_then(|auth| header(auth).ok()) {
            request = request.header(name, value);
        }
        let request = request.body(self.body.as_slice())?;
        let request = self.agent.configure_request(request);
        self.agent.run(request.timeout_per_call(Some(self.whole)).build())
    }
}

fn headers_of<B>(response: &Response<B>) -> Vec<(String, String)> {
    let pairs = response.headers().iter();
    pairs
        .filter_map(|(name, value)| {
            Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
        })
        .collect()
}
