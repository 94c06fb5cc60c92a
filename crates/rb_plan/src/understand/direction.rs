//! Which way a part of a directive goes: what it wants to have, and what it wants to be rid of.
//!
//! "Convert async to sync" has all the words of "Convert sync to async". What tells them apart are the verb and the small words around:
//! to, with, instead of, rather than, not. Where they do not tell, nothing is said, and a part means what its words are usually for.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Reading;
use super::concepts::{CONCEPTS, Concept, Way};
use super::index::Index;
use super::lost::is_filler;
use crate::words::{Word, fits, is_in};

/// What a part says of one of its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    Open,
    Wanted,
    Unwanted,
    /// It is what a change begins with, and need not be bad.
    Left,
    /// It stands behind "make": the last word is what is wanted.
    Made,
}

/// What a part orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verb {
    None,
    Use,
    Restore,
    Drop,
    Replace,
    Swap,
    Convert,
    Make,
    Ensure,
    Revert,
}

const VERBS: &[(Verb, &str)] = &[
    (
        Verb::Use,
        "use utilize utilise prefer adopt introduce add employ favor favour create implement",
    ),
    (Verb::Restore, "restore restoring reinstat* reintroduc* bring bringing readd"),
    (
        Verb::Drop,
        "remov* delet* drop* eliminat* avoid* stop* prevent* ban forbid* abandon* disabl* ditch* rid purg* without no",
    ),
    (Verb::Replace, "replac*"),
    (Verb::Swap, "swap* exchang* trade"),
    (
        Verb::Convert,
        "convert* conversion chang* migrat* mov* switch* turn* transform* port porting rewrit* refactor* transition* shift* \
        go return* upgrad* downgrad*",
    ),
    (Verb::Make, "make making"),
    (Verb::Ensure, "ensure ensuring"),
    (Verb::Revert, "revert* undo* rollback roll"),
];

/// Before a verb that may be a noun.
const LEADS: &str = "also always and but can could i instead just lets may must now only or please should so then to we will would you";
/// What behind a verb does not belong to what it asks for.
const APART: &str =
    "across against as at because during if in inside on throughout under while within";
const RELATIVE: &str = "that when where which who whose";
const THROUGH: &str = "through using via";
/// May stand behind what is to be made of something.
const TRAILING: &str = "again back everywhere now please too";

/// What a part says of its words, and what it orders.
pub(super) struct Direction {
    pub(super) stances: Vec<Stance>,
    order: Verb,
}

impl Direction {
    /// Of a part that is taken as its words are.
    pub(super) fn none(words: usize) -> Direction {
        Direction { stances: vec![Stance::Open; words], order: Verb::None }
    }

    pub(super) fn of(part: &[Word]) -> Direction {
        let mut walk = Walk {
            part,
            stances: Vec::with_capacity(part.len()),
            stance: Stance::Open,
            verb: Verb::None,
            order: Verb::None,
            is_scoped: false,
            is_relative: false,
            is_noun: false,
        };
        for at in 0..part.len() {
            walk.step(at);
        }
        Direction { stances: walk.stances, order: walk.order }
    }
}

struct Walk<'w> {
    part: &'w [Word],
    stances: Vec<Stance>,
    stance: Stance,
    verb: Verb,
    /// The first verb.
    order: Verb,
    /// Until the clause ends.
    is_scoped: bool,
    /// It tells of what there is: "that use sync instead of async".
    is_relative: bool,
    /// "Revert the change to async"
    is_noun: bool,
}

