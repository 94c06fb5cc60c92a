//! From the rows of the last look and the walk of this one to the rows of now.
//!
//! Files that look the same keep their row; the others are read.

use std::collections::BTreeSet;

use rb_core::folder::FolderRoot;

use super::read::{Done, Job};
use super::{IndexError, Session, Update, relink};
use crate::content::Bytes;
use crate::resolve;
use crate::siblings::Surface;
use crate::store::{FileRow, Outline, Store, StoreError, rows};
use crate::trivial::Attributes;
use crate::walk::{FoundFile, WalkError};

/// The files of now, sorted by path, and what became of those of the last look.
#[derive(Default)]
pub(super) struct Merged {
    pub(super) files: Vec<FileRow>,
    /// In the order of `files`: must its row be written?
    pub(super) dirty: Vec<bool>,
    /// In the order of `files`: of those that were read anew and whose text is not that of the last look.
    pub(super) outlines: Vec<Option<Outline>>,
    pub(super) deleted: Vec<i64>,
    /// Something changed that the links of other files hang on.
    pub(super) relink_all: bool,
    /// Names that a file begins or ends to offer to others, which need not import it.
    pub(super) renamed: BTreeSet<Box<str>>,
    /// How many files were what.
    pub(super) update: Update,
    /// The rows of the last look are another checkout's.
    borrowed: bool,
}

impl Session<'_> {
    pub(super) fn merge(
        &self,
        store: &Store,
        old: Vec<FileRow>,
        borrowed: bool,
    ) -> Result<Merged, IndexError> {
        let mut merged = Merged { borrowed, ..Merged::default() };
        let first = store.with(rows::next_id)?;
        let first = old.iter().map(|row| row.id + 1).fold(first, i64::max);
        // Nothing is read by way of a link, even one that is put there in this moment.
        let root = FolderRoot::open(self.request.root).map_err(|source| self.lost_root(source))?;
        let judge_again = self.attributes_moved(&root, &old);
        let mut jobs = Vec::new();
        let mut kept = Vec::new();
        let mut rows = old.into_iter().peekable();
        for found in &self.walk.files {
            while let Some(gone) = rows.next_if(|row| row.path < found.path) {
                merged.deleted.push(gone.id);
            }
            match rows.next_if(|row| row.path == found.path) {
                Some(row) if row.stat.matches(found) && !judge_again => kept.push(row),
                row => jobs.push(Job { found, old: row }),
            }
        }
        merged.deleted.extend(rows.map(|row| row.id));
        merged.update.unchanged = kept.len();
        merged.relink_all = !merged.deleted.is_empty() || jobs.iter().any(|job| job.old.is_none());
        if borrowed {
            merged.deleted.clear();
        }

        let read = self.read_all(store, root, &jobs, judge_again)?;
        let mut read = jobs.into_iter().zip(read).peekable();
        let mut kept = kept.into_iter().peekable();
        let mut ids = first..;
        for found in &self.walk.files {
            if let Some(row) = kept.next_if(|row| row.path == found.path) {
                merged.push(row, false, None);
            } else if let Some((job, done)) = read.next() {
                let id =
                    job.old.as_ref().map_or_else(|| ids.next().expect("endless"), |row| row.id);
                merged.note_surface(store, &job, &done)?;
                merged.take(job, done, id, self.is_racy(found));
            }
        }
        Ok(merged)
    }

    /// Written so shortly before the walk that a later write may leave the same times.
    pub(super) fn is_racy(&self, found: &FoundFile) -> bool {
        const GRAIN_MS: i64 = 50;
        found.mtime_ns.max(found.ctime_ns) / 1_000_000 + GRAIN_MS >= self.began
    }

    /// Did a file come, go or change that says something about others? Then each file is judged again.
    fn attributes_moved(&self, root: &FolderRoot, old: &[FileRow]) -> bool {
        let now = self.walk.files.iter().filter(|found| Attributes::hang_on(&found.path));
        let then = old.iter().filter(|row| Attributes::hang_on(&row.path));
        let same_text = |found: &FoundFile, row: &FileRow| {
            let read = Bytes::read(root, found, &self.request.options.limits);
            row.hash.is_some() && read.is_ok_and(|bytes| row.hash == Some(bytes.hash))
        };
        let same = |found: &FoundFile, row: &FileRow| {
            found.path == row.path && (row.stat.matches(found) || same_text(found, row))
        };
        now.clone().count() != then.clone().count()
            || now.zip(then).any(|(found, row)| !same(found, row))
    }

    pub(super) fn lost_root(&self, source: std::io::Error) -> IndexError {
        WalkError::Root { path: self.request.root.to_owned(), source }.into()
    }
}

/// Did something change that the links of other files hang on?
pub(super) fn others_hang_on(old: &FileRow, done: &Done) -> bool {
    old.state.surface != done.state.surface || all_hang_on(old, done)
}

/// Did something change that may lead any import elsewhere?
fn all_hang_on(old: &FileRow, done: &Done) -> bool {
    old.state.package != done.state.package
        || old.state.language != done.state.language
        || old.state.marks.main != done.state.marks.main
        || (old.hash != done.hash && resolve::is_manifest(relink::utf8(&old.path)))
}

impl Update {
    pub(super) fn count(&mut self, found: &FoundFile, done: &Done, unchanged: bool) {
        if done.parsed {
            self.parsed += 1;
        } else if unchanged {
            self.unchanged += 1;
        } else if done.known {
            self.reused += 1;
        } else {
            self.plain += 1;
        }
        if done.moved {
            self.moved.push(found.path.clone());
        }
    }
}

impl Merged {
    fn push(&mut self, row: FileRow, dirty: bool, outline: Option<Outline>) {
        self.files.push(row);
        self.dirty.push(dirty);
        self.outlines.push(outline);
    }

    fn note_surface(
        &mut self,
        store: &Store,
        job: &Job<'_>,
        done: &Done,
    ) -> Result<(), StoreError> {
        let Some(old) = job.old.as_ref().filter(|old| old.state.surface != done.state.surface)
        else {
            return Ok(());
        };
        let old = old.facts.map(|facts| store.outline(facts)).transpose()?;
        let old = old.and_then(|outline| outline.surface).unwrap_or_default();
        let new = done.outline.as_ref().and_then(|outline| outline.surface.as_ref());
        self.renamed.extend(old.difference(new.unwrap_or(&Surface::default())));
        Ok(())
    }

    fn take(&mut self, job: Job<'_>, done: Done, id: i64, racy: bool) {
        let same_text = job.old.as_ref().is_some_and(|old| done.is_same(old));
        self.update.count(job.found, &done, same_text && !self.borrowed);
        self.relink_all |= job.old.as_ref().is_some_and(|old| all_hang_on(old, &done));
        let links = job.old.map(|old| old.links).filter(|_| same_text).unwrap_or_default();
        let (row, outline) = done.into_row(job.found, id, racy, links);
        self.push(row, true, outline.filter(|_| !same_text).map(|outline| *outline));
    }
}
