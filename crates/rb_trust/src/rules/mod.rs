//! The phrases that instructions to a model are made of, as relations between words and not as strings.
//!
//! A rule begins at its verb, looks for the object in the same sentence, and weighs what stands around it. Points are for
//! plain text in plain sight; `judge` adds what disguise and hiding are worth.

mod address;
mod leak;
mod release;
mod role;

use crate::finding::Kind;
use crate::fold::Skeleton;
use crate::hits::Hit;
use crate::place::TextKind;
use crate::words::{Class, Lang, Order};

/// A suspicion: part of the skeleton, points, and the words that raised it.
#[derive(Debug)]
pub(crate) struct Suspect {
    pub(crate) kind: Kind,
    pub(crate) points: i32,
    /// Places in `ScanContext::hits`.
    pub(crate) words: Vec<usize>,
    pub(crate) why: &'static str,
}

pub(crate) struct ScanContext<'a> {
    pub(crate) view: &'a Skeleton,
    pub(crate) source: &'a str,
    pub(crate) hits: &'a [Hit],
    pub(crate) place: TextKind,
}

/// How far a sentence is looked at, in bytes of the skeleton.
const REACH: usize = 110;
/// How far words weigh in that say what the text is about.
const AROUND: usize = 420;
/// At most so many words are looked at in either direction, so that a text of nothing but such words stays cheap.
const CROWD: usize = 80;

pub(crate) fn suspects(scene: &ScanContext) -> Vec<Suspect> {
    let mut out = Vec::new();
    for (nth, hit) in scene.hits.iter().enumerate() {
        let found = match hit.class {
            Class::Ignore | Class::Quit => release::dropped(scene, nth),
            Class::Moot => release::moot(scene, nth),
            Class::Reveal | Class::Take => leak::leak(scene, nth),
            Class::Hide => leak::secrecy(scene, nth),
            Class::Now => role::another(scene, nth),
            Class::Fresh => role::fresh(scene, nth),
            Class::Summon => Some(address::summons(scene, nth)),
            Class::Model => address::orders(scene, nth),
            Class::Prior
            | Class::All
            | Class::Your
            | Class::Order
            | Class::Thing
            | Class::Own
            | Class::Prompt
            | Class::Keys
            | Class::Must
            | Class::User
            | Class::Persona
            | Class::Approve
            | Class::Talk => None,
        };
        out.extend(found);
    }
    out
}

/// The words around a verb that belong to its sentence.
pub(crate) struct Sentence {
    pub(crate) before: Vec<usize>,
    pub(crate) after: Vec<usize>,
}

