//! How a declaration differs from what it was, for those who use it.
//!
//! A type that appears where none was written, or goes, changes what is said and not what is done. Names of parameters count
//! only where they can be passed by name.

use super::{Change, Difference};
use crate::model::{Param, ParamKind, Signature};

pub(super) fn compare(before: &Signature, after: &Signature) -> Vec<Difference> {
    let mut out = Vec::new();
    match (&before.params, &after.params) {
        (Some(before), Some(after)) => out.extend(params(before, after)),
        (Some(_), None) => {
            out.push(Difference::breaking(Change::Changed, "can no longer be called"));
        }
        (None, Some(_)) => out.push(Difference::breaking(Change::Changed, "became a function")),
        (None, None) => {}
    }
    out.extend(asynchrony(before, after));
    out.extend(text(before.returns.as_deref(), after.returns.as_deref(), "returns"));
    out.extend(text(before.ty.as_deref(), after.ty.as_deref(), "is"));
    if before.generics != after.generics {
        let words = format!(
            "has the type parameters `{}` instead of `{}`",
            after.generics.as_deref().unwrap_or("none"),
            before.generics.as_deref().unwrap_or("none")
        );
        out.push(Difference::breaking(Change::Changed, words));
    }
    if before.optional && !after.optional {
        out.push(Difference::breaking(Change::Narrowed, "is no longer optional"));
    } else if !before.optional && after.optional {
        out.push(Difference::harmless(Change::Widened, "is optional now"));
    }
    if !before.open && after.open {
        out.push(Difference::breaking(
            Change::Narrowed,
            "can no longer be constructed or matched exhaustively elsewhere",
        ));
    }
    out.extend(marks(&before.marks, &after.marks));
    let lost = before.bases.iter().filter(|base| !after.bases.contains(base));
    out.extend(
        lost.map(|base| Difference::breaking(Change::Changed, format!("is no longer a `{base}`"))),
    );
    out
}

fn asynchrony(before: &Signature, after: &Signature) -> Option<Difference> {
    // A function that says it returns a promise does so with and without the word.
    let promises = |signature: &Signature| {
        signature.is_async
            || signature.returns.as_deref().is_some_and(|ty| ty.starts_with("Promise<"))
    };
    let words = match (promises(before), promises(after)) {
        (false, true) => "became async",
        (true, false) => "is no longer async",
        _ => return None,
    };
    Some(Difference::breaking(Change::Changed, words))
}

fn text(before: Option<&str>, after: Option<&str>, verb: &str) -> Option<Difference> {
    match (before, after) {
        (Some(before), Some(after)) if before != after => Some(Difference::breaking(
            Change::Changed,
            format!("{verb} `{after}` instead of `{before}`"),
        )),
        (None, Some(after)) => Some(Difference::harmless(
            Change::Changed,
            format!("now declares that it {verb} `{after}`"),
        )),
        (Some(before), None) => Some(Difference::harmless(
            Change::Changed,
            format!("no longer declares that it {verb} `{before}`"),
        )),
        _ => None,
    }
}

fn marks(before: &[String], after: &[String]) -> Vec<Difference> {
    let came = after.iter().filter(|mark| !before.contains(mark)).map(|mark| match mark.as_str() {
        // To be usable in a constant is one thing more that can be done with it.
        "const" => Difference::harmless(Change::Widened, "is const now"),
        mark => Difference::breaking(Change::Narrowed, format!("is {mark} now")),
    });
    let went = before.iter().filter(|mark| !after.contains(mark)).map(|mark| match mark.as_str() {
        "unsafe" | "abstract" | "final" | "readonly" | "abstractmethod" | "pointer" => {
            Difference::harmless(Change::Widened, format!("is no longer {mark}"))
        }
        mark => Difference::breaking(Change::Narrowed, format!("is no longer {mark}")),
    });
    came.chain(went).collect()
}

