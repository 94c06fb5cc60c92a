//! What servers mean by their errors. They agree on statuses, more or less, but not on codes and words.

use rb_http::{HttpError, printable};
use serde_json::Value;

use crate::call::ToolCall;
use crate::error::Fault;

/// Money is gone, whatever the status.
const SPENT: [&str; 5] = [
    "insufficient_quota",
    "billing_hard_limit_reached",
    "insufficient balance",
    "insufficient credits",
    "credit balance",
];

const TOO_LONG: [&str; 11] = [
    "context_length_exceeded",
    "exceed_context_size",
    "maximum context length",
    "exceeds the available context",
    "exceed context",
    "exceeds the context",
    "exceeds the model's context",
    "greater than the context length",
    "context window exceeded",
    "input token count",
    "prompt is too long",
];

const NO_MODEL: [&str; 8] = [
    "model_not_found",
    "model not exist",
    "model not found",
    "invalid model",
    "no such model",
    "not a valid model",
    "is not found for api version",
    "no endpoints found",
];

/// Some answer a bad key with the status of a bad request.
const BAD_KEY: [&str; 4] =
    ["incorrect api key", "api key not valid", "invalid api key", "invalid_api_key"];

const FLAGGED: [&str; 3] = ["moderation", "flagged", "content_policy_violation"];

pub(super) fn refused(error: HttpError, model: &str) -> Fault {
    match error {
        HttpError::Refused { status, code, words, wait, .. } => {
            let said = format!("{} {words}", code.unwrap_or_default()).to_lowercase();
            by_words(&said, &words, model).unwrap_or_else(|| match status {
                // Without a word about a model it is the address that is wrong.
                404 | 405 | 410 if !said.contains("model") => Fault::BadRequest { words },
                404 => Fault::NoSuchModel { model: model.to_owned(), words },
                _ => {
                    HttpError::Refused { at: String::new(), status, code: None, words, wait }.into()
                }
            })
        }
        other => other.into(),
    }
}

/// An error in place of an answer, or in the middle of one, with the status of success.
pub(super) fn inside(value: &Value, model: &str) -> Option<Fault> {
    let error = match value.get("error") {
        Some(error) if !error.is_null() => error,
        _ if value["object"] == "error" => value,
        _ => return None,
    };
    let text = |key: &str| error.get(key).and_then(Value::as_str);
    let words = error.as_str().or_else(|| text("message")).unwrap_or("no reason was given");
    let words = printable(words);
    let names = [text("code"), text("type"), Some(words.as_str())];
    let said = names.into_iter().flatten().collect::<Vec<_>>().join(" ").to_lowercase();
    let status = error.get("code").or_else(|| error.get("status")).and_then(status_of);
    Some(by_words(&said, &words, model).unwrap_or_else(|| by_kind(&said, status, words)))
}

/// Numbers arrive as such and as text.
fn status_of(code: &Value) -> Option<u16> {
    let number = code.as_u64().or_else(|| code.as_str()?.parse().ok())?;
    u16::try_from(number).ok().filter(|status| (400..600).contains(status))
}

fn by_kind(said: &str, status: Option<u16>, words: String) -> Fault {
    let has = |part: &str| said.contains(part);
    match status {
        Some(status) => {
            HttpError::Refused { at: String::new(), status, code: None, words, wait: None }.into()
        }
        None if has("rate_limit") || has("rate limit") || has("too many requests") => {
            Fault::RateLimited { words, wait: None }
        }
        None if has("authentication") => Fault::BadKey { words },
        None if has("invalid_request") || has("badrequest") => Fault::BadRequest { words },
        None => Fault::Overloaded { status: 200, words, wait: None },
    }
}

fn by_words(said: &str, words: &str, model: &str) -> Option<Fault> {
    let has = |parts: &[&str]| parts.iter().any(|part| said.contains(part));
    let words = words.to_owned();
    if has(&SPENT) {
        Some(Fault::NoCredit { words })
    } else if has(&TOO_LONG) {
        Some(Fault::TooLong { words })
    } else if has(&NO_MODEL) {
        Some(Fault::NoSuchModel { model: model.to_owned(), words })
    } else if has(&BAD_KEY) {
        Some(Fault::BadKey { words })
    } else if has(&FLAGGED) {
        Some(Fault::Refusal { words })
    } else {
        None
    }
}

/// Something that a browser would show.
pub(crate) fn page(page: &str) -> Fault {
    let page = printable(page);
    let why = format!("a web page, as from a proxy or the login of a network: {page}");
    Fault::Malformed { why }
}

/// Calls where nothing was there to be called.
pub(crate) fn uncalled_for(calls: &[ToolCall]) -> Fault {
    let name = calls.first().map_or("", |call| call.name.as_str());
    Fault::NotAsAsked {
        why: format!("`{}` was called, and there is no such tool", printable(name)),
    }
}
