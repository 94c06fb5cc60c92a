//! `Color.Red` of an enum that has lost its `Red`, in the file itself and in those that import it.
//!
//! Only of what has a fixed set of members, and only of names that lead to it without doubt.

use std::collections::BTreeSet;

use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_lang::ImportKind;

use crate::changed::Changed;
use crate::comparison::{Comparison, finding};
use crate::provided::{Provided, provided};
use crate::reach::Reach;
use crate::words;
use crate::{Finding, FindingKind, Severity};

/// An enum of a changed file, with the members that went.
struct Lost<'a> {
    changed: &'a Changed,
    file: FileId,
    name: Box<str>,
    members: Vec<Box<str>>,
}

pub(crate) fn find(comparison: &Comparison<'_>) -> Vec<Finding> {
    let lost = lost(comparison);
    let mut findings = Vec::new();
    if lost.is_empty() {
        return findings;
    }
    for &file in &Reach::of(comparison).files {
        if !comparison.after.is_own(file) || !comparison.after.is_whole(file) {
            continue;
        }
        for it in &lost {
            for local in locals(comparison, file, it) {
                uses(comparison, file, it, &local, &mut findings);
            }
        }
    }
    findings
}

fn lost<'a>(comparison: &'a Comparison<'_>) -> Vec<Lost<'a>> {
    let mut all = Vec::new();
    for (changed, file) in comparison.touched() {
        let Some(origin) = comparison.origin(file) else { continue };
        let (Some(old), Some(new)) =
            (comparison.before.details(origin), comparison.after.details(file))
        else {
            continue;
        };
        for (name, members) in &old.closed {
            let Some(now) = new.closed.get(name) else { continue };
            let members: Vec<Box<str>> = members.difference(now).cloned().collect();
            if !members.is_empty() {
                all.push(Lost { changed, file, name: name.clone(), members });
            }
        }
    }
    all
}

/// What the enum is called in a file.
fn locals(comparison: &Comparison<'_>, file: FileId, lost: &Lost<'_>) -> BTreeSet<Box<str>> {
    let mut names = BTreeSet::new();
    if file == lost.file {
        names.insert(lost.name.clone());
    }
    for (import, resolution) in comparison.after.imports(file).iter() {
        let Resolution::Inside(files) = resolution else { continue };
        if import.kind == ImportKind::ReExport {
            continue;
        }
        for name in &import.names {
            let wanted = Provided::Yes(lost.file, lost.name.clone());
            if !name.local.is_empty() && provided(&comparison.after, files, &name.name) == wanted {
                names.insert(name.local.clone());
            }
        }
    }
    // Something else may have the name below the top.
    let is_hidden =
        |name: &str| comparison.after.details(file).is_none_or(|it| it.locals.contains(name));
    names.retain(|name| !is_hidden(name));
    names
}

fn uses(
    comparison: &Comparison<'_>,
    file: FileId,
    lost: &Lost<'_>,
    local: &str,
    findings: &mut Vec<Finding>,
) {
    let Some(text) = comparison.after.text(file) else { return };
    let path = comparison.after.path(file);
    for member in &lost.members {
        let used = format!("{local}.{member}");
        for (line, written) in words::lines(&text, &used) {
            if words::is_comment(written) || !is_code(written, &used) {
                continue;
            }
            let cause = lost.changed.cause_at(declared_at(comparison, lost));
            findings.push(finding(
                FindingKind::DanglingReference,
                Severity::Error,
                (path, line),
                format!("`{used}` is used but no longer declared"),
                comparison.cause(path, line, Some(cause)),
            ));
        }
    }
}

/// Not in a string, not a member of something else, and not what gives it its value.
fn is_code(line: &str, used: &str) -> bool {
    words::places(line, used).any(|at| {
        let (before, after) = (&line[..at], line[at + used.len()..].trim_start());
        let is_set = after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>");
        let is_quoted =
            ['"', '\'', '`'].iter().any(|&quote| before.matches(quote).count() % 2 == 1);
        !is_set && !is_quoted && !before.ends_with(['.', '#'])
    })
}

fn declared_at(comparison: &Comparison<'_>, lost: &Lost<'_>) -> u32 {
    let facts = comparison.after.facts(lost.file);
    let symbol = facts.as_ref().and_then(|it| it.symbols.iter().find(|it| it.name == lost.name));
    symbol.map_or(1, |it| it.span.first_line)
}
