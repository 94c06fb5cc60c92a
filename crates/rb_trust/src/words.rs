//! The words that instructions to a model are made of: for each language a file, in it for each class of words a line.
//!
//! A word ends where its letters end, unless `*` says that it may go on; in writing without spaces it may stand anywhere.
//! A new language is a new file and a line in `FILES`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

use crate::fold;

/// What a word does in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Class {
    /// Lets rules go: "ignore", "forget".
    Ignore,
    /// The same, of verbs that code and its docs are full of: "override", "skip".
    Quit,
    /// Says of rules that they are gone: "no longer apply".
    Moot,
    /// "previous", "above", "you were given".
    Prior,
    All,
    Your,
    /// What a model follows: "instructions", "prompt".
    Order,
    /// What could be that: "rules", "context".
    Thing,
    /// Gives something away: "reveal", "send".
    Reveal,
    /// The same, of verbs that say it less: "include", "read".
    Take,
    /// What only a model has: "your system prompt".
    Own,
    /// Likely that: "the system prompt".
    Prompt,
    /// "environment variables", "API keys".
    Keys,
    /// Whom it is said to: "AI", "assistant".
    Model,
    Must,
    /// Calls a model by its kind: "if you are an LLM".
    Summon,
    /// Says that other orders follow: "new instructions".
    Fresh,
    /// "do not tell".
    Hide,
    User,
    /// "you are now", "act as".
    Now,
    /// What it would become: "unrestricted", "DAN".
    Persona,
    /// What an agent is made to do: "approve this", "run the following".
    Approve,
    /// Words of people who write about attacks.
    Talk,
}

const CLASSES: [(&str, Class); 23] = [
    ("ignore", Class::Ignore),
    ("quit", Class::Quit),
    ("moot", Class::Moot),
    ("prior", Class::Prior),
    ("all", Class::All),
    ("your", Class::Your),
    ("order", Class::Order),
    ("thing", Class::Thing),
    ("reveal", Class::Reveal),
    ("take", Class::Take),
    ("own", Class::Own),
    ("prompt", Class::Prompt),
    ("keys", Class::Keys),
    ("model", Class::Model),
    ("must", Class::Must),
    ("summon", Class::Summon),
    ("fresh", Class::Fresh),
    ("hide", Class::Hide),
    ("user", Class::User),
    ("now", Class::Now),
    ("persona", Class::Persona),
    ("approve", Class::Approve),
    ("talk", Class::Talk),
];

/// Name of the language, its words, and whether the verb may stand behind its object as well as before it.
const FILES: [(&str, &str, Order); 16] = [
    ("en", include_str!("words/en.tsv"), Order::VerbFirst),
    ("de", include_str!("words/de.tsv"), Order::Free),
    ("fr", include_str!("words/fr.tsv"), Order::VerbFirst),
    ("es", include_str!("words/es.tsv"), Order::VerbFirst),
    ("pt", include_str!("words/pt.tsv"), Order::VerbFirst),
    ("it", include_str!("words/it.tsv"), Order::VerbFirst),
    ("nl", include_str!("words/nl.tsv"), Order::Free),
    ("pl", include_str!("words/pl.tsv"), Order::VerbFirst),
    ("ru", include_str!("words/ru.tsv"), Order::VerbFirst),
    ("uk", include_str!("words/uk.tsv"), Order::VerbFirst),
    ("tr", include_str!("words/tr.tsv"), Order::Free),
    ("zh", include_str!("words/zh.tsv"), Order::Free),
    ("ja", include_str!("words/ja.tsv"), Order::Free),
    ("ko", include_str!("words/ko.tsv"), Order::Free),
    ("ar", include_str!("words/ar.tsv"), Order::VerbFirst),
    ("hi", include_str!("words/hi.tsv"), Order::Free),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    VerbFirst,
    Free,
}

/// A language, as its place in `FILES`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lang(u8);

impl Lang {
    pub(crate) const ENGLISH: Lang = Lang(0);

    pub(crate) fn order(self) -> Order {
        FILES[usize::from(self.0)].2
    }

