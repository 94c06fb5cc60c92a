//! What of a directive leads to nothing: parts with the reason why, and words.
//!
//! A part may ask for what nothing here does, for the opposite of what something does, for an answer, or for two things that exclude
//! each other. A model could do the first two.

use std::collections::BTreeSet;

use super::concepts::{Concept, FILLERS, Serves, Way};
use super::{Reading, wanted};
use crate::words::{Word, fits, is_in, is_order, tokens};

/// A part that is not served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lost {
    /// As it was written.
    pub(crate) text: String,
    pub(crate) why: Why,
    /// Where it was asked for; everywhere where that is empty.
    pub(crate) inside: Vec<String>,
    pub(super) part: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Why {
    /// Nothing here does it.
    Beyond,
    /// Who does the opposite, in words and by their ids.
    Opposite(String, Vec<String>),
    /// It is a question.
    Asks,
    /// What is to be changed and to stay.
    Contradicts(String),
}

impl Lost {
    /// Somebody who changes code could do it.
    pub(crate) fn is_for_a_model(&self) -> bool {
        match self.why {
            Why::Beyond | Why::Opposite(..) => true,
            Why::Asks | Why::Contradicts(_) => false,
        }
    }

    /// It is not just that nothing here does it.
    pub(crate) fn is_special(&self) -> bool {
        match self.why {
            Why::Opposite(..) | Why::Asks | Why::Contradicts(_) => true,
            Why::Beyond => false,
        }
    }

    /// What does the opposite of it: nothing to be offered.
    pub(crate) fn opposed(&self) -> &[String] {
        match &self.why {
            Why::Opposite(_, ids) => ids,
            Why::Beyond | Why::Asks | Why::Contradicts(_) => &[],
        }
    }

    /// Why it is not done, in words.
    pub(crate) fn words(&self) -> String {
        let text = &self.text;
        match &self.why {
            Why::Beyond => format!("no recipe or rule does this: {text}"),
            Why::Opposite(who, _) => format!("no recipe or rule does this: {text}; {who}"),
            Why::Asks => format!(
                "this is a question, not a change: {text}; `refactor-bot search` and `refactor-bot map` answer \
                 questions without a model"
            ),
            Why::Contradicts(about) => {
                format!("the directive asks both to change {about} and to keep them: {text}")
            }
        }
    }
}

/// Why parts are not done, in words; those that ask for one opposite are said together.
pub(crate) fn said<'l>(lost: impl IntoIterator<Item = &'l Lost>) -> Vec<String> {
    let mut said: Vec<Lost> = Vec::new();
    for part in lost {
        let is_same = |it: &&mut Lost| it.is_special() && it.why == part.why;
        match said.iter_mut().find(is_same) {
            Some(known) => known.text = format!("{}, {}", known.text, part.text),
            None => said.push(part.clone()),
        }
    }
    said.iter().map(Lost::words).collect()
}

/// Who does the opposite of what was asked for.
fn opposite(concept: &Concept) -> String {
    let about = concept.about;
    match concept.serves {
        [Serves::Recipe(id), ..] => {
            format!("it is the opposite of what {id} does, which removes {about}")
        }
        _ => format!("it is the opposite of the rules about {about}"),
    }
}

impl Reading {
    /// The parts that nothing here does, as they were written.
    pub(super) fn lost(&self, directive: &str) -> Vec<Lost> {
        let tokens = tokens(directive);
        let (mut lost, mut said) = (Vec::new(), BTreeSet::new());
        for (at, range) in self.index.parts.iter().enumerate() {
            let why = if self.is_asking[at] {
                Why::Asks
            } else if let Some(concept) = self.against.get(&at).filter(|_| !self.has_match(at)) {
                Why::Opposite(opposite(concept), wanted::ids(concept.serves))
            } else if let Some(about) = self.contradicted.get(&at) {
                Why::Contradicts((*about).to_owned())
            } else if self.is_unserved(at) {
                Why::Beyond
            } else {
                continue;
            };
            let text = text(&self.words[range.clone()], &tokens);
            if said.insert(text.clone()) {
                lost.push(Lost { text, why, inside: Vec::new(), part: at });
            }
        }
        lost
    }

