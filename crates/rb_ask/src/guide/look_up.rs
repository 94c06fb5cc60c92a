//! Calls that were not made in a conversation with us: the program's own, and those that a provider made through a server of the tools.
//!
//! The journal has them like the calls of a conversation. No model gets advice on them.

use rb_schema::roles::explorer;
use rb_tools::Output;
use serde_json::Value;

use super::Guide;
use super::call_record::CallRecord;
use super::shown_lines::numbered;
use crate::workflow::event::RunEvent;

/// Characters of an input and of a result that the journal keeps, as of the calls of a conversation.
const JOURNALLED: usize = 1_000;
/// In place of a result that is too long.
pub(super) const NO_ROOM: &str = "Not shown: it is longer than the room that is left.";

/// A look-up that the program makes for a model which cannot call tools itself. A result of more than `room` characters is not
/// shown, so none of its lines count as shown.
pub(crate) fn look_up(guide: &mut Guide<'_>, tool: &str, input: &Value, room: usize) -> String {
    let call = begin(guide, tool, input);
    let evidence = guide.toolbox.evidence.clone();
    let called = guide.toolbox.call(guide.on, tool, input);
    let result = if called.as_ref().is_ok_and(|output| output.text.chars().count() > room) {
        guide.toolbox.evidence = evidence;
        Err(NO_ROOM.to_owned())
    } else {
        guide.take_result(call, called)
    };
    end(guide, tool, input, result)
}

/// Whether a look-up of this meaning was made before, and its result or its failure shown.
pub(crate) fn has_answered(guide: &Guide<'_>, meaning: &str) -> bool {
    guide.calls.iter().any(|call| call.meaning == meaning)
}

/// Takes in a call that the provider made by itself, through a server of the same tools: what it showed, or why it failed.
pub(crate) fn take_logged(
    guide: &mut Guide<'_>,
    tool: &str,
    input: &Value,
    output: Result<Output, String>,
) {
    let call = begin(guide, tool, input);
    let result = match output {
        Ok(output) => {
            let evidence = &mut guide.toolbox.evidence;
            let new_lines = output.shown.iter().map(|shown| evidence.add(shown)).sum();
            let text = logged(&output);
            guide.take(call, Output { text: text.clone(), new_lines, ..output });
            Ok(text)
        }
        Err(why) => {
            guide.calls.push(CallRecord { failed: true, ..call });
            Err(why)
        }
    };
    end(guide, tool, input, result);
}

/// What the log of a server has of a result: the lines that were shown, otherwise the files that were named.
fn logged(output: &Output) -> String {
    if output.shown.is_empty() {
        return output.files.join("\n");
    }
    output.shown.iter().map(numbered).collect()
}

fn begin(guide: &mut Guide<'_>, tool: &str, input: &Value) -> CallRecord {
    guide.number += 1;
    guide.journey.calls += 1;
    CallRecord::new(guide.number, tool, input)
}

/// Enters the call in the journal, and returns its result in words.
fn end(guide: &mut Guide<'_>, tool: &str, input: &Value, result: Result<String, String>) -> String {
    guide.advice.clear();
    let failed = result.is_err();
    let text = result.unwrap_or_else(|why| why);
    let called = RunEvent::ToolCalled {
        role: explorer::ROLE.name.to_owned(),
        task: None,
        tool: tool.to_owned(),
        input: beginning(&input.to_string()),
        result: beginning(&text),
        chars: text.chars().count() as u64,
        failed,
    };
    (guide.tell)(called.into());
    text
}

fn beginning(text: &str) -> String {
    text.chars().take(JOURNALLED).collect()
}
