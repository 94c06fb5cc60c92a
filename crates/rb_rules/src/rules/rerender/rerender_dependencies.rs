//! A hook depends on a whole object, of which it reads a member.
//! Left alone: lists that leave something out, memos that are too much themselves, and paths of more than one step.

mod paths;
mod worth;

use oxc_ast::AstKind;
use oxc_ast::ast::{BinaryExpression, Expression, ObjectPropertyKind};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Imported, Module, Types, Use};

use self::paths::{MemberRead, member_paths};
use self::worth::is_effortless;
use super::hooks::{Hook, call_of, hooks, is_declared_in, is_steady, locals_used, states};
use crate::cx::{Cx, Hit};
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-dependencies",
    title: "A hook depends on more than it reads",
    category: Category::Rerender,
    impact: Impact::Low,
    fix: FixKind::AssistWithAuto,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A dependency list names an object of which the function reads only a primitive member, or contains an \
               object, array or function literal, which is new each time.",
        why: "The hook runs again whenever the object is replaced, although nothing it reads has changed. With a \
              literal in the list it runs on every render.",
        wrong: "import { useMemo } from 'react';\nconst Hi = ({ user }) => {\n  const label = useMemo(() => greet(user.name), [user]);\n  return <b>{label}</b>;\n};",
        right: "import { useMemo } from 'react';\nconst Hi = ({ user }) => {\n  const label = useMemo(() => greet(user.name), [user.name]);\n  return <b>{label}</b>;\n};",
        safe: "Fixed automatically for `useMemo` and `useCallback` with a pure function if the types say that the \
               object is never missing. For effects it is a draft: they run less often, which can be visible.",
        leave: "The effect is meant to run whenever the object is replaced.",
        given: &[],
    },
    wants: &["useMemo", "useCallback", "Effect"],
    applies: |facts| facts.package.uses_react,
    check,
};

const HOOKS: &[&str] = &["useMemo", "useCallback", "useEffect", "useLayoutEffect"];

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    if module.has_watched_objects() {
        return;
    }
    for hook in hooks(module, HOOKS) {
        let Some(deps) = hook.dep_list() else { continue };
        let is_worth = !is_simple_memo(module, &hook) && is_complete(module, &hook, &deps);
        for dep in &deps {
            if let Some(kind) = literal_kind(dep) {
                let message = format!(
                    "the {kind} in the dependency array is new on every render, so `{}` runs every time; remove it",
                    hook.name
                );
                cx.report(Hit::at(dep.span(), message));
                continue;
            }
            let Expression::Identifier(name) = dep else { continue };
            let Some(symbol) = module.symbol(name) else { continue };
            let is_local = is_declared_in(module, symbol, hook.owner.span());
            if is_worth && is_local && !is_steady(module, symbol) {
                check_name(cx, &hook, &deps, dep, symbol);
            }
        }
    }
}

/// `useMemo(() => !rows.length, [rows])`: there the memo is too much, not the list.
fn is_simple_memo<'a>(module: &Module<'a>, hook: &Hook<'a>) -> bool {
    hook.name == "useMemo"
        && (hook.func.returned().is_some_and(|it| module.is_pure0(it)) || is_effortless(hook.func))
}

/// Is everything listed that the function reads? If not, an object may stand for what was made of it.
fn is_complete<'a>(module: &Module<'a>, hook: &Hook<'a>, deps: &[&'a Expression<'a>]) -> bool {
    let is_listed = |symbol: SymbolId| {
        deps.iter().any(|it| module.mentions(it.span(), symbol)) || is_steady(module, symbol)
    };
    locals_used(module, hook.func.span(), hook.owner).into_iter().all(is_listed)
}

fn literal_kind(dep: &Expression<'_>) -> Option<&'static str> {
    match dep {
        Expression::ObjectExpression(_) => Some("object"),
        Expression::ArrayExpression(_) => Some("array"),
        Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_) => {
            Some("function")
        }
        _ => None,
    }
}

fn check_name<'a>(
    cx: &mut Cx<'_, 'a>,
    hook: &Hook<'a>,
    deps: &[&'a Expression<'a>],
    dep: &'a Expression<'a>,
    symbol: SymbolId,
) {
    let module = cx.module;
    let name = module.name(symbol).to_owned();
    let uses: Vec<Use<'a>> =
        module.uses(symbol).filter(|it| hook.func.span().contains_inclusive(it.span)).collect();
    if let Some(comparison) = only_comparison(module, &name, &uses) {
        let shown = module.slice(comparison);
        let message = format!(
            "`{}` runs on every change of `{name}`, but only `{shown}` matters; depend on that",
            hook.name
        );
        cx.report(Hit::at(dep.span(), message));
        return;
    }
    let Some(paths) = member_paths(module, &uses) else { return };
    if is_plain_data(module, hook, symbol, &paths) {
        report_paths(cx, hook, deps, dep, symbol, &paths);
    }
}

