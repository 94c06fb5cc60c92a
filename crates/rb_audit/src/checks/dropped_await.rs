//! A call whose result was awaited before the change and is used as it is after it.
//!
//! What the call means need not be known: it was awaited, so it gave a promise. Where it is known, and gives none any more,
//! all is well.

use std::collections::BTreeMap;

use rb_index::FileId;
use rb_lang::details::{Call, Details, Fate};

use crate::callee::callee;
use crate::changed::Changed;
use crate::comparison::{Comparison, finding};
use crate::{Finding, FindingKind, Severity};

pub(crate) fn find(comparison: &Comparison<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (changed, file) in comparison.touched() {
        let Some(origin) = comparison.origin(file) else { continue };
        let (Some(old), Some(new)) =
            (comparison.before.details(origin), comparison.after.details(file))
        else {
            continue;
        };
        if comparison.after.is_whole(file) && comparison.before.is_whole(origin) {
            in_file(comparison, changed, file, &old, &new, &mut findings);
        }
    }
    findings
}

type Shape<'d> = (&'d str, &'d str, Option<u32>, Option<&'d [Box<str>]>);

fn shape(call: &Call) -> Shape<'_> {
    (&call.qualifier, &call.name, call.positional, call.named.as_deref())
}

/// How many calls of one shape are awaited, and how many are used as they are.
fn counts(details: &Details) -> BTreeMap<Shape<'_>, (u32, u32)> {
    let mut counts: BTreeMap<Shape<'_>, (u32, u32)> = BTreeMap::new();
    for call in &details.calls {
        let entry = counts.entry(shape(call)).or_default();
        entry.0 += u32::from(call.fate == Fate::Awaited);
        entry.1 += u32::from(is_bare(call, details));
    }
    counts
}

fn is_bare(call: &Call, details: &Details) -> bool {
    match &call.fate {
        Fate::Used | Fate::Statement => true,
        Fate::Assigned(name) => !details.awaited.contains(name),
        Fate::Awaited | Fate::Returned | Fate::Chained | Fate::Other => false,
    }
}

fn in_file(
    comparison: &Comparison<'_>,
    changed: &Changed,
    file: FileId,
    old: &Details,
    new: &Details,
    findings: &mut Vec<Finding>,
) {
    let (then, now) = (counts(old), counts(new));
    for call in new.calls.iter().filter(|call| is_bare(call, new) && &*call.qualifier != "?") {
        let (awaited_then, bare_then) = then.get(&shape(call)).copied().unwrap_or_default();
        let (awaited_now, bare_now) = now.get(&shape(call)).copied().unwrap_or_default();
        let is_dropped = awaited_now < awaited_then && bare_now > bare_then;
        if !is_dropped || !changed.is_edited(call.line) || gives_none(comparison, file, call) {
            continue;
        }
        findings.push(finding(
            FindingKind::SignatureMismatch,
            Severity::Warning,
            (&changed.path, call.line),
            format!(
                "the result of `{}` was awaited before, but is now used without `await`",
                call.name
            ),
            Some(changed.cause_at(call.line)),
        ));
    }
}

/// Is it known that the call gives no promise now?
fn gives_none(comparison: &Comparison<'_>, file: FileId, call: &Call) -> bool {
    let Some(callee) = callee(&comparison.after, file, call) else { return false };
    callee.functions(&comparison.after).iter().any(|it| !it.is_async)
}
