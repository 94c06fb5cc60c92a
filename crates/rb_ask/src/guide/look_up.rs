//! Calls that were not made in a conversation with us: the program's own, and those that a provider made through a server of the tools.

use rb_tools::Output;
use serde_json::Value;

use super::Guide;
use super::call_record::CallRecord;

/// A look-up that the program makes for a model which cannot call tools itself. `None` for a result of more than `room` characters:
/// the model does not get it, so none of its lines count as shown.
pub(crate) fn look_up(
    guide: &mut Guide<'_>,
    tool: &str,
    input: &Value,
    room: usize,
) -> Option<String> {
    guide.number += 1;
    guide.journey.calls += 1;
    let evidence = guide.toolbox.evidence.clone();
    let called = guide.toolbox.call(guide.on, tool, input);
    if called.as_ref().is_ok_and(|output| output.text.chars().count() > room) {
        guide.toolbox.evidence = evidence;
        return None;
    }
    let call = CallRecord::new(guide.number, tool, input);
    let result = guide.take_result(call, called).unwrap_or_else(|why| why);
    // Advice on how to call tools is of no use to whoever has none.
    guide.advice.clear();
    Some(result)
}

/// Takes in a call that the provider made by itself, through a server of the same tools. `None` for one that failed.
pub(crate) fn take_logged(
    guide: &mut Guide<'_>,
    tool: &str,
    input: &Value,
    output: Option<Output>,
) {
    guide.number += 1;
    guide.journey.calls += 1;
    let call = CallRecord::new(guide.number, tool, input);
    match output {
        Some(output) => {
            let evidence = &mut guide.toolbox.evidence;
            let new_lines = output.shown.iter().map(|shown| evidence.add(shown)).sum();
            guide.take(call, Output { new_lines, ..output });
        }
        None => guide.finish(CallRecord { failed: true, ..call }),
    }
    guide.advice.clear();
}