/// Is it an object of values, of which those that are read can stand for it?
fn is_plain_data<'a>(
    module: &Module<'a>,
    hook: &Hook<'a>,
    symbol: SymbolId,
    paths: &[MemberRead<'a>],
) -> bool {
    let name = module.name(symbol);
    let is_effect = hook.name.ends_with("Effect");
    let is_data = paths.iter().all(|path| {
        // Another list of the same length may well be what the effect is for.
        is_primitive(path) && !(is_effect && path.names.contains(&"length"))
    });
    // A text is no object around its length.
    let types = module.types_of_symbol(symbol);
    let may_be_text = paths.iter().any(|it| it.names.contains(&"length"))
        && types.may_be(Types::STRING)
        && (types.is_known() || is_text_name(name));
    is_data
        && !may_be_text
        && !is_instance(name)
        && !is_other_owner(module, symbol)
        && !is_chosen_whole(module, symbol, paths)
}

/// A state that is another object only when another one is chosen: what tells the objects apart changes with it.
fn is_chosen_whole<'a>(module: &Module<'a>, symbol: SymbolId, paths: &[MemberRead<'a>]) -> bool {
    const TELLS_APART: &[&str] = &["id", "_id", "uid", "uuid", "key", "slug"];
    let Some(state) = states(module).into_iter().find(|it| it.symbol() == symbol) else {
        return false;
    };
    let is_identity = |path: &MemberRead<'a>| match path.names.as_slice() {
        [only] => TELLS_APART.contains(only),
        _ => false,
    };
    // All there is of it is read: another object is another value.
    if let Some(Expression::ObjectExpression(object)) = state.initial()
        && object.properties.iter().all(|it| match it {
            ObjectPropertyKind::ObjectProperty(it) => {
                it.key.static_name().is_some_and(|key| paths.iter().any(|it| it.names == [&*key]))
            }
            ObjectPropertyKind::SpreadProperty(_) => false,
        })
    {
        return true;
    }
    let setter = state.setter_symbol();
    let mut calls = setter.into_iter().flat_map(|it| module.value_uses(it));
    // A copy, or what a function makes of the one before, may well be the same one in new clothes.
    paths.iter().any(is_identity)
        && calls.all(|it| {
            let given = call_of(module, &it).and_then(|it| it.arguments.first());
            let Some(given) = given.and_then(|it| it.as_expression()) else { return true };
            let value = module.resolved(given).get_inner_expression();
            !value.is_function() && !matches!(value, Expression::ObjectExpression(_))
        })
}

fn report_paths<'a>(
    cx: &mut Cx<'_, 'a>,
    hook: &Hook<'a>,
    deps: &[&'a Expression<'a>],
    dep: &'a Expression<'a>,
    symbol: SymbolId,
    paths: &[MemberRead<'a>],
) {
    let module = cx.module;
    let name = module.name(symbol).to_owned();
    let is_there = is_location(module, symbol);
    let sorted = |is_sure: &dyn Fn(&MemberRead<'a>) -> bool| {
        let mut texts: Vec<String> = paths.iter().map(|it| it.text(&name, is_sure(it))).collect();
        texts.sort();
        texts.dedup();
        texts
    };
    let texts = sorted(&|it| is_there || is_sure(cx, it));
    // As it is written in the function.
    let shown: Vec<String> = sorted(&|_| true).iter().map(|it| format!("`{it}`")).collect();
    let does = if hook.name == "useCallback" { "returns a new function" } else { "re-runs" };
    let message = format!(
        "`{}` {does} whenever `{name}` is a new object, but reads only {}; depend on that",
        hook.name,
        shown.join(" and ")
    );
    // What is listed already is not listed twice.
    let listed: Vec<&str> = deps.iter().map(|it| module.slice(it.span())).collect();
    let missing: Vec<String> =
        texts.iter().filter(|it| !listed.contains(&it.as_str())).cloned().collect();
    let hit = Hit::at(dep.span(), message);
    if missing.is_empty() {
        cx.report(hit);
        return;
    }
    let edits = vec![Edit::replace(dep.span().start, dep.span().end, missing.join(", "))];
    cx.report(hit.auto_unless(doubt(cx, hook, paths, is_there), "depend on what it reads", edits));
}

/// The object is there: its type says so, or reading it would have failed anyway.
fn is_sure(cx: &Cx<'_, '_>, path: &MemberRead<'_>) -> bool {
    path.is_certain || (cx.facts.package.strict && path.is_owner_there)
}

/// What `useLocation` of a router gave is never missing.
fn is_location(module: &Module<'_>, symbol: SymbolId) -> bool {
    let init = module.declarator(symbol).and_then(|it| it.init.as_ref());
    let Some(Expression::CallExpression(call)) = init else { return false };
    let import = module.symbol_of(&call.callee).and_then(|it| module.import(it));
    import.is_some_and(|it| {
        it.imported == Imported::Named("useLocation")
            && it.source.contains("router")
            && !it.source.starts_with('.')
    })
}

