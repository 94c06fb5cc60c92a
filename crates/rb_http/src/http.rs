//! One blocking client for all services: JSON in, JSON out, bounded in time, size and tries.
//!
//! A call runs on a thread of its own, so that an interrupted run does not wait for a slow server; the
//! thread ends by its own timeout. Redirects are not followed: a key goes where it was meant to go.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rb_core::Cancel;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::Agent;

use crate::clock::{Clock, TICK};
use crate::error::{BadSetting, HttpError};
use crate::exchange::{Answer, Method, Outgoing};
use crate::retry::{NextTry, Patience, retry_after};
use crate::secret::Secret;
use crate::settings::{header, host_of, is_this_machine, proxy_of};
use crate::words::{ErrorBody, printable};

/// How a server knows us: the name of a header, and what stands before the key in it.
#[derive(Debug, Clone)]
pub struct Auth {
    pub header: String,
    pub prefix: &'static str,
    pub key: Secret,
}

impl Auth {
    /// `Authorization: Bearer KEY`.
    pub fn bearer(key: Secret) -> Self {
        Auth { header: "authorization".to_owned(), prefix: "Bearer ", key }
    }
}

/// A proxy, with its password if it has one. A server on this machine is always reached directly.
#[derive(Debug, Clone)]
pub struct Proxy {
    pub url: Secret,
    /// Hosts that are reached directly, as `NO_PROXY` lists them.
    pub except: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// Until the connection stands.
    pub connect: Duration,
    /// From the first byte sent to the last byte read, for each try.
    pub whole: Duration,
    pub proxy: Option<Proxy>,
    pub patience: Patience,
    /// An answer of more bytes is refused.
    pub largest_answer: usize,
}

impl Default for HttpOptions {
    fn default() -> Self {
        HttpOptions {
            connect: Duration::from_secs(10),
            whole: Duration::from_mins(2),
            proxy: None,
            patience: Patience::default(),
            largest_answer: 256 << 20,
        }
    }
}

/// What a call stands in: the time, and whether it is still wanted.
#[derive(Clone)]
pub struct HttpContext {
    pub clock: Arc<dyn Clock>,
    pub cancel: Cancel,
}

/// A server and how to speak to it.
#[derive(Clone)]
pub struct Http {
    pub(crate) agent: Agent,
    pub(crate) base: String,
    host: String,
    pub(crate) auth: Option<Auth>,
    patience: Patience,
    pub(crate) largest_answer: usize,
    pub(crate) context: HttpContext,
}

/// An error page of a proxy may be long; its beginning tells enough.
pub(crate) const LARGEST_REFUSAL: usize = 64 << 10;

/// How a call ended when there is nothing left to try.
enum Ending {
    Good(Answer),
    /// With the answer, if there was one.
    Bad(HttpError, Option<Answer>),
}

impl Http {
    pub fn new(
        base: &str,
        auth: Option<Auth>,
        options: &HttpOptions,
        context: &HttpContext,
    ) -> Result<Self, BadSetting> {
        let base = base.trim().trim_end_matches('/');
        let host = host_of(base)?;
        if let Some(auth) = &auth {
            header(auth)?;
        }
        let proxy = match &options.proxy {
            Some(proxy) if !is_this_machine(&host) => Some(proxy_of(proxy)?),
            _ => None,
        };
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(proxy)
            .user_agent("refactor_bot")
            .timeout_connect(Some(options.connect))
            .timeout_per_call(Some(options.whole))
            .build()
            .new_agent();
        Ok(Http {
            agent,
            base: base.to_owned(),
            host,
            auth,
            patience: options.patience,
            largest_answer: options.largest_answer,
            context: context.clone(),
        })
    }

    /// Host and port, as the address names them.
    pub fn host(&self) -> &str {
        &self.host
    }

    pub fn base(&self) -> &str {
        &self.base
    }

    /// The same server and connections, for work that somebody else may cancel.
    pub fn cancelled_by(&self, cancel: &Cancel) -> Self {
        let mut http = self.clone();
        http.context.cancel = cancel.clone();
        http
    }

    pub fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, HttpError> {
        self.get_with(path, &[])
    }

    /// As `get`, with headers of its own.
    pub fn get_with<T: DeserializeOwned>(
        &self,
        path: &str,
        headers: &[(&str, &str)],
    ) -> Result<T, HttpError> {
        self.read(&self.call(&Outgoing::get(path, headers))?)
    }

    pub fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> Result<T, HttpError> {
        let body = serde_json::to_vec(body).expect("plain data with text keys is always JSON");
        self.read(&self.call(&Outgoing::send("POST", path, &[], body))?)
    }

    /// Sends `body` by `method` if there is one, else gets. Whatever the server answers is returned with its status and headers,
    /// after the tries that every call has; an error means that there was no answer.
    pub fn exchange(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<(Method, &Value)>,
    ) -> Result<Answer, HttpError> {
        let request = match body {
            Some((method, body)) => {
                Outgoing::send(method.name(), path, headers, body.to_string().into_bytes())
            }
            None => Outgoing::get(path, headers),
        };
        match self.settle(&request)? {
            Ending::Bad(HttpError::TooLarge { at, limit }, _) => {
                Err(HttpError::TooLarge { at, limit })
            }
            Ending::Good(answer) | Ending::Bad(_, Some(answer)) => Ok(answer),
            Ending::Bad(error, None) => Err(error),
        }
    }

