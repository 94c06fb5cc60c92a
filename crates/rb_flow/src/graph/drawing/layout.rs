//! Where the boxes and the words of a picture go.
//!
//! Rows of boxes have channels between them. In a row there is nothing but boxes and, at its two ends, the lines that
//! leave sideways; in a channel there are lines and the words of edges, never a box. So no line can run through a box.

use super::lines;
use super::ranks::{Join, Placed, Ranks, Shape};
use super::words::{width, wrap};

/// The height of a line of small words, and the sizes of both fonts.
pub(super) const LINE: i32 = 14;
pub(super) const SMALL: i32 = 11;
const LARGE: i32 = 13;
/// What a node does is broken into lines of so many letters.
const DOES: usize = 34;
const MARGIN: i32 = 16;
/// Between two lines that run side by side.
pub(super) const GAP: i32 = 12;
/// Between two lines that leave or reach a box side by side.
const PORT: i32 = 4 * GRID;
/// The middles of boxes and what leaves them downwards are at multiples of this.
pub(super) const GRID: i32 = 8;
/// Between two boxes of a row.
const APART: i32 = 36;
/// Room for the head of an arrow.
pub(super) const HEAD: i32 = 18;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) x: i32,
    pub(super) y: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

#[derive(Debug)]
pub(super) struct Boxed {
    pub(super) rect: Rect,
    pub(super) shape: Shape,
    pub(super) name: &'static str,
    pub(super) does: Vec<String>,
}

/// The words of an edge.
#[derive(Debug)]
pub(super) struct Label {
    pub(super) rect: Rect,
    pub(super) lines: Vec<String>,
    /// They end at the right of their place, or begin at its left.
    pub(super) ends_right: bool,
}

#[derive(Debug)]
pub(super) struct Wire {
    pub(super) to: usize,
    pub(super) points: Vec<Point>,
    pub(super) is_dotted: bool,
    pub(super) has_head: bool,
}

#[derive(Debug)]
pub(super) struct Layout {
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) boxes: Vec<Boxed>,
    pub(super) labels: Vec<Label>,
    /// Those that lead to one node follow each other.
    pub(super) wires: Vec<Wire>,
    pub(super) start: Option<Point>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    pub(super) const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// What is further out on this side has a larger product with this.
    pub(super) fn sign(self) -> i32 {
        match self {
            Side::Left => -1,
            Side::Right => 1,
        }
    }
}

/// What leaves and reaches a box at one side.
#[derive(Debug, Default)]
pub(super) struct Flank {
    /// Nothing stands between the box and the end of its row.
    pub(super) is_open: bool,
    pub(super) is_entered: bool,
    /// Joins that leave, from the top.
    pub(super) outs: Vec<usize>,
}

/// A box while its place is found.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) does: Vec<String>,
    pub(super) width: i32,
    pub(super) height: i32,
    /// Of its middle.
    pub(super) x: i32,
    pub(super) top: i32,
    left: Flank,
    right: Flank,
    /// Joins from the row above and to the row below, from the left, with their distance from the middle.
    pub(super) arriving: Vec<(usize, i32)>,
    pub(super) leaving: Vec<(usize, i32)>,
}

