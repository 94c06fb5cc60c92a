//! A few names imported through an index that loads dozens or hundreds of modules.

mod package;
mod project;
mod quiet;
mod rewrite;
mod subpath;
mod table;
#[cfg(test)]
mod tests;
mod wanted;

use std::collections::BTreeSet;
use std::sync::Arc;

use oxc_ast::AstKind;
use oxc_ast::ast::{ImportDeclaration, ImportDeclarationSpecifier, Statement};
use rb_ecma::{ImportBinding, Imported, Module, Use};

use self::package::{Barrel, Direct};
use self::project::ProjectBarrel;
use self::rewrite::{Name, rewritten};
use super::uses::is_backend;
use crate::cx::{Cx, Hit};
use crate::facts::{FileKind, Realm};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};
use crate::world::{Condition, Target};

/// Packages that are one large module to the outside, but have a module per name as well, which is another copy.
const COPIES: &[&str] = &["lodash"];
/// A namespace of which more is used is wanted as a whole.
const MAX_NAMES: usize = 30;
/// Who takes more modules of an index of the project than these does not take a few.
const MAX_TAKEN: usize = 8;

pub static RULE: Rule = Rule {
    id: "bundle-barrel-imports",
    title: "Import names from their own module, not through a large index",
    category: Category::Bundle,
    impact: Impact::Critical,
    fix: FixKind::Auto,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "An import takes a few names from an index that re-exports dozens or hundreds of modules: the root of \
               a large package, or an `index` file of the project that is mostly unused. The whole index is read \
               each time the development server, a test or a function starts.",
        why: "Slow starts and slow tests; larger bundles if something in the index prevents tree shaking.",
        wrong: "import { Home, Trash } from 'icons';\nexport const Bar = () => <><Home /><Trash /></>;",
        right: "import Home from 'icons/home';\nimport Trash from 'icons/trash';\n\
                export const Bar = () => <><Home /><Trash /></>;",
        safe: "The index of the installed package says which module a name comes from, and its `exports` which \
               specifier leads there. The result must resolve to the very same file, have types if the file is \
               TypeScript, and be the same for `import` and `require`. For an index of the project, no module behind \
               it may have side effects when loaded, and none may be part of an import cycle. If a test mocks the \
               index, if the file re-exports the name, or if one of these conditions is not proved, the fix is a \
               draft.",
        leave: "The framework already does it (`optimizePackageImports` of Next.js); then nothing is reported, nor \
                for a project index that is small or mostly needed anyway. In production, a bundler drops most of it \
                by itself if the package declares `sideEffects: false`.",
        given: &[
            Given::File(
                "node_modules/icons/package.json",
                r#"{"name":"icons","type":"module","sideEffects":false,"exports":{".":{"types":"./index.d.ts","default":"./index.js"},"./home":{"types":"./icon.d.ts","default":"./home.js"},"./trash":{"types":"./icon.d.ts","default":"./trash.js"}}}"#,
            ),
            Given::File(
                "node_modules/icons/index.js",
                "export { default as Home } from './home.js'; export { default as Trash } from './trash.js';
                 export * from './a.js'; export * from './b.js'; export * from './c.js'; export * from './d.js';
                 export * from './e.js'; export * from './f.js'; export * from './g.js'; export * from './h.js';
                 export * from './i.js'; export * from './j.js'; export * from './k.js'; export * from './l.js';
                 export * from './m.js'; export * from './n.js'; export * from './o.js'; export * from './p.js';
                 export * from './q.js'; export * from './r.js';",
            ),
            Given::File("node_modules/icons/home.js", "export default function Home() { return null; }"),
            Given::File("node_modules/icons/trash.js", "export default function Trash() { return null; }"),
            Given::File("node_modules/icons/icon.d.ts", "declare const icon: () => null; export default icon;"),
            Given::File("tsconfig.json", r#"{"compilerOptions":{"moduleResolution":"bundler"}}"#),
        ],
    },
    wants: &["import"],
    applies: |facts| {
        facts.package.uses_react
            && !facts.package.react_native
            && !matches!(facts.kind, FileKind::Declaration | FileKind::Generated | FileKind::Vendored)
    },
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    // One word for an index, however often it is imported.
    let mut seen = Vec::new();
    for declaration in cx.module.import_declarations() {
        let target = match cx.world.resolve(&cx.facts.path, declaration.source.value.as_str()) {
            Target::Package(_) => Target::Package(declaration.source.value.to_string()),
            other => other,
        };
        if !seen.contains(&target)
            && let Some(hit) = look(cx, declaration)
        {
            seen.push(target);
            cx.report(hit);
        }
    }
}

