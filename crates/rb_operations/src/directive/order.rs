//! Orders: verbs that ask for something, and what may stand before them.

use std::ops::Range;

use super::token::{Kind, Token};
use super::vocabulary::{self, Form};

/// Leads that say where: an order may follow without a comma.
const PLACES: &[&str] =
    &["in", "inside", "within", "for", "from", "at", "throughout", "across", "on", "under"];
/// Leads that say when or why.
const TIMES: &[&str] = &[
    "after",
    "once",
    "upon",
    "following",
    "subsequent",
    "before",
    "while",
    "during",
    "having",
    "to",
    "since",
    "because",
    "as",
    "given",
    "by",
    "next",
];
const CONDITIONS: &[&str] = &["when", "whenever", "if", "wherever", "where", "with"];
/// Behind these words, what stands before is a noun: "the import of", "a change in".
const AFTER_NOUNS: &[&str] = &[
    "of", "in", "on", "for", "to", "from", "and", "or", "is", "are", "should", "must", "with",
    "by", "as", "that", "which",
];

pub(super) fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map_or("", |token| token.word.as_str())
}

pub(super) fn verb_in(tokens: &[Token], at: usize, form: Form) -> Option<&'static str> {
    vocabulary::verb(word(tokens, at)).filter(|(_, found)| *found == form).map(|(verb, _)| verb)
}

/// Skips "can you please also", adverbs and commas; also says whether "don't" was among it.
pub(super) fn skip_openers(tokens: &[Token], from: usize) -> (usize, bool) {
    let mut at = from;
    let mut is_negated = false;
    while at < tokens.len() {
        let here = word(tokens, at);
        let negation = negation(tokens, at);
        let is_opener = tokens[at].kind == Kind::Comma
            || vocabulary::OPENERS.contains(&here)
            || here.ends_with("ly") && here.len() > 4;
        is_negated |= negation > 0;
        match (opening_phrase(tokens, at), negation) {
            (Some(length), _) => at += length,
            (None, 1..) => at += negation,
            (None, 0) if is_opener => at += 1,
            (None, 0) => break,
        }
    }
    (at, is_negated)
}

/// Of how many tokens an opener such as "in addition" is.
fn opening_phrase(tokens: &[Token], at: usize) -> Option<usize> {
    let is_here = |words: &&&[&str]| {
        words.iter().enumerate().all(|(offset, expected)| word(tokens, at + offset) == *expected)
    };
    vocabulary::OPENING_PHRASES.iter().find(is_here).map(|words| words.len())
}

/// Of how many tokens a "do not" before an order is; 0 if there is none.
fn negation(tokens: &[Token], at: usize) -> usize {
    let next = word(tokens, at + 1);
    let is_verb = vocabulary::verb(next).is_some() || next == "to";
    match (word(tokens, at), next) {
        ("do", "not") => 2,
        ("don't" | "dont" | "never" | "not", _) if is_verb => 1,
        _ => 0,
    }
}

/// Where the order is that a sentence or its part gives: here, or behind a lead such as "In a.py".
pub(super) fn order(tokens: &[Token], from: usize) -> Option<usize> {
    if is_order(tokens, from) || is_first_order(tokens, from) {
        return Some(from);
    }
    let first = word(tokens, from);
    let needs_comma = !PLACES.contains(&first);
    if needs_comma && !TIMES.contains(&first) && !CONDITIONS.contains(&first) {
        return None;
    }
    let mut is_after_comma = false;
    for at in from + 1..tokens.len() {
        let here = word(tokens, at);
        if tokens[at].kind == Kind::Comma || matches!(here, "you" | "please") {
            is_after_comma = true;
            continue;
        }
        let is_free = !needs_comma && at > from + 1 && is_sure_order(tokens, at);
        if (is_after_comma || is_free) && is_order(tokens, at) {
            return Some(at);
        }
        is_after_comma &= vocabulary::OPENERS.contains(&here) || here.ends_with("ly");
    }
    None
}

