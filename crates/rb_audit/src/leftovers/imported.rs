//! A name that a Python module imported and no longer does, still named under the path of that module:
//! `mock.patch("shop.cart.sleep")` after what sleeps was moved away.

use rb_index::FileId;
use rb_lang::Language;

use super::leftover;
use super::removed::{is_product, module};
use super::sightings::{Context, Sighting, Sightings};
use crate::changed::Changed;
use crate::comparison::Comparison;
use crate::{Cause, Finding, FindingKind};

/// A change that drops more imports is no refactoring.
const MOST: usize = 200;

pub(crate) struct LostImport {
    /// `shop.cart.sleep`
    pub(crate) path: String,
    cause: Cause,
}

pub(crate) fn candidates(comparison: &Comparison<'_>) -> Vec<LostImport> {
    let mut lost = Vec::new();
    for (changed, file) in comparison.touched() {
        let is_python = comparison.after.language(file) == Some(Language::Python);
        if is_python && is_product(&changed.path) && comparison.after.is_whole(file) {
            lost.extend(lost_by(comparison, changed, file));
        }
    }
    lost.truncate(MOST);
    lost
}

fn lost_by(comparison: &Comparison<'_>, changed: &Changed, file: FileId) -> Vec<LostImport> {
    let before = comparison.origin(file).and_then(|origin| comparison.before.facts(origin));
    let (Some(before), Some(now)) = (before, comparison.after.details(file)) else {
        return Vec::new();
    };
    let module = module(&comparison.after, file).join(".");
    // What stays in sight under another statement is not lost, and a star or `globals()` may bring anything.
    if now.is_open || module.is_empty() || changed.moved_from.is_some() {
        return Vec::new();
    }
    let mut lost = Vec::new();
    for import in &before.imports {
        for name in import.names.iter().filter(|it| !it.local.is_empty()) {
            if !now.binds(&name.local) {
                let cause = changed.cause_of_old(import.line);
                lost.push(LostImport { path: format!("{module}.{}", name.local), cause });
            }
        }
    }
    lost
}

pub(crate) fn find(
    comparison: &Comparison<'_>,
    lost: &[LostImport],
    sightings: &Sightings,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for import in lost {
        for sighting in sightings.of_literal(&import.path).iter().filter(|it| !it.is_edited) {
            let text = sightings.text(sighting.file);
            if !is_target(&text, sighting, &import.path) {
                continue;
            }
            let message = format!(
                "a string still names `{}`, but that module no longer imports it",
                import.path
            );
            let place = (comparison.after.path(sighting.file), sighting.line);
            let cause = Some(import.cause.clone());
            findings.push(leftover(FindingKind::StaleName, place, message, cause));
        }
    }
    findings
}

/// Is it what a string of code begins with, and is the name whole?
fn is_target(text: &str, sighting: &Sighting, path: &str) -> bool {
    let Context::String(range) = &sighting.context else { return false };
    let start = text.get(range.start..sighting.at).unwrap_or_default();
    let behind = &text[sighting.at + path.len()..];
    start.ends_with(['"', '\'']) && start.len() <= 2 && behind.starts_with(['"', '\'', '.'])
}
