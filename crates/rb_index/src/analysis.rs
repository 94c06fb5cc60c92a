//! The results over all files: graph, rank, importance, cycles. Computed from the links in one go, cheap enough to be
//! done anew whenever a link changed, so that no result depends on the order of changes.

use rustc_hash::FxHashMap;

use crate::graph::{self, Cycle, Graph};
use crate::history::Activity;
use crate::importance::{self, Importance, Signals};
use crate::store::{FileRow, Load};
use crate::tree::{FileId, Tree};

pub(crate) struct Analysis {
    pub(crate) graph: Graph,
    /// How many files use each file.
    pub(crate) used_by: Vec<u32>,
    pub(crate) importance: Vec<Importance>,
    /// Most important first; what is trivial or generated last.
    pub(crate) order: Vec<FileId>,
    /// Of imports that hold while loading.
    pub(crate) cycles: Vec<Cycle>,
}

impl Analysis {
    pub(crate) fn of(rows: &[FileRow], tree: &Tree, activity: &Activity) -> Self {
        let graph = Graph::new(rows.len(), edges(rows, Load::Never));
        let eager = Graph::new(rows.len(), edges(rows, Load::First));
        let rank = graph::page_rank(&graph);
        let mut weights = activity.files.iter().peekable();
        let signals: Vec<Signals<'_>> = rows
            .iter()
            .zip(&tree.files)
            .zip(&rank)
            .map(|((row, file), &rank)| {
                // Both are sorted by path.
                while weights.next_if(|active| active.path < row.path).is_some() {}
                let activity = weights
                    .next_if(|active| active.path == row.path)
                    .map_or(0.0, |active| f64::from(active.weight));
                Signals {
                    path: &file.path,
                    lines: row.state.lines,
                    rank,
                    activity,
                    set_back: row.state.skipped.is_some()
                        || row.state.trivial.is_some()
                        || row.facts.is_none()
                        || row.state.language.is_none_or(|language| !language.is_read()),
                }
            })
            .collect();
        let importance = importance::score(&signals);
        let order = importance::order(&signals, &importance)
            .into_iter()
            .map(|at| FileId(u32::try_from(at).expect("fewer than four billion files")))
            .collect();
        Analysis {
            used_by: graph.in_degrees(),
            cycles: graph::cycles(&eager),
            graph,
            importance,
            order,
        }
    }
}

impl Analysis {
    /// Who uses whom, sorted.
    pub(crate) fn edges(&self) -> Vec<(FileId, FileId)> {
        (0..u32::try_from(self.graph.nodes()).expect("fewer than four billion files"))
            .map(FileId)
            .flat_map(|from| self.graph.targets(from).map(move |(to, _)| (from, to)))
            .collect()
    }
}

/// Who brings in whom when the program runs, sooner or later: types alone bring in nothing.
pub(crate) fn loading(rows: &[FileRow]) -> Vec<(FileId, FileId)> {
    let edges = edges(rows, Load::Later).into_iter();
    edges.map(|(from, to, _)| (FileId(from), FileId(to))).collect()
}

/// Who brings in whom while loading.
pub(crate) fn loading_first(rows: &[FileRow]) -> Vec<(FileId, FileId)> {
    let edges = edges(rows, Load::First).into_iter();
    let mut edges: Vec<_> = edges.map(|(from, to, _)| (FileId(from), FileId(to))).collect();
    edges.sort_unstable();
    edges
}

/// The edges that bring files in at least so early.
fn edges(rows: &[FileRow], at_least: Load) -> Vec<(u32, u32, f32)> {
    let place: FxHashMap<i64, u32> = rows.iter().map(|row| row.id).zip(0..).collect();
    let mut edges = Vec::new();
    for (from, row) in (0..).zip(rows) {
        let links = row.links.edges.iter().filter(|edge| edge.load >= at_least);
        // A row that is not there would be a fault of the store; the edge is then left out.
        edges.extend(links.filter_map(|edge| Some((from, *place.get(&edge.to)?, edge.weight))));
    }
    edges
}