fn params(before: &[Param], after: &[Param]) -> Vec<Difference> {
    let (old, new) = (placed(before), placed(after));
    let mut out = Vec::new();
    if is_reordered(&old, &new) {
        let names: Vec<String> = new.iter().map(|param| format!("`{}`", param.name)).collect();
        out.push(Difference::breaking(
            Change::Changed,
            format!("takes its arguments in a different order: {}", names.join(", ")),
        ));
    } else {
        match (added_among(&old, &new), added_among(&new, &old)) {
            (Some(added), _) => {
                let is_new = |at: &&usize| !before.iter().any(|param| param.name == new[**at].name);
                out.extend(added.iter().filter(is_new).map(|&at| added_param(&new, at, &old)));
                let kept = new.iter().enumerate().filter(|(at, _)| !added.contains(at));
                out.extend(old.iter().zip(kept).flat_map(|(old, (_, new))| param(old, new)));
            }
            (_, Some(removed)) => {
                let takes_rest = after.iter().any(|param| param.kind == ParamKind::Rest);
                // One that is passed by name now is told of there.
                let is_gone = |at: &&usize| !after.iter().any(|param| param.name == old[**at].name);
                let gone = removed.iter().filter(is_gone).filter(|_| !takes_rest);
                out.extend(gone.map(|&at| removed_param(old[at])));
                let kept = old.iter().enumerate().filter(|(at, _)| !removed.contains(at));
                out.extend(kept.zip(&new).flat_map(|((_, old), new)| param(old, new)));
            }
            (None, None) => out.extend(by_place(&old, &new)),
        }
    }
    out.extend(keywords(before, after));
    out.extend(rests(before, after));
    out
}

/// Parameters that are passed by their place.
fn placed(params: &[Param]) -> Vec<&Param> {
    let by_place = |kind| matches!(kind, ParamKind::Positional | ParamKind::Named);
    params.iter().filter(|param| by_place(param.kind)).collect()
}

fn is_reordered(old: &[&Param], new: &[&Param]) -> bool {
    let names = |params: &[&Param]| -> Vec<String> {
        params.iter().map(|param| format!("{} {:?}", param.name, param.fields)).collect()
    };
    let (old, new) = (names(old), names(new));
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    old != new && sorted(old) == sorted(new)
}

/// Where `more` has what `fewer` has not, if it has all else in the same order; `None` if it has not.
fn added_among(fewer: &[&Param], more: &[&Param]) -> Option<Vec<usize>> {
    let mut left = fewer.iter().peekable();
    let mut added = Vec::new();
    for (at, param) in more.iter().enumerate() {
        if left.peek().is_some_and(|other| other.name == param.name) {
            left.next();
        } else {
            added.push(at);
        }
    }
    left.peek().is_none().then_some(added)
}

fn added_param(new: &[&Param], at: usize, old: &[&Param]) -> Difference {
    let name = &new[at].name;
    let stands_before =
        new[at + 1..].iter().find(|param| old.iter().any(|other| other.name == param.name));
    if let Some(next) = stands_before {
        let words = format!("takes a new argument `{name}` before `{}`", next.name);
        return Difference::breaking(Change::Narrowed, words);
    }
    if new[at].optional {
        return Difference::harmless(
            Change::Widened,
            format!("takes one more optional argument: `{name}`"),
        );
    }
    Difference::breaking(Change::Narrowed, format!("takes one more required argument: `{name}`"))
}

fn removed_param(param: &Param) -> Difference {
    Difference::breaking(Change::Narrowed, format!("no longer takes the argument `{}`", param.name))
}

/// Names differ, so that only the places can be compared.
fn by_place(old: &[&Param], new: &[&Param]) -> Vec<Difference> {
    let mut out: Vec<Difference> =
        old.iter().zip(new).flat_map(|(old, new)| param(old, new)).collect();
    out.extend(old.iter().skip(new.len()).map(|gone| removed_param(gone)));
    out.extend((old.len()..new.len()).map(|at| added_param(new, at, old)));
    out
}

