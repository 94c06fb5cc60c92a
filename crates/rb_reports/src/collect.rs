//! Where each reader puts what it finds; gives every test an id of its own and settles the sums.

use std::collections::{BTreeMap, BTreeSet};

use crate::clean::{Root, cut, name, plain};
use crate::report::{Counts, Detail, Outcome, Report, TestId, TestResult, Trouble};

/// Between the parts of an id.
pub(crate) const SEPARATOR: &str = " › ";

/// A run is as red with this many as with more.
const MAX_TROUBLES: usize = 200;

/// More than the largest suites have; what comes after is not kept, and that is a trouble.
pub(crate) const MAX_TESTS: usize = 500_000;

/// A test as a reader saw it, still in the runner's words.
#[derive(Debug, Clone, Default)]
pub(crate) struct FoundTest<'a> {
    /// Becomes the first part of the id.
    pub(crate) file: Option<&'a str>,
    /// Where it stands, when the runner tells so only of some outcomes: no part of the id.
    pub(crate) located: Option<&'a str>,
    pub(crate) line: Option<u32>,
    /// Suites from the outermost in, then the name.
    pub(crate) path: Vec<&'a str>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) ms: Option<u64>,
    pub(crate) message: Option<&'a str>,
}

#[derive(Debug)]
pub(crate) struct Collector {
    root: Root,
    tests: Vec<TestResult>,
    troubles: Vec<Trouble>,
}

impl Collector {
    pub(crate) fn new(root: Root) -> Collector {
        Collector { root, tests: Vec::new(), troubles: Vec::new() }
    }

    pub(crate) fn relative(&self, path: &str) -> String {
        self.root.relative(path)
    }

    pub(crate) fn names_path(&self, name: &str) -> bool {
        self.root.names_path(name)
    }

    pub(crate) fn test(&mut self, found: &FoundTest) {
        if self.tests.len() >= MAX_TESTS {
            self.trouble(None, "there are more tests than are kept");
            return;
        }
        let file = found.file.map(|file| self.root.relative(file)).filter(|file| !file.is_empty());
        let mut parts: Vec<String> = file.iter().cloned().collect();
        for part in &found.path {
            let part = name(&self.root.strip(part));
            if !part.is_empty() {
                parts.push(part);
            }
        }
        if parts.is_empty() {
            parts.push("(no name)".to_owned());
        }
        let message = found.message.and_then(|text| self.message(text));
        let located = || found.located.map(|file| self.root.relative(file));
        self.tests.push(TestResult {
            id: TestId::new(parts.join(SEPARATOR)),
            file: file.or_else(located),
            line: found.line,
            outcome: found.outcome.unwrap_or(Outcome::Failed),
            ms: found.ms,
            message,
        });
    }

    pub(crate) fn trouble(&mut self, file: Option<&str>, message: &str) {
        let file = file.map(|file| self.root.relative(file)).filter(|file| !file.is_empty());
        let message = self.message(message).unwrap_or_else(|| "no reason was given".to_owned());
        self.keep(Trouble { file, message });
    }

    fn keep(&mut self, trouble: Trouble) {
        if self.troubles.len() < MAX_TROUBLES && !self.troubles.contains(&trouble) {
            self.troubles.push(trouble);
        }
    }

    fn message(&self, text: &str) -> Option<String> {
        // Cut before cleaning: a message can be the whole output of a test.
        let text = cut(text.trim(), 4 * TestResult::MAX_MESSAGE);
        let text = plain(&text);
        let text = self.root.strip(text.trim());
        (!text.is_empty()).then(|| cut(&text, TestResult::MAX_MESSAGE))
    }

    /// Takes in the report of one file, whose ids may meet those already here.
    pub(crate) fn absorb(&mut self, file: &str, report: Report) {
        let room = MAX_TESTS.saturating_sub(self.tests.len());
        if report.tests.len() > room {
            self.trouble(None, "there are more tests than are kept");
        }
        self.tests.extend(report.tests.into_iter().take(room));
        for trouble in report.troubles {
            let file =
                trouble.file.or_else(|| Some(file.to_owned()).filter(|file| !file.is_empty()));
            self.keep(Trouble { file, ..trouble });
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.troubles.is_empty()
    }

    pub(crate) fn counts(&self) -> Counts {
        Counts::of(&self.tests)
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.tests.iter().any(|test| test.outcome == Outcome::Failed)
    }

    /// Every test was named.
    pub(crate) fn finish(mut self) -> Report {
        number(&mut self.tests);
        self.tests.sort_by(|a, b| a.id.cmp(&b.id));
        let counts = Counts::of(&self.tests);
        Report { tests: self.tests, counts, troubles: self.troubles, detail: Detail::PerTest }
    }

    /// A summary was printed beside the list. Where the two agree, every test was named; where the list is
    /// shorter, it named a part; where it names more failures than were summed, one of the two lies.
    pub(crate) fn finish_with(mut self, summary: Counts) -> Report {
        let listed = self.counts();
        if listed == summary {
            return self.finish();
        }
        if listed.failed > summary.failed || listed.total() > summary.total() {
            self.trouble(None, &format!("the list has {listed}; the summary says {summary}"));
        }
        self.finish_part(summary)
    }

    /// Only failures are sure to be named.
    pub(crate) fn finish_part(mut self, summary: Counts) -> Report {
        let counts = Counts { failed: summary.failed.max(self.counts().failed), ..summary };
        self.tests.retain(|test| test.outcome == Outcome::Failed);
        Report { counts, detail: Detail::CountsOnly, ..self.finish() }
    }

    /// The list is the record, the summary its check.
    pub(crate) fn check(&mut self, summary: Counts) {
        let listed = self.counts();
        if listed != summary {
            self.trouble(None, &format!("the list has {listed}; the summary says {summary}"));
        }
    }
}

/// Equal ids get ` #2`, ` #3` in the order in which they came.
fn number(tests: &mut [TestResult]) {
    let mut used: BTreeSet<String> = tests.iter().map(|test| test.id.as_str().to_owned()).collect();
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for test in tests {
        let base = test.id.as_str().to_owned();
        let count = seen.entry(base.clone()).or_insert(0);
        *count += 1;
        while *count > 1 {
            let numbered = format!("{base} #{count}");
            if used.insert(numbered.clone()) {
                test.id = TestId::new(numbered);
                break;
            }
            *count += 1;
        }
    }
}

/// Seconds as runners write them, `1,234.5` too.
pub(crate) fn seconds(text: &str) -> Option<u64> {
    millis(text.trim().replace(',', "").parse::<f64>().ok()? * 1000.0)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bounded to what fits, and never negative"
)]
pub(crate) fn millis(ms: f64) -> Option<u64> {
    (ms.is_finite() && (0.0..1e15).contains(&ms)).then(|| ms.round() as u64)
}
