//! Finds the files of a repository: what is there, what is left out and why.
//!
//! Ignore files hold as git has it, and include and exclude globs on top. No link is ever followed, not even one
//! that is put in the place of a folder during the walk. Nothing that the disk holds is an error: it is found,
//! listed as skipped, or listed as ignored. No file is opened but ignore files. Every command pays for the walk,
//! so it asks the system as little as it can: one open and one listing for each folder, one `lstat` for each file
//! that is found.

mod globs;
mod queue;
mod rules;
mod skipped;
mod tracked;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use rb_core::folder::{Folder, FolderRoot, Kind, Stat};
use rb_core::{Cancel, RepoPath};
use thiserror::Error;

use self::queue::Queue;
use self::rules::{GIT_IGNORE, OWN_IGNORE, Rules};

pub use self::globs::{BadGlob, Globs};
pub use self::rules::By;
pub use self::skipped::{ListedPath, SkipReason, Skipped};

/// What a walk found. The same tree gives the same walk; both lists are sorted by the bytes of the path.
#[derive(Debug, Default)]
pub struct Walk {
    pub files: Vec<FoundFile>,
    pub skipped: Vec<Skipped>,
    /// What ignore files name; of a folder, everything below it.
    pub ignored: Vec<Ignored>,
}

/// A file or folder that an ignore file names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    pub path: ListedPath,
    pub is_folder: bool,
    pub by: By,
}

/// A plain file, as `lstat` saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    pub path: RepoPath,
    pub size: u64,
    pub mtime_ns: i64,
    pub ctime_ns: i64,
    pub inode: u64,
}

/// Globs; each may be a list, as in `node_modules,dist`.
#[derive(Debug, Clone, Default)]
pub struct WalkOptions {
    /// Only files that these name are found; empty means all.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// A folder of this program, which is left out wherever it is.
    pub own: Option<PathBuf>,
}

impl Walk {
    /// How many entries were left out for each kind of reason, sorted by its words.
    pub fn skipped_by_reason(&self) -> impl Iterator<Item = (String, u64)> {
        let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
        for skipped in &self.skipped {
            *kinds.entry(skipped.reason.kind()).or_default() += 1;
        }
        kinds.into_iter().map(|(kind, entries)| (kind.to_owned(), entries))
    }
}

