//! Exported names that nothing in the project takes. They are only told: who loads a file from outside is not known here.

use rb_ecma::Module;
use rb_rules::{Directive, Facts, FileKind};

use crate::links::{Exporting, links, references};
use crate::plan::Left;
use crate::recipe::Planning;

/// Folders whose files a framework finds by their place.
const FOUND_BY_PLACE: &[&str] = &[
    "pages",
    "app",
    "routes",
    "api",
    "plugins",
    "migrations",
    "workers",
    "scripts",
    "bin",
    "commands",
    "middleware",
    "functions",
    "locales",
    "fixtures",
    "examples",
    "seeds",
    "handlers",
    "jobs",
];

/// All of a file is one entry: a project may have hundreds of such names.
pub(super) fn unused(planning: &Planning<'_>, facts: &Facts, module: &Module<'_>) -> Option<Left> {
    let path = &*facts.path;
    let is_ordinary = facts.kind == FileKind::Source
        && facts.route.is_none()
        && !facts.is_root
        && facts.directive != Some(Directive::UseServer)
        && !path.split('/').any(|it| FOUND_BY_PLACE.contains(&it));
    // A file that nobody loads is an entry, or dead as a whole: that cannot be told apart from here.
    if !is_ordinary || planning.world.users(path).is_empty() {
        return None;
    }
    let own = links(planning.world, path).filter(|it| it.is_esm)?;
    let mut found: Vec<(u32, &str)> = Vec::new();
    for export in &own.exports {
        let is_one = matches!(export.how, Exporting::Declared | Exporting::Listed)
            && !planning.promised.has(path, &export.name);
        if !is_one || is_used_here(module, export.local.as_deref()) {
            continue;
        }
        let references = references(planning.world, path, &export.name);
        // A file that gives it on and that nobody loads may be what others see of the project.
        let is_promised = references.names.iter().any(|(file, name)| {
            planning.promised.has(file, name) || planning.world.users(file).is_empty()
        });
        if is_promised || !references.all.is_empty() || !references.doubts.is_empty() {
            continue;
        }
        found.push((export.place.start, &export.name));
    }
    found.sort_unstable();
    let place = module.place(found.first()?.0);
    let names: Vec<&str> = found.iter().map(|(_, name)| *name).collect();
    Some(Left {
        path: path.to_owned(),
        line: place.line,
        column: place.column,
        code: names.join(", "),
        reason: "exported, but nothing in the project imports it".to_owned(),
        suggestion: "delete it if nothing outside the project does".to_owned(),
        through: Vec::new(),
    })
}

/// Is it used in its own file, other than by the list that exports it?
fn is_used_here(module: &Module<'_>, local: Option<&str>) -> bool {
    let Some(local) = local else { return true };
    let mut symbols = module.scoping().symbol_ids();
    let own = symbols.find(|&it| module.is_top_level(it) && module.name(it) == local);
    let Some(symbol) = own else { return true };
    if module.import(symbol).is_some() {
        return true;
    }
    module
        .uses(symbol)
        .any(|it| !matches!(module.parent(it.node), oxc_ast::AstKind::ExportSpecifier(_)))
}