fn param(old: &Param, new: &Param) -> Vec<Difference> {
    let mut out = Vec::new();
    if old.kind == ParamKind::Named && (old.name != new.name || new.kind == ParamKind::Positional) {
        let words = if old.name == new.name {
            format!("no longer takes `{}` by name", old.name)
        } else {
            format!("renamed its argument `{}` to `{}`", old.name, new.name)
        };
        out.push(Difference::breaking(Change::Changed, words));
    }
    if old.optional && !new.optional {
        out.push(Difference::breaking(
            Change::Narrowed,
            format!("now requires the argument `{}`", new.name),
        ));
    } else if !old.optional && new.optional {
        out.push(Difference::harmless(
            Change::Widened,
            format!("no longer requires the argument `{}`", new.name),
        ));
    }
    match (&old.ty, &new.ty) {
        (Some(before), Some(after)) if before != after => {
            let words = format!("takes `{after}` instead of `{before}` as `{}`", new.name);
            out.push(Difference::breaking(Change::Changed, words));
        }
        (None, Some(after)) => out.push(Difference::harmless(
            Change::Changed,
            format!("now declares `{}` as `{after}`", new.name),
        )),
        (Some(_), None) => out.push(Difference::harmless(
            Change::Changed,
            format!("no longer declares the type of `{}`", new.name),
        )),
        _ => {}
    }
    out.extend(fields(old, new));
    out
}

/// What is taken out of an object argument. Without a type, a name more may stay away.
fn fields(old: &Param, new: &Param) -> Vec<Difference> {
    if old.fields.is_empty() || new.fields.is_empty() {
        return Vec::new();
    }
    let gone = old.fields.iter().filter(|name| !new.fields.contains(name));
    let came = new.fields.iter().filter(|name| !old.fields.contains(name));
    let gone = gone.map(|name| {
        Difference::breaking(
            Change::Narrowed,
            format!("no longer takes `{name}` in its object argument"),
        )
    });
    let came = came.map(|name| {
        Difference::harmless(Change::Widened, format!("takes `{name}` in its object argument now"))
    });
    gone.chain(came).collect()
}

fn keywords(before: &[Param], after: &[Param]) -> Vec<Difference> {
    let is_keyword = |param: &&Param| param.kind == ParamKind::KeywordOnly;
    let takes_any =
        |params: &[Param]| params.iter().any(|param| param.kind == ParamKind::RestNamed);
    let mut out = Vec::new();
    for old in before.iter().filter(is_keyword) {
        match after.iter().find(|param| param.name == old.name) {
            Some(new) if new.kind == ParamKind::KeywordOnly => out.extend(param(old, new)),
            Some(_) => {}
            None if takes_any(after) => {}
            None => out.push(removed_param(old)),
        }
    }
    for new in after.iter().filter(is_keyword) {
        match before.iter().find(|param| param.name == new.name) {
            Some(old) if old.kind == ParamKind::Named => {
                out.push(Difference::breaking(
                    Change::Narrowed,
                    format!("takes `{}` by name only", new.name),
                ));
            }
            Some(_) => {}
            None if new.optional || takes_any(before) => {
                out.push(Difference::harmless(
                    Change::Widened,
                    format!("takes one more optional argument: `{}`", new.name),
                ));
            }
            None => out.push(Difference::breaking(
                Change::Narrowed,
                format!("takes one more required argument: `{}`", new.name),
            )),
        }
    }
    out
}

fn rests(before: &[Param], after: &[Param]) -> Vec<Difference> {
    let mut out = Vec::new();
    for kind in [ParamKind::Rest, ParamKind::RestNamed] {
        let find = |params: &'_ [Param]| params.iter().find(|param| param.kind == kind).cloned();
        let what = if kind == ParamKind::Rest { "arguments" } else { "named arguments" };
        match (find(before), find(after)) {
            (Some(_), None) => out.push(Difference::breaking(
                Change::Narrowed,
                format!("no longer takes any number of {what}"),
            )),
            (None, Some(_)) => out.push(Difference::harmless(
                Change::Widened,
                format!("takes any number of {what} now"),
            )),
            (Some(old), Some(new)) => {
                let types = (old.ty.as_deref(), new.ty.as_deref());
                if let (Some(before), Some(after)) = types
                    && before != after
                {
                    let words = format!("takes `{after}` instead of `{before}` as `{}`", new.name);
                    out.push(Difference::breaking(Change::Changed, words));
                }
            }
            (None, None) => {}
        }
    }
    out
}
