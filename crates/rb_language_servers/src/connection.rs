//! Requests with a deadline, notifications, and answers to what the server asks in return.
//!
//! Nothing reads in the background: whoever waits for something reads, so that a server that talks without end cannot outlast a
//! deadline. What it asks for is answered with settings, with "nothing" or with "no"; it is never let to change anything.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::thread;
use std::time::{Duration, Instant};

use rb_core::{Cancel, Interrupted};
use serde_json::{Value, json};

use crate::error::{ServerError, quoted};
use crate::frame::{Frames, framed};
use crate::job::{Ended, Pipes};
use crate::loading::Loading;
use crate::server::Server;

const PAUSE: Duration = Duration::from_micros(200);
const LONGEST_PAUSE: Duration = Duration::from_millis(10);

pub(crate) struct Connection {
    pub(crate) server: &'static Server,
    pub(crate) loading: Loading,
    input: File,
    output: File,
    frames: Frames,
    /// Its folder, as the server asks for it.
    root_uri: String,
    last_id: u64,
    answer: Option<Value>,
    ended: Ended,
    cancel: Cancel,
}

impl Connection {
    pub(crate) fn new(
        server: &'static Server,
        pipes: Pipes,
        root_uri: &str,
        ended: Ended,
        cancel: &Cancel,
    ) -> Self {
        Connection {
            server,
            loading: Loading::new(server.loaded),
            input: pipes.input,
            output: pipes.output,
            frames: Frames::default(),
            root_uri: root_uri.to_owned(),
            last_id: 0,
            answer: None,
            ended,
            cancel: cancel.clone(),
        }
    }

