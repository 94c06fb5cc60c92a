//! Reads files in several threads, which hash, decode and parse; the thread that asked writes their facts into the store as
//! they come, so that they need not be held.

use std::hash::Hasher as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use rb_core::folder::FolderRoot;
use rb_core::{RepoPath, Sha256};
use rb_lang::Language;
use rustc_hash::FxHasher;
use serde::Serialize;

use super::{IndexError, Session};
use crate::architecture;
use crate::content::{Bytes, Content};
use crate::resolve;
use crate::store::{FactsKey, FileRow, FileState, Links, Outline, Stat, Store, StoreError, rows};
use crate::trivial::{self, Attributes};
use crate::walk::{FoundFile, SkipReason, WalkError};

/// A file that is read, and its row of the last look.
pub(super) struct Job<'a> {
    pub(super) found: &'a FoundFile,
    pub(super) old: Option<FileRow>,
}

/// A file that was read, its facts in the store.
pub(super) struct Done {
    pub(super) hash: Option<Sha256>,
    pub(super) state: FileState,
    pub(super) facts: Option<i64>,
    pub(super) outline: Option<Box<Outline>>,
    pub(super) parsed: bool,
    pub(super) known: bool,
    pub(super) moved: bool,
}

/// What the threads that read share.
struct Reading<'a> {
    store: &'a Store,
    root: FolderRoot,
    jobs: &'a [Job<'a>],
    next: AtomicUsize,
    /// Files that a thread takes at a time: handing over costs more than a small file.
    at_once: usize,
    attributes: Attributes,
    /// The same text may have to be judged otherwise than at the last look.
    judge_again: bool,
}

/// What a thread made of a file.
struct Outcome {
    hash: Option<Sha256>,
    state: FileState,
    facts: Facts,
    moved: bool,
}

/// Of some files in a row, from the first on.
type Outcomes = (usize, Vec<Result<Outcome, StoreError>>);

enum Facts {
    None,
    /// Those of the last look.
    Same(Option<i64>),
    /// In the store already.
    Known(i64, Box<Outline>),
    Fresh {
        key: FactsKey,
        outline: Box<Outline>,
        encoded: Vec<u8>,
        body: Vec<u8>,
    },
}

/// Fewer files are read before anybody could see a bar.
const LONG: usize = 400;

impl Session<'_> {
    /// Reads the files in several threads; the results are in the order of the jobs.
    pub(super) fn read_all(
        &self,
        store: &Store,
        root: FolderRoot,
        jobs: &[Job<'_>],
        judge_again: bool,
    ) -> Result<Vec<Done>, IndexError> {
        let reading = &Reading {
            store,
            root,
            jobs,
            next: AtomicUsize::new(0),
            at_once: (jobs.len() / 256).clamp(1, 16),
            attributes: Attributes::read(self.request.root, &self.walk.files),
            judge_again,
        };
        let count = jobs.len();
        let threads = threads().min(count.div_ceil(8)).max(1);
        let long = count >= LONG;
        if long {
            self.request.progress.begin("indexing", count as u64);
        }
        let done = thread::scope(|scope| {
            let (sender, receiver) = sync_channel(4 * threads);
            for _ in 0..threads {
                let sender = sender.clone();
                let work = move || self.work(reading, &sender);
                rb_lang::spawn(scope, work).expect("a thread can be started");
            }
            drop(sender);
            self.collect(reading, &receiver)
        });
        if long {
            self.request.progress.end();
        }
        done
    }

    fn work(&self, reading: &Reading<'_>, sender: &SyncSender<Outcomes>) {
        loop {
            let first = reading.next.fetch_add(reading.at_once, Ordering::Relaxed);
            let last = (first + reading.at_once).min(reading.jobs.len());
            if first >= last || self.request.cancel.is_cancelled() {
                return;
            }
            let read = |at| self.read_one(reading, &reading.jobs[at]);
            let outcomes = (first..last).map(read).collect();
            // The other side is gone when something failed there; nothing is left to do then.
            if sender.send((first, outcomes)).is_err() {
                return;
            }
        }
    }

    fn collect(
        &self,
        reading: &Reading<'_>,
        receiver: &Receiver<Outcomes>,
    ) -> Result<Vec<Done>, IndexError> {
        let Reading { store, jobs, .. } = reading;
        let count = jobs.len();
        let mut done: Vec<Option<Done>> = Vec::new();
        done.resize_with(count, || None);
        let each = receiver.iter().flat_map(|(first, outcomes)| (first..).zip(outcomes));
        for (at, outcome) in each {
            let outcome = outcome?;
            if let Some(SkipReason::Exhausted(why)) = &outcome.state.skipped {
                let path = jobs[at].found.path.to_string();
                return Err(WalkError::Exhausted { path, why: why.clone() }.into());
            }
            done[at] = Some(Done::write(store, outcome)?);
            if count >= LONG {
                self.request.progress.advance(1);
            }
        }
        done.into_iter().collect::<Option<_>>().ok_or(IndexError::Interrupted)
    }

    fn read_one(&self, reading: &Reading<'_>, job: &Job<'_>) -> Result<Outcome, StoreError> {
        let path = &job.found.path;
        let bytes = match Bytes::read(&reading.root, job.found, &self.request.options.limits) {
            Ok(bytes) => bytes,
            Err(unread) => return Ok(Outcome::skipped(job.found, unread.into())),
        };
        if let Some(old) = &job.old
            && !reading.judge_again
            && old.hash == Some(bytes.hash)
        {
            return Ok(Outcome {
                hash: Some(bytes.hash),
                state: old.state.clone(),
                facts: Facts::Same(old.facts),
                moved: bytes.changed,
            });
        }
        match bytes.text() {
            Ok(content) => {
                read_text(reading.store, path, job.found.size, &content, &reading.attributes)
            }
            Err(unread) => Ok(Outcome::skipped(job.found, unread.into())),
        }
    }
}

