//! What `go test -json` prints and reports, as people read it: the text of its events, and one result for each test function.

use std::fmt::Write as _;

use rb_reports::{Outcome, TestId, TestResult};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    #[serde(rename = "Action")]
    _action: String,
    output: Option<String>,
}

/// The text of the events. Lines that are no events stay as they are.
pub(super) fn text_of_events(printed: &str) -> String {
    let mut text = String::new();
    for line in printed.lines() {
        match serde_json::from_str::<Event>(line) {
            Ok(event) => text.push_str(&event.output.unwrap_or_default()),
            Err(_) => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text
}

/// The results of test functions. What a failed subtest printed belongs to its function, which fails with it.
pub(super) fn functions(results: Vec<TestResult>) -> Vec<TestResult> {
    let mut functions: Vec<TestResult> = Vec::new();
    for result in results {
        let Some((function, subtest)) = split_subtest(result.id.as_str()) else {
            functions.push(result);
            continue;
        };
        let at = functions.iter().position(|known| known.id.as_str() == function);
        let at = at.unwrap_or_else(|| {
            let id = TestId::new(function.to_owned());
            functions.push(TestResult { id, message: None, ..result.clone() });
            functions.len() - 1
        });
        if result.outcome == Outcome::Failed {
            let known = &mut functions[at];
            known.outcome = Outcome::Failed;
            add_message(known, subtest, result.message.as_deref().unwrap_or_default());
        }
    }
    functions
}

/// `example.com/demo › TestSums/one_and_one` is the function `example.com/demo › TestSums` and the subtest `TestSums/one_and_one`.
fn split_subtest(id: &str) -> Option<(&str, &str)> {
    let name = id.rfind("› ").map_or(0, |at| at + "› ".len());
    let slash = id[name..].find('/')?;
    Some((&id[..name + slash], &id[name..]))
}

fn add_message(function: &mut TestResult, subtest: &str, message: &str) {
    if message.is_empty() {
        return;
    }
    let text = function.message.get_or_insert_default();
    if !text.is_empty() {
        text.push('\n');
    }
    let _ = write!(text, "{subtest}:");
    for line in message.lines() {
        let _ = write!(text, "\n    {line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(id: &str, outcome: Outcome, message: &str) -> TestResult {
        TestResult {
            id: TestId::new(id.to_owned()),
            file: None,
            line: None,
            outcome,
            ms: Some(1),
            message: (!message.is_empty()).then(|| message.to_owned()),
        }
    }

    #[test]
    fn ka2_go_events_are_read_as_text() {
        let printed = "# kata/sums\n\
            {\"Action\":\"run\",\"Package\":\"kata/sums\",\"Test\":\"TestSums\"}\n\
            {\"Action\":\"output\",\"Test\":\"TestSums\",\"Output\":\"=== RUN   TestSums\\n\"}\n\
            {\"Action\":\"output\",\"Test\":\"TestSums/one\",\"Output\":\"    sums_test.go:9: \"}\n\
            {\"Action\":\"output\",\"Test\":\"TestSums/one\",\"Output\":\"got \\\"1\\\"\\n\"}\n\
            {\"Output\":\"no event\"}\n\
            exit status 1\n";
        assert_eq!(
            text_of_events(printed),
            "# kata/sums\n=== RUN   TestSums\n    sums_test.go:9: got \"1\"\n\
             {\"Output\":\"no event\"}\nexit status 1\n"
        );
    }

    #[test]
    fn ka2_go_subtests_belong_to_their_function() {
        let found = functions(vec![
            result("kata/sums › TestGood", Outcome::Passed, ""),
            result("kata/sums › TestGood/one", Outcome::Passed, ""),
            result("kata/sums › TestSums", Outcome::Failed, "sums_test.go:5: own"),
            result("kata/sums › TestSums/a", Outcome::Failed, ""),
            result("kata/sums › TestSums/a/b", Outcome::Failed, "sums_test.go:9: one\n    more"),
            result("kata/sums › TestSums/c", Outcome::Passed, ""),
            result("kata/sums › TestSums/d", Outcome::Failed, "sums_test.go:9: two"),
            result("kata/sums › TestTwo", Outcome::Skipped, "sums_test.go:20: later"),
        ]);
        let message = "sums_test.go:5: own\n\
                       TestSums/a/b:\n    sums_test.go:9: one\n        more\n\
                       TestSums/d:\n    sums_test.go:9: two";
        assert_eq!(
            found,
            [
                result("kata/sums › TestGood", Outcome::Passed, ""),
                result("kata/sums › TestSums", Outcome::Failed, message),
                result("kata/sums › TestTwo", Outcome::Skipped, "sums_test.go:20: later"),
            ]
        );
    }
}
