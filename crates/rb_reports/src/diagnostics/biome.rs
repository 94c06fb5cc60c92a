//! Biome: a heading with place and rule, drawn out by a line, and the message below it.

use super::{Diagnostic, Here, ReadDiagnostic, Severity, is_path, place};

/// The message begins at most this many lines below the heading.
const BELOW: usize = 4;

pub(super) fn read(here: Here<'_>) -> Option<ReadDiagnostic> {
    let head = here.lines[0].trim_end().strip_suffix('━')?.trim_end_matches('━').trim_end();
    let (at, rest) = head.split_once(' ')?;
    let (path, line, column) = match place(at) {
        Some((path, line, column, "")) => (path, line, column),
        _ if is_path(at) => (at, 0, 0),
        _ => return None,
    };
    let code = rest.split_whitespace().next()?;
    let marked = |text: &&str| -> Option<(Severity, String)> {
        let (mark, message) = text.trim_start().split_once(' ')?;
        let severity = match mark {
            "×" | "✖" => Severity::Error,
            "!" | "⚠" => Severity::Warning,
            "i" | "ℹ" => Severity::Note,
            _ => return None,
        };
        Some((severity, message.trim().to_owned()))
    };
    let (severity, message) = here.lines.iter().skip(1).take(BELOW).find_map(marked)?;
    Some(ReadDiagnostic::one(Diagnostic {
        file: path.to_owned(),
        line,
        column,
        severity,
        code: code.to_owned(),
        message,
    }))
}
