//! The `DevTools` protocol over two pipes: calls with a deadline, events to their session.
//!
//! Nothing reads in the background. Whoever waits for something reads, and a page that talks without end cannot make a call outlast its
//! deadline.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::thread;
use std::time::{Duration, Instant};

use rb_core::{Cancel, Interrupted};
use serde_json::{Value, json};

use crate::clean;
use crate::error::BrowserError;
use crate::job::{Ended, Pipes};
use crate::session::Session;

/// More than a screenshot of the largest page.
const LONGEST: usize = 256 << 20;

const PAUSE: Duration = Duration::from_micros(200);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

pub(crate) struct Connection {
    input: File,
    output: File,
    unread: Vec<u8>,
    /// How much of `unread` has no end of a message.
    scanned: usize,
    last_id: u64,
    awaited: Option<u64>,
    answer: Option<Value>,
    pub(crate) sessions: BTreeMap<String, Session>,
    ended: Ended,
    cancel: Cancel,
    is_closed: bool,
}

impl Connection {
    pub(crate) fn new(pipes: Pipes, ended: Ended, cancel: &Cancel) -> Self {
        Connection {
            input: pipes.input,
            output: pipes.output,
            unread: Vec::new(),
            scanned: 0,
            last_id: 0,
            awaited: None,
            answer: None,
            sessions: BTreeMap::new(),
            ended,
            cancel: cancel.clone(),
            is_closed: false,
        }
    }

    /// After this every call is an error.
    fn close(&mut self) {
        self.is_closed = true;
    }

    /// Asks Chromium, or the page of `session`, and waits for the answer.
    pub(crate) fn call(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
        limit: Duration,
    ) -> Result<Value, BrowserError> {
        let until = Instant::now() + limit;
        let too_slow = || BrowserError::TooSlow { what: method.to_owned(), limit };
        self.answer = None;
        let id = self.send(session, method, params, until)?;
        self.awaited = id;
        let came = self.wait(until, |connection| {
            let crashed =
                session.and_then(|id| connection.sessions.get(id)).is_some_and(|it| it.is_crashed);
            connection.answer.is_some() || crashed
        });
        self.awaited = None;
        if !came? {
            return Err(too_slow());
        }
        let mut answer = self.answer.take().ok_or(BrowserError::Crashed)?;
        if let Some(error) = answer.get("error") {
            let message = error["message"].as_str().unwrap_or("no reason given");
            let message = clean::line(message, clean::LINE);
            return Err(BrowserError::Refused { method: method.to_owned(), message });
        }
        Ok(answer["result"].take())
    }

    /// Reads until `done`, or until the time is over: then false.
    pub(crate) fn wait(
        &mut self,
        until: Instant,
        mut done: impl FnMut(&mut Self) -> bool,
    ) -> Result<bool, BrowserError> {
        let mut pause = PAUSE;
        loop {
            if done(self) {
                return Ok(true);
            }
            if Instant::now() >= until {
                return Ok(false);
            }
            if self.read()? {
                pause = PAUSE;
                continue;
            }
            self.check()?;
            thread::sleep(pause.min(until.saturating_duration_since(Instant::now())));
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn check(&self) -> Result<(), BrowserError> {
        if self.cancel.is_cancelled() {
            return Err(BrowserError::Cancelled(Interrupted));
        }
        if self.is_closed {
            return Err(BrowserError::Ended { why: "it was closed".to_owned() });
        }
        match self.ended.get() {
            Some(why) => Err(BrowserError::Ended { why: why.clone() }),
            None => Ok(()),
        }
    }

    /// None when the time was over before all of it was sent.
    fn send(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
        until: Instant,
    ) -> Result<Option<u64>, BrowserError> {
        self.check()?;
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({ "id": id, "method": method });
        message["params"] = params;
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.check()?;
                    if Instant::now() >= until {
                        // Half a message would spoil the next one.
                        self.close();
                        return Ok(None);
                    }
                    thread::sleep(PAUSE);
                }
                Err(error) => return Err(BrowserError::Pipe(error)),
            }
        }
        Ok(Some(id))
    }

    /// Takes one piece of what there is to read; false when there is nothing.
    fn read(&mut self) -> Result<bool, BrowserError> {
        let mut piece = vec![0; 64 << 10];
        let count = match self.output.read(&mut piece) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(true),
            Err(error) => return Err(BrowserError::Pipe(error)),
        };
        if self.unread.len() + count > LONGEST {
            self.close();
            return Err(BrowserError::Ended { why: "it sent a message without end".to_owned() });
        }
        self.unread.extend(&piece[..count]);
        while let Some(end) = self.unread[self.scanned..].iter().position(|byte| *byte == 0) {
            let rest = self.unread.split_off(self.scanned + end + 1);
            let message = std::mem::replace(&mut self.unread, rest);
            self.scanned = 0;
            self.take(&message[..message.len() - 1])?;
        }
        self.scanned = self.unread.len();
        Ok(count > 0)
    }

    fn take(&mut self, message: &[u8]) -> Result<(), BrowserError> {
        if self.is_for_nobody(message) {
            return Ok(());
        }
        let Ok(message) = serde_json::from_slice::<Value>(message) else { return Ok(()) };
        if let Some(id) = message["id"].as_u64() {
            if self.awaited == Some(id) {
                self.answer = Some(message);
            }
            return Ok(());
        }
        let (Some(method), Some(id)) = (message["method"].as_str(), message["sessionId"].as_str())
        else {
            return Ok(());
        };
        let Some(session) = self.sessions.get_mut(id) else { return Ok(()) };
        session.hear(method, &message["params"]);
        // A dialog stops the page until somebody answers.
        if method == "Page.javascriptDialogOpening" {
            let leaves = message["params"]["type"] == "beforeunload";
            let id = id.to_owned();
            let until = Instant::now() + Duration::from_secs(1);
            let params = json!({ "accept": leaves });
            self.send(Some(&id), "Page.handleJavaScriptDialog", params, until)?;
        }
        Ok(())
    }

    /// A page in an endless loop can say more than there is time to read. Chromium names the method first and the session last.
    fn is_for_nobody(&self, message: &[u8]) -> bool {
        const SESSION: &[u8] = b"\"sessionId\":\"";
        if !message.starts_with(br#"{"method":"#) {
            return false;
        }
        let tail = &message[message.len().saturating_sub(64)..];
        let Some(at) = tail.windows(SESSION.len()).position(|window| window == SESSION) else {
            return false;
        };
        let id = tail[at + SESSION.len()..].split(|byte| *byte == b'"').next().unwrap_or_default();
        let session = std::str::from_utf8(id).ok().and_then(|id| self.sessions.get(id));
        let is_console = || message.starts_with(br#"{"method":"Runtime.consoleAPICalled""#);
        session.is_none_or(|session| session.is_full() && is_console())
    }
}
