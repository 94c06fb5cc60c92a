//! Leftovers of a task's change that can be mended for sure, and are, in the same task.
//!
//! Three kinds: places that still use the old name of a declaration that the change renamed, helpers that only removed code used, and imports
//! that nothing uses any more. Everything else that the audit finds is reported. `find` looks at the worktree before the change and at the
//! texts that the change makes; it writes nothing. What the mends come to is a patch of its own, checked like any other.

mod names;
mod places;
mod unused;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use rb_audit::{AuditError, Change, Renamed, renames};
use rb_core::{Cancel, Proposer, RepoPath, Task};
use rb_index::{IndexError, OnDisk, View};
use rb_lang::Language;
use rb_operations::{FileChange, Overlay};
use rb_recipes::operations::WorldFiles;
use rb_rules::engine::OverIndex;
use rb_rules::project::Project;
use rb_workspace::patch::{self, CheckError, Checked, Entry, File, Lockfiles, Policy, Tree as _};

use crate::error::ChangeError;
use crate::world::ChangeWorld;

/// Files that become other than the change made them.
#[derive(Debug, Default)]
pub(crate) struct Mends {
    texts: BTreeMap<String, Arc<str>>,
    /// One line for each, as a report shows it.
    pub(crate) notes: Vec<String>,
}

impl Mends {
    pub(crate) fn paths(&self) -> impl Iterator<Item = RepoPath> {
        self.texts.keys().filter_map(|path| RepoPath::new(path).ok())
    }
}

/// Does somebody clean up after this task? What a person brings, or what was computed before the run, is applied as it is.
pub(crate) fn is_mended(task: &Task) -> bool {
    task.by != Proposer::Given
}

/// The mends of a change, in a worktree without it.
pub(crate) fn find(world: &mut ChangeWorld, checked: &Checked) -> Result<Mends, ChangeError> {
    let changes = changes(checked);
    let renamed = renames(&changes);
    if renamed.is_empty() && !changes.iter().any(unused::may_be_left) {
        return Ok(Mends::default());
    }
    let root = world.worktree()?.dir().to_owned();
    let cancel = world.host.cancel.clone();
    let installed = world.repo.root.clone();
    let known = world.know()?;
    let view = known.indexed.view().map_err(IndexError::from)?;
    let mends = Mender { root, installed, view, changes, cancel: &cancel }.mend(&renamed);
    if cancel.is_cancelled() {
        return Err(AuditError::Interrupted.into());
    }
    Ok(mends)
}

/// The files of a change whose names and texts are UTF-8.
fn changes(checked: &Checked) -> Vec<Change> {
    let text = |file: &Option<File>| match file {
        None => Some(None),
        Some(file) => std::str::from_utf8(&file.bytes).ok().map(|it| Some(it.as_bytes().to_vec())),
    };
    let change = |it: &patch::FileChange| {
        let path = std::str::from_utf8(it.path.as_bytes()).ok()?.to_owned();
        Some(Change { path, before: text(&it.before)?, after: text(&it.after)? })
    };
    checked.changes().iter().filter_map(change).collect()
}

/// A change, and the project before it.
struct Mender<'m> {
    root: PathBuf,
    /// The checkout, which has the installed packages.
    installed: PathBuf,
    view: View<'m>,
    changes: Vec<Change>,
    cancel: &'m Cancel,
}

