//! The TypeScript compiler, plain (`a.ts(1,14): error TS2322: …`) and pretty (`a.ts:1:14 - error TS2322: …`), and pyright, which
//! writes as the pretty one does and puts its code at the end.

use super::{Diagnostic, Here, ReadDiagnostic, number, place, severity};

pub(super) fn read(here: Here<'_>) -> Option<ReadDiagnostic> {
    let first = here.lines[0];
    plain(first).or_else(|| pretty(here))
}

/// `PATH(LINE,COLUMN): error CODE: MESSAGE`, or without a place.
fn plain(first: &str) -> Option<ReadDiagnostic> {
    if let Some(rest) = first.strip_prefix("error TS") {
        let (code, message) = rest.split_once(": ")?;
        return told(("", 0, 0), ("error", &format!("TS{code}")), message);
    }
    let (place, rest) = first.split_once("): ")?;
    let (path, at) = place.rsplit_once('(')?;
    let (line, rest_of_place) = number(at)?;
    let (column, _) = number(rest_of_place.strip_prefix(',')?)?;
    let (severity, code, message) = what(rest)?;
    told((path, line, column), (severity, code), message)
}

/// `PATH:LINE:COLUMN - error CODE: MESSAGE`. What is indented below it goes on.
fn pretty(here: Here<'_>) -> Option<ReadDiagnostic> {
    let first = here.lines[0];
    let (path, line, column, rest) = place(first.trim_start())?;
    let (severity, code, message) = what(rest.strip_prefix(" - ")?)?;
    if code.is_empty() {
        let indent = first.len() - first.trim_start().len();
        let is_below = |text: &&&str| text.len() - text.trim_start().len() > indent;
        let below = here.lines[1..].iter().take_while(is_below).count();
        let last = here.lines[below].trim_end();
        if let Some((_, code)) = last.strip_suffix(')').and_then(|it| it.rsplit_once(" (")) {
            let message = message.trim_end();
            let message = message.strip_suffix(&format!(" ({code})")).unwrap_or(message);
            let mut found = told((path, line, column), (severity, code), message)?;
            found.lines = below + 1;
            return Some(found);
        }
    }
    told((path, line, column), (severity, code), message)
}

/// Severity, code and message: `error TS1: words`, `error: words`.
fn what(text: &str) -> Option<(&str, &str, &str)> {
    let (head, message) = text.split_once(": ")?;
    let (word, code) = head.split_once(' ').unwrap_or((head, ""));
    (severity(word).is_some() && !code.contains(' ')).then_some((word, code, message))
}

fn told(
    (path, line, column): (&str, u32, u32),
    (word, code): (&str, &str),
    message: &str,
) -> Option<ReadDiagnostic> {
    Some(ReadDiagnostic::one(Diagnostic {
        file: path.to_owned(),
        line,
        column,
        severity: severity(word)?,
        code: code.to_owned(),
        message: message.to_owned(),
    }))
}
