//! What `cargo test` prints: one block a test program, its name on standard error, its tests on standard output.
//!
//! A test's own output can stand between its name and its result (`--nocapture`), and a test that writes past
//! the capture can print lines like these. A block is checked against its own summary and against the list of
//! failures at its end; what does not agree is a trouble, and a test named twice has the worse result.

use std::collections::BTreeMap;

use crate::clean::{Root, append};
use crate::collect::{Collector, FoundTest};
use crate::report::{Counts, Outcome, TestResult};
use crate::text::{ClosedReport, Lines, numbers};

/// Both streams in one when `stderr` has no line.
pub(crate) fn read(stdout: &Lines, stderr: &Lines, root: &Root) -> Option<ClosedReport> {
    let mut out = Collector::new(root.clone());
    let blocks = blocks(stdout);
    let programs: Vec<String> = stderr.iter().filter_map(program).collect();
    let last = blocks.last().map_or(0, |block| {
        block.at + block.lines.iter().rposition(|line| summary(line).is_some()).unwrap_or(0)
    });
    let aligned = programs.len() == blocks.len();
    for (at, block) in blocks.iter().enumerate() {
        let numbered = format!("program {}", at + 1);
        let named = block.program.as_deref().or_else(|| aligned.then(|| programs[at].as_str()));
        let doc_tests = block.is_doc_tests().then_some("doc-tests");
        block.read(named.or(doc_tests).unwrap_or(&numbered), &mut out);
    }
    for line in stdout.iter().chain(stderr.iter()) {
        if line.starts_with("error: could not compile") || line.starts_with("error[E") {
            out.trouble(None, line);
        } else if line.contains("process didn't exit successfully") && line.contains("(signal:") {
            let signal = line.rsplit_once("(signal:").map_or("", |(_, signal)| signal);
            out.trouble(
                None,
                &format!("a test program was killed: signal {}", signal.trim_matches([' ', ')'])),
            );
        }
    }
    let any = !blocks.is_empty() || !out.is_empty();
    any.then(|| ClosedReport { report: out.finish(), at: last })
}

struct Block<'a> {
    program: Option<String>,
    /// The line that opened it.
    at: usize,
    lines: Vec<&'a str>,
}

fn blocks<'a>(lines: &'a Lines<'_>) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut named = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(program) = program(line) {
            named = Some(program);
        } else if is_opening(line) {
            blocks.push(Block { program: named.take(), at, lines: Vec::new() });
        } else if let Some(block) = blocks.last_mut().filter(|_| named.is_none()) {
            block.lines.push(line);
        }
    }
    blocks
}

/// `running 8 tests`
fn is_opening(line: &str) -> bool {
    let count = line
        .strip_prefix("running ")
        .and_then(|rest| rest.strip_suffix(" tests").or(rest.strip_suffix(" test")));
    count.is_some_and(|count| count.parse::<u64>().is_ok())
}

/// `Running unittests src/lib.rs (target/debug/deps/demo-8348ca7a80742723)`, `Doc-tests demo`. The hash of the
/// file name changes with the compiler and is left out.
fn program(line: &str) -> Option<String> {
    let line = line.trim();
    if let Some(package) = line.strip_prefix("Doc-tests ") {
        return Some(format!("doc-tests {package}"));
    }
    let (source, path) = line.strip_prefix("Running ")?.strip_suffix(')')?.rsplit_once(" (")?;
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path).trim_end_matches(".exe");
    let name = match file.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
            name
        }
        Some(_) | None => file,
    };
    let source = source.strip_prefix("unittests ").unwrap_or(source);
    Some(format!("{name} ({source})"))
}

impl Block<'_> {
    fn is_doc_tests(&self) -> bool {
        self.lines.iter().any(|line| {
            line.starts_with("test ") && line.contains(".rs - ") && line.contains("(line ")
        })
    }

    fn read(&self, program: &str, out: &mut Collector) {
        let summary = self.lines.iter().rev().find_map(|line| summary(line));
        let (listed, shown) = self.split();
        let failures = failures(shown);
        let mut tests = results(listed, Between::IsOutput);
        if summary.is_some_and(|summary| summary.total() > tests.len() as u64) {
            tests = results(listed, Between::MayBeTests);
        }
        for name in failures.keys() {
            tests.insert((*name).to_owned(), Some(Outcome::Failed));
        }
        let unsettled = fallback(&tests, summary);
        let mut counts = Counts::default();
        for (name, outcome) in &tests {
            let outcome = outcome.unwrap_or(unsettled);
            counts.add(outcome);
            let message = failures.get(name.as_str()).map(String::as_str);
            let (name, line) = without_line(name);
            let path = vec![program, name];
            out.test(&FoundTest {
                path,
                line,
                outcome: Some(outcome),
                message,
                ..FoundTest::default()
            });
        }
        let trouble = match summary {
            Some(summary) if summary == counts => return,
            Some(summary) => {
                format!("{program}: the list has {counts}; the summary says {summary}")
            }
            None => format!("{program} stopped before its end"),
        };
        out.trouble(None, &trouble);
    }

    /// The list of tests, and what is shown of the failed ones behind it.
    fn split(&self) -> (&[&str], &[&str]) {
        let end = self.lines.iter().position(|line| *line == "failures:" || *line == "successes:");
        self.lines.split_at(end.unwrap_or(self.lines.len()))
    }
}

