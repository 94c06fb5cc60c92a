//! A cache on the server that only grows.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, NewExpression, TSType};
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_ecma::{Func, Module, Types};

use super::entries::{Exported, exports, is_server_source};
use super::names::has_word;
use crate::cx::{Cx, Hit};
use crate::facts::{PackageFacts, Realm};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "server-cache-lru",
    title: "A cache between requests has no bounds",
    category: Category::Server,
    impact: Impact::High,
    fix: FixKind::Detect,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "Server code fills a module-level `Map` as a cache and never removes an entry.",
        why: "A map that only grows uses up the memory of the process and serves stale values forever.",
        wrong: "const plans = new Map<string, Plan>();

export async function getPlan(id: string) {
  const hit = plans.get(id);
  if (hit !== undefined) return hit;
  const plan = await readPlan(id);
  plans.set(id, plan);
  return plan;
}",
        right: "import { LRUCache } from 'lru-cache';

const plans = new LRUCache<string, Plan>({ max: 500, ttl: 60_000 });

export async function getPlan(id: string) {
  const hit = plans.get(id);
  if (hit !== undefined) return hit;
  const plan = await readPlan(id);
  plans.set(id, plan);
  return plan;
}",
        safe: "No fix is offered: how old the data may be, what invalidates it and who owns it are decisions. Data \
               of a user or tenant needs that user or tenant in the key.",
        leave: "The keys are few and fixed, or the process lives for only one request or command.",
        given: &[Given::Next(15, 1), Given::Path("src/lib/plans.ts"), Given::Realm(Realm::Server)],
    },
    wants: &["new Map"],
    applies: is_server_source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    if is_run_and_ends(&cx.facts.package) {
        return;
    }
    let module = cx.module;
    for declarator in module.declarators() {
        let Some(symbol) = declarator.id.get_binding_identifier().and_then(|it| it.symbol_id.get())
        else {
            continue;
        };
        let Some(Expression::NewExpression(made)) =
            declarator.init.as_ref().map(Expression::get_inner_expression)
        else {
            continue;
        };
        let is_map = module.is_global_named(&made.callee, "Map") && made.arguments.is_empty();
        if !is_map || !module.is_top_level(symbol) || has_few_keys(module, made, symbol) {
            continue;
        }
        if let Some(set) = filled(module, symbol) {
            let name = module.name(symbol);
            cx.report(Hit::at(
                set.span,
                format!("`{name}` keeps every entry until the server stops; limit its size and age, for example with `lru-cache`"),
            ));
        }
    }
}

/// Is it a program of the command line, which has no server in it? What it keeps is gone when it ends.
fn is_run_and_ends(package: &PackageFacts) -> bool {
    const COMMANDS: &[&str] =
        &["@oclif/core", "cac", "citty", "clipanion", "commander", "ink", "meow", "sade", "yargs"];
    const SERVERS: &[&str] = &[
        "@hono/node-server",
        "@nestjs/core",
        "express",
        "fastify",
        "h3",
        "hono",
        "koa",
        "nitropack",
        "polka",
    ];
    let depends = |names: &[&str]| names.iter().any(|it| package.depends_on(it));
    !package.uses_next && !package.ssr && depends(COMMANDS) && !depends(SERVERS)
}

/// A type of keys that says there are not many of them.
fn has_few_keys<'a>(module: &Module<'a>, made: &'a NewExpression<'a>, symbol: SymbolId) -> bool {
    let written = made.type_arguments.as_ref().and_then(|it| it.params.first());
    let declared =
        module.declared_type_of(symbol).and_then(|it| module.type_argument(it, &["Map"]));
    match written.or(declared) {
        None | Some(TSType::TSStringKeyword(_) | TSType::TSNumberKeyword(_)) => false,
        Some(_) => true,
    }
}

/// The `set` of a function that looks the key up first, where nothing is ever taken out.
fn filled<'a>(module: &Module<'a>, symbol: SymbolId) -> Option<&'a CallExpression<'a>> {
    let mut sets = Vec::new();
    let mut lookups = Vec::new();
    for at in module.value_uses(symbol) {
        let mut around = module.ancestors(at.node);
        // Handed on, exported, gone through: somebody else may take out.
        let AstKind::StaticMemberExpression(member) = around.next()? else { return None };
        match (member.property.name.as_str(), around.next()?) {
            ("set", AstKind::CallExpression(call)) => sets.push(call),
            ("get" | "has", AstKind::CallExpression(call)) => lookups.push(call),
            _ => return None,
        }
    }
    if is_exported(module, symbol) {
        return None;
    }
    sets.into_iter().find(|set| {
        let Some(func) = module.function_around(set.node_id.get()) else { return false };
        lookups.iter().any(|it| func.span().contains_inclusive(it.span))
            && is_open_key(module, set, func)
    })
}

fn is_exported(module: &Module<'_>, symbol: SymbolId) -> bool {
    let at = module.scoping().symbol_span(symbol);
    exports(module).iter().any(|it| match it.value {
        Exported::Value(_) => it.at == at || it.name == module.name(symbol),
        Exported::Function(_) | Exported::From { .. } => false,
    })
}

