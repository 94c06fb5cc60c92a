//! Changes of schema files, element by element. What narrows an input widens an output, and the other way round.

use std::collections::BTreeSet;

use super::groups::differing;
use super::{Change, ContractChange, Difference, What};
use crate::model::{Element, ElementKind, Schema, SchemaKind, Side};

pub(super) fn compare(before: &[Schema], after: &[Schema]) -> Vec<ContractChange> {
    let mut out = Vec::new();
    let mut taken = BTreeSet::new();
    for old in before {
        let same_file = after.iter().find(|new| new.file == old.file && new.kind == old.kind);
        // A schema that moved is the one that still says the same.
        let moved = || after.iter().find(|new| new.kind == old.kind && says_the_same(old, new));
        match same_file.or_else(moved) {
            Some(new) => {
                taken.insert(&new.file);
                out.extend(elements(old, new));
            }
            None => out.push(whole(old, Change::Removed, true, "was removed")),
        }
    }
    let came = after.iter().filter(|new| !taken.contains(&new.file));
    out.extend(came.map(|new| whole(new, Change::Added, false, "was added")));
    out
}

fn says_the_same(old: &Schema, new: &Schema) -> bool {
    old.elements.len() == new.elements.len()
        && old.elements.iter().zip(&new.elements).all(|(a, b)| same(a, b) && a.name == b.name)
}

fn same(a: &Element, b: &Element) -> bool {
    (a.kind, &a.ty, a.side, a.required, a.number) == (b.kind, &b.ty, b.side, b.required, b.number)
}

fn whole(schema: &Schema, change: Change, breaking: bool, words: &str) -> ContractChange {
    ContractChange {
        what: What::Schema,
        change,
        breaking,
        name: schema.file.clone(),
        file: schema.file.clone(),
        line: 1,
        words: format!("the {} schema `{}` {words}", schema.kind.name(), schema.file),
    }
}

fn elements(old: &Schema, new: &Schema) -> Vec<ContractChange> {
    let names = |schema: &Schema| -> BTreeSet<String> {
        schema.elements.iter().map(|element| element.name.clone()).collect()
    };
    let (had, has) = (names(old), names(new));
    let groups = differing(&old.elements, &new.elements, |one| (&*one.name, one.kind), same);
    let mut out = Vec::new();
    for ((name, _), group) in groups {
        match (group.before.first(), group.after.first()) {
            (Some(before), Some(after)) => {
                out.extend(differences(before, after).into_iter().map(|it| change(new, after, it)));
            }
            (Some(before), None) if owner(name, &had).is_none_or(|owner| has.contains(owner)) => {
                out.push(change(new, before, gone(before)));
            }
            (None, Some(after)) if owner(name, &has).is_none_or(|owner| had.contains(owner)) => {
                out.push(change(new, after, came(old, after)));
            }
            _ => {}
        }
    }
    out
}

/// The nearest element that this one is part of.
fn owner<'n>(name: &'n str, names: &BTreeSet<String>) -> Option<&'n str> {
    let mut rest = name;
    while let Some(at) = rest.rfind(['.', ' ', '?', '(']) {
        rest = &rest[..at];
        if names.contains(rest) {
            return Some(rest);
        }
    }
    None
}

fn gone(element: &Element) -> Difference {
    if element.kind == ElementKind::Constraint {
        return Difference::harmless(Change::Widened, "was removed");
    }
    Difference::breaking(Change::Removed, "was removed")
}

fn came(old: &Schema, element: &Element) -> Difference {
    if let Some(number) = element.number.filter(|_| old.kind == SchemaKind::Protobuf) {
        let owner = element.name.rsplit_once('.').map(|(owner, _)| owner);
        let before = old.elements.iter().find(|one| {
            one.number == Some(number) && one.name.rsplit_once('.').map(|(owner, _)| owner) == owner
        });
        if let Some(before) = before {
            let words = format!("reuses the number {number} of `{}`", before.name);
            return Difference::breaking(Change::Changed, words);
        }
    }
    let asks = element.required && element.side != Side::Output;
    match element.kind {
        ElementKind::Constraint => Difference::breaking(Change::Narrowed, "was added"),
        ElementKind::Parameter | ElementKind::Field if asks => {
            Difference::breaking(Change::Narrowed, "was added and is required")
        }
        ElementKind::EnumValue => Difference::harmless(Change::Widened, "was added"),
        ElementKind::Parameter
        | ElementKind::Field
        | ElementKind::Operation
        | ElementKind::Response
        | ElementKind::Type => Difference::harmless(Change::Added, "was added"),
    }
}

fn differences(before: &Element, after: &Element) -> Vec<Difference> {
    let mut out = Vec::new();
    if before.number != after.number {
        let number =
            |element: &Element| element.number.map_or("none".to_owned(), |it| it.to_string());
        let words = format!("has the number {} instead of {}", number(after), number(before));
        out.push(Difference::breaking(Change::Changed, words));
    }
    if before.ty != after.ty {
        let words = format!("is `{}` instead of `{}`", after.ty, before.ty);
        out.push(Difference::breaking(Change::Changed, words));
    }
    let need = match (before.required, after.required, after.side) {
        (false, true, Side::Output) => {
            Difference::harmless(Change::Widened, "is now always present")
        }
        (false, true, Side::Input | Side::Both) => {
            Difference::breaking(Change::Narrowed, "is required now")
        }
        (true, false, Side::Output) => Difference::breaking(Change::Narrowed, "may be missing now"),
        (true, false, Side::Input | Side::Both) => {
            Difference::harmless(Change::Widened, "is no longer required")
        }
        (true, true, _) | (false, false, _) => return out,
    };
    out.push(need);
    out
}

fn change(schema: &Schema, element: &Element, difference: Difference) -> ContractChange {
    let Difference { change, breaking, words } = difference;
    ContractChange {
        what: What::Schema,
        change,
        breaking,
        name: element.name.clone(),
        file: schema.file.clone(),
        line: element.line,
        words: format!(
            "the {} `{}` of `{}` {words}",
            element.kind.name(),
            element.name,
            schema.file
        ),
    }
}
