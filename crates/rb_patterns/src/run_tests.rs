//! The tests that stand beside a rule: code that it must leave alone, and code that it must find and fix.
//!
//! They are run as if every file were wanted: `files` and `ignores` say where a rule applies, not what it means.

use std::fmt;

use rb_core::edit;

use crate::error::Problem;
use crate::rules::{Findings, Rule};
use crate::scan;
use crate::syntax::Syntax;
use crate::yaml::{Item, Value};

/// Fixes inside of each other are made one after the other, outermost first.
const MAX_ROUNDS: usize = 10;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Tests {
    cases: Vec<Case>,
}

#[derive(Debug, Clone, PartialEq)]
struct Case {
    /// From 1, in its document.
    line: u32,
    code: String,
    expected: Expected,
}

#[derive(Debug, Clone, PartialEq)]
enum Expected {
    Silent,
    Found { fixed: Option<String> },
}

/// How one case went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestResult {
    pub rule: String,
    /// The rule file, and the line of the case there; of the rule where it has no tests.
    pub path: String,
    pub line: u32,
    /// Empty where the rule has no tests.
    pub code: String,
    pub outcome: Outcome,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    /// The rule has no tests. Nothing failed, and nothing is known.
    Untested,
    /// The code is valid, but the rule finds this in it.
    FoundInValid {
        found: Vec<String>,
    },
    /// The code is invalid, but the rule finds nothing.
    NotFound,
    /// The case says how the code is fixed, but the rule makes no edit.
    NoFix,
    FixedOtherwise {
        expected: String,
        actual: String,
    },
    /// Made once more, the fix changes its own result.
    ChangesAgain {
        once: String,
        again: String,
    },
    /// The fix leaves code that does not parse where it parsed before.
    BreaksSyntax {
        fixed: String,
    },
    /// The code is too tangled to be parsed, or the rule takes too much work on it.
    TooMuch,
}

impl TestResult {
    /// Did nothing fail?
    pub fn is_ok(&self) -> bool {
        match self.outcome {
            Outcome::Passed | Outcome::Untested => true,
            Outcome::FoundInValid { .. }
            | Outcome::NotFound
            | Outcome::NoFix
            | Outcome::FixedOtherwise { .. }
            | Outcome::ChangesAgain { .. }
            | Outcome::BreaksSyntax { .. }
            | Outcome::TooMuch => false,
        }
    }
}

/// `path:line: rule: what happened`, and below it the texts that differ, each line marked `-` (expected) or `+` (actual).
impl fmt::Display for TestResult {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}: ", self.path, self.line, self.rule)?;
        match &self.outcome {
            Outcome::Passed => formatter.write_str("passed"),
            Outcome::Untested => {
                formatter.write_str("has no tests; add `tests:` with `valid` and `invalid` code")
            }
            Outcome::FoundInValid { found } => {
                formatter.write_str("finds something in valid code")?;
                found.iter().try_for_each(|text| marked(formatter, '+', text))
            }
            Outcome::NotFound => {
                formatter.write_str("finds nothing in invalid code")?;
                marked(formatter, '-', &self.code)
            }
            Outcome::NoFix => {
                formatter.write_str("makes no edit, but the case says how the code is fixed")
            }
            Outcome::FixedOtherwise { expected, actual } => {
                formatter.write_str("fixes the code otherwise than the case says")?;
                marked(formatter, '-', expected)?;
                marked(formatter, '+', actual)
            }
            Outcome::ChangesAgain { once, again } => {
                formatter.write_str("changes its own result when the fix is made again")?;
                marked(formatter, '-', once)?;
                marked(formatter, '+', again)
            }
            Outcome::BreaksSyntax { fixed } => {
                formatter.write_str("leaves code that does not parse")?;
                marked(formatter, '+', fixed)
            }
            Outcome::TooMuch => {
                formatter.write_str("takes too much work; make the code or the rule smaller")
            }
        }
    }
}

fn marked(formatter: &mut fmt::Formatter<'_>, mark: char, text: &str) -> fmt::Result {
    text.lines().try_for_each(|line| write!(formatter, "\n  {mark} {line}"))
}