    /// Asks, and waits for the answer.
    pub(crate) fn request(
        &mut self,
        method: &str,
        params: Value,
        limit: Duration,
    ) -> Result<Value, ServerError> {
        let until = Instant::now() + limit;
        self.last_id += 1;
        self.answer = None;
        let mut message = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method });
        message["params"] = params;
        self.send(&message, until, limit)?;
        if !self.wait(until, |connection| connection.answer.is_some())? {
            return Err(self.too_slow(&format!("answer `{method}`"), limit));
        }
        let mut answer = self.answer.take().unwrap_or_default();
        if let Some(error) = answer.get("error") {
            let why = quoted(error["message"].as_str().unwrap_or("it gives no reason"));
            return Err(ServerError::Refused { server: self.server.name, why });
        }
        Ok(answer["result"].take())
    }

    pub(crate) fn notify(
        &mut self,
        method: &str,
        params: Value,
        limit: Duration,
    ) -> Result<(), ServerError> {
        let mut message = json!({ "jsonrpc": "2.0", "method": method });
        message["params"] = params;
        self.send(&message, Instant::now() + limit, limit)
    }

    /// Waits until the server has read the project.
    pub(crate) fn until_loaded(&mut self, limit: Duration) -> Result<(), ServerError> {
        self.loading.begin();
        if self.wait(Instant::now() + limit, |connection| connection.loading.is_done())? {
            return Ok(());
        }
        Err(self.too_slow("load the project", limit))
    }

    fn too_slow(&self, what: &str, limit: Duration) -> ServerError {
        ServerError::TooSlow { server: self.server.name, what: what.to_owned(), limit }
    }

    /// Reads until `done`, or until the time is over: then false.
    fn wait(
        &mut self,
        until: Instant,
        mut done: impl FnMut(&mut Self) -> bool,
    ) -> Result<bool, ServerError> {
        let mut pause = PAUSE;
        loop {
            if done(self) {
                return Ok(true);
            }
            if Instant::now() >= until {
                return Ok(false);
            }
            if self.read(until)? {
                pause = PAUSE;
                continue;
            }
            self.check()?;
            thread::sleep(pause.min(until.saturating_duration_since(Instant::now())));
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn check(&self) -> Result<(), ServerError> {
        if self.cancel.is_cancelled() {
            return Err(ServerError::Cancelled(Interrupted));
        }
        match self.ended.get() {
            Some(why) => Err(ServerError::Ended { server: self.server.name, why: why.clone() }),
            None => Ok(()),
        }
    }

    fn send(
        &mut self,
        message: &Value,
        until: Instant,
        limit: Duration,
    ) -> Result<(), ServerError> {
        let bytes = framed(message);
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            match self.input.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.check()?;
                    if Instant::now() >= until {
                        return Err(self.too_slow("read what it is asked", limit));
                    }
                    thread::sleep(PAUSE);
                }
                Err(error) => return Err(ServerError::Pipe(error)),
            }
        }
        Ok(())
    }

    /// Takes one piece of what there is to read; false when there is nothing.
    fn read(&mut self, until: Instant) -> Result<bool, ServerError> {
        let mut piece = vec![0; 64 << 10];
        let count = match self.output.read(&mut piece) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(true),
            Err(error) => return Err(ServerError::Pipe(error)),
        };
        let name = self.server.name;
        let wrong = |why: String| ServerError::Protocol { server: name, why };
        self.frames.push(&piece[..count]).map_err(wrong)?;
        while let Some(message) = self.frames.next().map_err(wrong)? {
            self.take(message, until)?;
        }
        Ok(count > 0)
    }

    fn take(&mut self, message: Value, until: Instant) -> Result<(), ServerError> {
        let id = &message["id"];
        match (message["method"].as_str(), id.is_null()) {
            (Some(method), true) => self.loading.hear(method, &message["params"]),
            (Some(method), false) => {
                let mut answer = json!({ "jsonrpc": "2.0", "id": id });
                match self.reply(method, &message["params"]) {
                    Some(result) => answer["result"] = result,
                    None => {
                        let words = "the client does not support this";
                        answer["error"] = json!({ "code": -32601, "message": words });
                    }
                }
                let limit = until.saturating_duration_since(Instant::now());
                self.send(&answer, until, limit)?;
            }
            // An answer that nobody waits for any more is none.
            (None, _) if id.as_u64() == Some(self.last_id) => self.answer = Some(message),
            (None, _) => {}
        }
        Ok(())
    }

    /// What a server asks of its client.
    fn reply(&self, method: &str, params: &Value) -> Option<Value> {
        match method {
            "workspace/configuration" => {
                let items = params["items"].as_array().map(Vec::as_slice).unwrap_or_default();
                let settings = (self.server.settings)();
                let of = |item: &Value| setting(self.server, &settings, item["section"].as_str());
                Some(items.iter().map(of).collect())
            }
            "workspace/workspaceFolders" => {
                Some(json!([{ "uri": self.root_uri, "name": "project" }]))
            }
            "workspace/applyEdit" => Some(json!({ "applied": false })),
            "window/showDocument" => Some(json!({ "success": false })),
            "client/registerCapability"
            | "client/unregisterCapability"
            | "window/workDoneProgress/create"
            | "window/showMessageRequest"
            | "workspace/semanticTokens/refresh"
            | "workspace/inlayHint/refresh"
            | "workspace/codeLens/refresh"
            | "workspace/diagnostic/refresh" => Some(Value::Null),
            _ => None,
        }
    }
}

/// `rust-analyzer.cargo` of the settings below `rust-analyzer`; null for what belongs to others.
fn setting(server: &Server, settings: &Value, section: Option<&str>) -> Value {
    let Some(section) = section else { return settings.clone() };
    let Some(rest) = section.strip_prefix(server.section) else { return Value::Null };
    let keys = rest.split('.').filter(|key| !key.is_empty());
    keys.fold(settings.clone(), |value, key| value.get(key).cloned().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn st5_a_server_is_told_its_own_settings() {
        let server = Server::for_path("a.rs").unwrap();
        let settings = (server.settings)();
        let told = |section| setting(server, &settings, section).to_string();
        assert_eq!(told(Some("rust-analyzer.procMacro")), "{\"enable\":false}");
        assert_eq!(told(Some("rust-analyzer.procMacro.enable")), "false");
        assert_eq!(told(Some("rust-analyzer")), settings.to_string());
        assert_eq!(told(Some("rust-analyzer.x.y")), "null");
        assert_eq!(told(Some("editor")), "null");
    }
}
