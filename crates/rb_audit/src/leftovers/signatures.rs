//! A document or docstring that calls a function as it was: with a parameter that is gone, or with too many arguments.

use rb_index::FileId;
use rb_lang::Language;
use rb_lang::details::{Function, Parameter, ParameterKind, details};

use super::history::is_about_the_past;
use super::leftover;
use super::removed::Removed;
use super::sightings::{Context, Sighting, Sightings, line_at};
use crate::changed::Changed;
use crate::comparison::Comparison;
use crate::fit::{Misfit, misfit};
use crate::words;
use crate::{Cause, Finding, FindingKind};

/// Longer texts between brackets are no call in a document.
const MAX_CALL: usize = 600;

/// A function whose parameters are not what they were.
pub(crate) struct ChangedFunction {
    pub(crate) file: FileId,
    language: Language,
    pub(crate) old: Function,
    pub(crate) new: Function,
    pub(crate) cause: Cause,
}

impl ChangedFunction {
    /// The word that a call is written with.
    pub(crate) fn called(&self) -> &str {
        match (&*self.new.name, &self.new.owner) {
            ("__init__" | "constructor", Some(owner)) => owner,
            (name, _) => name,
        }
    }

    /// The parameters that are gone, under their names.
    pub(crate) fn lost(&self) -> impl Iterator<Item = &str> {
        let is_kept = |name: &str| {
            self.new.parameters.iter().any(|it| {
                &*it.name == name
                    || it.keys.iter().flat_map(|keys| &keys.names).any(|(key, _)| &**key == name)
            })
        };
        let names = self.old.parameters.iter().map(|it| &*it.name);
        names.filter(move |name| !name.is_empty() && !is_kept(name))
    }

    /// It takes more than it names.
    pub(crate) fn has_rest(&self) -> bool {
        let is_rest =
            |it: &Parameter| matches!(it.kind, ParameterKind::Rest | ParameterKind::NamedRest);
        self.new.parameters.iter().any(is_rest)
    }
}

/// The functions of touched files that stayed and take something else now.
pub(crate) fn changed(comparison: &Comparison<'_>, removed: &Removed) -> Vec<ChangedFunction> {
    let mut functions = Vec::new();
    for (changed, file) in comparison.touched() {
        let origin = comparison.origin(file);
        let (Some(now), Some(was), Some(language)) = (
            comparison.after.details(file),
            origin.and_then(|origin| comparison.before.details(origin)),
            comparison.after.language(file),
        ) else {
            continue;
        };
        for new in now.functions.iter().filter(|it| is_single(&now.functions, it)) {
            let old = was.functions.iter().find(|old| is_same(old, new, changed, removed));
            let Some(old) = old.filter(|old| old.parameters != new.parameters) else { continue };
            let cause = changed.cause_at(new.line);
            functions.push(ChangedFunction {
                file,
                language,
                old: old.clone(),
                new: new.clone(),
                cause,
            });
        }
    }
    functions
}

/// Overloads are not compared.
fn is_single(all: &[Function], function: &Function) -> bool {
    let same = |it: &&Function| it.name == function.name && it.owner == function.owner;
    all.iter().filter(same).count() == 1
}

fn is_same(old: &Function, new: &Function, changed: &Changed, removed: &Removed) -> bool {
    let is_renamed = removed.symbols.iter().any(|it| {
        it.path == changed.old_path()
            && it.name == old.name
            && it.new_name.as_ref() == Some(&new.name)
    });
    old.owner == new.owner && (old.name == new.name || is_renamed)
}

pub(crate) fn find(
    comparison: &Comparison<'_>,
    functions: &[ChangedFunction],
    sightings: &Sightings,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for function in functions {
        let all = sightings.of_word(function.called());
        if !is_only(comparison, function, all) {
            continue;
        }
        for sighting in all.iter().filter(|it| !it.is_edited && is_words(&it.context)) {
            let text = sightings.text(sighting.file);
            let Some(found) = stale_call(function, &text, sighting) else { continue };
            if is_about_the_past(&text, sighting.at) {
                continue;
            }
            let message = format!("the text calls `{}` as it was: {found}", function.called());
            let place = (comparison.after.path(sighting.file), sighting.line);
            findings.push(leftover(
                FindingKind::StaleDocs,
                place,
                message,
                Some(function.cause.clone()),
            ));
        }
    }
    findings
}

