//! `rename`: a symbol gets another name, in every file that knows it.
//!
//! What names it for sure is edited, as one chain. What may mean it and what would be taken for something else forbids the
//! whole, with the place. Strings, comments and documents are listed apart and never edited. Files keep their names.

mod by_server;
mod class;
mod doubles;
mod doubts;
mod exports;
mod file;
mod holder;
mod look;
mod members;
mod mentions;
mod private;
mod scope;
mod spread;
mod target;
#[cfg(test)]
mod tests;
mod users;
mod who;

use oxc_ast::AstKind;
use oxc_semantic::SymbolId;
use oxc_span::Span;
use rb_ecma::Module;
use rb_operations::Operation;
use rb_rules::Target;

use self::file::{File, FileResult, Names};
use self::holder::HolderKind;
use self::spread::Spread;
use self::target::{Kind, Symbol};
use crate::links::{ImportKind, links};
use crate::operations;
use crate::plan::{Plan, Site};
use crate::recipe::{Doc, DocLanguage, PlanError, Planning, Recipe};

pub static RECIPE: Recipe = Recipe {
    id: "rename",
    title: "Rename a symbol across the project",
    doc: Doc {
        language: DocLanguage::JavaScript,
        what: "Renames a function, variable, class, type, enum, component or member: its declarations and all uses, \
               imports, re-exports, CommonJS exports, namespace members, test mocks and `.d.ts` twins. In Python \
               a function, class, method, attribute, constant or variable: `path/to/file.py#name`; there \
               `keep-name-in` names modules that keep the old name, `alias=true` keeps it as an alias, \
               `rename-tests=true` renames tests that are named after it, `rename-files=true` their files, too, and \
               `note-in-changelogs` is written into changelogs. In Go, Rust, Java, C#, C and C++ the language server \
               that you have installed finds the uses; `refactor-bot doctor` lists the servers found.",
        before: "export function load() {}\n// other.ts\nimport { load } from './a';\nload();",
        after: "export function read() {}\n// other.ts\nimport { read } from './a';\nread();",
        safe: "Every use is known, and the new name would not capture or shadow anything.",
        leaves: "Everything, with the places, if a use cannot be followed or the new name is taken. Strings, comments \
                 and documents are listed. A public name is changed because you ask for it; a note says how to keep \
                 the old one as well.",
    },
    wants: &[],
    needs: &["symbol", "to"],
    takes: &["keep-name-in", "alias", "rename-tests", "rename-files", "note-in-changelogs"],
    plan,
};

/// Names that mean something wherever they stand.
const RESERVED: &[&str] = &[
    "arguments",
    "await",
    "eval",
    "let",
    "static",
    "yield",
    "async",
    "of",
    "undefined",
    "NaN",
    "Infinity",
    "globalThis",
    "require",
    "module",
    "exports",
    "__dirname",
    "__filename",
    "implements",
    "interface",
    "package",
    "private",
    "protected",
    "public",
    "as",
    "any",
    "unknown",
    "never",
    "string",
    "number",
    "boolean",
    "symbol",
    "object",
    "bigint",
    "type",
];

/// What loads scripts and calls them.
const PAGES: &[&str] = &[".html", ".htm", ".ejs", ".hbs", ".php", ".erb", ".pug", ".njk", ".twig"];

fn plan(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    if is_of_python(planning.argument("symbol")?) {
        return in_python(planning);
    }
    if by_server::is_served(planning.argument("symbol")?) {
        return by_server::plan(planning);
    }
    let asked = target::asked(planning.argument("symbol")?)?;
    let new = planning.argument("to")?;
    check_name(new, asked.member)?;
    let symbol = match target::find(planning, &asked) {
        Err(missing) if asked.path.is_none() && !missing.to_string().contains(target::SEVERAL) => {
            return by_server::plan_by_name(planning, &asked)?.ok_or(missing);
        }
        found => found?,
    };
    let old = asked.member.unwrap_or(asked.name).trim_start_matches('#');
    let new = new.trim_start_matches('#');
    if old == new {
        return Err(PlanError::Argument(format!("`{old}` already has that name")));
    }
    let names = Names { old: old.to_owned(), new: new.to_owned() };
    let mut spread = Spread::new(planning, names);
    match &symbol.kind {
        Kind::Binding(start) => binding(&mut spread, &symbol, *start)?,
        Kind::Export => {
            spread.file(&symbol.path, exports::common);
        }
        Kind::Member(member) => members::rename(&mut spread, &symbol, member)?,
    }
    spread.follow()?;
    spread.doubt()?;
    finish(spread, &symbol)
}

