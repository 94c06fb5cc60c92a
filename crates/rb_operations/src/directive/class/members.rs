//! What goes into a new class: functions by name, all of a file, or the parameters of a function.

use super::super::clause::{Clause, Joint};
use super::super::definitions::{DefinitionKind, Index};
use super::super::dialect::is_source_name;
use super::super::phrase::{Link, Name, Phrase};
use super::super::token::is_identifier;
use super::super::vocabulary::Noun;

#[derive(Debug, Clone)]
pub(super) enum Members {
    Unknown,
    /// "the functions that …": those that words describe.
    Described,
    Functions {
        names: Vec<Name>,
        places: Vec<Phrase>,
    },
    /// All functions of the file.
    AllFunctions {
        places: Vec<Phrase>,
        is_all: bool,
    },
    Parameters {
        function: Name,
        places: Vec<Phrase>,
        names: Vec<String>,
    },
}

impl Members {
    /// From all clauses about the class.
    pub(super) fn of(index: &Index<'_>, group: &[Clause], class: &str) -> Members {
        let phrases: Vec<&Phrase> = group.iter().flat_map(|clause| &clause.phrases).collect();
        if let Some(at) = phrases.iter().position(|phrase| phrase.has_noun(Noun::Parameter)) {
            return parameters(index, &phrases, at, class);
        }
        let mut names: Vec<Name> = Vec::new();
        let mut places: Vec<Phrase> = Vec::new();
        for phrase in &phrases {
            let listed = listed(index, phrase, class);
            let is_place = matches!(phrase.link, Link::In | Link::Of | Link::From);
            if listed.is_empty() && is_place && !phrase.has_noun(Noun::Class) {
                places.push((*phrase).clone());
            }
            names.extend(listed);
        }
        if !names.is_empty() {
            return Members::Functions { names, places };
        }
        let is_of_functions =
            |phrase: &&&Phrase| phrase.has_noun(Noun::Function) || phrase.has_noun(Noun::Method);
        let is_description =
            |clause: &Clause| clause.joint == Joint::Relative && !clause.has(&["class"]);
        match phrases.iter().find(is_of_functions) {
            Some(_) if group.iter().any(is_description) => Members::Described,
            Some(phrase) => {
                let is_all = phrase.has(&["all", "every", "standalone"]);
                Members::AllFunctions { places, is_all }
            }
            None => Members::Unknown,
        }
    }
}

/// The functions that a phrase lists. One English word is none, unless it is called a function.
fn listed(index: &Index<'_>, phrase: &Phrase, class: &str) -> Vec<Name> {
    let is_code =
        |kind: DefinitionKind| matches!(kind, DefinitionKind::Function | DefinitionKind::Method);
    let is_function = |name: &&Name| {
        let last = name.text.rsplit('.').next().unwrap_or_default();
        name.text != class
            && !is_source_name(&name.text)
            && !name.text.contains('/')
            && index.definitions(last).iter().any(|one| is_code(one.kind))
    };
    let names: Vec<Name> = phrase.names.iter().filter(is_function).cloned().collect();
    let is_word = names.len() == 1 && names[0].is_plain && !phrase.has_noun(Noun::Function);
    let is_list = [Link::Object, Link::For, Link::Like, Link::From].contains(&phrase.link);
    if is_list && !is_word { names } else { Vec::new() }
}

/// "all the parameters in f", "the parameters a and b of f".
fn parameters(index: &Index<'_>, phrases: &[&Phrase], at: usize, class: &str) -> Members {
    let names = phrases[at].names_and_words().into_iter();
    let names: Vec<String> = names.filter(|name| name != class && is_identifier(name)).collect();
    let is_function = |name: &&Name| {
        let last = name.text.rsplit('.').next().unwrap_or_default();
        name.text != class
            && !names.contains(&name.text)
            && !is_source_name(&name.text)
            && !index.definitions(last).is_empty()
    };
    let is_place = |phrase: &&&Phrase| {
        matches!(phrase.link, Link::In | Link::Of) && !phrase.has_noun(Noun::Class)
    };
    let order = (at + 1..phrases.len()).chain(0..at);
    for at in order {
        if let Some(function) = phrases[at].names.iter().find(is_function).cloned() {
            let behind = phrases[at + 1..].iter().take_while(is_place);
            let places = behind.map(|phrase| (*phrase).clone()).collect();
            return Members::Parameters { function, places, names };
        }
    }
    Members::Unknown
}
