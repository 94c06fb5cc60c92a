//! What prose calls things that code writes with a keyword: "raises an exception" for `throw`, "empty" for `null`.

use super::negation;
use super::words::{stem, words_in_code};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Equivalent {
    prose: &'static str,
    code: &'static str,
}

/// In code, also `!`.
pub(super) const NOTHING: Equivalent = Equivalent {
    prose: "null nil none undefined empty missing absent unset",
    code: "null nil nullptr none undefined empty",
};

const EQUIVALENTS: [Equivalent; 4] = [
    NOTHING,
    Equivalent {
        prose: "throw raise error exception fail reject panic",
        code: "throw raise error err exception fail reject panic bail",
    },
    Equivalent {
        prose: "require import include package module dependency library crate",
        code: "require import include from use using package dependency",
    },
    Equivalent { prose: "return", code: "return" },
];

/// What code writes for words, which are given as stems.
pub(super) fn of<'w>(stems: impl IntoIterator<Item = &'w String>) -> Vec<Equivalent> {
    let has = |list: &str, word: &str| list.split_ascii_whitespace().any(|one| stem(one) == word);
    let of_word = |word: &'w String| {
        EQUIVALENTS.into_iter().filter(move |equivalent| has(equivalent.prose, word))
    };
    stems.into_iter().flat_map(of_word).collect()
}

impl Equivalent {
    pub(super) fn is_in(self, line: &str) -> bool {
        let words = words_in_code(line);
        self.code.split_ascii_whitespace().any(|keyword| words.contains(&stem(keyword)))
            || (self == NOTHING && negation::has_operator(line))
    }
}
