//! `RSpec`'s `--format json`. Errors outside of examples (a file that cannot be loaded, a broken hook) are troubles.

use serde::Deserialize;

use crate::clean::Root;
use crate::collect::{Collector, FoundTest, millis};
use crate::json::{last_document, many};
use crate::report::{Outcome, Report, ReportError};

#[derive(Deserialize)]
struct Document {
    examples: Vec<Example>,
    summary: Summary,
    #[serde(default)]
    messages: Vec<String>,
}

#[derive(Deserialize)]
struct Summary {
    #[serde(rename = "example_count")]
    examples: u64,
    #[serde(rename = "failure_count")]
    failures: u64,
    #[serde(rename = "errors_outside_of_examples_count", default)]
    errors_outside: u64,
}

#[derive(Deserialize)]
struct Example {
    description: String,
    full_description: String,
    status: String,
    file_path: Option<String>,
    line_number: Option<u32>,
    run_time: Option<f64>,
    pending_message: Option<String>,
    exception: Option<Exception>,
}

#[derive(Deserialize)]
struct Exception {
    message: Option<String>,
}

pub(crate) fn read(text: &str, root: &Root) -> Result<Report, ReportError> {
    let (document, documents): (Document, _) = last_document(text)?;
    let mut out = Collector::new(root.clone());
    for example in &document.examples {
        let suites = example.full_description.strip_suffix(example.description.as_str());
        let raised = example.exception.as_ref().and_then(|exception| exception.message.as_deref());
        out.test(&FoundTest {
            file: example.file_path.as_deref(),
            located: None,
            line: example.line_number,
            path: vec![suites.unwrap_or_default().trim(), &example.description],
            outcome: Some(match example.status.as_str() {
                "passed" => Outcome::Passed,
                "pending" => Outcome::Skipped,
                _ => Outcome::Failed,
            }),
            ms: example.run_time.and_then(|seconds| millis(seconds * 1000.0)),
            message: raised.or(example.pending_message.as_deref()),
        });
    }
    check(&document, &mut out);
    if let Some(message) = many(documents) {
        out.trouble(None, &message);
    }
    Ok(out.finish())
}

fn check(document: &Document, out: &mut Collector) {
    let Summary { examples, failures, errors_outside } = document.summary;
    if errors_outside > 0 {
        let messages = document.messages.join("\n");
        out.trouble(None, &format!("{errors_outside} errors outside of examples\n{messages}"));
    }
    let counts = out.counts();
    if examples != counts.total() || failures != counts.failed {
        let said = format!("{examples} examples, {failures} failures");
        out.trouble(None, &format!("the list has {counts}; the summary says {said}"));
    }
}
