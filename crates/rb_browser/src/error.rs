//! What stops a browser or a page, and what a person can do about it.

use std::path::PathBuf;
use std::time::Duration;

use rb_core::Interrupted;
use rb_core::fs::FsError;
use rb_sandbox::SandboxError;
use thiserror::Error;

use crate::target::Target;

#[derive(Debug, Error)]
pub enum BrowserError {
    #[error(
        "Chromium was not found. Install the package `chromium` (or Google Chrome), or give the path of the program"
    )]
    Missing,
    #[error(
        "`{}` is not a program. Give the path of Chromium, or install the package `chromium`",
        path.display()
    )]
    NotAProgram { path: PathBuf },
    /// Only where the sandbox cannot separate the network: what answers there would not be the preview server.
    #[error(
        "port {port} is in use by another program, and this sandbox does not separate the network. Stop that program, or choose another port"
    )]
    PortTaken { port: u16 },
    #[error("Chromium ended: {why}")]
    Ended { why: String },
    #[error("Chromium did not answer `{what}` within {}", seconds(*limit))]
    TooSlow { what: String, limit: Duration },
    #[error("Chromium refused `{method}`: {message}")]
    Refused { method: String, message: String },
    #[error("Chromium gave an answer to `{method}` that cannot be read")]
    Unreadable { method: String },
    #[error("the page crashed. Open it again")]
    Crashed,
    #[error("`{url}` cannot be opened. Use an http or https URL")]
    Url { url: String },
    #[error("{url} cannot be reached: {reason}")]
    Failed { url: String, reason: String },
    /// Every attempt failed, and the time is over.
    #[error("{url} did not answer within {}: {reason}", seconds(*limit))]
    Unreachable { url: String, reason: String, limit: Duration },
    #[error(
        "the preview server ended with exit code {code} before {url} answered. Its last output: {output}"
    )]
    ServerEnded { url: String, code: i32, output: String },
    #[error("{url} did not finish loading within {}", seconds(*limit))]
    NotLoaded { url: String, limit: Duration },
    #[error("the {which} picture is not a PNG. Give a screenshot in this format")]
    Picture { which: &'static str },
    #[error(transparent)]
    Element(#[from] ElementError),
    #[error("the browser was stopped because the run was interrupted")]
    Cancelled(#[source] Interrupted),
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error("cannot talk to Chromium")]
    Pipe(#[source] std::io::Error),
}

/// Why an element could not be used. Each is what a person would see.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ElementError {
    #[error("no element matches {}{}", short(.target), listed(.others.as_deref()))]
    NoMatch { target: Target, others: Option<String> },
    #[error("{target} is not visible{}", if *.count > 1 { format!(" ({count} elements match)") } else { String::new() })]
    Hidden { target: Target, count: u64 },
    #[error("{target} does not stop moving")]
    Moving { target: Target },
    #[error("{target} is covered by {by}")]
    Covered { target: Target, by: String },
    #[error("{target} is disabled")]
    Disabled { target: Target },
    #[error("{target} is read-only")]
    ReadOnly { target: Target },
    #[error("{target} cannot be typed into: it is {element}")]
    NotEditable { target: Target, element: String },
    #[error("{target} is not a list to select from: it is {element}")]
    NotSelect { target: Target, element: String },
    #[error("{target} has no option \"{option}\"; its options: {options}")]
    NoOption { target: Target, option: String, options: String },
    #[error("`{css}` is not a valid CSS selector")]
    Selector { css: String },
    #[error(
        "the key `{key}` is not known. Use a character, or a name such as Enter, Tab, Escape or ArrowDown, after Control+, Shift+, Alt+ or Meta+"
    )]
    Key { key: String },
    #[error("the text \"{text}\" did not appear. The page says: {shown}")]
    NoText { text: String, shown: String },
}

impl BrowserError {
    /// The document that a call was about was replaced by another one.
    pub(crate) fn is_stale(&self) -> bool {
        let stale = ["context", "navigated", "Could not find", "No node", "not belong", "No frame"];
        matches!(self, BrowserError::Refused { message, .. } if stale.iter().any(|word| message.contains(word)))
    }
}

/// What the message says already is left out.
fn short(target: &Target) -> String {
    match target {
        Target::Css(css) => format!("`{css}`"),
        Target::Text(_) | Target::Role { .. } | Target::Label(_) => target.to_string(),
    }
}

fn listed(others: Option<&str>) -> String {
    others.map(|others| format!("; {others}")).unwrap_or_default()
}

fn seconds(limit: Duration) -> String {
    format!("{} s", limit.as_secs_f64())
}