impl Tests {
    pub(crate) fn read(document: &Item) -> Result<Self, (u32, Problem)> {
        let mut cases = Vec::new();
        let Some(tests) = document.get("tests") else { return Ok(Tests { cases }) };
        if !matches!(tests.value, Value::Map(_)) {
            return Err(bad(tests.line, "write `valid:` and `invalid:` below it"));
        }
        for item in tests.get("valid").map_or(&[][..], one_or_more) {
            let code =
                item.text().ok_or_else(|| bad(item.line, "a valid case is a piece of code"))?;
            let expected = Expected::Silent;
            cases.push(Case { line: item.line, code: code.to_owned(), expected });
        }
        for item in tests.get("invalid").map_or(&[][..], one_or_more) {
            let code = item.text().or_else(|| item.get("code")?.text());
            let code = code.ok_or_else(|| {
                bad(
                    item.line,
                    "an invalid case is a piece of code, or has `code` and perhaps `fixed`",
                )
            })?;
            let fixed = match item.get("fixed") {
                Some(fixed) => {
                    Some(fixed.text().ok_or_else(|| bad(fixed.line, "`fixed` is code"))?.to_owned())
                }
                None => None,
            };
            let expected = Expected::Found { fixed };
            cases.push(Case { line: item.line, code: code.to_owned(), expected });
        }
        Ok(Tests { cases })
    }
}

fn bad(line: u32, what: &str) -> (u32, Problem) {
    (line, Problem::BadTests(what.to_owned()))
}

/// A list, or what could be its only item.
fn one_or_more(item: &Item) -> &[Item] {
    match &item.value {
        Value::List(items) => items,
        Value::Null => &[],
        Value::Text(_) | Value::Bool(_) | Value::Other | Value::Map(_) => {
            std::slice::from_ref(item)
        }
    }
}

pub(crate) fn run(rule: &Rule) -> Vec<TestResult> {
    let result = |line: u32, code: &str, outcome: Outcome| TestResult {
        rule: rule.id().to_owned(),
        path: rule.path.clone(),
        line,
        code: code.to_owned(),
        outcome,
    };
    if rule.tests.cases.is_empty() {
        return vec![result(rule.line, "", Outcome::Untested)];
    }
    let cases = rule.tests.cases.iter();
    cases
        .map(|case| {
            let outcome = outcome(rule, case).unwrap_or_else(|failed| failed);
            result(case.line + rule.document_line - 1, &case.code, outcome)
        })
        .collect()
}

fn outcome(rule: &Rule, case: &Case) -> Result<Outcome, Outcome> {
    let (findings, errors) = look(rule, &case.code)?;
    let fixed = match &case.expected {
        Expected::Silent if findings.matches.is_empty() => return Ok(Outcome::Passed),
        Expected::Silent => {
            let found = findings.matches.iter().map(|found| {
                case.code.get(found.start as usize..found.end as usize).unwrap_or_default()
            });
            return Err(Outcome::FoundInValid { found: found.map(str::to_owned).collect() });
        }
        Expected::Found { fixed } => fixed,
    };
    if findings.matches.is_empty() {
        return Err(Outcome::NotFound);
    }
    let has_edits = findings.matches.iter().any(|found| !found.edits.is_empty());
    if !has_edits {
        return if fixed.is_some() { Err(Outcome::NoFix) } else { Ok(Outcome::Passed) };
    }
    let (actual, errors_after) = fix(rule, &case.code, findings)?;
    if let Some(expected) = fixed.as_ref().filter(|expected| **expected != actual) {
        return Err(Outcome::FixedOtherwise { expected: expected.clone(), actual });
    }
    if errors_after > errors {
        return Err(Outcome::BreaksSyntax { fixed: actual });
    }
    Ok(Outcome::Passed)
}

/// Makes the fixes, also those that wait for others, and sees that nothing more is to be done.
fn fix(rule: &Rule, code: &str, mut findings: Findings) -> Result<(String, usize), Outcome> {
    let mut code = code.to_owned();
    for _ in 0..MAX_ROUNDS {
        let waits = findings.matches.iter().any(|found| found.fix_waits);
        let fixed = apply(&code, &findings)?;
        let (after, errors) = look(rule, &fixed)?;
        let again = apply(&fixed, &after)?;
        if again == fixed {
            return Ok((fixed, errors));
        }
        if !waits {
            return Err(Outcome::ChangesAgain { once: fixed, again });
        }
        (code, findings) = (fixed, after);
    }
    Err(Outcome::TooMuch)
}

fn apply(code: &str, findings: &Findings) -> Result<String, Outcome> {
    let edits: Vec<_> = findings.matches.iter().flat_map(|found| found.edits.clone()).collect();
    // Edits of one rule do not overlap; if ever they did, no text is better than a wrong one.
    edit::apply(code, &edits).map_err(|_| Outcome::TooMuch)
}

/// What the rule finds, and how many syntax errors the code has.
fn look(rule: &Rule, code: &str) -> Result<(Findings, usize), Outcome> {
    let syntax = Syntax::of_file(code, rule.config.language).ok_or(Outcome::TooMuch)?;
    let errors = syntax.errors();
    let findings = scan::scan(&[rule], syntax, code);
    if findings.exhausted.is_empty() { Ok((findings, errors)) } else { Err(Outcome::TooMuch) }
}
