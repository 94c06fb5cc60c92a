//! Cycles of the file graph: strongly connected components, each with a short way round as an example.
//!
//! A chain of a hundred thousand files is no harder than any other graph: nothing here calls itself.

use super::{Graph, as_u32};
use crate::tree::FileId;

/// Files that all reach each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cycle {
    /// All of them, sorted.
    pub files: Vec<FileId>,
    /// A short way round, each file using the next and the last the first. It begins at its smallest file.
    pub example: Vec<FileId>,
    /// Edges between its files.
    pub edges: usize,
}

/// Groups of two and more files that reach each other, the largest first; equals in the order of their first file.
pub fn cycles(graph: &Graph) -> Vec<Cycle> {
    let component = components(graph);
    let mut members: Vec<(u32, u32)> =
        component.iter().zip(0..).map(|(&component, node)| (component, node)).collect();
    members.sort_unstable();
    let mut search = Search::new(graph, &component);
    let mut found: Vec<Cycle> = members
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|group| group.len() > 1)
        .map(|group| {
            let files: Vec<u32> = group.iter().map(|&(_, node)| node).collect();
            let inside = |node: u32| {
                graph
                    .targets_of(node)
                    .iter()
                    .filter(|&&to| component[to as usize] == group[0].0)
                    .count()
            };
            Cycle {
                edges: files.iter().map(|&node| inside(node)).sum(),
                example: search.shortest_cycle(&files).into_iter().map(FileId).collect(),
                files: files.into_iter().map(FileId).collect(),
            }
        })
        .collect();
    found.sort_by(|a, b| b.files.len().cmp(&a.files.len()).then(a.files[0].cmp(&b.files[0])));
    found
}

const UNSEEN: u32 = u32::MAX;