    /// Bytes of a letter, so that distances mean the same in every script.
    pub(crate) fn width(self) -> usize {
        if matches!(self.name(), "ru" | "uk" | "ar" | "zh" | "ja" | "ko" | "hi") { 2 } else { 1 }
    }

    pub(crate) fn is_cyrillic(self) -> bool {
        matches!(self.name(), "ru" | "uk")
    }

    pub(crate) fn name(self) -> &'static str {
        FILES[usize::from(self.0)].0
    }
}

/// One meaning of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sense {
    pub(crate) lang: Lang,
    pub(crate) class: Class,
    /// Whether letters may follow, and precede.
    pub(crate) goes_on: bool,
    pub(crate) goes_before: bool,
}

/// A word as it is found in a skeleton.
#[derive(Debug)]
pub(crate) struct Word {
    /// Its letters before they were folded, gaps left out.
    pub(crate) letters: Vec<char>,
    pub(crate) senses: Vec<Sense>,
}

pub(crate) struct Lexicon {
    pub(crate) finder: AhoCorasick,
    /// Finds the same words where gaps are left out.
    pub(crate) squeezed: AhoCorasick,
    pub(crate) words: Vec<Word>,
}

pub(crate) static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut words: BTreeMap<String, Word> = BTreeMap::new();
    for (nth, (_, file, _)) in (0..).zip(FILES) {
        for (class, word) in entries(file) {
            let bare = word.trim_matches('*');
            let skeleton = fold::fold(bare).text;
            let free = skeleton.chars().any(is_unspaced);
            let sense = Sense {
                lang: Lang(nth),
                class,
                goes_on: free || word.ends_with('*'),
                goes_before: free || word.starts_with('*'),
            };
            let entry = words
                .entry(skeleton)
                .or_insert_with(|| Word { letters: fold::letters(bare), senses: Vec::new() });
            if !entry.senses.contains(&sense) {
                entry.senses.push(sense);
            }
        }
    }
    let (patterns, words): (Vec<String>, Vec<Word>) = words.into_iter().unzip();
    let squeezed = finder(patterns.iter().map(|pattern| pattern.replace(' ', "")));
    Lexicon { finder: finder(patterns), squeezed, words }
});

fn finder(patterns: impl IntoIterator<Item = String>) -> AhoCorasick {
    let builder = AhoCorasick::builder().match_kind(MatchKind::Standard).build(patterns);
    builder.expect("a few thousand words make an automaton")
}

/// The words of a file with their class. A line that names no class is a mistake that the test below finds.
fn entries(file: &'static str) -> impl Iterator<Item = (Class, &'static str)> {
    file.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .flat_map(|(class, words)| {
            let class = CLASSES.iter().find(|known| known.0 == class).map(|known| known.1);
            words
                .split(';')
                .map(str::trim)
                .filter(|word| !word.is_empty())
                .filter_map(move |word| Some((class?, word)))
        })
}

/// Whether `c` belongs to writing that puts no spaces around words, or glues endings to them.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mo9_every_line_of_words_is_read() {
        for (name, file, _) in FILES {
            for line in file.lines().filter(|line| !line.starts_with('#')) {
                let (class, words) =
                    line.split_once('\t').unwrap_or_else(|| panic!("{name}: {line}"));
                assert!(CLASSES.iter().any(|known| known.0 == class), "{name}: {class}");
                assert!(!words.is_empty(), "{name}: {class}");
            }
            for class in [
                Class::Ignore,
                Class::Order,
                Class::Prior,
                Class::Reveal,
                Class::Own,
                Class::Summon,
            ] {
                assert!(entries(file).any(|entry| entry.0 == class), "{name} has no {class:?}");
            }
        }
    }

    #[test]
    fn mo9_no_word_folds_to_nothing() {
        for word in &LEXICON.words {
            assert!(
                word.letters.len() > 1 || !word.letters[0].is_ascii() || word.letters == ['i'],
                "{word:?}"
            );
        }
    }
}
