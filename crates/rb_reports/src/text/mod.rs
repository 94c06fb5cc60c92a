//! The terminal output of runners, for when there is no machine format.
//!
//! Tests print to the same terminal, so a runner is known by its closing lines, and the last ones count: a test
//! can print such lines, but the runner speaks after it. What a test prints once the runner has finished cannot be
//! told apart. Sums are always read; tests by name where the runner lists them and the list agrees with the sums.

mod ava;
mod dotnet;
mod go;
mod gradle;
mod jest;
mod maven;
mod minitest;
mod mocha;
mod nextest;
mod node;
mod phpunit;
mod pytest;
mod rspec;
mod unittest;
mod vitest;

use std::borrow::Cow;
use std::path::Path;

use crate::clean::{Root, plain};
use crate::collect::Collector;
use crate::format::{Format, Stream};
use crate::report::{Counts, Report};
use crate::{MAX_BYTES, go_json, libtest, tap};

/// What a run printed, without colours.
pub(crate) struct Lines<'a> {
    lines: Vec<Cow<'a, str>>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Lines<'a> {
        Lines { lines: text.lines().map(shown).collect() }
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator + Clone {
        self.lines.iter().map(AsRef::as_ref)
    }

    /// The last line that `read` makes something of, and what.
    fn last<T>(&self, read: impl Fn(&str) -> Option<T>) -> Option<(usize, T)> {
        let mut lines = self.iter().enumerate().rev();
        lines.find_map(|(at, line)| Some((at, read(line)?)))
    }

    fn before(&self, at: usize) -> impl DoubleEndedIterator<Item = &str> + Clone {
        self.iter().take(at)
    }

    fn after(&self, at: usize) -> impl DoubleEndedIterator<Item = &str> + Clone {
        self.iter().skip(at + 1)
    }
}

/// A run that says itself that it found no tests.
fn nothing_found(lines: &Lines, words: &[&str], root: &Root) -> Option<ClosedReport> {
    let (at, ()) = lines.last(|line| {
        words.iter().any(|words| line.trim_start().starts_with(words)).then_some(())
    })?;
    Some(ClosedReport { report: Collector::new(root.clone()).finish(), at })
}

/// A line as it stays on the screen: what a carriage return overwrote is gone.
fn shown(line: &str) -> Cow<'_, str> {
    let line = line.trim_end_matches('\r');
    let line = line.rsplit('\r').next().unwrap_or(line);
    plain(line)
}

/// A report, and the line that closed it.
pub(crate) struct ClosedReport {
    pub(crate) report: Report,
    pub(crate) at: usize,
}

/// The most of a text that is read: its end, where the sums stand.
const MAX_TEXT: usize = 32 * 1024 * 1024;

/// Lines are held one by one, and short ones take more room than their text.
const MAX_LINES: usize = 500_000;

pub(crate) fn tail(text: &str) -> &str {
    let text = &text[text.ceil_char_boundary(text.len().saturating_sub(MAX_TEXT))..];
    // The line break in front of the first line that is kept.
    let mut ends = text.strip_suffix('\n').unwrap_or(text).rmatch_indices('\n');
    ends.nth(MAX_LINES - 1).map_or(text, |(at, _)| &text[at + 1..])
}

/// The text formats, each with its reader.
type Reader = fn(&Lines, &Root) -> Option<ClosedReport>;

fn reader(format: Format) -> Option<Reader> {
    match format {
        Format::LibtestText => Some(|lines, root| libtest::read(lines, &Lines::new(""), root)),
        Format::JestText => Some(jest::read),
        Format::VitestText => Some(vitest::read),
        Format::MochaText => Some(mocha::read),
        Format::AvaText => Some(ava::read),
        Format::NodeText => Some(node::read),
        Format::PytestText => Some(pytest::read),
        Format::UnittestText => Some(unittest::read),
        Format::NextestText => Some(nextest::read),
        Format::GoTestText => Some(go::read),
        Format::MavenText => Some(maven::read),
        Format::GradleText => Some(gradle::read),
        Format::RspecText => Some(rspec::read),
        Format::MinitestText => Some(minitest::read),
        Format::PhpunitText => Some(phpunit::read),
        Format::DotnetText => Some(dotnet::read),
        Format::JunitXml
        | Format::Trx
        | Format::Tap
        | Format::JestJson
        | Format::MochaJson
        | Format::RspecJson
        | Format::GoTestJson
        | Format::NextestJson => None,
    }
}

pub(crate) fn read_one(format: Format, lines: &Lines, root: &Root) -> Option<ClosedReport> {
    reader(format)?(lines, root)
}