fn look<'a>(cx: &Cx<'_, 'a>, declaration: &'a ImportDeclaration<'a>) -> Option<Hit> {
    if declaration.import_kind.is_type() || declaration.with_clause.is_some() {
        return None;
    }
    let names = names(cx.module, declaration)?;
    let source = declaration.source.value.as_str();
    match cx.world.resolve(&cx.facts.path, source) {
        Target::File(index) => {
            // A server loads its files once; nobody waits for that.
            let barrel = ProjectBarrel::find(cx.world, cx.facts, index, source)
                .filter(|_| cx.facts.is_client() && !is_backend(&cx.facts.path))?;
            let found: Vec<Option<Direct>> =
                names.iter().map(|it| barrel.direct(&it.exported)).collect();
            let taken: BTreeSet<&str> = found.iter().flatten().map(|it| &*it.specifier).collect();
            if taken.len() > MAX_TAKEN || taken.len() * 4 > barrel.modules || barrel.is_cheap() {
                return None;
            }
            hit(cx, declaration, &names, &found, barrel.modules, true)
        }
        Target::Package(package) => {
            let is_handled =
                [source, &package].iter().any(|it| cx.world.is_optimized(&cx.facts.path, it));
            // Neither is a package that a server loads part of any bundle.
            let is_bundled = cx.facts.realm != Realm::Server && !is_backend(&cx.facts.path);
            if is_handled || !is_bundled {
                return None;
            }
            if COPIES.contains(&source) {
                return copies(cx, declaration, &names);
            }
            let Some(barrel) = Barrel::find(cx.world, cx.facts, &package, source) else {
                return not_installed(cx, declaration, &names);
            };
            let typed = cx.module.is_typescript();
            let found: Vec<Option<Direct>> =
                names.iter().map(|it| barrel.direct(&it.exported, typed)).collect();
            hit(cx, declaration, &names, &found, barrel.modules, barrel.is_shaken())
        }
        Target::Builtin | Target::Unknown => None,
    }
}

/// Packages whose root is an index of hundreds of modules, each of which can be imported by itself.
const LARGE: &[&str] = &[
    "@mui/icons-material",
    "@mui/material",
    "@phosphor-icons/react",
    "@tabler/icons-react",
    "antd",
    "date-fns",
    "lodash-es",
    "lucide-react",
    "ramda",
    "react-bootstrap",
    "react-use",
];

/// A package that is known to have a large index, where it cannot be read.
fn not_installed<'a>(
    cx: &Cx<'_, 'a>,
    declaration: &'a ImportDeclaration<'a>,
    names: &[Name<'a>],
) -> Option<Hit> {
    let source = declaration.source.value.as_str();
    let is_missing = cx.world.installed(&cx.facts.path, source, Condition::Import).is_none()
        && cx.facts.is_client();
    let message = format!(
        "`{source}` is a barrel of hundreds of modules; import {} directly",
        list(names.iter())
    );
    let is_told = is_missing && LARGE.contains(&source) && is_first_to_import(cx, source);
    is_told.then(|| {
        let hit = Hit::at(declaration.span, message);
        hit.likely("the package is not installed, so its modules cannot be checked")
    })
}

