//! The strings and numbers that a kata mentions: code may spell those out.

use std::collections::BTreeSet;

use super::literal::Literal;

pub(super) struct KataWords {
    /// In lower case.
    text: String,
    numbers: BTreeSet<Literal>,
}

impl KataWords {
    pub(super) fn new(kata: &str) -> KataWords {
        let text = kata.to_lowercase();
        let mut numbers = BTreeSet::new();
        let is_other = |letter: char| !matches!(letter, '0'..='9' | '.' | ',' | '_');
        for run in text.split(is_other) {
            // "1,000" may be one number or a list of two.
            let whole: String = run.chars().filter(|letter| *letter != ',').collect();
            numbers.extend(Literal::of_number(whole.trim_matches(['.', '_'])));
            numbers.extend(run.split([',', '.', '_']).filter_map(Literal::of_number));
        }
        let words = text.split(|letter: char| !letter.is_alphabetic());
        numbers.extend(words.filter_map(number_word).filter_map(Literal::of_number));
        KataWords { text, numbers }
    }

    pub(super) fn has(&self, literal: &Literal) -> bool {
        match literal {
            Literal::Text(text) => self.text.contains(&text.to_lowercase()),
            Literal::Number(_) => self.numbers.contains(literal),
        }
    }
}

fn number_word(word: &str) -> Option<&'static str> {
    const WORDS: &[(&str, &str)] = &[
        ("three", "3"),
        ("four", "4"),
        ("five", "5"),
        ("six", "6"),
        ("seven", "7"),
        ("eight", "8"),
        ("nine", "9"),
        ("ten", "10"),
        ("eleven", "11"),
        ("twelve", "12"),
        ("dozen", "12"),
        ("fifteen", "15"),
        ("twenty", "20"),
        ("thirty", "30"),
        ("forty", "40"),
        ("fifty", "50"),
        ("hundred", "100"),
        ("thousand", "1000"),
    ];
    WORDS.iter().find(|(name, _)| *name == word).map(|(_, digits)| *digits)
}