impl Mender<'_> {
    fn mend(&self, renamed: &[Renamed]) -> Mends {
        let texts = OnDisk { root: &self.root };
        let project = Project::of(&self.view, Some(&self.installed), &texts);
        let new_world = || OverIndex::new(&self.view, &project, &texts);
        let before = new_world();
        let mut mends = Mends::default();
        let mut missed = places::Places::default();
        for renamed in renamed {
            let found = match language(&renamed.path) {
                Some(Language::Python) => {
                    names::in_python(self, &WorldFiles::new(&before), renamed)
                }
                _ => names::in_scripts(self, &before, self.after(new_world()), renamed),
            };
            for (path, edits) in found.unwrap_or_default() {
                missed.add(&path, renamed, edits);
            }
        }
        for (path, mended) in missed.mended(|path| self.text_after(&before, path)) {
            mends.notes.extend(mended.notes);
            mends.texts.insert(path, mended.text);
        }
        let mut after = self.after(new_world());
        for (path, text) in &mends.texts {
            after.put(path.clone(), Arc::clone(text));
        }
        unused::take_out(self, &before, &mut after, &mut mends);
        mends
    }

    /// The project after the change, as far as it has the files already.
    fn after<'v>(&self, mut world: OverIndex<'v>) -> OverIndex<'v> {
        for change in &self.changes {
            if let Some(text) = change.after.as_deref().map(utf8) {
                world.put(change.path.clone(), text);
            }
        }
        world
    }

    /// The Python project after the change.
    fn files_after<'f>(&self, before: &'f WorldFiles<'_>) -> Overlay<'f> {
        let mut overlay = Overlay::new(before);
        for change in &self.changes {
            let made = match &change.after {
                None => FileChange::Removed,
                Some(text) => FileChange::Edited(utf8(text).into()),
            };
            overlay.put(&change.path, made);
        }
        overlay
    }

    fn change(&self, path: &str) -> Option<&Change> {
        self.changes.iter().find(|change| change.path == path)
    }

    fn text_after(&self, before: &OverIndex<'_>, path: &str) -> Option<Arc<str>> {
        match self.change(path) {
            Some(change) => change.after.as_deref().map(|text| utf8(text).into()),
            None => rb_rules::World::text(before, path),
        }
    }

    /// Is the file written here, by hand?
    fn is_own(&self, path: &str) -> bool {
        let Some(id) = self.view.tree.find(path) else { return false };
        let file = self.view.file(id);
        let is_foreign = file
            .trivial
            .is_some_and(|it| matches!(it.kind(), "generated" | "minified" | "vendored"));
        file.skipped.is_none() && !is_foreign
    }
}

/// `changes` lets nothing else pass.
fn utf8(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

fn language(path: &str) -> Option<Language> {
    Language::of_path(path.as_bytes())
}

/// Counted from 1.
fn line_of(text: &str, at: u32) -> usize {
    text.get(..at as usize).map_or(1, |before| before.matches('\n').count() + 1)
}

/// The mends as a patch on the files as they are; `None` where they may not be made: out of the run's scope, more lines than a task may touch.
pub(crate) fn check(
    world: &mut ChangeWorld,
    task: &Task,
    mends: &Mends,
) -> Result<Option<Checked>, ChangeError> {
    if mends.texts.is_empty() {
        return Ok(None);
    }
    let scope = world.options.scope()?;
    let diff_budget = Some(task.diff_budget_loc.unwrap_or(world.options.diff_budget));
    let worktree = world.worktree()?;
    let tree = worktree.tree()?;
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    for path in mends.paths() {
        let Some(Entry::File(file)) = tree.entry(&path)? else { return Ok(None) };
        let bytes = mends.texts[&path.to_string()].as_bytes().to_vec();
        after.insert(path.clone(), File { bytes, mode: file.mode });
        before.insert(path, file);
    }
    let Ok(patch) = patch::diff(&before, &after) else { return Ok(None) };
    let paths: Vec<&RepoPath> = before.keys().collect();
    let is_kept_elsewhere = !worktree.kept_by_lfs(&paths)?.is_empty()
        || !worktree.unfiltered(&paths)?.is_empty()
        || !worktree.ignored(&paths)?.is_empty();
    let policy = Policy { scope, diff_budget, lockfiles: Lockfiles::Refused, claimed: None };
    match patch::check(patch, &tree, &policy) {
        Ok(checked) if !is_kept_elsewhere => Ok(Some(checked)),
        Ok(_) | Err(CheckError::Refused(_)) => Ok(None),
        Err(CheckError::Tree(error)) => Err(error.into()),
    }
}
