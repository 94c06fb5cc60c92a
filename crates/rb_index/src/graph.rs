//! The file graph: who uses whom and how much, in compressed rows.
//!
//! Edges point from the file that uses to the file that is used, so that rank flows to what is used. What weighs how
//! much is said in one place, `Weight`. A graph knows nothing of kinds of edges: whoever looks for cycles builds
//! a graph without type-only and dynamic imports, `mod x;` and siblings, since a circle of these is no fault.

mod cycles;
mod page_rank;

use rb_lang::ImportKind;

pub use self::cycles::{Cycle, cycles};
pub use self::page_rank::page_rank;
use crate::tree::FileId;

/// How much an edge weighs. Uses count with their logarithm: the tenth use says less than the first.
///
/// | edge | weight |
/// |---|---|
/// | import | 1 + ln(1 + uses) |
/// | type-only import | half of that |
/// | re-export | 0.5 + ln(1 + uses) |
/// | `mod x;` | 0.2 |
/// | whole package, and nothing says which of its files | 0.2 |
/// | sibling: seen without an import | 0.5 × (1 + ln(count)) |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Import { kind: ImportKind, uses: u32 },
    PackageFile,
    Sibling { count: u32 },
}

impl Weight {
    #[expect(clippy::cast_precision_loss, reason = "a count of uses, put through a logarithm")]
    pub fn value(self) -> f32 {
        let used = |uses: u32| (1.0 + uses as f32).ln();
        match self {
            Weight::Import { kind, uses } => match kind {
                ImportKind::TypeOnly => 0.5 * (1.0 + used(uses)),
                ImportKind::ReExport => 0.5 + used(uses),
                ImportKind::Module => 0.2,
                ImportKind::Static
                | ImportKind::Dynamic
                | ImportKind::Require
                | ImportKind::Include
                | ImportKind::SystemInclude => 1.0 + used(uses),
            },
            Weight::PackageFile => 0.2,
            Weight::Sibling { count } => 0.5 * (1.0 + (count.max(1) as f32).ln()),
        }
    }
}

/// A directed graph with weights. Node `n` is the file `FileId(n)`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Graph {
    /// Where the row of each node begins in `targets`; one more than there are nodes.
    offsets: Vec<u32>,
    targets: Vec<u32>,
    weights: Vec<f32>,
}

impl Graph {
    /// `edges` are `(from, to, weight)` in any order; parallel ones are added up. Edges of a file to itself, and edges
    /// whose weight is not a number above zero, say nothing and are left out.
    pub fn new(nodes: usize, mut edges: Vec<(u32, u32, f32)>) -> Graph {
        edges.retain(|&(from, to, weight)| from != to && weight > 0.0 && weight.is_finite());
        // By weight too: the sum of parallel edges must not depend on the order in which they came.
        edges.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        edges.dedup_by(|next, kept| {
            let parallel = (next.0, next.1) == (kept.0, kept.1);
            if parallel {
                kept.2 += next.2;
            }
            parallel
        });
        let mut offsets = vec![0; nodes + 1];
        for &(from, to, _) in &edges {
            assert!((to as usize) < nodes, "an edge leads to a node of the graph");
            offsets[from as usize + 1] += 1;
        }
        for node in 0..nodes {
            offsets[node + 1] += offsets[node];
        }
        Graph {
            offsets,
            targets: edges.iter().map(|edge| edge.1).collect(),
            weights: edges.iter().map(|edge| edge.2).collect(),
        }
    }

    pub fn nodes(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    pub fn edges(&self) -> usize {
        self.targets.len()
    }

    /// What `node` uses, sorted.
    pub fn targets(&self, node: FileId) -> impl ExactSizeIterator<Item = (FileId, f32)> + '_ {
        let row = self.row(node.0);
        self.targets[row.clone()]
            .iter()
            .map(|&to| FileId(to))
            .zip(self.weights[row].iter().copied())
    }

    pub fn out_degree(&self, node: FileId) -> usize {
        self.row(node.0).len()
    }

