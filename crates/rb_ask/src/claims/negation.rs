//! Statements that something is not there or does not happen. "If there is no callback, it throws" is none: the code shows it.

use super::spans::{Span, spans};

const NEGATIONS: [&str; 12] = [
    "no", "not", "never", "none", "nothing", "nobody", "nowhere", "neither", "nor", "cannot",
    "lack", "lacks",
];

/// What follows one of these, up to a comma, is a condition and no statement.
const CONDITIONS: [&str; 8] =
    ["if", "when", "whenever", "unless", "until", "whether", "where", "while"];

/// How many words may stand between a negation and what it negates.
const REACH: usize = 5;

pub(super) struct Negation {
    /// Where its word ends in the sentence, in bytes.
    end: usize,
}

/// The first negation outside of conditions and code.
pub(super) fn find(sentence: &str) -> Option<Negation> {
    let mut is_condition = false;
    let prose = spans(sentence).into_iter().filter(|span| !span.is_code);
    let prose: Vec<(usize, &str)> = prose.flat_map(Span::words).collect();
    for (at, (start, word)) in prose.iter().enumerate() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let next = prose.get(at + 1).map_or("", |(_, next)| *next);
        is_condition |= CONDITIONS.contains(&bare.as_str());
        if !is_condition && is_negation(&bare) && !matches!(next, "only" | "just") {
            return Some(Negation { end: start + word.len() });
        }
        is_condition &= !word.ends_with([',', ';', ':']);
    }
    None
}

fn is_negation(word: &str) -> bool {
    NEGATIONS.contains(&word) || word.ends_with("n't") || word.ends_with("n’t")
}

impl Negation {
    /// Whether it negates what begins at `start`: it stands shortly before it in the same clause.
    pub(super) fn reaches(&self, sentence: &str, start: usize) -> bool {
        sentence.get(self.end..start).is_some_and(|between| {
            !between.contains([',', ';', ':']) && between.split_whitespace().count() <= REACH
        })
    }
}
