//! One page: where it goes, what it shows, what went wrong on it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::browser::{ServerState, Shared};
use crate::clean;
use crate::error::{BrowserError, ElementError};
use crate::session::{ConsoleError, FailedRequest, Session, net_error};
use crate::target::Target;

mod accessibility;
mod action;
mod locate;
mod screenshot;
mod script;

/// A page as a person has it before them. Actions wait for their target; every call ends.
pub struct Page {
    shared: Arc<Shared>,
    state: Mutex<State>,
}

#[derive(Debug, Clone)]
struct State {
    /// Of the protocol; a page that hangs is replaced by a new one.
    session: String,
    tab: String,
    context: String,
    viewport: (u32, u32),
    hangs: bool,
}

/// Where a page ended up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loaded {
    pub url: String,
    pub status: Option<u16>,
}

const VIEWPORT: (u32, u32) = (1280, 800);

/// Characters of a text that is read.
const LONGEST_TEXT: usize = 64 << 10;

/// Between two attempts to reach a server that does not listen yet.
const RETRY: Duration = Duration::from_millis(100);

/// After a page has loaded or was acted upon: without a request for so long it is taken for done, and so it is after the longer time.
const QUIET: Duration = Duration::from_millis(100);
const LONGEST_SETTLING: Duration = Duration::from_secs(2);

const CLOSE: Duration = Duration::from_secs(5);

/// A server says these while it starts.
const NOT_YET: [&str; 5] = [
    "net::ERR_CONNECTION_REFUSED",
    "net::ERR_CONNECTION_RESET",
    "net::ERR_CONNECTION_CLOSED",
    "net::ERR_EMPTY_RESPONSE",
    "net::ERR_SOCKET_NOT_CONNECTED",
];

impl Page {
    pub(crate) fn open(shared: &Arc<Shared>) -> Result<Page, BrowserError> {
        let state = State::open(shared, VIEWPORT)?;
        Ok(Page { shared: Arc::clone(shared), state: Mutex::new(state) })
    }

