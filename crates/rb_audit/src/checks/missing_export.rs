//! A name that a file imports, or takes from a module that it imports, and that the module does not give.

use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_lang::{Facts, ImportKind, Language};

use crate::comparison::{Comparison, finding, is_ecma};
use crate::provided::{Provided, module, provided};
use crate::reach::Reach;
use crate::{Cause, Finding, FindingKind, Severity};

pub(crate) fn find(scene: &Comparison<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let reach = Reach::of(scene);
    for &file in &reach.files {
        if scene.after.is_own(file) && scene.after.is_whole(file) {
            imported_names(scene, &reach, file, &mut findings);
            members(scene, &reach, file, &mut findings);
        }
    }
    findings
}

fn imported_names(
    scene: &Comparison<'_>,
    reach: &Reach,
    file: FileId,
    findings: &mut Vec<Finding>,
) {
    let path = scene.after.path(file);
    for (import, resolution) in scene.after.imports(file).iter() {
        let Resolution::Inside(files) = resolution else { continue };
        if !concerns(scene, reach, file, files) {
            continue;
        }
        // What stands behind a `?` makes another module of the file.
        if import.kind == ImportKind::Module || import.specifier.contains(['?', '!']) {
            continue;
        }
        let is_guarded = || scene.after.is_guarded(file, import.line);
        for name in &import.names {
            if !is_missing(scene, file, &import.specifier, files, &name.name, false) || is_guarded()
            {
                continue;
            }
            let target = scene.after.path(files[0]);
            findings.push(finding(
                FindingKind::MissingExport,
                Severity::Error,
                (path, import.line),
                format!("`{}` is not provided by {target}", name.name),
                scene.cause(
                    path,
                    import.line,
                    cause_in(scene, files, &name.name).or_else(|| gone(scene, file, &name.name)),
                ),
            ));
        }
    }
}

/// Of a file that did not change, only imports of what did can be broken by it.
fn concerns(scene: &Comparison<'_>, reach: &Reach, file: FileId, targets: &[FileId]) -> bool {
    scene.changed(scene.after.path(file)).is_some()
        || reach.left.contains(&file)
        || targets.iter().any(|target| reach.sources.contains(target))
}

/// `ns.x()` where `ns` is a module as a whole, or a package.
fn members(scene: &Comparison<'_>, reach: &Reach, file: FileId, findings: &mut Vec<Finding>) {
    let Some(facts) = scene.after.facts(file) else { return };
    for (import, resolution) in scene.after.imports(file).iter() {
        let Resolution::Inside(files) = resolution else { continue };
        if !concerns(scene, reach, file, files) {
            continue;
        }
        let modules = import.names.iter().filter_map(|name| {
            let files = module(&scene.after, file, &name.local)?;
            (!name.local.is_empty()).then_some((&*name.local, files))
        });
        for (local, files) in modules {
            of_module(scene, file, &import.specifier, (local, &files), &facts, findings);
        }
    }
}

fn of_module(
    scene: &Comparison<'_>,
    file: FileId,
    specifier: &str,
    (local, files): (&str, &[FileId]),
    facts: &Facts,
    findings: &mut Vec<Finding>,
) {
    let Some(target) = files.first().map(|&target| scene.after.path(target)) else { return };
    for reference in facts.references.iter().filter(|it| &*it.qualifier == local) {
        let is_shadowed = || scene.after.details(file).is_none_or(|it| it.locals.contains(local));
        if !is_missing(scene, file, specifier, files, &reference.name, true) || is_shadowed() {
            continue;
        }
        let path = scene.after.path(file);
        findings.push(finding(
            FindingKind::MissingExport,
            Severity::Error,
            (path, reference.line),
            format!("`{local}.{}` is not provided by {target}", reference.name),
            scene.cause(path, reference.line, cause_in(scene, files, &reference.name)),
        ));
    }
}

