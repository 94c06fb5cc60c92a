//! Where the lines of a picture go: straight down to the next row, or out to a lane at the side and along it.
//!
//! All that lead to one node at one side share a lane. Every line in a channel has a track of its own, and tracks are
//! ordered so that neighbours run around each other instead of through.

use super::layout::{
    Draft, Flank, GAP, GRID, HEAD, Label, Layout, Point, Rect, Side, Wire, label_height,
    label_width, rect, side_of, words_end_right,
};
use super::ranks::{Join, Ranks};

/// A corner is rounded within this.
pub(super) const ROUND: i32 = 6;
const START: i32 = 24;

/// The room above a row: heights are counted from its top.
#[derive(Debug, Default)]
pub(super) struct Channel {
    pub(super) height: i32,
    /// Joins that leave the row above for a side, and cannot do so in their row.
    outs: Vec<(usize, i32)>,
    /// Joins from row to row that do not go straight down.
    tracks: Vec<(usize, i32)>,
    /// Where words begin.
    words: i32,
    /// Nodes that are reached from a side, and cannot be in their row.
    ins: Vec<(usize, Side, i32)>,
}

/// One above each row, and one below all.
pub(super) fn channels(ranks: &Ranks, drafts: &[Draft]) -> Vec<Channel> {
    let count = ranks.rows.len();
    (0..=count)
        .map(|at| {
            let above = at.checked_sub(1).map(|above| ranks.rows[above].as_slice());
            let below = ranks.rows.get(at).map(Vec::as_slice);
            channel(ranks, drafts, above.unwrap_or_default(), below.unwrap_or_default())
        })
        .collect()
}

fn channel(ranks: &Ranks, drafts: &[Draft], above: &[usize], below: &[usize]) -> Channel {
    let mut channel = Channel::default();
    let mut y = if above.is_empty() { START } else { 8 };
    for join in outs(drafts, above) {
        y += GAP.max(label_height(&ranks.joins[join]) + 6);
        channel.outs.push((join, y));
    }
    for join in bent(ranks, drafts, above) {
        y += GAP;
        channel.tracks.push((join, y));
    }
    channel.words = y + 4;
    let arriving = below.iter().flat_map(|&at| &drafts[at].arriving);
    let tallest = arriving.map(|(join, _)| label_height(&ranks.joins[*join])).max().unwrap_or(0);
    y += if tallest > 0 { tallest + 4 } else { 0 };
    for (node, side) in ins(drafts, below) {
        y += GAP;
        channel.ins.push((node, side, y));
    }
    channel.height = match below.is_empty() {
        true if channel.outs.is_empty() => 0,
        true => y,
        false => y + HEAD,
    };
    channel
}

/// Joins that leave a row below, those first that the others run around.
fn outs(drafts: &[Draft], row: &[usize]) -> Vec<usize> {
    let of = |at: usize, side: Side| {
        let flank = drafts[at].flank(side);
        if flank.is_open { Vec::new() } else { flank.outs.clone() }
    };
    let left = row.iter().flat_map(|&at| of(at, Side::Left));
    left.chain(row.iter().rev().flat_map(|&at| of(at, Side::Right))).collect()
}

/// Nodes that are reached from above, those first that run around the others.
fn ins(drafts: &[Draft], row: &[usize]) -> Vec<(usize, Side)> {
    let is_in = |at: usize, side: Side| {
        let flank = drafts[at].flank(side);
        (flank.is_entered && !flank.is_open).then_some((at, side))
    };
    let left = row.iter().rev().filter_map(|&at| is_in(at, Side::Left));
    left.chain(row.iter().filter_map(|&at| is_in(at, Side::Right))).collect()
}

/// Joins to the next row that have to go sideways: what is furthest on its way turns first.
fn bent(ranks: &Ranks, drafts: &[Draft], row: &[usize]) -> Vec<usize> {
    let leaving = row.iter().flat_map(|&at| &drafts[at].leaving).map(|&(join, _)| join);
    let (mut right, mut left) = (Vec::new(), Vec::new());
    for join in leaving {
        let (from, to) = ends(ranks, drafts, join);
        match from.cmp(&to) {
            std::cmp::Ordering::Less => right.push((-from, join)),
            std::cmp::Ordering::Greater => left.push((from, join)),
            std::cmp::Ordering::Equal => {}
        }
    }
    right.sort_unstable();
    left.sort_unstable();
    right.into_iter().chain(left).map(|(_, join)| join).collect()
}

/// Where a join to the next row leaves and arrives.
fn ends(ranks: &Ranks, drafts: &[Draft], join: usize) -> (i32, i32) {
    let Join { from, to, .. } = ranks.joins[join];
    let port = |ports: &[(usize, i32)]| {
        ports.iter().find(|(at, _)| *at == join).map_or(0, |(_, offset)| *offset)
    };
    let leaves = drafts[from].x + port(&drafts[from].leaving);
    let arrives = drafts[to].x + port(&drafts[to].arriving);
    let is_alone = drafts[to].arriving.len() == 1;
    let near = if is_alone { GAP } else { GRID / 2 };
    if (leaves - arrives).abs() <= near {
        return (leaves, leaves);
    }
    // What leaves is on the grid and what arrives is beside it, so that no line runs along another.
    (leaves, arrives.div_euclid(GRID) * GRID + GRID / 2)
}

