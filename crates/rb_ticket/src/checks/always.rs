//! What holds for every page that a check opens: it loads, is not blank, and breaks nothing that the browser notices.

use std::collections::BTreeSet;

use super::{By, Check, Expectation, Step};

/// Adds one check for each page that `checks` open, unless the list has it already.
///
/// A page that is meant to answer with an error status is only checked for being blank.
pub fn with_page_checks(mut checks: Vec<Check>) -> Vec<Check> {
    let mut seen: BTreeSet<String> = checks
        .iter()
        .filter(|check| check.by == By::Always)
        .map(|check| check.path.clone())
        .collect();
    let errors: BTreeSet<String> =
        checks.iter().filter(|c| wants_error(c)).map(|c| c.path.clone()).collect();
    let opened: Vec<String> = checks.iter().flat_map(opened).map(str::to_owned).collect();
    for path in opened {
        if seen.insert(path.clone()) {
            let expect = if errors.contains(&path) {
                vec![Expectation::NotBlank]
            } else {
                vec![
                    Expectation::Loads,
                    Expectation::NotBlank,
                    Expectation::NoConsoleErrors,
                    Expectation::NoFailedRequests,
                ]
            };
            let says = format!("The page {path} loads without errors");
            checks.push(Check {
                criterion: None,
                says,
                path,
                viewport: None,
                steps: Vec::new(),
                expect,
                by: By::Always,
            });
        }
    }
    checks
}

fn opened(check: &Check) -> impl Iterator<Item = &str> {
    let steps = check.steps.iter().filter_map(|step| match step {
        Step::Goto(path) => Some(path.as_str()),
        Step::Click(_)
        | Step::Type { .. }
        | Step::Select { .. }
        | Step::Hover(_)
        | Step::Press(_)
        | Step::WaitForText(_) => None,
    });
    std::iter::once(check.path.as_str()).chain(steps)
}

fn wants_error(check: &Check) -> bool {
    check.expect.iter().any(|e| matches!(e, Expectation::Status(status) if *status >= 400))
}
