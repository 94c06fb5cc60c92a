//! Where clauses end: conjunctions before an order, and the words that link one clause to another.

use super::clause::Joint;
use super::order::{is_order, order, skip_openers, verb_in, word};
use super::token::{Kind, Token};
use super::vocabulary::{self, Form};

/// The end of a clause, and the beginning of the next.
pub(super) struct Boundary {
    pub(super) end: usize,
    pub(super) next: usize,
    pub(super) joint: Joint,
}

/// The end of the clause whose body begins here.
pub(super) fn next(
    tokens: &[Token],
    body: usize,
    joint: Joint,
    is_statement: bool,
) -> Option<Boundary> {
    (body..tokens.len()).find_map(|at| {
        if joint == Joint::Time && tokens[at].kind == Kind::Comma {
            return Some(Boundary { end: at, next: at, joint: Joint::And });
        }
        conjunction(tokens, at, body, joint, is_statement)
            .or_else(|| gerund(tokens, at))
            .or_else(|| relative(tokens, at, body))
            .or_else(|| infinitive(tokens, at, body))
    })
}

fn is_conjunction(tokens: &[Token], at: usize) -> bool {
    tokens[at].kind == Kind::Comma
        || matches!(
            word(tokens, at),
            "and" | "then" | "but" | "or" | "while" | "whereas" | "plus" | "however"
        )
}

/// "… and update all", "…, ensuring that", "… and in all tests pass".
fn conjunction(
    tokens: &[Token],
    at: usize,
    body: usize,
    joint: Joint,
    is_statement: bool,
) -> Option<Boundary> {
    if !is_conjunction(tokens, at) {
        return None;
    }
    let (next, _) = skip_openers(tokens, at);
    let is_comma = tokens[at].kind == Kind::Comma;
    let is_gerund =
        verb_in(tokens, next, Form::Ing).is_some() && !NO_GERUNDS.contains(&word(tokens, next));
    if !is_order(tokens, next) && is_gerund && (is_comma || joint == Joint::Gerund) {
        return Some(Boundary { end: at, next, joint: Joint::Gerund });
    }
    let is_bracket = is_comma && tokens[at].text != ",";
    let begins = is_order(tokens, next)
        || !is_bracket && !is_comma && is_lead(tokens, next)
        || !is_bracket && is_comma && is_after_aside(tokens, next, joint)
        || !is_bracket && !is_comma && !is_statement && is_statement_ahead(tokens, next);
    begins.then_some(Boundary { end: at, next: at.max(body), joint: Joint::And })
}

/// "in all tests pass …": a lead, and an order behind it.
fn is_lead(tokens: &[Token], at: usize) -> bool {
    let words = ["in", "for", "within", "throughout", "across", "inside", "on"];
    words.contains(&word(tokens, at)) && order(tokens, at).is_some_and(|order| order < at + 16)
}

/// "where it is used, the parameter is …": a new clause begins after the comma.
fn is_after_aside(tokens: &[Token], at: usize, joint: Joint) -> bool {
    let says = |at: usize| matches!(word(tokens, at), "is" | "are" | "should" | "must");
    let mut ahead = (at..tokens.len()).take(6).take_while(|at| tokens[*at].kind != Kind::Comma);
    matches!(joint, Joint::Relative | Joint::Condition) && ahead.any(says)
}

/// "and calls in tests should …".
fn is_statement_ahead(tokens: &[Token], at: usize) -> bool {
    let mut ahead = (at + 1..tokens.len()).take(14).take_while(|at| !is_order(tokens, *at));
    ahead.any(|at| matches!(word(tokens, at), "should" | "must"))
}

/// Words in -ing that are no verbs here.
const NO_GERUNDS: &[&str] = &[
    "including",
    "regarding",
    "following",
    "depending",
    "according",
    "testing",
    "using",
    "naming",
    "handling",
    "logging",
    "debugging",
    "meaning",
    "existing",
    "remaining",
    "matching",
    "calling",
];

