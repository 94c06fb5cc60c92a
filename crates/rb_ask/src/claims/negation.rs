//! Negative statements, and the code that shows one.
//!
//! No line shows that something exists nowhere or never happens: "is never called", "there is no cache". Another negative ("a
//! skipped file is not queued") needs a cited line that negates as well: `!`, `not`, `null`, `skip`. An `else` does not: nearly
//! every function has one. "If there is no callback, it throws" is a condition and no negative statement.

use super::spans::{Span, spans};
use super::words::{is_listed, name_words, stem};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Negation {
    /// Something exists nowhere or never happens.
    Everywhere,
    /// Something is not so here.
    Here,
}

const NEGATIONS: &str = "no not none nothing nobody neither nor cannot lack lacks never nowhere";

/// What follows one of these, up to a comma, is a condition and no statement.
const CONDITIONS: &str = "if when whenever unless until whether where while";

/// What a negative that speaks of everything goes on with: "is not used anywhere", "does not exist".
const EVERYWHERE: &str =
    "anywhere ever elsewhere exist exists implemented repository repo codebase";

/// What "no" denies everywhere if it begins a clause: "no file imports it".
const THINGS: &str = "file files function functions method methods class classes module modules \
    code test tests caller callers place places";

/// A clause begins after one of these.
const JOINTS: &str = "and but so that because";

/// Words in code and comments that negate, in any of their forms: `skipHidden`, `isDisabled`.
const IN_CODE: &str = "no not non none nor never null nil nullptr undefined nothing false without \
    unless except skip ignore disable empty missing cannot";

/// A word of the prose.
struct Word<'t> {
    text: &'t str,
    /// In lower case, without the punctuation around it.
    bare: String,
}

impl Word<'_> {
    fn ends_clause(&self) -> bool {
        self.text.ends_with([',', ';', ':'])
    }
}

/// What a sentence denies, outside of conditions and code.
pub(super) fn find(sentence: &str) -> Option<Negation> {
    let words = prose(sentence);
    let mut is_condition = false;
    let mut found = None;
    for (at, word) in words.iter().enumerate() {
        let is_opening = at == 0 && word.bare == "without";
        is_condition |= is_opening || is_listed(CONDITIONS, &word.bare);
        if !is_condition && is_negation(&words, at) {
            if is_everywhere(&words, at) {
                return Some(Negation::Everywhere);
            }
            found = Some(Negation::Here);
        }
        is_condition &= !word.ends_clause();
    }
    found
}

/// Whether a sentence negates anything, also in a condition.
pub(super) fn is_in_sentence(sentence: &str) -> bool {
    let words = prose(sentence);
    let is_unless = |word: &Word<'_>| matches!(word.bare.as_str(), "unless" | "without");
    words.iter().any(is_unless) || (0..words.len()).any(|at| is_negation(&words, at))
}

/// Whether a line of code or a comment negates something.
pub(super) fn is_in_code(line: &str) -> bool {
    let is_negative = |word: &String| {
        let stem = stem(word);
        IN_CODE.split_ascii_whitespace().any(|entry| self::stem(entry) == stem)
    };
    let names = line.split(|c: char| !c.is_alphabetic());
    let mut words = names.flat_map(name_words);
    has_operator(line) || line.contains("n't") || words.any(|word| is_negative(&word))
}

/// Whether a line has `!` or `!=`, and not as the end of a name (`println!`) or of a sentence.
pub(super) fn has_operator(line: &str) -> bool {
    line.match_indices('!').any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let is_end = |c: char| c.is_alphanumeric() || "_)]#<\"'".contains(c);
        let after = &line[at + 1..];
        after.starts_with('=') || (before.is_none_or(|c| !is_end(c)) && !after.starts_with('['))
    })
}

fn prose(sentence: &str) -> Vec<Word<'_>> {
    let prose = spans(sentence).into_iter().filter(|span| !span.is_code);
    let word = |text| Word { text, bare: bare(text) };
    prose.flat_map(Span::words).map(|(_, text)| word(text)).collect()
}

fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

