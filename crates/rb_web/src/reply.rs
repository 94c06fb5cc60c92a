//! What a request is answered with.

use std::fmt::Display;

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use rb_change::ChangeError;
use rb_flow::{FlowError, RunsError};
use rb_html::Page;

/// No script, no form, nothing loaded; the style is its own. It stays of this origin, so that its links to patches keep the session.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
                             frame-ancestors 'none'; sandbox allow-same-origin";

pub(crate) enum Reply {
    /// A whole page.
    Page(Page),
    /// A part that a script puts into the page.
    Fragment(Page),
    File {
        content_type: &'static str,
        bytes: Vec<u8>,
    },
    /// The report of a run: a page that stands alone.
    Report(Vec<u8>),
    /// A GET of a page of ours follows.
    SeeOther(String),
}

/// Why there is no answer. The words are for the person at the browser.
#[derive(Debug)]
pub(crate) enum Problem {
    NotFound(String),
    /// The request is not one that this server takes.
    Refused(String),
    /// It was right to ask, and it did not work.
    Failed(String),
}

impl Problem {
    pub(crate) fn failed(error: impl std::error::Error) -> Problem {
        let mut words = error.to_string();
        let mut source = error.source();
        while let Some(error) = source {
            words = format!("{words}: {error}");
            source = error.source();
        }
        Problem::Failed(words)
    }

    /// A run that could not be read.
    pub(crate) fn of_run(error: ChangeError) -> Problem {
        match error {
            ChangeError::Flow(FlowError::Runs(RunsError::Unknown(id))) => {
                Problem::not_found(format_args!("Run {id}"))
            }
            other => Problem::failed(other),
        }
    }

    pub(crate) fn not_found(what: impl Display) -> Problem {
        Problem::NotFound(format!("{what} was not found."))
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Problem::NotFound(_) => StatusCode::NOT_FOUND,
            Problem::Refused(_) => StatusCode::FORBIDDEN,
            Problem::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    pub(crate) fn words(&self) -> &str {
        match self {
            Problem::NotFound(words) | Problem::Refused(words) | Problem::Failed(words) => words,
        }
    }
}

impl Reply {
    pub(crate) fn into_response(self) -> Response<Body> {
        match self {
            Reply::Page(page) | Reply::Fragment(page) => html(StatusCode::OK, page),
            Reply::File { content_type, bytes } => {
                let mut response = Response::new(Body::from(bytes));
                let value = HeaderValue::from_static(content_type);
                response.headers_mut().insert(header::CONTENT_TYPE, value);
                response
            }
            Reply::Report(bytes) => {
                let mut response = Response::new(Body::from(bytes));
                for (name, value) in [
                    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
                    (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
                ] {
                    response.headers_mut().insert(name, HeaderValue::from_static(value));
                }
                response
            }
            Reply::SeeOther(place) => {
                let mut response = Response::new(Body::empty());
                *response.status_mut() = StatusCode::SEE_OTHER;
                // A place of ours is plain ASCII; another is not followed.
                let value = HeaderValue::from_str(&place)
                    .unwrap_or_else(|_| HeaderValue::from_static("/runs"));
                response.headers_mut().insert(header::LOCATION, value);
                response
            }
        }
    }
}

pub(crate) fn html(status: StatusCode, page: Page) -> Response<Body> {
    let mut response = Response::new(Body::from(page.done()));
    *response.status_mut() = status;
    let value = HeaderValue::from_static("text/html; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, value);
    response
}