/// Output swallowed the results of some tests; what the summary leaves over for passes is theirs, if it fits.
fn fallback(tests: &BTreeMap<String, Option<Outcome>>, summary: Option<Counts>) -> Outcome {
    let passed =
        tests.values().filter(|outcome| outcome.is_none_or(|o| o == Outcome::Passed)).count();
    match summary {
        Some(summary) if summary.passed == passed as u64 => Outcome::Passed,
        Some(_) | None => Outcome::Failed,
    }
}

/// A doc-test is named by its line, which moves with every edit above it: `src/lib.rs - add (line 1)`.
fn without_line(name: &str) -> (&str, Option<u32>) {
    let (rest, mode) = name
        .rsplit_once(')')
        .filter(|(_, mode)| mode.is_empty() || mode.starts_with(" - "))
        .unwrap_or(("", ""));
    let line =
        rest.rsplit_once(" (line ").and_then(|(name, line)| Some((name, line.parse().ok()?)));
    match line {
        // `- compile fail` and the like stand behind it.
        Some((name, line)) if mode.len() < 20 && name.contains(".rs - ") => (name, Some(line)),
        Some(_) | None => (name, None),
    }
}

/// `test result: FAILED. 5 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.13s`
fn summary(line: &str) -> Option<Counts> {
    let rest = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    let count = |word| numbers(rest, &[';']).find(|(_, w)| *w == word).map(|(count, _)| count);
    let measured = count("measured").unwrap_or(0);
    Some(Counts {
        passed: count("passed")?.saturating_add(measured),
        failed: count("failed")?,
        skipped: count("ignored")?,
    })
}

fn outcome(text: &str) -> Option<Outcome> {
    let text = text.trim();
    let word = text.split([',', ' ', ':']).next().unwrap_or_default();
    let rest = text[word.len()..].trim();
    match word {
        "ok" if rest.is_empty() || rest.starts_with('<') => Some(Outcome::Passed),
        "bench" if rest.starts_with(':') => Some(Outcome::Passed),
        "FAILED" if rest.is_empty() || rest.starts_with(['<', '(']) => Some(Outcome::Failed),
        "ignored" if rest.is_empty() || rest.starts_with(',') => Some(Outcome::Skipped),
        _ => None,
    }
}

/// What lines like a test's are that stand between a test's name and its result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    IsOutput,
    /// The summary counts more tests than there are without them.
    MayBeTests,
}

/// The result of each test by its name; none where output stands in its place.
fn results(lines: &[&str], between: Between) -> BTreeMap<String, Option<Outcome>> {
    let mut tests: BTreeMap<String, Option<Outcome>> = BTreeMap::new();
    let mut open: Option<&str> = None;
    for line in lines {
        // Run one at a time, a test's result stands at the end of what it printed.
        if let (Some(name), Some(outcome)) = (open, outcome(line)) {
            tests.insert(name.to_owned(), Some(outcome));
            open = None;
        } else if let Some((name, rest)) = named(line, between)
            && (open.is_none() || between == Between::MayBeTests)
        {
            let name = name.strip_suffix(" - should panic").unwrap_or(name);
            let outcome = outcome(rest);
            let known = tests.entry(name.to_owned()).or_default();
            if *known != Some(Outcome::Failed) {
                *known = outcome;
            }
            open = outcome.is_none().then_some(name);
        }
    }
    tests
}

/// `test NAME ... REST`; where output without a newline may stand before it, the last such in the line.
fn named(line: &str, between: Between) -> Option<(&str, &str)> {
    let plain = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "));
    plain.or_else(|| {
        let at = line.rfind("test ").filter(|_| between == Between::MayBeTests)?;
        let (name, rest) = line[at + 5..].split_once(" ... ")?;
        outcome(rest).map(|_| (name, rest))
    })
}

/// The failed tests by the list at the end, each with what it printed.
fn failures<'a>(lines: &[&'a str]) -> BTreeMap<&'a str, String> {
    let listed = lines.iter().rposition(|line| *line == "failures:").unwrap_or(0);
    let (shown, listed) = lines.split_at(listed);
    let mut failures: BTreeMap<&str, String> = listed
        .iter()
        .skip(1)
        .take_while(|line| line.starts_with("    "))
        .map(|line| (line.trim(), String::new()))
        .collect();
    let mut open: Option<&str> = None;
    for line in shown {
        let header = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----"));
        if let Some(name) = header.filter(|name| failures.contains_key(name)) {
            open = Some(name);
        } else if let Some(message) = open.and_then(|name| failures.get_mut(name)) {
            append(message, line, TestResult::MAX_MESSAGE);
            append(message, "\n", TestResult::MAX_MESSAGE);
        }
    }
    failures
}
