//! `go test -json`: one event a line, and beside them lines that are no events (a package that does not build).
//!
//! Go before 1.20 takes what a test prints for its own words: a result of a test that was never started is a
//! printed one and is left out. A test that printed `=== RUN` as well cannot be told from a real one there.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::clean::{Root, append};
use crate::collect::{Collector, FoundTest, millis};
use crate::report::{Outcome, Report, TestResult};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    package: Option<String>,
    import_path: Option<String>,
    test: Option<String>,
    elapsed: Option<f64>,
    output: Option<String>,
}

#[derive(Default)]
struct Package {
    outcome: Option<Outcome>,
    output: String,
    /// In the order in which they started.
    tests: Vec<Test>,
    by_name: BTreeMap<String, usize>,
}

#[derive(Default)]
struct Test {
    name: String,
    outcome: Option<Outcome>,
    ms: Option<u64>,
    output: String,
}

pub(crate) fn read(text: &str, root: &Root) -> Option<Report> {
    let mut packages: BTreeMap<String, Package> = BTreeMap::new();
    let mut out = Collector::new(root.clone());
    let mut builds: BTreeMap<String, String> = BTreeMap::new();
    let mut any = false;
    for line in text.lines() {
        match serde_json::from_str::<Event>(line) {
            Ok(event) => {
                any = true;
                take_event(event, &mut packages, &mut builds);
            }
            Err(_) => take_line(line, &mut packages),
        }
    }
    any |= packages.values().any(|package| package.outcome.is_some());
    for (name, package) in &packages {
        settle(name, package, &mut out);
    }
    for (name, output) in builds {
        out.trouble(None, &format!("{name} does not build\n{output}"));
    }
    (any && !(packages.is_empty() && out.is_empty())).then(|| out.finish())
}

fn take_event(
    event: Event,
    packages: &mut BTreeMap<String, Package>,
    builds: &mut BTreeMap<String, String>,
) {
    if let "build-output" | "build-fail" = event.action.as_str() {
        let build = builds.entry(event.import_path.unwrap_or_default()).or_default();
        append(build, event.output.as_deref().unwrap_or_default(), TestResult::MAX_MESSAGE);
        return;
    }
    let package = packages.entry(event.package.unwrap_or_default()).or_default();
    let outcome = match event.action.as_str() {
        "pass" => Some(Outcome::Passed),
        "fail" => Some(Outcome::Failed),
        "skip" => Some(Outcome::Skipped),
        _ => None,
    };
    let Some(name) = event.test else {
        package.outcome = outcome.or(package.outcome);
        append(
            &mut package.output,
            event.output.as_deref().unwrap_or_default(),
            TestResult::MAX_MESSAGE,
        );
        return;
    };
    if event.action == "run" && !package.by_name.contains_key(&name) {
        package.by_name.insert(name.clone(), package.tests.len());
        package.tests.push(Test { name: name.clone(), ..Test::default() });
    }
    let Some(test) = package.by_name.get(&name).and_then(|at| package.tests.get_mut(*at)) else {
        return;
    };
    // With `-count` a test runs again: a failure stays.
    if test.outcome != Some(Outcome::Failed) {
        test.outcome = outcome.or(test.outcome);
    }
    test.ms = event.elapsed.and_then(|seconds| millis(seconds * 1000.0)).or(test.ms);
    append(&mut test.output, event.output.as_deref().unwrap_or_default(), TestResult::MAX_MESSAGE);
}

/// `FAIL example.com/demo/bad [build failed]`, with a tab behind the first word.
fn take_line(line: &str, packages: &mut BTreeMap<String, Package>) {
    let Some(rest) = line.strip_prefix("FAIL\t") else { return };
    let (name, why) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
    let package = packages.entry(name.to_owned()).or_default();
    package.outcome = Some(Outcome::Failed);
    append(&mut package.output, why, TestResult::MAX_MESSAGE);
}

fn settle(name: &str, package: &Package, out: &mut Collector) {
    let mut failed = false;
    for test in &package.tests {
        let outcome = test.outcome.unwrap_or_else(|| unfinished(test, package.outcome));
        failed |= outcome == Outcome::Failed;
        let message = (outcome != Outcome::Passed).then(|| said(&test.output));
        out.test(&FoundTest {
            path: vec![name, &test.name],
            outcome: Some(outcome),
            ms: test.ms,
            message: message.as_deref(),
            ..FoundTest::default()
        });
    }
    match package.outcome {
        Some(Outcome::Passed | Outcome::Skipped) => {}
        Some(Outcome::Failed) if failed => {}
        Some(Outcome::Failed) => out.trouble(None, &format!("{name} failed\n{}", package.output)),
        None => out.trouble(
            None,
            &format!("{name} has no result: it stopped before its end\n{}", package.output),
        ),
    }
}

/// What a test prints without a newline hides its result line from Go; a package that passed had no failure.
fn unfinished(test: &Test, package: Option<Outcome>) -> Outcome {
    let passed = format!("--- PASS: {} (", test.name);
    match package {
        Some(Outcome::Passed) => Outcome::Passed,
        _ if test.output.lines().last().is_some_and(|line| line.contains(&passed)) => {
            Outcome::Passed
        }
        Some(_) | None => Outcome::Failed,
    }
}

/// A test's output without the frame that Go puts around it, and without the indent of its first line.
fn said(output: &str) -> String {
    let is_said = |line: &&str| !line.starts_with("=== ") && !line.trim_start().starts_with("--- ");
    let lines: Vec<&str> = output.lines().filter(is_said).collect();
    let first = lines.iter().find(|line| !line.trim().is_empty()).copied().unwrap_or_default();
    let indent = indent_of(first);
    let dedented = lines.iter().map(|line| &line[indent.min(indent_of(line))..]);
    dedented.collect::<Vec<_>>().join("\n")
}

/// How many spaces the line begins with.
fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ve2_go_json_messages_lose_the_indent_of_their_first_line() {
        let check = |output: &str, expected: &str| assert_eq!(said(output), expected);
        check(
            "=== RUN   TestSum\n    a_test.go:5: one\n    a_test.go:6: two\n        more\n--- FAIL: TestSum (0.00s)\n",
            "a_test.go:5: one\na_test.go:6: two\n    more",
        );
        check("    a_test.go:5: one\npanic: boom\n  x\n", "a_test.go:5: one\npanic: boom\nx");
        check("printed\n    a_test.go:5: one\n", "printed\n    a_test.go:5: one");
        check("", "");
    }
}
