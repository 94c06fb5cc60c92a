//! Embeddings by `OpenAI`, and by every server that speaks its `POST /embeddings`.
//!
//! Texts are packed into as few requests as the limits allow, and each request is weighed against the cap
//! on costs. It never chooses to spend: whoever makes an `OpenAiEmbedder` has decided that.

mod answer;
mod price;
mod tokens;

use std::sync::Mutex;

use rb_core::Usd;
use rb_index::search::embed::{EmbedError, Embedder, Passage};
use serde_json::json;

use answer::Answer;
use price::Purse;
use rb_http::Secret;
use rb_http::{Auth, BadSetting, Http, HttpContext, HttpError, HttpOptions};

pub use price::{Price, Spent};

/// Which model of which server, and what it may cost.
#[derive(Debug, Clone)]
pub struct OpenAiOptions {
    /// Up to and with the version, such as `https://api.openai.com/v1`.
    pub base_url: String,
    pub model: String,
    pub dimensions: usize,
    /// Servers on this machine mostly want none.
    pub key: Option<Secret>,
    /// What the user sets the key by, for the advice when it is missing or wrong.
    pub key_setting: String,
    /// Of a million tokens; `None`: as published.
    pub price: Option<Price>,
    pub cap: Option<Usd>,
}

impl Default for OpenAiOptions {
    fn default() -> Self {
        OpenAiOptions {
            base_url: "https://api.openai.com/v1".to_owned(),
            model: "text-embedding-3-small".to_owned(),
            dimensions: 1536,
            key: None,
            key_setting: "OPENAI_API_KEY".to_owned(),
            price: None,
            cap: None,
        }
    }
}

/// What the provider takes in one request.
const MOST_TEXTS: usize = 2048;
const MOST_TOKENS: usize = 300_000;
const MOST_TOKENS_A_TEXT: usize = 8191;

/// Fewer than a request takes, so that a failure costs no more than these.
const HANDED_OVER: usize = 512;

/// An empty text is refused.
const EMPTY: &str = " ";

pub struct OpenAiEmbedder {
    http: Http,
    options: OpenAiOptions,
    name: String,
    purse: Purse,
}

impl OpenAiEmbedder {
    pub fn new(
        options: OpenAiOptions,
        http: &HttpOptions,
        context: &HttpContext,
    ) -> Result<Self, BadSetting> {
        if options.dimensions == 0 || options.model.is_empty() {
            return Err(BadSetting::Model);
        }
        let auth = options.key.clone().map(Auth::bearer);
        let http = Http::new(&options.base_url, auth, http, context)?;
        let name = format!("{}/{}/{}", http.host(), options.model, options.dimensions);
        let price = options.price.clone().or_else(|| Price::published(http.host(), &options.model));
        let purse = Purse { price, cap: options.cap, used: Mutex::default() };
        Ok(OpenAiEmbedder { http, options, name, purse })
    }

    /// Spends without a limit.
    #[must_use]
    pub fn without_cap(mut self) -> Self {
        self.purse.cap = None;
        self
    }

    /// `None`: nobody knows it.
    pub fn price(&self) -> Option<&Price> {
        self.purse.price.as_ref()
    }

    /// What the requests so far have used.
    pub fn spent(&self) -> Spent {
        self.purse.spent()
    }

