//! Keywords that put schemas together: `allOf`, `anyOf`, `oneOf`, `not`, `if`.
//!
//! Where no alternative fits, the faults of the one that was meant are said. A value tells which that is by its kind,
//! then by the properties that have fixed values (`"type": "circle"`), then by the number of faults.

use serde_json::Value;

use super::{Checker, Form, STEPS_OF_FAULT};
use crate::fault::{Fault, Faults, Problem};
use crate::node::Node;

impl<'a> Checker<'a> {
    pub(super) fn branches(&mut self, node: &'a Node, value: &'a Value) {
        for part in &node.all_of {
            self.node(part, value);
        }
        self.any_of(&node.any_of, value);
        match self.form {
            Form::Plain => self.exactly_one_of(&node.one_of, value),
            // Strict mode has no `oneOf`.
            Form::Strict => self.any_of(&node.one_of, value),
        }
        if let Some(not) = &node.not
            && self.try_out(not, value).count() == 0
        {
            self.fault(Problem::Forbidden);
        }
        if let Some(test) = &node.condition.test {
            let branch = match self.try_out(test, value).count() {
                0 => &node.condition.then,
                _ => &node.condition.otherwise,
            };
            if let Some(branch) = branch {
                self.node(branch, value);
            }
        }
    }

    /// The faults by `node` alone, kept apart.
    fn try_out(&mut self, node: &'a Node, value: &'a Value) -> Faults {
        let before = std::mem::take(&mut self.faults);
        self.node(node, value);
        std::mem::replace(&mut self.faults, before)
    }

    fn any_of(&mut self, nodes: &'a [Node], value: &'a Value) {
        let mut tried = Vec::new();
        for node in nodes {
            let faults = self.try_out(node, value);
            if faults.count() == 0 {
                return;
            }
            tried.push(faults);
        }
        self.none_fits(tried);
    }

    fn exactly_one_of(&mut self, nodes: &'a [Node], value: &'a Value) {
        let tried: Vec<Faults> = nodes.iter().map(|node| self.try_out(node, value)).collect();
        let mut fitting = tried.iter().enumerate().filter(|(_, faults)| faults.count() == 0);
        match (fitting.next(), fitting.next()) {
            (Some((first, _)), Some((second, _))) => {
                self.fault(Problem::Several { first: first + 1, second: second + 1 });
            }
            (Some(_), None) => {}
            (None, _) => self.none_fits(tried),
        }
    }

    fn none_fits(&mut self, tried: Vec<Faults>) {
        let faults: usize = tried.iter().map(|faults| faults.list().len()).sum();
        self.spend(faults * STEPS_OF_FAULT);
        let nearest = nearest(tried, self.path.len()).unwrap_or_default();
        self.faults.append(nearest);
    }
}

/// Of alternatives that all failed, what to say. `here` is the depth of the value they are about.
fn nearest(mut tried: Vec<Faults>, here: usize) -> Option<Faults> {
    if let Some(merged) = all_kinds(&tried, here) {
        return Some(merged.into());
    }
    // Those for another kind of value are out of the question, unless all are.
    let kind = |faults: &Faults| distance(faults, here).0;
    let least = tried.iter().map(kind).min()?;
    tried.retain(|faults| kind(faults) == least);
    if let Some(merged) = all_values(&tried, here) {
        return Some(merged.into());
    }
    tried.into_iter().min_by_key(|faults| distance(faults, here))
}

/// How far a value at depth `here` is from what an alternative wants, the weightiest reason first.
pub(crate) fn distance(faults: &Faults, here: usize) -> (usize, usize, usize) {
    let list = || faults.list().iter();
    let other_kind = list().filter(|fault| kind_at(fault, here).is_some()).count();
    let other_value = list().filter(|fault| values_at(fault, here + 1).is_some()).count();
    (other_kind, other_value, faults.count())
}

fn depth(fault: &Fault) -> usize {
    fault.pointer.matches('/').count()
}

fn kind_at(fault: &Fault, at: usize) -> Option<(&[crate::Kind], &str)> {
    match &fault.problem {
        Problem::Kind { expected, found } if depth(fault) == at => Some((expected, found)),
        _ => None,
    }
}

fn values_at(fault: &Fault, at: usize) -> Option<(&[String], &str)> {
    match &fault.problem {
        Problem::NotOneOf { allowed, found } if depth(fault) == at => Some((allowed, found)),
        _ => None,
    }
}

/// Every alternative wants another kind: one fault that names them all.
fn all_kinds(tried: &[Faults], here: usize) -> Option<Fault> {
    let mut merged: Option<Fault> = None;
    let mut kinds = std::collections::BTreeSet::new();
    for faults in tried {
        let [fault] = faults.list() else { return None };
        let (expected, _) = kind_at(fault, here)?;
        kinds.extend(expected.iter().copied());
        merged = Some(fault.clone());
    }
    let mut merged = merged?;
    if let Problem::Kind { expected, .. } = &mut merged.problem {
        *expected = kinds.into_iter().collect();
    }
    Some(merged)
}

/// Every alternative wants another value of the same property, or of the value itself: one fault that names them all.
fn all_values(tried: &[Faults], here: usize) -> Option<Fault> {
    let told = |fault: &Fault| values_at(fault, here).or(values_at(fault, here + 1)).is_some();
    let candidates = tried.first()?.list().iter().filter(|fault| told(fault));
    candidates.into_iter().find_map(|first| {
        let mut all: Vec<String> = Vec::new();
        for faults in tried {
            let same = faults.list().iter().find(|it| it.pointer == first.pointer && told(it))?;
            let (allowed, _) = values_at(same, depth(same))?;
            let new: Vec<String> = allowed.iter().filter(|it| !all.contains(it)).cloned().collect();
            all.extend(new);
        }
        let Problem::NotOneOf { allowed, found } = &first.problem else { return None };
        // Where all want the same, it tells nothing about which one was meant.
        (all.len() > allowed.len()).then(|| Fault {
            pointer: first.pointer.clone(),
            problem: Problem::NotOneOf { allowed: all, found: found.clone() },
        })
    })
}
