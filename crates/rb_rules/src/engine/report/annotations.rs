//! Lines that a build server shows beside the code.

use std::fmt::Write as _;

use crate::finding::{Finding, Severity};

/// One workflow command for each finding.
pub fn github(findings: &[Finding]) -> String {
    let mut out = String::new();
    for it in findings {
        let level = match it.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        writeln!(
            out,
            "::{level} file={},line={},endLine={},col={},endColumn={},title={}::{}",
            property(&it.path),
            it.line,
            it.end_line,
            it.column,
            it.end_column,
            property(&it.rule),
            data(&it.message),
        )
        .expect("a string takes it");
    }
    out
}

/// What would end a message is written as its code.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
