//! What a new parameter is by default, and what calls pass for it, by their place.

mod literal;

pub(super) use self::literal::is_literal;
use self::literal::{has, literals};
use super::clause::{Clause, Joint};
use super::condition::Untouched;
use super::dialect::is_source_name;
use super::parameter::{self, Passed};
use super::phrase::{Link, Phrase};
use super::reading::{Draft, Reading};
use super::scope::{self, Spot};
use super::token::{Kind, Token};
use super::vocabulary::{self, Noun};
use crate::operation::CallPlace;

/// "keep the base case false", "make all calls log=True except in tests".
pub(super) fn read(reading: &mut Reading<'_>, at: usize) -> usize {
    let (group, sentence) = (reading.group(at), reading.sentence(at));
    let Some(Draft::Parameter(draft)) = reading.drafts.last_mut() else { return 0 };
    if !draft.is_addition() || is_another_request(&group[0]) {
        return 0;
    }
    let tokens: Vec<&Token> = group.iter().flat_map(|clause| &clause.tokens).collect();
    let is_negated = group.iter().any(Clause::is_negated);
    let has_literal = !literals(&tokens, draft.name.as_deref(), group).is_empty();
    if matches!(group[0].joint, Joint::Condition | Joint::Time) {
        return 0;
    }
    if explains_parameter(&group[0]) {
        draft.logs |= group.iter().any(|clause| clause.has(&["logging", "log", "logs"]));
        return group.len() + conditions_behind(reading, at + group.len());
    }
    if is_negated
        || sentence.iter().any(|clause| clause.is_negated() && clause.is(&["pass", "alter", "set"]))
            && !has_literal
    {
        return leave_out(reading, sentence);
    }
    if absorb(draft, group, &tokens, Unplaced::Default) {
        return group.len();
    }
    // "pass x in all calls", and what x is was not read.
    let is_about_calls = group
        .iter()
        .any(|clause| clause.is(&["pass", "set", "supply"]) && clause.has(vocabulary::CALLS));
    if is_about_calls && !group[0].is_ensured() {
        let text = reading.text(&group[0]).to_owned();
        reading.not_understood.push(text);
        return group.len();
    }
    0
}

/// A verb that begins a request of its own.
fn is_another_request(clause: &Clause) -> bool {
    let is_structural =
        clause.is(&["rename", "move", "relocate", "transfer", "merge", "combine", "extract"]);
    let adds = clause.is(&["add", "create", "introduce"])
        && clause.linked(Link::Object).any(|phrase| phrase.has(&["class", "file"]));
    is_structural || adds
}

/// What a value means that has neither "default" nor "calls" near it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unplaced {
    /// The default, if none is known.
    Default,
    Ignored,
}

/// Takes the values that stand in some tokens. False if there is none that can be placed.
pub(super) fn absorb(
    draft: &mut parameter::Draft,
    group: &[Clause],
    tokens: &[&Token],
    unplaced: Unplaced,
) -> bool {
    let literals = literals(tokens, draft.name.as_deref(), group);
    let mut is_taken = false;
    for (index, (at, value)) in literals.iter().enumerate() {
        let from = if index == 0 { 0 } else { cut(tokens, literals[index - 1].0, *at) };
        let to = literals.get(index + 1).map_or(tokens.len(), |(next, _)| cut(tokens, *at, *next));
        let context = &tokens[from..to];
        if has(context, &["omitted", "omit", "unset", "left"]) && has(context, &["either", "or"]) {
            is_taken = true;
        } else if is_default(context, at - from) {
            draft.default.get_or_insert_with(|| value.clone());
            is_taken = true;
        } else if let Some(calls) = place(context, unplaced) {
            let files = files(group, calls);
            draft.add_value(Passed { value: value.clone(), calls, files });
            is_taken = true;
        } else if unplaced == Unplaced::Default && draft.default.is_none() {
            draft.default = Some(value.clone());
            is_taken = true;
        }
    }
    is_taken
}

/// Where the words of one value end and those of the next begin.
fn cut(tokens: &[&Token], first: usize, second: usize) -> usize {
    let is_cut = |at: &usize| {
        tokens[*at].kind == Kind::Comma
            || ["and", "but", "while", "where", "whereas", "or"]
                .contains(&tokens[*at].word.as_str())
    };
    (first + 1..second)
        .rev()
        .find(is_cut)
        .or_else(|| (first + 1..second).find(is_cut))
        .unwrap_or(second)
}

/// "default value of X", "base case X", "X by default", "X base".
fn is_default(context: &[&Token], at: usize) -> bool {
    let words = ["default", "defaults", "defaulting", "defaulted", "base"];
    let near = &context[at.saturating_sub(6)..(at + 4).min(context.len())];
    has(near, &words) && !has(&context[at.saturating_sub(3)..at], &["pass", "passing"])
}

