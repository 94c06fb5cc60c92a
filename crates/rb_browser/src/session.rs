//! What a page has told since it was last sent somewhere: errors, requests, where it is.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clean;

/// `console.error`, an uncaught exception, or what the browser itself complains about, such as a violated policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleError {
    pub text: String,
    pub url: Option<String>,
    /// From 1.
    pub line: Option<u64>,
}

/// A request without an answer, or with one of 400 and above.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedRequest {
    pub url: String,
    pub method: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// In words; for an answer, what the server says beside the number.
    pub reason: String,
}

/// Of each list. A page that fails in a loop says nothing new after this.
const MOST: usize = 100;

/// Requests that are remembered at the same time.
const MOST_REQUESTS: usize = 5000;

#[derive(Debug, Default)]
pub(crate) struct Session {
    /// The page's own frame.
    pub(crate) frame: String,
    pub(crate) url: String,
    pub(crate) is_crashed: bool,
    /// The script context of ours in the present document.
    pub(crate) world: Option<i64>,
    /// Documents that were begun, by loader, and the one that is there.
    pub(crate) begun: BTreeSet<String>,
    pub(crate) current: Option<String>,
    pub(crate) loaded: Option<String>,
    pub(crate) statuses: BTreeMap<String, u16>,
    pub(crate) console: Vec<ConsoleError>,
    pub(crate) failed: Vec<FailedRequest>,
    /// Where its requests went, such as `http://localhost:4173`.
    pub(crate) origins: BTreeSet<String>,
    /// Dialogs that were dismissed.
    pub(crate) notes: Vec<String>,
    requests: BTreeMap<String, Request>,
}

#[derive(Debug)]
struct Request {
    url: String,
    method: String,
    is_open: bool,
}

impl Session {
    pub(crate) fn new(frame: &str) -> Self {
        Session { frame: frame.to_owned(), ..Session::default() }
    }

    /// Before the page is sent somewhere.
    pub(crate) fn forget(&mut self) {
        *self = Session { url: std::mem::take(&mut self.url), ..Session::new(&self.frame) };
    }

    /// Has it said so much that nothing more is kept?
    pub(crate) fn is_full(&self) -> bool {
        self.console.len() >= MOST
    }

    pub(crate) fn is_loaded(&self) -> bool {
        self.current.is_some() && self.current == self.loaded
    }

    /// Is a document or a request on its way?
    pub(crate) fn is_busy(&self) -> bool {
        let is_loading = self.current.is_some() && !self.is_loaded();
        is_loading || self.requests.values().any(|request| request.is_open)
    }

    pub(crate) fn hear(&mut self, method: &str, params: &Value) {
        match method {
            "Page.frameNavigated" => self.navigated(&params["frame"]),
            "Page.navigatedWithinDocument" if params["frameId"] == self.frame.as_str() => {
                self.url = owned(&params["url"]);
            }
            "Page.lifecycleEvent"
                if params["frameId"] == self.frame.as_str() && params["name"] == "load" =>
            {
                self.loaded = Some(owned(&params["loaderId"]));
            }
            "Page.javascriptDialogOpening" => {
                let kind = clean::line(&owned(&params["type"]), 20);
                let text = clean::line(&owned(&params["message"]), clean::LINE);
                add(&mut self.notes, format!("{kind} \"{text}\" was dismissed"));
            }
            "Runtime.executionContextsCleared" => self.world = None,
            "Runtime.executionContextDestroyed"
                if params["executionContextId"].as_i64() == self.world =>
            {
                self.world = None;
            }
            "Inspector.targetCrashed" => self.is_crashed = true,
            "Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Log.entryAdded" => {
                if let Some(error) = console_error(method, params) {
                    add(&mut self.console, error);
                }
            }
            _ if method.starts_with("Network.") => self.hear_network(method, params),
            _ => {}
        }
    }

