//! Where in a text the words of a directive stand: names as a whole, other words by their beginnings.

use std::collections::BTreeSet;

use rb_lang::name_words;

use crate::names::{Names, folded, is_of_name};
use crate::understand::is_filler;
use crate::words::{tokens, words};

/// The most words that are looked for.
const MOST: usize = 30;
/// A word is rare if at most one of so many texts has it.
const RARE: usize = 4;

/// What a directive is about.
pub(crate) struct Terms {
    names: BTreeSet<String>,
    /// Words that are one name in a text.
    runs: Vec<Vec<String>>,
    phrases: Vec<String>,
    /// Each as it is written, and its beginning.
    words: Vec<(String, String)>,
}

/// What of it a text has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Matches {
    /// As the text has them, what the directive quotes among them.
    pub(crate) names: BTreeSet<String>,
    /// Their places among the words of the directive.
    pub(crate) words: BTreeSet<usize>,
    pub(crate) lines_with_names: Vec<u32>,
    /// With the words of each.
    lines_with_words: Vec<(u32, BTreeSet<usize>)>,
}

/// The lines of each text that match. Where one of the texts has a name, these are the lines with a name; else the lines with two
/// words or a rare one, and only where there is none of those the lines with one word.
pub(crate) fn lines(texts: &[Matches]) -> Vec<Vec<u32>> {
    if texts.iter().any(|it| !it.names.is_empty()) {
        return texts.iter().map(|it| it.lines_with_names.clone()).collect();
    }
    let has = |word: &usize| texts.iter().filter(|it| it.words.contains(word)).count();
    let is_rare = |word: &usize| RARE * has(word) <= texts.len();
    let is_enough = |words: &BTreeSet<usize>| words.len() > 1 || words.iter().any(is_rare);
    let mut all = texts.iter().flat_map(|it| &it.lines_with_words);
    let has_enough = all.any(|it| is_enough(&it.1));
    let of_text = |text: &Matches| -> Vec<u32> {
        let lines = text.lines_with_words.iter();
        lines.filter(|it| !has_enough || is_enough(&it.1)).map(|it| it.0).collect()
    };
    texts.iter().map(of_text).collect()
}

impl Terms {
    pub(crate) fn of(directive: &str) -> Terms {
        let Names { written, runs, .. } = Names::of(directive);
        let tokens = tokens(directive);
        let mut terms = Terms {
            names: written.into_iter().map(|it| it.name).collect(),
            runs: runs.into_iter().filter(|it| it.is_named).map(|it| it.words).collect(),
            phrases: phrases(directive).map(str::to_owned).collect(),
            words: Vec::new(),
        };
        for word in words(directive) {
            let is_of_path = tokens[word.token].trim_end_matches('.').contains(['/', '.']);
            let is_short = word.text.chars().count() < 3;
            let says = !word.is_ruled_out && !word.is_verb && !is_filler(&word.text);
            let stem = stem(&word.text);
            let is_known = terms.words.iter().any(|it| it.1 == stem);
            if says && !is_of_path && !is_short && !is_known && terms.words.len() < MOST {
                terms.words.push((word.raw, stem.to_owned()));
            }
        }
        terms
    }

    /// The word at a place, as the directive has it.
    pub(crate) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |it| it.0.as_str())
    }

    pub(crate) fn matches(&self, text: &str) -> Matches {
        let mut found = Matches::default();
        for (line, number) in text.lines().zip(1..) {
            let (names, words) = (self.names_in(line), self.words_in(line));
            if !names.is_empty() {
                found.lines_with_names.push(number);
            }
            if !words.is_empty() {
                found.lines_with_words.push((number, words.clone()));
            }
            found.names.extend(names);
            found.words.extend(words);
        }
        found
    }

    fn names_in(&self, line: &str) -> BTreeSet<String> {
        let is_one = |name: &&str| self.names.contains(*name) || self.is_run(name);
        let names = line.split(|c: char| !is_of_name(c)).filter(is_one).map(str::to_owned);
        names.chain(self.phrases.iter().filter(|it| line.contains(*it)).cloned()).collect()
    }

    fn is_run(&self, name: &str) -> bool {
        self.runs.iter().any(|run| folded(name) == run.concat() && name_words(name) == *run)
    }

    /// The places of the words that a line or a path has.
    pub(crate) fn words_in(&self, line: &str) -> BTreeSet<usize> {
        let parts = name_words(line);
        let has = |stem: &str| parts.iter().any(|part| is_form(part, stem));
        let found = self.words.iter().enumerate().filter(|(_, (_, stem))| has(stem));
        found.map(|it| it.0).collect()
    }
}

