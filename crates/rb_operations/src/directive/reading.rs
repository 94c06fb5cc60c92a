//! Clause by clause: who takes it, what stays open, and in the end the operations.

use super::clause::{Clause, Joint};
use super::condition::Untouched;
use super::definitions::Index;
use super::phrase::{Name, Phrase};
use super::relocate::TargetWords;
use super::resolve::Resolver;
use super::{
    Unclear, Understood, class, condition, follow_up, import, parameter, relocate, rename,
    sequence, value,
};
use crate::operation::Operation;

/// What a request is about, as far as it was read.
#[derive(Debug, Clone)]
pub(super) enum Draft {
    Rename(rename::Draft),
    Relocate(relocate::Draft),
    Parameter(parameter::Draft),
    Class(class::Draft),
    Import(import::Draft),
}

pub(super) struct Reading<'c> {
    pub(super) index: &'c Index<'c>,
    pub(super) directive: &'c str,
    pub(super) clauses: &'c [Clause],
    pub(super) drafts: Vec<Draft>,
    /// "locate the file text.py and …": where what follows is looked for.
    pub(super) place: Vec<Phrase>,
    /// "create a new file called x.py and move f into it".
    pub(super) new_file: Option<TargetWords>,
    /// What the sentence before was about: "`f` is a bad name. Rename it".
    pub(super) topic: Option<Name>,
    /// "a.py imports f from b": the sentence before a request.
    pub(super) context: Option<&'c [Clause]>,
    /// That sentence was about its name.
    pub(super) is_topic_name: bool,
    /// "import logging and add a parameter …".
    pub(super) wants_logging: bool,
    /// Files that must stay as they are.
    pub(super) untouched: Vec<Untouched>,
    pub(super) not_understood: Vec<String>,
    /// Conditions that were not understood: without them nothing may be done.
    pub(super) blocks: Vec<Unclear>,
    /// The clause before was one that only says what is done anyway.
    is_after_follow_up: bool,
}

/// A condition that was not understood.
fn block(clause: &str) -> Unclear {
    let why = format!(
        "the condition in \"{clause}\" was not understood, so nothing is changed; say it in another way, or leave it out"
    );
    Unclear::new(clause, why)
}

