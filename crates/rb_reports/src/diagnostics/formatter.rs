//! Formatters that name the files that they would change: prettier, black, rustfmt.

use super::{Diagnostic, Here, ReadDiagnostic, Severity, is_path, place};

pub(super) fn read(here: Here<'_>) -> Option<ReadDiagnostic> {
    let first = here.lines[0].trim_end();
    let whole = ["[warn] ", "[error] ", "would reformat "].iter();
    let named = whole.filter_map(|start| first.strip_prefix(start)).find(|path| is_path(path));
    let (file, line) = match named {
        Some(path) => (path, 0),
        None => {
            let at = first.strip_prefix("Diff in ")?;
            let (path, line, ..) = place(at.trim_end_matches(':'))?;
            (path, line)
        }
    };
    Some(ReadDiagnostic::one(Diagnostic {
        file: file.to_owned(),
        line,
        column: 0,
        severity: Severity::Error,
        code: String::new(),
        message: "it is not formatted".to_owned(),
    }))
}