impl Walk<'_> {
    fn text(&self, at: usize) -> &str {
        self.part.get(at).map_or("", |it| it.text.as_str())
    }

    fn step(&mut self, at: usize) {
        if self.part[at].is_ruled_out {
            self.stances.push(Stance::Open);
            return;
        }
        if !self.verb_at(at) {
            self.small_word(at);
        }
        self.stances.push(self.stance);
        if self.part[at].ends_clause && self.is_scoped {
            let is_first = !self.stances.contains(&Stance::Wanted) && self.verb == Verb::None;
            self.stance = if is_first { Stance::Wanted } else { Stance::Open };
            self.is_scoped = false;
        }
    }

    fn verb_at(&mut self, at: usize) -> bool {
        let text = self.text(at);
        let is_verb = |row: &&(Verb, &str)| row.1.split_whitespace().any(|it| fits(text, it));
        let Some(&(verb, _)) = VERBS.iter().find(is_verb) else { return false };
        let (next, before) = (self.text(at + 1), at.checked_sub(1));
        let leads =
            before.is_none_or(|it| self.part[it].ends_clause || is_in(LEADS, self.text(it)));
        let verb = match verb {
            Verb::Use | Verb::Restore | Verb::Make if !leads => return false,
            Verb::Make if next == "sure" => Verb::Ensure,
            // "Bring unused imports down" takes nothing back.
            Verb::Restore if text.starts_with("bring") && !self.goes_back(at) => return false,
            Verb::Revert if text == "roll" && next != "back" => return false,
            Verb::Convert if self.verb == Verb::Revert => {
                self.is_noun = true;
                return true;
            }
            verb => verb,
        };
        self.stance = match verb {
            Verb::Use | Verb::Restore => Stance::Wanted,
            Verb::Drop | Verb::Replace | Verb::Swap | Verb::Revert => Stance::Unwanted,
            Verb::Convert => Stance::Left,
            Verb::Make => Stance::Made,
            Verb::Ensure | Verb::None => Stance::Open,
        };
        (self.verb, self.is_scoped) = (verb, false);
        if self.order == Verb::None {
            self.order = verb;
        }
        true
    }

    fn goes_back(&self, at: usize) -> bool {
        self.part[at..].iter().take(8).any(|it| it.text == "back")
    }

    fn small_word(&mut self, at: usize) {
        let (text, next) = (self.text(at), self.text(at + 1));
        match text {
            "to" | "into" if self.is_noun => self.is_noun = false,
            // It tells of what was or is so, and wants nothing.
            "to" | "into" if at > 0 && self.text(at - 1) == "used" => self.set(Stance::Left),
            "to" | "be" if self.is_relative && self.verb == Verb::None => self.set(Stance::Open),
            "to" | "into" => match self.verb {
                Verb::Convert | Verb::Revert | Verb::None | Verb::Ensure | Verb::Make => {
                    self.set(Stance::Wanted);
                }
                Verb::Use | Verb::Restore | Verb::Drop | Verb::Replace | Verb::Swap => {
                    self.set(Stance::Open);
                }
            },
            "with" | "by" if self.verb == Verb::Replace => self.set(Stance::Wanted),
            "for" if self.verb == Verb::Swap => self.set(Stance::Wanted),
            "with" | "by" | "for" => self.set(Stance::Open),
            "from" => match self.verb {
                Verb::Convert | Verb::None => self.set(Stance::Left),
                _ => self.set(Stance::Open),
            },
            "instead" if next == "of" => self.against(),
            "rather" if next == "than" => self.against(),
            "over" if self.stances.contains(&Stance::Wanted) => self.set(Stance::Unwanted),
            "favor" | "favour" if next == "of" => {
                self.turn(&[Stance::Open, Stance::Made], Stance::Unwanted);
                self.set(Stance::Wanted);
            }
            "not" | "never" | "dont" if !matches!(next, "only" | "just") => {
                self.set(Stance::Unwanted);
                self.is_scoped = true;
            }
            "be" if matches!(self.verb, Verb::None | Verb::Ensure) => self.set(Stance::Wanted),
            "is" | "are" if self.verb == Verb::Ensure => self.set(Stance::Wanted),
            _ if is_in(RELATIVE, text) => {
                self.is_relative = true;
                self.set(Stance::Open);
            }
            _ if is_in(THROUGH, text) && self.stance == Stance::Unwanted => {}
            _ if is_in(APART, text) || is_in(THROUGH, text) => self.set(Stance::Open),
            _ => {}
        }
    }

    fn set(&mut self, stance: Stance) {
        (self.stance, self.is_scoped) = (stance, false);
    }

    /// "Y instead of X", unless it tells of what there is.
    fn against(&mut self) {
        let is_mended = self.part.first().is_some_and(|it| fits(&it.text, "fix*"));
        if self.is_relative || is_mended {
            self.set(Stance::Open);
            return;
        }
        self.turn(&[Stance::Open, Stance::Made], Stance::Wanted);
        self.set(Stance::Unwanted);
        self.is_scoped = true;
    }

    fn turn(&mut self, from: &[Stance], to: Stance) {
        for stance in self.stances.iter_mut().filter(|it| from.contains(it)) {
            *stance = to;
        }
    }
}