/// Keys of which there are not many, by what they are called.
const FEW: &[&str] = &[
    "locale",
    "lang",
    "language",
    "env",
    "region",
    "theme",
    "type",
    "kind",
    "provider",
    "model",
    "currency",
    "name",
    "module",
    "file",
    "filename",
    "path",
    "component",
    "template",
    "icon",
    "font",
    "namespace",
    "plugin",
    "version",
    "format",
    "mode",
    "country",
    "flag",
    "flags",
    "feature",
    "setting",
    "settings",
    "config",
    "schema",
    "root",
    "dir",
    "directory",
    "cwd",
];

/// Does the key come from outside, with any number of values?
fn is_open_key<'a>(module: &Module<'a>, set: &CallExpression<'a>, func: Func<'a>) -> bool {
    let Some(key) = set.arguments.first().and_then(|it| it.as_expression()) else { return false };
    let params = func.params().span;
    let is_param =
        |symbol: SymbolId| params.contains_inclusive(module.scoping().symbol_span(symbol));
    let is_given = |symbol: SymbolId| {
        let init = module.declarator(symbol).and_then(|it| it.init.as_ref());
        is_param(symbol)
            || init.is_some_and(|it| module.captures(it.span()).into_iter().any(is_param))
    };
    let mut names = module.identifiers_in(key.span()).iter().filter_map(|it| module.symbol(it));
    names.any(is_given)
        && module.types(key).may_be(Types::STRING | Types::NUMBER)
        && !has_word(&spoken_of(module, set, key), FEW)
}

/// The words around a key: its own, those of what it is made of, and the name of the map.
fn spoken_of<'a>(module: &Module<'a>, set: &CallExpression<'a>, key: &Expression<'a>) -> String {
    let made = module.resolved(key);
    [set.callee.span(), key.span(), made.span()].map(|it| module.slice(it)).join(" ")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::RULE;
    use crate::facts::Realm;
    use crate::testing::{Setup, check_doc};

    fn setup() -> Setup {
        Setup::new().next(15, 1).realm(Realm::Server).path("src/lib/plans.ts")
    }

    fn check(text: &str, expected: Expect) {
        setup().check(&RULE, text, expected);
    }

    #[test]
    fn ru1_server_cache_lru_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_server_cache_lru_finds_maps_that_grow() {
        check(
            "const users: Map<string, User> = new Map();
export const load = async (id: string) => {
  const key = `user:${id}`;
  if (!users.has(key)) users.set(key, await read(id));
  return users.get(key);
};",
            expect![[r#"
                4:24 warning: `users` keeps every entry until the server stops; limit its size and age, for example with `lru-cache`
            "#]],
        );
        setup().path("src/lib/plans.js").check(
            &RULE,
            "const kept = new Map();
export async function load(id) {
  if (kept.has(id)) return kept.get(id);
  const row = await read(id);
  kept.set(id, row);
  return row;
}",
            expect![[r#"
                5:3 warning: `kept` keeps every entry until the server stops; limit its size and age, for example with `lru-cache`
            "#]],
        );
    }

    #[test]
    fn ru1_server_cache_lru_leaves_false_positives() {
        let cache = |map: &str, body: &str| {
            format!(
                "const kept = {map};\nexport async function load(id: string, locale: string) {{ if (kept.has(id)) return kept.get(id); {body} }}"
            )
        };
        for code in [
            // Entries are taken out.
            cache("new Map<string, X>()", "kept.set(id, 1); setTimeout(() => kept.delete(id), 1000);"),
            cache("new Map<string, X>()", "if (kept.size > 100) kept.clear(); kept.set(id, 1);"),
            // Few keys.
            cache("new Map<Locale, X>()", "kept.set(id, 1);"),
            cache("new Map<string, X>()", "kept.set(locale, 1);"),
            cache("new Map<string, X>()", "kept.set('all', 1);"),
            cache("new Map<string, X>()", "const key = `${locale}:1`; kept.set(key, 1);"),
            cache("new Map<string, X>()", "kept.set(id, 1);").replace("kept", "flagCache"),
            cache("new Map<string, X>()", "kept.set(id, 1);").replace("id", "workspaceRoot"),
            // Bounded, or gone with its key.
            cache("new LRUCache<string, X>({ max: 1 })", "kept.set(id, 1);"),
            cache("new WeakMap()", "kept.set(id, 1);"),
            // In the hands of others.
            cache("new Map<string, X>()", "kept.set(id, 1); sweep(kept);"),
            // A registry, filled and not asked.
            "const all = new Map<string, X>();\nexport function add(id: string, x: X) { all.set(id, x); }\nexport const one = (id: string) => all.get(id);".to_owned(),
            // Of one call.
            "export function f(id: string) { const kept = new Map<string, X>(); if (!kept.has(id)) kept.set(id, 1); return kept; }".to_owned(),
        ] {
            setup().silent(&RULE, &code);
        }
        setup().realm(Realm::Both).silent(&RULE, RULE.doc.wrong);
        // A program that is run and ends.
        let with = |names: &[&str]| {
            let names: Vec<Box<str>> = names.iter().map(|it| (*it).into()).collect();
            Setup::new().realm(Realm::Server).package(|it| it.dependencies.extend(names))
        };
        with(&["commander", "zod"]).silent(&RULE, RULE.doc.wrong);
        assert_eq!(with(&["commander", "fastify"]).findings(&RULE, RULE.doc.wrong).len(), 1);
        assert_eq!(with(&["zod"]).findings(&RULE, RULE.doc.wrong).len(), 1);
    }
}
