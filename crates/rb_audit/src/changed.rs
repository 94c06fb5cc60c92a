//! The changed files: their texts, which lines differ, and which file was moved where.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::{Cause, Change};

/// Files that are compared with each other to find out which one was moved.
const MOST_MOVES: usize = 100;

pub(crate) struct Changed {
    pub(crate) path: String,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    /// Where its text was before, if it was moved.
    pub(crate) moved_from: Option<String>,
    /// The lines that differ: before and after. A side without lines has the number of the line before it, twice.
    hunks: Vec<(RangeInclusive<u32>, RangeInclusive<u32>)>,
}

impl Changed {
    /// All of them, sorted by path. What is not text is not looked at.
    pub(crate) fn all(changes: &[Change]) -> Vec<Changed> {
        let text = |bytes: &Option<Vec<u8>>| {
            bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        };
        let moves = moves(changes);
        let mut all: Vec<Changed> = changes
            .iter()
            .filter(|change| change.before != change.after)
            .map(|change| {
                let moved_from = moves.get(&*change.path).map(|&from| from.path.clone());
                let origin = moves.get(&*change.path).map_or(change, |from| from);
                let (before, after) = (text(&origin.before), text(&change.after));
                let hunks = hunks(before.as_deref(), after.as_deref());
                Changed { path: change.path.clone(), before, after, moved_from, hunks }
            })
            .collect();
        all.sort_by(|a, b| a.path.cmp(&b.path));
        all
    }

    /// The path before the change.
    pub(crate) fn old_path(&self) -> &str {
        self.moved_from.as_deref().unwrap_or(&self.path)
    }

    /// The edit that is nearest to a line after the change, at it or before it where there is one.
    pub(crate) fn cause_at(&self, line: u32) -> Cause {
        let before = self.hunks.iter().rev().find(|(_, new)| *new.start() <= line);
        let hunk = before.or_else(|| self.hunks.first());
        let at = hunk.map_or(1, |(_, new)| if new.contains(&line) { line } else { *new.start() });
        Cause { path: self.path.clone(), line: at.max(1) }
    }

    /// The edit that touched a line of the text before.
    pub(crate) fn cause_of_old(&self, line: u32) -> Cause {
        let hunk = self.hunks.iter().find(|(old, _)| old.contains(&line));
        match hunk.or_else(|| self.hunks.first()) {
            Some((_, new)) => Cause { path: self.path.clone(), line: (*new.start()).max(1) },
            None => Cause { path: self.path.clone(), line: 1 },
        }
    }

    /// Is the line of the text after the change new or edited?
    pub(crate) fn is_edited(&self, line: u32) -> bool {
        self.hunks.iter().any(|(_, new)| new.contains(&line))
    }

    /// Did one edit make the new line, perhaps among others, of the old one?
    pub(crate) fn is_one_edit(&self, old: u32, new: u32) -> bool {
        self.hunks.iter().any(|(before, after)| before.contains(&old) && after.contains(&new))
    }

    /// The first line, of some in order, that the change touched or that follows its first edit; else that edit itself.
    pub(crate) fn first_edited(&self, lines: &[u32]) -> u32 {
        let start = self.hunks.first().map_or(1, |(_, new)| (*new.start()).max(1));
        let edited = lines.iter().find(|&&line| self.is_edited(line));
        edited.or_else(|| lines.iter().find(|&&line| line >= start)).copied().unwrap_or(start)
    }
}

fn hunks(
    before: Option<&str>,
    after: Option<&str>,
) -> Vec<(RangeInclusive<u32>, RangeInclusive<u32>)> {
    let input = InternedInput::new(before.unwrap_or_default(), after.unwrap_or_default());
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let lines = |range: std::ops::Range<u32>| {
        if range.is_empty() { range.start..=range.start } else { range.start + 1..=range.end }
    };
    diff.hunks().map(|hunk| (lines(hunk.before), lines(hunk.after))).collect()
}

/// For each file that came, the file that went and was most likely it.
fn moves(changes: &[Change]) -> BTreeMap<&str, &Change> {
    let gone = changes.iter().filter(|change| change.after.is_none()).take(MOST_MOVES);
    let mut gone: Vec<&Change> = gone.collect();
    let mut moves = BTreeMap::new();
    for came in changes.iter().filter(|change| change.before.is_none()).take(MOST_MOVES) {
        let alike = gone.iter().enumerate().map(|(at, old)| (likeness(old, came), at));
        if let Some((share, at)) = alike.max()
            && share >= 50
        {
            moves.insert(&*came.path, gone.remove(at));
        }
    }
    moves
}

/// How much of the larger text is in the other, in percent, counted in lines.
fn likeness(old: &Change, new: &Change) -> usize {
    let (Some(old_text), Some(new_text)) = (&old.before, &new.after) else { return 0 };
    if extension(&old.path) != extension(&new.path) {
        return 0;
    }
    let lines = |text: &[u8]| -> BTreeSet<Vec<u8>> {
        text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).map(<[u8]>::to_vec).collect()
    };
    let (old_lines, new_lines) = (lines(old_text), lines(new_text));
    let common = old_lines.intersection(&new_lines).count();
    common * 100 / old_lines.len().max(new_lines.len()).max(1)
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}
