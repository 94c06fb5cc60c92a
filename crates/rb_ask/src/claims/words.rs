//! Words of prose and of code, reduced so that they can be compared: "caching" with `cacheSize`.

use std::collections::BTreeSet;

use super::spans::spans;

/// Shorter words are in any text.
const MIN_LETTERS: usize = 3;

/// The words of a sentence that carry its meaning, as stems.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ContentWords {
    pub(super) specific: Vec<String>,
    /// Words that fit any code: "function", "returns".
    pub(super) generic: Vec<String>,
}

pub(super) fn content_words(sentence: &str) -> ContentWords {
    let mut words = ContentWords::default();
    for span in spans(sentence).into_iter().filter(|span| !span.is_code) {
        for word in span.text.split(|c: char| !c.is_alphabetic()) {
            let word = word.to_lowercase();
            if word.chars().count() < MIN_LETTERS || is_listed(STOP_WORDS, &word) {
                continue;
            }
            let is_generic = is_generic(&word);
            let kind = if is_generic { &mut words.generic } else { &mut words.specific };
            kind.push(stem(&word));
        }
    }
    words
}

/// The stems of what a sentence is about: of its words, without those that fit any code, and of its code.
pub(super) fn subject(sentence: &str) -> BTreeSet<String> {
    let code = spans(sentence).into_iter().filter(|span| span.is_code);
    let code = code.flat_map(|span| words_in_code(span.text));
    content_words(sentence).specific.into_iter().chain(code).collect()
}

/// The stems of all words in a text, also of those that a name consists of.
pub(super) fn words_in_code(text: &str) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    for name in text.split(|c: char| !c.is_alphabetic()).filter(|name| !name.is_empty()) {
        let whole = name.to_lowercase();
        for word in name_words(name).into_iter().chain([whole]) {
            if word.chars().count() >= MIN_LETTERS {
                stems.insert(stem(&word));
            }
        }
    }
    stems
}

/// `HTTPServer` as `http` and `server`.
pub(super) fn name_words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (at, letter) in letters.iter().enumerate() {
        let follows_lower = at > 0 && letters[at - 1].is_lowercase();
        let begins_lower = at > 0 && letters.get(at + 1).is_some_and(|next| next.is_lowercase());
        if letter.is_uppercase() && (follows_lower || begins_lower) {
            words.push(String::new());
        }
        let word = words.last_mut().expect("there is one from the beginning");
        word.extend(letter.to_lowercase());
    }
    words
}

/// Without its endings. What comes out is no word, but the same for "parse", "parser" and "parsing".
pub(super) fn stem(word: &str) -> String {
    let mut stem = word;
    while let Some(shorter) = without_ending(stem) {
        stem = shorter;
    }
    let verb = short_verb(stem);
    let mut letters: Vec<char> = verb.as_deref().unwrap_or(stem).chars().collect();
    if let [.., before, last] = letters[..]
        && before == last
    {
        letters.pop();
    }
    if let Some(last) = letters.last_mut().filter(|last| **last == 'y') {
        *last = 'i';
    }
    letters.into_iter().collect()
}

fn without_ending(word: &str) -> Option<&str> {
    const ENDINGS: [&str; 9] = ["ing", "ion", "ed", "er", "or", "es", "ly", "e", "s"];
    ENDINGS.iter().find_map(|ending| {
        let least = if *ending == "s" { 3 } else { 4 };
        word.strip_suffix(*ending).filter(|shorter| shorter.chars().count() >= least)
    })
}

/// "add" of "added", "size" of "sized". `None` if what is left is no verb: "string".
fn short_verb(word: &str) -> Option<String> {
    let is_vowel = |letter: char| "aeiouy".contains(letter);
    let root = ["ing", "ed"].into_iter().find_map(|ending| word.strip_suffix(ending))?;
    let letters: Vec<char> = root.chars().collect();
    let [first, second, third] = letters[..] else { return None };
    if !letters.iter().any(|letter| is_vowel(*letter)) || "aeou".contains(third) {
        return None;
    }
    let lost_e = !is_vowel(first) && is_vowel(second) && !is_vowel(third) && !"wx".contains(third);
    Some(if lost_e { format!("{root}e") } else { root.to_owned() })
}

/// Whether a word fits any code, in any of its forms.
pub(crate) fn is_generic(word: &str) -> bool {
    let stem = stem(word);
    GENERIC_WORDS.split_ascii_whitespace().any(|entry| self::stem(entry) == stem)
}

/// Whether a word is in a list that is written with spaces.
pub(super) fn is_listed(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| entry == word)
}

const STOP_WORDS: &str = "\
    about above after again all also although always and another any anything are aren around \
    because been before being below between both but can cannot could did does doesn doing don \
    done down during each either else even ever every few first for from further had has have \
    having hence her here him his how however into isn its itself just later like made make makes \
    many may means might more most much must neither never next nor not nothing now off often once \
    one only onto other others our out over own per rather same see several she should since some \
    something still such than that the their them then there these they thing things this those \
    three through thus too two under until upon very via was wasn way were what when where whether \
    which while who whole whom why will with within without would yes yet you your";

const GENERIC_WORDS: &str = "\
    appear argument array async await block body boolean call class code command component const \
    constant constructor contain create data declare def default define depend describe directory \
    element entry enum export field file \
    folder function get give handle important implement import instance int interface key \
    keyword let library line list located macro main map mention method modifier module name new null number \
    object operator option package parameter part pass perform place point private program \
    project property provide public repository require responsible result return run script self set \
    source start static store string struct take test trait true false type use used using value \
    variable void work";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as8_forms_of_a_word_have_one_stem() {
        let check = |words: &[&str]| {
            let stems: BTreeSet<String> = words.iter().map(|word| stem(word)).collect();
            assert_eq!(stems.len(), 1, "{words:?}: {stems:?}");
        };
        check(&["cache", "caches", "cached", "caching"]);
        check(&["parse", "parser", "parses", "parsing", "parsed"]);
        check(&["render", "renderer", "renders", "rendering"]);
        check(&["route", "router", "routes", "routing"]);
        check(&["handle", "handler", "handling"]);
        check(&["pass", "passes", "passing"]);
        check(&["copy", "copies"]);
        check(&["file", "files"]);
        check(&["call", "calls", "calling"]);
        check(&["create", "creates", "created", "creation"]);
        check(&["return", "returned"]);
        check(&["match", "matches", "matching"]);
        check(&["size", "sizes", "sized", "sizing"]);
        check(&["add", "adds", "added", "adding"]);
        check(&["ask", "asked"]);
        check(&["try", "tried"]);
        check(&["fix", "fixed", "fixing"]);
        let others = [("render", "route"), ("string", "str"), ("file", "fill"), ("note", "not")];
        for (one, other) in others {
            assert_ne!(stem(one), stem(other));
        }
    }

    #[test]
    fn as8_names_consist_of_words() {
        let check = |name, expected: &[&str]| assert_eq!(name_words(name), expected, "{name}");
        check("parseBody", &["parse", "body"]);
        check("HTTPServer", &["http", "server"]);
        check("plain", &["plain"]);
        check("View", &["view"]);
    }

    #[test]
    fn as8_words_that_fit_any_code_are_kept_apart() {
        let words = content_words("The function returns a rendered `view`.");
        assert_eq!(words.specific, [stem("rendered")]);
        assert_eq!(words.generic, [stem("function"), stem("returns")]);
    }
}
