//! The constraints of a kata, each once.

use std::collections::BTreeSet;
use std::mem::discriminant;

use crate::constraint::{Constraint, ConstraintKind, recognise};

#[derive(Default)]
pub(super) struct Rules {
    constraints: Vec<Constraint>,
    /// What is there already. The words of a rule that is checked do not matter.
    seen: BTreeSet<Constraint>,
    /// From lines that state several rules at once, such as "Object Calisthenics". A line for one of them says it more precisely.
    sets: Vec<Constraint>,
}

impl Rules {
    /// Whether a line states rules that can be checked. They are kept.
    pub(super) fn take(&mut self, line: &str) -> bool {
        let mut found = recognise(line);
        found.retain(|constraint| constraint.kind != ConstraintKind::Judged);
        self.keep(found)
    }

    /// For lines below a heading for constraints: what cannot be checked is left to the model. Always true.
    pub(super) fn take_or_judge(&mut self, line: &str) -> bool {
        let mut found = recognise(line);
        if found.is_empty() {
            found.push(Constraint { text: line.to_owned(), kind: ConstraintKind::Judged });
        }
        self.keep(found)
    }

    fn keep(&mut self, found: Vec<Constraint>) -> bool {
        let is_some = !found.is_empty();
        if found.len() > 1 {
            for constraint in found {
                if !self.sets.iter().any(|other| is_same_check(other, &constraint)) {
                    self.sets.push(constraint);
                }
            }
        } else {
            for constraint in found {
                if self.seen.insert(without_words(&constraint)) {
                    self.constraints.push(constraint);
                }
            }
        }
        is_some
    }

    /// In the order of the text; those of whole sets last.
    pub(super) fn into_constraints(self) -> Vec<Constraint> {
        let Rules { mut constraints, sets, .. } = self;
        for constraint in sets {
            if !constraints.iter().any(|other| is_same_check(other, &constraint)) {
                constraints.push(constraint);
            }
        }
        constraints
    }
}

/// The same check, with any limit; what a model judges is the same by its words.
fn is_same_check(left: &Constraint, right: &Constraint) -> bool {
    discriminant(&left.kind) == discriminant(&right.kind)
        && (left.kind != ConstraintKind::Judged || left.text == right.text)
}

fn without_words(constraint: &Constraint) -> Constraint {
    let text = match constraint.kind {
        ConstraintKind::Judged => constraint.text.clone(),
        ConstraintKind::IndentationDepth(_)
        | ConstraintKind::NoElse
        | ConstraintKind::FunctionLength(_)
        | ConstraintKind::ClassLength(_)
        | ConstraintKind::NoGettersOrSetters
        | ConstraintKind::InstanceVariables(_)
        | ConstraintKind::OneDotPerLine
        | ConstraintKind::WrappedPrimitives
        | ConstraintKind::FirstClassCollections
        | ConstraintKind::NoAbbreviations
        | ConstraintKind::Parameters(_)
        | ConstraintKind::NoLoops
        | ConstraintKind::NoConditionals
        | ConstraintKind::NoMutation => String::new(),
    };
    Constraint { text, kind: constraint.kind }
}
