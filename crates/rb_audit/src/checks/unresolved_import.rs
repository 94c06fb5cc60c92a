//! An import that leads nowhere after the change and led somewhere before it, or that the change wrote.
//!
//! A package that no manifest names is a warning: it may be installed all the same.

use std::collections::BTreeSet;

use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_index::role::Role;
use rb_lang::{Import, ImportKind, Language};

use crate::comparison::{Comparison, Side, finding, folder_of, is_ecma};
use crate::reach::left_behind as importers_of_gone;
use crate::{Cause, Finding, FindingKind, Severity};

pub(crate) fn find(comparison: &Comparison<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in candidates(comparison) {
        if !comparison.after.is_own(file) || !comparison.after.is_whole(file) {
            continue;
        }
        let old = comparison
            .origin(file)
            .map(|origin| comparison.before.imports(origin))
            .unwrap_or_default();
        for (import, resolution) in comparison.after.imports(file).iter() {
            let was = old.iter().find(|(other, _)| is_same(other, import));
            match resolution {
                Resolution::Unresolved => {
                    findings.extend(unresolved(comparison, file, import, was.map(|(_, to)| to)));
                }
                Resolution::External(package) => match was {
                    None => findings.extend(undeclared(comparison, file, import, package)),
                    Some((_, Resolution::Inside(files))) => {
                        findings.extend(left_behind(comparison, file, import, package, files));
                    }
                    Some(_) => {}
                },
                Resolution::Inside(_) | Resolution::Builtin => {}
            }
        }
    }
    findings
}

/// Changed files, and those that imported a file that is gone or moved.
fn candidates(comparison: &Comparison<'_>) -> BTreeSet<FileId> {
    let mut files = importers_of_gone(comparison);
    files.extend(comparison.touched().map(|(_, id)| id));
    files
}

fn is_same(one: &Import, other: &Import) -> bool {
    one.specifier == other.specifier && one.names == other.names
}

fn unresolved(
    comparison: &Comparison<'_>,
    file: FileId,
    import: &Import,
    was: Option<&Resolution>,
) -> Option<Finding> {
    let path = comparison.after.path(file);
    let is_broken_before = match was {
        Some(Resolution::Unresolved) => true,
        Some(_) => false,
        None => was_unresolved(comparison, file, import),
    };
    if is_broken_before || is_expected(&comparison.after, file, import) {
        return None;
    }
    // A new import that only looks like one of the repository may be made by a build.
    if was.is_none() && !is_surely_inside(&comparison.after, file, import) {
        return None;
    }
    let cause = missing_target(comparison, file, import);
    Some(finding(
        FindingKind::UnresolvedImport,
        Severity::Error,
        (path, import.line),
        format!("`{}` does not resolve to a file", import.specifier),
        comparison.cause(path, import.line, cause),
    ))
}

/// The last file of a package is gone, so that its name looks like somebody else's.
fn left_behind(
    comparison: &Comparison<'_>,
    file: FileId,
    import: &Import,
    package: &str,
    targets: &[FileId],
) -> Option<Finding> {
    let path = comparison.after.path(file);
    let is_gone = targets
        .iter()
        .all(|&target| comparison.after.find(comparison.before.path(target)).is_none());
    // A manifest that names it now says that it comes from elsewhere.
    let is_declared = comparison
        .after
        .view
        .tree
        .files
        .iter()
        .any(|it| it.manifest.as_deref().is_some_and(|text| text.contains(package)));
    if !is_gone || is_declared || is_expected(&comparison.after, file, import) {
        return None;
    }
    let cause = targets
        .first()
        .map(|&target| Cause { path: comparison.before.path(target).to_owned(), line: 1 });
    Some(finding(
        FindingKind::UnresolvedImport,
        Severity::Error,
        (path, import.line),
        format!("`{}` does not resolve to a file", import.specifier),
        comparison.cause(path, import.line, cause),
    ))
}

