//! What both services have in common: a request, and an answer that is JSON or an error.

use std::time::Duration;

use rb_core::clock::Timestamp;
use rb_http::{Answer, Auth, Http, HttpContext, HttpOptions, Method, Secret, printable};
use serde_json::Value;

use super::error::{ForgeError, Service};

/// An issue with its comments takes less.
const LARGEST_ANSWER: usize = 16 << 20;
const MOST_PROBLEMS: usize = 10;

#[derive(Clone)]
pub(super) struct Client {
    service: Service,
    http: Http,
    /// Struck from every message.
    token: Option<Secret>,
    headers: &'static [(&'static str, &'static str)],
}

impl Client {
    pub(super) fn new(
        service: Service,
        base: &str,
        auth: Option<Auth>,
        token: Option<Secret>,
        options: &HttpOptions,
        context: &HttpContext,
    ) -> Result<Self, ForgeError> {
        let largest_answer = options.largest_answer.min(LARGEST_ANSWER);
        let options = HttpOptions { largest_answer, ..options.clone() };
        let http = Http::new(base, auth, &options, context)
            .map_err(|source| ForgeError::Setting { service, source })?;
        Ok(Client { service, http, token, headers: &[] })
    }

    pub(super) fn with_headers(self, headers: &'static [(&'static str, &'static str)]) -> Self {
        Client { headers, ..self }
    }

    /// `what` names the thing that is asked for, in messages.
    pub(super) fn get(&self, path: &str, what: &str) -> Result<Value, ForgeError> {
        self.json(&self.answer(path, None, what)?)
    }

    pub(super) fn send(
        &self,
        method: Method,
        path: &str,
        body: &Value,
        what: &str,
    ) -> Result<Value, ForgeError> {
        self.json(&self.answer(path, Some((method, body)), what)?)
    }

    /// The elements of a list on all its pages, as the header `Link` leads through them.
    pub(super) fn all_pages(
        &self,
        path: &str,
        what: &str,
        most_pages: usize,
    ) -> Result<Vec<Value>, ForgeError> {
        let mut out = Vec::new();
        let mut next = Some(path.to_owned());
        for _ in 0..most_pages {
            let Some(path) = next else { return Ok(out) };
            let answer = self.answer(&path, None, what)?;
            match self.json(&answer)? {
                Value::Array(elements) => out.extend(elements),
                _ => return Err(self.not_json("it is not a list")),
            }
            next = answer.header("link").and_then(next_page).and_then(|url| self.path_of(url));
        }
        match next {
            Some(_) => {
                Err(ForgeError::TooManyPages { service: self.service, what: what.to_owned() })
            }
            None => Ok(out),
        }
    }

    /// An address elsewhere is not followed: the token goes to one server only.
    fn path_of(&self, url: &str) -> Option<String> {
        let path = url.strip_prefix(self.http.base())?;
        path.starts_with('/').then(|| path.to_owned())
    }

    fn answer(
        &self,
        path: &str,
        body: Option<(Method, &Value)>,
        what: &str,
    ) -> Result<Answer, ForgeError> {
        let answer = self
            .http
            .exchange(path, self.headers, body)
            .map_err(|source| ForgeError::Http { service: self.service, source })?;
        if (200..300).contains(&answer.status) {
            Ok(answer)
        } else {
            Err(self.error(&answer, what))
        }
    }

    fn json(&self, answer: &Answer) -> Result<Value, ForgeError> {
        serde_json::from_slice(&answer.body).map_err(|error| self.not_json(&error.to_string()))
    }

    pub(super) fn not_json(&self, why: &str) -> ForgeError {
        let at = self.http.base().to_owned();
        ForgeError::NotJson { service: self.service, at, why: self.shown(why) }
    }

    fn error(&self, answer: &Answer, what: &str) -> ForgeError {
        let (service, what, status) = (self.service, what.to_owned(), answer.status);
        let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let words = self.words(&body, answer);
        match status {
            401 => ForgeError::BadCredentials { service, words },
            429 => self.rate_limited(answer),
            403 if is_limit(answer, &words) => self.rate_limited(answer),
            403 => ForgeError::Forbidden { service, what, words },
            404 | 410 => ForgeError::NotFound { service, what },
            400 | 422 => {
                ForgeError::Invalid { service, what, problems: self.problems(&body, words) }
            }
            500..600 => ForgeError::Server { service, status, words },
            _ => ForgeError::Unexpected { service, what, status, words },
        }
    }

    fn rate_limited(&self, answer: &Answer) -> ForgeError {
        let number = |name: &str| answer.header(name).and_then(|text| text.trim().parse().ok());
        let resets = number("x-ratelimit-reset")
            .map(|seconds: i64| Timestamp::from_unix_ms(seconds.saturating_mul(1000)));
        let wait = number("retry-after")
            .and_then(|seconds: i64| u64::try_from(seconds).ok())
            .map(Duration::from_secs);
        ForgeError::RateLimited { service: self.service, resets, wait }
    }

    /// The message of the service: GitHub's, or the first of Jira's.
    fn words(&self, body: &Value, answer: &Answer) -> String {
        let message = body
            .get("message")
            .or_else(|| body.pointer("/errorMessages/0"))
            .and_then(Value::as_str)
            .map_or_else(|| String::from_utf8_lossy(&answer.body).into_owned(), str::to_owned);
        match self.shown(&message) {
            words if words.is_empty() => "no reason was given".to_owned(),
            words => words,
        }
    }

    /// `errors` in the shapes of GitHub (a list of objects or texts) and Jira (an object by field).
    fn problems(&self, body: &Value, words: String) -> Vec<String> {
        let of = |error: &Value| {
            let part = |name: &str| error.get(name).and_then(Value::as_str);
            match (error.as_str().or_else(|| part("message")), part("field"), part("code")) {
                (Some(message), _, _) => Some(message.to_owned()),
                (None, Some(field), Some(code)) => Some(format!("{field}: {code}")),
                (None, _, _) => None,
            }
        };
        let found: Vec<String> = match body.get("errors") {
            Some(Value::Array(errors)) => errors.iter().filter_map(of).collect(),
            Some(Value::Object(errors)) => errors
                .iter()
                .filter_map(|(field, error)| Some(format!("{field}: {}", error.as_str()?)))
                .collect(),
            _ => Vec::new(),
        };
        if found.is_empty() {
            return vec![words];
        }
        found.iter().take(MOST_PROBLEMS).map(|problem| self.shown(problem)).collect()
    }

    fn shown(&self, text: &str) -> String {
        match &self.token {
            Some(token) => printable(&token.struck_from(text)),
            None => printable(text),
        }
    }
}

/// GitHub's limits come as 403: the hourly one with nothing remaining, the secondary ones often with a time to wait.
fn is_limit(answer: &Answer, words: &str) -> bool {
    let is_used_up = answer.header("x-ratelimit-remaining") == Some("0");
    is_used_up || answer.header("retry-after").is_some() || words.contains("secondary rate limit")
}

/// The address in `<https://…?page=2>; rel="next", <…>; rel="last"`.
fn next_page(link: &str) -> Option<&str> {
    link.split(',').find_map(|entry| {
        let (url, parameters) = entry.trim().strip_prefix('<')?.split_once('>')?;
        let is_next = parameters.split(';').any(|it| it.trim().replace('"', "") == "rel=next");
        is_next.then_some(url)
    })
}