    fn navigated(&mut self, frame: &Value) {
        if frame["id"] != self.frame.as_str() {
            return;
        }
        let loader = owned(&frame["loaderId"]);
        self.url = owned(&frame["url"]) + frame["urlFragment"].as_str().unwrap_or_default();
        self.world = None;
        if self.begun.len() < MOST {
            self.begun.insert(loader.clone());
        }
        self.current = Some(loader);
        // What the former document asked for is nobody's business now.
        self.requests.retain(|id, _| Some(id) == self.current.as_ref());
    }

    fn hear_network(&mut self, method: &str, params: &Value) {
        let id = owned(&params["requestId"]);
        match method {
            "Network.requestWillBeSent" => {
                // These stay open for as long as the page lives.
                let is_stream =
                    matches!(params["type"].as_str(), Some("EventSource" | "WebSocket"));
                let url = owned(&params["request"]["url"]);
                let method = clean::line(&owned(&params["request"]["method"]), 20);
                if self.origins.len() < MOST {
                    self.origins.insert(origin(&url));
                }
                if self.requests.len() < MOST_REQUESTS {
                    self.requests.insert(id, Request { url, method, is_open: !is_stream });
                }
            }
            "Network.responseReceived" => {
                let response = &params["response"];
                let Ok(status) = u16::try_from(response["status"].as_u64().unwrap_or(0)) else {
                    return;
                };
                let is_document = params["type"] == "Document";
                if is_document && params["frameId"] == self.frame.as_str() {
                    self.statuses.insert(owned(&params["loaderId"]), status);
                }
                if status >= 400 {
                    let reason = clean::line(&owned(&response["statusText"]), 80);
                    self.fail(&id, &owned(&response["url"]), Some(status), reason);
                }
            }
            "Network.loadingFinished" => self.end(&id),
            "Network.loadingFailed" => {
                self.end(&id);
                if params["canceled"] != true {
                    let reason = match params["blockedReason"].as_str() {
                        Some(blocked) => format!("blocked ({})", clean::line(blocked, 40)),
                        None => net_error(params["errorText"].as_str().unwrap_or_default()),
                    };
                    self.fail(&id, "", None, reason);
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, id: &str) {
        if let Some(request) = self.requests.get_mut(id) {
            request.is_open = false;
        }
    }

    fn fail(&mut self, id: &str, url: &str, status: Option<u16>, reason: String) {
        let request = self.requests.get(id);
        let method = request.map_or_else(|| "GET".to_owned(), |request| request.method.clone());
        let url = request.map_or(url, |request| &request.url);
        // Browsers ask for it by themselves.
        let path = url.split(['?', '#']).next().unwrap_or_default();
        if !path.is_empty() && !path.ends_with("/favicon.ico") {
            let url = clean::line(url, clean::LINE);
            add(&mut self.failed, FailedRequest { url, method, status, reason });
        }
    }
}

fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if list.len() < MOST && !list.contains(&item) {
        list.push(item);
    }
}

/// Scheme and host of an address; of one without a host, its scheme.
fn origin(url: &str) -> String {
    let (scheme, rest) = url.split_once(':').unwrap_or((url, ""));
    let host =
        rest.strip_prefix("//").map(|rest| rest.split(['/', '?', '#']).next().unwrap_or_default());
    let origin = host.map_or_else(|| format!("{scheme}:"), |host| format!("{scheme}://{host}"));
    clean::line(&origin, clean::LINE)
}

fn owned(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// `net::ERR_CONNECTION_REFUSED` as `connection refused`.
pub(crate) fn net_error(text: &str) -> String {
    let words = text.strip_prefix("net::ERR_").unwrap_or(text);
    clean::line(&words.replace('_', " ").to_lowercase(), 80)
}

fn console_error(method: &str, params: &Value) -> Option<ConsoleError> {
    let place = |url: &Value, line: Option<u64>| {
        let url = url.as_str().filter(|url| !url.is_empty());
        (url.map(|url| clean::line(url, clean::LINE)), line)
    };
    let (text, (url, line)) = match method {
        "Runtime.consoleAPICalled" => {
            if !matches!(params["type"].as_str(), Some("error" | "assert")) {
                return None;
            }
            let args = params["args"].as_array().map(Vec::as_slice).unwrap_or_default();
            let text = args.iter().map(said).collect::<Vec<_>>().join(" ");
            let frame = &params["stackTrace"]["callFrames"][0];
            let line = frame["lineNumber"].as_u64().map(|line| line + 1);
            (text, place(&frame["url"], line))
        }
        "Runtime.exceptionThrown" => {
            let details = &params["exceptionDetails"];
            let text = match said(&details["exception"]) {
                text if text.is_empty() => owned(&details["text"]),
                text => format!("{} {text}", owned(&details["text"])),
            };
            // With its stack it would be said twice where it happened.
            let text = text.lines().next().unwrap_or_default().to_owned();
            let frame = &details["stackTrace"]["callFrames"][0];
            let url = if details["url"].is_string() { &details["url"] } else { &frame["url"] };
            (text, place(url, details["lineNumber"].as_u64().map(|line| line + 1)))
        }
        _ => {
            let entry = &params["entry"];
            // Failed requests have a list of their own.
            if entry["level"] != "error" || entry["source"] == "network" {
                return None;
            }
            let line = entry["lineNumber"].as_u64().map(|line| line + 1);
            (owned(&entry["text"]), place(&entry["url"], line))
        }
    };
    Some(ConsoleError { text: clean::line(&text, clean::LINE), url, line })
}

/// A value as the console shows it.
fn said(value: &Value) -> String {
    match &value["value"] {
        Value::Null => {
            let described = [&value["description"], &value["unserializableValue"], &value["type"]];
            described.iter().find_map(|text| text.as_str()).unwrap_or_default().to_owned()
        }
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tk4_failed_requests_are_those_that_a_person_would_miss() {
        let mut session = Session::new("main");
        let mut hear = |method: &str, params: Value| session.hear(method, &params);
        for (id, path, status) in
            [("1", "favicon.ico?v=2", 404), ("2", "api", 503), ("3", "fine.js", 200)]
        {
            let url = format!("http://localhost/{path}");
            let request = json!({ "url": url, "method": "POST" });
            hear("Network.requestWillBeSent", json!({ "requestId": id, "request": request }));
            let response = json!({ "status": status, "url": url, "statusText": "No\nluck" });
            hear("Network.responseReceived", json!({ "requestId": id, "response": response }));
        }
        // A page that leaves cancels what it has asked for.
        hear("Network.loadingFailed", json!({ "requestId": "3", "canceled": true }));
        let url = "http://localhost/api".to_owned();
        let (method, reason) = ("POST".to_owned(), "No luck".to_owned());
        let expected = FailedRequest { url, method, status: Some(503), reason };
        assert_eq!(session.failed, [expected]);
        assert!(session.is_busy(), "two answers have not come to their end");
        assert_eq!(session.origins.iter().collect::<Vec<_>>(), ["http://localhost"]);
    }

    #[test]
    fn tk4_an_origin_is_scheme_and_host() {
        for (url, expected) in [
            ("https://a.example:8443/b?c#d", "https://a.example:8443"),
            ("http://a.example?b", "http://a.example"),
            ("data:text/plain,x", "data:"),
            ("nothing", "nothing:"),
        ] {
            assert_eq!(origin(url), expected);
        }
    }

    #[test]
    fn tk4_a_page_that_fails_in_a_loop_fills_no_memory() {
        let mut session = Session::new("main");
        for number in 0..1000 {
            let args = json!([{ "type": "number", "value": number }]);
            session.hear("Runtime.consoleAPICalled", &json!({ "type": "error", "args": args }));
        }
        assert_eq!((session.console.len(), session.is_full()), (MOST, true));
        session.forget();
        assert_eq!((session.console.len(), session.frame.as_str()), (0, "main"));
    }
}
