//! Which facts have to do with a question: those that share words with it, in their text or in the lines that they cite.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rb_index::Texts;

use super::facts::refers_back;
use super::{Fact, Memory, QuestionAsked, path_of};
use crate::claims::is_generic;
use crate::guide::{in_common, words};

/// Points of a fact that says one rare word of the question and cites another. That many are always enough.
const ENOUGH: usize = 250;
/// The weight of a word that no fact has.
const WEIGHT: usize = 100;
/// In a small memory, a word that all facts have still counts.
const SMOOTHING: usize = 4;
/// A question of more words says itself what it is about.
const FOLLOW_UP: usize = 2;

/// A question, as words to compare with.
pub(super) struct Wanted {
    words: Vec<BTreeSet<String>>,
    /// Whether it goes on from the question before it.
    is_follow_up: bool,
}

impl Wanted {
    pub(super) fn new(question: &str) -> Wanted {
        let pronouns = ["it", "its", "they", "them", "their"];
        let mut asked = question.split(|c: char| !c.is_alphanumeric());
        let refers_back = asked.any(|word| pronouns.contains(&word.to_lowercase().as_str()));
        let words = words(question);
        let is_follow_up = refers_back && words.len() <= FOLLOW_UP;
        let (generic, mut specific): (Vec<_>, Vec<_>) =
            words.into_iter().partition(|word| is_generic(word));
        if specific.is_empty() {
            specific = generic;
        }
        let words = specific.into_iter().map(|word| BTreeSet::from([word])).collect();
        Wanted { words, is_follow_up }
    }

    /// The question that this one goes on from: "Who calls it?"
    pub(super) fn previous<'m>(&self, memory: &'m Memory) -> Option<&'m QuestionAsked> {
        memory.last_question().filter(|_| self.is_follow_up)
    }

    /// Whether a text has so many of the words, or all of them.
    pub(super) fn shares(&self, text: &str, most: usize) -> bool {
        let shared = self.shared(text).iter().filter(|has| **has).count();
        shared > 0 && shared >= most.min(self.words.len())
    }

    /// Which of the words a text has.
    fn shared(&self, text: &str) -> Vec<bool> {
        let has = words(text);
        self.words.iter().map(|word| in_common(word, &has) > 0).collect()
    }
}

/// What a fact has of the question.
struct Rated<'m> {
    fact: &'m Fact,
    /// Whether it says each word.
    says: Vec<bool>,
    /// Whether the paths or the lines that it cites have each word.
    cites: Vec<bool>,
    is_of_previous: bool,
}

impl Memory {
    /// Best first, newest of equals first. A fact none of whose quotes is found again is not among them.
    pub(super) fn relevant(&self, wanted: &Wanted, texts: &dyn Texts) -> Vec<&Fact> {
        let previous = wanted.previous(self);
        let newest = self.facts.iter().rev().filter(|fact| !refers_back(&fact.text));
        let rated: Vec<Rated<'_>> =
            newest.filter_map(|fact| Rated::of(fact, wanted, previous, texts)).collect();
        let weights: Vec<usize> = (0..wanted.words.len())
            .map(|at| {
                let having = rated.iter().filter(|rated| rated.says[at]).count();
                WEIGHT * (rated.len() + SMOOTHING - having) / (rated.len() + SMOOTHING)
            })
            .collect();
        // Half of what the question has, as it would count in the lines alone.
        let least = (weights.iter().sum::<usize>() / 2).clamp(1, ENOUGH);
        let points = rated.iter().map(|rated| (rated.points(&weights), rated.fact));
        let mut found: Vec<(usize, &Fact)> =
            points.filter(|(points, _)| *points >= least).collect();
        found.sort_by_key(|(points, _)| Reverse(*points));
        found.into_iter().map(|(_, fact)| fact).collect()
    }
}

impl<'m> Rated<'m> {
    fn of(
        fact: &'m Fact,
        wanted: &Wanted,
        previous: Option<&QuestionAsked>,
        texts: &dyn Texts,
    ) -> Option<Rated<'m>> {
        let found = fact.evidence(texts);
        if found.is_empty() {
            return None;
        }
        let lines = found.iter().flat_map(|run| &run.lines).map(String::as_str);
        let cited: Vec<&str> = fact.citations.iter().map(path_of).chain(lines).collect();
        let is_of_previous = previous.is_some_and(|asked| {
            asked.answer.iter().any(|claim| fact.text.contains(claim.as_str()))
        });
        Some(Rated {
            fact,
            says: wanted.shared(&fact.text),
            cites: wanted.shared(&cited.join(" ")),
            is_of_previous,
        })
    }

    fn points(&self, weights: &[usize]) -> usize {
        let words = self.says.iter().zip(&self.cites).zip(weights);
        let points: usize = words
            .map(|((says, cites), weight)| match (says, cites) {
                (true, _) => 2 * weight,
                (false, true) => *weight,
                (false, false) => 0,
            })
            .sum();
        points + if self.is_of_previous { ENOUGH } else { 0 }
    }
}