impl Draft {
    pub(super) fn flank(&self, side: Side) -> &Flank {
        match side {
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    fn flank_mut(&mut self, side: Side) -> &mut Flank {
        match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
        }
    }

    /// How far it reaches to a side, from its middle.
    pub(super) fn half(&self) -> i32 {
        self.width / 2
    }

    /// Where a line that cannot leave sideways leaves below: outside of those that go straight down, the first outermost.
    pub(super) fn port_below(&self, side: Side, at: usize) -> i32 {
        let straight = self.leaving.iter().map(|(_, offset)| offset * side.sign()).max();
        let beside = i32::try_from(self.flank(side).outs.len() - at).unwrap_or(1);
        side.sign() * (straight.unwrap_or(0) + beside * PORT)
    }
}

/// The edge's side of the picture: forward at the left, back at the right; none for one to the next row.
pub(super) fn side_of(ranks: &Ranks, join: &Join) -> Option<Side> {
    match (ranks.is_direct(join), ranks.is_back(join)) {
        (true, _) => None,
        (false, true) => Some(Side::Right),
        (false, false) => Some(Side::Left),
    }
}

pub(super) fn label_width(join: &Join) -> i32 {
    join.label.iter().map(|line| width(line, SMALL)).max().unwrap_or(0)
}

pub(super) fn label_height(join: &Join) -> i32 {
    LINE * i32::try_from(join.label.len()).unwrap_or(1)
}

pub(super) fn of(ranks: &Ranks) -> Layout {
    let mut drafts = drafts(ranks);
    across(ranks, &mut drafts);
    let channels = lines::channels(ranks, &drafts);
    let mut y = MARGIN;
    let mut tops = Vec::new();
    for (row, channel) in ranks.rows.iter().zip(&channels) {
        tops.push(y);
        y += channel.height;
        let tallest = row.iter().map(|&at| drafts[at].height).max().unwrap_or(0);
        for &at in row {
            drafts[at].top = y + (tallest - drafts[at].height) / 2;
        }
        y += tallest;
    }
    tops.push(y);
    y += channels.last().map_or(0, |channel| channel.height) + MARGIN;
    let mut layout = lines::draw(ranks, &drafts, &channels, &tops);
    layout.height = y;
    layout.boxes =
        ranks.nodes.iter().zip(&drafts).map(|(node, draft)| boxed(node, draft)).collect();
    shift(&mut layout);
    layout
}

pub(super) fn rect(draft: &Draft) -> Rect {
    Rect {
        left: draft.x - draft.half(),
        top: draft.top,
        right: draft.x + draft.half(),
        bottom: draft.top + draft.height,
    }
}

fn boxed(node: &Placed, draft: &Draft) -> Boxed {
    Boxed { rect: rect(draft), shape: node.shape, name: node.name, does: draft.does.clone() }
}

/// What leaves and reaches each box where, and how large that makes it.
fn drafts(ranks: &Ranks) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = ranks.nodes.iter().map(|_| Draft::default()).collect();
    for (at, join) in ranks.joins.iter().enumerate() {
        match side_of(ranks, join) {
            None => {
                drafts[join.from].leaving.push((at, 0));
                drafts[join.to].arriving.push((at, 0));
            }
            Some(side) => {
                drafts[join.from].flank_mut(side).outs.push(at);
                drafts[join.to].flank_mut(side).is_entered = true;
            }
        }
    }
    for row in &ranks.rows {
        for (place, &at) in row.iter().enumerate() {
            drafts[at].left.is_open = place == 0;
            drafts[at].right.is_open = place + 1 == row.len();
        }
    }
    let common = ranks.nodes.iter().filter(|node| node.shape != Shape::End);
    let common = common.map(words_width).max().unwrap_or(0) + 28;
    for (node, draft) in ranks.nodes.iter().zip(&mut drafts) {
        spread(ranks, draft);
        size(ranks, node, draft, common);
    }
    drafts
}

fn words_width(node: &Placed) -> i32 {
    let does = wrap(node.does, DOES);
    let does = does.iter().map(|line| width(line, SMALL)).max().unwrap_or(0);
    // Bold letters are wider.
    does.max(width(node.name, LARGE + 1))
}

/// Sorts the lines of a box so that they cross little, and gives those above and below it their places.
fn spread(ranks: &Ranks, draft: &mut Draft) {
    for side in Side::BOTH {
        // The furthest one leaves first where lines go down, and last where they go up, so that it runs around the others.
        draft.flank_mut(side).outs.sort_by_key(|&at| {
            let to = &ranks.nodes[ranks.joins[at].to];
            (std::cmp::Reverse(to.rank), to.place)
        });
    }
    draft.arriving.sort_by_key(|(at, _)| ranks.nodes[ranks.joins[*at].from].place);
    draft.leaving.sort_by_key(|(at, _)| ranks.nodes[ranks.joins[*at].to].place);
    // The words of the first stand at its left, those of the others at their right.
    let room = |place: usize, at: usize| match place {
        0 => PORT,
        _ => PORT.max(label_width(&ranks.joins[at]) + 24),
    };
    let mut offset = 0;
    for (place, (at, here)) in draft.arriving.iter_mut().enumerate() {
        *here = offset;
        offset += room(place, *at);
    }
    for (place, (_, here)) in (0..).zip(&mut draft.leaving) {
        *here = place * PORT;
    }
    for ports in [&mut draft.arriving, &mut draft.leaving] {
        let middle = ports.last().map_or(0, |(_, offset)| offset / 2);
        for (_, offset) in ports {
            *offset -= middle;
        }
    }
}

