//! TRX, what `dotnet test --logger trx` writes.
//!
//! A result names its test only by its display name; the class and the assembly stand in the definitions, which
//! come after the results, so that both are kept until the end.

use std::collections::BTreeMap;

use crate::clean::{Root, append};
use crate::collect::{Collector, FoundTest, seconds};
use crate::report::{Outcome, Report, ReportError, TestResult};
use crate::xml::{Element, Ended, Visitor, walk};

pub(crate) fn read(text: &str, root: &Root) -> Result<Report, ReportError> {
    let mut trx = Trx::default();
    let ended = walk(text, &mut trx)?;
    if !trx.recognised {
        return Err(ReportError::NotThisFormat { format: crate::Format::Trx });
    }
    let mut out = Collector::new(root.clone());
    for result in &trx.results {
        let class = trx.classes.get(&result.test).map(String::as_str).unwrap_or_default();
        let name = result
            .name
            .strip_prefix(class)
            .map_or(result.name.as_str(), |n| n.trim_start_matches('.'));
        let message = (result.outcome != Outcome::Passed).then_some(result.message.as_str());
        let outcome = Some(result.outcome);
        out.test(&FoundTest {
            path: vec![class, name],
            outcome,
            ms: result.ms,
            message,
            ..FoundTest::default()
        });
    }
    for trouble in &trx.troubles {
        out.trouble(None, trouble);
    }
    if let Ended::BrokenOff(why) = ended {
        out.trouble(None, &format!("the report breaks off: {why}"));
    }
    if trx.declared_failed > out.counts().failed {
        let (declared, listed) = (trx.declared_failed, out.counts().failed);
        out.trouble(None, &format!("the report declares {declared} failures; it lists {listed}"));
    }
    Ok(out.finish())
}

#[derive(Default)]
struct Trx {
    recognised: bool,
    results: Vec<UnitResult>,
    /// The class of each test by its id.
    classes: BTreeMap<String, String>,
    declared_failed: u64,
    troubles: Vec<String>,
    /// Results stand in each other where a test has data rows; only the rows are tests.
    open_results: Vec<UnitResult>,
    definition: Option<String>,
    in_run_error: bool,
    text: Option<String>,
}

struct UnitResult {
    test: String,
    name: String,
    outcome: Outcome,
    ms: Option<u64>,
    message: String,
    has_rows: bool,
}

fn outcome(word: &str) -> Outcome {
    match word {
        "Passed" | "Completed" | "Warning" | "PassedButRunAborted" => Outcome::Passed,
        "NotExecuted" | "Inconclusive" | "NotRunnable" | "Pending" | "Disconnected" => {
            Outcome::Skipped
        }
        _ => Outcome::Failed,
    }
}

/// `00:00:01.2345678`
fn duration(text: &str) -> Option<u64> {
    let mut total = 0_u64;
    let mut parts = text.splitn(3, ':');
    let (hours, minutes, rest) = (parts.next()?, parts.next()?, parts.next()?);
    total = total.checked_add(hours.parse::<u64>().ok()?.checked_mul(3_600_000)?)?;
    total = total.checked_add(minutes.parse::<u64>().ok()?.checked_mul(60_000)?)?;
    total.checked_add(seconds(rest)?)
}

impl Visitor for Trx {
    fn open(&mut self, element: &Element) {
        let attribute = |key| element.attribute(key).unwrap_or_default();
        match element.name().as_str() {
            "TestRun" => self.recognised = true,
            "UnitTestResult" => {
                if let Some(outer) = self.open_results.last_mut() {
                    outer.has_rows = true;
                }
                self.open_results.push(UnitResult {
                    test: attribute("testId"),
                    name: attribute("testName"),
                    outcome: outcome(&attribute("outcome")),
                    ms: duration(&attribute("duration")),
                    message: String::new(),
                    has_rows: false,
                });
            }
            "UnitTest" => self.definition = Some(attribute("id")),
            "TestMethod" => {
                if let Some(id) = self.definition.take() {
                    self.classes.insert(id, attribute("className"));
                }
            }
            "Counters" => {
                let counts = ["failed", "error", "timeout", "aborted"]
                    .map(|key| element.number(key).unwrap_or(0));
                self.declared_failed = counts.into_iter().fold(0, u64::saturating_add);
            }
            "RunInfo" => {
                self.in_run_error = matches!(attribute("outcome").as_str(), "Error" | "Failed");
            }
            "Message" | "StackTrace" | "Text" => self.text = Some(String::new()),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(kept) = &mut self.text {
            append(kept, text, TestResult::MAX_MESSAGE);
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "UnitTestResult" => {
                if let Some(result) = self.open_results.pop().filter(|result| !result.has_rows) {
                    self.results.push(result);
                }
            }
            "RunInfo" => self.in_run_error = false,
            "Text" if self.in_run_error => self.troubles.extend(self.text.take()),
            "Message" | "StackTrace" => {
                if let (Some(text), Some(result)) = (self.text.take(), self.open_results.last_mut())
                {
                    append(&mut result.message, text.trim(), TestResult::MAX_MESSAGE);
                    append(&mut result.message, "\n", TestResult::MAX_MESSAGE);
                }
            }
            _ => {}
        }
    }
}