const EXCEPT: &[&str] =
    &["except", "excluding", "besides", "outside", "excepting", "apart", "aside", "not"];

/// Which calls a value is for; None if no calls are spoken of.
fn place(context: &[&Token], unplaced: Unplaced) -> Option<CallPlace> {
    if has(context, vocabulary::NOT_TESTS) {
        return Some(CallPlace::NotTests);
    }
    let has_calls = has(context, vocabulary::CALLS);
    if let Some(test) = context.iter().position(|token| is_test_token(token)) {
        let before = &context[..test];
        let other_than = |pair: &[&Token]| pair[0].word == "other" && pair[1].word == "than";
        let is_except = has(before, EXCEPT) || before.windows(2).any(other_than);
        let calls = if is_except { CallPlace::NotTests } else { CallPlace::Tests };
        return (has_calls || !is_except).then_some(calls);
    }
    let is_file = |token: &&Token| token.kind == Kind::Code && is_source_name(&token.text);
    let names_file = unplaced == Unplaced::Default && context.iter().any(is_file);
    (names_file || has_calls).then_some(CallPlace::All)
}

fn is_test_token(token: &Token) -> bool {
    let is_path = token.text.starts_with("test_") || token.text.contains("tests/");
    vocabulary::TESTS.contains(&token.word.as_str()) || token.kind == Kind::Code && is_path
}

/// Files that the calls are in, if they are named, and not only as examples.
fn files(group: &[Clause], calls: CallPlace) -> Vec<Phrase> {
    let has_file = |phrase: &Phrase| phrase.names.iter().any(|name| is_source_name(&name.text));
    let mut found: Vec<Phrase> = Vec::new();
    for clause in group {
        let phrases: Vec<&Phrase> = clause.all_phrases().collect();
        for (at, phrase) in phrases.iter().enumerate() {
            let links = [Link::In, Link::Across, Link::Of, Link::From];
            let before = phrases[..at].iter().rev();
            let mut near =
                before.take_while(|one| matches!(one.link, Link::In | Link::Of | Link::Like));
            let is_example = near.any(|one| one.link == Link::Like);
            let is_exception = calls == CallPlace::NotTests
                && phrases[..at].iter().any(|one| one.link == Link::Except);
            if links.contains(&phrase.link) && has_file(phrase) && !is_example && !is_exception {
                let folders = phrases[at + 1..].iter();
                let folders = folders.take_while(|one| one.link == Link::In && !has_file(one));
                found.push((*phrase).clone());
                found.extend(folders.map(|one| (*one).clone()));
            }
        }
    }
    found
}

/// "This parameter should control logging".
fn explains_parameter(clause: &Clause) -> bool {
    let is_subject =
        |phrase: &Phrase| phrase.has_noun(Noun::Parameter) && phrase.has(&["this", "the", "new"]);
    let verbs = [
        "control",
        "enable",
        "turn",
        "allow",
        "affect",
        "determine",
        "activate",
        "toggle",
        "decide",
        "trigger",
    ];
    clause.linked(Link::Subject).any(is_subject) && clause.is(&verbs)
}

fn conditions_behind(reading: &Reading<'_>, at: usize) -> usize {
    reading.clauses[at..].iter().take_while(|clause| clause.joint == Joint::Condition).count()
}

/// "in tests, don't pass it": what all calls pass, calls in tests do not; files that are named stay as they are.
fn leave_out(reading: &mut Reading<'_>, sentence: &[Clause]) -> usize {
    let passes = |clause: &Clause| {
        clause.is_negated() && clause.is(&["pass", "set", "use", "change", "supply", "alter"])
    };
    let is_limited =
        sentence.iter().any(|clause| clause.has(&["except", "unless", "only", "other"]));
    let has_tests = sentence.iter().any(|clause| clause.has(vocabulary::TESTS));
    let names = sentence.iter().flat_map(Clause::names).filter(|name| is_source_name(&name.text));
    let spots: Vec<Spot> = names.map(|name| scope::spot(reading.index, name)).collect();
    if !sentence.iter().any(passes) || is_limited || !has_tests && spots.is_empty() {
        return 0;
    }
    reading.untouched.extend(spots.into_iter().map(Untouched::Spot));
    if let Some(Draft::Parameter(draft)) = reading.drafts.last_mut() {
        for value in
            draft.values.iter_mut().filter(|value| value.calls == CallPlace::All && has_tests)
        {
            value.calls = CallPlace::NotTests;
        }
    }
    sentence.len()
}
