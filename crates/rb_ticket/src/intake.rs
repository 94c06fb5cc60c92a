//! From a file, standard input, a GitHub issue or a Jira issue to a `Ticket`.
//!
//! Whatever the text, reading it ends: sizes are bounded, and the time grows with the length. What a reader of the rendered text
//! would not see is removed and listed. Nothing here asks a model, and nothing a ticket says is carried out.

mod adf;
mod blocks;
mod clean;
mod content;
mod draft;
mod gherkin;
mod hints;
mod json;
mod order;
mod section;
mod sentence;
mod wiki;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use rb_core::fs::{self, FsError};
use serde_json::Value;
use thiserror::Error;

use crate::forge::{ForgeError, Github, Jira};
use crate::ticket::{Source, Ticket};
use draft::Draft;

pub use order::{Order, OrderContext};

/// A JSON document of more bytes is refused. Longer Markdown is cut.
const LARGEST_FILE: u64 = 8 << 20;

/// Where tickets are read from. A client that is not needed may be left out.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The folder that paths refer to.
    pub folder: &'a Path,
    pub stdin: Option<&'a str>,
    pub github: Option<&'a Github>,
    pub jira: Option<&'a Jira>,
}

/// Why there is no ticket.
#[derive(Debug, Error)]
pub enum IntakeError {
    #[error(
        "no ticket was given: name a file, `-` for standard input, a GitHub issue or a Jira key"
    )]
    NoOrder,
    #[error(
        "`https://{address}` is neither https://{github_host}/OWNER/REPO/issues/N nor https://SITE.atlassian.net/browse/KEY"
    )]
    UnknownAddress { address: String, github_host: String },
    #[error("`{name}` is not OWNER/REPO")]
    BadRepository { name: String },
    #[error("this repository has no remote `origin`: write OWNER/REPO#N")]
    NoOrigin,
    #[error("the remote `origin` is not on {host}: write OWNER/REPO#N")]
    OtherOrigin { host: String },
    #[error(
        "no Jira site is configured: write https://SITE.atlassian.net/browse/KEY, or `./KEY` for a file"
    )]
    NoJiraSite,
    #[error("there is nothing on standard input: pipe the ticket into the command")]
    NoStdin,
    #[error("{service} is not set up here: give the ticket as a file instead")]
    NoClient { service: &'static str },
    #[error("the ticket cannot be read: check the path")]
    File(#[from] FsError),
    #[error("{} is not UTF-8 text: save the ticket as Markdown or JSON", path.display())]
    NotText { path: PathBuf },
    #[error("{} is larger than {} MiB: give only the ticket itself", path.display(), LARGEST_FILE >> 20)]
    TooLarge { path: PathBuf },
    #[error("the ticket is empty: give it a title and acceptance criteria")]
    Empty,
    #[error(
        "nothing in the ticket `{title}` can be checked: add a section \"Acceptance criteria\" or \"Requirements\" with a list, \
         Given/When/Then steps, \"Expected: …\", or a sentence with \"should\" or \"must\""
    )]
    NothingToCheck { title: String },
    #[error("the ticket is not valid JSON: {why}")]
    BadJson { why: String },
    #[error(
        "the JSON is no ticket: it needs a \"title\" with \"criteria\", or is an issue as GitHub or Jira returns it"
    )]
    UnknownJson,
    #[error(transparent)]
    Forge(#[from] ForgeError),
}

/// Reads a ticket from where it is.
pub fn read(order: &Order, inputs: &Inputs) -> Result<Ticket, IntakeError> {
    match order {
        Order::File(path) => read_file(path, inputs.folder),
        Order::Stdin => match inputs.stdin {
            Some(text) if !text.trim().is_empty() => parse(text, Source::Stdin, Format::Unknown),
            _ => Err(IntakeError::NoStdin),
        },
        Order::Github { repository, number } => {
            let github = inputs.github.ok_or(IntakeError::NoClient { service: "GitHub" })?;
            let issue = github.issue(repository, *number)?;
            let url = issue.get("html_url").and_then(Value::as_str).unwrap_or_default();
            let source = Source::Github {
                owner: repository.owner().to_owned(),
                repo: repository.name().to_owned(),
                number: *number,
                url: rb_http::printable(url),
            };
            parse_json(&issue, source)
        }
        Order::Jira { site, key } => {
            let jira = inputs.jira.ok_or(IntakeError::NoClient { service: "Jira" })?;
            let issue = jira.issue(key)?;
            let url = format!("https://{site}/browse/{key}");
            parse_json(&issue, Source::Jira { site: site.clone(), key: key.clone(), url })
        }
    }
}

/// What a name says about the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Markdown,
    Json,
    Unknown,
}

fn read_file(path: &Path, folder: &Path) -> Result<Ticket, IntakeError> {
    let bytes = fs::read_head(&folder.join(path), LARGEST_FILE + 1)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(IntakeError::TooLarge { path: path.to_owned() });
    }
    let text =
        String::from_utf8(bytes).map_err(|_| IntakeError::NotText { path: path.to_owned() })?;
    let extension = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
    let format = match extension.as_deref().and_then(|extension| extension.to_str()) {
        Some("json") => Format::Json,
        Some("md" | "markdown" | "txt") => Format::Markdown,
        _ => Format::Unknown,
    };
    parse(&text, Source::File(path.display().to_string()), format)
}

fn parse(text: &str, source: Source, format: Format) -> Result<Ticket, IntakeError> {
    let is_json = match format {
        Format::Markdown => false,
        Format::Json => true,
        Format::Unknown => text.trim_start().starts_with('{'),
    };
    if !is_json {
        return parse_markdown(text, source);
    }
    let value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| IntakeError::BadJson { why: error.to_string() })?;
    parse_json(&value, source)
}

/// Reads a ticket that is written in Markdown, or in plain text.
pub fn parse_markdown(text: &str, source: Source) -> Result<Ticket, IntakeError> {
    Draft { body: text.to_owned(), ..Draft::default() }.finish(source)
}

/// Reads a ticket in our own shape, a GitHub issue or a Jira issue.
pub fn parse_json(value: &Value, source: Source) -> Result<Ticket, IntakeError> {
    json::draft(value)?.finish(source)
}