/// The same module was missing before, under another path or from a file that was split.
fn was_unresolved(comparison: &Comparison<'_>, file: FileId, import: &Import) -> bool {
    let last = |specifier: &str| specifier.rsplit(['/', '.', ':']).next().map(str::to_owned);
    let wanted = last(&import.specifier);
    let origins =
        comparison.changes().filter_map(|changed| comparison.before.find(changed.old_path()));
    origins.chain(comparison.origin(file)).any(|origin| {
        comparison
            .before
            .imports(origin)
            .iter()
            .any(|(old, to)| *to == Resolution::Unresolved && last(&old.specifier) == wanted)
    })
}

/// Something missing is foreseen there, or nothing is loaded by it.
fn is_expected(side: &Side<'_>, file: FileId, import: &Import) -> bool {
    let is_guarded = side.is_guarded(file, import.line);
    let is_deferred =
        import.kind == ImportKind::Dynamic && side.language(file) != Some(Language::Python);
    let is_fixture = matches!(Role::of(side.path(file)), Role::Test | Role::Example)
        && side.path(file).contains("fixture");
    let is_asset = import.specifier.contains(['?', '!', '\0', '*']);
    is_guarded || is_deferred || is_fixture || is_asset
}

/// Only a path that is relative, or of this crate or module, can be nothing else.
fn is_surely_inside(side: &Side<'_>, file: FileId, import: &Import) -> bool {
    let specifier = &*import.specifier;
    match side.language(file) {
        language if is_ecma(language) => {
            let folder = folder_of(side.path(file));
            let is_relative = specifier.starts_with("./") || specifier.starts_with("../");
            let is_made = [
                "generated",
                "__generated__",
                "dist",
                "build",
                "types",
                "+types",
                "_generated",
                "out",
            ]
            .iter()
            .any(|word| specifier.split('/').any(|part| part == *word));
            is_relative && !is_made && !folder.contains("template")
        }
        Some(Language::Python) => specifier.starts_with('.'),
        Some(Language::Rust) => import.kind == ImportKind::Module,
        Some(Language::Go | Language::Java) => true,
        _ => false,
    }
}

/// The file that the import led to before and that is gone.
fn missing_target(comparison: &Comparison<'_>, file: FileId, import: &Import) -> Option<Cause> {
    let origin = comparison.origin(file)?;
    let imports = comparison.before.imports(origin);
    let (_, old) = imports.iter().find(|(other, _)| other.specifier == import.specifier)?;
    let Resolution::Inside(files) = old else { return None };
    let target = comparison.before.path(*files.first()?);
    Some(Cause { path: target.to_owned(), line: 1 })
}

/// A package that is new to the file, and that no manifest around it names.
fn undeclared(
    comparison: &Comparison<'_>,
    file: FileId,
    import: &Import,
    package: &str,
) -> Option<Finding> {
    let side = &comparison.after;
    let path = side.path(file);
    let manifest = match side.language(file) {
        language if is_ecma(language) => "package.json",
        Some(Language::Go) => "go.mod",
        _ => return None,
    };
    if Role::of(path) != Role::Product || is_expected(side, file, import) || package.contains(':') {
        return None;
    }
    let texts = manifests(side, path, manifest);
    let types = format!("@types/{}", package.trim_start_matches('@').replace('/', "__"));
    let is_named = |text: &str| text.contains(package) || text.contains(&types);
    // Somebody imported it before, and it worked.
    let is_known = comparison
        .before
        .view
        .tree
        .ids()
        .any(|id| comparison.before.view.uses(id).1.binary_search(&package).is_ok());
    if texts.is_empty() || is_known || texts.iter().any(|text| is_named(text)) {
        return None;
    }
    Some(finding(
        FindingKind::UnresolvedImport,
        Severity::Warning,
        (path, import.line),
        format!("the package `{package}` is not listed in any {manifest}"),
        comparison.cause(path, import.line, None),
    ))
}

fn manifests<'v>(side: &'v Side<'_>, path: &str, name: &str) -> Vec<&'v str> {
    let mut texts = Vec::new();
    let mut folder = folder_of(path);
    loop {
        let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
        let file = side.find(&path).map(|id| side.view.tree.get(id));
        texts.extend(file.and_then(|file| file.manifest.as_deref()));
        if folder.is_empty() {
            return texts;
        }
        folder = folder_of(folder);
    }
}
