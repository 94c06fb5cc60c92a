//! One request and its answer, with the headers of both.

use std::io::Read as _;
use std::sync::Arc;

use ureq::Agent;
use ureq::http::Request;

use crate::http::{Auth, LARGEST_REFUSAL};
use crate::settings::header;

/// How a body is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Post,
    Patch,
}

impl Method {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Method::Post => "POST",
            Method::Patch => "PATCH",
        }
    }
}

/// What a server answered, whatever its status. The body of a refusal is cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub body: Vec<u8>,
    pub(crate) headers: Vec<(String, String)>,
}

impl Answer {
    /// The first header of this name, which is in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

#[derive(Clone)]
pub(crate) struct Outgoing {
    method: &'static str,
    pub(crate) path: String,
    headers: Vec<(String, String)>,
    body: Option<Arc<Vec<u8>>>,
}

impl Outgoing {
    pub(crate) fn get(path: &str, headers: &[(&str, &str)]) -> Self {
        let headers = headers.iter().map(|&(n, v)| (n.to_owned(), v.to_owned())).collect();
        Outgoing { method: "GET", path: path.to_owned(), headers, body: None }
    }

    pub(crate) fn send(
        method: &'static str,
        path: &str,
        headers: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Self {
        Outgoing { method, body: Some(Arc::new(body)), ..Outgoing::get(path, headers) }
    }

    /// One try.
    pub(crate) fn once(
        &self,
        agent: &Agent,
        url: &str,
        auth: Option<&Auth>,
        largest: usize,
    ) -> Result<Answer, ureq::Error> {
        let mut request = Request::builder().method(self.method).uri(url);
        if !self.headers.iter().any(|(name, _)| name == "accept") {
            request = request.header("accept", "application/json");
        }
        if let Some((name, value)) = auth.and_then(|auth| header(auth).ok()) {
            request = request.header(name, value);
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let mut response = match &self.body {
            Some(body) => {
                let request = request.header("content-type", "application/json");
                agent.run(request.body(body.as_slice())?)?
            }
            None => agent.run(request.body(())?)?,
        };
        let status = response.status().as_u16();
        let headers = response
            .headers()
            .iter()
            .filter_map(|(name, value)| {
                Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
            })
            .collect();
        let limit = if response.status().is_success() { largest + 1 } else { LARGEST_REFUSAL };
        let mut body = Vec::new();
        let limit = u64::try_from(limit).unwrap_or(u64::MAX);
        response.body_mut().as_reader().take(limit).read_to_end(&mut body)?;
        Ok(Answer { status, body, headers })
    }
}
