//! Checks carried out in a real browser, with evidence.
//!
//! [`verify`] opens a fresh page for every check, acts as the steps say and compares what the browser shows with the expectations.
//! The result is a [`Verification`], and the report of the verify agent made from it ([`VerifyReport`]). Every picture is in the
//! [`Manifest`] with its hash, the commit and the server that it came from. Nothing here believes a model or a page: a server that is
//! not ours, a worktree that changed meanwhile or a list without checks is never a pass.

mod evaluate;
mod expected;
mod head;
mod look;
mod manifest;
mod observe;
mod origin;
mod pictures;
mod report;
mod visit;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rb_browser::{Browser, BrowserError, Limits, Server, Setup};
use rb_core::fs::FsError;
use rb_core::process::Env;
use rb_core::{Cancel, Verdict};
use rb_sandbox::{Guarantees, NetworkGuarantee, Sandbox};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::checks::{By, Check};
use crate::preview::Preview;

pub use expected::expected_pictures;
pub use head::{Head, head_since};
pub use look::look;
pub use manifest::{Forged, Manifest, Picture};
pub use observe::{Observation, observe};
pub use origin::Refusal;
pub use report::{Issue, Severity, VerifyReport};

use pictures::Pictures;
use visit::{Detail, Visit};

/// What a verification needs. All of it comes from the caller.
pub struct VerifyContext<'a> {
    pub sandbox: &'a Sandbox,
    pub env: &'a Env,
    /// Instead of the first Chromium on `PATH`.
    pub chromium: Option<&'a Path>,
    /// An empty folder; the browser leaves `server.log` in it.
    pub scratch: &'a Path,
    pub worktree: &'a Path,
    pub preview: &'a Preview,
    /// Accept a server that cannot be traced to the worktree. The manifest then says `not checked`.
    pub trust_url: bool,
    /// What the preview command may write, read and not see, as in [`rb_sandbox::Job`].
    pub writable: Vec<PathBuf>,
    pub readable: Vec<PathBuf>,
    pub checkouts: Vec<PathBuf>,
    /// Where pictures and `evidence.json` go.
    pub evidence: &'a Path,
    /// The pictures that [`Expectation::LooksLike`](crate::checks::Expectation::LooksLike) names, by attachment name.
    pub pictures: &'a BTreeMap<String, PathBuf>,
    /// Reads the worktree's commit and status. It is called before and after.
    pub head: &'a dyn Fn() -> Result<Head, String>,
    pub cancel: &'a Cancel,
    pub options: VerifyOptions,
}

#[derive(Debug, Clone, Copy)]
pub struct VerifyOptions {
    /// Until the server answers for the first time.
    pub start: Duration,
    /// Until a page has loaded.
    pub load: Duration,
    /// Until an expectation is met.
    pub expect: Duration,
    /// How long something must stay absent.
    pub settle: Duration,
    pub limits: Limits,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        VerifyOptions {
            start: Duration::from_mins(1),
            load: Duration::from_secs(20),
            expect: Duration::from_secs(5),
            settle: Duration::from_millis(500),
            limits: Limits::default(),
        }
    }
}

/// What came of all checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verification {
    pub results: Vec<CheckResult>,
    pub server: ServerInfo,
    /// Why no check counts, if something is wrong with the server or the worktree.
    pub refusal: Option<Refusal>,
    pub evidence: Manifest,
}

/// What came of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckResult {
    pub check: Check,
    pub verdict: CheckVerdict,
    /// The expectation or step that decided, in words.
    pub expected: String,
    /// What the browser showed instead, in words.
    pub actual: String,
    /// A file in the evidence folder.
    pub screenshot: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckVerdict {
    Met,
    NotMet,
    /// Neither: the check could not be carried out.
    NotRun,
}

/// The server that the pages came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerInfo {
    pub url: String,
    pub port: u16,
    pub command: Option<String>,
    pub pid: Option<u32>,
    pub origin: ServerOrigin,
}

/// How the server is known to serve this worktree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ServerOrigin {
    #[serde(rename = "started in the worktree")]
    Started,
    #[serde(rename = "process in the worktree")]
    Process,
    #[serde(rename = "page names the commit")]
    Commit,
    #[serde(rename = "not checked")]
    NotChecked,
}

