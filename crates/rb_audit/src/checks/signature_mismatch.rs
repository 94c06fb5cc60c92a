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

pub(crate) fn find(scene: &Comparison<'_>) -> Vec<Finding> {
    let touched: BTreeSet<FileId> = scene.touched().map(|(_, id)| id).collect();
    let names = changed_names(scene, &touched);
    let mut findings = Vec::new();
    for file in candidates(scene, &touched) {
        // Who calls nothing of what changed need not be parsed.
        let calls_one = || {
            let facts = scene.after.facts(file);
            facts.is_some_and(|facts| facts.references.iter().any(|it| names.contains(&it.name)))
        };
        if !scene.after.is_own(file)
            || !scene.after.is_whole(file)
            || !touched.contains(&file) && !calls_one()
        {
            continue;
        }
        let Some(details) = scene.after.details(file) else { continue };
        for call in &details.calls {
            if !touched.contains(&file) && !names.contains(&call.name) {
                continue;
            }
            let Some(callee) = callee(&scene.after, file, call) else { continue };
            if !touched.contains(&file) && !touched.contains(&callee.file) {
                continue;
            }
            findings.extend(arguments(scene, file, call, &callee));
            findings.extend(order(scene, file, call, &callee));
            findings.extend(promise::changed(scene, file, call, &callee, &details.handed_on));
        }
    }
    findings
}

/// The functions of changed files that take something else than before, by all names that they may have elsewhere.
fn changed_names(scene: &Comparison<'_>, touched: &BTreeSet<FileId>) -> BTreeSet<Box<str>> {
    let mut names = BTreeSet::new();
    for &file in touched {
        let Some(now) = scene.after.details(file) else { continue };
        let was = scene.origin(file).and_then(|origin| scene.before.details(origin));
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
        for &importer in scene.after.importers(file) {
            let Some(facts) = scene.after.facts(importer) else { continue };
            let all = facts.imports.iter().flat_map(|import| &import.names);
            let renamed = all.filter(|name| name.name != name.local && &*name.name != "*");
            names.extend(renamed.map(|name| name.local.clone()));
        }
    }
    names
}

/// Those that import a changed file, and those of the same package.
fn candidates(scene: &Comparison<'_>, touched: &BTreeSet<FileId>) -> BTreeSet<FileId> {
    let mut files = Reach::of(scene).files;
    for &file in touched {
        if matches!(scene.after.language(file), Some(Language::Go | Language::Java)) {
            files.extend(scene.after.package(file));
        }
    }
    files
}

fn arguments(
    scene: &Comparison<'_>,
    file: FileId,
    call: &Call,
    callee: &Callee,
) -> Option<Finding> {
    let functions = callee.functions(&scene.after);
    let language = scene.after.language(callee.file);
    let found = misfit(&functions, call, language, callee.has_receiver)?;
    let old = old_functions(scene, callee);
    let has_changed = old.as_ref().is_none_or(|old| parameters(old) != parameters(&functions));
    let fitted =
        old.as_ref().is_some_and(|old| misfit(old, call, language, callee.has_receiver).is_none());
    if !is_introduced(scene, file, call, callee, &found, old.as_deref()) {
        return None;
    }
    let is_checked = functions.iter().all(|it| it.is_typed)
        && (!is_ecma(language) || scene.after.language(file) != Some(Language::JavaScript));
    if is_ecma(language) && !is_checked && !(has_changed && fitted && counts_without_types(&found))
    {
        return None;
    }
    if is_ecma(language) && !is_checked && may_be_left_out(scene, file, call, callee, &functions) {
        return None;
    }
    // What a checker is told to overlook fails all the same once the function has changed under the call.
    let is_run_as_it_is = language == Some(Language::Python) && has_changed && fitted;
    if is_silenced(scene, file, call.line, is_run_as_it_is) {
        return None;
    }
    let is_hard = is_checked || language == Some(Language::Python);
    let path = scene.after.path(file);
    let cause = if has_changed { cause_in(scene, callee, &functions) } else { None };
    Some(finding(
        FindingKind::SignatureMismatch,
        if is_hard { Severity::Error } else { Severity::Warning },
        (path, call.line),
        found.message(&call.name),
        scene.cause(path, call.line, cause),
    ))
}