/// "Remove sync calls, use async": a clause that only names the other state goes on with the one before it.
pub(super) fn join_states(words: &mut [Word]) {
    const LONGEST: usize = 6;
    const GOING_ON: &str = "adopt go make prefer switch use";
    let parts = Index::of(words).parts;
    let mut joined = 0;
    for (at, part) in parts.iter().enumerate() {
        let goes_on = part.start > 0
            && part.len() <= LONGEST
            && !words[part.start - 1].ends_sentence
            && is_in(GOING_ON, &words[part.start].text)
            && CONCEPTS
                .iter()
                .any(|it| names_states(it, &words[part.clone()], &words[parts[at - 1].clone()]));
        joined += usize::from(goes_on);
        for word in &mut words[part.clone()] {
            word.part -= joined;
        }
    }
}

/// Does the part say no more than a state that a concept knows, as the part before it does?
fn names_states(concept: &Concept, part: &[Word], before_it: &[Word]) -> bool {
    let Way::Change { before, after } = concept.way else { return false };
    let is_state = |word: &Word| {
        let mut all = before.split_whitespace().chain(after.split_whitespace());
        !word.is_ruled_out && all.any(|it| fits(&word.text, it))
    };
    part.iter().any(is_state)
        && part.iter().all(|it| is_state(it) || is_filler(&it.text))
        && before_it.iter().any(is_state)
}

/// A word that names one of the two states that a concept knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark {
    at: usize,
    is_before: bool,
}

impl Reading {
    /// Does the part ask for the opposite of what serves the concept?
    pub(super) fn is_against(
        &self,
        concept: &Concept,
        part: usize,
        marks: Option<&Vec<Mark>>,
    ) -> bool {
        let Direction { stances, order } = &self.directions[part];
        match concept.way {
            Way::Any => return *order == Verb::Revert,
            Way::Removal => return matches!(order, Verb::Revert | Verb::Restore),
            Way::Change { .. } => {}
        }
        let (mut pro, mut against) = (0, 0);
        let mut made: Option<Mark> = None;
        for mark in marks.into_iter().flatten() {
            match (stances[mark.at - self.index.parts[part].start], mark.is_before) {
                (Stance::Wanted, true) | (Stance::Unwanted, false) => against += 1,
                (Stance::Wanted, false) | (Stance::Unwanted | Stance::Left, true) => pro += 1,
                (Stance::Made, _) => made = made.max(Some(*mark)),
                (Stance::Open, _) | (Stance::Left, false) => {}
            }
        }
        match made {
            Some(mark) if !mark.is_before => pro += 1,
            Some(mark) if self.is_last_made(part, mark.at) => against += 1,
            Some(_) | None => {}
        }
        (against > 0 || *order == Verb::Revert) && pro == 0
    }

    /// By part: the words that name the state before what serves a concept, or the one after it.
    pub(super) fn marks(&self, concept: &Concept) -> BTreeMap<usize, Vec<Mark>> {
        let mut marks: BTreeMap<usize, Vec<Mark>> = BTreeMap::new();
        let Way::Change { before, after } = concept.way else { return marks };
        for (list, is_before) in [(before, true), (after, false)] {
            for row in list.split_whitespace().flat_map(|it| self.rows(it)) {
                let (at, part) = (row.start, self.words[row.start].part);
                let is_turned = at > 0 && self.words[at - 1].text == "non";
                let mark = Mark { at, is_before: is_before != is_turned };
                if self.is_of(&row, part) {
                    marks.entry(part).or_default().push(mark);
                }
            }
        }
        marks
    }

    /// Nothing else is said of what is made: "make requests sequential again".
    fn is_last_made(&self, part: usize, at: usize) -> bool {
        let Range { start, end } = self.index.parts[part];
        let stances = &self.directions[part].stances;
        let rest = (at + 1..end).take_while(|it| stances[it - start] == Stance::Made);
        let mut rest = rest.filter(|&it| !self.words[it].is_taken);
        rest.all(|it| is_in(TRAILING, &self.words[it].text) || self.words[it].text == "and")
    }
}
