//! What a model is shown of a page: bounded, in the order of the page, without pictures.

use std::fmt;

use rb_browser::{BrowserError, Page};
use serde::{Deserialize, Serialize};

/// Lines of the accessibility tree.
const MAX_LINES: usize = 150;
const MAX_ERRORS: usize = 10;

/// A page in words. It is foreign text: a prompt has to fence it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    pub url: String,
    pub title: String,
    /// Roles, names and states, indented.
    pub tree: String,
    pub console_errors: Vec<String>,
    pub failed_requests: Vec<String>,
}

pub fn observe(page: &Page) -> Result<Observation, BrowserError> {
    let errors = page.console_errors()?;
    let failed = page.failed_requests()?;
    Ok(Observation {
        url: page.url(),
        title: page.title()?,
        tree: page.accessibility_tree(MAX_LINES)?,
        console_errors: rb_core::at_most(MAX_ERRORS, errors.iter().map(console_error)),
        failed_requests: rb_core::at_most(MAX_ERRORS, failed.iter().map(failed_request)),
    })
}

pub(super) fn console_error(error: &rb_browser::ConsoleError) -> String {
    rb_http::printable(&error.text)
}

pub(super) fn failed_request(request: &rb_browser::FailedRequest) -> String {
    let what = match request.status {
        Some(status) => format!("{status} {}", request.reason),
        None => request.reason.clone(),
    };
    rb_http::printable(&format!("{} {}: {}", request.method, request.url, what.trim()))
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "URL: {}\nTitle: {}\n{}", self.url, self.title, self.tree.trim_end())?;
        for error in &self.console_errors {
            writeln!(f, "Console error: {error}")?;
        }
        for request in &self.failed_requests {
            writeln!(f, "Failed request: {request}")?;
        }
        Ok(())
    }
}
