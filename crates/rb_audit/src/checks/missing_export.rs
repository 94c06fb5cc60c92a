//! A name that a file imports, or takes from a module that it imports, and that the module does not give.

use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_lang::{Facts, ImportKind, Language};

use crate::comparison::{Comparison, finding, is_ecma};
use crate::provided::{Provided, module, provided};
use crate::reach::Reach;
use crate::{Cause, Finding, FindingKind, Severity};

pub(crate) fn find(comparison: &Comparison<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let reach = Reach::of(comparison);
    for &file in &reach.files {
        if comparison.after.is_own(file) && comparison.after.is_whole(file) {
            imported_names(comparison, &reach, file, &mut findings);
            members(comparison, &reach, file, &mut findings);
        }
    }
    findings
}

fn imported_names(
    comparison: &Comparison<'_>,
    reach: &Reach,
    file: FileId,
    findings: &mut Vec<Finding>,
) {
    let path = comparison.after.path(file);
    for (import, resolution) in comparison.after.imports(file).iter() {
        let Resolution::Inside(files) = resolution else { continue };
        if !concerns(comparison, reach, file, files) {
            continue;
        }
        // What stands behind a `?` makes another module of the file.
        if import.kind == ImportKind::Module || import.specifier.contains(['?', '!']) {
            continue;
        }
        let is_guarded = || comparison.after.is_guarded(file, import.line);
        for name in &import.names {
            if !is_missing(comparison, file, &import.specifier, files, &name.name, false)
                || is_guarded()
            {
                continue;
            }
            let target = comparison.after.path(files[0]);
            findings.push(finding(
                FindingKind::MissingExport,
                Severity::Error,
                (path, import.line),
                format!("`{}` is not exported by {target}", name.name),
                comparison.cause(
                    path,
                    import.line,
                    cause_in(comparison, files, &name.name)
                        .or_else(|| gone(comparison, file, &name.name)),
                ),
            ));
        }
    }
}

/// Of a file that did not change, only imports of what did can be broken by it.
fn concerns(comparison: &Comparison<'_>, reach: &Reach, file: FileId, targets: &[FileId]) -> bool {
    comparison.changed(comparison.after.path(file)).is_some()
        || reach.left.contains(&file)
        || targets.iter().any(|target| reach.sources.contains(target))
}

/// `ns.x()` where `ns` is a module as a whole, or a package.
fn members(comparison: &Comparison<'_>, reach: &Reach, file: FileId, findings: &mut Vec<Finding>) {
    let Some(facts) = comparison.after.facts(file) else { return };
    for (import, resolution) in comparison.after.imports(file).iter() {
        let Resolution::Inside(files) = resolution else { continue };
        if !concerns(comparison, reach, file, files) {
            continue;
        }
        let modules = import.names.iter().filter_map(|name| {
            let files = module(&comparison.after, file, &name.local)?;
            (!name.local.is_empty()).then_some((&*name.local, files))
        });
        for (local, files) in modules {
            of_module(comparison, file, &import.specifier, (local, &files), &facts, findings);
        }
    }
}

fn of_module(
    comparison: &Comparison<'_>,
    file: FileId,
    specifier: &str,
    (local, files): (&str, &[FileId]),
    facts: &Facts,
    findings: &mut Vec<Finding>,
) {
    let Some(target) = files.first().map(|&target| comparison.after.path(target)) else { return };
    for reference in facts.references.iter().filter(|it| &*it.qualifier == local) {
        let is_shadowed =
            || comparison.after.details(file).is_none_or(|it| it.locals.contains(local));
        if !is_missing(comparison, file, specifier, files, &reference.name, true) || is_shadowed() {
            continue;
        }
        let path = comparison.after.path(file);
        findings.push(finding(
            FindingKind::MissingExport,
            Severity::Error,
            (path, reference.line),
            format!("`{local}.{}` is not exported by {target}", reference.name),
            comparison.cause(path, reference.line, cause_in(comparison, files, &reference.name)),
        ));
    }
}