/// Is the file the first of its package that imports this? One word is enough for what is missing everywhere.
fn is_first_to_import(cx: &Cx<'_, '_>, source: &str) -> bool {
    const QUESTION: &str = "first to import a package";
    let dir = &*cx.facts.package.dir;
    let known = cx.world.recall(QUESTION, dir, source);
    let first = known.and_then(|it| it.downcast_ref::<Option<String>>().cloned());
    let first = first.unwrap_or_else(|| {
        let quoted = [format!("from '{source}'"), format!("from \"{source}\"")];
        let mut paths = cx.world.paths();
        paths.sort_unstable();
        let first = paths.into_iter().find(|path| {
            let is_source = cx.world.facts(path).is_some_and(|it| {
                it.kind == FileKind::Source && it.is_client() && *it.package.dir == *dir
            });
            let text = cx.world.text(path).filter(|_| is_source);
            text.is_some_and(|text| quoted.iter().any(|it| text.contains(it)))
        });
        cx.world.remember(QUESTION, dir, source, Arc::new(first.clone()));
        first
    });
    first.is_none_or(|it| *it == *cx.facts.path)
}

/// `lodash`: each function has a module, but what it shares with the others it has for itself.
fn copies<'a>(
    cx: &Cx<'_, 'a>,
    declaration: &'a ImportDeclaration<'a>,
    names: &[Name<'a>],
) -> Option<Hit> {
    let source = declaration.source.value.as_str();
    let direct = |it: &Name<'a>| {
        let specifier = format!("{source}/{}", it.exported);
        cx.world.installed(&cx.facts.path, &specifier, Condition::Import)?;
        let doubt =
            Some(format!("`{specifier}` is a separate copy with a CommonJS default export"));
        Some(Direct { specifier, name: "default".to_owned(), doubt })
    };
    let found: Vec<Option<Direct>> = names.iter().map(direct).collect();
    let said = list(names.iter().zip(&found).filter(|(_, it)| it.is_some()).map(|(it, _)| it));
    if said.is_empty() {
        return None;
    }
    let message = format!(
        "importing {said} from `{source}` loads the whole library; import the function's own module"
    );
    let doubt = found.iter().flatten().find_map(|it| it.doubt.clone());
    let edits = rewritten(cx.module, declaration, names, &found)?;
    Some(Hit::at(declaration.span, message).auto_unless(
        doubt,
        "import from the function's module",
        edits,
    ))
}

fn hit<'a>(
    cx: &Cx<'_, 'a>,
    declaration: &'a ImportDeclaration<'a>,
    names: &[Name<'a>],
    found: &[Option<Direct>],
    modules: usize,
    is_low: bool,
) -> Option<Hit> {
    let source = declaration.source.value.as_str();
    let said = list(names.iter().zip(found).filter(|(_, it)| it.is_some()).map(|(it, _)| it));
    if said.is_empty() {
        return None;
    }
    let message = format!("`{source}` is a barrel of {modules} modules; import {said} directly");
    let hit = Hit::at(declaration.span, message);
    let hit = if is_low { hit.low() } else { hit };
    let Some(edits) = rewritten(cx.module, declaration, names, found) else { return Some(hit) };
    let doubt = doubt(cx, declaration, names)
        .or_else(|| found.iter().flatten().find_map(|it| it.doubt.clone()));
    let many = if found.iter().flatten().count() > 1 {
        "each name from its own module"
    } else {
        "it from its own module"
    };
    Some(hit.auto_unless(doubt, format!("import {many}"), edits))
}