/// Members that are values by their name.
const VALUES: &[&str] = &[
    "id",
    "_id",
    "uid",
    "uuid",
    "key",
    "name",
    "title",
    "slug",
    "email",
    "url",
    "href",
    "type",
    "kind",
    "status",
    "length",
    "count",
    "index",
    "page",
    "locale",
    "language",
    "pathname",
    "search",
    "hash",
    "label",
    "role",
    "username",
    "firstName",
    "lastName",
    "email",
    "color",
    "mode",
];

/// A number, a text or a truth, by the written type, or else by a name that speaks of one.
fn is_primitive(path: &MemberRead<'_>) -> bool {
    if path.types.is_known() {
        return path.types.is_only(Types::PRIMITIVE | Types::NULLISH);
    }
    let Some(name) = path.names.last() else { return false };
    let starts = |start: &str| {
        name.strip_prefix(start).is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
    };
    VALUES.contains(name)
        || name.ends_with("Id")
        || name.ends_with("Name")
        || starts("is")
        || starts("has")
}

fn is_text_name(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "children",
        "text",
        "value",
        "input",
        "name",
        "query",
        "search",
        "title",
        "label",
        "message",
        "content",
        "code",
        "password",
        "html",
        "string",
        "id",
        "url",
        "key",
        "term",
        "markdown",
        "description",
        "path",
    ];
    let lower = name.to_lowercase();
    WORDS.iter().any(|word| lower.ends_with(word))
}

/// Names of objects with a life of their own.
const INSTANCES: &[&str] = &[
    "api",
    "app",
    "canvas",
    "chart",
    "client",
    "context",
    "control",
    "ctx",
    "doc",
    "editor",
    "element",
    "engine",
    "form",
    "instance",
    "manager",
    "map",
    "model",
    "monaco",
    "navigation",
    "node",
    "player",
    "provider",
    "ref",
    "renderer",
    "router",
    "scene",
    "service",
    "session",
    "socket",
    "store",
    "table",
    "view",
    "viewer",
    "window",
    "worker",
    "ws",
    "xhr",
    "camera",
    "audio",
    "video",
    "stream",
    "track",
    "connection",
    "mutation",
    "query",
    "virtualizer",
    "el",
    "parent",
    "target",
];

/// Objects that live on and change inside: editors, maps, players. Their members are no values of a render.
fn is_instance(name: &str) -> bool {
    let lower = name.to_lowercase();
    INSTANCES.iter().any(|word| lower == *word || (word.len() > 3 && lower.ends_with(word)))
}

/// What a hook of a library gave may be an object with a life of its own.
fn is_other_owner(module: &Module<'_>, symbol: SymbolId) -> bool {
    let Some(declarator) = module.declarator(symbol) else { return false };
    match declarator.init.as_ref().map(Expression::get_inner_expression) {
        Some(Expression::CallExpression(call)) => {
            let known = ["useState", "useMemo", "useReducer", "useDeferredValue"];
            let plain = ["useParams", "useLocation"];
            !module.react_call(call).is_some_and(|name| known.contains(&name))
                && !call.callee_name().is_some_and(|name| plain.contains(&name))
        }
        Some(Expression::NewExpression(_)) => true,
        _ => false,
    }
}

/// `w < 768`, where that is all that is read of a measure.
fn only_comparison<'a>(module: &Module<'a>, name: &str, uses: &[Use<'a>]) -> Option<Span> {
    let lower = name.to_lowercase();
    let is_measure = ["width", "height", "scroll"].iter().any(|it| lower.contains(it));
    let [only] = uses else { return None };
    let AstKind::BinaryExpression(it) = module.parent(only.node) else { return None };
    let it: &BinaryExpression<'a> = it;
    let other = if it.left.span() == only.span { &it.right } else { &it.left };
    let is_fixed = match other.get_inner_expression() {
        Expression::NumericLiteral(_) => true,
        other => module.symbol_of(other).is_some_and(|it| module.is_top_level(it)),
    };
    (is_measure && it.operator.is_compare() && is_fixed).then_some(it.span)
}

fn doubt<'a>(
    cx: &Cx<'_, 'a>,
    hook: &Hook<'a>,
    paths: &[MemberRead<'_>],
    is_there: bool,
) -> Option<&'static str> {
    if !["useMemo", "useCallback"].contains(&hook.name) {
        return Some("the effect would run less often");
    }
    let is_proved = is_there
        || paths.iter().all(|it| it.is_optional || (cx.facts.package.strict && it.is_owner_there));
    if !is_proved {
        return Some("the object may be undefined during render");
    }
    let is_typed = paths.iter().all(|it| it.types.is_only(Types::PRIMITIVE | Types::NULLISH));
    if !is_typed {
        return Some("the member may not be a primitive");
    }
    let is_pure = cx.module.is_pure_function(hook.func, &|import| cx.is_pure_outside(import));
    (!is_pure).then_some("the function may have side effects")
}

#[cfg(test)]
mod tests;