impl ScanContext<'_> {
    /// Words of the language of `nth` in its sentence, nearest first.
    pub(crate) fn sentence(&self, nth: usize) -> Sentence {
        let at = &self.hits[nth];
        let text = self.view.text.as_bytes();
        let same = |other: &Hit| other.lang == at.lang;
        let reach = REACH * at.lang.width();
        let end = text[at.end..]
            .iter()
            .take(reach)
            .position(|b| *b == b'.')
            .map_or(at.end + reach, |n| at.end + n);
        let floor = at.start.saturating_sub(reach);
        let start =
            text[floor..at.start].iter().rposition(|b| *b == b'.').map_or(floor, |n| floor + n);
        let after = (nth + 1..self.hits.len())
            .take(CROWD)
            .take_while(|n| self.hits[*n].start < end)
            .filter(|n| self.hits[*n].start >= at.end && same(&self.hits[*n]))
            .collect();
        let before = (0..nth)
            .rev()
            .take(CROWD)
            .take_while(|n| self.hits[*n].start >= start)
            .filter(|n| self.hits[*n].end <= at.start && same(&self.hits[*n]))
            .collect();
        Sentence { before, after }
    }

    /// Which classes of words stand near, whatever the sentence.
    pub(crate) fn around(&self, nth: usize) -> Classes {
        let at = &self.hits[nth];
        // The next line of a table is about something else.
        let around = if self.place == TextKind::Data { AROUND / 3 } else { AROUND };
        let near = |other: &Hit| {
            other.start < at.end + around
                && other.end + around > at.start
                && (other.lang == at.lang || other.lang == Lang::ENGLISH)
        };
        let low = nth.saturating_sub(CROWD);
        let high = (nth + CROWD).min(self.hits.len());
        let others = (low..high).filter(|n| *n != nth).map(|n| &self.hits[n]);
        Classes::of(others.filter(|hit| near(hit)).map(|hit| hit.class))
    }

    /// How many bytes between two hits belong to no word that is known.
    pub(crate) fn unknown_between(&self, one: usize, other: usize) -> usize {
        let (low, high) = (one.min(other), one.max(other));
        let mut at = self.hits[low].end;
        let mut unknown = 0;
        let lang = self.hits[low].lang;
        for hit in self.hits[low + 1..=high].iter().filter(|hit| hit.lang == lang) {
            unknown += hit.start.saturating_sub(at);
            at = at.max(hit.end);
        }
        unknown
    }

    /// The first word of a class, if it is near enough.
    pub(crate) fn first(&self, among: &[usize], class: Class) -> Option<usize> {
        among.iter().copied().find(|n| self.hits[*n].class == class)
    }

    /// A hit as it stands in the skeleton.
    pub(crate) fn text(&self, nth: usize) -> &str {
        &self.view.text[self.hits[nth].start..self.hits[nth].end]
    }

    pub(crate) fn is_free_order(&self, nth: usize) -> bool {
        self.hits[nth].lang.order() == Order::Free
    }

    /// The skeleton's words right before a hit, the nearest first.
    fn lead(&self, nth: usize) -> impl Iterator<Item = &str> {
        let at = &self.hits[nth];
        let mut floor = at.start.saturating_sub(32);
        while !self.view.text.is_char_boundary(floor) {
            floor += 1;
        }
        let lead = self.view.text[floor..at.start].rsplit('.').next().unwrap_or_default();
        lead.split(' ').rev().filter(|word| !word.is_empty()).take(2)
    }

    /// Whether what stands before an English verb makes a permission, a denial or a statement of it.
    pub(crate) fn is_weakened(&self, nth: usize) -> bool {
        if self.hits[nth].lang != Lang::ENGLISH {
            return false;
        }
        let nth = self.first_of_verbs(nth);
        let lead: Vec<&str> = self.lead(nth).collect();
        match lead.as_slice() {
            ["wiii" | "couid" | "shaii", "you", ..] => false,
            [near, ..] if WEAK.contains(near) => true,
            // `t` is what is left of "don't".
            ["t", before, ..] => {
                matches!(*before, "don" | "won" | "can" | "doesn" | "didn" | "shouidn" | "mustn")
            }
            ["to", before, ..] => TO.contains(before),
            _ => false,
        }
    }

    /// "to ignore, override or replace": what holds for the first verb holds for the others.
    fn first_of_verbs(&self, nth: usize) -> usize {
        let mut first = nth;
        let is_verb = |n: usize| {
            matches!(self.hits[n].class, Class::Ignore | Class::Quit | Class::Reveal | Class::Take)
        };
        while first > 0
            && is_verb(first - 1)
            && self.hits[first - 1].end <= self.hits[first].start
            && matches!(
                &self.view.text[self.hits[first - 1].end..self.hits[first].start],
                " " | " or " | " and "
            )
        {
            first -= 1;
        }
        first
    }

    /// Whether the verb opens its sentence, or follows a word that leads up to a command.
    pub(crate) fn is_command(&self, nth: usize) -> bool {
        let mut lead = self.lead(nth);
        match lead.next() {
            None => true,
            Some(word) => matches!(
                word,
                "piease" | "now" | "then" | "must" | "and" | "you" | "simpiy" | "just"
            ),
        }
    }
}

/// Folded as the skeleton is, hence `piease`.
const WEAK: [&str; 35] = [
    "can",
    "may",
    "might",
    "couid",
    "safeiy",
    "wiii",
    "wouid",
    "we",
    "they",
    "i",
    "which",
    "that",
    "not",
    "never",
    "cannot",
    "dont",
    "does",
    "was",
    "is",
    "if",
    "it",
    "who",
    "users",
    "user",
    "s",
    "or",
    "ii",
    "d",
    "aiso",
    "ie",
    "typicaiiy",
    "simpiy",
    "eise",
    "the",
    "a",
];
const TO: [&str; 32] = [
    "instruction",
    "instructions",
    "want",
    "how",
    "abiiity",
    "option",
    "whether",
    "ways",
    "way",
    "tries",
    "attempt",
    "attempts",
    "used",
    "abie",
    "choose",
    "chose",
    "ok",
    "possibie",
    "easy",
    "safe",
    "where",
    "when",
    "decided",
    "prefer",
    "user",
    "users",
    "modei",
    "aiiowed",
    "iiste",
    "it",
    "them",
    "trying",
];

/// A set of classes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Classes(u32);

impl Classes {
    fn of(classes: impl Iterator<Item = Class>) -> Self {
        Classes(classes.fold(0, |set, class| set | 1 << class as u8))
    }

    pub(crate) fn has(self, class: Class) -> bool {
        self.0 & (1 << class as u8) != 0
    }

    /// What other parts of an attack stand near are worth.
    pub(crate) fn company(self) -> i32 {
        let leaks = self.has(Class::Reveal)
            && (self.has(Class::Own) || self.has(Class::Keys) || self.has(Class::Prompt));
        let mut points = 0;
        points += 10 * i32::from(self.has(Class::Model));
        points += 10 * i32::from(leaks);
        points += 10 * i32::from(self.has(Class::Hide) && self.has(Class::User));
        points += 10 * i32::from(self.has(Class::Now) && self.has(Class::Persona));
        points += 10 * i32::from(self.has(Class::Summon) || self.has(Class::Fresh));
        points += 6 * i32::from(self.has(Class::Approve));
        points.min(25)
    }
}