/// What speaks against it in the file itself.
fn doubt<'a>(
    cx: &Cx<'_, 'a>,
    declaration: &'a ImportDeclaration<'a>,
    names: &[Name<'a>],
) -> Option<String> {
    let module = cx.module;
    let source = declaration.source.value.as_str();
    if cx.world.is_mocked(source) {
        return Some(format!("a test mocks `{source}`"));
    }
    if module.has_comment(declaration.span) {
        return Some("the import contains a comment".to_owned());
    }
    if names.iter().any(|it| it.is_member) {
        return Some("namespace functions are called with the namespace as `this`".to_owned());
    }
    let is_given_on = names.iter().any(|name| {
        module.uses(name.binding.symbol).any(|it| {
            matches!(
                module.parent(it.node),
                AstKind::ExportSpecifier(_) | AstKind::ExportDefaultDeclaration(_)
            )
        })
    });
    let has_export = module.program().body.iter().any(|it| match it {
        Statement::ExportFromDeclaration(it) => it.source.value == source,
        Statement::ExportAllDeclaration(it) => it.source.value == source,
        _ => false,
    });
    if is_given_on || has_export {
        return Some(format!("this file re-exports names from `{source}`"));
    }
    let is_type =
        |it: &Use<'a>| it.is_type() && !matches!(module.parent(it.node), AstKind::TSTypeQuery(_));
    let both = names.iter().find(|it| {
        module.uses(it.binding.symbol).any(|it| is_type(&it)) && !is_class(cx, &it.binding)
    });
    both.map(|it| format!("`{}` is also used as a type", it.exported))
}

/// A class or an enum of the project is a value and a type by one declaration. Two that share a name may lie apart, as they
/// do in packages.
fn is_class(cx: &Cx<'_, '_>, import: &ImportBinding<'_>) -> bool {
    let Some((file, name)) = cx.origin(import) else { return false };
    let found = cx.world.ask("class or enum", &file, &name, |module| {
        module.program().body.iter().any(|it| {
            let declared = match it {
                Statement::ExportDeclaration(it) => it.declaration.id(),
                other => other.as_declaration().and_then(|it| it.id()),
            };
            declared.is_some_and(|id| {
                let symbol = id.symbol_id.get().map(|it| module.declaration(it));
                let is_both =
                    matches!(symbol, Some(AstKind::Class(_) | AstKind::TSEnumDeclaration(_)));
                id.name == *name.as_str() && is_both
            })
        })
    });
    found.unwrap_or(false)
}

/// The names that are used when the program runs. `None` for what cannot be told apart.
fn names<'a>(module: &Module<'a>, declaration: &'a ImportDeclaration<'a>) -> Option<Vec<Name<'a>>> {
    let mut found = Vec::new();
    for specifier in declaration.specifiers.as_ref()? {
        let binding = binding(module, specifier)?;
        match binding.imported {
            _ if binding.is_type || !is_value(module, binding) => {}
            Imported::Default => {}
            Imported::Named(name) => {
                found.push(Name { binding: *binding, exported: name.to_owned(), is_member: false });
            }
            Imported::Namespace => {
                for name in members(module, binding)? {
                    found.push(Name { binding: *binding, exported: name, is_member: true });
                }
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

pub(super) fn binding<'m, 'a>(
    module: &'m Module<'a>,
    specifier: &ImportDeclarationSpecifier<'a>,
) -> Option<&'m ImportBinding<'a>> {
    module.import(specifier.local().symbol_id.get()?)
}

fn is_value(module: &Module<'_>, binding: &ImportBinding<'_>) -> bool {
    module.uses(binding.symbol).any(|it| is_read_when_run(module, &it))
}

fn is_read_when_run<'a>(module: &Module<'a>, it: &Use<'a>) -> bool {
    let is_export = matches!(module.parent(it.node), AstKind::ExportSpecifier(_));
    is_export || (!it.is_type() && !it.flags.is_value_as_type())
}

/// The names of a namespace that are used, sorted; `None` where it is used as a whole, or very much of it.
fn members(module: &Module<'_>, binding: &ImportBinding<'_>) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for it in module.uses(binding.symbol) {
        names.push(rewrite::member(module, &it)?.0.to_owned());
    }
    names.sort_unstable();
    names.dedup();
    (names.len() <= MAX_NAMES).then_some(names)
}

/// `` `A`, `B` and 3 more ``
fn list<'n, 'a: 'n>(names: impl Iterator<Item = &'n Name<'a>>) -> String {
    let names: Vec<String> = names.map(|it| format!("`{}`", it.exported)).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] if names.len() <= 3 => format!("{} and {last}", some.join(", ")),
        [first, second, rest @ ..] => format!("{first}, {second} and {} more", rest.len()),
    }
}
