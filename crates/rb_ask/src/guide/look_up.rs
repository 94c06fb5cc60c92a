//! Calls that were not made in a conversation with us: the program's own, and those that a provider made through a server of the tools.

use rb_tools::Output;
use serde_json::Value;

use super::Guide;
use super::call_record::CallRecord;

/// A look-up that the program makes for a model which cannot call tools itself.
pub(crate) fn look_up(guide: &mut Guide<'_>, tool: &str, input: &Value) -> String {
    guide.number += 1;
    guide.journey.calls += 1;
    let call = CallRecord::new(guide.number, tool, input);
    let result = guide.carry_out(call).unwrap_or_else(|why| why);
    // Advice on how to call tools is of no use to whoever has none.
    guide.advice.clear();
    result
}

/// Takes in a call that the provider made by itself, through a server of the same tools.
pub(crate) fn take_logged(guide: &mut Guide<'_>, tool: &str, input: &Value, output: Output) {
    guide.number += 1;
    guide.journey.calls += 1;
    let new_lines = output.shown.iter().map(|shown| guide.toolbox.evidence.add(shown)).sum();
    let call = CallRecord::new(guide.number, tool, input);
    guide.take(call, Output { new_lines, ..output });
    guide.advice.clear();
}
