//! Whether a new test fails, and for which reason, by the report of the test runner and what it printed.
//!
//! `sign` has the tables that say what a line means, `build` reads compilers and loaders, `failure` reads one failed test. Nothing
//! here runs a test.

mod build;
mod evidence;
mod failure;
mod misspelling;
mod place;
mod sign;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use rb_lang::Language;
use serde::{Deserialize, Serialize};

use crate::suite::{SuiteRun, SuiteVerdict};
use crate::test_code::WrittenTest;

use self::build::BuildError;
use self::failure::Failure;
use self::place::Place;
use self::sign::Sign;

/// A reason that makes a failing test a good beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RedReason {
    /// Its assertion failed.
    Assertion,
    /// It names a function, type, module or member that does not exist yet.
    MissingSymbol,
    /// The code under test raised an error or panicked.
    Exception,
}

/// What a run of the suite says about a new test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewTestVerdict {
    Red {
        reason: RedReason,
        /// The lines of the output that show it, at most 30.
        output: String,
    },
    /// It passed, and so did all others.
    Passed,
    /// It fails, hangs or breaks others in a way that no implementation should mend; a sentence for the model.
    Refused(String),
}

/// `earlier` are the names of the tests that passed before, as the report names them.
pub fn judge(
    language: Language,
    run: &SuiteRun,
    new: &WrittenTest,
    earlier: &[String],
) -> NewTestVerdict {
    let output = rb_reports::without_colors(&run.output);
    let case = Case { language, run, new, earlier, lines: output.lines().collect() };
    match &run.verdict {
        SuiteVerdict::Green => case.green(),
        SuiteVerdict::Red => case.red(),
        SuiteVerdict::NotBuilt => case.not_built(),
        SuiteVerdict::NoTests => NewTestVerdict::Refused(format!(
            "no test ran. The output ends with:\n{}",
            evidence::tail(&case.lines)
        )),
        SuiteVerdict::TimedOut { after_s } => {
            NewTestVerdict::Refused(format!("the test did not end within {after_s} s"))
        }
        SuiteVerdict::Stopped { why } => {
            NewTestVerdict::Refused(format!("the tests were stopped: {why}"))
        }
    }
}

impl RedReason {
    /// In words, for commit messages and the screen.
    pub fn words(self) -> &'static str {
        match self {
            RedReason::Assertion => "assertion failed",
            RedReason::MissingSymbol => "missing symbol",
            RedReason::Exception => "error in the code under test",
        }
    }
}

/// How many tests a refusal names.
const MOST_NAMES: usize = 5;

struct Case<'a> {
    language: Language,
    run: &'a SuiteRun,
    new: &'a WrittenTest,
    earlier: &'a [String],
    /// Of the output, without colours.
    lines: Vec<&'a str>,
}

