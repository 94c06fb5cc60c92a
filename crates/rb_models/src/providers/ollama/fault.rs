//! What Ollama means by its errors: a status, and `{"error": "words"}`.

use rb_http::HttpError;

use crate::error::Fault;

pub(super) fn refused(error: HttpError, model: &str) -> Fault {
    match error {
        HttpError::Refused { status, words, wait, .. } => {
            by_words(&words, model).unwrap_or_else(|| match status {
                404 | 300..400 => Fault::BadRequest { words: format!("no Ollama there: {words}") },
                _ => {
                    HttpError::Refused { at: String::new(), status, code: None, words, wait }.into()
                }
            })
        }
        other => other.into(),
    }
}

/// An error in the middle of an answer.
pub(super) fn inside(words: &str, model: &str) -> Fault {
    let words = rb_http::printable(words);
    by_words(&words, model).unwrap_or(Fault::Overloaded { status: 200, words, wait: None })
}

fn by_words(words: &str, model: &str) -> Option<Fault> {
    let said = words.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| said.contains(part));
    let (words, model) = (words.to_owned(), model.to_owned());
    if said.contains("model") && has(&["not found", "try pulling it"]) {
        Some(Fault::NoSuchModel { model, words })
    } else if has(&["does not support"]) {
        Some(Fault::Unable { what: words })
    } else if has(&["more system memory", "out of memory"]) {
        Some(Fault::Unable { what: format!("{words}; a smaller model may fit") })
    } else if has(&[
        "exceeds the available context",
        "exceeds maximum context",
        "input length exceeds",
    ]) {
        Some(Fault::TooLong { words })
    } else {
        None
    }
}
