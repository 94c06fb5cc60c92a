//! Imports and helpers that were used before the change and that nothing uses any more, in the files that it touched.

use std::collections::BTreeSet;
use std::sync::Arc;

use rb_audit::Change;
use rb_core::Edit;
use rb_core::progress::Silent;
use rb_lang::Language;
use rb_lang::details::details;
use rb_language_servers::NoServers;
use rb_operations::{FileChange, remove_unused_imports};
use rb_recipes::operations::WorldFiles;
use rb_recipes::recipes::{dead_code, unused_imports};
use rb_recipes::{Arguments, Chain, Planning, Promised};
use rb_rules::World as _;
use rb_rules::engine::OverIndex;

use super::{Mender, Mends, language, utf8};

/// Does the file still bind something at its top that it used before and does not use now? Cheap, and no proof.
pub(super) fn may_be_left(change: &Change) -> bool {
    let (Some(before), Some(after)) = (&change.before, &change.after) else { return false };
    let Some(language) = language(&change.path).filter(|it| is_read(*it)) else { return false };
    let (before, after) = (details(language, utf8(before)), details(language, utf8(after)));
    let (Some(before), Some(after)) = (before, after) else { return false };
    after.top.iter().any(|name| before.uses.contains_key(name) && !after.uses.contains_key(name))
}

fn is_read(language: Language) -> bool {
    language == Language::Python || is_script(language)
}

fn is_script(language: Language) -> bool {
    matches!(language, Language::JavaScript | Language::TypeScript | Language::Tsx)
}

/// Adds the mends to those of names, which are in `after` already.
pub(super) fn take_out(
    mender: &Mender<'_>,
    before: &OverIndex<'_>,
    after: &mut OverIndex<'_>,
    mends: &mut Mends,
) {
    let left = |it: &&Change| may_be_left(it) && mender.is_own(&it.path);
    for change in mender.changes.iter().filter(left) {
        let cleaned = match language(&change.path) {
            Some(Language::Python) => in_python(mender, before, change, mends),
            Some(language) if is_script(language) => in_script(mender, before, after, change),
            _ => None,
        };
        let Some(Cleaned { text, notes }) = cleaned else { continue };
        mends.notes.extend(notes.iter().map(|note| format!("{}:{note}", change.path)));
        after.put(change.path.clone(), text.as_str());
        mends.texts.insert(change.path.clone(), text.into());
    }
}

/// A file without what nothing uses any more, and a note for each: the line, and what stood there.
struct Cleaned {
    text: String,
    notes: Vec<String>,
}

fn in_python(
    mender: &Mender<'_>,
    before: &OverIndex<'_>,
    change: &Change,
    mends: &Mends,
) -> Option<Cleaned> {
    let files = WorldFiles::new(before);
    let mut files = mender.files_after(&files);
    for (path, text) in &mends.texts {
        files.put(path, FileChange::Edited(Arc::clone(text)));
    }
    let cleaned = remove_unused_imports(&files, &change.path, utf8(change.before.as_deref()?))?;
    let notes = cleaned.removed.iter().map(|it| removed(it.line, &format!("import `{}`", it.name)));
    Some(Cleaned { notes: notes.collect(), text: cleaned.text.to_string() })
}

fn in_script(
    mender: &Mender<'_>,
    before: &OverIndex<'_>,
    after: &mut OverIndex<'_>,
    change: &Change,
) -> Option<Cleaned> {
    let old = utf8(change.before.as_deref()?);
    let now = after.text(&change.path)?.to_string();
    let (text, mut notes) = without_helpers(mender, (before, after), change, now);
    after.put(change.path.clone(), text.as_str());
    let (text, more) = without_imports(after, &change.path, old, text);
    notes.extend(more);
    (!notes.is_empty()).then_some(Cleaned { text, notes })
}

fn removed(line: u32, what: &str) -> String {
    format!("{line}: removed the {what}, which nothing uses any more")
}

fn without_imports(
    after: &OverIndex<'_>,
    path: &str,
    before: &str,
    now: String,
) -> (String, Vec<String>) {
    let cleaned = unused_imports::clean_after_change(after, path, before, &now);
    let Some(cleaned) = cleaned.filter(|it| !it.edits.is_empty()) else { return (now, Vec::new()) };
    let Ok(text) = rb_core::edit::apply(&now, &cleaned.edits) else { return (now, Vec::new()) };
    let sites = cleaned.sites.iter();
    (text, sites.map(|site| removed(site.line, &format!("import {}", site.what))).collect())
}

/// Without the private declarations whose last use the change removed. Where the file had dead code before, or the change brings some of its
/// own, nothing goes: that is nobody's leftover.
fn without_helpers(
    mender: &Mender<'_>,
    (before, after): (&OverIndex<'_>, &OverIndex<'_>),
    change: &Change,
    now: String,
) -> (String, Vec<String>) {
    let Some(dead) = dead_code_in(mender, after, &change.path) else { return (now, Vec::new()) };
    let old = change.before.as_deref().map(utf8).unwrap_or_default();
    let names: BTreeSet<&str> =
        dead.sites.iter().filter_map(|site| site.what.split('`').nth(1)).collect();
    let declared = language(&change.path).and_then(|language| details(language, old));
    let is_old = |name: &&str| declared.as_ref().is_some_and(|it| it.top.contains(*name));
    let is_leftover = !dead.sites.is_empty()
        && dead.edits.keys().all(|path| *path == change.path)
        && names.len() == dead.sites.len()
        && names.iter().all(is_old)
        && dead_code_in(mender, before, &change.path).is_none();
    let edits: &[Edit] = dead.edits.get(&change.path).map_or(&[], Vec::as_slice);
    let Ok(text) = rb_core::edit::apply(&now, edits) else { return (now, Vec::new()) };
    if !is_leftover {
        return (now, Vec::new());
    }
    (text, dead.sites.iter().map(|site| removed(site.line, &site.what)).collect())
}

fn dead_code_in(mender: &Mender<'_>, world: &OverIndex<'_>, path: &str) -> Option<Chain> {
    let only = |it: &str| it == path;
    let plan = (dead_code::RECIPE.plan)(&Planning {
        world,
        promised: &Promised::default(),
        allow_public_api_changes: false,
        arguments: &Arguments::new(),
        only: Some(&only),
        renamer: &NoServers,
        cancel: mender.cancel,
        progress: &Silent,
    });
    plan.ok()?.chains.into_iter().next()
}
