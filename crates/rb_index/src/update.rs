//! Brings the store in step with the checkout: only what changed is read, only what it touches is linked again.
//!
//! A file counts as unchanged when its size, times and inode are those of the last look, and it was not written in the very
//! moment of that look. Everything else is hashed; a known hash costs no parsing. Nothing here depends on what was
//! indexed before: the result is that of a clean build.

mod before;
mod kept;
mod merge;
mod read;
pub(crate) mod relink;
mod small;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rb_core::folder::FolderRoot;
use rb_core::{Cancel, Progress, RepoPath, clock};
use thiserror::Error;

use self::before::{Before, forget_the_gone};
pub(crate) use self::kept::{StoredState, TreeState, tree_key};
use self::small::{Small, Touched};
use crate::content::Limits;
use crate::history::{Activity, History};
use crate::overview::{self, Counts, Overview};
use crate::search::embed::EmbedError;
use crate::search::{self, Refresh, Refreshed, Searchable};
use crate::store::{self, ALL_TREES, Store, StoreError, rows};
use crate::together::Together;
use crate::view::{Loaded, View};
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
    pub search: Searchable,
}

#[derive(Debug, Error)]
pub enum IndexError {
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Embed(#[from] EmbedError),
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
    /// What was made to search in.
    pub search: Refreshed,
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
    pub counts: Counts,
    pub update: Update,
    pub walk: Walk,
    pub(crate) root: PathBuf,
    overview: OnceLock<Overview>,
    loaded: OnceLock<Loaded>,
}

/// Brings the index in step with the checkout and opens it.
pub fn update(request: &Request<'_>) -> Result<Indexed, IndexError> {
    // Taken before the walk: a file written later than this may not be seen by it.
    let began = clock::now().unix_ms();
    let walk = all_files(request.root, &request.options.walk, request.history, request.cancel)?;
    let head = request.history.head();
    let session = Session { request, walk: &walk, head, began, looks: Mutex::default() };
    let (store, tree, counts, update) = session.run()?;
    let root = request.root.to_owned();
    let (overview, loaded) = (OnceLock::new(), OnceLock::new());
    Ok(Indexed { store, tree, counts, update, walk, root, overview, loaded })
}

/// What the walk finds, and what git has although it is ignored.
pub(crate) fn all_files(
    root: &Path,
    options: &WalkOptions,
    history: &dyn History,
    cancel: &Cancel,
) -> Result<Walk, WalkError> {
    let mut walk = walk::walk(root, options, cancel)?;
    let ignored = walk.may_be_tracked();
    if !ignored.is_empty() {
        let tracked = history.tracked(&ignored);
        walk.add_tracked(root, options, &tracked)?;
    }
    leave_out_odd_names(&mut walk);
    Ok(walk)
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
    /// How the files looked at the last index, and at which revision of the store that was read.
    looks: Mutex<Option<(u64, rows::Looks)>>,
}

type Done = (Store, i64, Counts, Update);

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
        // From here on the store is seen as it is now, whoever writes to it.
        store.begin_reading()?;
        let stats = store.with(|connection| rows::load_stats(connection, tree))?;
        let same = stats.len() == self.walk.files.len()
            && stats
                .iter()
                .zip(&self.walk.files)
                .all(|((path, stat), found)| path == found.path.as_bytes() && stat.matches(found));
        let search = &self.request.options.search;
        // A store of an older version does not know yet which files change together.
        let same = same && self.has_together(&store, tree)?;
        let kept = StoredState::load(&store, tree)?.filter(|kept| same && kept.head == self.head);
        let kept = match kept {
            Some(kept) if search.is_ready(&store, tree, &kept.state)? => Some(kept),
            _ => None,
        };
        let Some(kept) = kept else {
            let revision = store.with(rows::revision)?;
            *self.looks.lock().unwrap_or_else(PoisonError::into_inner) = Some((revision, stats));
            return Ok(None);
        };
        let update = Update {
            files: stats.len(),
            unchanged: stats.len(),
            store_bytes: store.bytes(),
            ..Update::default()
        };
        Ok(Some((store, tree, kept.counts.clone(), update.of(&kept))))
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
        let (kept, mut update, touched) = match self.small(&store, tree)? {
            Small::Done(done) => *done,
            Small::More { parsed } => {
                let (kept, mut update) = self.whole(&store, tree, &key)?;
                update.parsed += parsed;
                update.reused -= parsed.min(update.reused);
                (kept, update, None)
            }
        };
        // A model that fails takes nothing with it: what is indexed and embedded so far is kept.
        let failed = match self.refresh(&store, tree, &kept.state, touched) {
            Ok(refreshed) => {
                update.search = refreshed;
                None
            }
            Err(error @ (IndexError::Embed(_) | IndexError::Interrupted)) => Some(error),
            Err(error) => return Err(error),
        };
        let revision = store.with(|connection| {
            kept.write(connection, tree)?;
            rows::next_revision(connection)
        })?;
        // It looks at every row, which an edit need not.
        if revision.is_multiple_of(64) {
            store.with(rows::prune)?;
            search::prune(&store)?;
        }
        self.keep_recent(&store, tree)?;
        transaction.commit()?;
        let store = store.publish()?;
        store.begin_reading()?;
        let update = Update { store_bytes: store.bytes(), ..update };
        match failed {
            Some(error) => Err(error),
            None => Ok((store, tree, kept.counts, update)),
        }
    }

    /// Makes what is missing to search in. Of the files that were touched alone, where the rest was in step before.
    fn refresh(
        &self,
        store: &Store,
        tree: i64,
        state: &TreeState,
        touched: Option<Touched>,
    ) -> Result<Refreshed, IndexError> {
        let search = &self.request.options.search;
        if search.is_ready(store, tree, state)? {
            return Ok(Refreshed::default());
        }
        let rows = match touched {
            Some(touched) if search.is_ready(store, tree, &touched.before)? => touched.rows,
            _ => store.with(|connection| rows::load(connection, tree))?,
        };
        let root = FolderRoot::open(self.request.root).map_err(|source| self.lost_root(source))?;
        let refresh = Refresh {
            store,
            root: &root,
            found: &self.walk.files,
            limits: &self.request.options.limits,
            embedder: search.embedder(),
            progress: self.request.progress,
            cancel: self.request.cancel,
        };
        let refreshed = refresh.run(&rows)?;
        search.set_ready(store, tree, state)?;
        Ok(refreshed)
    }

    /// Looks at all rows, so that whatever changed is followed.
    fn whole(
        &self,
        store: &Store,
        tree: i64,
        key: &str,
    ) -> Result<(StoredState, Update), IndexError> {
        let before = Before::load(store, tree, key, self.head.as_deref())?;
        let borrowed = before.tree != tree;
        let mut merged = self.merge(store, before.rows, borrowed)?;
        let relinked = relink::relink(store, &mut merged)?;
        store.with(|connection| {
            for &id in &merged.deleted {
                rows::remove(connection, id)?;
            }
            for (file, _) in merged.files.iter().zip(&merged.dirty).filter(|&(_, dirty)| *dirty) {
                rows::put(connection, tree, file)?;
            }
            Ok(())
        })?;
        let (state, counts) = (TreeState::of(&merged.files), Counts::of(&merged.files));
        let kept = StoredState::followed(before.kept.as_ref(), state, self.head.as_deref(), counts);
        if borrowed {
            // An overview says of what it is: the other's is this one's where they are alike.
            if let Some(overview) = store.kept(before.tree, "overview")? {
                store.with(|connection| rows::keep(connection, tree, "overview", &overview))?;
            }
            forget_the_gone(store)?;
        }
        let deleted = merged.deleted.len();
        let update = Update { files: merged.files.len(), deleted, relinked, ..merged.update };
        Ok((kept.clone(), update.of(&kept)))
    }

    /// What changed lately, and what changes together, as of this checkout's commit. Another clone may have been at the same one.
    fn keep_recent(&self, store: &Store, tree: i64) -> Result<(), StoreError> {
        let Some(head) = &self.head else {
            return store.with(|connection| {
                rows::forget(connection, tree, "activity")?;
                rows::forget(connection, tree, "together")
            });
        };
        let is_of_head = |activity: &Activity| activity.head.as_ref() == Some(head);
        let has_activity = stored_activity(store, tree)?.is_some_and(|it| is_of_head(&it));
        if has_activity && self.has_together(store, tree)? {
            return Ok(());
        }
        let scope = self.request.history.scope();
        let shared = store.kept(ALL_TREES, "recent")?;
        let shared = shared.map(|bytes| rows::decode::<SharedRecent>(&bytes)).transpose()?;
        let known = shared.filter(|(of, activity, _)| *of == scope && is_of_head(activity));
        let (activity, together) = match known {
            Some((_, activity, together)) => (activity, together),
            None => {
                let (activity, together) = self.request.history.recent(head);
                let shared = rows::encode(&(scope, &activity, &together));
                store.with(|connection| rows::keep(connection, ALL_TREES, "recent", &shared))?;
                (activity, together)
            }
        };
        let (activity, together) = (rows::encode(&activity), rows::encode(&(head, &together)));
        store.with(|connection| {
            rows::keep(connection, tree, "activity", &activity)?;
            rows::keep(connection, tree, "together", &together)
        })
    }

    /// Is it kept which files change together, as of this checkout's commit?
    fn has_together(&self, store: &Store, tree: i64) -> Result<bool, StoreError> {
        let Some(head) = &self.head else { return Ok(true) };
        let Some(bytes) = store.kept(tree, "together")? else { return Ok(false) };
        Ok(rows::decode_front::<String>(&bytes)? == *head)
    }
}