/// The strongly connected component of each node, by Tarjan's way without recursion.
fn components(graph: &Graph) -> Vec<u32> {
    let nodes = graph.nodes();
    let mut component = vec![UNSEEN; nodes];
    let mut order = vec![UNSEEN; nodes];
    let mut low = vec![0; nodes];
    let mut open = Vec::new();
    // The path being walked: a node, and the edge of its row to go on with.
    let mut path: Vec<(u32, usize)> = Vec::new();
    let mut seen = 0;
    let mut found = 0;
    for root in 0..as_u32(nodes) {
        if order[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (node, ref mut edge)) = path.last_mut() {
            let at = node as usize;
            if *edge == 0 && order[at] == UNSEEN {
                order[at] = seen;
                low[at] = seen;
                seen += 1;
                open.push(node);
            }
            if let Some(&to) = graph.targets_of(node).get(*edge) {
                *edge += 1;
                if order[to as usize] == UNSEEN {
                    path.push((to, 0));
                } else if component[to as usize] == UNSEEN {
                    low[at] = low[at].min(order[to as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[at]);
            }
            if low[at] == order[at] {
                while let Some(member) = open.pop() {
                    component[member as usize] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}

/// Looks for short cycles. The marks of one search are told from those of the last by the root, so that nothing is cleared.
struct Search<'a> {
    graph: &'a Graph,
    component: &'a [u32],
    /// The root from which a node was last reached, and the node before it on the way.
    reached: Vec<(u32, u32)>,
    queue: Vec<u32>,
}

/// Edges looked at for the example of one component; beyond that the shortest so far is taken. The first search is
/// always finished, and it finds a cycle.
const SEARCH_EFFORT: usize = 1_000_000;

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, component: &'a [u32]) -> Self {
        Search {
            graph,
            component,
            reached: vec![(UNSEEN, UNSEEN); graph.nodes()],
            queue: Vec::new(),
        }
    }

    /// `files` is one component, sorted. Roots are tried from the smallest on and only a shorter cycle replaces the
    /// best, so the answer begins at its own smallest file.
    fn shortest_cycle(&mut self, files: &[u32]) -> Vec<u32> {
        let mut best: Vec<u32> = Vec::new();
        let mut effort = 0;
        for &root in files {
            if best.len() == 2 || effort > SEARCH_EFFORT {
                break;
            }
            let limit = if best.is_empty() { usize::MAX } else { best.len() - 1 };
            if let Some(cycle) = self.cycle_through(root, limit, &mut effort) {
                best = cycle;
            }
        }
        best
    }

    /// The shortest way from `root` back to itself, breadth first, if it has no more than `limit` files.
    fn cycle_through(&mut self, root: u32, limit: usize, effort: &mut usize) -> Option<Vec<u32>> {
        self.queue.clear();
        self.queue.push(root);
        let (mut next, mut length) = (0, 1);
        while next < self.queue.len() && length <= limit {
            let level = self.queue.len();
            while next < level {
                let node = self.queue[next];
                next += 1;
                *effort += self.graph.targets_of(node).len();
                for &to in self.graph.targets_of(node) {
                    if to == root {
                        return Some(self.way_back(root, node));
                    }
                    let other = self.component[to as usize] != self.component[root as usize];
                    if !other && self.reached[to as usize].0 != root {
                        self.reached[to as usize] = (root, node);
                        self.queue.push(to);
                    }
                }
            }
            length += 1;
        }
        None
    }

    fn way_back(&self, root: u32, last: u32) -> Vec<u32> {
        let mut way = vec![last];
        let mut node = last;
        while node != root {
            node = self.reached[node as usize].1;
            way.push(node);
        }
        way.reverse();
        way
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::super::tests::{graph, small_graphs};
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        let letters = |files: &[FileId]| -> String {
            files.iter().map(|file| char::from(b'a' + u8::try_from(file.0).unwrap())).collect()
        };
        let lines: Vec<String> = cycles(&graph(text))
            .iter()
            .map(|cycle| {
                format!(
                    "{} by {} with {} edges",
                    letters(&cycle.files),
                    letters(&cycle.example),
                    cycle.edges
                )
            })
            .collect();
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn ix3_cycles_largest_first_with_a_short_way_round() {
        check(
            "f>g g>f a>b b>c c>a c>d d>c e>e h>a c>i",
            &expect![[r"
            abcd by cd with 5 edges
            fg by fg with 2 edges"]],
        );
        check("a>c c>b b>a", &expect!["abc by acb with 3 edges"]);
    }

    #[test]
    fn ix3_no_cycle() {
        check("a>b b>c a>c c>c", &expect![[""]]);
        check("", &expect![[""]]);
    }

    #[test]
    fn ix3_a_deep_chain_is_walked_without_recursion() {
        let nodes = 200_000;
        let mut edges: Vec<_> = (0..nodes - 1).map(|node| (node, node + 1, 1.0)).collect();
        assert_eq!(cycles(&Graph::new(nodes as usize, edges.clone())), []);
        edges.push((nodes - 1, 0, 1.0));
        let found = cycles(&Graph::new(nodes as usize, edges));
        assert_eq!((found.len(), found[0].example.len()), (1, nodes as usize));
    }

    /// The length of the shortest way from each node to each, the slow way; `FAR` where there is none.
    fn distances(nodes: usize, edges: &[(u32, u32, f32)]) -> Vec<Vec<usize>> {
        let mut distances = vec![vec![FAR; nodes]; nodes];
        for &(from, to, _) in edges.iter().filter(|edge| edge.0 != edge.1) {
            distances[from as usize][to as usize] = 1;
        }
        for middle in 0..nodes {
            for from in 0..nodes {
                for to in 0..nodes {
                    let way = distances[from][middle] + distances[middle][to];
                    distances[from][to] = distances[from][to].min(way);
                }
            }
        }
        distances
    }

    const FAR: usize = 1000;

    proptest! {
        #[test]
        fn ix3_cycles_are_what_reaches_itself((nodes, edges) in small_graphs()) {
            let found = cycles(&Graph::new(nodes, edges.clone()));
            let distances = distances(nodes, &edges);
            let mut of = vec![None; nodes];
            for (number, cycle) in found.iter().enumerate() {
                for file in &cycle.files {
                    of[file.0 as usize] = Some(number);
                }
                let next = cycle.example.iter().cycle().skip(1);
                for (from, to) in cycle.example.iter().zip(next) {
                    prop_assert!(edges.iter().any(|edge| (edge.0, edge.1) == (from.0, to.0)));
                }
                prop_assert_eq!(cycle.example.iter().min(), cycle.example.first());
                let shortest = cycle.files.iter().map(|file| distances[file.0 as usize][file.0 as usize]).min();
                prop_assert_eq!(Some(cycle.example.len()), shortest);
            }
            for a in 0..nodes {
                for b in (0..nodes).filter(|&b| b != a) {
                    let reach = distances[a][b] < FAR && distances[b][a] < FAR;
                    prop_assert_eq!(reach, of[a].is_some() && of[a] == of[b]);
                }
            }
        }
    }
}
