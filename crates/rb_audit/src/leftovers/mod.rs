//! Places that belong to a change and were not changed: old names, helpers that nothing uses any more, copies of moved code,
//! docs of an old signature. One file for each kind.
//!
//! All of them are warnings. The texts of the whole project are read once, for the few words that the change is about. A
//! word that may mean something else is not reported: few false reports are worth more than many finds.

mod copies;
mod files;
mod helpers;
mod history;
mod imported;
mod names;
mod own_docs;
mod removed;
mod sightings;
mod signatures;

use std::collections::BTreeMap;

use rb_core::plural;

use self::removed::Removed;
pub(crate) use self::removed::{has, owner, successor};
use self::sightings::{Sightings, stem};
use self::signatures::ChangedFunction;
use crate::comparison::{Comparison, finding};
use crate::{Cause, Finding, FindingKind, Severity};

/// Findings of one kind that are listed; the last one says how many more there are.
const MOST: usize = 10;

pub(crate) fn find(comparison: &Comparison<'_>) -> Vec<Finding> {
    let removed = Removed::of(comparison);
    let signatures = signatures::changed(comparison, &removed);
    let helpers = helpers::candidates(comparison);
    let copies = copies::candidates(comparison);
    let words = removed
        .names()
        .chain(signatures.iter().map(ChangedFunction::called))
        .chain(helpers.iter().map(|it| &*it.symbol.name))
        .chain(copies.iter().map(|it| &*it.symbol.name));
    let imported = imported::candidates(comparison);
    let literals = removed.files.iter().map(|file| stem(&file.path));
    let literals = literals.chain(imported.iter().map(|it| &*it.path)).collect();
    let sightings = Sightings::of(comparison, words.collect(), literals);
    let all = [
        names::find(comparison, &removed, &sightings),
        files::find(comparison, &removed, &sightings),
        imported::find(comparison, &imported, &sightings),
        helpers::find(comparison, &helpers, &sightings),
        copies::find(comparison, &copies, &sightings),
        own_docs::find(comparison, &signatures),
        signatures::find(comparison, &signatures, &sightings),
    ];
    capped(all.into_iter().flatten().collect())
}

fn leftover(
    kind: FindingKind,
    place: (&str, u32),
    message: String,
    cause: Option<Cause>,
) -> Finding {
    finding(kind, Severity::Warning, place, message, cause)
}

/// One finding for a line and kind, and not too many of a kind.
fn capped(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort();
    findings.dedup_by(|a, b| (a.kind, &a.path, a.line) == (b.kind, &b.path, b.line));
    let mut counts: BTreeMap<FindingKind, usize> = BTreeMap::new();
    findings.retain(|it| {
        let count = counts.entry(it.kind).or_default();
        *count += 1;
        *count <= MOST
    });
    for (kind, count) in counts {
        let last = findings.iter_mut().rev().find(|it| it.kind == kind);
        if let (Some(last), more @ 1..) = (last, count.saturating_sub(MOST)) {
            last.message = format!("{} (and {} more)", last.message, plural(more, "place"));
        }
    }
    findings
}
