//! A call that does not fit what it calls, where it did before the change or is written by it.
//!
//! Only calls of functions of this repository, found by name; see `callee`. Plain JavaScript takes any number of arguments,
//! so there only the loss or the gain of a parameter counts, and as a warning.

mod promise;

use std::collections::BTreeSet;

use rb_index::FileId;
use rb_lang::Language;
use rb_lang::details::{Call, Function};

use crate::callee::{Callee, callee};
use crate::comparison::{Comparison, finding, is_ecma};
use crate::fit::{Misfit, misfit};
use crate::reach::Reach;
use crate::{Cause, Finding, FindingKind, Severity};

pub(crate) fn find(comparison: &Comparison<'_>) -> Vec<Finding> {
    let touched: BTreeSet<FileId> = comparison.touched().map(|(_, id)| id).collect();
    let names = changed_names(comparison, &touched);
    let mut findings = Vec::new();
    for file in candidates(comparison, &touched) {
        // Who calls nothing of what changed need not be parsed.
        let calls_one = || {
            let facts = comparison.after.facts(file);
            facts.is_some_and(|facts| facts.references.iter().any(|it| names.contains(&it.name)))
        };
        if !comparison.after.is_own(file)
            || !comparison.after.is_whole(file)
            || !touched.contains(&file) && !calls_one()
        {
            continue;
        }
        let Some(details) = comparison.after.details(file) else { continue };
        for call in &details.calls {
            if !touched.contains(&file) && !names.contains(&call.name) {
                continue;
            }
            let Some(callee) = callee(&comparison.after, file, call) else { continue };
            if !touched.contains(&file) && !touched.contains(&callee.file) {
                continue;
            }
            findings.extend(arguments(comparison, file, call, &callee));
            findings.extend(order(comparison, file, call, &callee));
            findings.extend(promise::changed(comparison, file, call, &callee, &details.handed_on));
        }
    }
    findings
}

/// The functions of changed files that take something else than before, by all names that they may have elsewhere.
fn changed_names(comparison: &Comparison<'_>, touched: &BTreeSet<FileId>) -> BTreeSet<Box<str>> {
    let mut names = BTreeSet::new();
    for &file in touched {
        let Some(now) = comparison.after.details(file) else { continue };
        let was = comparison.origin(file).and_then(|origin| comparison.before.details(origin));
        let shape = |it: &Function| (it.parameters.clone(), it.is_async);
        let changed = now.functions.iter().filter(|it| {
            let same = |old: &&Function| old.name == it.name && old.owner == it.owner;
            let old = was.as_ref().and_then(|was| was.functions.iter().find(same));
            old.map(shape) != Some(shape(it))
        });
        // A constructor is called by the name of its class.
        let called = changed.flat_map(|it| [Some(it.name.clone()), it.owner.clone()]);
        names.extend(called.flatten());
    }
    // A default export, or one that is renamed on the way, is called as the importing file likes.
    for &file in touched {
        for &importer in comparison.after.importers(file) {
            let Some(facts) = comparison.after.facts(importer) else { continue };
            let all = facts.imports.iter().flat_map(|import| &import.names);
            let renamed = all.filter(|name| name.name != name.local && &*name.name != "*");
            names.extend(renamed.map(|name| name.local.clone()));
        }
    }
    names
}

/// Those that import a changed file, and those of the same package.
fn candidates(comparison: &Comparison<'_>, touched: &BTreeSet<FileId>) -> BTreeSet<FileId> {
    let mut files = Reach::of(comparison).files;
    for &file in touched {
        if matches!(comparison.after.language(file), Some(Language::Go | Language::Java)) {
            files.extend(comparison.after.package(file));
        }
    }
    files
}

