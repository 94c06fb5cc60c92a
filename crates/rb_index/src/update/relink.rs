//! The second half of an update: where the imports of changed files lead.

use rb_core::RepoPath;
use rb_lang::Language;

use super::IndexError;
use super::merge::{Merged, threads};
use crate::link::Linker;
use crate::siblings::{Siblings, Surface};
use crate::store::{FileRow, Outline, Store, StoreError};
use crate::tree::{FileId, Tree, TreeFile};

/// Links what changed, or everything where the change may concern everything. Gives how many files were linked, and
/// the tree of now if it was needed.
pub(super) fn relink(
    store: &Store,
    merged: &mut Merged,
) -> Result<(Option<Tree>, usize), IndexError> {
    let which: Vec<usize> = (0..merged.files.len())
        .filter(|&at| merged.files[at].facts.is_some())
        .filter(|&at| merged.relink_all || merged.outlines[at].is_some())
        .collect();
    if which.is_empty() {
        return Ok((None, 0));
    }
    let tree = tree_of(store, &merged.files, &merged.outlines)?;
    let mut outlines = Vec::with_capacity(which.len());
    for &at in &which {
        outlines.push(match merged.outlines[at].take() {
            Some(outline) => outline,
            None => outline_of(store, &merged.files[at])?,
        });
    }
    let surfaces = surfaces(store, &merged.files, &which, &outlines)?;
    let siblings = Siblings::new(&tree, surfaces.iter().map(|(id, surface)| (*id, surface)));
    let ids: Vec<i64> = merged.files.iter().map(|file| file.id).collect();
    let linker = Linker::new(&tree, &ids, &siblings);
    let jobs: Vec<(FileId, &Outline)> =
        which.iter().map(|&at| file_id(at)).zip(&outlines).collect();
    let links = linker.link_all(&jobs, threads());
    for (&at, links) in which.iter().zip(links) {
        let row = &mut merged.files[at];
        merged.dirty[at] |= row.links != links;
        row.links = links;
    }
    Ok((Some(tree), which.len()))
}

fn file_id(at: usize) -> FileId {
    FileId(u32::try_from(at).expect("fewer than four billion files"))
}

/// `outlines` are those at hand, in the order of the rows; the others come from the store.
pub(crate) fn tree_of(
    store: &Store,
    rows: &[FileRow],
    outlines: &[Option<Outline>],
) -> Result<Tree, StoreError> {
    let mut files = Vec::with_capacity(rows.len());
    for (at, row) in rows.iter().enumerate() {
        let manifest = match outlines.get(at) {
            _ if !row.state.is_manifest => None,
            Some(Some(outline)) => outline.manifest.clone(),
            _ => outline_of(store, row)?.manifest,
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
