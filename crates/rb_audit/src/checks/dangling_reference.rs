//! A name that is used after the change and is declared no more: in its file, in its package, or where code was moved to.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rb_index::FileId;
use rb_lang::Language;
use rb_lang::details::Details;

use crate::changed::Changed;
use crate::comparison::{Comparison, PackageKey, Side, finding};
use crate::globals::is_global;
use crate::words;
use crate::{Finding, FindingKind, Severity};

pub(crate) fn find(comparison: &Comparison<'_>) -> Vec<Finding> {
    let declared = declared_before(comparison);
    let mut findings = Vec::new();
    for (changed, file) in comparison.touched() {
        if let Some(details) = readable(&comparison.after, file) {
            names(comparison, changed, file, &details, &declared, &mut findings);
        }
        methods(comparison, changed, file, &mut findings);
    }
    let mut packages = (Packages::of(&comparison.before), Packages::of(&comparison.after));
    for file in package_mates(comparison) {
        in_package(comparison, &mut packages, file, &mut findings);
    }
    findings
}

fn readable(side: &Side<'_>, file: FileId) -> Option<Rc<Details>> {
    let details = side.details(file)?;
    (side.is_whole(file) && side.is_own(file) && !details.is_open && details.errors.is_empty())
        .then_some(details)
}

fn sees_mates(language: Option<Language>) -> bool {
    matches!(language, Some(Language::Go | Language::Java | Language::Kotlin | Language::CSharp))
}

/// What the changed files declared or imported at their top before the change.
fn declared_before(comparison: &Comparison<'_>) -> BTreeSet<Box<str>> {
    let mut names = BTreeSet::new();
    for changed in comparison.changes() {
        let Some(id) = comparison.before.find(changed.old_path()) else { continue };
        names.extend(top_names(&comparison.before, id));
    }
    names
}

/// What a file binds at its top. Facts know the names of imports that the text does not spell out.
fn top_names(side: &Side<'_>, file: FileId) -> BTreeSet<Box<str>> {
    let mut names = side.details(file).map(|details| details.top.clone()).unwrap_or_default();
    if let Some(facts) = side.facts(file) {
        let locals = facts.imports.iter().flat_map(|import| &import.names);
        names.extend(locals.map(|name| name.local.clone()).filter(|name| !name.is_empty()));
        let symbols = facts.symbols.iter().filter(|symbol| symbol.parent.is_none());
        names.extend(symbols.map(|symbol| symbol.name.clone()));
    }
    names
}

fn names(
    comparison: &Comparison<'_>,
    changed: &Changed,
    file: FileId,
    details: &Details,
    declared: &BTreeSet<Box<str>>,
    findings: &mut Vec<Finding>,
) {
    let Some(language) = comparison.after.language(file).filter(|&it| !sees_mates(Some(it))) else {
        return;
    };
    let now = top_names(&comparison.after, file);
    let origin = comparison.origin(file);
    let old = origin.and_then(|origin| comparison.before.details(origin));
    // What could not be read before may have meant anything.
    if origin.is_some() && old.as_ref().is_none_or(|old| old.is_open) {
        return;
    }
    for (name, used) in &details.uses {
        let was_free =
            old.as_ref().is_some_and(|old| old.uses.get(name).is_some_and(|it| it.is_free));
        if !used.is_free
            || was_free
            || now.contains(name)
            || is_global(language, name)
            || !declared.contains(name)
        {
            continue;
        }
        if language == Language::Rust
            && (is_macro_word(comparison, file, name) || is_crate(comparison, name))
        {
            continue;
        }
        findings.push(report(comparison, changed, name, used.line));
    }
}

/// A crate needs no declaration in the file that names it.
fn is_crate(comparison: &Comparison<'_>, name: &str) -> bool {
    let dashed = name.replace('_', "-");
    let files = &comparison.after.view.tree.files;
    let manifests = files.iter().filter(|file| file.path.ends_with("Cargo.toml"));
    let mut texts = manifests.filter_map(|file| file.manifest.as_deref());
    texts.any(|text| words::has(text, name) || words::has(text, &dashed))
}

/// In Rust a name may be a field, a lifetime, or a word of a macro.
fn is_macro_word(comparison: &Comparison<'_>, file: FileId, name: &str) -> bool {
    let Some(text) = comparison.after.text(file) else { return true };
    // A type or a constant is known by its first letter.
    let is_capital = name.starts_with(char::is_uppercase);
    let is_plain = words::places(&text, name).any(|at| {
        let before = text[..at].trim_end();
        let after = &text[at + name.len()..];
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        (is_capital || ["(", "::", "<"].iter().any(|it| after.starts_with(it)))
            && !before.ends_with(['.', '$', '"', '\''])
            && !before.ends_with("::")
            && !before.ends_with("fn")
            && !words::is_comment(line)
    });
    !is_plain
}