/// Takes the clauses from an index on that it knows, and says how many.
type Reader = fn(&mut Reading<'_>, usize) -> usize;

/// In this order: what adds to a draft goes before what begins one.
const READERS: &[(Reader, Role)] = &[
    (value::read, Role::Addition),
    (condition::read, Role::Addition),
    (parameter::read, Role::Request),
    (class::read, Role::Request),
    (import::read, Role::Request),
    (rename::read, Role::Request),
    (relocate::read, Role::Request),
    (follow_up::read, Role::FollowUp),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Begins a draft, or goes on with one.
    Request,
    /// Adds to a draft.
    Addition,
    FollowUp,
}

impl<'c> Reading<'c> {
    pub(super) fn new(index: &'c Index<'c>, directive: &'c str, clauses: &'c [Clause]) -> Self {
        Reading {
            index,
            directive,
            clauses,
            drafts: Vec::new(),
            place: Vec::new(),
            new_file: None,
            topic: None,
            context: None,
            is_topic_name: false,
            wants_logging: false,
            untouched: Vec::new(),
            not_understood: Vec::new(),
            blocks: Vec::new(),
            is_after_follow_up: false,
        }
    }

    pub(super) fn read(&mut self) {
        let mut at = 0;
        while at < self.clauses.len() {
            if at > 0 && self.clauses[at].sentence != self.clauses[at - 1].sentence {
                self.place.clear();
            }
            let readers = if self.is_idle(at) { &READERS[READERS.len() - 1..] } else { READERS };
            let is_past = self.clauses[at].is_past() && !self.clauses[at].is_ensured();
            let readers = readers.iter().filter(|(_, role)| *role != Role::Request || !is_past);
            let taken = readers
                .map(|(reader, role)| (reader(self, at), *role))
                .find(|(taken, _)| *taken > 0);
            match taken {
                Some((taken, Role::Request)) => self.check_restrictions(at, taken),
                Some((_, Role::Addition | Role::FollowUp)) => {}
                None => self.leave(at),
            }
            self.is_after_follow_up = matches!(taken, Some((_, Role::Addition | Role::FollowUp)));
            at += taken.map_or(1, |(taken, _)| taken);
        }
    }

    /// When something is done, and a condition of what is done anyway.
    fn is_idle(&self, at: usize) -> bool {
        let clause = &self.clauses[at];
        clause.joint == Joint::Time || clause.joint == Joint::Condition && self.is_after_follow_up
    }

    pub(super) fn is_after_follow_up(&self) -> bool {
        self.is_after_follow_up
    }

    /// "except", "only", "without" in a request must be part of what was read.
    fn check_restrictions(&mut self, at: usize, taken: usize) {
        let is_read = match self.drafts.last() {
            Some(Draft::Parameter(draft)) => !draft.values.is_empty(),
            Some(Draft::Rename(_) | Draft::Relocate(_) | Draft::Class(_) | Draft::Import(_))
            | None => false,
        };
        let clauses =
            self.clauses[at..at + taken].iter().filter(|clause| clause.joint != Joint::Time);
        let unread = clauses
            .filter(|clause| follow_up::has_unread_exception(clause) && !is_read)
            .map(|clause| self.text(clause).to_owned());
        let unread: Vec<String> = unread.collect();
        self.blocks.extend(unread.iter().map(|text| block(text)));
    }

    /// Nobody takes it: it is named, and if it restricts, nothing is done.
    fn leave(&mut self, at: usize) {
        let clause = &self.clauses[at];
        let text = self.text(clause).to_owned();
        if follow_up::restricts(clause) {
            self.blocks.push(block(&text));
        } else if matches!(clause.joint, Joint::Time | Joint::Purpose) || text.is_empty() {
            // When and why, not what.
        } else if !self.not_understood.contains(&text) {
            self.not_understood.push(text);
        }
    }

    /// As it was written.
    pub(super) fn text(&self, clause: &Clause) -> &'c str {
        self.directive
            .get(clause.start..clause.end)
            .unwrap_or_default()
            .trim_matches([' ', ',', '\n', '.'])
    }

    pub(super) fn next(&self, at: usize) -> Option<&'c Clause> {
        self.clauses.get(at + 1)
    }

    /// The clause at an index and those that hang on it.
    pub(super) fn group(&self, at: usize) -> &'c [Clause] {
        let clauses = self.clauses;
        let tail = clauses[at + 1..]
            .iter()
            .take_while(|clause| clause.is_linked() && clause.sentence == clauses[at].sentence);
        let count = 1 + tail.count();
        &clauses[at..at + count]
    }

    /// A file that must stay as it is and that the operations would change.
    fn touched(&self, operations: &[Operation]) -> Option<Unclear> {
        if self.untouched.is_empty() || operations.is_empty() {
            return None;
        }
        let outcome = crate::operations::plan(self.index.files, operations).ok()?;
        let is_held = |path: &&String| self.untouched.iter().any(|untouched| untouched.holds(path));
        let path = outcome.files.keys().find(is_held)?;
        Some(Unclear::new(path, format!("{path} must not change, but names what changes")))
    }

    /// The clauses from an index on to the end of the sentence.
    pub(super) fn sentence(&self, at: usize) -> &'c [Clause] {
        let clauses = self.clauses;
        let count = clauses[at..]
            .iter()
            .take_while(|clause| clause.sentence == clauses[at].sentence)
            .count();
        &clauses[at..at + count]
    }

    /// None if nothing structural was asked for.
    pub(super) fn understood(self) -> Option<Understood> {
        if self.drafts.is_empty() {
            return None;
        }
        let resolver = Resolver::new(self.index);
        let mut operations: Vec<Operation> = Vec::new();
        let mut unclear = self.blocks.clone();
        let mut not_understood = self.not_understood.clone();
        for draft in &self.drafts {
            let made = match draft {
                Draft::Rename(draft) => draft.operations(&resolver, &operations),
                Draft::Relocate(draft) => {
                    draft.operations(&resolver, &operations, &mut not_understood)
                }
                Draft::Parameter(draft) => draft.operations(&resolver, &operations),
                Draft::Class(draft) => draft.operations(&resolver),
                Draft::Import(draft) => draft.operations(&resolver),
            };
            match made {
                Ok(made) => {
                    for operation in made {
                        let operation = sequence::follow(&operations, operation);
                        if !operations.contains(&operation) {
                            operations.push(operation);
                        }
                    }
                }
                Err(one) => unclear.push(one),
            }
        }
        unclear.extend(self.touched(&operations));
        if !self.blocks.is_empty()
            || unclear.len() > self.blocks.len() && !self.untouched.is_empty()
        {
            operations.clear();
        }
        let (notes, is_blocked) = (self.index.notes(), !self.blocks.is_empty());
        Some(Understood { operations, not_understood, unclear, notes, is_blocked })
    }
}