fn is_of_python(symbol: &str) -> bool {
    symbol.split_once('#').is_some_and(|(path, _)| operations::is_python(path))
}

fn in_python(planning: &Planning<'_>) -> Result<Plan, PlanError> {
    let operation = Operation::Rename {
        symbol: operations::symbol(planning.argument("symbol")?)?,
        to: planning.argument("to")?.to_owned(),
        keep_name_in: planning.list("keep-name-in"),
        alias: planning.flag("alias")?,
        rename_tests: planning.flag("rename-tests")?,
        rename_files: planning.flag("rename-files")?,
        note_in_changelogs: planning.optional("note-in-changelogs").map(str::to_owned),
    };
    operations::plan(planning, &[operation])
}

fn check_name(new: &str, member: Option<&str>) -> Result<(), PlanError> {
    let is_private = member.is_some_and(|it| it.starts_with('#'));
    let plain = if is_private { new.strip_prefix('#').unwrap_or(new) } else { new };
    if !oxc_syntax::identifier::is_identifier_name(plain) {
        return Err(PlanError::Argument(format!("`{new}` is not a valid name")));
    }
    let is_reserved = oxc_syntax::keyword::is_reserved_keyword(plain) || RESERVED.contains(&plain);
    if is_reserved && member.is_none()
        || plain == "constructor"
        || plain == "prototype"
        || plain == "__proto__"
    {
        return Err(PlanError::Argument(format!("`{new}` is a reserved word")));
    }
    Ok(())
}

/// A function, variable, class, type …
fn binding(spread: &mut Spread<'_>, symbol: &Symbol, start: u32) -> Result<(), PlanError> {
    let mut is_type = false;
    spread.file(&symbol.path, |file, found| is_type = own(file, start, found));
    if is_type {
        (spread.whole, spread.held) = (HolderKind::Types, HolderKind::Types);
    }
    if !spread.changed.is_empty() {
        for twin in target::twins(spread.planning.world, &symbol.path) {
            spread.file(&twin, |file, found| {
                if let Some(id) = file.bound(file.module.scoping().root_scope_id(), file.old()) {
                    let _ = own(file, file.module.scoping().symbol_span(id).start, found);
                }
            });
        }
    }
    let links = links(spread.planning.world, &symbol.path);
    if links.as_ref().is_some_and(|it| {
        it.export("default").is_some_and(|it| it.local.as_deref() == Some(&symbol.name))
    }) {
        default_imports(spread, symbol);
    }
    if links.is_some_and(|it| !it.is_esm && it.imports.is_empty() && it.exports.is_empty()) {
        global(spread, symbol)?;
    }
    Ok(())
}

/// Renames it in its own file. True where it is a type and nothing else.
fn own(file: &File<'_, '_>, start: u32, found: &mut FileResult) -> bool {
    let scoping = file.module.scoping();
    let Some(id) = scoping.symbol_ids().find(|&it| scoping.symbol_span(it).start == start) else {
        return false;
    };
    if is_ambient(file.module, id) && !target::is_declaration(file.path) {
        let reason = format!("`{}` is only declared: it is a global of that name", file.old());
        file.stop(found, scoping.symbol_span(id), &reason, "rename it where it is made");
    }
    let clashes = scope::rename(file, id, found);
    found.left.extend(clashes);
    exports::follow(file, id, true, found);
    scoping.symbol_flags(id).is_type() && !scoping.symbol_flags(id).is_value()
}

