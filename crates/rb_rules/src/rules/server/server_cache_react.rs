//! `React.cache` that never hits, and reads that one request makes twice for lack of it.

use oxc_ast::ast::{CallExpression, Expression};
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_core::Edit;
use rb_ecma::{Func, Module};

use super::callers::{Caller, callers};
use super::deeds::{Deed, ModuleInProject};
use super::entries::{EntryKind, Exported, exports, is_action_file, is_server_source};
use super::names::{calls_in, has_word, path_of};
use crate::cx::{Cx, Hit};
use crate::facts::{Facts, FileKind, Realm, Route};
use crate::rule::{Category, Doc, FixKind, Given, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "server-cache-react",
    title: "A read of one request is not shared",
    category: Category::Server,
    impact: Impact::Medium,
    fix: FixKind::Assist,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A function wrapped in React's `cache` is called in two or more places with an object, array or \
               function literal. Or: two parts of one page, such as its component and `generateMetadata`, run the \
               same database query and do not share the result.",
        why: "`cache` compares arguments by identity, so a new object never hits. Without `cache`, the query runs \
              once per caller in the request; only `fetch` is deduplicated automatically.",
        wrong: "import { cache } from 'react';

const getOrg = cache(async (q: { id: string }) => readOrg(q.id));

export async function generateMetadata() {
  return { title: (await getOrg({ id: 'x' })).name };
}

export default async function Page() {
  return <Org org={await getOrg({ id: 'x' })} />;
}",
        right: "import { cache } from 'react';

const getOrg = cache(async (id: string) => readOrg(id));

export async function generateMetadata() {
  return { title: (await getOrg('x')).name };
}

export default async function Page() {
  return <Org org={await getOrg('x')} />;
}",
        safe: "Always a draft. Wrapping gives all callers in a request the same result object, so a caller that \
               mutates it affects the others, and an error is kept for the rest of the request. `cache` works only \
               for server components.",
        leave: "The callers need separate results, or the query is meant to run again.",
        given: &[
            Given::Next(15, 1),
            Given::Path("src/app/page.tsx"),
            Given::Realm(Realm::Server),
            Given::Route(Route::Page),
        ],
    },
    wants: &[],
    applies: is_server_source,
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    // Nothing is shared where no component is rendered.
    let renders = !matches!(cx.facts.route, Some(Route::Handler | Route::Api | Route::Middleware))
        && !is_action_file(cx.facts, cx.module);
    if renders {
        for &call in cx.module.calls() {
            missed(cx, call);
        }
    }
    let package = &cx.facts.package;
    let has_cache =
        package.react_at_least(19, 0) || (package.app_router && package.next_at_least(13, 4));
    if has_cache && !is_action_file(cx.facts, cx.module) && !cx.module.has_directive("use cache") {
        repeated(cx);
    }
}

/// A call that no other call can share its result with.
fn missed<'a>(cx: &mut Cx<'_, 'a>, call: &'a CallExpression<'a>) {
    let fresh = call.arguments.iter().filter_map(|it| it.as_expression()).find_map(|it| {
        let what = match it.get_inner_expression() {
            Expression::ObjectExpression(_) => "object",
            Expression::ArrayExpression(_) => "array",
            Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_) => {
                "function"
            }
            _ => return None,
        };
        Some((it, what))
    });
    let Some((fresh, what)) = fresh else { return };
    // `export default auth((req) => …)` makes something when the module is loaded.
    if cx.module.function_around(call.node_id.get()).is_none() {
        return;
    }
    let Some(symbol) = cx.module.symbol_of(&call.callee) else { return };
    if is_cached(cx, symbol) && is_shared(cx, symbol) {
        let name = cx.module.name(symbol);
        let cause = format!(
            "`{name}` is cached by argument identity, but this {what} is new on every call, so the cache never hits"
        );
        // What has no plain form can only be kept, or be read without a cache.
        cx.report(if is_plain(fresh) {
            Hit::at(fresh.span(), format!("{cause}; pass strings or numbers"))
        } else {
            Hit::at(fresh.span(), cause).low()
        });
    }
}

