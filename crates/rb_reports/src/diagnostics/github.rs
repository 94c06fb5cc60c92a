//! Annotations of GitHub's workflows, which many tools write when they believe that they run in one:
//! `::error title=RULE,file=PATH,line=3,col=5::MESSAGE`.

use super::{Diagnostic, Here, ReadDiagnostic, severity};

pub(super) fn read(here: Here<'_>) -> Option<ReadDiagnostic> {
    let rest = here.lines[0].trim_start().strip_prefix("::")?;
    let (head, message) = rest.split_once("::")?;
    let (word, fields) = head.split_once(' ').unwrap_or((head, ""));
    let field = |name: &str| {
        fields.split(',').find_map(|field| field.trim().strip_prefix(name)?.strip_prefix('='))
    };
    let number = |name: &str| field(name).and_then(|text| text.parse().ok()).unwrap_or(0);
    Some(ReadDiagnostic::one(Diagnostic {
        file: field("file").unwrap_or_default().to_owned(),
        line: number("line"),
        column: number("col"),
        severity: severity(word)?,
        code: field("title").unwrap_or_default().to_owned(),
        message: message.replace("%0A", " "),
    }))
}
