//! An import whose last use the change removed, or that it wrote and nobody uses.

use rb_index::FileId;
use rb_index::resolve::Resolution;
use rb_lang::details::Details;
use rb_lang::{Import, ImportKind, ImportedName, Language, SymbolKind};

use crate::comparison::{Comparison, finding, is_ecma};
use crate::provided::{Provided, provided};
use crate::words;
use crate::{Finding, FindingKind, Severity};

pub(crate) fn find(comparison: &Comparison<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (changed, file) in comparison.touched() {
        let (Some(details), true) =
            (comparison.after.details(file), comparison.after.is_whole(file))
        else {
            continue;
        };
        if is_left_out(&changed.path)
            || details.is_open && comparison.after.language(file) != Some(Language::Python)
        {
            continue;
        }
        for (import, resolution) in comparison.after.imports(file).iter() {
            for name in &import.names {
                if is_orphaned(comparison, file, import, name, resolution, &details) {
                    findings.push(report(comparison, file, import, name));
                }
            }
        }
    }
    findings
}

/// Files that import in order to give on.
fn is_left_out(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_stub = path.contains(".d.") || path.rsplit_once('.').is_some_and(|(_, it)| it == "pyi");
    name == "__init__.py" || name == "conftest.py" || is_stub
}

fn is_orphaned(
    comparison: &Comparison<'_>,
    file: FileId,
    import: &Import,
    name: &ImportedName,
    resolution: &Resolution,
    details: &Details,
) -> bool {
    let local = &*name.local;
    let binds =
        matches!(import.kind, ImportKind::Static | ImportKind::TypeOnly | ImportKind::Require);
    if !binds
        || local.is_empty()
        || local.starts_with('_')
        || matches!(local, "." | "React" | "h" | "jsx" | "Fragment")
    {
        return false;
    }
    // Of what is loaded inside of a function, the uses are not counted.
    let is_local = is_ecma(comparison.after.language(file))
        && (!details.top.contains(local) || details.locals.contains(local));
    if is_local || uses(details, local) > 0 || is_mentioned(comparison, file, import, local) {
        return false;
    }
    if is_taken_from(comparison, file, local) {
        return false;
    }
    if !is_plain(comparison, file, import, name, resolution) {
        return false;
    }
    // It was there before and nobody used it then either.
    let Some(origin) = comparison.origin(file) else { return true };
    let Some(old) = comparison.before.details(origin) else { return false };
    let was_imported = comparison
        .before
        .imports(origin)
        .iter()
        .any(|(import, _)| import.names.iter().any(|old| old.local == name.local));
    !was_imported || uses(&old, local) > 0
}

fn uses(details: &Details, local: &str) -> u32 {
    details.uses.get(local).map_or(0, |it| it.values + it.types)
}

/// Python gives on what it imports: does another file import the name from this one?
fn is_taken_from(comparison: &Comparison<'_>, file: FileId, local: &str) -> bool {
    let side = &comparison.after;
    let is_star = |it: &ImportedName| &*it.name == "*" && it.local.is_empty();
    let takes = |(import, resolution): &(Import, Resolution)| {
        let leads_here = matches!(resolution, Resolution::Inside(files) if files.contains(&file));
        leads_here && import.names.iter().any(|it| *it.name == *local || is_star(it))
    };
    side.language(file) == Some(Language::Python)
        && side.importers(file).iter().any(|&importer| side.imports(importer).iter().any(takes))
}

/// In a comment or a string, as types and lists of exports are.
fn is_mentioned(comparison: &Comparison<'_>, file: FileId, import: &Import, local: &str) -> bool {
    let Some(text) = comparison.after.text(file) else { return true };
    let is_python = comparison.after.language(file) == Some(Language::Python);
    words::lines(&text, local).any(|(line, written)| {
        let is_own = line == import.line;
        // `cast("list[Item]", …)` names what it means.
        let quoted = words::places(written, local).any(|at| {
            ['"', '\'', '`'].iter().any(|&quote| {
                written[..at].matches(quote).count() % 2 == 1
                    || written[at + local.len()..].starts_with(quote)
            })
        });
        is_own && written.contains("noqa")
            || is_own && is_python && written.contains("pylint")
            || !is_own && (words::is_comment(written) || quoted || written.contains('@'))
    })
}

/// An import that does nothing but bind the name.
fn is_plain(
    comparison: &Comparison<'_>,
    file: FileId,
    import: &Import,
    name: &ImportedName,
    resolution: &Resolution,
) -> bool {
    let side = &comparison.after;
    match side.language(file) {
        language if is_ecma(language) => true,
        Some(Language::Python) => {
            // `import a.b` loads it; `import a as a` gives it on.
            let again = format!("{} as {}", name.local, name.local);
            side.text(file).is_some_and(|text| !text.contains(&again))
                && &*import.specifier != "__future__"
                && !(&*name.name == "*" && import.specifier.contains('.'))
                && side.details(file).is_some_and(|details| !details.is_guarded(import.line))
        }
        Some(Language::Go) => is_named_so(comparison, file, import, &name.local, resolution),
        Some(Language::Rust) => is_no_trait(comparison, import, name, resolution),
        Some(Language::Java) => true,
        _ => false,
    }
}

/// Is the package called so? Without an alias the name in the facts is a guess from the path.
fn is_named_so(
    comparison: &Comparison<'_>,
    file: FileId,
    import: &Import,
    local: &str,
    resolution: &Resolution,
) -> bool {
    let text = comparison.after.text(file);
    let line =
        text.as_deref().and_then(|text| text.lines().nth(import.line.saturating_sub(1) as usize));
    let alias = line.and_then(|line| line.split('"').next()).map(|it| it.replace("import", ""));
    if alias.is_some_and(|alias| alias.trim() == local) {
        return true;
    }
    match resolution {
        Resolution::Inside(files) => files.iter().all(|&target| {
            comparison.after.view.tree.get(target).package.as_deref() == Some(local)
        }),
        Resolution::Builtin => true,
        // Where it was used under this name before, it is called so.
        Resolution::External(_) | Resolution::Unresolved => comparison
            .origin(file)
            .and_then(|origin| comparison.before.details(origin))
            .is_some_and(|old| uses(&old, local) > 0),
    }
}

/// A trait is used by calling its methods, a macro by its name alone.
fn is_no_trait(
    comparison: &Comparison<'_>,
    import: &Import,
    name: &ImportedName,
    resolution: &Resolution,
) -> bool {
    let Resolution::Inside(files) = resolution else { return false };
    if import.kind != ImportKind::Static || &*name.name == "self" {
        return false;
    }
    let Provided::Yes(target, own) = provided(&comparison.after, files, &name.name) else {
        return false;
    };
    let Some(facts) = comparison.after.facts(target) else { return false };
    let mut all = facts.symbols.iter().filter(|symbol| symbol.name == own);
    let plain = [SymbolKind::Function, SymbolKind::Struct, SymbolKind::Enum, SymbolKind::Constant];
    all.next().is_some_and(|symbol| plain.contains(&symbol.kind) && symbol.parent.is_none())
}

fn report(
    comparison: &Comparison<'_>,
    file: FileId,
    import: &Import,
    name: &ImportedName,
) -> Finding {
    let path = comparison.after.path(file);
    // Go does not build with an import that nobody uses.
    let severity = match comparison.after.language(file) {
        Some(Language::Go) => Severity::Error,
        _ => Severity::Warning,
    };
    finding(
        FindingKind::OrphanedImport,
        severity,
        (path, import.line),
        format!("`{}` is imported but not used", name.local),
        comparison.cause(path, import.line, None),
    )
}
