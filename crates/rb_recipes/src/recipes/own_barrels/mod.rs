//! Imports through the project's own re-export files, made direct: from the files that declare the names.
//!
//! Without the index, the other files behind it are not loaded. An import is changed where that makes no difference: none of
//! them does anything, or those that do are loaded all the same, in the same order. The index of another package is its
//! front door, and no site; so are `require` and `import()`.

mod origin;
mod rewrite;
mod safe;
#[cfg(test)]
mod tests;

use oxc_ast::ast::{ImportDeclaration, ImportDeclarationSpecifier, Statement};
use rb_core::Edit;
use rb_ecma::Module;
use rb_ecma::links::specifier_in_style;
use rb_rules::{Facts, FileKind, Target, World};

use self::origin::{Lost, Origin, behind, is_alias, is_barrel, origin};
use self::rewrite::{Name, Rewriting};
use crate::cleaning::compiler::forbids_deep_imports;
use crate::cleaning::{is_fixture, manifest_of, package_of};
use crate::links::{ImportKind, links};
use crate::plan::{Chain, Left, Plan, Site, one_line};
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};
use crate::recipes::unused_imports::tool_comment;

pub static RECIPE: Recipe = Recipe {
    id: "own-barrels",
    title: "Import from the declaring file instead of an index file",
    doc: Doc {
        language: DocLanguage::JavaScript,
        what: "Imports of names through an index file of the same package become direct imports, in the style of the \
               project's other specifiers. An index file only re-exports; a file that only renames one other file is \
               none. `require` and `import()` are not considered.",
        before: "import { Button, useTheme } from '@/components';",
        after: "import { Button } from '@/components/button';\nimport { useTheme } from '@/components/theme';",
        safe: "Nothing the index loads has side effects or depends on load order, or its package declares \
               `sideEffects: false`, or everything with side effects is still loaded. Types can always be imported \
               directly.",
        leaves: "Namespace imports (`import * as`), an index that tests mock or spy on, names that come from \
                 packages, an index with `'use client'`, imports that a lint rule forbids, import cycles in which \
                 order matters. In a run over the whole repository, an index with fewer than eight files behind it.",
    },
    wants: &["import"],
    needs: &[],
    takes: &[],
    plan,
};

/// An argument that may be given: the least number of files behind an index whose imports are changed.
pub const BEHIND: &str = "behind";

/// What is said of an index that [`BEHIND`] leaves.
pub const SMALL: &str = "ask for it: \"Import directly instead of through barrel files\"";

const KINDS: &[FileKind] =
    &[FileKind::Source, FileKind::Test, FileKind::Story, FileKind::Config, FileKind::Script];

#[derive(Default)]
struct FileResult {
    sites: Vec<Site>,
    edits: Vec<Edit>,
    left: Vec<Left>,
}

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let files = planning.files(KINDS, RECIPE.wants)?;
    let found = planning.over_modules(&files, |path, module| {
        let facts = planning.world.facts(path)?;
        if is_fixture(planning.world, &facts, module.text()) {
            return None;
        }
        Some(in_file(planning, &facts, module))
    })?;
    let mut plan = Plan::default();
    for (path, found) in found {
        let Some(found) = found else { continue };
        plan.left.extend(found.left);
        let title = match found.sites.len() {
            0 => continue,
            1 => format!("1 import of `{path}` replaced by a direct import"),
            many => format!("{many} imports of `{path}` replaced by direct imports"),
        };
        let mut chain = Chain { title, sites: found.sites, ..Chain::default() };
        for edit in found.edits {
            chain.edit(&path, edit);
        }
        plan.chains.push(chain);
    }
    Ok(plan)
}

fn in_file(planning: &Planning<'_>, facts: &Facts, module: &Module<'_>) -> FileResult {
    let world = planning.world;
    let path = &*facts.path;
    let mut found = FileResult::default();
    // An index may be built of others.
    if is_barrel(world, path).is_some() {
        return found;
    }
    for (at, statement) in module.program().body.iter().enumerate() {
        let Statement::ImportDeclaration(it) = statement else { continue };
        let Some(specifiers) = it.specifiers.as_ref().filter(|it| !it.is_empty()) else { continue };
        let source = it.source.value.as_str();
        let Target::File(barrel) = world.resolve(path, source) else { continue };
        if is_barrel(world, &barrel).is_none()
            || is_alias(world, &barrel)
            || package_of(world, path) != package_of(world, &barrel)
        {
            continue;
        }
        if is_own_name(world, &barrel, source) || is_from_outside(world, specifiers, &barrel) {
            continue;
        }
        let outcome = match heavy_enough(planning, &barrel) {
            Ok(()) => one(planning, facts, module, (it, at), specifiers, &barrel),
            Err(refusal) => Err(refusal),
        };
        match outcome {
            Ok(edits) => {
                found.edits.extend(edits);
                let line = module.line(it.span.start);
                found.sites.push(Site {
                    path: path.to_owned(),
                    line,
                    what: format!("through `{barrel}`"),
                });
            }
            Err((reason, suggestion)) => {
                let place = module.place(it.span.start);
                found.left.push(Left {
                    path: path.to_owned(),
                    line: place.line,
                    column: place.column,
                    code: one_line(module.slice(it.span)),
                    reason,
                    suggestion,
                    through: Vec::new(),
                });
            }
        }
    }
    found
}