/// The height that the ports at a side take.
pub(super) fn stack(ranks: &Ranks, flank: &Flank) -> i32 {
    let outs = flank.outs.iter().map(|&at| out_height(&ranks.joins[at]));
    outs.sum::<i32>() + if flank.is_entered { 16 } else { 0 }
}

fn out_height(join: &Join) -> i32 {
    16.max(label_height(join) + 7)
}

/// Where lines leave and reach an open side: the one that arrives, then those that leave. What comes from above arrives at
/// the top and what comes from below at the bottom, so that none crosses those that leave.
fn ports(ranks: &Ranks, draft: &Draft, side: Side) -> (i32, Vec<i32>) {
    let flank = draft.flank(side);
    let mut y = draft.top + (draft.height - stack(ranks, flank)) / 2;
    let mut arrives = y + 8;
    if side == Side::Left && flank.is_entered {
        y += 16;
    }
    let mut leave = Vec::new();
    for &at in &flank.outs {
        y += out_height(&ranks.joins[at]);
        leave.push(y - 4);
    }
    if side == Side::Right {
        arrives = y + 8;
    }
    (arrives, leave)
}

/// What is drawn so far.
struct Pen<'r> {
    ranks: &'r Ranks,
    drafts: &'r [Draft],
    channels: &'r [Channel],
    tops: &'r [i32],
    labels: Vec<Label>,
    wires: Vec<Wire>,
}

/// All that runs to one node at one side.
struct Trunk {
    to: usize,
    /// Joins with their way to the lane, which ends before it.
    ways: Vec<(usize, Vec<Point>)>,
    /// The way from the lane to the box.
    entry: Vec<Point>,
    lane: i32,
}

pub(super) fn draw(ranks: &Ranks, drafts: &[Draft], channels: &[Channel], tops: &[i32]) -> Layout {
    let mut pen = Pen { ranks, drafts, channels, tops, labels: Vec::new(), wires: Vec::new() };
    let start = pen.start();
    for at in 0..ranks.joins.len() {
        pen.direct(at);
    }
    for side in Side::BOTH {
        let mut trunks: Vec<Trunk> =
            (0..ranks.nodes.len()).filter_map(|to| pen.trunk(to, side)).collect();
        pen.lanes(&mut trunks, side);
        for trunk in &trunks {
            pen.run(trunk);
        }
    }
    pen.wires.sort_by_key(|wire| wire.to);
    let Pen { labels, wires, .. } = pen;
    Layout { width: 0, height: 0, boxes: Vec::new(), labels, wires, start }
}

