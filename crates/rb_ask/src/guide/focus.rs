//! What an exploration is about, and whether its last calls still are.

use std::collections::BTreeSet;

use super::call_record::CallRecord;
use super::words::{in_common, words};

/// Calls in a row that must have nothing to do with the question.
pub(crate) const OFF: usize = 3;

/// The words and files that belong to the question: its own, those of the plan, and what the first search found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Focus {
    words: BTreeSet<String>,
    files: BTreeSet<String>,
}

impl Focus {
    pub(crate) fn new(question: &str) -> Self {
        Focus { words: words(question), files: BTreeSet::new() }
    }

    pub(crate) fn add_words(&mut self, text: &str) {
        self.words.extend(words(text));
    }

    pub(crate) fn add_files<'f>(&mut self, files: impl IntoIterator<Item = &'f str>) {
        self.files.extend(files.into_iter().map(str::to_owned));
    }

    /// Whether none of the last calls has to do with the question, by what it asked for and by the files that it found.
    pub(crate) fn is_lost(&self, calls: &[CallRecord]) -> bool {
        let Some(from) = calls.len().checked_sub(OFF) else { return false };
        // Without words there is nothing to compare with.
        !self.words.is_empty() && calls[from..].iter().all(|call| !self.concerns(call))
    }

    fn concerns(&self, call: &CallRecord) -> bool {
        let is_general = call.subject.is_empty();
        let has_file = |file: &String| self.files.contains(file);
        is_general
            || self.files.contains(&call.subject)
            || call.files.iter().any(has_file)
            || in_common(&words(&call.subject), &self.words) > 0
            || call.files.iter().any(|file| in_common(&words(file), &self.words) > 0)
    }
}

/// The advice for the model.
pub(crate) fn refocus(question: &str) -> String {
    format!(
        "Your last {OFF} calls have nothing in common with the question: \"{question}\". Come back to it, or explain with `set_plan` \
         how they lead there."
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn as7_calls_that_have_nothing_to_do_with_the_question_are_noticed() {
        let mut focus = Focus::new("How does the rate limiter work?");
        focus.add_words("Find the token bucket");
        focus.add_files(["server/throttle.py"]);
        let check = |calls: &[(&str, &[&str])], is_lost: bool| {
            let records: Vec<CallRecord> = calls
                .iter()
                .map(|(query, files)| CallRecord {
                    files: files.iter().map(|file| (*file).to_owned()).collect(),
                    ..CallRecord::new(1, "search", &json!({ "query": query }))
                })
                .collect();
            assert_eq!(focus.is_lost(&records), is_lost, "{calls:?}");
        };
        let call = |query: &'static str, files: &'static [&'static str]| (query, files);
        let lost = call("colours", &["web/theme.css"]);
        check(&[], false);
        check(&[lost, lost], false);
        check(&[lost, lost, lost], true);
        // By a word of the question, of the plan, of a path; by a file; by nothing in particular.
        check(&[lost, call("rates", &[]), lost], false);
        check(&[lost, call("bucket", &[]), lost], false);
        check(&[lost, call("x", &["lib/limits.rs"]), lost], false);
        check(&[lost, call("server/throttle.py", &[]), lost], false);
        check(&[lost, call("x", &["server/throttle.py"]), lost], false);
        check(&[lost, call("", &[]), lost], false);
        check(&[call("rate", &[]), lost, lost, lost], true);
    }

    #[test]
    fn as7_a_question_without_words_has_no_track() {
        let focus = Focus::new("What is this?");
        let call = CallRecord::new(1, "search", &json!({ "query": "colours" }));
        assert!(!focus.is_lost(&[call.clone(), call.clone(), call]));
    }
}
