//! `PATH:LINE:COLUMN: MESSAGE`, as compilers have written since there are compilers: mypy, flake8, pylint, ruff's `concise`, eslint's
//! `unix`, `go vet`, staticcheck, golangci-lint, gcc and whatever else keeps to it.

use super::{Diagnostic, Here, ReadDiagnostic, Severity, place, severity};

pub(super) fn read(here: Here<'_>) -> Option<ReadDiagnostic> {
    let first = here.lines[0].trim_end();
    let first = first.strip_prefix("vet: ").unwrap_or(first);
    // Deeper than this a tool quotes something.
    let text = first.trim_start();
    if first.len() - text.len() > 2 {
        return None;
    }
    let (path, line, column, rest) = place(text)?;
    let rest = rest.strip_prefix(": ")?.trim_start();
    let (severity, rest) = worded(rest);
    let (code, message) = coded(rest);
    let (severity, code, message) = match code {
        Some(code) => (severity, code, message),
        None => ended(severity, message),
    };
    if message.is_empty() {
        return None;
    }
    Some(ReadDiagnostic::one(Diagnostic {
        file: path.to_owned(),
        line,
        column,
        severity,
        code: code.to_owned(),
        message: message.trim_end().to_owned(),
    }))
}

/// The severity, where the message begins with one.
fn worded(text: &str) -> (Severity, &str) {
    match text.split_once(": ") {
        Some((word, rest)) => match severity(word) {
            Some(severity) => (severity, rest),
            None => (Severity::Error, text),
        },
        None => (Severity::Error, text),
    }
}

/// A code at the front: `F401 words`, `C0114: words`.
fn coded(text: &str) -> (Option<&str>, &str) {
    let Some((first, rest)) = text.split_once(' ') else { return (None, text) };
    let code = first.trim_end_matches(':');
    let letters = code.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = &code[letters..];
    let is_code = (1..=6).contains(&letters)
        && digits.len() >= 2
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    let rest = rest.strip_prefix("[*] ").unwrap_or(rest);
    if is_code { (Some(code), rest) } else { (None, text) }
}

/// A code at the end: `words  [return-value]`, `words (unused-import)`, `words [Error/no-undef]`.
fn ended(known: Severity, text: &str) -> (Severity, &str, &str) {
    let text = text.trim_end();
    let cut = |end: char, start: &str| {
        let (message, code) = text.strip_suffix(end)?.rsplit_once(start)?;
        let is_code = !code.is_empty() && !code.contains(char::is_whitespace);
        is_code.then_some((message.trim_end(), code))
    };
    let Some((message, code)) = cut(']', " [").or_else(|| cut(')', " (")) else {
        return (known, "", text);
    };
    match code.split_once('/') {
        Some((word, code)) if severity(word).is_some() => {
            (severity(word).unwrap_or(known), code, message)
        }
        _ => (known, code, message),
    }
}
