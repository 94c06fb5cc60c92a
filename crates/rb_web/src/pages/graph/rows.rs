//! Which box stands above which: those that import above those that are imported.

use super::folders::cycles;

/// The most boxes side by side.
const MOST: usize = 8;
/// How often each row is sorted by the rows around it.
const SWEEPS: usize = 6;

/// An edge from the one to the other, and how much it weighs.
pub(super) type Weighted = (usize, usize, u64);

/// The nodes that have an edge, row by row from the top.
pub(super) fn rows(nodes: usize, edges: &[Weighted]) -> Vec<Vec<usize>> {
    let rank = ranks(nodes, edges);
    let mut is_linked = vec![false; nodes];
    for &(from, to, _) in edges {
        is_linked[from] = true;
        is_linked[to] = true;
    }
    let last = rank.iter().copied().max().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for height in 0..=last {
        let is_here = |node: &usize| is_linked[*node] && rank[*node] == height;
        let row: Vec<usize> = (0..nodes).filter(is_here).collect();
        rows.extend(row.chunks(MOST).map(<[usize]>::to_vec));
    }
    for _ in 0..SWEEPS {
        straighten(&mut rows, nodes, edges);
    }
    rows
}

/// How far down each node stands. A group starts below all that import it; in the group the order of its nodes decides.
fn ranks(nodes: usize, edges: &[Weighted]) -> Vec<usize> {
    let group = groups(nodes, edges);
    let place = places(nodes, edges);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    (0..nodes).for_each(|node| members[group[node]].push(node));
    for list in &mut members {
        list.sort_by_key(|&node| place[node]);
    }
    let height = |group: usize| members[group].len().div_ceil(per_row(members[group].len()));
    let mut start = vec![0; nodes];
    // No way leads round between groups, so that it settles after as many rounds as there are groups.
    for _ in 0..nodes {
        let mut is_settled = true;
        for &(from, to, _) in edges {
            let (from, to) = (group[from], group[to]);
            let least = start[from] + height(from);
            if from != to && start[to] < least {
                start[to] = least;
                is_settled = false;
            }
        }
        if is_settled {
            break;
        }
    }
    let mut rank = vec![0; nodes];
    for (group, list) in members.iter().enumerate() {
        for (at, &node) in list.iter().enumerate() {
            rank[node] = start[group] + at / per_row(list.len());
        }
    }
    rank
}

/// The nodes of a group side by side: about as many as there are rows, and a few more, because screens are wide.
fn per_row(members: usize) -> usize {
    (1..MOST).find(|count| count * count >= members * 2).unwrap_or(MOST)
}

/// Nodes that reach each other have the same number.
fn groups(nodes: usize, edges: &[Weighted]) -> Vec<usize> {
    let mut group: Vec<usize> = (0..nodes).collect();
    for cycle in cycles(nodes, edges.iter().map(|&(from, to, _)| (from, to))) {
        let first = cycle.files[0].0 as usize;
        cycle.files.iter().for_each(|id| group[id.0 as usize] = first);
    }
    group
}

/// Where each node stands in an order that few imports contradict: those that import most come first, then each is moved to where
/// it contradicts least.
fn places(nodes: usize, edges: &[Weighted]) -> Vec<usize> {
    let mut weight = vec![vec![0_i64; nodes]; nodes];
    for &(from, to, imports) in edges {
        weight[from][to] += i64::try_from(imports).unwrap_or(i64::MAX / 4096);
    }
    let balance = |node: usize| -> i64 {
        (0..nodes).map(|other| weight[other][node] - weight[node][other]).sum()
    };
    let mut order: Vec<usize> = (0..nodes).collect();
    order.sort_by_key(|&node| (balance(node), node));
    for _ in 0..SWEEPS {
        for node in 0..nodes {
            settle(&mut order, node, &weight);
        }
    }
    let mut place = vec![0; nodes];
    order.iter().enumerate().for_each(|(at, &node)| place[node] = at);
    place
}