/// `declare const NAME` promises that something of that name is there.
fn is_ambient(module: &Module<'_>, id: SymbolId) -> bool {
    let node = module.scoping().symbol_declaration(id);
    match module.nodes().kind(node) {
        AstKind::VariableDeclarator(_) => matches!(
            module.nodes().parent_kind(node),
            AstKind::VariableDeclaration(it) if it.declare
        ),
        AstKind::Function(it) => it.declare,
        AstKind::Class(it) => it.declare,
        AstKind::TSEnumDeclaration(it) => it.declare,
        _ => false,
    }
}

/// The default of a file has no name for others: theirs is their own, and stays.
fn default_imports(spread: &mut Spread<'_>, symbol: &Symbol) {
    let world = spread.planning.world;
    let takes = |path: &String| {
        let theirs = links(world, path);
        theirs.iter().flat_map(|it| &it.imports).any(|it| {
            matches!(&it.target, Target::File(target) if *target == symbol.path)
                && it.taken == ImportKind::Name("default".to_owned())
                && it.local.as_ref().is_some_and(|(name, _)| *name == symbol.name)
        })
    };
    let count = world.users(&symbol.path).iter().filter(|it| takes(it)).count();
    if count > 0 {
        let s = if count == 1 { "file imports" } else { "files import" };
        spread.chain.notes.push(format!(
            "{count} {s} the default as `{}`; that name is not changed",
            symbol.name
        ));
    }
}

/// A script that is no module shares its names with every other one.
fn global(spread: &mut Spread<'_>, symbol: &Symbol) -> Result<(), PlanError> {
    let names = spread.names.clone();
    let world = spread.planning.world;
    let files = spread.speaking()?.to_vec();
    let found = spread.planning.over_modules(&files, |path, module| {
        let file = File { module, path, names: &names, world };
        let uses =
            module.identifiers().iter().filter(|it| it.name == file.old() && module.is_global(it));
        let reason = format!(
            "this may be the `{}` of {}, which is a script, not a module",
            file.old(),
            symbol.path
        );
        let left = |span: Span| file.left(span, &reason, "make it a module first");
        if path == symbol.path { Vec::new() } else { uses.map(|it| left(it.span)).collect() }
    })?;
    spread.left.extend(found.into_iter().flat_map(|(_, it)| it));
    let mut pages = world.all_paths();
    pages.retain(|path| PAGES.iter().any(|it| path.ends_with(it)));
    let pages = spread
        .planning
        .over(&pages, |path| file::has_word(&world.text(path)?, &names.old).then_some(()))?;
    for (path, ()) in pages {
        let reason = format!(
            "the page may call `{}` of {}, which is a script, not a module",
            names.old, symbol.path
        );
        spread.left.push(spread::whole_file(&path, &names.old, &reason, "make it a module first"));
    }
    Ok(())
}

/// The plan: one chain, or everything that is in its way.
fn finish(spread: Spread<'_>, symbol: &Symbol) -> Result<Plan, PlanError> {
    let aliases = spread.aliases();
    let Spread { planning, names, mut chain, left, .. } = spread;
    let (mentions, count) = mentions::mentions(planning, &names.old, &chain)?;
    let mut plan = Plan { chains: Vec::new(), left, mentions };
    if plan.left.is_empty() {
        let files = chain.edits.len();
        let s = if files == 1 { "" } else { "s" };
        chain.title = format!("`{}` renamed to `{}` in {files} file{s}", names.old, names.new);
        let what = format!("`{}` → `{}`", names.old, names.new);
        chain.sites.push(Site { path: symbol.path.clone(), line: symbol.line, what });
        if count > 0 {
            let s = if count == 1 { "place mentions" } else { "places mention" };
            chain
                .notes
                .push(format!("{count} {s} `{}` in strings, comments or documents", names.old));
        }
        if !matches!(symbol.kind, Kind::Member(_)) {
            chain.renames.insert(names.old.clone(), names.new.clone());
        }
        chain.notes.extend(aliases);
        chain.notes.sort();
        chain.notes.dedup();
        plan.chains.push(chain);
    }
    plan.tidy();
    Ok(plan)
}
