//! The rank of files by the file graph (`PageRank`): which files everything leads to.
//!
//! From an even start, in a fixed order, on one thread: the same graph gives the same bits.

use super::{Graph, as_u32};

const DAMPING: f64 = 0.85;
/// How much all ranks together may still change; a file's own is some thousandths of that.
const TOLERANCE: f64 = 1e-8;
const MAX_ITERATIONS: usize = 50;

/// How likely a reader who follows edges by their weight, and now and then starts anew, is at each file. Sums to 1.
pub fn page_rank(graph: &Graph) -> Vec<f64> {
    let nodes = graph.nodes();
    if nodes == 0 {
        return Vec::new();
    }
    #[expect(clippy::cast_precision_loss, reason = "fewer files than a float can count")]
    let even = 1.0 / nodes as f64;
    let outgoing: Vec<f64> = (0..as_u32(nodes))
        .map(|node| graph.weights[graph.row(node)].iter().map(|&weight| f64::from(weight)).sum())
        .collect();
    let dangling: Vec<usize> = (0..nodes).filter(|&node| outgoing[node] == 0.0).collect();
    let incoming = graph.reversed();
    // Where the rank of each file comes from, and which share of its giver's it gets.
    let shares: Vec<(u32, f64)> = incoming
        .targets
        .iter()
        .zip(&incoming.weights)
        .map(|(&from, &weight)| (from, f64::from(weight) / outgoing[from as usize]))
        .collect();
    let mut rank = vec![even; nodes];
    let mut next = vec![0.0; nodes];
    for _ in 0..MAX_ITERATIONS {
        let spread: f64 = dangling.iter().map(|&node| rank[node]).sum();
        let base = (1.0 - DAMPING + DAMPING * spread) * even;
        let mut change = 0.0;
        for (node, next) in (0..).zip(&mut next) {
            let given: f64 = shares[incoming.row(node)]
                .iter()
                .map(|&(from, share)| rank[from as usize] * share)
                .sum();
            *next = base + DAMPING * given;
            change += (*next - rank[node as usize]).abs();
        }
        std::mem::swap(&mut rank, &mut next);
        if change < TOLERANCE {
            break;
        }
    }
    let sum: f64 = rank.iter().sum();
    rank.iter().map(|rank| rank / sum).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::super::tests::{graph, small_graphs};
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        let lines: Vec<String> = page_rank(&graph(text))
            .iter()
            .zip('a'..)
            .map(|(rank, name)| format!("{name} {rank:.4}"))
            .collect();
        expected.assert_eq(&lines.join("\n"));
    }

    #[test]
    fn ix10_rank_flows_to_what_is_used() {
        check(
            "a>c b>c c>d",
            &expect![[r"
            a 0.1251
            b 0.1251
            c 0.3377
            d 0.4121"]],
        );
        check(
            "a>b:9 a>c:1",
            &expect![[r"
            a 0.2597
            b 0.4584
            c 0.2818"]],
        );
        check(
            "a>b b>a",
            &expect![[r"
            a 0.5000
            b 0.5000"]],
        );
        check("", &expect![[""]]);
    }

    proptest! {
        #[test]
        fn ix10_ranks_sum_to_one_in_any_order((nodes, edges) in small_graphs(), turn in 0..12_u32) {
            let rank = page_rank(&Graph::new(nodes, edges.clone()));
            prop_assert!((rank.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let count = as_u32(nodes);
            let moved = |node: u32| (node + turn) % count;
            let turned = edges.iter().map(|&(from, to, weight)| (moved(from), moved(to), weight)).collect();
            let turned = page_rank(&Graph::new(nodes, turned));
            for node in 0..count {
                prop_assert!((rank[node as usize] - turned[moved(node) as usize]).abs() < TOLERANCE);
            }
        }
    }
}
