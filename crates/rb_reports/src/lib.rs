//! What test runners write, read into results per test: bytes in, [`Report`] out. What checks complain about, read into one
//! [`Diagnostic`] each.
//!
//! [`read`] takes a machine format, [`read_many`] a folder of them, [`read_text`] what a person would read on the
//! terminal when there is nothing better. Something that went wrong without naming a test is a [`Trouble`] and is
//! never dropped; a run in which no test ran is its own [`Verdict`]. Nothing here opens a file or starts a process.

mod clean;
mod collect;
mod diagnostics;
mod format;
mod go_json;
mod jest_json;
mod json;
mod junit;
mod libtest;
mod mocha_json;
mod nextest_json;
mod report;
mod rspec_json;
mod tap;
mod tap_line;
mod text;
mod trx;
mod xml;

use std::path::Path;

use crate::clean::Root;
use crate::text::Lines;

pub use crate::clean::plain as without_colors;
pub use crate::diagnostics::{Diagnostic, Severity, diagnostics, stated_errors};
pub use crate::format::Format;
pub use crate::report::{
    Counts, Detail, Outcome, Report, ReportError, TestId, TestResult, Trouble, Verdict,
};
pub use crate::text::read_text;

/// The most bytes of one report. A larger one is refused rather than half read.
pub const MAX_BYTES: usize = 128 * 1024 * 1024;

/// Reads one report. `root` is the folder that the tests ran in; it is taken off every path.
pub fn read(format: Format, bytes: &[u8], root: &Path) -> Result<Report, ReportError> {
    if bytes.len() > MAX_BYTES {
        return Err(ReportError::TooLarge { bytes: bytes.len() });
    }
    let text = String::from_utf8_lossy(bytes);
    let root = Root::new(root);
    match format {
        Format::JunitXml => junit::read(&text, &root),
        Format::Trx => trx::read(&text, &root),
        Format::Tap => tap::read(&text, &root).ok_or(ReportError::NotThisFormat { format }),
        Format::JestJson => jest_json::read(&text, &root),
        Format::MochaJson => mocha_json::read(&text, &root),
        Format::RspecJson => rspec_json::read(&text, &root),
        Format::GoTestJson => {
            go_json::read(&text, &root).ok_or(ReportError::NotThisFormat { format })
        }
        Format::NextestJson => {
            nextest_json::read(&text, &root).ok_or(ReportError::NotThisFormat { format })
        }
        Format::LibtestText
        | Format::JestText
        | Format::VitestText
        | Format::MochaText
        | Format::AvaText
        | Format::NodeText
        | Format::PytestText
        | Format::UnittestText
        | Format::NextestText
        | Format::GoTestText
        | Format::MavenText
        | Format::GradleText
        | Format::RspecText
        | Format::MinitestText
        | Format::PhpunitText
        | Format::DotnetText => text::read_one(format, &Lines::new(text::tail(&text)), &root)
            .map(|seen| seen.report)
            .ok_or(ReportError::NotThisFormat { format }),
    }
}

/// Reads reports that were written a file a suite, as Surefire and Gradle do. A file that cannot be read is a
/// trouble of the whole; an error only where none can.
pub fn read_many(
    format: Format,
    files: &[(String, Vec<u8>)],
    root: &Path,
) -> Result<Report, ReportError> {
    let mut files: Vec<_> = files.iter().collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    let mut whole = collect::Collector::new(Root::new(root));
    let mut first_error = None;
    let mut any = false;
    for (name, bytes) in files {
        match read(format, bytes, root) {
            Ok(report) => {
                any = true;
                whole.absorb(name, report);
            }
            Err(error) => {
                whole.trouble(Some(name), &format!("a report that cannot be read: {error}"));
                first_error.get_or_insert(error);
            }
        }
    }
    match first_error {
        Some(error) if !any => Err(error),
        Some(_) | None => Ok(whole.finish()),
    }
}
