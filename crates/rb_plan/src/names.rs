//! The names in a directive that may be symbols: identifiers as they are written, and runs of words that would be one if they
//! were joined ("the select proxy function" is `select_proxy`).
//!
//! Pure: whether the repository declares such a symbol is for `symbols` to find.

use std::collections::BTreeSet;

use crate::peers::peers;
use crate::understand::renames;
use crate::words::{Word, is_in, tokens, words};

/// Next to these stands the name of a symbol.
const KINDS: &str = "class component constant decorator enum field function helper hook interface macro method property struct \
    trait type";
/// No name begins or ends with these.
const JOINTS: &str = "a an and are as at be but by can do does for from has have if in instead into is it its no not of on or our \
    so than that the their then this to use used uses using we when where which while with without you";
/// Verbs of what is not there yet, and how many words before it they stand.
const MAKES: &str = "add create introduce write";
const NEAR: usize = 6;
/// The most words of one name.
const LONGEST: usize = 4;

/// An identifier that a directive writes out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Written {
    /// The class, namespace or file before it: `Foo` of `Foo.bar`.
    pub(crate) owner: Option<String>,
    pub(crate) name: String,
}

/// Words in a row that may be the name of a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Run {
    /// In lower case.
    pub(crate) words: Vec<String>,
    /// The directive says what kind of symbol it is, or orders something for it and nothing else.
    pub(crate) is_named: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) written: BTreeSet<Written>,
    pub(crate) runs: Vec<Run>,
    /// Plain words in a list with a written name.
    pub(crate) peers: BTreeSet<String>,
    /// Names in backticks, whatever they look like.
    quoted: BTreeSet<String>,
    /// Words with a capital, as the names of types have one.
    capitalized: BTreeSet<String>,
}

impl Names {
    pub(crate) fn of(directive: &str) -> Names {
        let (words, tokens) = (words(directive), tokens(directive));
        let ruled_out: BTreeSet<usize> =
            words.iter().filter(|it| it.is_ruled_out).map(|it| it.token).collect();
        let quoted = quoted(directive);
        // "e.g." and "README.md" are no members of anything.
        let is_member = |it: &Written| it.owner.is_some() && it.name.chars().count() > 2;
        let is_meant =
            |it: &Written| is_member(it) || is_code(&it.name) || quoted.contains(&it.name);
        let open = tokens.iter().enumerate();
        let open = open.filter(|(at, _)| !ruled_out.contains(at) && !is_new_test(&tokens, *at));
        let mut written: BTreeSet<Written> =
            open.filter_map(|(_, token)| identifier(token)).filter(is_meant).collect();
        written.extend(renames(directive).iter().filter_map(|it| identifier(&it.symbol)));
        let has_capital = |it: &&Word| !it.is_ruled_out && it.raw.starts_with(char::is_uppercase);
        let capitalized = words.iter().filter(has_capital).map(|it| it.raw.clone()).collect();
        let peers = peers(&tokens, &ruled_out, &written);
        Names { written, runs: runs(&words, &tokens), peers, quoted, capitalized }
    }

    /// Whether a name is written as code: no word of a sentence looks so, or it stands in backticks.
    pub(crate) fn has_code(&self, name: &str) -> bool {
        is_code(name) || (self.quoted.contains(name) && name.chars().count() > 2)
    }

    /// Whether the directive names a class, or something else that holds others.
    pub(crate) fn has_container(&self, name: &str) -> bool {
        let is_written = || self.written.iter().any(|it| it.owner.is_none() && it.name == name);
        self.capitalized.contains(name) || is_written()
    }
}

/// "add a `test_none`", "create a new test method named `test_none`": tests of that name elsewhere are others.
fn is_new_test(tokens: &[String], at: usize) -> bool {
    let is_test = tokens[at].trim_matches(|c: char| !is_of_name(c)).starts_with("test_");
    let ends_sentence = |it: &&String| it.ends_with(['.', ';', '!', '?']);
    let mut before = tokens[..at].iter().rev().take(NEAR).take_while(|it| !ends_sentence(it));
    is_test && before.any(|it| is_in(MAKES, &it.to_lowercase()))
}

/// What stands in backticks is a name, whatever it looks like.
fn quoted(directive: &str) -> BTreeSet<String> {
    let pieces: Vec<&str> = directive.split('`').collect();
    let closed = pieces.len().saturating_sub(1);
    let inside = pieces[..closed].iter().skip(1).step_by(2);
    inside.flat_map(|it| it.split_whitespace()).filter_map(identifier).map(|it| it.name).collect()
}

/// `name`, `Owner.name` or `path#name`, with the signs of the sentence around it.
pub(crate) fn identifier(token: &str) -> Option<Written> {
    let token = token.trim_matches(|c: char| !is_of_name(c));
    let token = token.split('(').next().unwrap_or(token);
    let (path, token) = match token.split_once('#') {
        Some((path, name)) if path.contains(['/', '.']) => (path, name),
        _ if token.contains('/') => return None,
        _ => ("", token),
    };
    let parts: Vec<&str> = token.split(['.', ':', '#']).filter(|it| !it.is_empty()).collect();
    let is_name = |it: &&str| it.chars().all(is_of_name) && !it.starts_with(char::is_numeric);
    if !parts.iter().all(is_name) {
        return None;
    }
    let (name, owners) = parts.split_last()?;
    let of_path = Some(stem(path)).filter(|it| !it.is_empty());
    let owner = owners.last().copied().or(of_path).map(str::to_owned);
    Some(Written { owner, name: (*name).to_owned() })
}

