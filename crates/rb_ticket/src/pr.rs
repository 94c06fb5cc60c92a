//! The pull request: its text with what was verified, and the results of the agents beside it.

use std::fmt::Write as _;

use rb_core::{TaskId, Verdict, plural};
use rb_workspace::ledger::LedgerEntry;
use serde::{Deserialize, Serialize};

use crate::browse::{CheckResult, CheckVerdict, Manifest, Picture};
use crate::ticket::{Source, Ticket};
use crate::workflow::event::Round;
use crate::workflow::state::State;

/// The words of a pull request that a model may write. Results are never among them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    pub title: String,
    pub summary: String,
    pub risk: String,
    pub rollback: String,
}

/// What the implementing agent returns, as the harness knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImplResult {
    pub success: bool,
    pub branch_name: String,
    pub files_changed: Vec<String>,
    pub commit_sha: String,
    pub summary: String,
}

/// What a fixing agent returns, as the harness knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FixResult {
    pub success: bool,
    pub files_modified: Vec<String>,
    pub changes_summary: String,
}

impl ImplResult {
    /// `branch` has the change, if there is one.
    pub(crate) fn of(state: &State, branch: Option<String>) -> ImplResult {
        let entry = state.change.ledger.iter().find(|entry| entry.task == TaskId(1));
        ImplResult {
            success: entry.is_some_and(|entry| entry.commit.is_some()),
            branch_name: branch.unwrap_or_default(),
            files_changed: entry.map(files).unwrap_or_default(),
            commit_sha: entry.and_then(|entry| entry.commit.clone()).unwrap_or_default(),
            summary: claim(state, TaskId(1)),
        }
    }
}

impl FixResult {
    /// One for each round of fixes, in order.
    pub(crate) fn all(state: &State) -> Vec<FixResult> {
        let fixes = state.change.ledger.iter().filter(|entry| entry.task != TaskId(1));
        let result = |entry: &LedgerEntry| FixResult {
            success: entry.commit.is_some(),
            files_modified: files(entry),
            changes_summary: claim(state, entry.task),
        };
        fixes.map(result).collect()
    }
}

fn files(entry: &LedgerEntry) -> Vec<String> {
    entry.touched_files.iter().map(ToString::to_string).collect()
}

/// What the agent said that its change does; what was asked for, where it said nothing.
fn claim(state: &State, task: TaskId) -> String {
    let claim = state.claims.iter().find(|claim| claim.task == task);
    let said = claim.map(|claim| &claim.summary).filter(|summary| !summary.is_empty());
    let goal = || state.tasks.iter().find(|known| known.id == task).map(|task| &task.goal);
    said.or_else(goal).cloned().unwrap_or_default()
}

impl Words {
    /// Without a model.
    pub fn plain(state: &State) -> Words {
        let ticket = &state.start.ticket;
        let files = changed_files(state);
        Words {
            title: ticket.title.clone(),
            summary: if ticket.summary.is_empty() {
                claim(state, TaskId(1))
            } else {
                ticket.summary.clone()
            },
            risk: format!("{} changed: {}.", plural(files.len(), "file"), files.join(", ")),
            rollback: "Revert the commits of this branch; nothing else was changed.".to_owned(),
        }
    }
}

pub(crate) fn changed_files(state: &State) -> Vec<String> {
    let kept = state.change.ledger.iter().filter(|entry| entry.commit.is_some());
    let mut files: Vec<String> = kept.flat_map(files).collect();
    files.sort();
    files.dedup();
    files
}

/// What a pull request says of the last look.
pub(crate) struct LastLook<'l> {
    pub(crate) round: &'l Round,
    pub(crate) results: &'l [CheckResult],
    pub(crate) evidence: Option<&'l Manifest>,
}

/// The facts that the words of a pull request are written from.
pub(crate) fn facts(state: &State, look: Option<&LastLook<'_>>) -> String {
    let mut out = String::new();
    for entry in state.change.ledger.iter().filter(|entry| entry.commit.is_some()) {
        let _ = writeln!(
            out,
            "{}: {} (+{} −{})",
            entry.goal,
            files(entry).join(", "),
            entry.added,
            entry.removed
        );
    }
    // A commit has its time in it, and the same question should have the same words.
    write_results(&mut out, state, look, "");
    out
}

