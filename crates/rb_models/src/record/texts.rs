//! Every text of a call, changed by one function: words, names and the keys of JSON objects alike.

use serde_json::Value;

use crate::call::{Answer, Facts, Message, Tool, ToolCall, ToolResult};
use crate::error::{Fault, ModelError};

pub(super) type Change<'a> = &'a dyn Fn(&str) -> String;

pub(super) fn in_answer(answer: Answer, change: Change<'_>) -> Answer {
    let Answer { text, value, tool_calls, stop, usage, cost, timing, facts } = answer;
    let Facts { provider, model, id, tries, notes } = facts;
    Answer {
        text: change(&text),
        value: value.map(|value| in_value(value, change)),
        tool_calls: tool_calls.into_iter().map(|call| in_call(call, change)).collect(),
        stop,
        usage,
        cost,
        timing,
        facts: Facts {
            provider: change(&provider),
            model: change(&model),
            id: id.map(|id| change(&id)),
            tries,
            notes: notes.iter().map(|note| change(note)).collect(),
        },
    }
}

pub(super) fn in_error(mut error: ModelError, change: Change<'_>) -> ModelError {
    in_fault(&mut error.fault, change);
    let ModelError { provider, fault, hint, spent } = error;
    ModelError { provider: change(&provider), fault, hint: hint.map(|hint| change(&hint)), spent }
}

fn in_fault(fault: &mut Fault, change: Change<'_>) {
    let texts: Vec<&mut String> = match fault {
        Fault::NotInstalled { what: text }
        | Fault::NotLoggedIn { what: text }
        | Fault::Unable { what: text }
        | Fault::BadKey { words: text }
        | Fault::NoCredit { words: text }
        | Fault::BadRequest { words: text }
        | Fault::TooLong { words: text }
        | Fault::RateLimited { words: text, wait: _ }
        | Fault::Overloaded { words: text, status: _, wait: _ }
        | Fault::Refusal { words: text }
        | Fault::Unreachable { why: text, lost: _ }
        | Fault::Tls { why: text }
        | Fault::Half { why: text }
        | Fault::Malformed { why: text }
        | Fault::NotAsAsked { why: text }
        | Fault::Program { why: text }
        | Fault::Recording { why: text }
        | Fault::ReplayDiffers { difference: text }
        | Fault::PriceUnknown { model: text, cap: _ } => vec![text],
        Fault::NoSuchModel { model, words } => vec![model, words],
        Fault::NoKey
        | Fault::PromptCut { .. }
        | Fault::Stalled(_)
        | Fault::TooSlow(_)
        | Fault::AnswerCut { .. }
        | Fault::OverCap { .. }
        | Fault::Interrupted => Vec::new(),
    };
    for text in texts {
        *text = change(text);
    }
}

pub(super) fn in_message(message: Message, change: Change<'_>) -> Message {
    match message {
        Message::User { text } => Message::User { text: change(&text) },
        Message::Assistant { text, tool_calls } => Message::Assistant {
            text: change(&text),
            tool_calls: tool_calls.into_iter().map(|call| in_call(call, change)).collect(),
        },
        Message::Tools { results } => {
            let result = |result: ToolResult| ToolResult {
                id: change(&result.id),
                name: change(&result.name),
                text: change(&result.text),
                failed: result.failed,
            };
            Message::Tools { results: results.into_iter().map(result).collect() }
        }
    }
}

pub(super) fn in_tool(tool: Tool, change: Change<'_>) -> Tool {
    Tool {
        name: change(&tool.name),
        description: change(&tool.description),
        input: in_value(tool.input, change),
    }
}

fn in_call(call: ToolCall, change: Change<'_>) -> ToolCall {
    ToolCall { id: change(&call.id), name: change(&call.name), input: in_value(call.input, change) }
}

/// As deep as JSON that is read may be, which is 128.
pub(super) fn in_value(value: Value, change: Change<'_>) -> Value {
    match value {
        Value::String(text) => Value::String(change(&text)),
        Value::Array(items) => items.into_iter().map(|item| in_value(item, change)).collect(),
        Value::Object(map) => {
            map.into_iter().map(|(key, value)| (change(&key), in_value(value, change))).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}