/// `this.f()` and `self.f()` of a method that its class no longer has.
fn methods(
    comparison: &Comparison<'_>,
    changed: &Changed,
    file: FileId,
    findings: &mut Vec<Finding>,
) {
    let Some(origin) = comparison.origin(file) else { return };
    let (Some(old), Some(details)) =
        (comparison.before.details(origin), comparison.after.details(file))
    else {
        return;
    };
    let Some(text) = comparison.after.text(file) else { return };
    // It may have it from a class that it extends. Names that come from nowhere to the file come to no class.
    let is_read = comparison.after.is_whole(file) && details.errors.is_empty();
    if !is_read || comparison.after.inherits(file) {
        return;
    }
    for call in &details.calls {
        if !matches!(&*call.qualifier, "this" | "self" | "self." | "cls") {
            continue;
        }
        let is_named = |it: &rb_lang::details::Function| it.owner.is_some() && it.name == call.name;
        let is_gone = old.functions.iter().any(is_named) && !details.functions.iter().any(is_named);
        if is_gone && !is_set(&text, &call.name) {
            findings.push(report(comparison, changed, &call.name, call.line));
        }
    }
}

/// Does the name stand anywhere but behind `this.` or `self.` and before `(`?
fn is_set(text: &str, name: &str) -> bool {
    words::places(text, name).any(|at| {
        let before = text[..at].trim_end();
        let is_call = ["this.", "self.", "cls.", "this?.", "this.#", "#"]
            .iter()
            .any(|it| before.ends_with(it))
            && text[at + name.len()..].trim_start().starts_with('(');
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        !is_call && !words::is_comment(line)
    })
}

/// Files that see a changed file without an import, and the changed files themselves.
fn package_mates(comparison: &Comparison<'_>) -> BTreeSet<FileId> {
    let mut files = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for changed in comparison.changes() {
        let mut ids = vec![comparison.after.find(&changed.path)];
        // A file that is gone had mates that are still there.
        if let Some(old) = comparison.before.find(changed.old_path()) {
            ids.extend(
                comparison.before.package(old).into_iter().map(|mate| comparison.successor(mate)),
            );
        }
        for id in ids.into_iter().flatten().filter(|&id| sees_mates(comparison.after.language(id)))
        {
            if seen.insert(comparison.after.package_key(id)) {
                files.extend(comparison.after.package(id));
            }
        }
    }
    files
}

/// What the files of each package declare together, read once.
struct Packages<'s, 'a> {
    side: &'s Side<'a>,
    known: BTreeMap<PackageKey, Rc<BTreeSet<Box<str>>>>,
}

impl<'s, 'a> Packages<'s, 'a> {
    fn of(side: &'s Side<'a>) -> Self {
        Packages { side, known: BTreeMap::new() }
    }

    fn names(&mut self, file: FileId) -> Rc<BTreeSet<Box<str>>> {
        let side = self.side;
        let names = self.known.entry(side.package_key(file)).or_insert_with(|| {
            let mates = side.package(file).into_iter();
            Rc::new(mates.flat_map(|mate| top_names(side, mate)).collect())
        });
        Rc::clone(names)
    }
}

fn in_package(
    comparison: &Comparison<'_>,
    packages: &mut (Packages<'_, '_>, Packages<'_, '_>),
    file: FileId,
    findings: &mut Vec<Finding>,
) {
    let (Some(details), Some(language)) =
        (readable(&comparison.after, file), comparison.after.language(file))
    else {
        return;
    };
    let Some(origin) = comparison.origin(file) else { return };
    let Some(old) = comparison.before.details(origin) else { return };
    let (then, now) = (packages.0.names(origin), packages.1.names(file));
    for (name, used) in &details.uses {
        let was_used = old.uses.contains_key(name) || then.contains(name);
        if !used.is_free
            || !was_used
            || !then.contains(name)
            || now.contains(name)
            || is_global(language, name)
        {
            continue;
        }
        // Java: it may come from a class that is extended.
        if language == Language::Java && comparison.after.inherits(file) {
            continue;
        }
        let path = comparison.after.path(file);
        findings.push(finding(
            FindingKind::DanglingReference,
            Severity::Error,
            (path, used.line),
            format!("`{name}` is used but no longer declared"),
            comparison.cause(path, used.line, removed_by(comparison, name)),
        ));
    }
}

/// The edit that took a declaration away.
fn removed_by(comparison: &Comparison<'_>, name: &str) -> Option<crate::Cause> {
    comparison.changes().find_map(|changed| {
        let id = comparison.before.find(changed.old_path())?;
        let facts = comparison.before.facts(id)?;
        let symbol = facts.symbols.iter().find(|it| it.parent.is_none() && &*it.name == name)?;
        Some(changed.cause_of_old(symbol.span.first_line))
    })
}

fn report(comparison: &Comparison<'_>, changed: &Changed, name: &str, line: u32) -> Finding {
    let removed = removed_by(comparison, name);
    finding(
        FindingKind::DanglingReference,
        Severity::Error,
        (&changed.path, line),
        format!("`{name}` is used but no longer declared"),
        comparison.cause(&changed.path, line, removed),
    )
}