impl Outcome {
    fn skipped(found: &FoundFile, reason: SkipReason) -> Self {
        Outcome {
            hash: None,
            // What could not be read may be readable the next time: its look is not to be trusted.
            moved: !matches!(reason, SkipReason::TooLarge { .. } | SkipReason::Binary),
            state: FileState {
                size: found.size,
                language: Language::of_path(found.path.as_bytes()),
                skipped: Some(reason),
                ..FileState::default()
            },
            facts: Facts::None,
        }
    }
}

fn read_text(
    store: &Store,
    path: &RepoPath,
    size: u64,
    content: &Content,
    attributes: &Attributes,
) -> Result<Outcome, StoreError> {
    let mut state = FileState {
        size,
        language: Language::of(path.as_bytes(), &content.text),
        encoding: content.encoding.name().map(Into::into),
        is_manifest: keeps_text(path),
        lines: content.lines(),
        ..FileState::default()
    };
    let read_as = state.language.filter(|language| language.is_read() && !content.minified);
    let mut facts = Facts::None;
    if read_as.is_some() || state.is_manifest {
        let key = FactsKey::new(content.hash, read_as);
        facts = match store.facts_id(&key)? {
            Some(id) => Facts::Known(id, Box::new(store.outline(id)?)),
            None => Facts::fresh(key, read_as, content, state.is_manifest),
        };
    }
    if let Facts::Known(_, outline) | Facts::Fresh { outline, .. } = &facts {
        state.take(outline);
    }
    state.trivial = trivial::judge(path, &content.text, state.marks, attributes);
    Ok(Outcome { hash: Some(content.hash), state, facts, moved: content.changed })
}

impl Facts {
    fn fresh(
        key: FactsKey,
        read_as: Option<Language>,
        content: &Content,
        is_manifest: bool,
    ) -> Self {
        let parsed = read_as
            .and_then(|language| Some((language, rb_lang::extract(language, &content.text)?)));
        let mut outline = match &parsed {
            Some((language, facts)) => Outline::of(facts, *language),
            None => Outline { lines: content.lines(), ..Outline::default() },
        };
        if is_manifest {
            outline.manifest = Some(content.text.as_str().into());
        }
        Facts::Fresh {
            key,
            encoded: rows::encode(&outline),
            outline: Box::new(outline),
            body: parsed.map(|(_, facts)| rows::encode(&facts)).unwrap_or_default(),
        }
    }
}

impl Done {
    fn write(store: &Store, outcome: Outcome) -> Result<Self, StoreError> {
        let Outcome { hash, state, facts, moved } = outcome;
        let known = matches!(facts, Facts::Known(..) | Facts::Same(Some(_)));
        let (facts, outline, parsed) = match facts {
            Facts::None => (None, None, false),
            Facts::Same(id) => (id, None, false),
            Facts::Known(id, outline) => (Some(id), Some(outline), false),
            Facts::Fresh { key, outline, encoded, body } => {
                let id =
                    store.with(|connection| rows::put_facts(connection, &key, &encoded, &body))?;
                (Some(id), Some(outline), !body.is_empty())
            }
        };
        Ok(Done { hash, state, facts, outline, parsed, known, moved })
    }

    /// Only its look is another.
    pub(super) fn is_same(&self, old: &FileRow) -> bool {
        old.hash == self.hash && old.facts == self.facts && old.state == self.state
    }

    pub(super) fn into_row(
        self,
        found: &FoundFile,
        id: i64,
        racy: bool,
        links: Links,
    ) -> (FileRow, Option<Box<Outline>>) {
        let row = FileRow {
            id,
            path: found.path.clone(),
            // What moved while it was read is looked at again next time.
            stat: Stat::of(found, racy || self.moved),
            hash: self.hash,
            facts: self.facts,
            state: self.state,
            links,
        };
        (row, self.outline)
    }
}

impl FileState {
    fn take(&mut self, outline: &Outline) {
        self.lines = outline.lines;
        self.marks = outline.marks;
        self.package.clone_from(&outline.package);
        self.symbols = outline.symbols;
        self.components = outline.components;
        self.complexity = outline.complexity;
        self.syntax_errors = outline.syntax_errors;
        self.cut = outline.cut;
        self.surface = outline.surface.as_ref().map_or(0, short_hash);
        // Lines are of no matter, and how often an import is used only where more than imports are seen.
        let imports: Vec<_> = outline
            .imports
            .iter()
            .map(|import| {
                let uses = outline.wants.as_ref().map(|_| import.uses);
                (&import.specifier, import.kind, &import.names, uses)
            })
            .collect();
        self.needs = short_hash(&(imports, &outline.wants));
    }
}

fn short_hash(value: &impl Serialize) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(&rows::encode(value));
    hasher.finish()
}

/// Texts that the passes over all files read themselves.
fn keeps_text(path: &RepoPath) -> bool {
    std::str::from_utf8(path.as_bytes())
        .is_ok_and(|path| resolve::is_manifest(path) || architecture::needs_text(path))
}

/// One for each core.
pub(super) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