/// It is not there after the change, and it was before, or this file did not ask for it then.
fn is_missing(
    scene: &Comparison<'_>,
    file: FileId,
    specifier: &str,
    files: &[FileId],
    name: &str,
    is_package: bool,
) -> bool {
    match provided(&scene.after, files, name) {
        Provided::No => {}
        Provided::Yes(target, local) => return became_private(scene, file, target, &local),
        Provided::Elsewhere | Provided::Unknown => return false,
    }
    let before = scene.origin(file).and_then(|origin| {
        let imports = scene.before.imports(origin);
        let same = imports.iter().find(|(import, _)| {
            &*import.specifier == specifier && (is_package || asks_for(scene, origin, import, name))
        });
        same.map(|(_, resolution)| resolution.clone())
    });
    match before {
        Some(Resolution::Inside(old)) => {
            let was = provided(&scene.before, &old, name);
            matches!(was, Provided::Yes(..) | Provided::Elsewhere)
        }
        Some(Resolution::Unresolved) => false,
        Some(Resolution::External(_) | Resolution::Builtin) => true,
        // The import is new, and its target can be read to the end.
        None => is_ecma(scene.after.language(file)) || was_given(scene, files, name),
    }
}

fn asks_for(scene: &Comparison<'_>, origin: FileId, import: &rb_lang::Import, name: &str) -> bool {
    if import.names.iter().any(|named| &*named.name == name) {
        return true;
    }
    let facts = scene.before.facts(origin);
    import.names.iter().any(|named| {
        &*named.name == "*"
            && facts.as_ref().is_some_and(|facts| {
                let mut references = facts.references.iter();
                references.any(|it| it.qualifier == named.local && &*it.name == name)
            })
    })
}

/// Rust: it is still there, and can no longer be seen from outside of its module.
fn became_private(scene: &Comparison<'_>, file: FileId, target: FileId, name: &str) -> bool {
    if scene.after.language(target) != Some(Language::Rust) || file == target {
        return false;
    }
    let path = scene.after.path(target);
    let stem = path.strip_suffix("/mod.rs").or_else(|| path.strip_suffix(".rs")).unwrap_or(path);
    // The modules below it still see it, and a root is above them all.
    let is_root = ["lib", "main"].contains(&stem.rsplit('/').next().unwrap_or_default());
    if is_root || scene.after.path(file).starts_with(&format!("{stem}/")) {
        return false;
    }
    let exported = |facts: Option<std::rc::Rc<Facts>>| -> Option<bool> {
        let facts = facts?;
        let mut all = facts.symbols.iter().filter(|symbol| &*symbol.name == name).peekable();
        all.peek()?;
        Some(all.any(|symbol| symbol.exported))
    };
    let Some(origin) = scene.origin(target) else { return false };
    exported(scene.before.facts(origin)) == Some(true)
        && exported(scene.after.facts(target)) == Some(false)
}

/// Did one of the files give the name before the change?
fn was_given(scene: &Comparison<'_>, files: &[FileId], name: &str) -> bool {
    let old: Vec<FileId> = files.iter().filter_map(|&file| scene.origin(file)).collect();
    !old.is_empty() && matches!(provided(&scene.before, &old, name), Provided::Yes(..))
}

/// The module of that name that the file imported and that is gone.
fn gone(scene: &Comparison<'_>, file: FileId, name: &str) -> Option<Cause> {
    let origin = scene.origin(file)?;
    scene.changes().find_map(|changed| {
        let path = changed.old_path();
        let id = scene.before.find(path).filter(|_| scene.after.find(path).is_none())?;
        let stem = path.rsplit('/').next()?.split('.').next()?;
        let is_it = stem == name && scene.before.importers(id).contains(&origin);
        is_it.then(|| Cause { path: path.to_owned(), line: 1 })
    })
}

/// The edit that took the name away.
fn cause_in(scene: &Comparison<'_>, files: &[FileId], name: &str) -> Option<Cause> {
    let old: Vec<FileId> = files.iter().filter_map(|&file| scene.origin(file)).collect();
    let (at, local) = match provided(&scene.before, &old, name) {
        Provided::Yes(at, local) => (at, local),
        Provided::Elsewhere | Provided::No | Provided::Unknown => {
            let changed = files.iter().find_map(|&file| scene.changed(scene.after.path(file)))?;
            return Some(changed.cause_at(1));
        }
    };
    let facts = scene.before.facts(at)?;
    let line = facts.symbols.iter().find(|symbol| symbol.name == local)?.span.first_line;
    let path = scene.before.path(at);
    let now = scene.successor(at).map_or(path, |now| scene.after.path(now));
    Some(match scene.changed(now) {
        Some(changed) => changed.cause_of_old(line),
        None => Cause { path: path.to_owned(), line },
    })
}