fn is_negation(words: &[Word<'_>], at: usize) -> bool {
    /// "string" is no gerund.
    const SHORTEST_GERUND: usize = 7;
    let word = words[at].bare.as_str();
    let next = words.get(at + 1).map_or("", |next| next.bare.as_str());
    match word {
        // "Without locking" denies it; "a name without extension" is a kind of name.
        "without" => next == "any" || (next.ends_with("ing") && next.len() >= SHORTEST_GERUND),
        _ => {
            let is_listed = is_listed(NEGATIONS, word);
            let is_contracted = word.ends_with("n't") || word.ends_with("n’t");
            (is_listed || is_contracted) && !matches!(next, "only" | "just")
        }
    }
}

fn is_everywhere(words: &[Word<'_>], at: usize) -> bool {
    let word = words[at].bare.as_str();
    let next = words.get(at + 1).map_or("", |next| next.bare.as_str());
    matches!(word, "never" | "nowhere" | "nobody")
        || (word == "nothing" && begins_clause(words, at))
        || (word == "no" && is_listed(THINGS, next) && begins_clause(words, at))
        || follows_there(&words[..at])
        || speaks_of_everything(&words[at + 1..])
}

/// Whether the rest of a clause, without a condition in it, speaks of everything.
fn speaks_of_everything(words: &[Word<'_>]) -> bool {
    for word in words {
        if is_listed(CONDITIONS, &word.bare) {
            break;
        }
        if is_listed(EVERYWHERE, &word.bare) {
            return true;
        }
        if word.ends_clause() {
            break;
        }
    }
    false
}

fn begins_clause(words: &[Word<'_>], at: usize) -> bool {
    words[..at].last().is_none_or(|word| {
        word.ends_clause() || word.bare.is_empty() || is_listed(JOINTS, &word.bare)
    })
}

/// "There is no", "there isn't".
fn follows_there(before: &[Word<'_>]) -> bool {
    let bare = |nth: usize| before.iter().rev().nth(nth).map_or("", |word| word.bare.as_str());
    matches!(bare(0), "there" | "there's" | "there’s")
        || (bare(1) == "there" && matches!(bare(0), "is" | "are" | "was" | "were"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as8_what_is_denied_everywhere_is_told_from_what_is_not_so_here() {
        let check = |sentence: &str, expected| assert_eq!(find(sentence), expected, "{sentence}");
        let everywhere = Some(Negation::Everywhere);
        check("It never fails.", everywhere);
        check("There is no cache.", everywhere);
        check("There isn't a test of it.", everywhere);
        check("- Nothing is written.", everywhere);
        check("It stops, so no file is read.", everywhere);
        check("The router is not implemented in a file: it is a package.", everywhere);
        check("`View` is not used anywhere.", everywhere);
        check("The file does not exist.", everywhere);
        let here = Some(Negation::Here);
        check("It returns nothing.", here);
        check("A skipped file is not queued.", here);
        check("It makes no new `View`.", here);
        check("It doesn't wait.", here);
        check("It is not made again if it exists.", here);
        check("It reads the file without any lock.", here);
        check("It reads the file without locking.", here);
        check("If there is no callback, it throws.", None);
        check("It throws unless the file does not exist.", None);
        check("Without a flag, it stops.", None);
        check("A name without extension gets one.", None);
        check("It not only reads, it writes.", None);
        check("It returns `not there`.", None);
    }

    #[test]
    fn as8_code_that_negates_is_told_from_other_code() {
        let check = |line: &str, expected| assert_eq!(is_in_code(line), expected, "{line}");
        check("if (!view.path) {", true);
        check("if a != b {", true);
        check("if not found:", true);
        check("return null;", true);
        check("if should_skip_entry(ig, &dent) {", true);
        check("// Ignored files are left out.", true);
        check("builder.noCache()", true);
        check("// It doesn't lock.", true);
        check("println!(\"Hello!\");", false);
        check("#![warn(unused)]", false);
        check("<!-- a comment -->", false);
        check("![logo](logo.png)", false);
        check("} else {", false);
        check("let note = node;", false);
    }
}
