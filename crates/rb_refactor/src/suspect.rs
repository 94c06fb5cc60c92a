//! What a proposal adds, looked at for text that would steer the next model that reads it, or that is not what
//! it looks like to a person. It is reported, never altered and never a reason to refuse.

use std::collections::BTreeSet;

use rb_core::Task;
use rb_core::patch::{FilePatch, LineKind};
use rb_trust::{Finding, Place, scan};
use rb_workspace::patch::Checked;

use crate::error::RunError;
use crate::world::{Effect, World};

/// Writes a suspicion for each file with lines that deserve one.
pub(crate) fn look(world: &World, task: &Task, checked: &Checked) -> Result<(), RunError> {
    for file in &checked.patch().files {
        let path = file.change.path();
        let change = checked.changes().iter().find(|change| change.path == *path);
        let Some(after) = change.and_then(|change| change.after.as_ref()) else { continue };
        let Ok(text) = std::str::from_utf8(&after.bytes) else { continue };
        let added = added(file);
        let is_new = |found: &Finding| added.contains(&found.line);
        let mut findings = scan(text, Place::of_path(&path.to_string()));
        findings.retain(is_new);
        if !findings.is_empty() {
            let (task, path) = (Some(task.id), path.clone());
            world.effect(Effect::Suspected { task, path, findings })?;
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