    /// How many files use each file.
    pub fn in_degrees(&self) -> Vec<u32> {
        let mut degrees = vec![0; self.nodes()];
        for &to in &self.targets {
            degrees[to as usize] += 1;
        }
        degrees
    }

    /// The same graph with every edge turned around.
    pub fn reversed(&self) -> Graph {
        let mut offsets = vec![0; self.nodes() + 1];
        for &to in &self.targets {
            offsets[to as usize + 1] += 1;
        }
        for node in 0..self.nodes() {
            offsets[node + 1] += offsets[node];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0; self.edges()];
        let mut weights = vec![0.0; self.edges()];
        for from in 0..as_u32(self.nodes()) {
            for edge in self.row(from) {
                let slot = &mut next[self.targets[edge] as usize];
                targets[*slot as usize] = from;
                weights[*slot as usize] = self.weights[edge];
                *slot += 1;
            }
        }
        Graph { offsets, targets, weights }
    }

    fn row(&self, node: u32) -> std::ops::Range<usize> {
        self.offsets[node as usize] as usize..self.offsets[node as usize + 1] as usize
    }

    fn targets_of(&self, node: u32) -> &[u32] {
        &self.targets[self.row(node)]
    }
}

fn as_u32(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than four billion files")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `a>b a>b:2.5`: edges between files that are named by letters, with weight 1 unless it is given.
    pub(super) fn graph(text: &str) -> Graph {
        let number = |name: &str| u32::from(name.as_bytes()[0] - b'a');
        let edges: Vec<_> = text
            .split_whitespace()
            .map(|edge| {
                let (edge, weight) = edge.split_once(':').unwrap_or((edge, "1"));
                let (from, to) = edge.split_once('>').unwrap();
                (number(from), number(to), weight.parse().unwrap())
            })
            .collect();
        let nodes = edges.iter().map(|edge| edge.0.max(edge.1) + 1).max().unwrap_or(0);
        Graph::new(nodes as usize, edges)
    }

    pub(super) fn small_graphs() -> impl Strategy<Value = (usize, Vec<(u32, u32, f32)>)> {
        (1..12_u32).prop_flat_map(|nodes| {
            let edge = (0..nodes, 0..nodes, 0.1..5.0_f32);
            (Just(nodes as usize), proptest::collection::vec(edge, 0..30))
        })
    }

    #[test]
    fn ix3_parallel_edges_add_up_and_loops_go() {
        let graph = graph("a>b a>a a>b:2 b>a:0 a>c:NaN");
        let edges: Vec<_> = graph.targets(FileId(0)).collect();
        assert_eq!(edges, [(FileId(1), 3.0)]);
        assert_eq!((graph.nodes(), graph.edges(), graph.out_degree(FileId(1))), (3, 1, 0));
        assert_eq!(graph.in_degrees(), [0, 1, 0]);
    }

    #[test]
    fn ix3_weights() {
        let shown = |weight: Weight| format!("{:.2}", weight.value());
        let import = |kind, uses| shown(Weight::Import { kind, uses });
        assert_eq!(import(ImportKind::Static, 0), "1.00");
        assert_eq!(import(ImportKind::Static, 9), "3.30");
        assert_eq!(import(ImportKind::TypeOnly, 9), "1.65");
        assert_eq!(import(ImportKind::ReExport, 0), "0.50");
        assert_eq!(import(ImportKind::Module, 9), "0.20");
        assert_eq!(shown(Weight::PackageFile), "0.20");
        assert_eq!(shown(Weight::Sibling { count: 1 }), "0.50");
        assert_eq!(shown(Weight::Sibling { count: 10 }), "1.65");
    }

    proptest! {
        #[test]
        fn ix3_reversed_twice_is_the_same((nodes, edges) in small_graphs()) {
            let graph = Graph::new(nodes, edges);
            let reversed = graph.reversed();
            prop_assert_eq!(reversed.edges(), graph.edges());
            prop_assert_eq!((0..as_u32(nodes)).map(|node| reversed.out_degree(FileId(node))).collect::<Vec<_>>(), graph.in_degrees().iter().map(|&degree| degree as usize).collect::<Vec<_>>());
            prop_assert_eq!(reversed.reversed(), graph);
        }
    }
}
