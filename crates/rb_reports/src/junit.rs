//! `JUnit` XML, in the dialects of the runners that write it.
//!
//! The dialects agree on `testcase` and on `failure`, `error` and `skipped` inside it and on little else: where
//! a name stands more than once (suite, class, case) it enters the id once. A retried test that passed in the
//! end (`flakyFailure`) passed. Printed output (`system-out`) is not looked at.

use crate::clean::{Root, append};
use crate::collect::{Collector, FoundTest, seconds};
use crate::report::{Outcome, Report, ReportError, TestResult};
use crate::xml::{Element, Ended, Visitor, walk};

/// Names of suites that stand for the runner, not for a part of the tests.
const RUNNERS: &[&str] = &[
    "",
    "pytest",
    "jest tests",
    "vitest tests",
    "Mocha Tests",
    "Root Suite",
    "nextest-run",
    "undefined",
];

pub(crate) fn read(text: &str, root: &Root) -> Result<Report, ReportError> {
    let mut junit = Junit::new(root);
    let ended = walk(text, &mut junit)?;
    if !junit.recognised {
        return Err(ReportError::NotThisFormat { format: crate::Format::JunitXml });
    }
    if let Ended::BrokenOff(why) = ended {
        junit.out.trouble(None, &format!("the report breaks off: {why}"));
    }
    junit.check_declared();
    Ok(junit.out.finish())
}

struct Junit {
    out: Collector,
    recognised: bool,
    suites: Vec<Suite>,
    case: Option<Case>,
    /// The failure, error or skip whose text is being read.
    mark: Option<Mark>,
    /// What the outermost element says of itself, where it does.
    declared: Option<Declared>,
    /// Failures that became troubles, which the declared sum counts too.
    told: u64,
}

struct Suite {
    name: String,
    file: Option<String>,
}

#[derive(Default)]
struct Case {
    name: String,
    class: String,
    file: Option<String>,
    line: Option<u32>,
    ms: Option<u64>,
    failed: bool,
    /// pytest's word for a file that could not be imported.
    collection: bool,
    skip: Option<Skip>,
    message: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Skip {
    Skipped,
    /// It may fail and does not count.
    Todo,
}

struct Mark {
    element: String,
    skip: Skip,
    message: String,
    text: String,
}

struct Declared {
    tests: u64,
    failed: u64,
    /// Some count the skipped and do not list them.
    skipped: u64,
}

impl Junit {
    fn new(root: &Root) -> Junit {
        Junit {
            out: Collector::new(root.clone()),
            recognised: false,
            suites: Vec::new(),
            case: None,
            mark: None,
            declared: None,
            told: 0,
        }
    }

    fn open_suites(&mut self, element: &Element) {
        if !self.recognised {
            let count = |key| element.number(key).unwrap_or(0);
            self.declared = element.number("tests").map(|tests| Declared {
                tests,
                failed: count("failures").saturating_add(count("errors")),
                skipped: count("skipped"),
            });
        }
        self.recognised = true;
    }

    fn open_case(&mut self, element: &Element) {
        self.recognised = true;
        self.case = Some(Case {
            name: element.attribute("name").unwrap_or_default(),
            class: element
                .attribute("classname")
                .or_else(|| element.attribute("class"))
                .unwrap_or_default(),
            file: element.attribute("file"),
            line: element.number("line").and_then(|line| u32::try_from(line).ok()),
            ms: element.attribute("time").and_then(|time| seconds(&time)),
            ..Case::default()
        });
    }

    fn close_mark(&mut self) {
        let Some(mark) = self.mark.take() else { return };
        let message = if mark.text.contains(mark.message.trim()) {
            mark.text
        } else {
            format!("{}\n{}", mark.message, mark.text.trim())
        };
        let Some(case) = &mut self.case else {
            // A suite that failed as a whole.
            let name = self.suites.last().map(|suite| suite.file.as_deref().unwrap_or(&suite.name));
            if mark.element != "skipped" {
                self.told += 1;
                self.out.trouble(name, &message);
            }
            return;
        };
        match mark.element.as_str() {
            "skipped" => case.skip = Some(mark.skip),
            _ => case.failed = true,
        }
        case.collection |= mark.message == "collection failure";
        if case.message.is_empty() {
            case.message = message;
        }
    }

