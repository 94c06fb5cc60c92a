//! Why a service did not do what it was asked for, and what helps.

use std::fmt;
use std::time::Duration;

use rb_core::clock::Timestamp;
use rb_http::{BadSetting, HttpError};
use thiserror::Error;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    Github,
    Jira,
}

impl Service {
    /// The environment variables that its credentials are read from.
    pub fn variables(self) -> &'static str {
        match self {
            Service::Github => "GITHUB_TOKEN",
            Service::Jira => "JIRA_EMAIL and JIRA_API_TOKEN",
        }
    }
}

impl fmt::Display for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Service::Github => "GitHub",
            Service::Jira => "Jira",
        })
    }
}

/// The words of the service are printable and cut.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ForgeError {
    #[error("{service} rejected the credentials ({words}): set {} to a valid token", service.variables())]
    BadCredentials { service: Service, words: String },
    #[error("the rate limit of {service} is used up{}: try again then{}", until(*resets, *wait), more(*service))]
    RateLimited { service: Service, resets: Option<Timestamp>, wait: Option<Duration> },
    #[error(
        "{service} does not allow access to {what} ({words}): give the token in {} the permission for it",
        service.variables()
    )]
    Forbidden { service: Service, what: String, words: String },
    #[error(
        "{service} has no {what}, or does not show it to you: check the name, and set {} to a token that may read it",
        service.variables()
    )]
    NotFound { service: Service, what: String },
    #[error("{service} refused {what}: {}", problems.join("; "))]
    Invalid { service: Service, what: String, problems: Vec<String> },
    #[error("{service} failed with status {status} ({words}): try again later")]
    Server { service: Service, status: u16, words: String },
    #[error("{at} did not answer as {service} does ({why}): check the address of the server")]
    NotJson { service: Service, at: String, why: String },
    #[error("{service} answered {status} for {what}: {words}")]
    Unexpected { service: Service, what: String, status: u16, words: String },
    #[error("{what} of {service} has too many pages")]
    TooManyPages { service: Service, what: String },
    #[error("{service} cannot be asked: check the connection and the address")]
    Http {
        service: Service,
        #[source]
        source: HttpError,
    },
    #[error("the address or the token of {service} cannot be used")]
    Setting {
        service: Service,
        #[source]
        source: BadSetting,
    },
}

fn until(resets: Option<Timestamp>, wait: Option<Duration>) -> String {
    match (resets, wait) {
        (_, Some(wait)) => format!(" for another {} s", wait.as_secs()),
        (Some(resets), None) => format!(" until {resets}"),
        (None, None) => " for some time".to_owned(),
    }
}

fn more(service: Service) -> String {
    match service {
        Service::Github => format!(", or set {} for a higher limit", service.variables()),
        Service::Jira => String::new(),
    }
}