/// What all checkouts of a repository share: which folder it is of, what changed lately there, and what changes together.
type SharedRecent = (String, Activity, Together);

fn stored_activity(store: &Store, tree: i64) -> Result<Option<Activity>, StoreError> {
    store.kept(tree, "activity")?.map(|bytes| rows::decode(&bytes)).transpose()
}

fn stored_together(store: &Store, tree: i64) -> Result<Together, StoreError> {
    let Some(bytes) = store.kept(tree, "together")? else { return Ok(Together::default()) };
    let (_, together) = rows::decode::<(String, Together)>(&bytes)?;
    Ok(together)
}

impl Update {
    fn of(self, kept: &StoredState) -> Self {
        Update {
            generation: kept.generation,
            state: kept.state.to_string(),
            head: kept.head.clone(),
            ..self
        }
    }
}

impl Indexed {
    /// The whole repository on one screen. Made when it is first asked for, and kept until something changes.
    pub fn overview(&self) -> Result<&Overview, StoreError> {
        if let Some(overview) = self.overview.get() {
            return Ok(overview);
        }
        let of = (self.update.state.as_str(), self.update.head.as_deref());
        let kept = self.store.kept(self.tree, "overview")?;
        let kept = kept.and_then(|bytes| Overview::from_bytes(&bytes, &of));
        let mut overview = match kept {
            Some(overview) => overview,
            None => {
                let Loaded { rows, tree, activity, .. } = self.loaded()?;
                let overview = overview::make(rows, tree, activity);
                self.store.keep_later(self.tree, "overview", &overview.to_bytes(&of));
                overview
            }
        };
        overview.set_aside = self.counts.set_aside(&self.walk);
        Ok(self.overview.get_or_init(|| overview))
    }

    /// The overview with so many of the most important files, more than are kept if need be.
    pub fn overview_with_top(&self, count: usize) -> Result<Overview, StoreError> {
        let mut overview = self.overview()?.clone();
        if count > overview.top.len() {
            overview.top = self.view()?.top(count);
        }
        overview.top.truncate(count);
        Ok(overview)
    }

    /// All files, with the results over them.
    pub fn view(&self) -> Result<View<'_>, StoreError> {
        Ok(View::new(&self.store, self.loaded()?))
    }

    fn loaded(&self) -> Result<&Loaded, StoreError> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let rows = self.store.with(|connection| rows::load(connection, self.tree))?;
        let tree = relink::tree_of(&self.store, &rows, |_| None)?;
        let activity = stored_activity(&self.store, self.tree)?.unwrap_or_default();
        let together = stored_together(&self.store, self.tree)?;
        Ok(self.loaded.get_or_init(|| Loaded::new(rows, tree, activity, together)))
    }
}
