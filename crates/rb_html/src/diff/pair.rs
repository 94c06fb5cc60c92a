//! Which old line of a block became which new one.
//!
//! Lines that share the most text are paired, in order. Lines that found no partner stand side by side as they come, without marks.

use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::words::{changes, solid, words};
use super::{Ending, Line, Row};

/// Pairs are searched in blocks of at most so many combinations; in a larger block lines are paired by their number.
const MOST_COMBINATIONS: usize = 1600;
/// Lines longer than this are not compared, in bytes.
const LONGEST: usize = 400;

/// Appends the rows of one block of removed and added lines.
pub(super) fn rows(rows: &mut Vec<Row>, mut old: Vec<Line>, mut new: Vec<Line>) {
    let pairs = pairs(&old, &new);
    for &(old_at, new_at) in &pairs {
        let (old, new) = (&mut old[old_at], &mut new[new_at]);
        if old.moved.is_none() {
            (old.words, new.words) = changes(&old.text, &new.text);
        }
    }
    let (mut old, mut new) = (old.into_iter(), new.into_iter());
    let (mut old_next, mut new_next) = (0, 0);
    for (old_at, new_at) in pairs {
        beside(rows, old.by_ref().take(old_at - old_next), new.by_ref().take(new_at - new_next));
        rows.push(Row::Changed { old: old.next(), new: new.next() });
        (old_next, new_next) = (old_at + 1, new_at + 1);
    }
    beside(rows, old, new);
}

fn beside(rows: &mut Vec<Row>, old: impl Iterator<Item = Line>, new: impl Iterator<Item = Line>) {
    let (mut old, mut new) = (old.fuse(), new.fuse());
    loop {
        let (old, new) = (old.next(), new.next());
        if old.is_none() && new.is_none() {
            return;
        }
        rows.push(Row::Changed { old, new });
    }
}

/// Rising on both sides.
fn pairs(old: &[Line], new: &[Line]) -> Vec<(usize, usize)> {
    let (old_bags, new_bags): (Vec<_>, Vec<_>) =
        (old.iter().map(Bag::of).collect(), new.iter().map(Bag::of).collect());
    let weight = |old_at: usize, new_at: usize| {
        if may_pair(&old[old_at], &new[new_at]) {
            old_bags[old_at].weight(&new_bags[new_at])
        } else {
            0
        }
    };
    if old.len() * new.len() > MOST_COMBINATIONS {
        let both = 0..old.len().min(new.len());
        return both.filter(|&at| weight(at, at) > 0).map(|at| (at, at)).collect();
    }
    heaviest(old.len(), new.len(), weight)
}

/// Lines that moved stand beside no line but themselves.
fn may_pair(old: &Line, new: &Line) -> bool {
    match (&old.moved, &new.moved) {
        (None, None) => true,
        (Some(to), Some(from)) => {
            to.file == from.file && to.line == new.number && from.line == old.number
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// The pairs with the largest sum of weights.
fn heaviest(old: usize, new: usize, weight: impl Fn(usize, usize) -> usize) -> Vec<(usize, usize)> {
    let width = new + 1;
    let mut best = vec![0; (old + 1) * width];
    let mut weights = vec![0; (old + 1) * width];
    for old_at in (0..old).rev() {
        for new_at in (0..new).rev() {
            let here = old_at * width + new_at;
            let alone = best[here + 1].max(best[here + width]);
            weights[here] = weight(old_at, new_at);
            best[here] = alone.max(weights[here] + best[here + width + 1]);
        }
    }
    let (mut pairs, mut old_at, mut new_at) = (Vec::new(), 0, 0);
    while old_at < old && new_at < new {
        let here = old_at * width + new_at;
        if weights[here] > 0 && best[here] == weights[here] + best[here + width + 1] {
            pairs.push((old_at, new_at));
            (old_at, new_at) = (old_at + 1, new_at + 1);
        } else if best[here] == best[here + width] {
            old_at += 1;
        } else {
            new_at += 1;
        }
    }
    pairs
}

/// The words of a line by their hashes, sorted, with their lengths.
struct Bag {
    words: Vec<(u64, usize)>,
    solid: usize,
    ending: Ending,
}

impl Bag {
    fn of(line: &Line) -> Bag {
        let text = if line.text.len() > LONGEST { "" } else { line.text.as_str() };
        let words = words(text).filter(|word| !word.trim().is_empty());
        let mut words: Vec<(u64, usize)> = words.map(|word| (hash(word), word.len())).collect();
        words.sort_unstable();
        Bag { words, solid: solid(text), ending: line.ending }
    }

    /// How much two lines share; nothing if they are unlike.
    fn weight(&self, other: &Bag) -> usize {
        let (short, long) = (self.solid.min(other.solid), self.solid.max(other.solid));
        if long == 0 {
            return usize::from(self.ending != other.ending);
        }
        let common = self.common(other);
        let is_alike = common * 2 >= short && common * 6 >= long;
        if is_alike { common } else { 0 }
    }

    fn common(&self, other: &Bag) -> usize {
        let (mut common, mut mine, mut theirs) = (0, 0, 0);
        while let (Some(my_word), Some(their_word)) =
            (self.words.get(mine), other.words.get(theirs))
        {
            match my_word.cmp(their_word) {
                Ordering::Less => mine += 1,
                Ordering::Greater => theirs += 1,
                Ordering::Equal => {
                    common += my_word.1;
                    (mine, theirs) = (mine + 1, theirs + 1);
                }
            }
        }
        common
    }
}

fn hash(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}
