//! The form of an answer: checked here whatever the provider promised, asked for once more in stronger words.

use std::fmt::Write as _;

use crate::call::{Answer, Message, Request};

/// As much of a wrong answer as helps to mend it.
const LONGEST_QUOTE: usize = 4_000;

/// What is wrong with the form of an answer. A model that calls tools has not answered yet.
pub(super) fn fault(request: &Request, answer: &Answer) -> Option<String> {
    let schema = request.schema.as_ref()?;
    if !answer.tool_calls.is_empty() {
        return None;
    }
    match &answer.value {
        Some(value) => schema.check(value).err().map(|faults| faults.to_string()),
        None => Some("there is no structured value in it".to_owned()),
    }
}

/// The same question with what was wrong, and an instruction that leaves no choice.
pub(super) fn stronger(request: &Request, why: &str, answer: Option<&Answer>) -> Request {
    let because = match request.schema {
        Some(_) => ", because it does not match the required JSON schema",
        None => "",
    };
    let mut text = format!("Your answer to this was not accepted{because}:\n{why}\n");
    if let Some(wrong) = answer.map(words).filter(|wrong| !wrong.is_empty()) {
        let end = wrong.floor_char_boundary(LONGEST_QUOTE);
        let _ = write!(text, "\nThe answer that was not accepted:\n{}\n", &wrong[..end]);
    }
    text.push_str("\nAnswer again, completely, and in the way that was asked for");
    text.push_str(match request.schema {
        Some(_) => {
            ": exactly one value that matches the schema, with every required key and the right types, and \
             nothing beside it."
        }
        None => ".",
    });
    let mut messages = request.messages.clone();
    messages.push(Message::User { text });
    Request { messages, ..request.clone() }
}

fn words(answer: &Answer) -> String {
    match &answer.value {
        Some(value) => value.to_string(),
        None => answer.text.clone(),
    }
}
