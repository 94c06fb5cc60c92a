//! What a proposal adds, looked at for text that would steer the next model that reads it, or that is not what
//! it looks like to a person. It is reported, never altered and never a reason to refuse.

use std::collections::BTreeSet;

use rb_core::Task;
use rb_core::patch::{FilePatch, LineKind};
use rb_trust::{Finding, TextKind, scan};
use rb_workspace::patch::Checked;

use crate::error::ChangeError;
use crate::state::suspicions;
use crate::world::ChangeWorld;

/// Writes a suspicion for each file with lines that deserve one and are not among the `known` notes of the task.
pub(crate) fn look(
    world: &ChangeWorld,
    task: &Task,
    checked: &Checked,
    known: &[String],
) -> Result<(), ChangeError> {
    for file in &checked.patch().files {
        let path = file.change.path();
        let change = checked.changes().iter().find(|change| change.path == *path);
        let Some(after) = change.and_then(|change| change.after.as_ref()) else { continue };
        let Ok(text) = std::str::from_utf8(&after.bytes) else { continue };
        let added = added(file);
        let is_new = |found: &Finding| added.contains(&found.line);
        let mut findings = scan(text, TextKind::of_path(&path.to_string()));
        findings.retain(is_new);
        if suspicions(path, &findings).iter().any(|note| !known.contains(note)) {
            world.suspect(Some(task.id), path.clone(), findings)?;
        }
    }
    Ok(())
}

/// The numbers of the lines that are new in the file.
fn added(file: &FilePatch) -> BTreeSet<usize> {
    let mut lines = BTreeSet::new();
    for hunk in &file.hunks {
        let mut number = hunk.new_start;
        for line in &hunk.lines {
            match line.kind {
                LineKind::Remove => {}
                LineKind::Context => number += 1,
                LineKind::Add => {
                    lines.insert(number);
                    number += 1;
                }
            }
        }
    }
    lines
}