/// Could its parts be handed over one by one?
fn is_plain(fresh: &Expression<'_>) -> bool {
    let Expression::ObjectExpression(object) = fresh.get_inner_expression() else { return true };
    object.properties.iter().all(|it| {
        it.as_property().is_some_and(|it| {
            !matches!(
                it.value.get_inner_expression(),
                Expression::ObjectExpression(_) | Expression::ArrayExpression(_)
            )
        })
    })
}

/// Is it called in a second place? Otherwise there is nothing that a call could hit.
fn is_shared(cx: &Cx<'_, '_>, symbol: SymbolId) -> bool {
    let module = cx.module;
    let (file, name) = module
        .import(symbol)
        .and_then(|it| cx.origin(it))
        .unwrap_or_else(|| (cx.facts.path.to_string(), module.name(symbol).to_owned()));
    let called = format!("{name}(");
    let calls = |path: &str| {
        let is_source = cx.world.facts(path).is_some_and(|it| it.kind == FileKind::Source);
        is_source && cx.world.text(path).is_some_and(|it| it.contains(&called))
    };
    let others = cx.world.importers(&file).into_iter().chain(std::iter::once(file));
    module.value_uses(symbol).count() > 1
        || others.filter(|it| **it != *cx.facts.path).any(|it| calls(&it))
}

fn is_cached(cx: &Cx<'_, '_>, symbol: SymbolId) -> bool {
    let module = cx.module;
    if let Some(init) = module.initializer(symbol) {
        return is_cache_call(module, init);
    }
    let Some((file, name)) = module.import(symbol).and_then(|it| cx.origin(it)) else {
        return false;
    };
    let answer = cx.world.ask("made by cache", &file, &name, |module| {
        exports(module).into_iter().any(|it| {
            it.name == name
                && matches!(it.value, Exported::Value(value) if is_cache_call(module, value))
        })
    });
    answer == Some(true)
}

fn is_cache_call<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    matches!(value.get_inner_expression(), Expression::CallExpression(call) if module.is_react_call(call, "cache"))
}

/// A function of the file that may be worth sharing.
struct Candidate<'a> {
    name: &'a str,
    symbol: Option<SymbolId>,
    exported: Option<&'a str>,
    func: Func<'a>,
}

fn candidates<'a>(module: &Module<'a>) -> Vec<Candidate<'a>> {
    let exported = exports(module);
    let of = |func: Func<'a>| {
        let found = exported
            .iter()
            .find(|it| matches!(it.value, Exported::Function(it) if it.span() == func.span()));
        found.map(|it| it.name)
    };
    module
        .functions()
        .iter()
        .filter(|view| view.symbol.is_some_and(|it| module.is_top_level(it)))
        .filter_map(|view| {
            let exported = of(view.func);
            Some(Candidate { name: view.name?, symbol: view.symbol, exported, func: view.func })
        })
        .collect()
}

fn repeated(cx: &mut Cx<'_, '_>) {
    for candidate in candidates(cx.module) {
        if !reads_itself(cx, candidate.func) {
            continue;
        }
        let callers = callers(cx, candidate.symbol, candidate.exported);
        let Some((first, second)) = pair(&callers) else { continue };
        if !is_only_read(cx, candidate.func) {
            continue;
        }
        // `cache` compares objects by identity, and a route hands out new ones.
        let by_object = first.arguments.as_ref().is_some_and(|it| {
            it.split(", ").any(|it| ["params", "props", "searchParams"].contains(&it))
        });
        let cure = if by_object { "pass it primitive values and wrap it" } else { "wrap it" };
        let message = format!(
            "one request runs `{}` for both {} and {}; {cure} in React's `cache`",
            candidate.name,
            shown(first, cx.facts),
            shown(second, cx.facts)
        );
        let at = candidate
            .symbol
            .map_or(candidate.func.span(), |it| cx.module.scoping().symbol_span(it));
        let hit = Hit::at(at, message);
        cx.report(match draft(cx.module, &candidate).filter(|_| !by_object) {
            Some(edits) => hit.assist("share the result within a request", edits),
            None => hit,
        });
    }
}

