//! Statements: "calls should pass `x=1`", "`f` should be moved to b.py", "that combines a and b".

use super::clause::{Clause, Joint, Trait};
use super::phrase::{self, Lexicon, Link};
use super::token::{Kind, Token};
use super::vocabulary::{self, Form};

const MODALS: &[&str] = &[
    "should", "must", "will", "shall", "can", "may", "would", "might", "needs", "need", "has",
    "have", "ought", "could",
];
/// What may stand between a modal verb and the verb itself.
const HELPERS: &[&str] = &[
    "to",
    "be",
    "is",
    "are",
    "was",
    "were",
    "been",
    "being",
    "either",
    "longer",
    "no",
    "now",
    "also",
    "still",
    "always",
    "all",
    "then",
    "just",
    "attempting",
    "trying",
    "both",
];

/// Finds the verb of a statement and its phrases, and turns a passive around.
pub(super) fn read(clause: &mut Clause, body: &[Token], lexicon: &dyn Lexicon) {
    let Some(found) = verb(body, clause.joint) else {
        clause.phrases = phrase::phrases(body, Link::Object, lexicon);
        return;
    };
    let between = &body[found.from..found.to];
    let has = |tokens: &[Token], words: &[&str]| {
        tokens.iter().any(|token| words.contains(&token.word.as_str()))
    };
    let no_longer = |pair: &[Token]| pair[0].word == "no" && pair[1].word == "longer";
    let is_negated = has(between, vocabulary::RESTRICTIONS)
        || has(&body[..found.from], &["no", "none", "nothing", "nobody"])
        || between.windows(2).any(no_longer);
    let is_passive = found.form == Form::Past;
    let is_past = has(between, &["was", "were", "been", "had"]);
    for (trait_, is_so) in
        [(Trait::Negated, is_negated), (Trait::Passive, is_passive), (Trait::Past, is_past)]
    {
        clause.traits.extend(is_so.then_some(trait_));
    }
    clause.verb = found.verb;
    let subject = if is_passive { Link::Object } else { Link::Subject };
    clause.phrases = phrase::phrases(&body[..found.from], subject, lexicon);
    let behind = (found.to + 1).min(body.len());
    clause.phrases.extend(phrase::phrases(&body[behind..], Link::Object, lexicon));
}

/// "should be" begins the verb, "moved" is what it is about.
struct Found {
    from: usize,
    to: usize,
    verb: &'static str,
    form: Form,
}

fn verb(body: &[Token], joint: Joint) -> Option<Found> {
    let from = (0..body.len()).find(|at| begins_verb(body, *at, joint))?;
    let is_helper = |word: &str| {
        [MODALS, HELPERS, vocabulary::RESTRICTIONS].iter().any(|list| list.contains(&word))
            || word.ends_with("ly")
    };
    let helpers = body[from..].iter().take_while(|token| is_helper(&token.word)).count();
    let at = from + helpers;
    if let Some((verb, form)) = body.get(at).and_then(|token| vocabulary::verb(&token.word)) {
        let is_only_be = at == from && verb == "be";
        return Some(Found {
            from,
            to: at,
            verb,
            form: if is_only_be { Form::Base } else { form },
        });
    }
    let (verb, form) = vocabulary::verb(&body[from].word)?;
    let to = if at > from && !MODALS.contains(&verb) { at - 1 } else { from };
    Some(Found { from, to, verb, form: if to == from && verb == "be" { Form::Base } else { form } })
}

/// Does the verb of a statement begin here?
fn begins_verb(body: &[Token], at: usize, joint: Joint) -> bool {
    let word = body[at].word.as_str();
    if MODALS.contains(&word) && !(word == "need" && at == 0) || word == "be" {
        return true;
    }
    let is_code = |at: usize| body.get(at).is_some_and(|token| token.kind == Kind::Code);
    // "`a.py` imports `f`"
    let is_between = at > 0 && is_code(at - 1) && is_code(at + 1);
    let is_free = at == 0 || !is_noun_place(body, at);
    vocabulary::verb(word).is_some_and(|(verb, form)| match form {
        Form::Third if verb == "be" || is_between => true,
        Form::Third => (at > 0 || joint == Joint::Relative) && is_free && !is_plural_noun(word),
        Form::Base => at > 0 && is_free && !vocabulary::NOUN_LIKE.contains(&word),
        Form::Past => verb == "be",
        Form::Ing => false,
    })
}

/// Behind a determiner, a noun stands, not a verb.
fn is_noun_place(body: &[Token], at: usize) -> bool {
    let before = body[at - 1].word.as_str();
    let is_pronoun = matches!(before, "that" | "this" | "these" | "those" | "all");
    vocabulary::DETERMINERS.contains(&before) && !is_pronoun
        || ["to", "in", "of", "for", "from", "with", "new", "and", "or"].contains(&before)
}

fn is_plural_noun(word: &str) -> bool {
    let others =
        ["changes", "documents", "names", "sets", "moves", "releases", "places", "points", "lines"];
    vocabulary::noun(word).is_some()
        || [vocabulary::TESTS, vocabulary::REFERENCES, &others]
            .iter()
            .any(|list| list.contains(&word))
}
