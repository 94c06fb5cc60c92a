//! What is complained about, and the place behind an arrow in the next line: rustc, clippy, ruff.

use super::{Diagnostic, Here, ReadDiagnostic, Severity, place, severity};

pub(super) fn read(here: Here<'_>) -> Option<ReadDiagnostic> {
    let [head, arrow, ..] = here.lines else { return None };
    let (path, line, column, _) = place(arrow.trim_start().strip_prefix("--> ")?)?;
    let (severity, code, message) = what(head.trim())?;
    Some(ReadDiagnostic {
        diagnostic: Diagnostic {
            file: path.to_owned(),
            line,
            column,
            severity,
            code: code.to_owned(),
            message: message.to_owned(),
        },
        lines: 2,
    })
}

/// `error[E0308]: words`, `warning: words`, `F401 [*] words`, `invalid-syntax: words`.
fn what(head: &str) -> Option<(Severity, &str, &str)> {
    if let Some((name, message)) = head.split_once(": ") {
        let (word, code) = match name.strip_suffix(']').and_then(|it| it.split_once('[')) {
            Some((word, code)) => (word, code),
            None => (name, ""),
        };
        if let Some(severity) = severity(word) {
            return Some((severity, code, message));
        }
        if !name.contains(' ') {
            return Some((Severity::Error, name, message));
        }
    }
    let (code, message) = head.split_once(' ')?;
    let message = message.strip_prefix("[*] ").unwrap_or(message);
    code.ends_with(|c: char| c.is_ascii_digit()).then_some((Severity::Error, code, message))
}