/// Moves a node to its best place, the first of several.
fn settle(order: &mut Vec<usize>, node: usize, weight: &[Vec<i64>]) {
    order.retain(|&other| other != node);
    // What contradicts if it stands first: all that import it. Each step down lets one of them pass.
    let mut cost: i64 = order.iter().map(|&other| weight[other][node]).sum();
    let mut best = (cost, 0);
    for (at, &other) in order.iter().enumerate() {
        cost += weight[node][other] - weight[other][node];
        best = best.min((cost, at + 1));
    }
    order.insert(best.1, node);
}

/// Moves each box towards the middle of those that it is linked with.
fn straighten(rows: &mut [Vec<usize>], nodes: usize, edges: &[Weighted]) {
    let mut column = vec![0.0; nodes];
    for row in rows.iter() {
        place(row, &mut column);
    }
    for row in rows.iter_mut() {
        let mut wanted: Vec<(f64, usize)> = row
            .iter()
            .map(|&node| {
                let linked = edges.iter().filter_map(|&(from, to, weight)| match node {
                    node if node == from => Some((to, weight)),
                    node if node == to => Some((from, weight)),
                    _ => None,
                });
                let (sum, weights) = linked.fold((0.0, 0.0), |(sum, weights), (other, weight)| {
                    #[expect(clippy::cast_precision_loss, reason = "a weight")]
                    let weight = (weight as f64).ln_1p();
                    (sum + column[other] * weight, weights + weight)
                });
                (if weights > 0.0 { sum / weights } else { column[node] }, node)
            })
            .collect();
        wanted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        *row = wanted.into_iter().map(|(_, node)| node).collect();
        place(row, &mut column);
    }
}

/// Where the boxes of a row stand, with zero in the middle.
#[expect(clippy::cast_precision_loss, reason = "at most eight boxes")]
fn place(row: &[usize], column: &mut [f64]) {
    let middle = (row.len() as f64 - 1.0) / 2.0;
    for (at, &node) in row.iter().enumerate() {
        column[node] = at as f64 - middle;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `a>b b>c`
    fn shown(text: &str) -> Vec<String> {
        let node = |name: &str| usize::from(name.as_bytes()[0] - b'a');
        let edges: Vec<Weighted> = text
            .split_whitespace()
            .map(|edge| edge.split_once('>').unwrap())
            .map(|(from, to)| (node(from), node(to), 1))
            .collect();
        let letter = |node: usize| char::from(b'a' + u8::try_from(node).unwrap());
        rows(26, &edges).iter().map(|row| row.iter().map(|&node| letter(node)).collect()).collect()
    }

    #[test]
    fn ux4_those_that_import_stand_above_and_a_cycle_is_cut_where_it_is_weakest() {
        assert_eq!(shown("a>b b>c a>c"), ["a", "b", "c"]);
        assert_eq!(shown("a>b b>a b>c"), ["ab", "c"]);
        let ring = "a>b b>c c>d d>e e>f f>g g>h h>i i>a i>a i>a";
        assert_eq!(shown(ring), ["cdefg", "abhi"]);
        assert_eq!(shown("a>c b>d"), ["ab", "cd"]);
        assert_eq!(shown("a>d b>c"), ["ba", "cd"]);
        assert_eq!(shown(""), [""; 0]);
    }

    #[test]
    fn ux4_a_long_row_is_broken() {
        let star: Vec<String> = ('b'..='k').map(|name| format!("a>{name}")).collect();
        assert_eq!(shown(&star.join(" ")), ["a", "bcdefghi", "jk"]);
    }

    proptest! {
        #[test]
        fn ux4_without_a_cycle_every_edge_leads_down(
            edges in proptest::collection::vec((0..20_usize, 1..20_usize, 1..9_u64), 0..60)
        ) {
            let edges: Vec<Weighted> = edges.into_iter().filter(|edge| edge.0 < edge.1).collect();
            let rows = rows(20, &edges);
            let row = |node: usize| rows.iter().position(|row| row.contains(&node)).unwrap();
            for &(from, to, _) in &edges {
                prop_assert!(row(from) < row(to));
            }
            prop_assert!(rows.iter().all(|row| row.len() <= MOST));
        }
    }
}
