//! Whether the server that answers is the one of this worktree. A picture of another server proves nothing.

use std::path::Path;

use rb_browser::{Browser, BrowserError, Page, ServerState, Target};
use serde::{Deserialize, Serialize};

use super::{Head, ServerOrigin, VerifyContext, VerifyError, shares_network};
use crate::checks::Check;
use crate::preview::{Listener, PreviewError, check_listener, listeners, started};

/// Why no check counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    pub description: String,
    pub expected: String,
    pub actual: String,
    /// Where it was noticed.
    pub location: String,
    pub screenshot: Option<String>,
}

impl Refusal {
    fn new(description: &str, expected: &str, actual: String, location: &str) -> Refusal {
        Refusal {
            description: description.to_owned(),
            expected: expected.to_owned(),
            actual,
            location: location.to_owned(),
            screenshot: None,
        }
    }

    pub(super) fn moved(before: &Head, after: &Head) -> Refusal {
        let actual = if before.commit == after.commit {
            let changed = rb_core::at_most(5, after.changes.clone().into_iter()).join(", ");
            format!("these files changed: {}", rb_http::printable(&changed))
        } else {
            format!("its commit changed from {} to {}", before.commit, after.commit)
        };
        let expected = "the worktree stays at one commit without changes";
        Refusal::new("The worktree changed during the verification", expected, actual, "worktree")
    }
}

/// What is known about the server before the browser looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// We start it.
    Ours,
    /// A process of this machine that works in the worktree.
    Process(u32),
    /// One of these that is older than the commit, and may serve what was there before.
    Older(u32),
    /// A program of this machine that works elsewhere, or whose process cannot be seen. Its pages may name the commit.
    Elsewhere,
    /// Only its pages can tell.
    Nothing,
    /// A person vouches for it.
    Trusted,
}

const PROC: &str = "/proc";

const OURS: &str = "the server of this worktree answers";

const ADVICE: &str = "Start the server with `--preview`, let its pages name the commit in <meta name=\"commit\" content=\"…\">, or accept it as it is with `--trust-preview-url`.";

fn not_ours(context: &VerifyContext<'_>, error: &PreviewError) -> Refusal {
    let description = "The server is not the one of this worktree";
    Refusal::new(description, OURS, error.to_string(), &context.preview.url)
}

/// Whether the browser should look at all. `head` is what the worktree is at.
pub(super) fn before(context: &VerifyContext<'_>, head: &Head) -> Result<Known, Refusal> {
    let (preview, proc) = (context.preview, Path::new(PROC));
    if preview.command.is_some() {
        if shares_network(context) {
            let taken = listeners(proc, preview.port).map_err(|error| not_ours(context, &error))?;
            if let Some(listener) = taken.into_iter().next() {
                return Err(taken_port(context, listener));
            }
        }
        return Ok(Known::Ours);
    }
    if context.trust_url {
        return Ok(Known::Trusted);
    }
    if !preview.is_loopback() {
        return Ok(Known::Nothing);
    }
    match check_listener(proc, preview.port, context.worktree) {
        Ok(listener) if is_older(proc, &listener, head) => Ok(Known::Older(listener.pid)),
        Ok(listener) => Ok(Known::Process(listener.pid)),
        Err(PreviewError::Foreign { .. } | PreviewError::UnknownProcess { .. }) => {
            Ok(Known::Elsewhere)
        }
        Err(error) => Err(not_ours(context, &error)),
    }
}

/// Whether the process was there before the commit. One that cannot be told apart is.
fn is_older(proc: &Path, listener: &Listener, head: &Head) -> bool {
    started(proc, listener.pid).is_none_or(|started| started < head.since)
}

/// Without a network of its own, our server cannot have a port that another program has.
fn taken_port(context: &VerifyContext<'_>, listener: Listener) -> Refusal {
    let error = PreviewError::Foreign { port: context.preview.port, listener };
    let advice = "End that program, or give another port with `--preview-url`.";
    Refusal { actual: format!("{error}. {advice}"), ..not_ours(context, &error) }
}

