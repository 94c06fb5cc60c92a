//! Where words of a directive fit the patterns of the tables, as far as they are free to lead somewhere.

use std::collections::BTreeMap;
use std::ops::Range;

use super::concepts::Concept;
use super::{Reading, wanted};

/// Words that lead to something.
pub(super) struct Hit {
    pub(super) words: Vec<String>,
    pub(super) part: usize,
}

impl Reading {
    pub(super) fn concept(&mut self, concept: &'static Concept) {
        let mut is_wanted = false;
        let hits = self.hits(concept);
        let marks = if hits.is_empty() { BTreeMap::new() } else { self.marks(concept) };
        for (part, places) in hits {
            let is_open = !concept.is_general || !(self.has_match(part) || self.has_place(part));
            if !is_open || (concept.is_general && self.against.contains_key(&part)) {
                continue;
            }
            if self.is_against(concept, part, marks.get(&part)) {
                self.against.entry(part).or_insert(concept);
                continue;
            }
            let words = places.iter().map(|&at| self.words[at].raw.clone()).collect();
            let hit = Hit { words, part };
            for at in places {
                self.is_used[at] = true;
            }
            self.is_general |= concept.is_general;
            is_wanted = true;
            for serves in concept.serves {
                self.serve(*serves, &hit);
            }
        }
        if is_wanted {
            self.want(concept.about, wanted::ids(concept.serves));
        }
    }

    /// By part: the words that a concept is told by.
    pub(super) fn hits(&self, concept: &Concept) -> BTreeMap<usize, Vec<usize>> {
        let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, any) in concept.all.iter().enumerate() {
            let here = self.first_rows(any);
            if at == 0 {
                found = here;
                continue;
            }
            found.retain(|part, _| here.contains_key(part));
            for (part, places) in here {
                found.entry(part).and_modify(|it| it.extend(places));
            }
        }
        if !found.is_empty() {
            let none = self.first_rows(concept.none);
            found.retain(|part, _| !none.contains_key(part));
        }
        for places in found.values_mut() {
            places.sort_unstable();
            places.dedup();
        }
        found
    }

    /// By part: the words of the first row that fits, for each pattern of a list.
    fn first_rows(&self, patterns: &str) -> BTreeMap<usize, Vec<usize>> {
        let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for pattern in patterns.split_whitespace() {
            let mut last = None;
            for row in self.rows(pattern) {
                let part = self.words[row.start].part;
                if last != Some(part) && self.is_of(&row, part) {
                    found.entry(part).or_default().extend(row);
                    last = Some(part);
                }
            }
        }
        found
    }

    /// Words in a row that are free to lead somewhere.
    pub(super) fn rows(&self, pattern: &str) -> Vec<Range<usize>> {
        let mut rows = self.index.rows(&self.words, pattern);
        rows.retain(|row| row.clone().all(|at| self.is_free(at)));
        rows
    }

    pub(super) fn is_free(&self, at: usize) -> bool {
        let word = &self.words[at];
        let is_led = self.is_making[word.part] || self.is_asking[word.part];
        !word.is_ruled_out && !word.is_taken && !is_led
    }

    pub(super) fn is_of(&self, row: &Range<usize>, part: usize) -> bool {
        row.clone().all(|at| self.words[at].part == part)
    }

    /// The words lead to nothing else.
    pub(super) fn take(&mut self, range: Range<usize>) -> Hit {
        for at in range.clone() {
            self.is_used[at] = true;
            self.words[at].is_taken = true;
        }
        self.hit(range)
    }

    pub(super) fn hit(&self, range: Range<usize>) -> Hit {
        let part = self.words[range.start].part;
        Hit { words: self.words[range].iter().map(|it| it.raw.clone()).collect(), part }
    }
}