#[derive(Debug, Error)]
pub enum VerifyError {
    #[error("the worktree cannot be read: {0}")]
    Head(String),
    #[error(
        "the worktree has changes that are not committed ({}). Commit or discard them, then verify again.",
        .0.join(", ")
    )]
    NotClean(Vec<String>),
    #[error(transparent)]
    Browser(#[from] BrowserError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// Carries out every check, and writes pictures and `evidence.json` into the evidence folder.
///
/// A check that fails is a result. An error means that nothing is known: the worktree is not a commit, or Chromium does not run.
pub fn verify(context: &VerifyContext<'_>, checks: &[Check]) -> Result<Verification, VerifyError> {
    let before = (context.head)().map_err(VerifyError::Head)?;
    if !before.changes.is_empty() {
        return Err(VerifyError::NotClean(rb_core::at_most(5, before.changes.into_iter())));
    }
    let mut pictures = Pictures::empty(context.evidence)?;
    let held = context.sandbox.held();
    let mut verification = Verification {
        results: checks.iter().map(not_run).collect(),
        server: ServerInfo {
            url: context.preview.url.clone(),
            port: context.preview.port,
            command: context.preview.command.clone(),
            pid: None,
            origin: ServerOrigin::NotChecked,
        },
        refusal: None,
        evidence: Manifest::new(held.clone()),
    };
    if !checks.is_empty() {
        let found = origin::before(context, &before);
        let browser = Browser::start(&setup(context, found.is_ok()))?;
        let mut run = Run { context, browser: &browser, head: &before, pictures: &mut pictures };
        verification.refusal = match found {
            Ok(known) => run.all(checks, known, &mut verification)?,
            Err(refusal) => Some(run.refuse(refusal, &verification.server)?),
        };
        browser.close()?;
        let after = (context.head)().map_err(VerifyError::Head)?;
        if after != before && verification.refusal.is_none() {
            pictures.clear()?;
            verification.refusal = Some(Refusal::moved(&before, &after));
        }
    }
    if verification.refusal.is_some() {
        verification.results = checks.iter().map(not_run).collect();
    }
    verification.evidence.pictures = pictures.into_list();
    verification.evidence.write(context.evidence)?;
    Ok(verification)
}

fn not_run(check: &Check) -> CheckResult {
    CheckResult {
        check: check.clone(),
        verdict: CheckVerdict::NotRun,
        expected: check.says.clone(),
        actual: "the check was not carried out".to_owned(),
        screenshot: None,
    }
}

fn setup<'a>(context: &VerifyContext<'a>, may_start: bool) -> Setup<'a> {
    let preview = context.preview;
    let server = match &preview.command {
        Some(line) if may_start => Server::Command {
            line,
            folder: &preview.folder,
            port: preview.port,
            writable: context.writable.clone(),
        },
        Some(_) | None => Server::External,
    };
    Setup {
        sandbox: context.sandbox,
        env: context.env,
        chromium: context.chromium,
        scratch: context.scratch,
        server,
        readable: context.readable.clone(),
        checkouts: context.checkouts.clone(),
        cancel: context.cancel,
        limits: context.options.limits,
    }
}

/// A verification with its browser.
struct Run<'a> {
    context: &'a VerifyContext<'a>,
    browser: &'a Browser,
    head: &'a Head,
    pictures: &'a mut Pictures,
}

