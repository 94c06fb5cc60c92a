//! The modules that entries can reach, before and after a change, and what leads where.
//!
//! Every file is read and parsed once, by as many threads as there are; a file that did not change is the same on both
//! sides. What server code imports from packages without React is not followed: no browser loads it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rb_core::Cancel;
use rustc_hash::FxHashMap;

use super::doubts::Doubts;
use super::entries::{Entry, Start};
use super::loads::Loads;
use super::packages::About;
use super::resolve::{File, ImpactContext, Key, Loaded};
use crate::facts::Directive;

/// Files of packages that are followed.
const MOST_MODULES: usize = 20_000;
/// Texts of packages that are parsed, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// A file; two of them where it changed.
pub(super) struct Slot {
    /// `None` for a file of the project.
    pub(super) about: Option<Arc<About>>,
    /// Before and after; `None` where it is not there.
    pub(super) sides: [Option<Arc<Version>>; 2],
}

pub(super) struct Version {
    pub(super) loads: Arc<Loads>,
    pub(super) edges: Vec<Edge>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub(super) to: usize,
    /// By `import()`.
    pub(super) is_later: bool,
}

/// Where code is that imports something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Server,
    Browser,
}

impl From<Start> for Mode {
    fn from(start: Start) -> Mode {
        match start {
            Start::Server => Mode::Server,
            Start::Browser => Mode::Browser,
        }
    }
}

/// Where a module runs that is imported from `mode`; `None` where only a call is made to it.
pub(super) fn entered(loads: &Loads, mode: Mode) -> Option<Mode> {
    match (loads.directive, mode) {
        (Some(Directive::UseServer), _) => None,
        (Some(Directive::UseClient), Mode::Server) => Some(Mode::Browser),
        (Some(Directive::UseClient) | None, mode) => Some(mode),
    }
}

impl Slot {
    /// May something be loaded into a browser behind it?
    pub(super) fn matters(&self, mode: Mode) -> bool {
        mode == Mode::Browser || self.about.as_ref().is_none_or(|about| about.renders)
    }
}

#[derive(Default)]
pub(super) struct Graph {
    pub(super) slots: Vec<Slot>,
    /// For each entry the slots that it begins with.
    pub(super) roots: Vec<Vec<usize>>,
    pub(super) doubts: Doubts,
}

struct Builder<'s, 'w> {
    scene: &'s ImpactContext<'w>,
    cancel: &'s Cancel,
    graph: Graph,
    files: Vec<File>,
    places: FxHashMap<Key, usize>,
    is_loaded: Vec<bool>,
    /// By slot, for each mode.
    is_reached: Vec<[bool; 2]>,
    modules: usize,
    bytes: u64,
}

impl Graph {
    pub(super) fn of(scene: &ImpactContext<'_>, entries: &[Entry], cancel: &Cancel) -> Graph {
        let mut builder = Builder {
            scene,
            cancel,
            graph: Graph::default(),
            files: Vec::new(),
            places: FxHashMap::default(),
            is_loaded: Vec::new(),
            is_reached: Vec::new(),
            modules: 0,
            bytes: 0,
        };
        let mut open = Vec::new();
        for entry in entries {
            let paths = std::iter::once(&entry.path).chain(&entry.with);
            let roots: Vec<usize> =
                paths.map(|path| builder.place(File::Own(path.clone()))).collect();
            open.extend(roots.iter().map(|&slot| (slot, Mode::from(entry.start))));
            builder.graph.roots.push(roots);
        }
        while !open.is_empty() && !cancel.is_cancelled() {
            open.retain(|&(slot, mode)| {
                !std::mem::replace(&mut builder.is_reached[slot][mode as usize], true)
            });
            builder.load(&open);
            open = open.iter().flat_map(|&(slot, mode)| builder.behind(slot, mode)).collect();
        }
        builder.graph
    }
}

impl Builder<'_, '_> {
    fn place(&mut self, file: File) -> usize {
        let next = self.files.len();
        let slot = *self.places.entry(file.key()).or_insert(next);
        if slot == next {
            let about = file.about().cloned();
            self.graph.slots.push(Slot { about, sides: [None, None] });
            self.files.push(file);
            self.is_loaded.push(false);
            self.is_reached.push([false; 2]);
        }
        slot
    }

    /// What is to be looked at next.
    fn behind(&self, slot: usize, mode: Mode) -> Vec<(usize, Mode)> {
        let versions = self.graph.slots[slot].sides.iter().flatten();
        let mut next: Vec<(usize, Mode)> = Vec::new();
        for version in versions {
            let Some(inner) = entered(&version.loads, mode) else { continue };
            let targets = version.edges.iter().map(|edge| edge.to);
            let targets = targets.filter(|&to| {
                self.graph.slots[to].matters(inner) && !self.is_reached[to][inner as usize]
            });
            next.extend(targets.map(|to| (to, inner)));
        }
        next
    }

    fn load(&mut self, open: &[(usize, Mode)]) {
        let mut wanted: Vec<usize> = Vec::new();
        for &(slot, _) in open {
            if std::mem::replace(&mut self.is_loaded[slot], true) {
                continue;
            }
            let is_installed = self.graph.slots[slot].about.is_some();
            if is_installed && (self.modules >= MOST_MODULES || self.bytes >= MOST_BYTES) {
                self.graph.doubts.over_limit += 1;
                continue;
            }
            self.modules += usize::from(is_installed);
            wanted.push(slot);
        }
        for (slot, sides) in self.read(&wanted) {
            self.enter(slot, sides);
        }
    }

    /// In parallel; the results in the order of the slots.
    fn read(&self, wanted: &[usize]) -> Vec<(usize, [Option<Arc<Loaded>>; 2])> {
        const SHARE: usize = 8;
        let next = AtomicUsize::new(0);
        let all = Mutex::new(Vec::with_capacity(wanted.len()));
        let work = || {
            while !self.cancel.is_cancelled() {
                let first = next.fetch_add(SHARE, Ordering::Relaxed);
                let last = wanted.len().min(first + SHARE);
                let Some(share) = wanted.get(first..last).filter(|it| !it.is_empty()) else {
                    break;
                };
                let read: Vec<_> =
                    share.iter().map(|&slot| (slot, self.scene.load(&self.files[slot]))).collect();
                all.lock().unwrap_or_else(PoisonError::into_inner).extend(read);
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 0..threads.min(wanted.len().div_ceil(SHARE)) {
                rb_lang::spawn(scope, work).expect("a thread can be started");
            }
        });
        let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.sort_by_key(|(slot, _)| *slot);
        all
    }

    fn enter(&mut self, slot: usize, [before, after]: [Option<Arc<Loaded>>; 2]) {
        let is_same = match (&before, &after) {
            (Some(before), Some(after)) => Arc::ptr_eq(before, after),
            (Some(_) | None, _) => false,
        };
        let before = before.map(|it| self.version(&it));
        let after = if is_same { before.clone() } else { after.map(|it| self.version(&it)) };
        self.graph.slots[slot].sides = [before, after];
    }

    fn version(&mut self, loaded: &Loaded) -> Arc<Version> {
        self.bytes += loaded.loads.bytes;
        self.graph.doubts.add(&loaded.doubts);
        let mut edges: Vec<Edge> = Vec::with_capacity(loaded.leads.len());
        for (file, is_later) in &loaded.leads {
            edges.push(Edge { to: self.place(file.clone()), is_later: *is_later });
        }
        edges.sort_unstable();
        edges.dedup();
        Arc::new(Version { loads: Arc::clone(&loaded.loads), edges })
    }
}