    fn state(&self) -> State {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn call(&self, method: &str, params: Value) -> Result<Value, BrowserError> {
        self.call_within(method, params, self.shared.limits.call)
    }

    fn call_within(
        &self,
        method: &str,
        params: Value,
        limit: Duration,
    ) -> Result<Value, BrowserError> {
        let session = self.state().session;
        let answer = self.shared.connection().call(Some(&session), method, params, limit);
        if matches!(answer, Err(BrowserError::TooSlow { .. } | BrowserError::Crashed)) {
            self.change(|state| state.hangs = true);
        }
        answer
    }

    fn with_session<T: Default>(&self, read: impl FnOnce(&mut Session) -> T) -> T {
        let id = self.state().session;
        self.shared.connection().sessions.get_mut(&id).map(read).unwrap_or_default()
    }

    /// Goes to a page and waits until it has loaded. A server that does not listen yet is tried again until `limit` has passed or it has
    /// ended.
    pub fn goto(&self, url: &str, limit: Duration) -> Result<Loaded, BrowserError> {
        let is_web = ["http://", "https://"].iter().any(|scheme| url.starts_with(scheme));
        if !is_web && url != "about:blank" {
            let url = clean::line(url, clean::LINE);
            return Err(BrowserError::Url { url });
        }
        if self.state().hangs {
            self.replace()?;
        }
        let until = Instant::now() + limit;
        let mut reason = "no answer".to_owned();
        loop {
            self.with_session(Session::forget);
            let left = until.saturating_duration_since(Instant::now());
            let sent = self.call_within("Page.navigate", json!({ "url": url }), left);
            let unreachable = |reason: String| BrowserError::Unreachable {
                url: clean::line(url, clean::LINE),
                reason,
                limit,
            };
            let answer = match sent {
                Ok(answer) => answer,
                Err(BrowserError::TooSlow { .. }) => {
                    self.check_server(url)?;
                    return Err(unreachable(reason));
                }
                Err(error) => return Err(error),
            };
            let Some(error) = answer["errorText"].as_str() else {
                return match answer["loaderId"].as_str() {
                    Some(loader) => self.wait_until_loaded(url, loader, until, limit),
                    // Another part of the same document.
                    None => Ok(Loaded { url: self.url(), status: None }),
                };
            };
            self.check_server(url)?;
            reason = net_error(error);
            if !NOT_YET.contains(&error) {
                return Err(BrowserError::Failed { url: clean::line(url, clean::LINE), reason });
            }
            if Instant::now() + RETRY >= until {
                return Err(unreachable(reason));
            }
            self.shared.connection().wait(Instant::now() + RETRY, |_| false)?;
        }
    }

    fn check_server(&self, url: &str) -> Result<(), BrowserError> {
        match self.shared.server() {
            ServerState::Ended { code, output } => {
                let url = clean::line(url, clean::LINE);
                let output = if output.is_empty() { "nothing".to_owned() } else { output };
                Err(BrowserError::ServerEnded { url, code, output })
            }
            ServerState::NotOurs | ServerState::Running { .. } => Ok(()),
        }
    }

    fn wait_until_loaded(
        &self,
        url: &str,
        loader: &str,
        until: Instant,
        limit: Duration,
    ) -> Result<Loaded, BrowserError> {
        let id = self.state().session;
        let is_done = self.shared.connection().wait(until, |connection| {
            let session = connection.sessions.get(&id);
            session.is_some_and(|it| it.is_crashed || it.begun.contains(loader) && it.is_loaded())
        })?;
        if self.with_session(|session| session.is_crashed) {
            self.change(|state| state.hangs = true);
            return Err(BrowserError::Crashed);
        }
        if !is_done {
            self.change(|state| state.hangs = true);
            return Err(BrowserError::NotLoaded { url: clean::line(url, clean::LINE), limit });
        }
        // Where others can answer, this page may be another's.
        if !self.shared.is_alone {
            self.check_server(url)?;
        }
        self.settle()?;
        let status = self.with_session(|session| {
            session.current.as_ref().and_then(|current| session.statuses.get(current)).copied()
        });
        Ok(Loaded { url: self.url(), status })
    }

    /// Waits until the page has nothing on its way, for a while.
    fn settle(&self) -> Result<(), BrowserError> {
        let id = self.state().session;
        let until = Instant::now() + LONGEST_SETTLING;
        let mut quiet_since = Instant::now();
        self.shared.connection().wait(until, |connection| {
            if connection.sessions.get(&id).is_some_and(Session::is_busy) {
                quiet_since = Instant::now();
            }
            quiet_since.elapsed() >= QUIET
        })?;
        Ok(())
    }

    /// A new tab in place of one that does not answer.
    fn replace(&self) -> Result<(), BrowserError> {
        let old = self.state();
        old.close(&self.shared);
        let new = State::open(&self.shared, old.viewport)?;
        self.change(|state| *state = new);
        Ok(())
    }

    pub fn url(&self) -> String {
        self.with_session(|session| clean::line(&session.url, clean::LINE))
    }

    pub fn title(&self) -> Result<String, BrowserError> {
        let history = self.call("Page.getNavigationHistory", json!({}))?;
        let current = usize::try_from(history["currentIndex"].as_u64().unwrap_or(0)).unwrap_or(0);
        let title = history["entries"][current]["title"].as_str().unwrap_or_default();
        Ok(clean::line(title, clean::LINE))
    }

    /// Since the last [`Page::goto`].
    pub fn console_errors(&self) -> Result<Vec<ConsoleError>, BrowserError> {
        self.listen()?;
        Ok(self.with_session(|session| session.console.clone()))
    }

    /// Since the last [`Page::goto`]. A missing `favicon.ico` does not count.
    pub fn failed_requests(&self) -> Result<Vec<FailedRequest>, BrowserError> {
        self.listen()?;
        Ok(self.with_session(|session| session.failed.clone()))
    }

    /// Where requests went since the last [`Page::goto`], such as `http://localhost:4173`.
    pub fn origins(&self) -> Result<Vec<String>, BrowserError> {
        self.listen()?;
        Ok(self.with_session(|session| session.origins.iter().cloned().collect()))
    }

    /// Dialogs that were dismissed since the last [`Page::goto`], in words.
    pub fn notes(&self) -> Result<Vec<String>, BrowserError> {
        self.listen()?;
        Ok(self.with_session(|session| session.notes.clone()))
    }

    /// Events come in order: what the page has said so far is there when it answers.
    fn listen(&self) -> Result<(), BrowserError> {
        match self.call("Page.getNavigationHistory", json!({})) {
            // A page that hangs has said what it has said.
            Ok(_) | Err(BrowserError::TooSlow { .. } | BrowserError::Crashed) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub fn set_viewport(&self, width: u32, height: u32) -> Result<(), BrowserError> {
        let (width, height) = (width.clamp(100, 8000), height.clamp(100, 8000));
        self.call("Emulation.setDeviceMetricsOverride", metrics((width, height)))?;
        self.change(|state| state.viewport = (width, height));
        self.settle()
    }

    /// What `prefers-color-scheme` matches on this page: `light` or `dark`.
    pub fn set_color_scheme(&self, scheme: &str) -> Result<(), BrowserError> {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.call("Emulation.setEmulatedMedia", json!({ "features": [feature] }))?;
        self.settle()
    }

    /// Waits until the text is shown somewhere on the page. Case and spacing do not count.
    pub fn wait_for_text(&self, text: &str, limit: Duration) -> Result<(), BrowserError> {
        let simple = |text: &str| clean::line(text, usize::MAX).to_lowercase();
        let wanted = simple(text);
        let until = Instant::now() + limit;
        loop {
            let shown = self.text(None)?;
            if simple(&shown).contains(&wanted) {
                return Ok(());
            }
            if Instant::now() >= until {
                let shown = clean::line(&shown, clean::LINE);
                let text = text.to_owned();
                return Err(ElementError::NoText { text, shown }.into());
            }
            self.pause(until)?;
        }
    }

    /// The visible text of the page, or of one element.
    pub fn text(&self, target: Option<&Target>) -> Result<String, BrowserError> {
        let most = json!(LONGEST_TEXT);
        let text = match target {
            None => self.ask("body", &[most])?,
            Some(target) => self.ask_of_present(target, "content", &[most])?,
        };
        let text = clean::text(text.as_str().unwrap_or_default(), LONGEST_TEXT);
        let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
        Ok(lines.join("\n"))
    }

    /// Elements that stick out of the window to the left or right, as short selectors.
    pub fn overflow(&self) -> Result<Vec<String>, BrowserError> {
        let found = self.ask("overflow", &[json!(10)])?;
        let found = found.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(found.iter().filter_map(Value::as_str).map(|name| clean::line(name, 80)).collect())
    }

    fn pause(&self, until: Instant) -> Result<(), BrowserError> {
        let until = until.min(Instant::now() + Duration::from_millis(50));
        self.shared.connection().wait(until, |_| false).map(drop)
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page").field("state", &self.state()).finish_non_exhaustive()
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.state().close(&self.shared);
    }
}

fn metrics((width, height): (u32, u32)) -> Value {
    json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false })
}

impl State {
    fn open(shared: &Shared, viewport: (u32, u32)) -> Result<State, BrowserError> {
        // A new page is a new process, which takes a while on a busy machine.
        let limit = shared.limits.start;
        let mut connection = shared.connection();
        let text = |value: &Value, method: &str| match value.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(BrowserError::Unreadable { method: method.to_owned() }),
        };
        let method = "Target.createBrowserContext";
        let answer = connection.call(None, method, json!({ "disposeOnDetach": true }), limit)?;
        let context = text(&answer["browserContextId"], method)?;
        let denied = json!({ "behavior": "deny", "browserContextId": context });
        connection.call(None, "Browser.setDownloadBehavior", denied, limit)?;
        let method = "Target.createTarget";
        let blank = json!({
            "url": "about:blank", "browserContextId": context,
            "width": viewport.0, "height": viewport.1,
        });
        let answer = connection.call(None, method, blank, limit)?;
        let tab = text(&answer["targetId"], method)?;
        let method = "Target.attachToTarget";
        let flat = json!({ "targetId": tab, "flatten": true });
        let answer = connection.call(None, method, flat, limit)?;
        let session = text(&answer["sessionId"], method)?;
        connection.sessions.insert(session.clone(), Session::new(&tab));
        for (method, params) in [
            ("Page.enable", json!({})),
            ("Page.setLifecycleEventsEnabled", json!({ "enabled": true })),
            ("Runtime.enable", json!({})),
            ("Network.enable", json!({})),
            ("Log.enable", json!({})),
            ("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })),
            ("Emulation.setDeviceMetricsOverride", metrics(viewport)),
        ] {
            connection.call(Some(&session), method, params, limit)?;
        }
        Ok(State { session, tab, context, viewport, hangs: false })
    }

    /// With windows that the page has opened. An error means that the browser has gone.
    fn close(&self, shared: &Shared) {
        let mut connection = shared.connection();
        connection.sessions.remove(&self.session);
        // First, so that a page that talks without end is heard no more.
        for (method, params) in [
            ("Target.detachFromTarget", json!({ "sessionId": self.session })),
            ("Target.disposeBrowserContext", json!({ "browserContextId": self.context })),
        ] {
            let _ = connection.call(None, method, params, CLOSE);
        }
    }
}