fn shown(caller: &Caller, facts: &Facts) -> String {
    let what = if caller.entry == "default" { "the component" } else { &caller.entry };
    let what = if what == "the component" { what.to_owned() } else { format!("`{what}`") };
    if *caller.path == *facts.path { what } else { format!("{what} in {}", caller.path) }
}

/// Does the function itself read a database? Asked first, since it takes no look at other files.
fn reads_itself<'a>(cx: &Cx<'_, 'a>, func: Func<'a>) -> bool {
    let place = ModuleInProject::new(cx.module, &cx.facts.path, cx.world);
    !func.has_directive("use cache")
        && !func.has_directive("use server")
        && place.own_events(func).iter().any(|it| matches!(it.deed, Deed::Read(_)))
}

/// Does nothing in it change something, or tell somebody?
fn is_only_read<'a>(cx: &Cx<'_, 'a>, func: Func<'a>) -> bool {
    let tells = calls_in(cx.module, func.span()).any(|call| {
        let path = path_of(&call.callee);
        path.iter().any(|it| has_word(it, &["console", "log", "logger", "track", "analytics"]))
            || path
                .last()
                .is_some_and(|it| ["unstable_cache", "cache", "revalidateTag"].contains(it))
    });
    let events = ModuleInProject::new(cx.module, &cx.facts.path, cx.world).events(func);
    let writes = events.iter().any(|it| matches!(it.deed, Deed::Write(_)));
    !tells && !writes && !calls_cached(cx, func)
}

/// Is the read behind it shared already?
fn calls_cached<'a>(cx: &Cx<'_, 'a>, func: Func<'a>) -> bool {
    calls_in(cx.module, func.span())
        .filter_map(|call| cx.module.symbol_of(&call.callee))
        .any(|symbol| is_cached(cx, symbol))
}

/// Two calls that one request makes, with the same arguments.
fn pair(callers: &[Caller]) -> Option<(&Caller, &Caller)> {
    let is_part = |it: &&Caller| {
        matches!(it.kind, EntryKind::Component | EntryKind::Metadata)
            && matches!(it.route, Some(Route::Page | Route::Layout | Route::Template))
            && it.arguments.is_some()
    };
    let parts: Vec<&Caller> = callers.iter().filter(is_part).collect();
    parts.iter().enumerate().find_map(|(at, first)| {
        let second = parts[at + 1..].iter().find(|second| {
            (&first.path, &first.entry) != (&second.path, &second.entry)
                && first.arguments == second.arguments
                && is_one_route(first, second)
        })?;
        Some((*first, *second))
    })
}

/// A file and itself, or a layout and what stands below it.
fn is_one_route(first: &Caller, second: &Caller) -> bool {
    let folder =
        |it: &Caller| it.path.rsplit_once('/').map_or(String::new(), |(it, _)| format!("{it}/"));
    let above = |upper: &Caller, lower: &Caller| {
        upper.route != Some(Route::Page) && folder(lower).starts_with(&folder(upper))
    };
    first.path == second.path || above(first, second) || above(second, first)
}

fn draft<'a>(module: &Module<'a>, candidate: &Candidate<'a>) -> Option<Vec<Edit>> {
    if candidate.exported == Some("default") {
        return None;
    }
    let cache = module.import_name("react", "cache")?;
    let (span, name) = (candidate.func.span(), &cache.name);
    let mut edits = cache.edits;
    match candidate.func {
        Func::Function(it) if it.is_declaration() => {
            let own = candidate.name;
            edits.push(Edit::insert(span.start, format!("const {own} = {name}(")));
            edits.push(Edit::insert(span.end, format!("){}", module.style().semicolon())));
        }
        Func::Function(_) | Func::Arrow(_) => {
            edits.push(Edit::insert(span.start, format!("{name}(")));
            edits.push(Edit::insert(span.end, ")"));
        }
    }
    Some(edits)
}

#[cfg(test)]
mod tests;
