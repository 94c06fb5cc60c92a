//! What the words of a program mean. Programs say in prose what a service says by a status: the status is looked for first,
//! then words that have stayed the same from version to version.

use rb_core::process::Exit;
use rb_http::{Secret, printable};

use crate::error::Fault;

/// On one line, cut where it is long, and without these keys.
pub(crate) fn printable_of(text: &str, secrets: &[&Secret]) -> String {
    let text = secrets.iter().fold(text.to_owned(), |text, secret| secret.struck_from(&text));
    printable(&text)
}

/// The end of what was said beside an answer: what comes first is warnings.
pub(crate) fn last_words(stderr: &str, secrets: &[&Secret]) -> String {
    const ENOUGH: usize = 200;
    let mut lines = Vec::new();
    let mut length = 0;
    for line in stderr.lines().rev().filter(|line| !line.trim().is_empty()) {
        length += line.len();
        if !lines.is_empty() && length > ENOUGH {
            break;
        }
        lines.push(line);
    }
    lines.reverse();
    printable_of(&lines.join(" "), secrets)
}

pub(crate) fn shown(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("code {code}"),
        Exit::Signal(signal) => format!("signal {signal}"),
    }
}

/// What a service means by a status, as its client tells it.
pub(crate) fn of_status(status: u16, model: &str, words: String) -> Fault {
    match status {
        400 | 429 if is_any(&words, &CREDIT) => Fault::NoCredit { words },
        400 if is_any(&words, &LONG) => Fault::TooLong { words },
        401 | 403 => Fault::BadKey { words },
        402 => Fault::NoCredit { words },
        404 => Fault::NoSuchModel { model: model.to_owned(), words },
        413 => Fault::TooLong { words },
        429 => Fault::RateLimited { words, wait: None },
        408 | 425 | 500..=599 => Fault::Overloaded { status, words, wait: None },
        _ => Fault::BadRequest { words },
    }
}

const CREDIT: [&str; 4] =
    ["credit balance", "insufficient_quota", "exceeded your current quota", "billing"];
const LONG: [&str; 4] = ["too long", "context window", "context length", "context_length"];
const RATE: [&str; 4] = ["limit reached", "hit your limit", "usage limit", "rate limit"];
const TLS: [&str; 4] = ["certificate", "self signed", "self-signed", "ssl"];
const LOST: [&str; 9] = [
    "connection refused",
    "connectionrefused",
    "econnrefused",
    "econnreset",
    "unable to connect",
    "stream disconnected",
    "error sending request",
    "timed out",
    "enotfound",
];

/// What the words alone give away; `None` where they could mean anything.
pub(crate) fn of_words(words: &str) -> Option<Fault> {
    let said = words.to_owned();
    if is_any(words, &CREDIT) {
        return Some(Fault::NoCredit { words: said });
    }
    if is_any(words, &LONG) {
        return Some(Fault::TooLong { words: said });
    }
    if is_any(words, &["overloaded"]) {
        return Some(Fault::Overloaded { status: 529, words: said, wait: None });
    }
    if is_any(words, &RATE) {
        return Some(Fault::RateLimited { words: said, wait: None });
    }
    if is_any(words, &TLS) {
        return Some(Fault::Tls { why: said });
    }
    is_any(words, &LOST).then_some(Fault::Unreachable { why: said, lost: true })
}

pub(crate) fn is_any(words: &str, known: &[&str]) -> bool {
    let words = words.to_lowercase();
    known.iter().any(|known| words.contains(known))
}

/// The status of a failed request, where the words name one: `unexpected status 401 Unauthorized`.
pub(crate) fn status_in(words: &str) -> Option<u16> {
    let lower = words.to_lowercase();
    let (_, after) = lower.split_once("status")?;
    let digits: String = after
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().ok().filter(|status| (400..600).contains(status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mo2_a_status_is_found_among_words() {
        let check =
            |words: &str, wanted: Option<u16>| assert_eq!(status_in(words), wanted, "{words}");
        check("unexpected status 401 Unauthorized: no", Some(401));
        check("exceeded retry limit, last status: 429 Too Many Requests", Some(429));
        check("{\"type\":\"error\",\"status\":400}", Some(400));
        check("status 200 then silence", None);
        check("line 401", None);
    }

    #[test]
    fn mo2_the_last_words_are_kept() {
        let check = |said: &str, wanted: &str| assert_eq!(last_words(said, &[]), wanted, "{said}");
        check("", "");
        check("Warning: one\n\nError: two\n", "Warning: one Error: two");
        check(&format!("{}\nError: two\n", "Warning ".repeat(40)), "Error: two");
    }

    #[test]
    fn mo3_keys_are_struck_from_words() {
        let key = Secret::new("swordfish");
        assert_eq!(printable_of("no\nswordfish", &[&key]), "no [key]");
    }
}
