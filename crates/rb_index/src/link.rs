//! From the imports of a file to edges of the file graph.

use std::thread;

use rb_lang::{Import, ImportKind};

use crate::graph::Weight;
use crate::resolve::{Resolution, Resolver};
use crate::siblings::{Siblings, Wants};
use crate::store::{Edge, Link, Links, Outline};
use crate::tree::{FileId, Tree};

/// Made once for a tree, then asked for each file that is linked.
pub(crate) struct Linker<'t> {
    resolver: Resolver<'t>,
    siblings: &'t Siblings,
    /// The rows of the store, in the order of the tree.
    rows: &'t [i64],
}

impl<'t> Linker<'t> {
    pub(crate) fn new(tree: &'t Tree, rows: &'t [i64], siblings: &'t Siblings) -> Self {
        Linker { resolver: Resolver::new(tree), siblings, rows }
    }

    /// The links of the given files, in their order.
    pub(crate) fn link_all(&self, files: &[(FileId, &Outline)], threads: usize) -> Vec<Links> {
        let share = files.len().div_ceil(threads).max(64);
        let link = |files: &[(FileId, &Outline)]| -> Vec<Links> {
            files.iter().map(|&(file, outline)| self.link(file, outline)).collect()
        };
        if files.len() <= share {
            return link(files);
        }
        thread::scope(|scope| {
            let shares: Vec<_> =
                files.chunks(share).map(|share| scope.spawn(move || link(share))).collect();
            shares
                .into_iter()
                .flat_map(|share| {
                    share.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
                .collect()
        })
    }

    fn link(&self, from: FileId, outline: &Outline) -> Links {
        let mut edges = Vec::new();
        let mut imports = Vec::with_capacity(outline.imports.len());
        for (at, import) in outline.imports.iter().enumerate() {
            let resolution = self.resolver.resolve(from, import);
            if let Resolution::Inside(files) = &resolution {
                self.add_edges(from, (at, import), files, outline.wants.as_ref(), &mut edges);
            }
            imports.push(self.stored(resolution));
        }
        if let Some(wants) = &outline.wants {
            // Files of one package are one unit to their compiler: they cannot be in a cycle.
            for (to, count) in self.siblings.edges(from, wants) {
                edges.push(Edge {
                    to: self.row(to),
                    weight: Weight::Sibling { count }.value(),
                    eager: false,
                });
            }
        }
        edges.sort_unstable_by_key(|edge| edge.to);
        edges.dedup_by(|later, first| {
            let same = later.to == first.to;
            if same {
                first.weight += later.weight;
                first.eager |= later.eager;
            }
            same
        });
        Links { imports, edges }
    }

    fn add_edges(
        &self,
        from: FileId,
        (at, import): (usize, &Import),
        files: &[FileId],
        wants: Option<&Wants>,
        edges: &mut Vec<Edge>,
    ) {
        // A module that declares its parts loads nothing of them by that.
        let lazy = [ImportKind::TypeOnly, ImportKind::Dynamic, ImportKind::Module];
        let eager = !lazy.contains(&import.kind);
        let whole = Weight::Import { kind: import.kind, uses: import.uses };
        let mut add = |to: FileId, weight: Weight| {
            if to != from {
                edges.push(Edge { to: self.row(to), weight: weight.value(), eager });
            }
        };
        match (files, wants) {
            // A package of several files: the edge goes to those that declare what is used.
            ([_, _, ..], Some(wants)) => {
                for (to, uses) in self.siblings.narrow(files, wants.of_import(at, import)) {
                    let import = Weight::Import { kind: import.kind, uses };
                    add(to, if uses == 0 { Weight::PackageFile } else { import });
                }
            }
            _ => files.iter().for_each(|&to| add(to, whole)),
        }
    }

    fn stored(&self, resolution: Resolution) -> Link {
        match resolution {
            Resolution::Inside(files) => {
                Link::Inside(files.into_iter().map(|to| self.row(to)).collect())
            }
            Resolution::External(name) => Link::External(name),
            Resolution::Builtin => Link::Builtin,
            Resolution::Unresolved => Link::Unresolved,
        }
    }

    fn row(&self, file: FileId) -> i64 {
        self.rows[file.0 as usize]
    }
}
