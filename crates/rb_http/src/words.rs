//! What a server says about a refusal, fit to be shown.

use serde_json::Value;

/// The server's name for the error, and its words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ErrorBody {
    pub(crate) code: Option<String>,
    pub(crate) words: String,
}

/// Longer texts are pages for a browser or dumps.
const LONGEST: usize = 300;

/// Where services put their message, and their name for the error.
const WORDS: [&str; 5] = ["/error/message", "/message", "/detail", "/error", "/detail/message"];
const CODES: [&str; 3] = ["/error/code", "/error/type", "/error"];

impl ErrorBody {
    pub(crate) fn of(body: &str) -> ErrorBody {
        let json: Value = serde_json::from_str(body).unwrap_or_default();
        let first = |places: &[&str]| {
            places
                .iter()
                .find_map(|place| json.pointer(place).and_then(Value::as_str))
                .map(printable)
        };
        let plain = || printable(body);
        let words = first(&WORDS).unwrap_or_else(plain);
        let words = if words.is_empty() { "no reason was given".to_owned() } else { words };
        ErrorBody { code: first(&CODES), words: without_keys(&words) }
    }
}

/// On one line, without control characters, cut where it is long.
pub fn printable(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Services repeat a wrong key in part; even a part is nobody's business.
fn without_keys(words: &str) -> String {
    let hidden =
        |word: &str| if word.starts_with("sk-") { "[key]".to_owned() } else { word.to_owned() };
    words.split(' ').map(hidden).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ix6_the_words_of_a_refusal_are_found_cut_and_printable() {
        let check = |body: &str, code: Option<&str>, words: &str| {
            let said = ErrorBody::of(body);
            assert_eq!((said.code.as_deref(), said.words.as_str()), (code, words), "{body}");
        };
        check(r#"{"error":{"message":"No.","type":"t","code":"c"}}"#, Some("c"), "No.");
        check(r#"{"error":{"message":"No.","type":"t","code":null}}"#, Some("t"), "No.");
        check(r#"{"error":"E","message":"Gone"}"#, Some("E"), "Gone");
        check(r#"{"error":{"message":"bad key: sk-ab**yz."}}"#, None, "bad key: [key]");
        check("<h1>\u{1b}[31mBad\nGateway</h1>", None, "<h1> [31mBad Gateway</h1>");
        check("", None, "no reason was given");
        check(&"é".repeat(400), None, &format!("{}…", "é".repeat(300)));
    }
}
