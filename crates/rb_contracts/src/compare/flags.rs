//! Changes of what people type: programs, commands, flags, arguments.

use super::groups::differing;
use super::{Change, ContractChange, Difference, What};
use crate::model::Flag;

pub(super) fn compare(before: &[Flag], after: &[Flag]) -> Vec<ContractChange> {
    let same = |a: &Flag, b: &Flag| {
        (&a.short, a.value, a.required, &a.default) == (&b.short, b.value, b.required, &b.default)
    };
    let groups = differing(before, after, |flag| (&*flag.program, &*flag.name), same);
    let mut out = Vec::new();
    for group in groups.into_values() {
        let mut came = group.after.into_iter();
        for gone in group.before {
            match came.next() {
                Some(next) => {
                    out.extend(differences(gone, next).into_iter().map(|one| change(next, one)));
                }
                None => {
                    out.push(change(gone, Difference::breaking(Change::Removed, "was removed")));
                }
            }
        }
        out.extend(came.map(|flag| change(flag, added(flag))));
    }
    out
}

fn added(flag: &Flag) -> Difference {
    if flag.required {
        Difference::breaking(Change::Narrowed, "was added and is required")
    } else {
        Difference::harmless(Change::Added, "was added")
    }
}

fn differences(before: &Flag, after: &Flag) -> Vec<Difference> {
    let mut out = Vec::new();
    match (&before.short, &after.short) {
        (Some(short), new) if Some(short) != new.as_ref() => {
            out.push(Difference::breaking(
                Change::Narrowed,
                format!("can no longer be written `{short}`"),
            ));
        }
        (None, Some(short)) => {
            out.push(Difference::harmless(
                Change::Widened,
                format!("can now be written `{short}`"),
            ));
        }
        _ => {}
    }
    if before.value != after.value {
        let words = if after.value { "now takes a value" } else { "no longer takes a value" };
        out.push(Difference::breaking(Change::Changed, words));
    }
    if !before.required && after.required {
        out.push(Difference::breaking(Change::Narrowed, "is now required"));
    } else if before.required && !after.required {
        out.push(Difference::harmless(Change::Widened, "is no longer required"));
    }
    if before.default != after.default {
        let text =
            |flag: &Flag| flag.default.as_ref().map_or("none".to_owned(), |it| format!("`{it}`"));
        let words = format!("has the default {} instead of {}", text(after), text(before));
        out.push(Difference { change: Change::Changed, breaking: before.default.is_some(), words });
    }
    out
}

fn change(flag: &Flag, difference: Difference) -> ContractChange {
    let Difference { change, breaking, words } = difference;
    let of =
        if flag.program.is_empty() { String::new() } else { format!(" of `{}`", flag.program) };
    ContractChange {
        what: What::Flag,
        change,
        breaking,
        name: flag.name.clone(),
        file: flag.file.clone(),
        line: flag.line,
        words: format!("`{}`{of} {words}", flag.name),
    }
}
