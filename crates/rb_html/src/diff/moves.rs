//! Lines that were removed in one place and added in another, with the same text but for the indentation.
//!
//! A block counts as moved if it is long enough that the match is no accident. A line is never matched twice.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::parse::{File, Marked};
use super::{Line, Move};

/// A line with so many letters and digits moves alone.
const LONG_LINE: usize = 40;
/// A block of so many lines moves, if it has enough letters and digits.
const BLOCK_LINES: usize = 3;
const BLOCK_CHARACTERS: usize = 20;
/// Places that are tried for one line.
const MOST_PLACES: usize = 32;

/// Marks both ends of every move in the patch.
pub(super) fn mark(files: &mut [File]) {
    let (old, new) = (places(files, IsOld::Yes), places(files, IsOld::No));
    let blocks = blocks(&old, &new);
    let mut marks: Vec<(Address, Move)> = Vec::new();
    for block in &blocks {
        for step in 0..block.lines {
            let (from, to) = (&old[block.old + step], &new[block.new + step]);
            let other = |place: &Place<'_>| Move {
                file: place.address.file,
                path: Arc::clone(&files[place.address.file].head.path),
                line: place.number,
                is_first: step == 0,
                is_reindented: from.indent != to.indent,
            };
            marks.push((from.address, other(to)));
            marks.push((to.address, other(from)));
        }
    }
    for (address, moved) in marks {
        match &mut files[address.file].hunks[address.hunk].lines[address.at] {
            Marked::Old(line) | Marked::New(line) => line.moved = Some(moved),
            Marked::Same { .. } => {}
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum IsOld {
    Yes,
    No,
}

#[derive(Clone, Copy)]
struct Address {
    file: usize,
    hunk: usize,
    at: usize,
}

struct Place<'f> {
    address: Address,
    number: u32,
    /// Without the white space at both ends.
    text: &'f str,
    /// Bytes before the text.
    indent: usize,
    /// Letters and digits.
    weight: usize,
}

struct Block {
    old: usize,
    new: usize,
    lines: usize,
}

fn places(files: &[File], is_old: IsOld) -> Vec<Place<'_>> {
    let mut places = Vec::new();
    for (file, File { hunks, .. }) in files.iter().enumerate() {
        for (hunk, lines) in hunks.iter().enumerate() {
            for (at, marked) in lines.lines.iter().enumerate() {
                let address = Address { file, hunk, at };
                match (marked, is_old) {
                    (Marked::Old(line), IsOld::Yes) | (Marked::New(line), IsOld::No) => {
                        places.push(place(address, line));
                    }
                    (Marked::Old(_) | Marked::New(_) | Marked::Same { .. }, _) => {}
                }
            }
        }
    }
    places
}

fn place(address: Address, line: &Line) -> Place<'_> {
    let text = line.text.trim();
    let weight = if line.bytes_left_out > 0 {
        0
    } else {
        text.chars().filter(|c| c.is_alphanumeric()).count()
    };
    let indent = line.text.len() - line.text.trim_start().len();
    Place { address, number: line.number, text, indent, weight }
}

fn blocks(old: &[Place<'_>], new: &[Place<'_>]) -> Vec<Block> {
    let mut by_text: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (at, place) in new.iter().enumerate().filter(|(_, place)| place.weight > 0) {
        by_text.entry(place.text).or_default().push_back(at);
    }
    let mut is_taken = vec![false; new.len()];
    let (mut blocks, mut at) = (Vec::new(), 0);
    while at < old.len() {
        let longest = by_text
            .get_mut(old[at].text)
            .and_then(|starts| longest(&old[at..], new, &is_taken, starts))
            .filter(|&(lines, _)| is_enough(&old[at..at + lines]));
        match longest {
            Some((lines, start)) => {
                is_taken[start..start + lines].fill(true);
                blocks.push(Block { old: at, new: start, lines });
                at += lines;
            }
            None => at += 1,
        }
    }
    blocks
}

/// The longest run that begins with the first old line, and where: the first of equals.
fn longest(
    old: &[Place<'_>],
    new: &[Place<'_>],
    is_taken: &[bool],
    starts: &mut VecDeque<usize>,
) -> Option<(usize, usize)> {
    while starts.pop_front_if(|start| is_taken[*start]).is_some() {}
    let tried = starts.iter().take(MOST_PLACES);
    tried
        .map(|&start| (run(old, &new[start..], &is_taken[start..]), start))
        .max_by_key(|&(lines, start)| (lines, Reverse(start)))
}

/// How many lines are the same from here on, in one block on both sides and with one change of the indentation.
fn run(old: &[Place<'_>], new: &[Place<'_>], is_taken: &[bool]) -> usize {
    let follows = |places: &[Place<'_>], at: usize| {
        at == 0 || {
            let (before, here) = (places[at - 1].address, places[at].address);
            (before.file, before.hunk, before.at + 1) == (here.file, here.hunk, here.at)
        }
    };
    let shift = |at: usize| new[at].indent.checked_signed_diff(old[at].indent);
    let is_same = |at: usize| {
        let is_even = old[at].text.is_empty() || shift(at) == shift(0);
        !is_taken[at] && old[at].text == new[at].text && is_even
    };
    let most = old.len().min(new.len());
    (0..most).take_while(|&at| follows(old, at) && follows(new, at) && is_same(at)).count()
}

fn is_enough(block: &[Place<'_>]) -> bool {
    let solid = block.iter().filter(|place| place.weight > 0);
    let (lines, weight) =
        solid.fold((0, 0), |(lines, weight), place| (lines + 1, weight + place.weight));
    let is_long = block.iter().any(|place| place.weight >= LONG_LINE);
    is_long || (lines >= BLOCK_LINES && weight >= BLOCK_CHARACTERS)
}