/// Reads what a run printed. `hint` is the format that is expected; without it, or where it is not found, the
/// runner whose closing line comes last is taken. Two streams that were captured as one go into `stdout`.
pub fn read_text(
    stdout: &[u8],
    stderr: &[u8],
    hint: Option<Format>,
    root: &Path,
) -> Option<Report> {
    if stdout.len().max(stderr.len()) > MAX_BYTES {
        return None;
    }
    let (stdout, stderr) = (String::from_utf8_lossy(stdout), String::from_utf8_lossy(stderr));
    let (out, err) = (Lines::new(tail(&stdout)), Lines::new(tail(&stderr)));
    let root = Root::new(root);
    let hinted = hint.and_then(|hint| read_either(hint, &out, &err, &root));
    if let Some(seen) = hinted {
        return Some(seen.report);
    }
    if let Some(report) = streamed(&stdout, hint, &root) {
        return Some(report);
    }
    let mut last: Option<ClosedReport> = None;
    for format in Format::ALL {
        let seen = read_either(*format, &out, &err, &root);
        if let Some(seen) = seen.filter(|seen| last.as_ref().is_none_or(|last| seen.at > last.at)) {
            last = Some(seen);
        }
    }
    last.map(|seen| seen.report)
}

/// Machine formats that some print to the terminal by default.
fn streamed(stdout: &str, hint: Option<Format>, root: &Root) -> Option<Report> {
    let starts = |prefix: &str| stdout.lines().any(|line| line.starts_with(prefix));
    if hint == Some(Format::Tap) || starts("TAP version 1") {
        tap::read(stdout, root)
    } else if hint == Some(Format::GoTestJson) || starts("{\"Time\":\"") {
        go_json::read(stdout, root)
    } else {
        None
    }
}

/// The runner's own stream first; the other only where there is nothing in it, as when both were captured as one.
fn read_either(
    format: Format,
    stdout: &Lines,
    stderr: &Lines,
    root: &Root,
) -> Option<ClosedReport> {
    if format == Format::LibtestText {
        return libtest::read(stdout, stderr, root);
    }
    let read = reader(format)?;
    let (first, second) = match format.stream() {
        Stream::Stdout => (stdout, stderr),
        Stream::Stderr => (stderr, stdout),
    };
    read(first, root).or_else(|| read(second, root))
}

/// `5 passed; 2 failed` as numbers with the word behind each.
pub(crate) fn numbers<'a>(
    text: &'a str,
    between: &'a [char],
) -> impl Iterator<Item = (u64, &'a str)> {
    text.split(between).filter_map(|part| {
        let mut words = part.split_whitespace();
        let count = words.next()?.parse().ok()?;
        Some((count, words.next()?))
    })
}

/// Sums by the words of a summary line; `None` where it has none of them.
fn sums(text: &str, between: &[char], words: &Words) -> Option<Counts> {
    let mut counts = Counts::default();
    let mut any = false;
    for (count, word) in numbers(text, between) {
        let sum = if words.passed.contains(&word) {
            &mut counts.passed
        } else if words.failed.contains(&word) {
            &mut counts.failed
        } else if words.skipped.contains(&word) {
            &mut counts.skipped
        } else {
            continue;
        };
        *sum = sum.saturating_add(count);
        any = true;
    }
    any.then_some(counts)
}

/// What a runner calls the outcomes in its sums.
struct Words {
    passed: &'static [&'static str],
    failed: &'static [&'static str],
    skipped: &'static [&'static str],
}

/// Without a time at its end: ` (12 ms)`, ` 12ms`, ` (1.2 s)`.
fn without_time(text: &str) -> &str {
    let text = text.trim_end();
    let inner = text.strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
    if let Some((before, time)) = inner
        && is_time(time)
    {
        return before.trim_end();
    }
    match text.rsplit_once(' ') {
        Some((before, time)) if is_time(time) => before.trim_end(),
        Some(_) | None => text,
    }
}

fn is_time(text: &str) -> bool {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).trim_end();
    let unit = text[number.len()..].trim_start();
    number.parse::<f64>().is_ok() && matches!(unit, "ms" | "s" | "m" | "min")
}

/// Suites by their indent: the names that a line at some indent stands under.
#[derive(Default)]
struct Outline<'a> {
    open: Vec<(usize, &'a str)>,
}

impl<'a> Outline<'a> {
    fn leave(&mut self, indent: usize) {
        while self.open.last().is_some_and(|(open, _)| *open >= indent) {
            self.open.pop();
        }
    }

    fn enter(&mut self, indent: usize, name: &'a str) {
        self.leave(indent);
        // Deeper than any suite: printed text.
        if self.open.len() < 64 {
            self.open.push((indent, name));
        }
    }

    fn path(&mut self, indent: usize, name: &'a str) -> Vec<&'a str> {
        self.leave(indent);
        self.open.iter().map(|(_, name)| *name).chain([name]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ve2_of_endless_output_the_last_lines_are_held() {
        let text = "y\n".repeat(MAX_LINES + 7) + "last\n";
        let lines = Lines::new(tail(&text));
        assert_eq!(lines.iter().count(), MAX_LINES);
        assert_eq!(lines.iter().next_back(), Some("last"));
        assert_eq!(tail("a\nb"), "a\nb");
    }
}
