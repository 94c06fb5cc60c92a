//! Brings the store in step with the checkout: only what changed is read, only what it touches is linked again.
//!
//! A file counts as unchanged when its size, times and inode are those of the last look, and it was not written in the very
//! moment of that look. Everything else is hashed; a known hash costs no parsing. Nothing here depends on what was
//! indexed before: the result is that of a clean build.

mod before;
mod kept;
mod merge;
pub(crate) mod relink;

use std::path::Path;
use std::time::Duration;

use rb_core::{Cancel, Progress, RepoPath, clock};
use thiserror::Error;

use self::before::Before;
use self::kept::state_of;
pub(crate) use self::kept::{Kept, tree_key};
use crate::content::Limits;
use crate::history::{Activity, History};
use crate::overview::{self, Overview};
use crate::store::{self, ALL_TREES, Store, StoreError, rows};
use crate::view::View;
use crate::walk::{self, SkipReason, Skipped, Walk, WalkError, WalkOptions};

/// What to index, and with what.
pub struct Request<'a> {
    pub root: &'a Path,
    /// The folder of the store; see `folder_name`.
    pub folder: &'a Path,
    pub options: &'a Options,
    pub history: &'a (dyn History + Sync),
    pub progress: &'a (dyn Progress + Sync),
    pub cancel: &'a Cancel,
}

#[derive(Debug, Clone, Default)]
pub struct Options {
    pub walk: WalkOptions,
    pub limits: Limits,
    /// Forget what is stored and begin anew.
    pub rebuild: bool,
}

#[derive(Debug, Error)]
pub enum IndexError {
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("interrupted")]
    Interrupted,
}

/// What an update did, and of which state of the checkout the index speaks now.
#[derive(Debug, Clone, Default)]
pub struct Update {
    /// Counts the states that were indexed for this checkout; the same number, the same index.
    pub generation: u64,
    /// Of the paths and contents of all files.
    pub state: String,
    pub head: Option<String>,
    pub files: usize,
    pub parsed: usize,
    /// Changed files whose text was known already.
    pub reused: usize,
    /// Changed files that hold no code: hashed and counted.
    pub plain: usize,
    pub unchanged: usize,
    pub deleted: usize,
    pub relinked: usize,
    /// Files that were written while they were read; the index has what was read.
    pub moved: Vec<RepoPath>,
    /// Why the index is not on disk.
    pub unsaved: Option<String>,
    pub store_bytes: u64,
}

/// The index of a checkout, in step with it as of the end of `update`.
pub struct Indexed {
    pub(crate) store: Store,
    pub(crate) tree: i64,
    pub overview: Overview,
    pub update: Update,
    pub walk: Walk,
}

/// Brings the index in step with the checkout and opens it.
pub fn update(request: &Request<'_>) -> Result<Indexed, IndexError> {
    // Taken before the walk: a file written later than this may not be seen by it.
    let began = clock::now().unix_ms();
    let mut walk = walk::walk(request.root, &request.options.walk, request.cancel)?;
    leave_out_odd_names(&mut walk);
    let head = request.history.head();
    let session = Session { request, walk: &walk, head, began };
    let (store, tree, overview, update) = session.run()?;
    Ok(Indexed { store, tree, overview, update, walk })
}

/// Everything that is shown or stored names files by text.
fn leave_out_odd_names(walk: &mut Walk) {
    let odd =
        walk.files.extract_if(.., |found| std::str::from_utf8(found.path.as_bytes()).is_err());
    let odd = odd.map(|found| Skipped {
        path: found.path.as_bytes().into(),
        reason: SkipReason::NameNotUtf8,
    });
    walk.skipped.extend(odd);
    walk.skipped.sort_by(|a, b| a.path.cmp(&b.path));
}

struct Session<'a> {
    request: &'a Request<'a>,
    walk: &'a Walk,
    head: Option<String>,
    began: i64,
}

type Done = (Store, i64, Overview, Update);

