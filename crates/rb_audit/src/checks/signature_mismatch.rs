//! A call that does not fit what it calls, where it did before the change or is written by it.
//!
//! Only calls of functions of this repository, found by name; see `callee`. Plain JavaScript takes any number of arguments,
//! so there only the loss or the gain of a parameter counts, and as a warning.

use std::collections::BTreeSet;

use rb_index::FileId;
use rb_lang::Language;
use rb_lang::details::{Call, CallForm, Fate, Function};

use crate::callee::{Callee, callee};
use crate::fit::{Misfit, misfit};
use crate::reach::Reach;
use crate::scene::{Scene, finding, is_ecma};
use crate::{Cause, Finding, FindingKind, Severity};

pub(crate) fn find(scene: &Scene<'_>) -> Vec<Finding> {
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
            findings.extend(promise(scene, file, call, &callee, &details.handed_on));
        }
    }
    findings
}

/// The functions of changed files that take something else than before, by all names that they may have elsewhere.
fn changed_names(scene: &Scene<'_>, touched: &BTreeSet<FileId>) -> BTreeSet<Box<str>> {
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
fn candidates(scene: &Scene<'_>, touched: &BTreeSet<FileId>) -> BTreeSet<FileId> {
    let mut files = Reach::of(scene).files;
    for &file in touched {
        if matches!(scene.after.language(file), Some(Language::Go | Language::Java)) {
            files.extend(scene.after.package(file));
        }
    }
    files
}

fn arguments(scene: &Scene<'_>, file: FileId, call: &Call, callee: &Callee) -> Option<Finding> {
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
    if is_silenced(scene, file, call.line) {
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

/// Without types nothing says that an argument must be there: the body that asks for it, or a call beside this one that
/// passes it, says that it may be missing here.
fn may_be_left_out(
    scene: &Scene<'_>,
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
fn old_functions(scene: &Scene<'_>, callee: &Callee) -> Option<Vec<Function>> {
    let file = scene.origin(callee.file)?;
    let old = Callee { file, ..callee.clone() }.functions(&scene.before);
    (!old.is_empty()).then_some(old)
}

/// The call did fit before, or it was not there. One that never fitted is somebody else's.
fn is_introduced(
    scene: &Scene<'_>,
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

fn is_new_file(scene: &Scene<'_>, callee: &Callee) -> bool {
    scene.origin(callee.file).is_none()
}

/// `// @ts-expect-error` above the line: it is known not to fit.
fn is_silenced(scene: &Scene<'_>, file: FileId, line: u32) -> bool {
    let Some(text) = scene.after.text(file) else { return true };
    let above = text.lines().skip(line.saturating_sub(3) as usize).take(3);
    let words = [
        "@ts-expect-error",
        "@ts-ignore",
        "type: ignore",
        "pytest.raises",
        "assertRaises",
        "toThrow",
    ];
    above.into_iter().any(|line| words.iter().any(|word| line.contains(word)))
}

fn cause_in(scene: &Scene<'_>, callee: &Callee, functions: &[Function]) -> Option<Cause> {
    let path = scene.after.path(callee.file);
    let line = functions.first().map_or(1, |it| it.line);
    Some(scene.changed(path)?.cause_at(line))
}

/// The function became one that gives a promise, or ceased to, and the caller goes on as before.
fn promise(
    scene: &Scene<'_>,
    file: FileId,
    call: &Call,
    callee: &Callee,
    handed_on: &BTreeSet<Box<str>>,
) -> Option<Finding> {
    let functions = callee.functions(&scene.after);
    let [now] = functions.as_slice() else { return None };
    let old = old_functions(scene, callee)?;
    let [was] = old.as_slice() else { return None };
    if was.is_async == now.is_async || call.form == CallForm::Element || now.is_open {
        return None;
    }
    let (severity, message) = if now.is_async {
        became_async(scene, call, callee, was, handed_on)
    } else {
        ceased_to_be(scene, call, callee, now)
    }?;
    let path = scene.after.path(file);
    let state = if now.is_async { "became" } else { "is no longer" };
    Some(finding(
        FindingKind::SignatureMismatch,
        severity,
        (path, call.line),
        format!("`{}` {state} asynchronous, and {message}", call.name),
        scene.cause(path, call.line, cause_in(scene, callee, &functions)),
    ))
}

fn became_async(
    scene: &Scene<'_>,
    call: &Call,
    callee: &Callee,
    was: &Function,
    handed_on: &BTreeSet<Box<str>>,
) -> Option<(Severity, &'static str)> {
    let is_script = is_ecma(scene.after.language(callee.file));
    if was.returns_unknown && is_script && returned_promise(scene, callee, was) {
        return None;
    }
    match &call.fate {
        Fate::Used => Some((Severity::Error, "its result is used without `await`")),
        Fate::Statement => Some((Severity::Warning, "nobody waits for it here")),
        Fate::Assigned(name) if !handed_on.contains(name) => {
            Some((Severity::Warning, "its result is kept without `await`"))
        }
        Fate::Assigned(_) | Fate::Awaited | Fate::Returned | Fate::Chained | Fate::Other => None,
    }
}

fn ceased_to_be(
    scene: &Scene<'_>,
    call: &Call,
    callee: &Callee,
    now: &Function,
) -> Option<(Severity, &'static str)> {
    let is_python = scene.after.language(callee.file) == Some(Language::Python);
    match call.fate {
        Fate::Chained if !now.returns_unknown => {
            Some((Severity::Error, "its result is no promise any more"))
        }
        Fate::Awaited if is_python && !returns_call(scene, callee, now) => {
            Some((Severity::Error, "its result can no longer be awaited"))
        }
        _ => None,
    }
}

/// A function without `async` that gave a promise all the same.
fn returned_promise(scene: &Scene<'_>, callee: &Callee, was: &Function) -> bool {
    let Some(origin) = scene.origin(callee.file) else { return true };
    body(scene.before.text(origin).as_deref(), was.line).is_none_or(|body| {
        ["Promise", ".then(", "async", "fetch("].iter().any(|word| body.contains(word))
    })
}

/// What it returns is a call, which may give a coroutine.
fn returns_call(scene: &Scene<'_>, callee: &Callee, now: &Function) -> bool {
    body(scene.after.text(callee.file).as_deref(), now.line).is_none_or(|body| {
        body.lines().any(|line| {
            let line = line.trim_start();
            line.starts_with("return ") && line.contains('(')
        })
    })
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
