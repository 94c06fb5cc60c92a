//! What agents are shown: the ticket, the files, the issues. Foreign text stands between the marks of the fence.

use std::fmt::Write as _;

use rb_core::{RepoPath, fs};
use rb_repo::Opener;
use rb_tools::{Repository, ToolError};
use rb_trust::{Fence, FenceError, Label, Source};

use super::state::FailedTry;
use super::world::World;
use crate::affected::{Affected, affected};
use crate::browse::{CheckResult, Issue, Observation};
use crate::error::TicketError;
use crate::ticket::{Criterion, Ticket};

/// Files that are listed, and characters of those that are shown whole.
const LISTED: usize = 14;
const SHOWN_CHARS: usize = 28_000;
const LARGEST: u64 = 1 << 20;
/// Characters of a difference.
const DIFF_CHARS: usize = 8_000;
/// Characters of a reason.
const REASON: usize = 2_000;

/// The files for a prompt: some whole, the others by name.
pub(crate) struct ShownFiles {
    pub(crate) whole: Vec<(Affected, String)>,
    pub(crate) named: Vec<Affected>,
}

/// The files that matter: `first` before those that the ticket leads to.
pub(crate) fn shown_files(
    world: &mut World,
    ticket: &Ticket,
    first: &[String],
) -> Result<ShownFiles, TicketError> {
    world.change.know()?;
    let root = world.change.worktree()?.dir().to_owned();
    let rb_change::Host { home, env, cancel, search, .. } = &world.change.host;
    let repo = Opener { home, env, cancel }.worktree(root.clone(), &world.change.repo.root, None);
    let known = world.change.known.as_ref().expect("it was made sure of just now");
    let on = Repository { repo: &repo, indexed: &known.indexed, search, cancel };
    let mut list: Vec<Affected> = first
        .iter()
        .map(|path| Affected { path: path.clone(), why: "changed for this ticket".to_owned() })
        .collect();
    for found in affected(on, ticket, LISTED).map_err(tool_error)? {
        if list.len() < LISTED && list.iter().all(|known| known.path != found.path) {
            list.push(found);
        }
    }
    let mut shown = ShownFiles { whole: Vec::new(), named: Vec::new() };
    let mut left = SHOWN_CHARS;
    for file in list {
        let text = RepoPath::new(&file.path).ok().map(|path| fs::read_plain(&root, &path, LARGEST));
        let text = text.transpose()?.flatten().and_then(|bytes| String::from_utf8(bytes).ok());
        match text {
            Some(text) if text.len() <= left => {
                left -= text.len();
                shown.whole.push((file, text));
            }
            Some(_) | None => shown.named.push(file),
        }
    }
    Ok(shown)
}

fn tool_error(error: ToolError) -> TicketError {
    match error {
        ToolError::Interrupted => rb_flow::FlowError::Interrupted.into(),
        ToolError::Index(error) => error.into(),
        // The calls are our own; one that is wrong finds nothing.
        ToolError::Call(why) => TicketError::Search(why),
    }
}

pub(crate) fn implement(
    ticket: &Ticket,
    files: &ShownFiles,
    commands: &[String],
    budget: usize,
    failed: &[&FailedTry],
    fence: &Fence,
) -> Result<String, FenceError> {
    let mut out = String::from("The ticket to implement:\n");
    out.push_str(&fence.around(&label(Source::Ticket, &ticket.key), &words_of(ticket))?);
    write_files(&mut out, files, fence)?;
    if !commands.is_empty() {
        let _ = writeln!(out, "\nThe repository is verified with: {}", commands.join("; "));
    }
    let _ = writeln!(out, "The change may add and remove {budget} lines in all.");
    write_failures(&mut out, failed, fence)?;
    out.push_str("\nImplement the ticket: meet every acceptance criterion.\n");
    Ok(out)
}

pub(crate) fn fix(
    ticket: &Ticket,
    issues: &[Issue],
    files: &ShownFiles,
    failed: &[&FailedTry],
    fence: &Fence,
) -> Result<String, FenceError> {
    let mut out = String::from("Issues that a browser found:\n");
    let mut text = String::new();
    for (number, issue) in issues.iter().enumerate() {
        let Issue { severity, description, location, expected, actual, .. } = issue;
        let _ = writeln!(text, "{}. {description} ({})", number + 1, severity);
        let _ =
            writeln!(text, "   where: {location}\n   expected: {expected}\n   actual: {actual}");
    }
    out.push_str(&fence.around(&label(Source::WebPage, "issues"), &text)?);
    let is_meant = |criterion: &&Criterion| {
        issues.iter().any(|issue| issue.description.starts_with(&format!("{} ", criterion.id)))
    };
    let mut text = String::new();
    for criterion in ticket.criteria.iter().filter(is_meant) {
        let _ = writeln!(text, "{}: {}", criterion.id, sentence(criterion));
    }
    if !text.is_empty() {
        out.push_str("\nThe criteria that are not met:\n");
        out.push_str(&fence.around(&label(Source::Ticket, &ticket.key), &text)?);
    }
    write_files(&mut out, files, fence)?;
    write_failures(&mut out, failed, fence)?;
    out.push_str("\nFix these issues and nothing else.\n");
    Ok(out)
}

