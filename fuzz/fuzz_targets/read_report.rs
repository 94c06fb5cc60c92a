//! Any bytes are read as any format into a report that agrees with itself, and into the same report again.
//!
//! The first byte of the input picks the format; one past the last reads it as what a terminal showed.
#![no_main]

use std::collections::BTreeSet;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use rb_reports::{Counts, Detail, Format, Report, TestResult, read, read_text};

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, bytes)) = bytes.split_first() else { return };
    let report = read_as(first, bytes);
    if let Some(report) = &report {
        check(report);
    }
    assert_eq!(read_as(first, bytes), report, "a second reading differs");
});

fn read_as(pick: u8, bytes: &[u8]) -> Option<Report> {
    let root = Path::new("/repo");
    match Format::ALL.get(usize::from(pick) % (Format::ALL.len() + 1)) {
        Some(format) => read(*format, bytes, root).ok(),
        None => {
            let (stdout, stderr) = bytes.split_at(bytes.len() / 2);
            read_text(stdout, stderr, None, root)
        }
    }
}

fn check(report: &Report) {
    let ids: BTreeSet<_> = report.tests.iter().map(|test| &test.id).collect();
    assert_eq!(ids.len(), report.tests.len(), "an id stands twice");
    if report.detail == Detail::PerTest {
        assert_eq!(report.counts, Counts::of(&report.tests), "the sums differ from the list");
    }
    for test in &report.tests {
        assert!(test.message.as_ref().is_none_or(|message| message.len() <= TestResult::MAX_MESSAGE));
    }
}
