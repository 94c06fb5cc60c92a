//! From the imports of a file to edges of the file graph.

use std::thread;

use rb_lang::{Import, ImportKind};

use crate::graph::Weight;
use crate::resolve::{Resolution, Resolver};
use crate::siblings::{Siblings, Wants};
use crate::store::{Edge, Link, Links, Load, Outline};
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
        let resolve = |import| self.resolver.resolve(from, import);
        let resolutions: Vec<Resolution> = outline.imports.iter().map(resolve).collect();
        let edges =
            outline.wants.as_ref().map(|wants| self.edges(from, outline, &resolutions, wants));
        let imports: Vec<Link> = resolutions.into_iter().map(|to| self.stored(to)).collect();
        let edges =
            edges.unwrap_or_else(|| edges_of_imports(self.row(from), &outline.imports, &imports));
        Links { imports, edges }
    }

    /// Of a file that sees others without an import.
    fn edges(
        &self,
        from: FileId,
        outline: &Outline,
        resolutions: &[Resolution],
        wants: &Wants,
    ) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (at, (import, to)) in outline.imports.iter().zip(resolutions).enumerate() {
            let Resolution::Inside(files) = to else { continue };
            let mut add = |to: FileId, weight: Weight| {
                if to != from {
                    edges.push(edge(self.row(to), import, weight));
                }
            };
            match files.as_slice() {
                // A package of several files: the edge goes to those that declare what is used.
                [_, _, ..] => {
                    for (to, uses) in self.siblings.narrow(files, wants.of_import(at, import)) {
                        let import = Weight::Import { kind: import.kind, uses };
                        add(to, if uses == 0 { Weight::PackageFile } else { import });
                    }
                }
                files => files.iter().for_each(|&to| add(to, whole(import))),
            }
        }
        // Files of one package are one unit to their compiler: they cannot be in a cycle.
        for (to, count) in self.siblings.edges(from, wants) {
            let weight = Weight::Sibling { count }.value();
            edges.push(Edge { to: self.row(to), weight, load: Load::Later });
        }
        once_each(edges)
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

/// The edges of a file that sees of others what it imports and nothing else: they follow from where its imports lead.
pub(crate) fn edges_of_imports(from: i64, imports: &[Import], links: &[Link]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (import, link) in imports.iter().zip(links) {
        let Link::Inside(files) = link else { continue };
        let others = files.iter().filter(|&&to| to != from);
        edges.extend(others.map(|&to| edge(to, import, whole(import))));
    }
    once_each(edges)
}

fn whole(import: &Import) -> Weight {
    Weight::Import { kind: import.kind, uses: import.uses }
}

fn edge(to: i64, import: &Import, weight: Weight) -> Edge {
    let load = match import.kind {
        ImportKind::TypeOnly => Load::Never,
        // A module that declares its parts loads nothing of them by that.
        ImportKind::Dynamic | ImportKind::Module => Load::Later,
        ImportKind::Static
        | ImportKind::Require
        | ImportKind::ReExport
        | ImportKind::Include
        | ImportKind::SystemInclude => Load::First,
    };
    Edge { to, weight: weight.value(), load }
}

fn once_each(mut edges: Vec<Edge>) -> Vec<Edge> {
    edges.sort_by_key(|edge| edge.to);
    edges.dedup_by(|later, first| {
        let same = later.to == first.to;
        if same {
            first.weight += later.weight;
            first.load = first.load.max(later.load);
        }
        same
    });
    edges
}