/// What a directive has between quotation marks, if it is of several words: a text as the code has it.
pub(crate) fn phrases(directive: &str) -> impl Iterator<Item = &str> {
    let pieces: Vec<&str> = directive.split(['"', '“', '”']).collect();
    let closed = pieces.len().saturating_sub(1);
    let inside = pieces.into_iter().take(closed).skip(1).step_by(2);
    inside.map(str::trim).filter(|it| it.contains(char::is_whitespace))
}

/// "option" of "options", "pars" of "parsing".
fn stem(word: &str) -> &str {
    let ends = ["ies", "ing", "ed", "es", "s"];
    let mut stems = ends.iter().filter_map(|end| word.strip_suffix(end));
    stems.find(|it| it.chars().count() >= 3).unwrap_or(word)
}

/// Whether a word begins so, and is not much longer.
fn is_form(word: &str, stem: &str) -> bool {
    let more = if stem.len() < 4 { 1 } else { 4 };
    word.starts_with(stem) && word.len() <= stem.len() + more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf3_lines_are_found_by_names_else_by_words() {
        #[track_caller]
        fn check(directive: &str, text: &str, expected: &[u32]) {
            assert_eq!(
                lines(&[Terms::of(directive).matches(text)]).concat(),
                expected,
                "{directive}"
            );
        }
        let text = "def select_proxy(url):\n    pass  # one proxy of many\n\nselected = selectProxy\nx = 1\n";
        check("Cache select_proxy", text, &[1]);
        check("Cache what the select proxy function returns", text, &[1, 4]);
        check("Cache proxies", text, &[1, 2, 4]);
        check("Describe every proxy", text, &[1, 2, 4]);
        check("Describe urls of a proxy", text, &[1]);
        check("Describe src/proxy.py", text, &[]);
        check("Say \"one proxy of many\" twice", text, &[2]);
        check("Say \"one proxy of some\" twice", text, &[1, 2, 4]);
    }

    /// Five texts, so that a word of one of them is rare.
    #[test]
    fn rf3_one_ordinary_word_is_no_match_beside_a_name_or_two_words() {
        #[track_caller]
        fn check(directive: &str, expected: [&[u32]; 5]) {
            let texts = [
                "if config.null_separator {\n    buffer.end()",
                "let found = m.end();\nOUTPUT=1\nend of output",
                "pub end: u32",
                "the output\nthe line",
                "output.clear()",
            ];
            let terms = Terms::of(directive);
            assert_eq!(lines(&texts.map(|it| terms.matches(it))), expected, "{directive}");
        }
        let none: &[u32] = &[];
        check(
            "Replace null_separator by how a line of output ends",
            [&[1], none, none, none, none],
        );
        // Two words, or one that only one text has.
        check("Describe how a line of output ends", [none, &[3], none, &[2], none]);
        check("Describe the ends", [&[2], &[1, 3], &[1], none, none]);
    }

    #[test]
    fn rf3_words_are_found_in_other_forms() {
        assert_eq!(
            ["options", "parsing", "class", "cut", "red"].map(stem),
            ["option", "pars", "clas", "cut", "red"]
        );
        assert!(is_form("parser", "pars") && is_form("cuts", "cut"));
        assert!(!is_form("context", "con") && !is_form("parallelism", "par"));
    }
}
