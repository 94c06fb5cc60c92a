//! Whole reports, read from what runners really wrote. The suites behind the fixtures have a passing, a failing and
//! a skipped test, nested and equal names, quotes and umlauts, a file that cannot be loaded, and a test that prints
//! lines like a runner's.

mod diagnostics;
mod ids;
mod junit;
mod lies;
mod machine;
mod properties;
mod sums;
mod tap;
mod text;
mod text_javascript;
mod text_python;

use std::fmt::Write as _;
use std::path::Path;

use expect_test::Expect;
use rb_reports::{Format, Outcome, Report, read};

/// Where the fixtures' tests ran.
pub(crate) fn root() -> &'static Path {
    Path::new("/repo")
}

pub(crate) fn check(format: Format, text: &str, expected: &Expect) {
    let shown = match read(format, text.as_bytes(), root()) {
        Ok(report) => show(&report),
        Err(error) => format!("{error}\n"),
    };
    expected.assert_eq(&shown);
}

/// A line a test, its message cut to one line; then the troubles.
pub(crate) fn show(report: &Report) -> String {
    let mut out = format!("{:?}, {:?}: {}\n", report.verdict(), report.detail, report.counts);
    for test in &report.tests {
        let mark = match test.outcome {
            Outcome::Passed => "ok  ",
            Outcome::Failed => "FAIL",
            Outcome::Skipped => "skip",
        };
        let _ = write!(out, "{mark} {}", test.id);
        if let (Some(file), Some(line)) = (&test.file, test.line) {
            let _ = write!(out, "  @{file}:{line}");
        }
        if let Some(message) = &test.message {
            let _ = write!(out, "  -- {}", one_line(message));
        }
        out.push('\n');
    }
    for trouble in &report.troubles {
        let file = trouble.file.as_deref().map(|file| format!("{file}: ")).unwrap_or_default();
        let _ = writeln!(out, "!! {file}{}", one_line(&trouble.message));
    }
    out
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(60).collect()
}