impl Run<'_> {
    /// The results go into `verification`; what is returned makes all of them void.
    fn all(
        &mut self,
        checks: &[Check],
        known: origin::Known,
        verification: &mut Verification,
    ) -> Result<Option<Refusal>, VerifyError> {
        let first = checks.first().map_or("/", |check| check.path.as_str());
        let reached = origin::reach(self.context, self.browser, first, known, self.head)?;
        verification.server.pid = origin::pid(self.browser, known);
        match reached {
            Ok(origin) => verification.server.origin = origin,
            Err(refusal) => return self.refuse(refusal, &verification.server).map(Some),
        }
        let names = pictures::names(checks);
        for (at, check) in checks.iter().enumerate() {
            let visit = Visit::new(self.context, self.browser, check)?;
            let outcome = visit.carry_out()?;
            if let Some(refusal) = origin::ended(self.browser, check) {
                self.pictures.clear()?;
                return self.refuse(refusal, &verification.server).map(Some);
            }
            let prefix = if outcome.verdict == CheckVerdict::Met { "proof" } else { "issue" };
            let file = format!("{prefix}-{}.png", names[at]);
            let (criterion, server) = (check.criterion.as_deref(), &verification.server);
            let screenshot = self.keep_page(&visit, &file, criterion, server)?;
            if let Some(Detail { what, png }) = &outcome.detail {
                self.keep(
                    &visit,
                    &format!("issue-{}-{what}.png", names[at]),
                    criterion,
                    server,
                    png,
                )?;
            }
            verification.results[at] = CheckResult {
                check: check.clone(),
                verdict: outcome.verdict,
                expected: outcome.expected,
                actual: outcome.actual,
                screenshot,
            };
        }
        Ok(origin::after(self.context, known))
    }

    /// A picture of whatever the browser gets from the server that is refused.
    fn refuse(
        &mut self,
        mut refusal: Refusal,
        server: &ServerInfo,
    ) -> Result<Refusal, VerifyError> {
        self.pictures.clear()?;
        let look = Check {
            criterion: None,
            says: String::new(),
            path: "/".to_owned(),
            viewport: None,
            steps: Vec::new(),
            expect: Vec::new(),
            by: By::Always,
        };
        let visit = Visit::new(self.context, self.browser, &look)?;
        visit.look();
        refusal.screenshot = self.keep_page(&visit, "issue-server.png", None, server)?;
        Ok(refusal)
    }

    /// The name of the picture, or nothing if there is none: a page that hangs or crashed cannot be drawn.
    fn keep_page(
        &mut self,
        visit: &Visit<'_>,
        file: &str,
        criterion: Option<&str>,
        server: &ServerInfo,
    ) -> Result<Option<String>, VerifyError> {
        match visit.screenshot()? {
            Some(png) => self.keep(visit, file, criterion, server, &png),
            None => Ok(None),
        }
    }

    /// The name of the picture, or nothing if there are too many.
    fn keep(
        &mut self,
        visit: &Visit<'_>,
        file: &str,
        criterion: Option<&str>,
        server: &ServerInfo,
        png: &[u8],
    ) -> Result<Option<String>, VerifyError> {
        if self.pictures.is_full() {
            return Ok(None);
        }
        let picture = Picture {
            file: file.to_owned(),
            sha256: rb_core::Sha256::of(png),
            url: visit.url(),
            criterion: criterion.map(str::to_owned),
            commit: self.head.commit.clone(),
            port: server.port,
            server_pid: server.pid,
            command: server.command.clone(),
            origin: server.origin,
            time: rb_core::clock::now(),
            viewport: visit.viewport(),
            browser: self.browser.version().to_owned(),
        };
        self.pictures.add(picture, png)?;
        Ok(Some(file.to_owned()))
    }
}

impl Verification {
    /// Pass only if every check was met and one of them decides a criterion or was asked for by a model.
    pub fn verdict(&self) -> Verdict {
        let any = |verdict| self.results.iter().any(|result| result.verdict == verdict);
        let is_decisive = |result: &CheckResult| result.check.by != By::Always;
        if self.refusal.is_some() || any(CheckVerdict::NotMet) {
            Verdict::Fail
        } else if any(CheckVerdict::NotRun) || !self.results.iter().any(is_decisive) {
            Verdict::NoVerifierRan
        } else {
            Verdict::Pass
        }
    }

    /// What the sandbox held while the browser ran.
    pub fn sandbox(&self) -> &Guarantees {
        &self.evidence.sandbox
    }
}

/// Without a network of its own the browser could reach a server of somebody else.
fn shares_network(context: &VerifyContext<'_>) -> bool {
    context.sandbox.held().network == NetworkGuarantee::Open
}

#[cfg(test)]
mod tests;
