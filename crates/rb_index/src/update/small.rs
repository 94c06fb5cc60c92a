//! The usual change: a few files were edited, and no link of any other file hangs on what changed in them.
//!
//! Then nothing but the rows of those files is read and written, however large the repository is. Whatever is more than
//! that is left to the way that looks at all rows.

use std::sync::PoisonError;

use rb_core::folder::FolderRoot;

use super::kept::{StoredState, TreeState};
use super::merge::others_hang_on;
use super::read::{Done, Job};
use super::{IndexError, Session, Update};
use crate::link::edges_of_imports;
use crate::store::{FileRow, Links, Store, rows};
use crate::trivial::Attributes;
use crate::walk::FoundFile;

/// More than these are no longer few: the other way costs about as much.
const FEW: usize = 200;

pub(super) enum Small {
    Done(Box<(StoredState, Update, Option<Touched>)>),
    /// It is more than that. So many files were parsed meanwhile, and their facts are in the store.
    More {
        parsed: usize,
    },
}

/// The rows that were written, and what stood there before.
pub(super) struct Touched {
    pub(super) before: TreeState,
    pub(super) rows: Vec<FileRow>,
}

impl Session<'_> {
    pub(super) fn small(&self, store: &Store, tree: i64) -> Result<Small, IndexError> {
        const MORE: Result<Small, IndexError> = Ok(Small::More { parsed: 0 });
        let Some(old) = StoredState::load(store, tree)? else { return MORE };
        let Some(changed) = self.changed(store, tree)? else { return MORE };
        let mut jobs = Vec::with_capacity(changed.len());
        for found in changed {
            let row = store.with(|connection| rows::load_one(connection, tree, &found.path))?;
            jobs.push(Job { found, old: Some(row) });
        }
        let root = FolderRoot::open(self.request.root).map_err(|source| self.lost_root(source))?;
        let read = self.read_all(store, root, &jobs, false)?;
        let (mut state, mut counts) = (old.state, old.counts.clone());
        let files = self.walk.files.len();
        let mut update = Update { files, unchanged: files - jobs.len(), ..Update::default() };
        let mut written = Vec::with_capacity(jobs.len());
        let parsed = read.iter().filter(|done| done.parsed).count();
        for (job, done) in jobs.into_iter().zip(read) {
            let Job { found, old: Some(row) } = job else { return Ok(Small::More { parsed }) };
            let Some(links) = links(&row, &done) else { return Ok(Small::More { parsed }) };
            update.count(found, &done, done.is_same(&row));
            state.remove(&row);
            counts.remove(&row);
            let (row, _) = done.into_row(found, row.id, self.is_racy(found), links);
            state.add(&row);
            counts.add(&row);
            written.push(row);
        }
        store.with(|connection| {
            written.iter().try_for_each(|row| rows::put(connection, tree, row).map(drop))
        })?;
        let kept = StoredState::followed(Some(&old), state, self.head.as_deref(), counts);
        let update = update.of(&kept);
        let touched = Touched { before: old.state, rows: written };
        Ok(Small::Done(Box::new((kept, update, Some(touched)))))
    }

    /// The files that look different; `None` where files came or went, where they are many, and where one of them says
    /// something about others.
    fn changed(&self, store: &Store, tree: i64) -> Result<Option<Vec<&FoundFile>>, IndexError> {
        let revision = store.with(rows::revision)?;
        let stats = match self.looks.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some((read_at, stats)) if read_at == revision => stats,
            _ => store.with(|connection| rows::load_stats(connection, tree))?,
        };
        if stats.len() != self.walk.files.len() {
            return Ok(None);
        }
        let mut changed = Vec::new();
        for ((path, stat), found) in stats.iter().zip(&self.walk.files) {
            if path != found.path.as_bytes() {
                return Ok(None);
            }
            if !stat.matches(found) {
                changed.push(found);
            }
        }
        let few =
            changed.len() <= FEW && !changed.iter().any(|found| Attributes::hang_on(&found.path));
        Ok(few.then_some(changed))
    }
}

/// The links of a file after its change, if they can be told without looking at others.
fn links(old: &FileRow, done: &Done) -> Option<Links> {
    if others_hang_on(old, done) || old.state.needs != done.state.needs {
        return None;
    }
    let mut links = old.links.clone();
    if let Some(outline) = done.outline.as_ref().filter(|outline| outline.wants.is_none()) {
        links.edges = edges_of_imports(old.id, &outline.imports, &links.imports);
    }
    Some(links)
}