impl Session<'_> {
    fn run(&self) -> Result<Done, IndexError> {
        if !self.request.options.rebuild
            && let Some(done) = self.unchanged()?
        {
            return Ok(done);
        }
        match self.write() {
            Err(IndexError::Store(StoreError::Unwritable(cause))) => {
                let mut done = self.fill(Store::in_memory()?)?;
                done.3.unsaved = Some(cause.to_string());
                Ok(done)
            }
            done => done,
        }
    }

    /// The stored answer, if nothing moved since it was made. Takes no lock.
    fn unchanged(&self) -> Result<Option<Done>, IndexError> {
        let store = match Store::open(self.request.folder) {
            Ok(Some(store)) => store,
            Ok(None)
            | Err(StoreError::Damaged(_) | StoreError::Unwritable(_) | StoreError::Busy) => {
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        match self.stored(store) {
            Err(IndexError::Store(StoreError::Damaged(_))) => Ok(None),
            done => done,
        }
    }

    fn stored(&self, store: Store) -> Result<Option<Done>, IndexError> {
        let key = tree_key(self.request.root, &self.request.options.walk);
        let Some(tree) = store.known_tree(&key)? else { return Ok(None) };
        let stats = store.with(|connection| rows::load_stats(connection, tree))?;
        let same = stats.len() == self.walk.files.len()
            && stats
                .iter()
                .zip(&self.walk.files)
                .all(|((path, stat), found)| path == found.path.as_bytes() && stat.matches(found));
        let Some(mut kept) =
            Kept::load(&store, tree)?.filter(|kept| same && kept.head == self.head)
        else {
            return Ok(None);
        };
        kept.overview.add_walk(self.walk);
        let update = Update {
            generation: kept.generation,
            state: kept.state,
            head: kept.head,
            files: stats.len(),
            unchanged: stats.len(),
            store_bytes: store.bytes(),
            ..Update::default()
        };
        Ok(Some((store, tree, kept.overview, update)))
    }

    fn write(&self) -> Result<Done, IndexError> {
        let folder = self.request.folder;
        let lock = self.lock(folder)?;
        if self.request.options.rebuild {
            store::discard(folder)?;
        }
        let mut done = match Store::open(folder) {
            Ok(Some(store)) => self.fill(store),
            Ok(None) => Err(StoreError::Damaged(String::new()).into()),
            Err(error) => Err(error.into()),
        };
        // No store, or none that can be read: all of it can be made again.
        if let Err(IndexError::Store(StoreError::Damaged(_))) = done {
            store::discard(folder)?;
            done = self.fill(Store::build(folder)?);
            if done.is_err() {
                store::discard_unfinished(folder);
            }
        }
        drop(lock);
        done
    }

    /// Waits for another process that writes; what it does need not be done here.
    fn lock(&self, folder: &Path) -> Result<store::WriteLock, IndexError> {
        loop {
            if let Some(lock) = store::try_write_lock(folder)? {
                return Ok(lock);
            }
            if self.request.cancel.is_cancelled() {
                return Err(IndexError::Interrupted);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Compares, reads, links, and writes it all in one transaction.
    fn fill(&self, store: Store) -> Result<Done, IndexError> {
        let key = tree_key(self.request.root, &self.request.options.walk);
        let transaction = store.begin()?;
        let tree = store.tree(&key)?;
        let Before { rows, kept, borrowed } =
            Before::load(&store, tree, &key, self.head.as_deref())?;
        let mut merged = self.merge(&store, rows, borrowed)?;
        let (files, relinked) = relink::relink(&store, &mut merged)?;
        let own = kept.as_ref().filter(|_| !borrowed);
        let activity = self.activity(&store, own)?;
        let state = state_of(&merged.files);
        let generation = match own {
            Some(kept) if kept.state == state && kept.head == self.head => kept.generation,
            Some(kept) => kept.generation + 1,
            None => 1,
        };
        let same = |kept: &&Kept| kept.state == state && kept.activity == activity;
        let mut overview = match (kept.as_ref().filter(same), files) {
            (Some(kept), _) => kept.overview.clone(),
            (None, Some(files)) => overview::make(&merged.files, &files, &activity),
            (None, None) => {
                let files = relink::tree_of(&store, &merged.files, &merged.outlines)?;
                overview::make(&merged.files, &files, &activity)
            }
        };
        store.with(|connection| {
            for &id in &merged.deleted {
                rows::remove(connection, id)?;
            }
            for (file, _) in merged.files.iter().zip(&merged.dirty).filter(|&(_, dirty)| *dirty) {
                rows::put(connection, tree, file)?;
            }
            let value = (&state, generation, &self.head);
            rows::keep(connection, tree, "state", &rows::encode(&value))?;
            if own.is_none_or(|kept| kept.activity != activity) {
                rows::keep(connection, tree, "activity", &rows::encode(&activity))?;
            }
            if own.is_none_or(|kept| kept.overview != overview) {
                rows::keep(connection, tree, "overview", &overview.to_bytes())?;
            }
            rows::prune(connection)
        })?;
        transaction.commit()?;
        let store = store.publish()?;
        overview.add_walk(self.walk);
        let update = Update {
            generation,
            state,
            head: self.head.clone(),
            files: merged.files.len(),
            parsed: merged.parsed,
            reused: merged.reused,
            plain: merged.plain,
            unchanged: merged.unchanged,
            deleted: merged.deleted.len(),
            relinked,
            moved: merged.moved,
            unsaved: None,
            store_bytes: store.bytes(),
        };
        Ok((store, tree, overview, update))
    }

    /// Of this checkout's commit. Another clone may have been at the same one.
    fn activity(&self, store: &Store, kept: Option<&Kept>) -> Result<Activity, StoreError> {
        let Some(head) = &self.head else { return Ok(Activity::default()) };
        let is_of_head = |activity: &Activity| activity.head.as_ref() == Some(head);
        if let Some(kept) = kept.filter(|kept| is_of_head(&kept.activity)) {
            return Ok(kept.activity.clone());
        }
        let scope = self.request.history.scope();
        if let Some(bytes) = store.kept(ALL_TREES, "activity")? {
            let (of, activity): (String, Activity) = rows::decode(&bytes)?;
            if of == scope && is_of_head(&activity) {
                return Ok(activity);
            }
        }
        let activity = self.request.history.activity(head);
        let shared = rows::encode(&(scope, &activity));
        store.with(|connection| rows::keep(connection, ALL_TREES, "activity", &shared))?;
        Ok(activity)
    }
}

impl Indexed {
    /// The overview with so many of the most important files, more than are kept if need be.
    pub fn overview_with_top(&self, count: usize) -> Result<Overview, StoreError> {
        let mut overview = self.overview.clone();
        if count > overview.top.len() {
            overview.top = self.view()?.top(count);
        }
        overview.top.truncate(count);
        Ok(overview)
    }

    /// All files, with the results over them.
    pub fn view(&self) -> Result<View<'_>, StoreError> {
        let rows = self.store.with(|connection| rows::load(connection, self.tree))?;
        let tree = relink::tree_of(&self.store, &rows, &[])?;
        let activity = Kept::load(&self.store, self.tree)?.map(|kept| kept.activity);
        Ok(View::new(&self.store, rows, tree, activity.unwrap_or_default()))
    }
}