    /// What embedding these passages would cost at most; unknown where the price is.
    pub fn estimate(&self, passages: &[Passage<'_>]) -> Option<Usd> {
        let tokens =
            |passage: &Passage<'_>| tokens::estimate(&passage.text()).min(MOST_TOKENS_A_TEXT);
        let total: usize = passages.iter().map(tokens).sum();
        self.price().map(|price| price.of(total as u64))
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let texts: Vec<&str> = texts.iter().map(|text| fitting(text)).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for request in requests(&texts) {
            vectors.extend(self.request(request)?);
        }
        Ok(vectors)
    }

    /// One request, or more where the server counts more tokens than we do.
    fn request(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let error = match self.ask(texts)? {
            Ok(vectors) => return Ok(vectors),
            Err(error) => error,
        };
        match texts {
            _ if !is_too_long(&error) => Err(self.advise(error)),
            [text] => match tokens::shortest(text, MOST_TOKENS_A_TEXT) {
                shorter if shorter.len() < text.len() => self.request(&[shorter]),
                _ => Err(self.advise(error)),
            },
            _ => {
                let (left, right) = texts.split_at(texts.len() / 2);
                let mut vectors = self.request(left)?;
                vectors.extend(self.request(right)?);
                Ok(vectors)
            }
        }
    }

    /// The outer error is ours, the inner one the server's.
    fn ask(&self, texts: &[&str]) -> Result<Result<Vec<Vec<f32>>, HttpError>, EmbedError> {
        let estimated = texts.iter().map(|text| tokens::estimate(text)).sum::<usize>() as u64;
        self.purse.allow(estimated)?;
        let mut body = json!({
            "model": self.options.model, "input": texts, "encoding_format": "float",
        });
        // Other models have one size, and their servers may refuse to be asked for it.
        if self.options.model.starts_with("text-embedding-3") {
            body["dimensions"] = self.options.dimensions.into();
        }
        let answer: Answer = match self.http.post("/embeddings", &body) {
            Ok(answer) => answer,
            Err(error) => return Ok(Err(error)),
        };
        self.purse.book(answer.tokens().unwrap_or(estimated))?;
        match answer.vectors(texts.len(), self.options.dimensions) {
            Ok(vectors) => Ok(Ok(vectors)),
            Err(why) => Err(EmbedError {
                message: format!("{} answered with {why}", self.http.base()),
                hint: Some(self.speaks()),
                source: None,
            }),
        }
    }

    fn advise(&self, error: HttpError) -> EmbedError {
        let (host, base) = (self.http.host(), self.http.base());
        let (model, setting) = (&self.options.model, &self.options.key_setting);
        let none = || format!("no embeddings from {host}");
        let (message, hint) = match &error {
            HttpError::Refused { status: 401, .. } if self.options.key.is_none() => {
                (format!("{host} wants a key"), format!("set {setting}"))
            }
            HttpError::Refused { status: 401, .. } => (
                format!("{host} does not accept the key"),
                format!("set {setting} to a valid key of {host}"),
            ),
            HttpError::Refused { status: 403, .. } => (
                format!("{host} does not let this key use `{model}`"),
                format!("allow the model for the key, or set {setting} to another one"),
            ),
            HttpError::Refused { status: 404, .. } => (
                format!("there is no model `{model}` at {base}"),
                "check the name of the model and the address, which mostly ends in /v1".to_owned(),
            ),
            HttpError::Refused { code: Some(code), .. } if code == "insufficient_quota" => (
                format!("the account at {host} has no credit left"),
                format!(
                    "add credit, set {setting} to another account's key, or use the local model"
                ),
            ),
            HttpError::Unreachable { .. } | HttpError::Tls { .. } => {
                (none(), "check the network and the proxy, or use the local model".to_owned())
            }
            HttpError::RateLimited { .. }
            | HttpError::Stalled { .. }
            | HttpError::TooSlow { .. }
            | HttpError::Refused { status: 500.., .. } => {
                (none(), "try again later, or use the local model".to_owned())
            }
            HttpError::Refused { .. } | HttpError::NotJson { .. } | HttpError::TooLarge { .. } => {
                (none(), self.speaks())
            }
            HttpError::Interrupted => {
                return EmbedError { message: none(), hint: None, source: Some(Box::new(error)) };
            }
        };
        EmbedError { message, hint: Some(hint), source: Some(Box::new(error)) }
    }

    fn speaks(&self) -> String {
        let OpenAiOptions { model, dimensions, .. } = &self.options;
        let base = self.http.base();
        format!(
            "check that {base} speaks OpenAI's API, and that `{model}` has {dimensions} dimensions"
        )
    }
}

impl Embedder for OpenAiEmbedder {
    fn model(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.options.dimensions
    }

    fn batch(&self) -> usize {
        HANDED_OVER
    }

    fn passages(&self, passages: &[Passage<'_>]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let texts: Vec<String> = passages.iter().map(Passage::text).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        self.embed(&texts)
    }

    fn question(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        let mut vectors = self.embed(&[text])?;
        Ok(vectors.pop().expect("one vector for one text"))
    }
}

fn fitting(text: &str) -> &str {
    let text = if text.trim().is_empty() { EMPTY } else { text };
    tokens::cut(text, MOST_TOKENS_A_TEXT)
}

/// As few stretches as hold to the limits of a request.
fn requests<'t, 'a>(texts: &'t [&'a str]) -> Vec<&'t [&'a str]> {
    let mut requests = Vec::new();
    let (mut start, mut tokens) = (0, 0);
    for (at, text) in texts.iter().enumerate() {
        let more = tokens::estimate(text);
        if at - start == MOST_TEXTS || tokens + more > MOST_TOKENS {
            requests.push(&texts[start..at]);
            (start, tokens) = (at, 0);
        }
        tokens += more;
    }
    if start < texts.len() {
        requests.push(&texts[start..]);
    }
    requests
}

/// Refused for its length, which our count did not foresee.
fn is_too_long(error: &HttpError) -> bool {
    match error {
        HttpError::Refused { status: 413, .. } => true,
        HttpError::Refused { status: 400, words, .. } => words.contains("tokens"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix6_requests_hold_to_both_limits() {
        let check = |texts: &[&str], sizes: &[usize]| {
            let requests = requests(texts);
            assert_eq!(requests.iter().map(|request| request.len()).collect::<Vec<_>>(), sizes);
            assert_eq!(requests.concat(), texts);
        };
        let long = "漢".repeat(2730);
        assert_eq!(tokens::estimate(&long), 8190);
        check(&[], &[]);
        check(&["a"], &[1]);
        check(&vec!["a"; 2048], &[2048]);
        check(&vec!["a"; 2049], &[2048, 1]);
        check(&[long.as_str(); 74], &[36, 36, 2]);
        assert_eq!(fitting(&"漢".repeat(9000)), long);
        assert_eq!((fitting(""), fitting("\n")), (" ", " "));
    }
}