/// It is not there after the change, and it was before, or this file did not ask for it then.
fn is_missing(
    comparison: &Comparison<'_>,
    file: FileId,
    specifier: &str,
    files: &[FileId],
    name: &str,
    is_package: bool,
) -> bool {
    match provided(&comparison.after, files, name) {
        Provided::No => {}
        Provided::Yes(target, local) => return became_private(comparison, file, target, &local),
        Provided::Elsewhere | Provided::Unknown => return false,
    }
    let before = comparison.origin(file).and_then(|origin| {
        let imports = comparison.before.imports(origin);
        let same = imports.iter().find(|(import, _)| {
            &*import.specifier == specifier
                && (is_package || asks_for(comparison, origin, import, name))
        });
        same.map(|(_, resolution)| resolution.clone())
    });
    match before {
        Some(Resolution::Inside(old)) => {
            let was = provided(&comparison.before, &old, name);
            matches!(was, Provided::Yes(..) | Provided::Elsewhere)
        }
        Some(Resolution::Unresolved) => false,
        Some(Resolution::External(_) | Resolution::Builtin) => true,
        // The import is new, and its target can be read to the end.
        None => is_ecma(comparison.after.language(file)) || was_given(comparison, files, name),
    }
}

fn asks_for(
    comparison: &Comparison<'_>,
    origin: FileId,
    import: &rb_lang::Import,
    name: &str,
) -> bool {
    if import.names.iter().any(|named| &*named.name == name) {
        return true;
    }
    let facts = comparison.before.facts(origin);
    import.names.iter().any(|named| {
        &*named.name == "*"
            && facts.as_ref().is_some_and(|facts| {
                let mut references = facts.references.iter();
                references.any(|it| it.qualifier == named.local && &*it.name == name)
            })
    })
}

/// Rust: it is still there, and can no longer be seen from outside of its module.
fn became_private(comparison: &Comparison<'_>, file: FileId, target: FileId, name: &str) -> bool {
    if comparison.after.language(target) != Some(Language::Rust) || file == target {
        return false;
    }
    let path = comparison.after.path(target);
    let stem = path.strip_suffix("/mod.rs").or_else(|| path.strip_suffix(".rs")).unwrap_or(path);
    // The modules below it still see it, and a root is above them all.
    let is_root = ["lib", "main"].contains(&stem.rsplit('/').next().unwrap_or_default());
    if is_root || comparison.after.path(file).starts_with(&format!("{stem}/")) {
        return false;
    }
    let exported = |facts: Option<std::rc::Rc<Facts>>| -> Option<bool> {
        let facts = facts?;
        let mut all = facts.symbols.iter().filter(|symbol| &*symbol.name == name).peekable();
        all.peek()?;
        Some(all.any(|symbol| symbol.exported))
    };
    let Some(origin) = comparison.origin(target) else { return false };
    exported(comparison.before.facts(origin)) == Some(true)
        && exported(comparison.after.facts(target)) == Some(false)
}

/// Did one of the files give the name before the change?
fn was_given(comparison: &Comparison<'_>, files: &[FileId], name: &str) -> bool {
    let old: Vec<FileId> = files.iter().filter_map(|&file| comparison.origin(file)).collect();
    !old.is_empty() && matches!(provided(&comparison.before, &old, name), Provided::Yes(..))
}

/// The module of that name that the file imported and that is gone.
fn gone(comparison: &Comparison<'_>, file: FileId, name: &str) -> Option<Cause> {
    let origin = comparison.origin(file)?;
    comparison.changes().find_map(|changed| {
        let path = changed.old_path();
        let id = comparison.before.find(path).filter(|_| comparison.after.find(path).is_none())?;
        let stem = path.rsplit('/').next()?.split('.').next()?;
        let is_it = stem == name && comparison.before.importers(id).contains(&origin);
        is_it.then(|| Cause { path: path.to_owned(), line: 1 })
    })
}

/// The edit that took the name away.
fn cause_in(comparison: &Comparison<'_>, files: &[FileId], name: &str) -> Option<Cause> {
    let old: Vec<FileId> = files.iter().filter_map(|&file| comparison.origin(file)).collect();
    let (at, local) = match provided(&comparison.before, &old, name) {
        Provided::Yes(at, local) => (at, local),
        Provided::Elsewhere | Provided::No | Provided::Unknown => {
            let changed =
                files.iter().find_map(|&file| comparison.changed(comparison.after.path(file)))?;
            return Some(changed.cause_at(1));
        }
    };
    let facts = comparison.before.facts(at)?;
    let line = facts.symbols.iter().find(|symbol| symbol.name == local)?.span.first_line;
    let path = comparison.before.path(at);
    let now = comparison.successor(at).map_or(path, |now| comparison.after.path(now));
    Some(match comparison.changed(now) {
        Some(changed) => changed.cause_of_old(line),
        None => Cause { path: path.to_owned(), line },
    })
}