    fn read<T: DeserializeOwned>(&self, body: &[u8]) -> Result<T, HttpError> {
        serde_json::from_slice(body).map_err(|error| HttpError::NotJson {
            at: self.base.clone(),
            why: printable(&self.hushed(&error.to_string())),
        })
    }

    fn call(&self, request: &Outgoing) -> Result<Vec<u8>, HttpError> {
        match self.settle(request)? {
            Ending::Good(answer) => Ok(answer.body),
            Ending::Bad(error, _) => Err(error),
        }
    }

    /// Tries until there is an answer, a refusal that another try would not change, or no patience left.
    fn settle(&self, request: &Outgoing) -> Result<Ending, HttpError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let result = self.interruptible(request)?;
            let failure = match &result {
                Ok(answer) => self.judge(answer),
                Err(error) => Some(self.unreachable(error, tries)),
            };
            let (answer, failure) = match (result.ok(), failure) {
                (Some(answer), None) => return Ok(Ending::Good(answer)),
                (answer, failure) => (answer, failure.expect("no answer is a failure")),
            };
            let wait = match self.patience.next(&failure, tries) {
                NextTry::After(wait) => wait,
                NextTry::Never => return Ok(Ending::Bad(failure, answer)),
                NextTry::Limited(wait) => {
                    let limited = HttpError::RateLimited { at: self.base.clone(), wait };
                    return Ok(Ending::Bad(limited, answer));
                }
            };
            self.context.clock.wait(wait, &self.context.cancel);
        }
    }

    fn judge(&self, answer: &Answer) -> Option<HttpError> {
        let (at, limit) = (self.base.clone(), self.largest_answer);
        match answer.status {
            200..300 if answer.body.len() > limit => Some(HttpError::TooLarge { at, limit }),
            200..300 => None,
            status => Some(self.refused(status, answer.header("retry-after"), &answer.body)),
        }
    }

    pub(crate) fn refused(&self, status: u16, wait: Option<&str>, body: &[u8]) -> HttpError {
        let wait = wait.and_then(|text| retry_after(text, self.context.clock.now()));
        // Before anything is cut, or a part of the key might stay.
        let body = self.hushed(&String::from_utf8_lossy(body));
        let ErrorBody { code, words } = ErrorBody::of(&body);
        HttpError::Refused { at: self.base.clone(), status, code, words, wait }
    }

    pub(crate) fn unreachable(&self, error: &ureq::Error, tries: u32) -> HttpError {
        let at = self.base.clone();
        let shown = |why: &str| printable(&self.hushed(why));
        let (why, lost) = match error {
            ureq::Error::Io(source) if is_tls(source) => {
                return HttpError::Tls { at, why: shown(&source.to_string()) };
            }
            ureq::Error::Rustls(source) => {
                return HttpError::Tls { at, why: shown(&source.to_string()) };
            }
            ureq::Error::Tls(why) => return HttpError::Tls { at, why: shown(why) },
            ureq::Error::Io(source) => (source.to_string(), is_lost(source)),
            ureq::Error::Timeout(_) => ("no answer in time".to_owned(), false),
            other => (other.to_string(), false),
        };
        HttpError::Unreachable { at, why: shown(&why), tries, lost }
    }

    pub(crate) fn hushed(&self, text: &str) -> String {
        match &self.auth {
            Some(auth) => auth.key.struck_from(text),
            None => text.to_owned(),
        }
    }

    fn interruptible(&self, request: &Outgoing) -> Result<Result<Answer, ureq::Error>, HttpError> {
        let (sender, receiver) = mpsc::channel();
        let agent = self.agent.clone();
        let url = format!("{}{}", self.base, request.path);
        let auth = self.auth.clone();
        let request = request.clone();
        let limit = self.largest_answer;
        if self.context.cancel.is_cancelled() {
            return Err(HttpError::Interrupted);
        }
        thread::spawn(move || {
            let came = request.once(&agent, &url, auth.as_ref(), limit);
            // Nobody listens any more where the run was interrupted.
            let _ = sender.send(came);
        });
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Disconnected) => {
                    let ended = io::Error::other("the request ended early");
                    return Ok(Err(ureq::Error::Io(ended)));
                }
                Err(RecvTimeoutError::Timeout) if self.context.cancel.is_cancelled() => {
                    return Err(HttpError::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// The handshake failed, as with a certificate that nobody vouches for; it arrives wrapped.
fn is_tls(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidData && error.get_ref().is_some()
}

/// The server went away, or is not there yet: it may come back.
fn is_lost(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(
        error.kind(),
        Kind::ConnectionRefused
            | Kind::ConnectionReset
            | Kind::ConnectionAborted
            | Kind::BrokenPipe
            | Kind::NotConnected
            | Kind::UnexpectedEof
    )
}