impl Case<'_> {
    fn green(&self) -> NewTestVerdict {
        if self.run.passed.iter().any(|id| self.is_new(id)) {
            return NewTestVerdict::Passed;
        }
        self.without_result()
    }

    fn red(&self) -> NewTestVerdict {
        let Some(test) = self.run.failed.iter().find(|test| self.is_new(&test.id)) else {
            return self.red_without_new();
        };
        let failure = Failure::of(self.language, &self.new.name, &test.message, &self.lines);
        match self.reason(&failure) {
            Ok(reason) => self.unless_broken(reason, &failure.text, failure.output),
            Err(why) => NewTestVerdict::Refused(why),
        }
    }

    /// Some test failed, but the new one is not among the failed: its file may not have been loaded.
    fn red_without_new(&self) -> NewTestVerdict {
        if self.run.passed.iter().any(|id| self.is_new(id)) {
            let failed = self.run.failed.iter().map(|test| test.id.clone()).collect();
            return NewTestVerdict::Refused(format!(
                "`{}` passes, but other tests fail: {}",
                self.new.name,
                some_of(failed)
            ));
        }
        let mut errors = build::errors(self.language, &self.lines);
        errors.retain(|error| error.place_in(&self.new.path).is_some());
        if errors.is_empty() {
            return self.without_result();
        }
        match self.missing_symbol(&errors) {
            Ok(error) => {
                let output = error.output(&self.lines);
                self.unless_broken(RedReason::MissingSymbol, &error.text, output)
            }
            Err(why) => NewTestVerdict::Refused(why),
        }
    }

    fn not_built(&self) -> NewTestVerdict {
        let errors = build::errors(self.language, &self.lines);
        if errors.is_empty() {
            return NewTestVerdict::Refused(format!(
                "the project does not build. The output ends with:\n{}",
                evidence::tail(&self.lines)
            ));
        }
        match self.missing_symbol(&errors) {
            Ok(error) => NewTestVerdict::Red {
                reason: RedReason::MissingSymbol,
                output: error.output(&self.lines),
            },
            Err(why) => NewTestVerdict::Refused(why),
        }
    }

    fn without_result(&self) -> NewTestVerdict {
        let name = &self.new.name;
        NewTestVerdict::Refused(if self.run.skipped.iter().any(|id| self.is_new(id)) {
            format!("`{name}` is skipped; a new test must run")
        } else {
            format!(
                "the test runner did not run `{name}`: check how the project's tests are found \
                 (file name, class, test name, attribute)"
            )
        })
    }

    /// Why the new test failed, or why that is no good beginning.
    fn reason(&self, failure: &Failure) -> Result<RedReason, String> {
        let in_test = failure.origin.as_ref().filter(|place| place.is_in(&self.new.path));
        match (failure.sign, in_test) {
            (Some(Sign::Assertion), _) | (Some(Sign::Panic), Some(_)) => Ok(RedReason::Assertion),
            (Some(Sign::MissingSymbol), _) => {
                match misspelling::assertion(self.language, &failure.text) {
                    Some(name) => Err(format!(
                        "the test calls `{name}`, which is no assertion of the test library. Check \
                         how it is spelled"
                    )),
                    None => Ok(RedReason::MissingSymbol),
                }
            }
            (Some(Sign::NotInstalled), _) => Err(not_installed(&failure.text)),
            (Some(Sign::Signature), _)
            | (
                Some(Sign::Panic | Sign::Error | Sign::Syntax | Sign::Rejected | Sign::Fallout)
                | None,
                None,
            ) => Ok(RedReason::Exception),
            (
                Some(Sign::Error | Sign::Syntax | Sign::Rejected | Sign::Fallout) | None,
                Some(place),
            ) => Err(format!(
                "the test itself raises an error at {place}: {}. It must fail by an assertion or \
                 in the code under test",
                failure.text
            )),
        }
    }

    /// The error that makes this a good beginning, or why another one does not.
    fn missing_symbol<'e>(&self, errors: &'e [BuildError]) -> Result<&'e BuildError, String> {
        let missing = errors.iter().find(|error| error.sign == Some(Sign::MissingSymbol));
        let is_expected = |error: &BuildError| match error.sign {
            Some(Sign::MissingSymbol) => true,
            Some(Sign::Fallout) => missing.is_some(),
            Some(
                Sign::Assertion
                | Sign::Panic
                | Sign::NotInstalled
                | Sign::Signature
                | Sign::Syntax
                | Sign::Rejected
                | Sign::Error,
            )
            | None => false,
        };
        if let Some(error) = errors.iter().find(|error| !is_expected(error)) {
            return Err(self.build_refusal(error));
        }
        let other = |error: &&BuildError| {
            error.place.as_ref().is_some_and(|place| !place.is_in(&self.new.path))
        };
        if let Some(error) = errors.iter().find(other) {
            return Err(format!("the new test breaks another file: {}", error.with_place()));
        }
        missing.ok_or_else(|| "the project does not build".to_owned())
    }

    fn build_refusal(&self, error: &BuildError) -> String {
        match (error.sign, error.place_in(&self.new.path)) {
            (Some(Sign::NotInstalled), _) => not_installed(&error.text),
            (Some(Sign::Syntax), Some(place)) => {
                format!("the test has a syntax error at {place}: {}", error.text)
            }
            (
                Some(
                    Sign::Assertion
                    | Sign::Panic
                    | Sign::MissingSymbol
                    | Sign::Signature
                    | Sign::Rejected
                    | Sign::Fallout
                    | Sign::Error,
                )
                | None,
                Some(place),
            ) => format!(
                "the test does not build at {place}, whatever the implementation is: {}",
                error.text
            ),
            (Some(_) | None, None) => {
                format!("the project does not build: {}", error.with_place())
            }
        }
    }

    fn unless_broken(&self, reason: RedReason, text: &str, output: String) -> NewTestVerdict {
        let broken = self.broken(reason, text);
        if broken.is_empty() {
            return NewTestVerdict::Red { reason, output };
        }
        NewTestVerdict::Refused(format!("the new test breaks earlier tests: {}", some_of(broken)))
    }

    /// The earlier tests that no longer pass, except for those that fail because the same symbol is missing in their file, and
    /// those that did not get their turn because the new test ended the program.
    fn broken(&self, reason: RedReason, text: &str) -> Vec<String> {
        let passed: BTreeSet<&str> = self.run.passed.iter().map(String::as_str).collect();
        let skipped: BTreeSet<&str> = self.run.skipped.iter().map(String::as_str).collect();
        let failed: BTreeMap<&str, &str> =
            self.run.failed.iter().map(|test| (test.id.as_str(), test.message.as_str())).collect();
        let is_excused = |id: &str| match failed.get(id) {
            Some(message) => {
                reason == RedReason::MissingSymbol && self.fails_alike(id, message, text)
            }
            None => reason != RedReason::Assertion && !skipped.contains(id),
        };
        self.earlier
            .iter()
            .filter(|id| !passed.contains(id.as_str()) && !is_excused(id))
            .cloned()
            .collect()
    }

    fn fails_alike(&self, id: &str, message: &str, text: &str) -> bool {
        let name = id.rsplit("› ").next().unwrap_or(id);
        let failure = Failure::of(self.language, name, message, &self.lines);
        failure.sign == Some(Sign::MissingSymbol) && failure.text == text
    }

    fn is_new(&self, id: &str) -> bool {
        // JUnit writes methods with parentheses.
        SuiteRun::names(id, &self.new.name)
            || SuiteRun::names(id.trim_end_matches("()"), &self.new.name)
    }
}

fn not_installed(text: &str) -> String {
    format!("the test needs a library that is not installed: {text}. Use only what the project has")
}

fn some_of(names: Vec<String>) -> String {
    rb_core::at_most(MOST_NAMES, names.into_iter()).join(", ")
}

impl BuildError {
    /// Its place, if that is in the file.
    fn place_in(&self, path: &str) -> Option<&Place> {
        self.place.as_ref().filter(|place| place.is_in(path))
    }

    fn with_place(&self) -> String {
        match &self.place {
            Some(place) => format!("{place}: {}", self.text),
            None => self.text.clone(),
        }
    }
}
