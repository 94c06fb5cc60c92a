//! The answer as JSON: what `Answer` holds, nothing left out.

use crate::answer::Answer;

pub fn json(answer: &Answer) -> String {
    let text = serde_json::to_string_pretty(answer).expect("an answer has only text keys");
    text + "\n"
}
