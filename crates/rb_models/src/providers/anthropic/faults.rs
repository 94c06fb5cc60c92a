//! What the API's errors mean, and what a person can do about them.

use std::time::Duration;

use rb_http::{HttpError, Secret, printable};

use super::wire;
use crate::error::Fault;

/// What a server says is shown without the key, which some repeat.
#[derive(Clone, Copy)]
pub(super) struct Shown<'k> {
    pub(super) key: Option<&'k Secret>,
}

impl Shown<'_> {
    pub(super) fn words(self, text: &str) -> String {
        match self.key {
            // Before anything is cut, or a part of the key might stay.
            Some(key) => printable(&key.struck_from(text)),
            None => printable(text),
        }
    }
}

/// An error in the API's own words, fit to be shown.
struct ApiError<'s> {
    kind: &'s str,
    words: String,
    /// None where the head of the answer said success.
    status: Option<u16>,
    wait: Option<Duration>,
}

/// By which errors of one kind are told apart, in small letters.
const TOO_LONG: [&str; 3] =
    ["prompt is too long", "exceed context limit", "exceeds the context window"];
const SPENT: [&str; 3] = ["credit balance", "usage limit", "spend limit"];

/// No answer began.
pub(super) fn refused(error: HttpError, model: &str) -> Fault {
    let HttpError::Refused { at, status, code, words, wait } = error else {
        return error.into();
    };
    let kind = code.as_deref().unwrap_or_default();
    let said = ApiError { kind, words: words.clone(), status: Some(status), wait };
    match (known(said, model), status) {
        (Some(fault), _) => fault,
        // Not the API's way to say that there is no such model: the address is wrong.
        (None, 404) => Fault::BadRequest { words: format!("{at} has no messages API: {words}") },
        (None, _) => HttpError::Refused { at, status, code, words, wait }.into(),
    }
}

/// An error in the middle of a stream or in place of one, where the status said success.
pub(super) fn in_stream(error: &wire::Error, model: &str, shown: Shown<'_>) -> Fault {
    let words = shown.words(&error.message);
    let said = ApiError { kind: &error.kind, words, status: None, wait: None };
    known(said, model).unwrap_or_else(|| Fault::Half {
        why: shown.words(&format!("an error came, {:?}: {}", error.kind, error.message)),
    })
}

fn known(said: ApiError<'_>, model: &str) -> Option<Fault> {
    let ApiError { kind, words, status, wait } = said;
    let small = words.to_lowercase();
    let says = |signs: &[&str]| signs.iter().any(|sign| small.contains(sign));
    let fault = match kind {
        "invalid_request_error" if says(&TOO_LONG) => Fault::TooLong { words },
        "invalid_request_error" | "rate_limit_error" if says(&SPENT) => Fault::NoCredit { words },
        // It also comes with other statuses, which say more.
        "invalid_request_error" if matches!(status, None | Some(400)) => {
            Fault::BadRequest { words }
        }
        "authentication_error" | "permission_error" => Fault::BadKey { words },
        "billing_error" => Fault::NoCredit { words },
        "not_found_error" => Fault::NoSuchModel { model: model.to_owned(), words },
        "request_too_large" => Fault::TooLong { words },
        "rate_limit_error" => Fault::RateLimited { words, wait },
        "overloaded_error" => Fault::Overloaded { status: status.unwrap_or(529), words, wait },
        "api_error" => Fault::Overloaded { status: status.unwrap_or(500), words, wait },
        "timeout_error" => Fault::Overloaded { status: status.unwrap_or(504), words, wait },
        _ => return None,
    };
    Some(fault)
}

/// A page for a browser in place of an answer.
pub(super) fn page(page: &str, shown: Shown<'_>) -> Fault {
    Fault::Malformed { why: shown.words(&format!("a page for a browser came: {page}")) }
}

/// What a person can do about it.
pub(super) fn hint(fault: &Fault, key_setting: &str, base: &str) -> Option<String> {
    let hint = match fault {
        Fault::NoKey => format!("set {key_setting}"),
        Fault::BadKey { .. } => {
            format!("check the key in {key_setting}, and that it may use this model")
        }
        Fault::NoCredit { .. } => {
            format!("add credit to the account of the key in {key_setting}, or raise its limit")
        }
        Fault::NoSuchModel { .. } | Fault::Unable { .. } => {
            "name a model of this provider with `--model`".to_owned()
        }
        Fault::Unreachable { .. } | Fault::Tls { .. } | Fault::Malformed { .. } => {
            format!("check the network, the proxy and the address {base}")
        }
        // What is wrong is said, or it is for the program to deal with.
        Fault::NotInstalled { .. }
        | Fault::NotLoggedIn { .. }
        | Fault::BadRequest { .. }
        | Fault::TooLong { .. }
        | Fault::PromptCut { .. }
        | Fault::RateLimited { .. }
        | Fault::Overloaded { .. }
        | Fault::Stalled(_)
        | Fault::TooSlow(_)
        | Fault::Half { .. }
        | Fault::AnswerCut { .. }
        | Fault::Refusal { .. }
        | Fault::NotAsAsked { .. }
        | Fault::Program { .. }
        | Fault::OverCap { .. }
        | Fault::PriceUnknown { .. }
        | Fault::ReplayDiffers { .. }
        | Fault::Recording { .. }
        | Fault::Interrupted => return None,
    };
    Some(hint)
}
