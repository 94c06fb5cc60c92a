//! Which node stands in which row, and in which place there.
//!
//! A node stands one row below the lowest that leads on to it: the longest way over edges that go forward in the order of the
//! nodes. Within a row nodes stand so that edges from row to row cross little.

use super::Drawing;
use super::words::wrap;
use crate::graph::END;

/// Words of a condition are broken into lines of so many letters.
const LABEL: usize = 24;
/// The order within rows is improved so often.
const SWEEPS: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Plain,
    /// A person may have to say something here.
    Waits,
    End,
}

#[derive(Debug)]
pub(super) struct Placed {
    pub(super) name: &'static str,
    pub(super) does: &'static str,
    pub(super) shape: Shape,
    pub(super) rank: usize,
    /// From the left.
    pub(super) place: usize,
}

/// All edges of one kind between the same two nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Join {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Lines.
    pub(super) label: Vec<String>,
    pub(super) is_limited: bool,
}

#[derive(Debug)]
pub(super) struct Ranks {
    pub(super) nodes: Vec<Placed>,
    pub(super) joins: Vec<Join>,
    /// The nodes of each row from the left.
    pub(super) rows: Vec<Vec<usize>>,
}

impl Ranks {
    /// Does it lead to the next row?
    pub(super) fn is_direct(&self, join: &Join) -> bool {
        self.nodes[join.to].rank == self.nodes[join.from].rank + 1
    }

    /// Does it lead up, or to its own row?
    pub(super) fn is_back(&self, join: &Join) -> bool {
        self.nodes[join.to].rank <= self.nodes[join.from].rank
    }
}

/// An edge that leads to no node is not drawn; `Graph::faults` tells of it.
pub(super) fn of(drawing: &Drawing) -> Ranks {
    let mut nodes: Vec<Placed> = drawing
        .nodes
        .iter()
        .map(|node| Placed {
            name: node.name,
            does: node.does,
            shape: if node.waits { Shape::Waits } else { Shape::Plain },
            rank: 0,
            place: 0,
        })
        .collect();
    if drawing.edges.iter().any(|edge| edge.to == END) {
        nodes.push(Placed { name: END, does: "", shape: Shape::End, rank: 0, place: 0 });
    }
    let joins = joins(drawing, &nodes);
    rank(&mut nodes, &joins);
    let last = nodes.iter().map(|node| node.rank).max().map_or(0, |rank| rank + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); last];
    for (at, node) in nodes.iter().enumerate() {
        rows[node.rank].push(at);
    }
    let mut ranks = Ranks { nodes, joins, rows };
    number(&mut ranks);
    for sweep in 0..SWEEPS {
        order(&mut ranks, sweep % 2 == 0);
    }
    ranks
}

fn joins(drawing: &Drawing, nodes: &[Placed]) -> Vec<Join> {
    let place = |name: &str| nodes.iter().position(|node| node.name == name);
    let mut joins: Vec<Join> = Vec::new();
    for edge in &drawing.edges {
        let (Some(from), Some(to)) = (place(edge.from), place(edge.to)) else { continue };
        let same = |it: &&mut Join| (it.from, it.to, it.is_limited) == (from, to, edge.is_limited);
        let more = edge.when.map(|words| wrap(words, LABEL));
        match joins.iter_mut().find(same) {
            Some(join) => {
                if let Some(last) = join.label.last_mut() {
                    last.push(',');
                }
                join.label.extend(more.unwrap_or_else(|| vec!["otherwise".to_owned()]));
            }
            None => joins.push(Join {
                from,
                to,
                label: more.unwrap_or_default(),
                is_limited: edge.is_limited,
            }),
        }
    }
    joins
}

/// The longest way to each node. One that nothing leads on to stands below the node before it; the end is last.
fn rank(nodes: &mut [Placed], joins: &[Join]) {
    for at in 1..nodes.len() {
        let before = joins.iter().filter(|join| join.to == at && join.from < at);
        let lowest = before.map(|join| nodes[join.from].rank).max();
        nodes[at].rank = lowest.unwrap_or(nodes[at - 1].rank) + 1;
    }
    if let Some((end, others)) = nodes.split_last_mut()
        && end.shape == Shape::End
    {
        end.rank = others.iter().map(|node| node.rank + 1).max().unwrap_or(0);
    }
}

fn number(ranks: &mut Ranks) {
    for row in &ranks.rows {
        for (place, &at) in row.iter().enumerate() {
            ranks.nodes[at].place = place;
        }
    }
}

/// Puts each node near the middle of those that it is joined with in the row before, or in the row after.
fn order(ranks: &mut Ranks, is_down: bool) {
    let rows = ranks.rows.len();
    let way: Vec<usize> = if is_down { (0..rows).collect() } else { (0..rows).rev().collect() };
    for rank in way {
        let key = |&at: &usize| {
            let direct = ranks.joins.iter().filter(|join| ranks.is_direct(join));
            let beside = direct.filter_map(|join| {
                let (here, there) =
                    if is_down { (join.to, join.from) } else { (join.from, join.to) };
                (here == at).then_some(there)
            });
            let places: Vec<usize> = beside.map(|it| ranks.nodes[it].place).collect();
            match places.len() {
                0 => ranks.nodes[at].place * 1000,
                count => places.iter().sum::<usize>() * 1000 / count,
            }
        };
        let mut row = ranks.rows[rank].clone();
        row.sort_by_cached_key(key);
        ranks.rows[rank] = row;
        number(ranks);
    }
}
