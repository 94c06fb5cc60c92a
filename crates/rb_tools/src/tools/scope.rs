//! The call graph of a few files: those that declare something, and those near enough to call it or be called by it.
//!
//! Calls are looked up among these files alone, so that a large repository costs no more than a small one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rb_index::calls::{CallGraph, FactsSource, NodeId, call_graph};
use rb_index::resolve::Resolution;
use rb_index::{FileId, View};
use rb_lang::{Facts, Symbol};

use super::symbols;
use crate::toolbox::{Repository, ToolError};

/// The facts of the files that are looked at.
pub(crate) struct Scope<'v> {
    view: &'v View<'v>,
    facts: BTreeMap<FileId, Arc<Facts>>,
    /// Files that are near, too, and were not looked at because there are too many.
    pub(crate) left_out: usize,
}

/// The most files that are looked at.
const MOST_FILES: usize = 400;
/// How many barrels in a row are followed.
const BARRELS: usize = 3;

impl<'v> Scope<'v> {
    /// These files and those that use them.
    pub(crate) fn of_users(
        on: Repository<'_>,
        view: &'v View<'v>,
        files: &BTreeSet<FileId>,
    ) -> Result<Scope<'v>, ToolError> {
        Scope::load(on, view, files, users(view, files))
    }

    /// These files and what they use, directly or by one more step.
    pub(crate) fn of_used(
        on: Repository<'_>,
        view: &'v View<'v>,
        files: &BTreeSet<FileId>,
    ) -> Result<Scope<'v>, ToolError> {
        let used = |of: &BTreeSet<FileId>| -> BTreeSet<FileId> {
            of.iter().flat_map(|&file| view.graph().targets(file)).map(|(to, _)| to).collect()
        };
        let near = used(files);
        let far = used(&near);
        let mut all = by_importance(view, &near);
        all.extend(by_importance(view, &far).into_iter().filter(|file| !near.contains(file)));
        Scope::load(on, view, files, all)
    }

    fn load(
        on: Repository<'_>,
        view: &'v View<'v>,
        files: &BTreeSet<FileId>,
        near: Vec<FileId>,
    ) -> Result<Scope<'v>, ToolError> {
        let near: Vec<FileId> = near.into_iter().filter(|file| !files.contains(file)).collect();
        let left_out = near.len().saturating_sub(MOST_FILES);
        let mut facts = BTreeMap::new();
        for file in files.iter().copied().chain(near.into_iter().take(MOST_FILES)) {
            if on.cancel.is_cancelled() {
                return Err(ToolError::Interrupted);
            }
            if let Some(of_file) = view.read_facts(file)? {
                facts.insert(file, Arc::new(of_file));
            }
        }
        Ok(Scope { view, facts, left_out })
    }

    pub(crate) fn graph(&self) -> CallGraph {
        call_graph(self.view.tree, self)
    }

    pub(crate) fn files(&self) -> usize {
        self.facts.len()
    }

    pub(crate) fn symbols(&self, file: FileId) -> &[Symbol] {
        self.facts.get(&file).map_or(&[], |facts| facts.symbols.as_slice())
    }

    /// The symbol of a node, with its place in its file; `None` for the top level.
    pub(crate) fn symbol(&self, graph: &CallGraph, node: NodeId) -> Option<(u32, &Symbol)> {
        let index = graph.symbol(node)?;
        let symbol = self.symbols(graph.file(node)).get(usize::try_from(index).ok()?)?;
        Some((index, symbol))
    }

    /// `Store.get`; `None` for the top level of a file.
    pub(crate) fn name(&self, graph: &CallGraph, node: NodeId) -> Option<String> {
        let symbols = self.symbols(graph.file(node));
        Some(symbols::qualified(symbols, graph.symbol(node)?))
    }
}

impl FactsSource for Scope<'_> {
    fn facts(&self, id: FileId) -> Option<Arc<Facts>> {
        self.facts.get(&id).cloned()
    }

    fn resolutions(&self, id: FileId) -> &[Resolution] {
        self.view.resolutions(id)
    }
}

/// The files that use some files, the most important first. Who imports a barrel uses what it gives on.
pub(crate) fn users(view: &View<'_>, files: &BTreeSet<FileId>) -> Vec<FileId> {
    let edges = view.edges();
    let mut found: BTreeSet<FileId> = BTreeSet::new();
    let mut used = files.clone();
    for _ in 0..=BARRELS {
        let users: BTreeSet<FileId> = edges
            .iter()
            .filter(|(from, to)| used.contains(to) && !found.contains(from))
            .map(|(from, _)| *from)
            .collect();
        used = users.iter().copied().filter(|&file| is_barrel(view, file)).collect();
        found.extend(users);
        if used.is_empty() {
            break;
        }
    }
    by_importance(view, &found)
}

/// Does a file give on what it imports? Told by what it holds, and by names that are used for nothing else.
fn is_barrel(view: &View<'_>, file: FileId) -> bool {
    let file = view.tree.get(file);
    let name = file.path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    file.marks.only_reexports || matches!(stem, "__init__" | "index" | "mod" | "lib")
}

fn by_importance(view: &View<'_>, files: &BTreeSet<FileId>) -> Vec<FileId> {
    view.by_importance().iter().copied().filter(|file| files.contains(file)).collect()
}

/// The place of each file among all, from the most important to the least.
pub(crate) fn places(view: &View<'_>) -> Vec<usize> {
    let mut places = vec![0; view.tree.files.len()];
    for (place, file) in view.by_importance().iter().enumerate() {
        places[file.0 as usize] = place;
    }
    places
}
