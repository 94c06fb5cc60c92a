//! The words of a directive by their texts, and its parts by their places: hundreds of patterns then cost a look each, and not a walk
//! over all words.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::words::{Word, fits};

pub(super) struct Index {
    by_text: BTreeMap<String, Vec<usize>>,
    /// The places of its words, by the number of the part.
    pub(super) parts: Vec<Range<usize>>,
}

impl Index {
    pub(super) fn of(words: &[Word]) -> Index {
        let mut by_text: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut parts: Vec<Range<usize>> = Vec::new();
        for (at, word) in words.iter().enumerate() {
            by_text.entry(word.text.clone()).or_default().push(at);
            match parts.get_mut(word.part) {
                Some(range) => range.end = at + 1,
                None => parts.push(at..at + 1),
            }
        }
        Index { by_text, parts }
    }

    /// Words in a row that fit a pattern such as `dead+code`, the first ones first.
    pub(super) fn rows(&self, words: &[Word], pattern: &str) -> Vec<Range<usize>> {
        let phrase: Vec<&str> = pattern.split('+').collect();
        let fits_at = |&at: &usize| {
            let row = words.get(at..at + phrase.len());
            row.is_some_and(|row| row.iter().zip(&phrase).all(|(word, it)| fits(&word.text, it)))
        };
        let first = self.at(phrase.first().copied().unwrap_or_default());
        first.into_iter().filter(fits_at).map(|at| at..at + phrase.len()).collect()
    }

    /// The places of words that fit, in order.
    fn at(&self, pattern: &str) -> Vec<usize> {
        let Some(stem) = pattern.strip_suffix('*') else {
            return self.by_text.get(pattern).cloned().unwrap_or_default();
        };
        let from = self.by_text.range(stem.to_owned()..);
        let fitting = from.take_while(|(text, _)| text.starts_with(stem));
        let mut places: Vec<usize> = fitting.flat_map(|(_, places)| places).copied().collect();
        places.sort_unstable();
        places
    }
}