/// What the agent that plans checks is shown.
pub(crate) struct Planning<'p> {
    pub(crate) ticket: &'p Ticket,
    /// Attachments that pages can be compared with.
    pub(crate) pictures: Vec<&'p str>,
    /// Criteria that a check decides already.
    pub(crate) decided: &'p [String],
    pub(crate) pages: &'p [Observation],
    pub(crate) changed: &'p [String],
    /// Checks of the agent that failed.
    pub(crate) failed: &'p [CheckResult],
}

pub(crate) fn plan_checks(asked: &Planning<'_>, fence: &Fence) -> Result<String, FenceError> {
    let mut out = String::from("The acceptance criteria:\n");
    let mut text = String::new();
    for criterion in &asked.ticket.criteria {
        let is_decided = asked.decided.contains(&criterion.id);
        let mark = if is_decided { " (checked already)" } else { "" };
        let _ = writeln!(text, "{}{mark}: {}", criterion.id, sentence(criterion));
    }
    out.push_str(&fence.around(&label(Source::Ticket, &asked.ticket.key), &text)?);
    if !asked.pictures.is_empty() {
        out.push_str("\nPictures of the ticket that a page can be compared with:\n");
        let names = asked.pictures.join("\n");
        out.push_str(&fence.around(&label(Source::Ticket, "pictures"), &names)?);
    }
    out.push_str("\nThe pages:\n");
    for page in asked.pages {
        out.push_str(&fence.around(&label(Source::WebPage, &page.url), &page.to_string())?);
    }
    let _ = writeln!(out, "\nChanged files: {}", asked.changed.join(", "));
    if asked.failed.is_empty() {
        out.push_str("\nGive the checks for the criteria that are not checked already.\n");
    } else {
        out.push_str("\nChecks of yours that failed:\n");
        let mut text = String::new();
        for result in asked.failed {
            let check = serde_json::to_string(&result.check).expect("a check is plain data");
            let _ = writeln!(
                text,
                "{check}\n  expected: {}\n  actual: {}",
                result.expected, result.actual
            );
        }
        out.push_str(&fence.around(&label(Source::ToolOutput, "checks"), &text)?);
        out.push_str(
            "\nCorrect the checks that could not be carried out, and give the others again.\n",
        );
    }
    Ok(out)
}

/// The words of a pull request are asked for with these facts.
pub(crate) fn describe(
    ticket: &Ticket,
    facts: &str,
    diff: &[u8],
    fence: &Fence,
) -> Result<String, FenceError> {
    let mut out = String::from("The ticket:\n");
    out.push_str(&fence.around(&label(Source::Ticket, &ticket.key), &words_of(ticket))?);
    out.push_str("\nThe change and its results:\n");
    out.push_str(&fence.around(&label(Source::ToolOutput, "results"), facts)?);
    out.push_str("\nThe difference, at most its beginning:\n");
    let diff: String = String::from_utf8_lossy(diff).chars().take(DIFF_CHARS).collect();
    out.push_str(&fence.around(&label(Source::File, "change.diff"), &diff)?);
    out.push_str("\nWrite the title, the summary, the risk and the rollback.\n");
    Ok(out)
}

fn write_files(out: &mut String, files: &ShownFiles, fence: &Fence) -> Result<(), FenceError> {
    if !files.whole.is_empty() {
        out.push_str("\nFiles that it seems to be about:\n");
    }
    for (file, text) in &files.whole {
        let _ = writeln!(out, "{} ({}):", file.path, file.why);
        out.push_str(&fence.around(&label(Source::File, &file.path), text)?);
    }
    if !files.named.is_empty() {
        out.push_str("\nOther files that may matter, not shown:\n");
        for file in &files.named {
            let _ = writeln!(out, "- {} ({})", file.path, file.why);
        }
    }
    Ok(())
}

fn write_failures(
    out: &mut String,
    failed: &[&FailedTry],
    fence: &Fence,
) -> Result<(), FenceError> {
    if failed.is_empty() {
        return Ok(());
    }
    out.push_str("\nEarlier tries were refused, and nothing of them is left:\n");
    for failed in failed {
        let _ = writeln!(out, "Try {}: {}.", failed.attempt, failed.failure.words());
        let text: String = failed.reasons.join("\n").chars().take(REASON).collect();
        out.push_str(&fence.around(&label(Source::ToolOutput, "reasons"), &text)?);
    }
    Ok(())
}

/// Characters of a ticket's own words.
const TICKET_CHARS: usize = 8_000;

/// The ticket in its own words, without what was hidden in it, and the criteria by which it is judged.
pub(crate) fn words_of(ticket: &Ticket) -> String {
    let text: String = ticket.text.trim().chars().take(TICKET_CHARS).collect();
    let mut out = format!("{}\n\n{text}\n", ticket.heading());
    if !ticket.criteria.is_empty() {
        out.push_str("\nThe acceptance criteria, as they are checked:\n");
    }
    for criterion in &ticket.criteria {
        let _ = writeln!(out, "- {}: {}", criterion.id, sentence(criterion));
    }
    out
}

/// A criterion on one line.
fn sentence(criterion: &Criterion) -> String {
    let part = |word: &str, steps: &[String]| {
        steps.iter().map(|step| format!("{word} {step}; ")).collect::<Vec<_>>().concat()
    };
    let steps = [
        part("Given", &criterion.given),
        part("When", &criterion.when),
        part("Then", &criterion.then),
    ]
    .concat();
    if steps.is_empty() {
        return criterion.text.clone();
    }
    format!("{} ({})", criterion.text, steps.trim_end_matches("; "))
}

fn label(source: Source, name: &str) -> Label {
    Label { source, name: name.to_owned() }
}