fn arguments(
    comparison: &Comparison<'_>,
    file: FileId,
    call: &Call,
    callee: &Callee,
) -> Option<Finding> {
    let functions = callee.functions(&comparison.after);
    let language = comparison.after.language(callee.file);
    let found = misfit(&functions, call, language, callee.has_receiver)?;
    let old = old_functions(comparison, callee);
    let has_changed = old.as_ref().is_none_or(|old| parameters(old) != parameters(&functions));
    let fitted =
        old.as_ref().is_some_and(|old| misfit(old, call, language, callee.has_receiver).is_none());
    if !is_introduced(comparison, file, call, callee, &found, old.as_deref()) {
        return None;
    }
    let is_checked = functions.iter().all(|it| it.is_typed)
        && (!is_ecma(language) || comparison.after.language(file) != Some(Language::JavaScript));
    if is_ecma(language) && !is_checked && !(has_changed && fitted && counts_without_types(&found))
    {
        return None;
    }
    if is_ecma(language)
        && !is_checked
        && may_be_left_out(comparison, file, call, callee, &functions)
    {
        return None;
    }
    // What a checker is told to overlook fails all the same once the function has changed under the call.
    let is_run_as_it_is = language == Some(Language::Python) && has_changed && fitted;
    if is_silenced(comparison, file, call.line, is_run_as_it_is) {
        return None;
    }
    let is_hard = is_checked || language == Some(Language::Python);
    let path = comparison.after.path(file);
    let cause = if has_changed { cause_in(comparison, callee, &functions) } else { None };
    Some(finding(
        FindingKind::SignatureMismatch,
        if is_hard { Severity::Error } else { Severity::Warning },
        (path, call.line),
        found.message(&call.name),
        comparison.cause(path, call.line, cause),
    ))
}

/// The same parameters in another order, and a call by place that was left as it was.
fn order(
    comparison: &Comparison<'_>,
    file: FileId,
    call: &Call,
    callee: &Callee,
) -> Option<Finding> {
    let functions = callee.functions(&comparison.after);
    let old = old_functions(comparison, callee)?;
    let ([now], [was]) = (functions.as_slice(), old.as_slice()) else { return None };
    let given = call.positional? as usize;
    let first = moved_parameter(now, was).filter(|&at| at < given)?;
    let path = comparison.after.path(file);
    // The arguments may stand on the lines below the name.
    let is_rewritten = comparison.changed(path).is_some_and(|changed| {
        let last = call.line.saturating_add(call.positional.unwrap_or_default());
        (call.line..=last).any(|line| changed.is_edited(line))
    });
    if is_rewritten || now.is_open || is_silenced(comparison, file, call.line, true) {
        return None;
    }
    let parameter = &now.parameters[first].name;
    Some(finding(
        FindingKind::SignatureMismatch,
        Severity::Warning,
        (path, call.line),
        format!(
            "`{}` now takes `{parameter}` as argument {}, but is called as before",
            call.name,
            first + 1
        ),
        comparison.cause(path, call.line, cause_in(comparison, callee, &functions)),
    ))
}

/// The first place at which another parameter stands, where only the order is another.
fn moved_parameter(now: &Function, was: &Function) -> Option<usize> {
    let names = |it: &Function| -> Vec<Box<str>> {
        it.parameters.iter().map(|it| it.name.clone()).collect()
    };
    let (now, was) = (names(now), names(was));
    let set = |names: &[Box<str>]| names.iter().cloned().collect::<BTreeSet<Box<str>>>();
    let is_same_set = set(&now) == set(&was) && set(&now).len() == now.len();
    let is_named = now.iter().all(|name| !name.is_empty());
    if now.len() != was.len() || !is_same_set || !is_named {
        return None;
    }
    now.iter().zip(&was).position(|(now, was)| now != was)
}

/// Without types nothing says that an argument must be there: the body that asks for it, or a call beside this one that
/// passes it, says that it may be missing here.
fn may_be_left_out(
    comparison: &Comparison<'_>,
    file: FileId,
    call: &Call,
    callee: &Callee,
    functions: &[Function],
) -> bool {
    let [function] = functions else { return true };
    let given = call.positional.unwrap_or_default() as usize;
    let left_out = function.parameters.get(given..).unwrap_or_default();
    let is_asked_for = |name: &str| {
        let body = body(comparison.after.text(callee.file).as_deref(), function.line);
        let ways = [
            format!("!{name}"),
            format!("({name})"),
            format!("{name} ="),
            format!("{name} !="),
            format!("{name} &&"),
            format!("{name} ||"),
            format!("{name} ?"),
            format!("{name}?"),
            format!("typeof {name}"),
        ];
        body.is_none_or(|body| ways.iter().any(|way| body.contains(way)))
    };
    let passes_all = |other: &Call| {
        (&other.qualifier, &other.name) == (&call.qualifier, &call.name)
            && other.positional.is_some_and(|count| count as usize > given)
    };
    left_out.iter().any(|it| is_asked_for(&it.name))
        || comparison.after.details(file).is_some_and(|it| it.calls.iter().any(passes_all))
}

