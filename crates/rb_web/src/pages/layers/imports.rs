//! How many imports lead from one layer to another.

use std::collections::BTreeMap;

use rb_index::architecture::Layering;
use rb_index::role::Role;
use rb_index::{FileId, View};

/// Counted over the files of the product, as the layers were.
pub(super) struct LayerImports {
    counts: BTreeMap<(usize, usize), u64>,
}

impl LayerImports {
    pub(super) fn of(view: &View<'_>, layering: &Layering) -> LayerImports {
        let mut layer_of: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, layer) in layering.layers.iter().enumerate() {
            layer_of.extend(layer.folders.iter().map(|folder| (folder.path.as_str(), at)));
        }
        let layer = |id: FileId| {
            let file = view.tree.get(id);
            let is_counted = Role::of(&file.path) == Role::Product;
            let folders = file.path.rmatch_indices('/').map(|(at, _)| &file.path[..at]);
            let mut layers = folders.filter_map(|folder| layer_of.get(folder));
            layers.next().copied().filter(|_| is_counted)
        };
        let layers: Vec<Option<usize>> = view.tree.ids().map(layer).collect();
        let mut counts = BTreeMap::new();
        for (from, to) in view.edges() {
            if let (Some(from), Some(to)) = (layers[from.0 as usize], layers[to.0 as usize])
                && from != to
            {
                *counts.entry((from, to)).or_default() += 1;
            }
        }
        LayerImports { counts }
    }

    /// To layers below.
    pub(super) fn down(&self, layer: usize) -> u64 {
        self.sum(|from, to| from == layer && to > layer)
    }

    /// To layers above.
    pub(super) fn up(&self, layer: usize) -> u64 {
        self.sum(|from, to| from == layer && to < layer)
    }

    /// From, to and how many; in the order of the layers.
    pub(super) fn between(&self) -> Vec<(usize, usize, u64)> {
        self.counts.iter().map(|(&(from, to), &count)| (from, to, count)).collect()
    }

    fn sum(&self, is_meant: impl Fn(usize, usize) -> bool) -> u64 {
        let counts = self.counts.iter().filter(|(ends, _)| is_meant(ends.0, ends.1));
        counts.map(|(_, count)| count).sum()
    }
}
