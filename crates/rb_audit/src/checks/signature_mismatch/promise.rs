//! A function that gives a promise or a coroutine since the change, or does so no more, and callers that go on as before.
//!
//! Whether a value is a promise is told by the function alone; values that are handed on are not followed.

use std::collections::BTreeSet;

use rb_index::FileId;
use rb_lang::Language;
use rb_lang::details::{Call, CallForm, Fate, Function};

use super::{body, cause_in, old_functions};
use crate::callee::Callee;
use crate::comparison::{Comparison, finding, is_ecma};
use crate::{Finding, FindingKind, Severity};

/// The function became one that gives a promise, or ceased to, and the caller goes on as before.
pub(super) fn changed(
    comparison: &Comparison<'_>,
    file: FileId,
    call: &Call,
    callee: &Callee,
    handed_on: &BTreeSet<Box<str>>,
) -> Option<Finding> {
    let functions = callee.functions(&comparison.after);
    let [now] = functions.as_slice() else { return None };
    let old = old_functions(comparison, callee)?;
    let [was] = old.as_slice() else { return None };
    if was.is_async == now.is_async || call.form == CallForm::Element || now.is_open {
        return None;
    }
    let (severity, message) = if now.is_async {
        became_async(comparison, file, call, callee, was, handed_on)
    } else {
        ceased_to_be(comparison, call, callee, now)
    }?;
    let path = comparison.after.path(file);
    let state = if now.is_async { "became" } else { "is no longer" };
    Some(finding(
        FindingKind::SignatureMismatch,
        severity,
        (path, call.line),
        format!("`{}` {state} async, and {message}", call.name),
        comparison.cause(path, call.line, cause_in(comparison, callee, &functions)),
    ))
}

fn became_async(
    comparison: &Comparison<'_>,
    file: FileId,
    call: &Call,
    callee: &Callee,
    was: &Function,
    handed_on: &BTreeSet<Box<str>>,
) -> Option<(Severity, &'static str)> {
    let is_script = is_ecma(comparison.after.language(callee.file));
    if was.returns_unknown && is_script && returned_promise(comparison, callee, was) {
        return None;
    }
    match &call.fate {
        Fate::Used => Some((Severity::Error, "its result is used without `await`")),
        Fate::Statement => Some((Severity::Warning, "it is not awaited here")),
        Fate::Assigned(name) if !handed_on.contains(name) => {
            Some((Severity::Warning, "its result is stored without `await`"))
        }
        Fate::Returned if promises_value(comparison, file, call.line) => {
            Some((Severity::Error, "its result is returned without `await`"))
        }
        Fate::Assigned(_) | Fate::Awaited | Fate::Returned | Fate::Chained | Fate::Other => None,
    }
}

/// Python: the function around a line says what it returns, and that it is nothing to be awaited.
fn promises_value(comparison: &Comparison<'_>, file: FileId, line: u32) -> bool {
    const PLAIN: [&str; 10] =
        ["str", "int", "float", "bool", "bytes", "None", "dict", "list", "tuple", "set"];
    if comparison.after.language(file) != Some(Language::Python) {
        return false;
    }
    let text = comparison.after.text(file);
    let returned = text.as_deref().and_then(|text| returned_type(text, line));
    returned.is_some_and(|it| {
        let mut words = it.split(|c: char| !c.is_alphanumeric() && c != '_').peekable();
        words.peek().is_some_and(|word| PLAIN.contains(word))
    })
}

/// What stands behind the `->` of the innermost `def` around a line.
fn returned_type(text: &str, line: u32) -> Option<&str> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().take(line as usize).collect();
    let (call, above) = lines.split_last()?;
    let mut around = depth(call);
    for (at, line) in above.iter().enumerate().rev() {
        // The end of a list of parameters stands as far out as its beginning.
        if line.trim().is_empty() || depth(line) >= around || line.trim().starts_with([')', ']']) {
            continue;
        }
        around = depth(line);
        if line.trim_start().starts_with("async def ") {
            return None;
        }
        if line.trim_start().starts_with("def ") {
            let head = above[at..].iter().find(|line| line.trim_end().ends_with(':'))?;
            return Some(head.rsplit_once("->")?.1.trim().trim_end_matches(':').trim());
        }
    }
    None
}

fn ceased_to_be(
    comparison: &Comparison<'_>,
    call: &Call,
    callee: &Callee,
    now: &Function,
) -> Option<(Severity, &'static str)> {
    let is_python = comparison.after.language(callee.file) == Some(Language::Python);
    match call.fate {
        Fate::Chained if !now.returns_unknown => {
            Some((Severity::Error, "its result is no longer a promise"))
        }
        Fate::Awaited if is_python && !returns_call(comparison, callee, now) => {
            Some((Severity::Error, "its result can no longer be awaited"))
        }
        _ => None,
    }
}

/// A function without `async` that gave a promise all the same.
fn returned_promise(comparison: &Comparison<'_>, callee: &Callee, was: &Function) -> bool {
    let Some(origin) = comparison.origin(callee.file) else { return true };
    body(comparison.before.text(origin).as_deref(), was.line).is_none_or(|body| {
        ["Promise", ".then(", "async", "fetch("].iter().any(|word| body.contains(word))
    })
}

/// What it returns is a call, which may give a coroutine.
fn returns_call(comparison: &Comparison<'_>, callee: &Callee, now: &Function) -> bool {
    body(comparison.after.text(callee.file).as_deref(), now.line).is_none_or(|body| {
        body.lines().any(|line| {
            let line = line.trim_start();
            line.starts_with("return ") && line.contains('(')
        })
    })
}
