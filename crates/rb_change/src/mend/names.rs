//! Places that still use the old name of a declaration which the change renamed.
//!
//! A place counts if it named the declaration for sure before the change, and its line was not changed. It is edited if it then names the
//! renamed declaration, as the project is after the change. One place that would not forbids all of them: something else has the name there.

use std::collections::BTreeMap;

use rb_audit::{Renamed, carry_over};
use rb_core::Edit;
use rb_core::progress::Silent;
use rb_language_servers::NoServers;
use rb_operations::{FileChange, Files as _, SymbolPath, name_places};
use rb_recipes::operations::WorldFiles;
use rb_recipes::recipes::rename;
use rb_recipes::{Arguments, Planning, Promised};
use rb_rules::World;
use rb_rules::engine::OverIndex;

use super::{Mender, utf8};

/// By path, relative to the texts after the change.
type Missed = BTreeMap<String, Vec<Edit>>;

pub(super) fn in_python(
    mender: &Mender<'_>,
    before: &WorldFiles<'_>,
    renamed: &Renamed,
) -> Option<Missed> {
    let symbol = |name: &str| SymbolPath { path: renamed.path.clone(), name: name.to_owned() };
    let mut references = Missed::new();
    let mut declarations = Missed::new();
    for place in name_places(before, &symbol(&renamed.old)) {
        let edit = Edit::replace(place.start, place.end, renamed.new_name());
        let kind = if place.is_definition { &mut declarations } else { &mut references };
        kind.entry(place.path).or_default().push(edit);
    }
    // An override, a stub or another branch that keeps the name.
    if !missed(mender, declarations, |path| before.text(path).map(|it| it.to_string()))?.is_empty()
    {
        return None;
    }
    let missed = missed(mender, references, |path| before.text(path).map(|it| it.to_string()))?;
    let mut after = mender.files_after(before);
    let mut edited = Vec::new();
    for (path, edits) in &missed {
        let text = after.text(path)?;
        edited.extend(new_places(edits).map(|(start, _)| (path.clone(), start)));
        let new = rb_core::edit::apply(&text, edits).ok()?;
        after.put(path, FileChange::Edited(new.into()));
    }
    let named = name_places(&after, &symbol(&renamed.new));
    let is_named = |(path, start): &(String, u32)| {
        named.iter().any(|it| it.path == *path && it.start == *start && !it.is_definition)
    };
    edited.iter().all(is_named).then_some(missed)
}

pub(super) fn in_scripts(
    mender: &Mender<'_>,
    before: &OverIndex<'_>,
    mut after: OverIndex<'_>,
    renamed: &Renamed,
) -> Option<Missed> {
    let references = rename_in(mender, before, &renamed.path, &renamed.old, renamed.new_name())?;
    let text = |path: &str| before.text(path).map(|it| it.to_string());
    let missed = missed(mender, references, text)?;
    if missed.is_empty() {
        return Some(missed);
    }
    for (path, edits) in &missed {
        let new = rb_core::edit::apply(&after.text(path)?, edits).ok()?;
        after.put(path.clone(), new);
    }
    let back = rename_in(mender, &after, &renamed.path, &renamed.new, renamed.old_name())?;
    let is_named = |(path, edits): (&String, &Vec<Edit>)| {
        let named = back.get(path).map_or(&[][..], Vec::as_slice);
        new_places(edits)
            .all(|(start, end)| named.iter().any(|it| it.start < end && start < it.end))
    };
    missed.iter().all(is_named).then_some(missed)
}

/// What a rename in a project comes to; `None` where it is refused.
fn rename_in(
    mender: &Mender<'_>,
    world: &dyn World,
    path: &str,
    name: &str,
    to: &str,
) -> Option<Missed> {
    let arguments: Arguments = [("symbol", format!("{path}#{name}")), ("to", to.to_owned())]
        .map(|(key, value)| (key.to_owned(), value))
        .into();
    let plan = (rename::RECIPE.plan)(&Planning {
        world,
        promised: &Promised::default(),
        allow_public_api_changes: true,
        arguments: &arguments,
        only: None,
        renamer: &NoServers,
        cancel: mender.cancel,
        progress: &Silent,
    });
    let mut chains = plan.ok()?.chains.into_iter();
    let chain = chains.next().filter(|it| it.created.is_empty() && it.removed.is_empty())?;
    chains.next().is_none().then_some(chain.edits)
}

/// Edits of the texts before the change, where the same lines stand after it. `None` where one lies in a file that is not written here.
fn missed(
    mender: &Mender<'_>,
    edits: Missed,
    text_before: impl Fn(&str) -> Option<String>,
) -> Option<Missed> {
    let mut missed = Missed::new();
    for (path, edits) in edits {
        let edits = match mender.change(&path).map(|it| it.after.as_deref()) {
            None => edits,
            Some(None) => continue,
            Some(Some(after)) => carry_over(&text_before(&path)?, utf8(after), &edits),
        };
        if edits.is_empty() {
            continue;
        }
        if !mender.is_own(&path) {
            return None;
        }
        missed.insert(path, edits);
    }
    Some(missed)
}

/// Where the new texts of edits stand once all of them are made. The edits are in the order of the text.
fn new_places(edits: &[Edit]) -> impl Iterator<Item = (u32, u32)> {
    let mut shift = 0_i64;
    edits.iter().map(move |edit| {
        let place = |at: i64| u32::try_from(at).unwrap_or(u32::MAX);
        let start = i64::from(edit.start) + shift;
        let length = i64::try_from(edit.text.len()).unwrap_or(i64::MAX);
        shift += length - i64::from(edit.end - edit.start);
        (place(start), place(start + length))
    })
}