/// "by adding", "after moving".
fn gerund(tokens: &[Token], at: usize) -> Option<Boundary> {
    let joint = match word(tokens, at) {
        "by" => Joint::Gerund,
        "without" if verb_in(tokens, at + 1, Form::Ing).is_some() => {
            return Some(Boundary { end: at, next: at, joint: Joint::Gerund });
        }
        "after" | "before" | "when" | "while" | "upon" => Joint::Time,
        _ => return None,
    };
    verb_in(tokens, at + 1, Form::Ing)?;
    Some(Boundary { end: at, next: at + 1, joint })
}

/// "that combines …", "so that …", "if …".
fn relative(tokens: &[Token], at: usize, body: usize) -> Option<Boundary> {
    let (here, next) = (word(tokens, at), word(tokens, at + 1));
    let subjects = ["that", "we", "it", "they", "you", "i", "everyone", "all", "as"];
    let joint = match here {
        "which" | "whose" | "where" | "wherever" | "who" => Joint::Relative,
        "that" if at > body && is_relative_that(tokens, at) => Joint::Relative,
        "so" if subjects.contains(&next) => Joint::Purpose,
        "because" | "since" => Joint::Purpose,
        "in" if next == "order" => Joint::Purpose,
        "if" | "unless" | "when" | "once" | "whenever" | "until" => Joint::Condition,
        _ => return None,
    };
    let is_idle = vocabulary::IDLE_CONDITIONS.contains(&next)
        && matches!(here, "if" | "where" | "when" | "wherever")
        || here == "unless" && matches!(next, "explicitly" | "otherwise");
    let joint = if is_idle { Joint::Time } else { joint };
    let is_kept = joint == Joint::Condition || matches!(here, "where" | "wherever");
    let next = match here {
        "so" if next == "that" => at + 2,
        "in" => at + 3,
        // These words are looked at again: "where it is called".
        _ if is_kept && !is_idle => at,
        _ => at + 1,
    };
    let is_begun = at > body || joint != Joint::Relative;
    is_begun.then_some(Boundary { end: at, next, joint })
}

/// "a class that combines …", not "that function" and not "ensure that".
fn is_relative_that(tokens: &[Token], at: usize) -> bool {
    let (before, next) = (word(tokens, at - 1), word(tokens, at + 1));
    let says = [
        "ensure",
        "verify",
        "confirm",
        "check",
        "say",
        "indicate",
        "state",
        "mean",
        "note",
        "see",
        "guarantee",
    ];
    let links = ["sure", "so", "certain", "on", "after", "with", "of", "to", "in", "from", "and"];
    let is_complement = vocabulary::verb(before).is_some_and(|(verb, _)| says.contains(&verb))
        || links.contains(&before);
    let is_determiner = next.is_empty()
        && tokens.get(at + 1).is_none_or(|token| token.kind == Kind::Comma)
        || vocabulary::noun(next).is_some();
    !is_complement && !is_determiner && at + 1 < tokens.len()
}

/// "… to include a parameter", but not "to b.py" and not a name that is a verb ("rename it to update").
fn infinitive(tokens: &[Token], at: usize, body: usize) -> Option<Boundary> {
    if word(tokens, at) != "to" || at <= body && at == 0 {
        return None;
    }
    let mut next = at + 1;
    while matches!(word(tokens, next), "also" | "only" | "just" | "now" | "either" | "all")
        || word(tokens, next).ends_with("ly")
    {
        next += 1;
    }
    let verb = verb_in(tokens, next, Form::Base)?;
    let behind = tokens.get(next + 1)?;
    let is_be =
        verb == "be" && vocabulary::verb(&behind.word).is_none_or(|(_, form)| form != Form::Past);
    let ends = behind.kind == Kind::Comma
        || matches!(behind.word.as_str(), "and" | "or" | "in" | "then" | "but");
    (!is_be && !ends).then_some(Boundary { end: at, next, joint: Joint::Infinitive })
}