/// Not "the move", "a change", "to move".
fn is_sure_order(tokens: &[Token], at: usize) -> bool {
    let before = word(tokens, at - 1);
    let is_pronoun = matches!(before, "these" | "those" | "this" | "that");
    let is_noun = vocabulary::DETERMINERS.contains(&before) && !is_pronoun;
    !vocabulary::NOUN_LIKE.contains(&word(tokens, at)) && before != "to" && !is_noun
}

/// A verb in its base form where something follows that it can be done to.
pub(super) fn is_order(tokens: &[Token], at: usize) -> bool {
    let here = word(tokens, at);
    if verb_in(tokens, at, Form::Base).is_none() {
        return false;
    }
    if !vocabulary::NOUN_LIKE.contains(&here) {
        return true;
    }
    let Some(next) = tokens.get(at + 1) else { return false };
    let next_word = next.word.as_str();
    if here == "default" {
        return matches!(next_word, "it" | "the");
    }
    match next.kind {
        Kind::Code | Kind::Text | Kind::Assignment { .. } => true,
        Kind::Word => {
            let is_mostly_noun = vocabulary::MOSTLY_NOUNS.contains(&here);
            vocabulary::DETERMINERS.contains(&next_word) && next_word != "of"
                || vocabulary::PRONOUNS.contains(&next_word)
                || matches!(next_word, "sure" | "certain" | "directly" | "from" | "out" | "only")
                || next_word == "logging"
                || !vocabulary::is_word(next_word)
                || !is_mostly_noun && !AFTER_NOUNS.contains(&next_word)
        }
        Kind::Comma | Kind::Stop | Kind::Arrow => false,
    }
}

/// At the beginning of a sentence, a verb that could be a noun is an order: "Review related files".
fn is_first_order(tokens: &[Token], at: usize) -> bool {
    let (here, next) = (word(tokens, at), word(tokens, at + 1));
    let nouns = ["log", "name", "test", "default", "state", "use", "need", "have", "be", "do"];
    let is_subject = AFTER_NOUNS.contains(&next) || matches!(next, "" | "statements" | "parameter");
    let (start, _) = skip_openers(tokens, 0);
    at == start
        && verb_in(tokens, at, Form::Base).is_some()
        && !nouns.contains(&here)
        && !is_subject
}

/// What stands before an order and says where; what says when is left out.
pub(super) fn lead(tokens: &[Token], start: usize, order: usize) -> Range<usize> {
    if TIMES.contains(&word(tokens, start)) { order..order } else { start..order }
}

/// Verbs of several words: "get rid of", "make sure", "take out". Gives the verb and where what follows it begins.
pub(super) fn compound(tokens: &[Token], at: usize, verb: &'static str) -> (&'static str, usize) {
    let (next, third) = (word(tokens, at + 1), word(tokens, at + 2));
    let takes_out =
        ["take", "pull", "break", "factor", "split", "move", "bring", "lift"].contains(&verb);
    let moves = ["move", "put", "bring", "push", "shift", "port"].contains(&verb);
    let finds =
        ["see", "consider", "search", "open", "find", "identify", "navigate"].contains(&verb);
    match (verb, next, third) {
        ("get", "rid", "of") | ("do", "away", "with") => ("remove", at + 3),
        ("make" | "be", "sure" | "certain", _) => ("ensure", at + 2),
        (_, "out", third) if takes_out && third != "of" => ("extract", at + 2),
        (_, "over" | "back" | "up" | "down", _) if moves => (verb, at + 2),
        ("go", "through" | "over", _) | ("look", "for" | "at" | "through", _) => ("locate", at + 2),
        ("verify" | "confirm" | "check" | "guarantee" | "double-check" | "remember", _, _) => {
            ("ensure", at + 1)
        }
        ("clean" | "set" | "split", "up", _) => (verb, at + 2),
        _ if finds => ("locate", at + 1),
        _ => (verb, at + 1),
    }
}