/// Where the argument [`BEHIND`] is given, an index that gives on fewer files than it says is left: nothing to speak of is
/// saved without it, and a folder with an index is how the project wants to be imported.
fn heavy_enough(planning: &Planning<'_>, barrel: &str) -> Result<(), Refusal> {
    let least = planning.arguments.get(BEHIND).and_then(|it| it.parse().ok()).unwrap_or(0);
    if least > 0 && behind(planning.world, barrel) < least {
        return Err((format!("the index loads fewer than {least} files"), SMALL.to_owned()));
    }
    Ok(())
}

/// Nothing that is taken is of this package: the file is a way to a package, and no index.
fn is_from_outside(
    world: &dyn World,
    specifiers: &[ImportDeclarationSpecifier<'_>],
    barrel: &str,
) -> bool {
    specifiers.iter().all(|it| {
        exported_name(it)
            .is_some_and(|name| matches!(origin(world, barrel, &name), Err(Lost::Outside(_))))
    })
}

/// What a name is called where it comes from; `None` for all of a module.
fn exported_name(specifier: &ImportDeclarationSpecifier<'_>) -> Option<String> {
    match specifier {
        ImportDeclarationSpecifier::ImportSpecifier(it) => Some(it.imported.name().to_string()),
        ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => Some("default".to_owned()),
        ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => None,
    }
}

/// Does the specifier go by the name of the package itself, as its users do?
fn is_own_name(world: &dyn World, barrel: &str, source: &str) -> bool {
    manifest_of(world, barrel).is_some_and(|(_, it)| {
        let name = it.get("name").and_then(serde_json::Value::as_str);
        name.is_some_and(|name| {
            source.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    })
}

/// The path by which others import the file, where a package has several: builds may load one entry from another.
fn entry_of(world: &dyn World, path: &str) -> Option<String> {
    let (dir, manifest) = manifest_of(world, path)?;
    let inner = path.strip_prefix(&dir).unwrap_or(path).trim_start_matches('/');
    let inner = inner.strip_prefix("src/").unwrap_or(inner);
    let stem = inner.split('.').next().unwrap_or(inner);
    let stem = stem.strip_suffix("/index").unwrap_or(stem);
    let keys = manifest.get("exports")?.as_object()?.keys();
    let mut keys = keys.filter_map(|it| it.strip_prefix("./")).filter(|it| *it != "package.json");
    let fits = |key: &&str| match key.split_once('*') {
        Some((head, _)) => stem.starts_with(head),
        None => *key == stem,
    };
    (stem != "index").then(|| keys.find(fits)).flatten().map(|it| format!("./{it}"))
}

/// Is it the file that a package opens for others?
fn is_front_door(world: &dyn World, path: &str) -> bool {
    let Some((dir, manifest)) = manifest_of(world, path) else { return false };
    let inner = path.strip_prefix(&dir).unwrap_or(path).trim_start_matches('/');
    let inner = inner.strip_prefix("src/").unwrap_or(inner);
    let is_index = inner.strip_prefix("index.").is_some_and(|it| !it.contains('/'));
    is_index && ["main", "module", "exports"].iter().any(|it| manifest.get(it).is_some())
}

/// `ui/index.test.ts`, `ui/__tests__/index.ts` for `ui/index.ts`.
fn is_named_after(test: &str, file: &str) -> bool {
    let parts = |path: &str| {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        (folder.to_owned(), name.split('.').next().unwrap_or(name).to_owned())
    };
    let ((near, test), (dir, file)) = (parts(test), parts(file));
    let near =
        ["__tests__", "tests", "test"].iter().find_map(|it| near.strip_suffix(it)).unwrap_or(&near);
    test == file && near.trim_end_matches('/') == dir
}

type Refusal = (String, String);

fn one<'a>(
    planning: &Planning<'_>,
    facts: &Facts,
    module: &Module<'a>,
    (it, at): (&'a ImportDeclaration<'a>, usize),
    specifiers: &'a [ImportDeclarationSpecifier<'a>],
    barrel: &str,
) -> Result<Vec<Edit>, Refusal> {
    let world = planning.world;
    refused(planning, facts, module, it, barrel)?;
    let mut names = Vec::new();
    for specifier in specifiers {
        let Some(name) = exported_name(specifier) else {
            let why = format!("`{barrel}` is imported as a namespace object");
            return Err((why, "import the used names in braces, then run this again".to_owned()));
        };
        let keep = || "keep the index for it, or change the import by hand".to_owned();
        let origin = origin(world, barrel, &name).map_err(|why| (why.words(), keep()))?;
        let leads = |specifier: &str| {
            world.resolve(&facts.path, specifier) == Target::File(origin.path().to_owned())
        };
        let source = it.source.value.as_str();
        let Some(direct) = specifier_in_style(&facts.path, source, barrel, origin.path(), &leads)
        else {
            let why =
                format!("no specifier in the style of this file resolves to `{}`", origin.path());
            return Err((why, keep()));
        };
        if let Origin::Name { name, .. } = &origin
            && !oxc_syntax::identifier::is_identifier_name(name)
        {
            return Err((format!("`{name}` is not a plain identifier"), keep()));
        }
        names.push(Name { specifier, origin, direct });
    }
    let rewriting = Rewriting::of(world, facts, module, it, names);
    safe::check(world, facts, module, it, barrel, &rewriting.loaded()).map_err(|why| {
        (why, "check that nothing depends on it, then change the import by hand".to_owned())
    })?;
    rewriting.edits(at).map_err(|why| (why, "change the import by hand".to_owned()))
}

/// What forbids a change, whatever the names are.
fn refused(
    planning: &Planning<'_>,
    facts: &Facts,
    module: &Module<'_>,
    it: &ImportDeclaration<'_>,
    barrel: &str,
) -> Result<(), Refusal> {
    let world = planning.world;
    let source = it.source.value.as_str();
    let no = |why: String, advice: &str| Err((why, advice.to_owned()));
    if is_barrel(world, barrel) == Some(true) {
        return no(
            format!("`{barrel}` has a directive at its top"),
            "move the directive to the files it re-exports first",
        );
    }
    if it.phase.is_some() || it.with_clause.is_some() {
        return no("the import has attributes".to_owned(), "change the import by hand");
    }
    if let Some(comment) = tool_comment(module, it.span) {
        return no(
            format!("the comment `{}` applies to it", one_line(comment)),
            "change the import by hand",
        );
    }
    if module.has_comment(it.span) {
        return no("it contains a comment".to_owned(), "change the import by hand");
    }
    if let Some(config) = forbids_deep_imports(world, &facts.path) {
        return no(
            format!("`{config}` restricts imports by path"),
            "check whether it forbids the direct imports",
        );
    }
    if facts.kind == FileKind::Test && is_front_door(world, barrel) {
        return no(
            format!(
                "`{barrel}` is the main entry point of the package, and the test may use it on purpose"
            ),
            "leave it",
        );
    }
    if facts.kind == FileKind::Test && is_named_after(&facts.path, barrel) {
        return no(format!("the test is named after `{barrel}` and may be testing it"), "leave it");
    }
    if let Some(entry) = entry_of(world, barrel) {
        return no(
            format!(
                "`{barrel}` is a package entry point (`{entry}`), and a bundle may import one entry point from another"
            ),
            "change it by hand if the package is built as one bundle",
        );
    }
    for user in world.users(barrel) {
        let is_test = world.facts(&user).is_some_and(|it| it.kind == FileKind::Test);
        let Some(theirs) = links(world, &user) else { continue };
        for import in
            theirs.imports.iter().filter(|it| it.target == Target::File(barrel.to_owned()))
        {
            if world.is_mocked(&import.specifier) {
                return no(
                    format!("a test mocks `{}`", import.specifier),
                    "change the import and the test together",
                );
            }
            if is_test && import.taken == ImportKind::Whole {
                return no(
                    format!("`{user}` imports `{barrel}` as a namespace object and may spy on it"),
                    "change the import and the test together",
                );
            }
        }
    }
    if world.is_mocked(barrel) || world.is_mocked(source) {
        return no(format!("a test mocks `{barrel}`"), "change the import and the test together");
    }
    Ok(())
}
