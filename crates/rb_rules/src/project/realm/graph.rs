//! Who brings in whom when the program runs, while loading or later.

use std::cell::RefCell;

use rb_index::calls::FactsSource as _;
use rb_index::resolve::Resolution;
use rb_index::{FileId, View};
use rb_lang::ImportKind;
use rustc_hash::FxHashMap;

pub(super) struct Graph<'a> {
    view: &'a View<'a>,
    /// Sorted.
    loading: Vec<(FileId, FileId)>,
    /// The other edges, sorted: of types, or of imports that are made later.
    more: Vec<(FileId, FileId)>,
    /// What is imported later, found when a walk comes by: it takes the file's facts to tell it from types.
    later: RefCell<FxHashMap<FileId, Vec<FileId>>>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(view: &'a View<'a>) -> Graph<'a> {
        let loading = view.loading_edges();
        let mut more = view.edges();
        more.retain(|edge| loading.binary_search(edge).is_err());
        more.sort_unstable();
        Graph { view, loading, more, later: RefCell::default() }
    }

    /// All that `from` leads to, itself included, without entering what `is_closed` names.
    pub(super) fn reach(
        &self,
        from: impl Iterator<Item = FileId>,
        is_closed: impl Fn(FileId) -> bool,
    ) -> Vec<bool> {
        let mut walk =
            Walk { seen: vec![false; self.view.tree.files.len()], open: Vec::new(), is_closed };
        from.for_each(|id| walk.start(id));
        let mut waiting = Vec::new();
        loop {
            while let Some(id) = walk.open.pop() {
                targets(&self.loading, id).for_each(|to| walk.enter(to));
                waiting.push(id);
            }
            // Facts are dear: they are read last, and only where they may lead to something new.
            let Some(id) = waiting.pop() else { return walk.seen };
            if targets(&self.more, id).any(|to| walk.is_new(to)) {
                let mut later = self.later.borrow_mut();
                let later = later.entry(id).or_insert_with(|| self.imported_later(id));
                for &to in later.iter() {
                    walk.enter(to);
                }
            }
        }
    }

    fn imported_later(&self, id: FileId) -> Vec<FileId> {
        let Some(facts) = self.view.facts(id) else { return Vec::new() };
        let imports = facts.imports.iter().zip(self.view.resolutions(id));
        let later = imports.filter(|(import, _)| import.kind == ImportKind::Dynamic);
        let files = later.filter_map(|(_, to)| match to {
            Resolution::Inside(files) => Some(files.iter().copied()),
            Resolution::External(_) | Resolution::Builtin | Resolution::Unresolved => None,
        });
        files.flatten().collect()
    }
}

struct Walk<F> {
    seen: Vec<bool>,
    open: Vec<FileId>,
    is_closed: F,
}

impl<F: Fn(FileId) -> bool> Walk<F> {
    fn is_new(&self, id: FileId) -> bool {
        !self.seen[id.0 as usize] && !(self.is_closed)(id)
    }

    fn enter(&mut self, id: FileId) {
        if self.is_new(id) {
            self.start(id);
        }
    }

    fn start(&mut self, id: FileId) {
        self.seen[id.0 as usize] = true;
        self.open.push(id);
    }
}

/// Of the edges of one file, in a sorted list of all.
fn targets(edges: &[(FileId, FileId)], of: FileId) -> impl Iterator<Item = FileId> {
    let start = edges.partition_point(|(from, _)| *from < of);
    edges[start..].iter().take_while(move |(from, _)| *from == of).map(|(_, to)| *to)
}