/// Whether a reader of the text has the pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pictures {
    /// They are beside the text, in `evidence/`.
    Linked,
    /// They are elsewhere, so that the text says where.
    Listed,
}

/// `pr.md`.
pub(crate) fn markdown(state: &State, words: &Words, look: Option<&LastLook<'_>>) -> String {
    let body = body(state, words, look, Pictures::Linked);
    format!("# {}\n\n{body}", heading(&state.start.ticket, &words.title))
}

pub(crate) fn body(
    state: &State,
    words: &Words,
    look: Option<&LastLook<'_>>,
    pictures: Pictures,
) -> String {
    let mut out = format!("{}\n", words.summary.trim());
    if let Some(url) = url(&state.start.ticket) {
        let _ = writeln!(out, "\nTicket: {url}");
    }
    out.push_str("\n## What was verified\n\n");
    let commit = look.map(|look| format!(" at commit {}", short(&look.round.commit)));
    write_results(&mut out, state, look, &commit.unwrap_or_default());
    if let Some(manifest) = look.and_then(|look| look.evidence) {
        write_evidence(&mut out, state, manifest, pictures);
    }
    let _ = writeln!(out, "\n## Risk\n\n{}", words.risk.trim());
    let _ = writeln!(out, "\n## Rollback\n\n{}", words.rollback.trim());
    out
}

/// A title with the key of the ticket, once.
pub(crate) fn heading(ticket: &Ticket, title: &str) -> String {
    if title.starts_with(&ticket.key) {
        return title.to_owned();
    }
    format!("{}: {title}", ticket.key)
}

fn url(ticket: &Ticket) -> Option<&str> {
    match &ticket.source {
        Source::Github { url, .. } | Source::Jira { url, .. } => Some(url),
        Source::File(_) | Source::Stdin => None,
    }
}

fn write_results(out: &mut String, state: &State, look: Option<&LastLook<'_>>, commit: &str) {
    let _ = writeln!(out, "- Tests: {}", state.test_verdict().words());
    let Some(look) = look else {
        let _ = writeln!(out, "- Browser: nothing was looked at");
        return;
    };
    let LastLook { round, results, .. } = look;
    let verdict = match state.browser_verdict() {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::NoVerifierRan => "nothing was checked",
    };
    let _ = writeln!(
        out,
        "- Browser: {verdict}, {} of {} met{commit}",
        round.met,
        plural(round.checks, "check")
    );
    if !results.is_empty() {
        out.push_str("\n| criterion | check | result |\n|---|---|---|\n");
    }
    for result in *results {
        let id = result.check.criterion.as_deref().unwrap_or("every page");
        let said = match result.verdict {
            CheckVerdict::Met => "met".to_owned(),
            CheckVerdict::NotMet => format!("**not met**: {}", result.actual),
            CheckVerdict::NotRun => format!("not run: {}", result.actual),
        };
        let _ = writeln!(out, "| {id} | {} | {} |", cell(&result.check.says), cell(&said));
    }
    if !round.unchecked.is_empty() {
        out.push_str("\nNot checked by a browser:\n");
        for line in &round.unchecked {
            let _ = writeln!(out, "- {line}");
        }
    }
    if !round.issues.is_empty() {
        out.push_str("\nIssues that are left:\n");
        for issue in &round.issues {
            let _ = writeln!(
                out,
                "- {} ({}); expected: {}; actual: {}",
                issue.description, issue.severity, issue.expected, issue.actual
            );
        }
    }
}

fn write_evidence(out: &mut String, state: &State, manifest: &Manifest, pictures: Pictures) {
    if manifest.pictures.is_empty() {
        return;
    }
    out.push_str("\n## Evidence\n\n");
    if pictures == Pictures::Listed {
        let run = &state.start.run;
        let _ = writeln!(
            out,
            "The screenshots are not in this repository. They are in the report of run {run}, on the machine that ran it.\n"
        );
    }
    for Picture { file, sha256, url, .. } in &manifest.pictures {
        let _ = match pictures {
            Pictures::Linked => {
                writeln!(out, "![{file}](evidence/{file})\n{url}, SHA-256 {sha256}\n")
            }
            Pictures::Listed => writeln!(out, "- `{file}`: {url}, SHA-256 {sha256}"),
        };
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}