    fn close_case(&mut self) {
        let Some(case) = self.case.take() else { return };
        if case.failed && self.is_load_failure(&case) {
            self.told += 1;
            let file = [case.file.as_deref(), Some(case.name.as_str()), Some(case.class.as_str())];
            let file = file.into_iter().flatten().find(|name| !name.trim().is_empty());
            self.out.trouble(file, &case.message);
            return;
        }
        let outcome = match (case.failed, case.skip) {
            (_, Some(Skip::Todo)) | (false, Some(Skip::Skipped)) => Outcome::Skipped,
            (true, Some(Skip::Skipped) | None) => Outcome::Failed,
            (false, None) => Outcome::Passed,
        };
        let message = (outcome != Outcome::Passed).then_some(case.message.as_str());
        let named = case.file.as_deref();
        let file = named.or_else(|| self.suites.iter().rev().find_map(|s| s.file.as_deref()));
        // pytest counts lines from nought.
        let from = u32::from(self.suites.last().is_some_and(|suite| suite.name == "pytest"));
        let found = FoundTest {
            file,
            located: None,
            line: case.line.map(|line| line.saturating_add(from)),
            path: path(&self.suites, &case, file, &self.out),
            outcome: Some(outcome),
            ms: case.ms,
            message,
        };
        self.out.test(&found);
    }

    /// A failed case that stands for a whole file: nothing in it could run.
    fn is_load_failure(&self, case: &Case) -> bool {
        let suite = self.suites.last().map(|suite| suite.name.as_str());
        let is_file =
            case.name == case.class && Some(case.name.as_str()) == suite && case.name.contains('.');
        case.collection || case.name.trim().is_empty() || self.out.names_path(&case.name) || is_file
    }

    fn check_declared(&mut self) {
        let Some(declared) = &self.declared else { return };
        let counts = self.out.counts();
        let (tests, failed) = (counts.total() + self.told, counts.failed + self.told);
        let unlisted = declared.skipped.saturating_sub(counts.skipped);
        if declared.tests.saturating_sub(unlisted) > tests || declared.failed > failed {
            let message = format!(
                "the report declares {} tests and {} failures; it lists {tests} and {failed}",
                declared.tests, declared.failed
            );
            self.out.trouble(None, &message);
        }
    }
}

/// Each name once, though suite, class and case may repeat each other.
fn path<'a>(
    suites: &'a [Suite],
    case: &'a Case,
    file: Option<&str>,
    out: &Collector,
) -> Vec<&'a str> {
    let runner = |name: &str| RUNNERS.contains(&name) || out.names_path(name);
    let suites = suites.iter().map(|suite| suite.name.as_str());
    let mut path: Vec<&str> = suites.filter(|name| !runner(name) && Some(*name) != file).collect();
    let class = without_module(&case.class, file);
    // node calls every class `test`; jest-junit and mocha repeat the name, or its end.
    let before = case.name.strip_suffix(class);
    let in_name = before.is_some_and(|before| before.is_empty() || before.ends_with(' '));
    let repeated = class == "test" || Some(class) == file || path.contains(&class);
    if !class.is_empty() && !repeated && !in_name {
        path.push(class);
    }
    path.push(&case.name);
    path
}

/// A Python class without the module that its file already names: `tests/test_a.py`, `tests.test_a.TestGroup`.
fn without_module<'a>(class: &'a str, file: Option<&str>) -> &'a str {
    let module = file.and_then(|file| file.strip_suffix(".py")).map(|file| file.replace('/', "."));
    let rest = module.and_then(|module| class.strip_prefix(&module));
    match rest {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => rest.trim_start_matches('.'),
        Some(_) | None => class,
    }
}

impl Visitor for Junit {
    fn open(&mut self, element: &Element) {
        match element.name().as_str() {
            "testsuites" => self.open_suites(element),
            "testsuite" => {
                self.open_suites(element);
                let name = element.attribute("name").unwrap_or_default();
                self.suites.push(Suite { name, file: element.attribute("file") });
            }
            "testcase" => self.open_case(element),
            name @ ("failure" | "error" | "skipped") if self.recognised && self.mark.is_none() => {
                let todo = element.attribute("type").as_deref() == Some("todo");
                let skip = if todo { Skip::Todo } else { Skip::Skipped };
                let message = element.attribute("message").unwrap_or_default();
                self.mark =
                    Some(Mark { element: name.to_owned(), skip, message, text: String::new() });
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(mark) = &mut self.mark {
            append(&mut mark.text, text, TestResult::MAX_MESSAGE);
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "testsuite" => {
                self.suites.pop();
            }
            "testcase" => self.close_case(),
            _ if self.mark.as_ref().is_some_and(|mark| mark.element == name) => self.close_mark(),
            _ => {}
        }
    }
}
