//! Who may notice a change: the files that import a changed one, directly or through files that give its names on.

use std::collections::BTreeSet;

use rb_index::FileId;
use rb_lang::{ImportKind, Language};

use crate::comparison::Comparison;

/// Files that give on what they have from files that give on: so many are followed.
const MAX_CHAIN: usize = 4;

pub(crate) struct Reach {
    /// The changed files, and all that import one of the sources.
    pub(crate) files: BTreeSet<FileId>,
    /// The changed files, and those that give on what is in them.
    pub(crate) sources: BTreeSet<FileId>,
    /// Those that imported a file that is gone or moved.
    pub(crate) left: BTreeSet<FileId>,
}

impl Reach {
    pub(crate) fn of(comparison: &Comparison<'_>) -> Reach {
        let mut files: BTreeSet<FileId> = comparison.touched().map(|(_, id)| id).collect();
        let mut sources = files.clone();
        let mut edge: Vec<FileId> = files.iter().copied().collect();
        for _ in 0..MAX_CHAIN {
            let mut next = Vec::new();
            for &file in &edge {
                for &importer in comparison.after.importers(file) {
                    if files.insert(importer) && gives_on(comparison, importer) {
                        sources.insert(importer);
                        next.push(importer);
                    }
                }
            }
            edge = next;
        }
        let left = left_behind(comparison);
        files.extend(&left);
        Reach { files, sources, left }
    }
}

pub(crate) fn left_behind(comparison: &Comparison<'_>) -> BTreeSet<FileId> {
    let mut files = BTreeSet::new();
    for changed in comparison.changes() {
        let gone = Some(&*changed.path).filter(|_| changed.after.is_none());
        for path in [gone, changed.moved_from.as_deref()].into_iter().flatten() {
            let Some(id) = comparison.before.find(path) else { continue };
            let importers = comparison.before.importers(id).iter();
            files.extend(importers.filter_map(|&importer| comparison.successor(importer)));
        }
    }
    files
}

fn gives_on(comparison: &Comparison<'_>, file: FileId) -> bool {
    let Some(facts) = comparison.after.facts(file) else { return false };
    match comparison.after.language(file) {
        Some(Language::Python) => comparison.after.path(file).ends_with("__init__.py"),
        _ => facts.imports.iter().any(|import| import.kind == ImportKind::ReExport),
    }
}
