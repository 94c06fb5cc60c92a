//! eslint's `stylish`, which groups by files, and `compact`; stylelint and others that write as they do. `unix` is `line`'s.

use super::{Diagnostic, Here, ReadDiagnostic, Severity, number, severity};

pub(super) fn read(here: Here<'_>) -> Option<ReadDiagnostic> {
    stylish(here).or_else(|| compact(here.lines[0]))
}

/// `  LINE:COLUMN  error  MESSAGE  RULE` below the name of a file.
fn stylish(here: Here<'_>) -> Option<ReadDiagnostic> {
    let first = here.lines[0];
    if !first.starts_with([' ', '\t']) || here.heading.contains(' ') {
        return None;
    }
    let (line, rest) = number(first.trim_start())?;
    let (column, rest) = number(rest.strip_prefix(':')?)?;
    let (word, rest) = rest.trim_start().split_once([' ', '\t'])?;
    let severity = match word {
        "✖" | "×" => Severity::Error,
        "⚠" | "‼" => Severity::Warning,
        word => severity(word)?,
    };
    let rest = rest.trim();
    let is_code = |code: &str| !code.is_empty() && !code.contains(char::is_whitespace);
    let (message, code) = match rest.rsplit_once("  ") {
        Some((message, code)) if is_code(code) => (message.trim_end(), code),
        _ => (rest, ""),
    };
    Some(ReadDiagnostic::one(Diagnostic {
        file: here.heading.to_owned(),
        line,
        column,
        severity,
        code: code.to_owned(),
        message: message.to_owned(),
    }))
}

/// `PATH: line LINE, col COLUMN, Error - MESSAGE (RULE)`.
fn compact(first: &str) -> Option<ReadDiagnostic> {
    let (path, rest) = first.split_once(": line ")?;
    let (line, rest) = number(rest)?;
    let (column, rest) = number(rest.strip_prefix(", col ")?)?;
    let (word, rest) = rest.strip_prefix(", ")?.split_once(" - ")?;
    let (message, code) = match rest.strip_suffix(')').and_then(|it| it.rsplit_once(" (")) {
        Some((message, code)) => (message, code),
        None => (rest, ""),
    };
    Some(ReadDiagnostic::one(Diagnostic {
        file: path.to_owned(),
        line,
        column,
        severity: severity(word)?,
        code: code.to_owned(),
        message: message.to_owned(),
    }))
}