fn size(ranks: &Ranks, node: &Placed, draft: &mut Draft, common: i32) {
    draft.does = wrap(node.does, DOES);
    let lines = i32::try_from(draft.does.len()).unwrap_or(1);
    let (wide, high) = match node.shape {
        Shape::Plain | Shape::Waits => (common, 18 + LINE * lines + 14),
        Shape::End => (64, 28),
    };
    let above = draft.arriving.iter().map(|(_, offset)| offset.abs()).max().unwrap_or(0);
    let below = Side::BOTH.into_iter().map(|side| draft.reach_below(side)).max().unwrap_or(0);
    draft.width = wide.max(2 * (above + 34)).max(2 * (below + 14));
    draft.width += draft.width % 2;
    let beside = Side::BOTH.into_iter().filter(|&side| draft.flank(side).is_open);
    let beside = beside.map(|side| lines::stack(ranks, draft.flank(side))).max().unwrap_or(0);
    draft.height = high.max(beside + 16);
}

impl Draft {
    /// How far out the outermost line leaves below.
    fn reach_below(&self, side: Side) -> i32 {
        let flank = self.flank(side);
        if flank.is_open || flank.outs.is_empty() {
            self.leaving.iter().map(|(_, offset)| offset * side.sign()).max().unwrap_or(0)
        } else {
            self.port_below(side, 0) * side.sign()
        }
    }

    /// How far the box and the words around it reach, so that those of the next box keep clear of them.
    pub(super) fn extent(&self, ranks: &Ranks, side: Side) -> i32 {
        let mut extent = self.half();
        for (place, (at, offset)) in self.arriving.iter().enumerate() {
            let words = label_width(&ranks.joins[*at]);
            let is_here = (words_end_right(self, place)) == (side == Side::Left);
            if words > 0 && is_here {
                extent = extent.max(offset * side.sign() + words + 18);
            }
        }
        let flank = self.flank(side);
        for (at, &join) in flank.outs.iter().enumerate().filter(|_| !flank.is_open) {
            let words = label_width(&ranks.joins[join]);
            extent = extent.max(self.port_below(side, at) * side.sign() + words + 12);
        }
        extent
    }
}

/// Of two and more that arrive, the first has its words at its left.
pub(super) fn words_end_right(draft: &Draft, place: usize) -> bool {
    place == 0 && draft.arriving.len() > 1
}

/// Rows are centred on one axis.
fn across(ranks: &Ranks, drafts: &mut [Draft]) {
    for row in &ranks.rows {
        let mut x = 0;
        let mut first = 0;
        for (place, &at) in row.iter().enumerate() {
            let (left, right) =
                (drafts[at].extent(ranks, Side::Left), drafts[at].extent(ranks, Side::Right));
            if place > 0 {
                x += left + APART;
            } else {
                first = drafts[at].half();
            }
            drafts[at].x = x;
            x += right;
        }
        let Some(&last) = row.last() else { continue };
        let middle = (drafts[last].x + drafts[last].half() - first) / 2;
        for &at in row {
            drafts[at].x = (drafts[at].x - middle).div_euclid(GRID) * GRID;
        }
    }
}

/// Moves all of it so that it begins at the margin.
fn shift(layout: &mut Layout) {
    let rects = layout.boxes.iter().map(|it| it.rect).chain(layout.labels.iter().map(|it| it.rect));
    let mut ends: Vec<(i32, i32)> = rects.map(|rect| (rect.left, rect.right)).collect();
    ends.extend(layout.wires.iter().flat_map(|wire| &wire.points).map(|point| (point.x, point.x)));
    let left = ends.iter().map(|end| end.0).min().unwrap_or(0) - MARGIN;
    let right = ends.iter().map(|end| end.1).max().unwrap_or(0) + MARGIN;
    layout.width = right - left;
    let boxes = layout.boxes.iter_mut().map(|it| &mut it.rect);
    for rect in boxes.chain(layout.labels.iter_mut().map(|it| &mut it.rect)) {
        rect.left -= left;
        rect.right -= left;
    }
    let points = layout.wires.iter_mut().flat_map(|wire| &mut wire.points);
    for point in points.chain(&mut layout.start) {
        point.x -= left;
    }
}
