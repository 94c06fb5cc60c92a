//! Whether modules can still be loaded after a change of files and imports.
//!
//! Loading is acted out (`loader`): imports, top-level statements and the functions that these call run in order, as Python runs them. A name
//! fails if it is not bound yet, or not any more. Only failures that the change brings are refused.

mod facts;
mod loader;
mod run;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use self::facts::Facts;
use self::loader::{Failure, Loader};
use crate::files::Files;
use crate::outcome::{FileChange, Refusal};
use crate::project::{Project, is_python};

/// In a project of more files, loading begins only at those that changed.
const SMALL_PROJECT: usize = 200;
/// So many modules are loaded at most, those that are loaded again counted again.
const MODULES: usize = 5_000;

pub(super) fn check_loads(
    before: &dyn Files,
    after: &dyn Files,
    changes: &BTreeMap<String, FileChange>,
) -> Result<(), Refusal> {
    if !changes.keys().any(|path| is_python(path)) {
        return Ok(());
    }
    let (old, new) = (Project::new(before), Project::new(after));
    let mut entries = new.python_files();
    if entries.len() > SMALL_PROJECT {
        entries.retain(|path| changes.contains_key(path));
    }
    let was_there = |path: &&String| is_python(path) && old.exists(path);
    let old_paths: Vec<String> = changes.keys().filter(was_there).cloned().collect();
    // Code before tests: those import it.
    entries.sort_by_key(|path| Project::is_test(path));
    let (old_facts, new_facts) = (Facts::new(&old, before), Facts::new(&new, before));
    let mut loaded = 0;
    for entry in entries {
        let (failures, count) = Loader::new(&new_facts).failures(&entry);
        loaded += count;
        if !failures.is_empty() {
            // What is in a new file may have failed where it was before.
            let entries = if old.exists(&entry) { vec![entry] } else { old_paths.clone() };
            let known = known_failures(&old_facts, &entries);
            if let Some(failure) = failures.into_iter().find(|one| !known.contains(&one.name)) {
                return Err(refusal(failure));
            }
        }
        if loaded > MODULES {
            break;
        }
    }
    Ok(())
}

/// The names that failed before. Their modules may have other names now.
fn known_failures(old: &Facts<'_, '_>, entries: &[String]) -> BTreeSet<String> {
    let failures = entries.iter().flat_map(|entry| Loader::new(old).failures(entry).0);
    failures.map(|failure| failure.name).collect()
}

fn refusal(failure: Failure) -> Refusal {
    let reason = format!("{} could not be loaded any more", failure.place.path);
    let mut refusal = Refusal::new(reason, "change these imports first, or choose another module");
    refusal.places.push(failure.place);
    refusal
}