#[derive(Debug, Error)]
pub enum WalkError {
    #[error("interrupted")]
    Interrupted,
    #[error(transparent)]
    BadGlob(#[from] BadGlob),
    #[error("the system has nothing left to read {path} with: {why}")]
    Exhausted { path: String, why: Box<str> },
    #[error("cannot read the folder {}", path.display())]
    Root {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// More than this wait for each other in the kernel.
const MAX_THREADS: usize = 4;

/// Walks the folder `root`, which may be a repository, a folder in one, or without git.
pub fn walk(root: &Path, options: &WalkOptions, cancel: &Cancel) -> Result<Walk, WalkError> {
    let (include, exclude) = (Globs::new(&options.include)?, Globs::new(&options.exclude)?);
    let failed = |source| WalkError::Root { path: root.to_owned(), source };
    let place = root.canonicalize().map_err(failed)?;
    let held = FolderRoot::open(&place).map_err(failed)?;
    let start = Rules::start(&place);
    let own = options.own.as_ref().and_then(|own| own.canonicalize().ok());
    let own = own
        .and_then(|own| RepoPath::new(own.strip_prefix(&place).ok()?.as_os_str().as_bytes()).ok());
    let walker = Walker { held, place, prefix: start.prefix, include, exclude, own, cancel };
    let queue = Queue::new(Job { path: None, rules: start.rules });
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
    let mut all = thread::scope(|scope| {
        // Where no thread can be had, fewer do the same.
        let helper = |_| thread::Builder::new().spawn_scoped(scope, || walker.work(&queue)).ok();
        let helpers: Vec<_> = (1..threads).filter_map(helper).collect();
        let mut all = walker.work(&queue);
        for helper in helpers {
            all.append(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    });
    if cancel.is_cancelled() {
        return Err(WalkError::Interrupted);
    }
    if let Some(source) = all.root_error.take() {
        return Err(failed(source));
    }
    if let Some(error) = all.walk.skipped.iter().find_map(Skipped::exhausted) {
        return Err(error);
    }
    all.walk.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    all.walk.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    all.walk.ignored.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(all.walk)
}

/// A folder to be visited; the root has no path.
struct Job {
    path: Option<RepoPath>,
    rules: Arc<Rules>,
}

struct Walker<'a> {
    held: FolderRoot,
    /// The root, with no link in it.
    place: PathBuf,
    /// From the git root to the walk's root, as ignore files above it need it.
    prefix: Vec<u8>,
    include: Globs,
    exclude: Globs,
    own: Option<RepoPath>,
    cancel: &'a Cancel,
}

/// What one thread has found.
#[derive(Default)]
struct Finds {
    walk: Walk,
    root_error: Option<io::Error>,
}

/// The names of one folder, in one piece of memory, and which of those that matter are among them.
#[derive(Default)]
struct Listing {
    names: Vec<u8>,
    entries: Vec<(usize, Kind)>,
    has_git: bool,
    has_git_ignore: bool,
    has_own_ignore: bool,
}

impl Walker<'_> {
    fn work(&self, queue: &Queue<Job>) -> Finds {
        let mut finds = Finds::default();
        while let Some(taken) = queue.take() {
            taken.finish(|job| self.visit(job, &mut finds));
        }
        finds
    }

    /// Gives the folders in this one. After a cancel nothing is looked at any more, so that the queue runs dry.
    fn visit(&self, job: &Job, finds: &mut Finds) -> Vec<Job> {
        if self.cancel.is_cancelled() {
            return Vec::new();
        }
        let (folder, listing) = match (self.list(job.path.as_ref()), &job.path) {
            (Ok(listed), _) => listed,
            (Err(error), Some(path)) => {
                finds.skip(path.as_bytes(), SkipReason::of_error(&error));
                return Vec::new();
            }
            (Err(error), None) => {
                finds.root_error = Some(error);
                return Vec::new();
            }
        };
        if let Some(path) = &job.path
            && listing.has_git
            && rules::has_git(&folder)
        {
            finds.skip(path.as_bytes(), SkipReason::Repository);
            return Vec::new();
        }
        Visit { walker: self, job, folder, finds, folders: Vec::new() }.entries(&listing)
    }

    fn list(&self, path: Option<&RepoPath>) -> io::Result<(Folder, Listing)> {
        let mut folder = match path {
            Some(path) => self.held.folder(path)?,
            None => self.held.top()?,
        };
        let mut listing = Listing::default();
        folder.list(|name, kind| listing.add(name, kind))?;
        Ok((folder, listing))
    }

    /// Where a link leads, only to say so.
    fn link(&self, path: &[u8]) -> SkipReason {
        match self.place.join(OsStr::from_bytes(path)).canonicalize() {
            Ok(target) if target.starts_with(&self.place) => SkipReason::LinkInside,
            Ok(_) => SkipReason::LinkOutside,
            Err(error) => match SkipReason::of_error(&error) {
                SkipReason::BehindLink => SkipReason::LinkLoop,
                SkipReason::Gone => SkipReason::LinkDangling,
                other => other,
            },
        }
    }
}

/// One folder while its entries are looked at.
struct Visit<'a> {
    walker: &'a Walker<'a>,
    job: &'a Job,
    folder: Folder,
    finds: &'a mut Finds,
    folders: Vec<Job>,
}

impl Visit<'_> {
    fn entries(mut self, listing: &Listing) -> Vec<Job> {
        // Each path is put together in one place, seen from the git root.
        let outside = self.walker.prefix.len();
        let mut path = self.walker.prefix.clone();
        if let Some(folder) = &self.job.path {
            path.extend_from_slice(folder.as_bytes());
            path.push(b'/');
        }
        let folder_len = path.len();
        let git = listing.has_git_ignore.then(|| self.ignore_file(GIT_IGNORE)).flatten();
        let own = listing.has_own_ignore.then(|| self.ignore_file(OWN_IGNORE)).flatten();
        let rules = self.job.rules.with(git, own, folder_len);
        for (name, kind) in listing.iter() {
            if self.walker.cancel.is_cancelled() {
                break;
            }
            path.truncate(folder_len);
            path.extend_from_slice(name);
            if let Err(reason) = self.entry(name, kind, &path, &rules) {
                self.finds.skip(&path[outside..], reason);
            }
        }
        self.folders
    }

    fn entry(
        &mut self,
        name: &[u8],
        listed: Kind,
        seen_by_git: &[u8],
        rules: &Arc<Rules>,
    ) -> Result<(), SkipReason> {
        let Walker { include, exclude, .. } = self.walker;
        let path = &seen_by_git[self.walker.prefix.len()..];
        let kind = if listed == Kind::Unknown { self.stat(name)?.kind } else { listed };
        let is_folder = kind == Kind::Folder;
        if let Some(by) = rules.ignores(seen_by_git, is_folder) {
            self.finds.walk.ignored.push(Ignored { path: path.into(), is_folder, by });
            return Ok(());
        }
        if exclude.names(path) {
            return Err(SkipReason::Excluded);
        }
        if kind != Kind::Folder && !include.is_empty() && !include.covers(path) {
            return Err(SkipReason::NotIncluded);
        }
        match kind {
            Kind::Folder => {
                let path = Some(self.child(name)?);
                if path == self.walker.own {
                    return Err(SkipReason::Own);
                }
                self.folders.push(Job { path, rules: Arc::clone(rules) });
            }
            Kind::File => {
                let found = self.found(name, path)?;
                self.finds.walk.files.push(found);
            }
            Kind::Link => return Err(self.walker.link(path)),
            Kind::Special | Kind::Unknown => return Err(SkipReason::Special),
        }
        Ok(())
    }

    fn found(&self, name: &[u8], path: &[u8]) -> Result<FoundFile, SkipReason> {
        let Stat { kind, size, mtime_ns, ctime_ns, inode } = self.stat(name)?;
        match kind {
            Kind::File => {
                Ok(FoundFile { path: self.child(name)?, size, mtime_ns, ctime_ns, inode })
            }
            // Something else took its place since it was listed.
            Kind::Folder => Err(SkipReason::Gone),
            Kind::Link => Err(self.walker.link(path)),
            Kind::Special | Kind::Unknown => Err(SkipReason::Special),
        }
    }

    fn stat(&self, name: &[u8]) -> Result<Stat, SkipReason> {
        self.folder.stat(name).map_err(|error| SkipReason::of_error(&error))
    }

    fn child(&self, name: &[u8]) -> Result<RepoPath, SkipReason> {
        let path = match &self.job.path {
            Some(folder) => folder.child(name),
            None => RepoPath::new(name),
        };
        path.map_err(|bad| SkipReason::BadName(bad.to_string().into()))
    }

    /// A link or a folder of that name is no ignore file; git sees it so too.
    fn ignore_file(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        let path = self.child(name).ok()?;
        let read = self.folder.file(name).and_then(|file| rules::read_capped(&file)).ok()?;
        if read.is_none() {
            self.finds.skip(path.as_bytes(), SkipReason::LargeIgnoreFile);
        }
        read
    }
}

impl Skipped {
    /// An index without what could be read a moment later would be wrong, so the walk ends.
    fn exhausted(&self) -> Option<WalkError> {
        let SkipReason::Exhausted(why) = &self.reason else { return None };
        Some(WalkError::Exhausted { path: self.path.to_string(), why: why.clone() })
    }
}

impl Finds {
    fn skip(&mut self, path: &[u8], reason: SkipReason) {
        self.walk.skipped.push(Skipped { path: path.into(), reason });
    }

    fn append(&mut self, mut other: Finds) {
        self.walk.files.append(&mut other.walk.files);
        self.walk.skipped.append(&mut other.walk.skipped);
        self.walk.ignored.append(&mut other.walk.ignored);
        self.root_error = self.root_error.take().or(other.root_error);
    }
}

impl Listing {
    fn add(&mut self, name: &[u8], kind: Kind) {
        match name {
            b".git" => {
                self.has_git = true;
                return;
            }
            GIT_IGNORE => self.has_git_ignore = true,
            OWN_IGNORE => self.has_own_ignore = true,
            _ => {}
        }
        self.names.extend_from_slice(name);
        self.entries.push((self.names.len(), kind));
    }

    fn iter(&self) -> impl Iterator<Item = (&[u8], Kind)> {
        let mut start = 0;
        self.entries.iter().map(move |&(end, kind)| {
            let name = &self.names[start..end];
            start = end;
            (name, kind)
        })
    }
}