impl Pen<'_> {
    fn start(&mut self) -> Option<Point> {
        let first = rect(self.drafts.first()?);
        let x = self.drafts.first()?.x;
        let start = Point { x, y: self.tops[0] + 6 };
        let points = vec![start, Point { x, y: first.top }];
        self.wires.push(Wire { to: 0, points, is_dotted: false, has_head: true });
        Some(start)
    }

    /// A join to the next row.
    fn direct(&mut self, at: usize) {
        let join = &self.ranks.joins[at];
        if !self.ranks.is_direct(join) {
            return;
        }
        let (from, to) = (&self.drafts[join.from], &self.drafts[join.to]);
        let (leaves, arrives) = ends(self.ranks, self.drafts, at);
        let rank = self.ranks.nodes[join.to].rank;
        let (channel, top) = (&self.channels[rank], self.tops[rank]);
        let mut points = vec![Point { x: leaves, y: rect(from).bottom }];
        if let Some((_, track)) = channel.tracks.iter().find(|(it, _)| *it == at) {
            points.push(Point { x: leaves, y: top + track });
            points.push(Point { x: arrives, y: top + track });
        }
        points.push(Point { x: arrives, y: to.top });
        let place = to.arriving.iter().position(|(it, _)| *it == at).unwrap_or(0);
        let ends_right = words_end_right(to, place);
        let y = top + channel.words + label_height(join);
        self.label(at, Point { x: arrives, y }, ends_right);
        self.wires.push(Wire { to: join.to, points, is_dotted: join.is_limited, has_head: true });
    }

    /// Words that stand on `foot`, beside it.
    fn label(&mut self, at: usize, foot: Point, ends_right: bool) {
        let join = &self.ranks.joins[at];
        if join.label.is_empty() {
            return;
        }
        let width = label_width(join);
        let left = if ends_right { foot.x - 6 - width } else { foot.x + 6 };
        let (top, bottom) = (foot.y - label_height(join), foot.y);
        let rect = Rect { left, top, right: left + width, bottom };
        self.labels.push(Label { rect, lines: join.label.clone(), ends_right });
    }

    fn trunk(&mut self, to: usize, side: Side) -> Option<Trunk> {
        let joins = self.ranks.joins.iter().enumerate();
        let joins: Vec<usize> = joins
            .filter(|(_, join)| join.to == to && side_of(self.ranks, join) == Some(side))
            .map(|(at, _)| at)
            .collect();
        if joins.is_empty() {
            return None;
        }
        let ways = joins.into_iter().map(|at| (at, self.way_out(at, side))).collect();
        let draft = &self.drafts[to];
        let entry = if draft.flank(side).is_open {
            let (y, _) = ports(self.ranks, draft, side);
            vec![Point { x: draft.x + side.sign() * draft.half(), y }]
        } else {
            let rank = self.ranks.nodes[to].rank;
            let track = self.channels[rank].ins.iter().find(|it| (it.0, it.1) == (to, side));
            let y = self.tops[rank] + track.map_or(0, |it| it.2);
            let x = draft.x + side.sign() * (draft.half() - 14);
            vec![Point { x, y }, Point { x, y: draft.top }]
        };
        Some(Trunk { to, ways, entry, lane: 0 })
    }

    /// The way of a join out of its row, with its words.
    fn way_out(&mut self, at: usize, side: Side) -> Vec<Point> {
        let join = &self.ranks.joins[at];
        let draft = &self.drafts[join.from];
        let flank = draft.flank(side);
        let place = flank.outs.iter().position(|it| *it == at).unwrap_or(0);
        if flank.is_open {
            let (_, leave) = ports(self.ranks, draft, side);
            let port = Point { x: draft.x + side.sign() * draft.half(), y: leave[place] };
            self.label(at, Point { y: port.y - 3, ..port }, side == Side::Left);
            return vec![port];
        }
        let rank = self.ranks.nodes[join.from].rank + 1;
        let track = self.channels[rank].outs.iter().find(|it| it.0 == at);
        let y = self.tops[rank] + track.map_or(0, |it| it.1);
        let x = draft.x + draft.port_below(side, place);
        self.label(at, Point { x, y: y - 3 }, side == Side::Left);
        vec![Point { x, y: rect(draft).bottom }, Point { x, y }]
    }

    /// Gives each trunk a lane: short ones near, and none runs along another.
    fn lanes(&self, trunks: &mut [Trunk], side: Side) {
        let boxes = self.drafts.iter().map(rect);
        let rects = boxes.chain(self.labels.iter().map(|label| label.rect));
        let inner = rects.map(|rect| match side {
            Side::Left => -rect.left,
            Side::Right => rect.right,
        });
        let inner = inner.max().unwrap_or(0) + 14;
        let mut order: Vec<usize> = (0..trunks.len()).collect();
        order.sort_by_key(|&at| {
            let (low, high) = trunks[at].span();
            (high - low, trunks[at].to)
        });
        let mut lanes: Vec<Vec<(i32, i32)>> = Vec::new();
        for at in order {
            let (low, high) = trunks[at].span();
            let is_free = |lane: &Vec<(i32, i32)>| {
                lane.iter().all(|&(from, to)| to + GAP < low || high + GAP < from)
            };
            let free = lanes.iter().position(is_free).unwrap_or(lanes.len());
            if free == lanes.len() {
                lanes.push(Vec::new());
            }
            lanes[free].push((low, high));
            trunks[at].lane = side.sign() * (inner + GAP * i32::try_from(free).unwrap_or(0));
        }
    }

    fn run(&mut self, trunk: &Trunk) {
        let enters = trunk.entry[0].y;
        let x = trunk.lane;
        for (at, way) in &trunk.ways {
            let y = way[way.len() - 1].y;
            let turn = y + ROUND * (enters - y).signum();
            let mut points = way.clone();
            points.extend([Point { x, y }, Point { x, y: turn }]);
            let is_dotted = self.ranks.joins[*at].is_limited;
            self.wires.push(Wire { to: trunk.to, points, is_dotted, has_head: false });
        }
        let is_dotted = trunk.ways.iter().all(|(at, _)| self.ranks.joins[*at].is_limited);
        let (low, high) = trunk.span();
        // From the furthest one on; where some come from the other side, a second line meets it.
        let mut far =
            [(low, low + ROUND), (high, high - ROUND)].into_iter().filter(|it| it.0 != enters);
        if let Some((_, y)) = far.next() {
            let mut points = vec![Point { x, y }, Point { x, y: enters }];
            points.extend(&trunk.entry);
            self.wires.push(Wire { to: trunk.to, points, is_dotted, has_head: true });
        }
        if let Some((_, y)) = far.next() {
            let points = vec![Point { x, y }, Point { x, y: enters }];
            self.wires.push(Wire { to: trunk.to, points, is_dotted, has_head: false });
        }
    }
}

impl Trunk {
    /// From its highest to its lowest point.
    fn span(&self) -> (i32, i32) {
        let ends = self.ways.iter().map(|(_, way)| way[way.len() - 1].y);
        let all: Vec<i32> = ends.chain([self.entry[0].y]).collect();
        let low = all.iter().copied().min().unwrap_or(0);
        (low, all.into_iter().max().unwrap_or(0))
    }
}