fn counts_without_types(found: &Misfit) -> bool {
    match found {
        Misfit::TooFew { .. }
        | Misfit::TooMany { .. }
        | Misfit::UnknownName(_)
        | Misfit::UnknownKey(_) => true,
        Misfit::MissingName(_) | Misfit::MissingKey(_) => false,
    }
}

fn parameters(functions: &[Function]) -> Vec<&[rb_lang::details::Parameter]> {
    functions.iter().map(|it| &*it.parameters).collect()
}

/// The same function before the change.
fn old_functions(comparison: &Comparison<'_>, callee: &Callee) -> Option<Vec<Function>> {
    let file = comparison.origin(callee.file)?;
    let old = Callee { file, ..callee.clone() }.functions(&comparison.before);
    (!old.is_empty()).then_some(old)
}

/// The call did fit before, or it was not there. One that never fitted is somebody else's.
fn is_introduced(
    comparison: &Comparison<'_>,
    file: FileId,
    call: &Call,
    callee: &Callee,
    found: &Misfit,
    old: Option<&[Function]>,
) -> bool {
    let Some(origin) = comparison.origin(file) else { return true };
    let Some(details) = comparison.before.details(origin) else { return false };
    let language = comparison.before.language(origin);
    let is_same = |other: &&Call| {
        (&other.qualifier, &other.name, other.form, other.positional, &other.named, &other.objects)
            == (&call.qualifier, &call.name, call.form, call.positional, &call.named, &call.objects)
    };
    let Some(other) = details.calls.iter().find(is_same) else { return true };
    let was = match old {
        Some(old) => misfit(old, other, language, callee.has_receiver),
        None => {
            // It meant something else then, which nobody can look into any more.
            let Some(meant) = crate::callee::callee(&comparison.before, origin, other) else {
                return is_new_file(comparison, callee);
            };
            misfit(&meant.functions(&comparison.before), other, language, meant.has_receiver)
        }
    };
    was.as_ref() != Some(found)
}

fn is_new_file(comparison: &Comparison<'_>, callee: &Callee) -> bool {
    comparison.origin(callee.file).is_none()
}

/// `// @ts-expect-error` above the line: it is known not to fit.
fn is_silenced(comparison: &Comparison<'_>, file: FileId, line: u32, despite_types: bool) -> bool {
    const TYPES: [&str; 3] = ["@ts-expect-error", "@ts-ignore", "type: ignore"];
    const EXPECTED: [&str; 3] = ["pytest.raises", "assertRaises", "toThrow"];
    let Some(text) = comparison.after.text(file) else { return true };
    let says = |line: &str, words: &[&str]| words.iter().any(|word| line.contains(word));
    text.lines()
        .skip(line.saturating_sub(3) as usize)
        .take(3)
        .any(|line| says(line, &EXPECTED) || !despite_types && says(line, &TYPES))
}

fn cause_in(comparison: &Comparison<'_>, callee: &Callee, functions: &[Function]) -> Option<Cause> {
    let path = comparison.after.path(callee.file);
    let line = functions.first().map_or(1, |it| it.line);
    Some(comparison.changed(path)?.cause_at(line))
}

/// The lines of a function, roughly: as far as they are further in than its first.
fn body(text: Option<&str>, line: u32) -> Option<String> {
    let mut lines = text?.lines().skip(line.saturating_sub(1) as usize);
    let first = lines.next()?;
    let depth = |line: &str| line.len() - line.trim_start().len();
    let own = depth(first);
    let rest = lines.take_while(|line| line.trim().is_empty() || depth(line) > own);
    Some(std::iter::once(first).chain(rest).collect::<Vec<_>>().join("\n"))
}
