//! The second half of an update: where the imports of changed files lead.

use rb_core::RepoPath;
use rb_lang::Language;

use super::IndexError;
use super::merge::Merged;
use super::read::threads;
use crate::link::Linker;
use crate::siblings::{Siblings, Surface};
use crate::store::{FileRow, Outline, Store, StoreError};
use crate::tree::{FileId, Tree, TreeFile};

/// Links what changed and what hangs on it, or everything where the change may concern everything. Gives how many files
/// were linked.
pub(super) fn relink(store: &Store, merged: &mut Merged) -> Result<usize, IndexError> {
    let offered_anew = !merged.renamed.is_empty();
    let may_hang_on = |file: &FileRow| offered_anew && file.state.surface != 0;
    let mut which = Vec::new();
    let mut outlines = Vec::new();
    // Of those that are looked into, which are linked.
    let mut chosen = Vec::new();
    for at in 0..merged.files.len() {
        let file = &merged.files[at];
        let changed = merged.outlines[at].is_some();
        if file.facts.is_none() || !(merged.relink_all || changed || may_hang_on(file)) {
            continue;
        }
        let outline = match merged.outlines[at].take() {
            Some(outline) => outline,
            None => outline_of(store, file)?,
        };
        let wants = |outline: &Outline| {
            outline.wants.as_ref().is_some_and(|wants| wants.any_of(&merged.renamed))
        };
        if merged.relink_all || changed || wants(&outline) {
            chosen.push(which.len());
        }
        which.push(at);
        outlines.push(outline);
    }
    if chosen.is_empty() {
        return Ok(0);
    }
    let manifests = |at| which.binary_search(&at).ok().map(|place: usize| &outlines[place]);
    let tree = tree_of(store, &merged.files, manifests)?;
    let surfaces = surfaces(store, &merged.files, &which, &outlines)?;
    let siblings = Siblings::new(&tree, surfaces.iter().map(|(id, surface)| (*id, surface)));
    let ids: Vec<i64> = merged.files.iter().map(|file| file.id).collect();
    let linker = Linker::new(&tree, &ids, &siblings);
    let jobs: Vec<(FileId, &Outline)> =
        chosen.iter().map(|&place| (file_id(which[place]), &outlines[place])).collect();
    let links = linker.link_all(&jobs, threads());
    for (&place, links) in chosen.iter().zip(links) {
        let at = which[place];
        let row = &mut merged.files[at];
        merged.dirty[at] |= row.links != links;
        row.links = links;
    }
    Ok(chosen.len())
}

fn file_id(at: usize) -> FileId {
    FileId(u32::try_from(at).expect("fewer than four billion files"))
}

/// `at_hand` gives the outline of a row if it need not be read from the store.
pub(crate) fn tree_of<'a>(
    store: &Store,
    rows: &[FileRow],
    at_hand: impl Fn(usize) -> Option<&'a Outline>,
) -> Result<Tree, StoreError> {
    let mut files = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        let manifest = match at_hand(at) {
            _ if !row.state.is_manifest => None,
            Some(outline) => outline.manifest.clone(),
            None => outline_of(store, row)?.manifest,
        };
        files.push(TreeFile {
            path: utf8(&row.path).into(),
            language: row.state.language,
            lines: row.state.lines,
            marks: row.state.marks,
            package: row.state.package.clone(),
            manifest,
        });
    }
    Ok(Tree { files })
}

fn outline_of(store: &Store, row: &FileRow) -> Result<Outline, StoreError> {
    row.facts.map_or_else(|| Ok(Outline::default()), |facts| store.outline(facts))
}

/// What files offer to others without an import, for the languages of the files that are linked.
fn surfaces(
    store: &Store,
    files: &[FileRow],
    which: &[usize],
    outlines: &[Outline],
) -> Result<Vec<(FileId, Surface)>, StoreError> {
    let mut wanting: Vec<Language> = which
        .iter()
        .zip(outlines)
        .filter(|(_, outline)| outline.wants.is_some())
        .filter_map(|(&at, _)| files[at].state.language)
        .collect();
    wanting.sort_unstable();
    wanting.dedup();
    let mut linked = which.iter().zip(outlines).peekable();
    let mut surfaces = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let outline = linked.next_if(|&(&linked, _)| linked == at).map(|(_, outline)| outline);
        if file.state.surface == 0 || wanting.is_empty() {
            continue;
        }
        let surface = match outline {
            Some(outline) => outline.surface.clone(),
            None => outline_of(store, file)?.surface,
        };
        surfaces.extend(surface.map(|surface| (file_id(at), surface)));
    }
    Ok(surfaces)
}

/// Files whose name is no text are left out before anything is read.
pub(super) fn utf8(path: &RepoPath) -> &str {
    std::str::from_utf8(path.as_bytes()).expect("only names that are text are indexed")
}