    /// A part that begins with an order of which no word led anywhere.
    pub(super) fn is_unserved(&self, part: usize) -> bool {
        // "Refactor src/a.ts: …" says no more than where.
        const WIDE: &[&str] = &["audit", "clean", "run", "tidy", "modernize"];
        let words = || self.index.parts[part].clone().filter(|&at| !self.words[at].is_ruled_out);
        let verbs: Vec<&Word> =
            words().take(3).map(|at| &self.words[at]).filter(|it| it.is_verb).collect();
        let is_wide = |it: &&Word| is_filler(&it.text) || WIDE.contains(&it.text.as_str());
        let is_only_where = verbs.iter().all(is_wide);
        let says = |at: usize| {
            let word = &self.words[at];
            if self.is_place[at] { !is_only_where } else { !word.is_verb && !is_filler(&word.text) }
        };
        // A verb that is none of ours asks for something, whatever stands behind it.
        let is_beyond = verbs.iter().any(|it| !is_order(&it.text));
        !verbs.is_empty() && (is_beyond || words().any(says)) && !self.has_match(part)
    }

    /// Words that say something and led to nothing.
    pub(super) fn unmatched(&self) -> Vec<String> {
        let mut lost: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        for (part, range) in self.index.parts.iter().enumerate() {
            // Beside one that led somewhere it only says more about the same, and so it does beside the name of a place.
            let is_alone =
                !self.has_match(part) && (!self.has_place(part) || self.is_unserved(part));
            let is_said = self.is_asking[part] || self.against.contains_key(&part);
            if !is_alone || is_said {
                continue;
            }
            for at in range.clone() {
                let word = &self.words[at];
                let is_free = !self.is_used[at] && !word.is_taken && !word.is_ruled_out;
                let says = is_free && !word.is_verb && !is_filler(&word.text);
                if says && seen.insert(&word.raw) {
                    lost.push(word.raw.clone());
                }
            }
        }
        lost
    }

    /// "Convert sync to async, but keep everything synchronous": what is said to stay as a whole is not changed.
    pub(super) fn contradictions(&mut self, concepts: &'static [Concept]) {
        for part in 0..self.index.parts.len() {
            let stays: Vec<usize> =
                self.index.parts[part].clone().filter(|&at| self.words[at].is_ruled_out).collect();
            let Some(&first) = stays.first() else { continue };
            let is_keeping =
                matches!(self.words[first].text.as_str(), "keep" | "leave" | "keeping" | "leaving");
            let has_place = stays.iter().any(|&at| self.is_place[at]);
            if !is_keeping || has_place {
                continue;
            }
            let meant = concepts.iter().find(|it| self.stays_whole(it, &stays[1..]));
            if let Some(concept) = meant {
                self.contradicted.insert(part, concept.about);
                self.take_back(concept);
            }
        }
    }

    /// The words say of all that a concept changes, and of nothing else, that it stays as it was.
    fn stays_whole(&self, concept: &Concept, stays: &[usize]) -> bool {
        let Way::Change { before, .. } = concept.way else { return false };
        let is_of = |list: &str, word: &str| list.split_whitespace().any(|it| fits(word, it));
        let words = || stays.iter().map(|&at| self.words[at].text.as_str());
        let is_known = |word: &str| {
            is_filler(word)
                || concept.all.iter().any(|list| is_of(list, word))
                || is_of(before, word)
        };
        let ids = wanted::ids(concept.serves);
        self.found.iter().any(|it| ids.contains(&it.id))
            && words().any(|it| is_of(before, it))
            && words().all(is_known)
    }

    fn take_back(&mut self, concept: &Concept) {
        let ids = wanted::ids(concept.serves);
        self.found.retain(|it| !ids.contains(&it.id));
        self.wanted.retain(|it| it.about != concept.about);
        self.parts.retain(|id, _| !ids.contains(id));
    }
}

/// The part as it was written.
fn text(part: &[Word], tokens: &[String]) -> String {
    let is_joint =
        |it: &&Word| matches!(it.text.as_str(), "and" | "then" | "also" | "or" | "while");
    let first = usize::from(part.len() > 1 && matches!(part[0].text.as_str(), "but" | "however"));
    let end = part.len() - part.iter().rev().take_while(is_joint).count();
    let range = part[first].token..=part[end.saturating_sub(1).max(first)].token;
    tokens[range].join(" ").trim_end_matches([',', ';', '.', '!', '?', ':']).to_owned()
}

/// Says nothing about what is wanted.
pub(crate) fn is_filler(word: &str) -> bool {
    is_in(FILLERS, word)
}