/// Waits until the server answers for the first time, and asks the page for its commit where nothing else tells.
pub(super) fn reach(
    context: &VerifyContext<'_>,
    browser: &Browser,
    path: &str,
    known: Known,
    head: &Head,
) -> Result<Result<ServerOrigin, Refusal>, VerifyError> {
    let url = format!("{}{path}", context.preview.url);
    let page = browser.page()?;
    match page.goto(&url, context.options.start) {
        // A page that does not finish fails its own checks.
        Ok(_) | Err(BrowserError::NotLoaded { .. } | BrowserError::Crashed) => {}
        Err(error @ (BrowserError::ServerEnded { .. } | BrowserError::Unreachable { .. })) => {
            let what = match error {
                BrowserError::ServerEnded { .. } => "The preview server ended",
                _ => "The preview server does not answer",
            };
            return Ok(Err(Refusal::new(what, "the server answers", error.to_string(), path)));
        }
        Err(error) => return Err(error.into()),
    }
    Ok(match known {
        Known::Ours if shares_network(context) => match listener(context) {
            Ok(_) => Ok(ServerOrigin::Started),
            Err(error) => Err(not_ours(context, &error)),
        },
        Known::Ours => Ok(ServerOrigin::Started),
        Known::Process(_) => Ok(ServerOrigin::Process),
        Known::Trusted => Ok(ServerOrigin::NotChecked),
        Known::Older(_) | Known::Elsewhere | Known::Nothing => match (commit_of(&page), known) {
            (Some(named), _) if named.trim() == head.commit => Ok(ServerOrigin::Commit),
            (Some(named), _) => Err(other_commit(context, &named, head)),
            (None, Known::Older(pid)) => Err(older(context, pid, head)),
            (None, Known::Elsewhere) => Err(elsewhere(context)),
            (None, _) => Err(no_commit(context, head)),
        },
    })
}

fn listener(context: &VerifyContext<'_>) -> Result<Listener, PreviewError> {
    check_listener(Path::new(PROC), context.preview.port, context.worktree)
}

/// The commit that a page says it is of.
fn commit_of(page: &Page) -> Option<String> {
    let tag = Target::Css("meta[name=commit]".to_owned());
    match page.count(&tag) {
        Ok(1..) => page.attribute(&tag, "content").ok().flatten(),
        Ok(0) | Err(_) => None,
    }
}

const UNPROVEN: &str = "The server cannot be shown to serve this commit";

fn other_commit(context: &VerifyContext<'_>, named: &str, head: &Head) -> Refusal {
    let actual = format!("the page names the commit {}", rb_http::printable(named));
    let expected = format!("the page names the commit {}", head.commit);
    Refusal::new(UNPROVEN, &expected, actual, &context.preview.url)
}

fn no_commit(context: &VerifyContext<'_>, head: &Head) -> Refusal {
    let expected = format!("the page names the commit {}", head.commit);
    let actual = format!("the page names no commit. {ADVICE}");
    Refusal::new(UNPROVEN, &expected, actual, &context.preview.url)
}

fn elsewhere(context: &VerifyContext<'_>) -> Refusal {
    let error = match listener(context) {
        Err(error) => error,
        // It ended while the page was opened.
        Ok(_) => PreviewError::NotListening { port: context.preview.port },
    };
    let refusal = not_ours(context, &error);
    Refusal { actual: format!("{}. {ADVICE}", refusal.actual.trim_end_matches('.')), ..refusal }
}

/// Whether it reads its files anew cannot be seen from outside.
fn older(context: &VerifyContext<'_>, pid: u32, head: &Head) -> Refusal {
    let actual = format!(
        "process {pid} was started before the worktree came to commit {} and may serve older files. Restart it, start it with `--preview`, or, if it reloads changed files, accept it with `--trust-preview-url`.",
        head.commit
    );
    let expected = "the server was started after the commit, or its page names the commit";
    Refusal::new("The server is older than the commit", expected, actual, &context.preview.url)
}

pub(super) fn pid(browser: &Browser, known: Known) -> Option<u32> {
    match (known, browser.server()) {
        (Known::Process(pid) | Known::Older(pid), _) => Some(pid),
        (_, ServerState::Running { pid }) if pid > 0 => Some(pid),
        (_, ServerState::Running { .. } | ServerState::NotOurs | ServerState::Ended { .. }) => None,
    }
}

/// A server that ended while a check was carried out.
pub(super) fn ended(browser: &Browser, check: &Check) -> Option<Refusal> {
    match browser.server() {
        ServerState::Ended { code, output } => {
            let output = rb_http::printable(&output);
            let output = if output.is_empty() { "nothing" } else { &output };
            let actual = format!("it ended with exit code {code}. Its last output: {output}");
            let expected = "the server runs until all checks are done";
            Some(Refusal::new("The preview server ended", expected, actual, &check.path))
        }
        ServerState::NotOurs | ServerState::Running { .. } => None,
    }
}

/// Another process may have taken the port meanwhile.
pub(super) fn after(context: &VerifyContext<'_>, known: Known) -> Option<Refusal> {
    let (Known::Process(pid) | Known::Older(pid)) = known else { return None };
    match listener(context) {
        Ok(listener) if listener.pid == pid => None,
        Ok(listener) => {
            let port = context.preview.port;
            let actual = format!("port {port} went from process {pid} to process {}", listener.pid);
            let what = "The server was replaced during the verification";
            Some(Refusal::new(what, OURS, actual, &context.preview.url))
        }
        Err(error) => Some(not_ours(context, &error)),
    }
}
