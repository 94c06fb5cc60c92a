//! Where a directive leads to more rules than it may have tasks, those that find little each share one.
//!
//! Only rules whose files are different go together: each then edits the files as they are, and one that is left out later takes
//! nothing from the others.

use std::collections::BTreeSet;

use rb_rules::Rule;

use crate::unit::{Source, Unit};

/// What a source does, in the groups that become its tasks.
pub(crate) struct Piece {
    pub(crate) source: Source,
    pub(crate) groups: Vec<Vec<Unit>>,
}

impl Piece {
    /// The rules of a piece that may share its one task.
    fn rules(&self) -> Option<Vec<&'static Rule>> {
        match &self.source {
            _ if self.groups.len() != 1 => None,
            Source::Rule(rule) => Some(vec![rule]),
            Source::Rules { rules, .. } => Some(rules.clone()),
            Source::Recipe { .. } | Source::Own { .. } => None,
        }
    }

    fn units(&self) -> impl Iterator<Item = &Unit> {
        self.groups.iter().flatten()
    }

    fn lines(&self) -> usize {
        self.units().map(|it| it.lines).sum()
    }

    fn files(&self) -> BTreeSet<&String> {
        self.units().flat_map(|it| &it.files).collect()
    }
}

/// Puts the smallest pieces together until there are no more than `most` tasks, or none fits into `lines`.
pub(crate) fn joined(mut pieces: Vec<Piece>, most: usize, lines: usize) -> Vec<Piece> {
    pieces.retain(|it| !it.groups.is_empty());
    while pieces.iter().map(|it| it.groups.len()).sum::<usize>() > most {
        let Some((first, second, rules)) = smallest(&pieces, lines) else { break };
        let mut other = pieces.remove(second);
        let one = &mut pieces[first];
        one.source = Source::rules_of(rules);
        one.groups[0].append(&mut other.groups[0]);
    }
    pieces
}

/// Two pieces, by their places, and the rules of both.
type Pair = (usize, usize, Vec<&'static Rule>);

/// The two that have the fewest lines together, and their rules; of one category where there are such.
fn smallest(pieces: &[Piece], lines: usize) -> Option<Pair> {
    let mut best: Option<((bool, usize), Pair)> = None;
    for (first, one) in pieces.iter().enumerate() {
        let Some(rules) = one.rules() else { continue };
        for (second, other) in pieces.iter().enumerate().skip(first + 1) {
            let Some(more) = other.rules() else { continue };
            let sum = one.lines() + other.lines();
            let is_across = rules.iter().chain(&more).any(|it| it.category != rules[0].category);
            let key = (is_across, sum);
            let is_better = best.as_ref().is_none_or(|(least, ..)| key < *least);
            if sum <= lines && is_better && one.files().is_disjoint(&other.files()) {
                best = Some((key, (first, second, [rules.clone(), more].concat())));
            }
        }
    }
    best.map(|(_, pair)| pair)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::risk::Api;
    use crate::unit::Work;

    /// `file:lines`, for one rule after the other.
    fn pieces(rows: &[&str]) -> Vec<Piece> {
        let piece = |(at, row): (usize, &&str)| {
            let (file, lines) = row.split_once(':').unwrap();
            let files = BTreeSet::from([file.to_owned()]);
            let unit = Unit {
                sites: files.clone(),
                count: 1,
                files,
                lines: lines.parse().unwrap(),
                work: Work::Texts(BTreeMap::new()),
                api: Api::Same,
                notes: Vec::new(),
                is_part: false,
                places: Vec::new(),
            };
            Piece { source: Source::Rule(rb_rules::rules::ALL[at]), groups: vec![vec![unit]] }
        };
        rows.iter().enumerate().map(piece).collect()
    }

    #[test]
    fn rf3_small_rules_share_a_task() {
        #[track_caller]
        fn check(rows: &[&str], expected: &[&[&str]]) {
            let found: Vec<Vec<String>> = joined(pieces(rows), 3, 100)
                .iter()
                .map(|it| it.files().into_iter().cloned().collect())
                .collect();
            assert_eq!(found, expected);
        }
        check(&["a:1", "b:1", "c:1"], &[&["a"], &["b"], &["c"]]);
        check(&["a:9", "b:2", "c:8", "d:1"], &[&["a"], &["b", "d"], &["c"]]);
        check(&["a:1", "b:1", "c:1", "d:1", "e:1"], &[&["a", "b"], &["c", "d"], &["e"]]);
        // `ALL` begins with the rules of one category; the last is of another.
        let mut across = pieces(&["a:9", "b:9", "c:9", "d:1"]);
        across[3].source = Source::Rule(rb_rules::rules::ALL.last().expect("rules"));
        let found = joined(across, 3, 100);
        let files: Vec<Vec<&String>> =
            found.iter().map(|it| it.files().into_iter().collect()).collect();
        assert_eq!(files, [vec!["a", "b"], vec!["c"], vec!["d"]]);
        // Rules that edit one file stay apart, and so does what is too much together.
        check(&["a:1", "a:1", "a:1", "a:1"], &[&["a"], &["a"], &["a"], &["a"]]);
        check(&["a:60", "b:60", "c:60", "d:60"], &[&["a"], &["b"], &["c"], &["d"]]);
    }
}