fn runs(words: &[Word], tokens: &[String]) -> Vec<Run> {
    // Paths and identifiers have words, too, but they stand for nothing else.
    let is_taken = |it: &Word| tokens[it.token].trim_end_matches('.').contains(['/', '.', '_']);
    let mut runs = Vec::new();
    for at in 0..words.len() {
        for end in (at + 2..=(at + LONGEST).min(words.len())).rev() {
            let row = &words[at..end];
            let is_other = |it: &Word| it.part != row[0].part || it.is_ruled_out || is_taken(it);
            let is_torn = row[..row.len() - 1].iter().any(|it| it.ends_clause);
            if is_torn || row.iter().any(is_other) {
                continue;
            }
            let is_kind = is_beside_kind(words, at, end);
            let begins = |it: &Word| it.is_verb || is_in(JOINTS, &it.text);
            let is_loose = begins(&row[0]) || is_in(JOINTS, &row[row.len() - 1].text);
            if is_kind || !is_loose {
                let is_named = is_kind || is_object(words, at, end);
                let words = row.iter().map(|it| it.text.clone()).collect();
                runs.push(Run { words, is_named });
            }
        }
    }
    runs
}

/// "the select proxy function", "class http server"
fn is_beside_kind(words: &[Word], at: usize, end: usize) -> bool {
    let is_kind = |it: &Word| is_in(KINDS, &it.text) && it.part == words[at].part;
    let before = at.checked_sub(1).map(|it| &words[it]).filter(|it| !it.ends_clause);
    let after = words.get(end).filter(|_| !words[end - 1].ends_clause);
    before.is_some_and(is_kind) || after.is_some_and(is_kind)
}

/// "Rename select proxy to …", "Inline the select proxy": all that an order is about.
fn is_object(words: &[Word], at: usize, end: usize) -> bool {
    let is_article = |it: &Word| matches!(it.text.as_str(), "a" | "an" | "our" | "the");
    let order = words[..at].iter().rev().find(|it| !is_article(it));
    let last = &words[end - 1];
    let is_over = last.ends_clause
        || words.get(end).is_none_or(|it| it.part != last.part || is_in(JOINTS, &it.text));
    is_over && order.is_some_and(|it| it.is_verb && it.part == last.part)
}

/// The name of a file without folders and endings.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// No word of a sentence looks so: `snake_case`, `camelCase`.
pub(crate) fn is_code(name: &str) -> bool {
    let mut pairs = name.chars().zip(name.chars().skip(1));
    name.contains('_') || pairs.any(|(a, b)| a.is_lowercase() && b.is_uppercase())
}

pub(crate) fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A name without its case and its signs: `select_proxy` and `selectProxy` are the same then.
pub(crate) fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rf3_identifiers_are_read_as_they_are_written() {
        #[track_caller]
        fn check(directive: &str, expected: &[&str]) {
            let names = Names::of(directive);
            let shown = |it: &Written| match &it.owner {
                Some(owner) => format!("{owner}.{}", it.name),
                None => it.name.clone(),
            };
            let found: Vec<String> = names.written.iter().map(shown).collect();
            assert_eq!(found, expected, "{directive}");
        }
        check("Speed up select_proxy.", &["select_proxy"]);
        check("Make parseHeader() lazy, and `run` too", &["parseHeader", "run"]);
        check("Call Foo.bar once and Cart::total twice", &["Cart.total", "Foo.bar"]);
        check("Document src/a.py#load", &["a.load"]);
        check("rename total to sum", &["total"]);
        check("Do not touch select_proxy", &[]);
        check("Run the tests in src/select_proxy.py", &[]);
        check("Use a plain word", &[]);
        check("Handle None in to_text. Add a test_none for it too", &["to_text"]);
        check("Create a new test method named `test_none` beside test_some", &["test_some"]);
        check("Add the case to parse_all. Rewrite test_none", &["parse_all", "test_none"]);
        check("An open ` mark, e.g. in README.md", &[]);
    }

    #[test]
    fn rf3_names_that_are_written_as_code_and_containers_are_told_apart() {
        let names = Names::of("Replace null_separator and `delay` of Config, not `x` or Cart");
        assert!(names.has_code("null_separator") && names.has_code("delay"));
        assert!(!names.has_code("Config") && !names.has_code("x"));
        assert!(names.has_container("Config") && names.has_container("delay"));
        assert!(!names.has_container("Cart") && !names.has_container("config"));
    }

    #[test]
    fn rf3_runs_of_words_that_a_directive_calls_a_symbol_are_named() {
        #[track_caller]
        fn check(directive: &str, expected: &[&str]) {
            let runs = Names::of(directive).runs;
            let named = runs.iter().filter(|it| it.is_named);
            let found: Vec<String> = named.map(|it| it.words.join(" ")).collect();
            for words in expected {
                assert!(found.contains(&(*words).to_owned()), "{directive}: {found:?}");
            }
            assert!(!expected.is_empty() || found.is_empty(), "{directive}: {found:?}");
        }
        check("Cache what the select proxy function returns", &["select proxy"]);
        check("Rename select proxy to choose proxy", &["select proxy"]);
        check("Inline the select-proxy helper", &["select proxy"]);
        check("Improve the error messages of options", &["error messages"]);
        check("Improve error messages when options fail", &["error messages"]);
        check("Improve messages", &[]);
        check("Replace the command line handling", &["command line handling"]);
        check("Do not touch the select proxy function", &[]);
    }

    #[test]
    fn rf3_names_are_told_from_words() {
        assert_eq!(folded("_select-Proxy"), "selectproxy");
        assert!(is_code("select_proxy") && is_code("parseHeader"));
        assert!(!is_code("Context") && !is_code("API"));
    }
}
