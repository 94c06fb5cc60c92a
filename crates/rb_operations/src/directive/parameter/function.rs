//! Which function a request is about, and where it is.

use super::super::clause::Clause;
use super::super::definitions::DefinitionKind;
use super::super::dialect::is_source_name;
use super::super::phrase::{Link, Name, Phrase};
use super::super::reading::{Draft, Reading};
use super::super::scope;
use super::super::value::is_literal;
use super::super::vocabulary::Noun;

/// The function is what the clauses are about; all other names say where it is.
pub(super) fn function_of(
    reading: &Reading<'_>,
    clauses: &[&Clause],
    parameter: &Phrase,
) -> (Option<Name>, Vec<Phrase>) {
    let is_other = |phrase: &&Phrase| *phrase != parameter && phrase.link != Link::Like;
    let phrases = clauses.iter().flat_map(|clause| clause.all_phrases().filter(is_other));
    let mut phrases: Vec<Phrase> = phrases.chain(&reading.place).cloned().collect();
    let is_function = |name: &Name| is_function(reading, name);
    let is_called_so = |name: &Name| matches!(name.noun, Some(Noun::Function | Noun::Method));
    let is_unknown = |name: &Name| {
        let nothing = scope::Spot { name: name.text.clone(), ..scope::Spot::default() };
        !is_source_name(&name.text) && scope::spot(reading.index, name) == nothing
    };
    let rules: [&dyn Fn(&Name) -> bool; 3] =
        [&|name| is_called_so(name) && is_function(name), &is_function, &is_unknown];
    for rule in rules {
        for phrase in phrases.iter_mut().filter(|phrase| !is_with_parameter(phrase)) {
            if let Some(at) = phrase.names.iter().position(rule) {
                let function = phrase.names.remove(at);
                return (Some(function), locations(phrases));
            }
        }
    }
    let function = beside(reading, parameter).or_else(|| it(reading, &phrases));
    (function, locations(phrases))
}

fn is_function(reading: &Reading<'_>, name: &Name) -> bool {
    let last = name.text.rsplit('.').next().unwrap_or_default();
    !is_source_name(&name.text) && !reading.index.definitions(last).is_empty()
}

fn is_with_parameter(phrase: &Phrase) -> bool {
    phrase.has_noun(Noun::Parameter) && phrase.link == Link::With
}

/// "give f a new parameter"
fn beside(reading: &Reading<'_>, parameter: &Phrase) -> Option<Name> {
    let is_own = |name: &&Name| !name.is_called && name.noun != Some(Noun::Parameter);
    let mut functions = parameter.names.iter().filter(|name| is_function(reading, name));
    let found = functions.clone().find(is_own);
    found.or_else(|| functions.next().filter(|_| parameter.names.len() > 1)).cloned()
}

/// "add a parameter to it": what the request before was about, by its new name.
fn it(reading: &Reading<'_>, phrases: &[Phrase]) -> Option<Name> {
    let is_it = |phrase: &Phrase| {
        matches!(phrase.link, Link::To | Link::Object)
            && phrase.names.is_empty()
            && phrase.has(&["it", "that", "this"])
    };
    if !phrases.iter().any(is_it) {
        return None;
    }
    match reading.drafts.last()? {
        Draft::Rename(draft) => draft.to.clone(),
        Draft::Relocate(draft) => draft.names.first().filter(|_| draft.names.len() == 1).cloned(),
        Draft::Parameter(draft) => draft.function.clone(),
        Draft::Class(_) | Draft::Import(_) => None,
    }
}

/// Functions that stand in one list with the first one.
pub(super) fn other_functions(
    reading: &Reading<'_>,
    clauses: &[&Clause],
    function: Option<&Name>,
    places: &mut [Phrase],
) -> Vec<Name> {
    let mut phrases = clauses.iter().flat_map(|clause| &clause.phrases);
    let has_first = |phrase: &&Phrase| {
        matches!(phrase.link, Link::To | Link::Object)
            && function.is_some_and(|name| phrase.names.contains(name))
    };
    let Some(list) = phrases.find(has_first) else { return Vec::new() };
    let is_code =
        |kind: DefinitionKind| matches!(kind, DefinitionKind::Function | DefinitionKind::Method);
    let is_other = |name: &&Name| {
        Some(*name) != function
            && name.noun != Some(Noun::Parameter)
            && !is_source_name(&name.text)
            && reading.index.definitions(&name.text).iter().any(|one| is_code(one.kind))
    };
    let others: Vec<Name> = list.names.iter().filter(is_other).cloned().collect();
    for phrase in places {
        phrase.names.retain(|name| !others.contains(name));
    }
    others
}

/// Only phrases that say where something is.
fn locations(mut phrases: Vec<Phrase>) -> Vec<Phrase> {
    let links = [Link::In, Link::Of, Link::From, Link::Object, Link::To];
    phrases.retain(|phrase| links.contains(&phrase.link));
    for phrase in &mut phrases {
        let is_place = |name: &Name| !is_literal(&name.text) && name.noun != Some(Noun::Parameter);
        phrase.names.retain(is_place);
    }
    phrases
}