fn is_words(context: &Context) -> bool {
    matches!(context, Context::Prose | Context::Comment)
}

/// Is there no other declaration of the name that a text may mean?
fn is_only(comparison: &Comparison<'_>, function: &ChangedFunction, all: &[Sighting]) -> bool {
    let mut files: Vec<FileId> =
        all.iter().filter(|it| it.context == Context::Code).map(|it| it.file).collect();
    files.dedup();
    let symbols = |file: FileId| comparison.after.view.read_symbols(file).unwrap_or_default();
    let declared =
        files.into_iter().flat_map(symbols).filter(|it| &*it.name == function.called()).count();
    declared <= 1 && function.called().len() > 3
}

/// What is wrong with a call in a text that was right before the change.
fn stale_call(function: &ChangedFunction, text: &str, sighting: &Sighting) -> Option<String> {
    let end = sighting.at + function.called().len();
    let arguments = arguments(&text[end..])?;
    if arguments.trim().is_empty()
        || arguments.contains("...")
        || arguments.contains('…')
        || arguments.contains('[')
    {
        return None;
    }
    if !is_path_plausible(function, &text[..sighting.at]) {
        return None;
    }
    let line = line_at(text, sighting.at).trim_start();
    if line.starts_with(".. ") && line.contains("::") {
        let lost = function.lost().find(|name| words::has(arguments, name))?;
        return (!function.has_rest()).then(|| format!("`{lost}` is no longer a parameter"));
    }
    let found = newly_misfit(function, arguments)?;
    let is_short =
        matches!(found, Misfit::TooFew { .. } | Misfit::MissingName(_) | Misfit::MissingKey(_));
    // In a sentence, `f(a)` may leave out what does not matter there.
    (!is_short || is_code(text, sighting)).then(|| found.message(function.called()))
}

/// How a call does not fit the function as it is, where it fitted the function as it was.
fn newly_misfit(function: &ChangedFunction, arguments: &str) -> Option<Misfit> {
    let call = format!("called({})", arguments.replace(['\n', '\r'], " "));
    let read = details(function.language, &wrapped(function.language, &call))?;
    let call = read.calls.iter().find(|it| &*it.name == "called")?;
    let misfit_of =
        |it: &Function| misfit(std::slice::from_ref(it), call, Some(function.language), false);
    if !read.errors.is_empty() || misfit_of(&function.old).is_some() {
        return None;
    }
    misfit_of(&function.new)
}

/// A method is called on something, a function on nothing or on a module.
fn is_path_plausible(function: &ChangedFunction, before: &str) -> bool {
    let is_method = function.new.owner.is_some() && function.called() == &*function.new.name;
    let is_declared = before.trim_end().ends_with("def")
        || before.trim_end().ends_with("function")
        || before.trim_end().ends_with("class");
    !is_declared && (!is_method || before.ends_with(['.', ':', '#', '>']))
}

/// Some languages have calls only inside of functions.
fn wrapped(language: Language, call: &str) -> String {
    match language {
        Language::Go => format!("package p\nfunc f() {{\n{call}\n}}\n"),
        Language::Rust => format!("fn f() {{\n{call};\n}}\n"),
        Language::Java => format!("class A {{ void f() {{ {call}; }} }}\n"),
        _ => format!("{call}\n"),
    }
}

/// Is the line in a block of code, where a call is written out in full?
fn is_code(text: &str, sighting: &Sighting) -> bool {
    let line = line_at(text, sighting.at);
    let is_example =
        line.trim_start().starts_with(">>>") || line.starts_with("    ") || line.starts_with('\t');
    let fences =
        text[..sighting.at].lines().filter(|line| line.trim_start().starts_with("```")).count();
    sighting.context == Context::Prose && (is_example || fences % 2 == 1)
}

/// What stands between the brackets that follow.
fn arguments(rest: &str) -> Option<&str> {
    let inside = rest.strip_prefix('(')?;
    let mut depth = 1_usize;
    for (at, c) in inside.char_indices().take(MAX_CALL) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(&inside[..at]);
        }
    }
    None
}