/// The same parameters in another order, and a call by place that was left as it was.
fn order(scene: &Comparison<'_>, file: FileId, call: &Call, callee: &Callee) -> Option<Finding> {
    let functions = callee.functions(&scene.after);
    let old = old_functions(scene, callee)?;
    let ([now], [was]) = (functions.as_slice(), old.as_slice()) else { return None };
    let given = call.positional? as usize;
    let first = moved_parameter(now, was).filter(|&at| at < given)?;
    let path = scene.after.path(file);
    // The arguments may stand on the lines below the name.
    let is_rewritten = scene.changed(path).is_some_and(|changed| {
        let last = call.line.saturating_add(call.positional.unwrap_or_default());
        (call.line..=last).any(|line| changed.is_edited(line))
    });
    if is_rewritten || now.is_open || is_silenced(scene, file, call.line, true) {
        return None;
    }
    let parameter = &now.parameters[first].name;
    Some(finding(
        FindingKind::SignatureMismatch,
        Severity::Warning,
        (path, call.line),
        format!(
            "`{}` takes `{parameter}` as argument {} now, and is called as before",
            call.name,
            first + 1
        ),
        scene.cause(path, call.line, cause_in(scene, callee, &functions)),
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
    scene: &Comparison<'_>,
    file: FileId,
    call: &Call,
    callee: &Callee,
    functions: &[Function],
) -> bool {
    let [function] = functions else { return true };
    let given = call.positional.unwrap_or_default() as usize;
    let left_out = function.parameters.get(given..).unwrap_or_default();
    let is_asked_for = |name: &str| {
        let body = body(scene.after.text(callee.file).as_deref(), function.line);
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
        || scene.after.details(file).is_some_and(|it| it.calls.iter().any(passes_all))
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
fn old_functions(scene: &Comparison<'_>, callee: &Callee) -> Option<Vec<Function>> {
    let file = scene.origin(callee.file)?;
    let old = Callee { file, ..callee.clone() }.functions(&scene.before);
    (!old.is_empty()).then_some(old)
}

/// The call did fit before, or it was not there. One that never fitted is somebody else's.
fn is_introduced(
    scene: &Comparison<'_>,
    file: FileId,
    call: &Call,
    callee: &Callee,
    found: &Misfit,
    old: Option<&[Function]>,
) -> bool {
    let Some(origin) = scene.origin(file) else { return true };
    let Some(details) = scene.before.details(origin) else { return false };
    let language = scene.before.language(origin);
    let is_same = |other: &&Call| {
        (&other.qualifier, &other.name, other.form, other.positional, &other.named, &other.objects)
            == (&call.qualifier, &call.name, call.form, call.positional, &call.named, &call.objects)
    };
    let Some(other) = details.calls.iter().find(is_same) else { return true };
    let was = match old {
        Some(old) => misfit(old, other, language, callee.has_receiver),
        None => {
            // It meant something else then, which nobody can look into any more.
            let Some(meant) = crate::callee::callee(&scene.before, origin, other) else {
                return is_new_file(scene, callee);
            };
            misfit(&meant.functions(&scene.before), other, language, meant.has_receiver)
        }
    };
    was.as_ref() != Some(found)
}

fn is_new_file(scene: &Comparison<'_>, callee: &Callee) -> bool {
    scene.origin(callee.file).is_none()
}

/// `// @ts-expect-error` above the line: it is known not to fit.
fn is_silenced(scene: &Comparison<'_>, file: FileId, line: u32, despite_types: bool) -> bool {
    const TYPES: [&str; 3] = ["@ts-expect-error", "@ts-ignore", "type: ignore"];
    const EXPECTED: [&str; 3] = ["pytest.raises", "assertRaises", "toThrow"];
    let Some(text) = scene.after.text(file) else { return true };
    let says = |line: &str, words: &[&str]| words.iter().any(|word| line.contains(word));
    text.lines()
        .skip(line.saturating_sub(3) as usize)
        .take(3)
        .any(|line| says(line, &EXPECTED) || !despite_types && says(line, &TYPES))
}

fn cause_in(scene: &Comparison<'_>, callee: &Callee, functions: &[Function]) -> Option<Cause> {
    let path = scene.after.path(callee.file);
    let line = functions.first().map_or(1, |it| it.line);
    Some(scene.changed(path)?.cause_at(line))
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
