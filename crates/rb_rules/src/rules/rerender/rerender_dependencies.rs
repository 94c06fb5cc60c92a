//! A hook depends on a whole object, of which it reads a member.
//! Whether the list is complete is not asked here, only whether it is too wide. Deeper paths than one step are left alone.

mod paths;

use oxc_ast::AstKind;
use oxc_ast::ast::{BinaryExpression, Expression};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Module, Types, Use};

use self::paths::{MemberRead, member_paths};
use super::hooks::{Hook, contains, hooks, is_declared_in, is_steady};
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
        what: "A list of dependencies names an object of which the function reads only a primitive member, or holds an object, \
               array or function that is written in place and new each time.",
        why: "The hook runs again whenever the object is another one, though nothing it reads has changed. With a literal in \
              the list it runs on every render.",
        wrong: "import { useMemo } from 'react';\nconst Hi = ({ user }) => {\n  const label = useMemo(() => greet(user.name), [user]);\n  return <b>{label}</b>;\n};",
        right: "import { useMemo } from 'react';\nconst Hi = ({ user }) => {\n  const label = useMemo(() => greet(user.name), [user.name]);\n  return <b>{label}</b>;\n};",
        safe: "Made for `useMemo` and `useCallback` whose function only computes, where the types say that the object is never \
               missing. For effects it is a draft: they run less often, which can be seen.",
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
        for dep in &deps {
            if let Some(kind) = literal_kind(dep) {
                let message = format!(
                    "the {kind} in the dependencies is new on each render, so `{}` never skips one: take it out",
                    hook.name
                );
                cx.report(Hit::at(dep.span(), message));
                continue;
            }
            let Expression::Identifier(name) = dep else { continue };
            let Some(symbol) = module.symbol(name) else { continue };
            if is_declared_in(module, symbol, hook.owner.span()) && !is_steady(module, symbol) {
                check_name(cx, &hook, &deps, dep, symbol);
            }
        }
    }
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
        module.uses(symbol).filter(|it| contains(hook.func.span(), it.span)).collect();
    if let Some(comparison) = only_comparison(module, &name, &uses) {
        let shown = module.slice(comparison);
        let message = format!(
            "`{}` runs with each change of `{name}`, but only `{shown}` matters: depend on that",
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
    let may_be_text = paths.iter().any(|it| it.names.contains(&"length"))
        && module.types_of_symbol(symbol).may_be(Types::STRING)
        && is_text_name(name);
    is_data && !may_be_text && !is_instance(name) && !is_other_owner(module, symbol)
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
    let mut texts: Vec<String> = paths.iter().map(|it| it.text(&name, is_sure(cx, it))).collect();
    texts.sort();
    texts.dedup();
    let shown: Vec<String> = texts.iter().map(|it| format!("`{it}`")).collect();
    let does = if hook.name == "useCallback" { "gives another function" } else { "runs again" };
    let message = format!(
        "`{}` {does} whenever `{name}` is another object, but reads {} alone: depend on that",
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
    cx.report(hit.auto_unless(doubt(cx, hook, paths), "depend on what is read", edits));
}

/// The object is there: its type says so, or reading it would have failed anyway.
fn is_sure(cx: &Cx<'_, '_>, path: &MemberRead<'_>) -> bool {
    path.is_certain || (cx.facts.package.strict && path.is_owner_there)
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

fn doubt<'a>(cx: &Cx<'_, 'a>, hook: &Hook<'a>, paths: &[MemberRead<'_>]) -> Option<&'static str> {
    if !["useMemo", "useCallback"].contains(&hook.name) {
        return Some("the effect would run less often");
    }
    let is_proved =
        paths.iter().all(|it| it.is_optional || (cx.facts.package.strict && it.is_owner_there));
    if !is_proved {
        return Some("the object may be missing while rendering");
    }
    let is_typed = paths.iter().all(|it| it.types.is_only(Types::PRIMITIVE | Types::NULLISH));
    if !is_typed {
        return Some("the member may be more than a value");
    }
    let is_pure = cx.module.is_pure_function(hook.func, &|import| cx.is_pure_outside(import));
    (!is_pure).then_some("the function may do more than compute")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rerender_dependencies_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rerender_dependencies_is_found() {
        Setup::new().check(
            &RULE,
            "import React, { useCallback, useEffect as effect, useMemo } from 'react'

type User = { name: string; age: number; tags: string[] }
export function Hi({ user, row, width, props }: { user: User; row?: User; width: number; props: any }) {
  const loud = useMemo(() => user.name.toUpperCase(), [user])
  const both = useMemo(() => `${user.name} ${user.age}`, [width, user])
  const maybe = useMemo(() => row?.name, [row])
  const greet = useCallback(() => alert(user.name), [user])
  effect(() => { document.title = props.title }, [props])
  React.useEffect(() => { if (width < 768) fold() }, [width])
  effect(() => { go(user.name) }, [{ name: user.name }, () => go, [1]])
  return <b onClick={greet}>{loud}{both}{maybe}</b>
}
",
            expect![[r#"
                5:56 note: `useMemo` runs again whenever `user` is another object, but reads `user.name` alone: depend on that [auto: depend on what is read]
                6:66 note: `useMemo` runs again whenever `user` is another object, but reads `user.age` and `user.name` alone: depend on that [auto: depend on what is read]
                7:43 note: `useMemo` runs again whenever `row` is another object, but reads `row?.name` alone: depend on that [assist: depend on what is read] (not proved: the member may be more than a value)
                8:54 note: `useCallback` gives another function whenever `user` is another object, but reads `user.name` alone: depend on that [assist: depend on what is read] (not proved: the function may do more than compute)
                9:51 note: `useEffect` runs again whenever `props` is another object, but reads `props.title` alone: depend on that [assist: depend on what is read] (not proved: the effect would run less often)
                10:55 note: `useEffect` runs with each change of `width`, but only `width < 768` matters: depend on that
                11:36 note: the object in the dependencies is new on each render, so `useEffect` never skips one: take it out
                11:57 note: the function in the dependencies is new on each render, so `useEffect` never skips one: take it out
                11:67 note: the array in the dependencies is new on each render, so `useEffect` never skips one: take it out
                --- auto
                import React, { useCallback, useEffect as effect, useMemo } from 'react'

                type User = { name: string; age: number; tags: string[] }
                export function Hi({ user, row, width, props }: { user: User; row?: User; width: number; props: any }) {
                  const loud = useMemo(() => user.name.toUpperCase(), [user.name])
                  const both = useMemo(() => `${user.name} ${user.age}`, [width, user.age, user.name])
                  const maybe = useMemo(() => row?.name, [row])
                  const greet = useCallback(() => alert(user.name), [user])
                  effect(() => { document.title = props.title }, [props])
                  React.useEffect(() => { if (width < 768) fold() }, [width])
                  effect(() => { go(user.name) }, [{ name: user.name }, () => go, [1]])
                  return <b onClick={greet}>{loud}{both}{maybe}</b>
                }

                --- assist
                import React, { useCallback, useEffect as effect, useMemo } from 'react'

                type User = { name: string; age: number; tags: string[] }
                export function Hi({ user, row, width, props }: { user: User; row?: User; width: number; props: any }) {
                  const loud = useMemo(() => user.name.toUpperCase(), [user])
                  const both = useMemo(() => `${user.name} ${user.age}`, [width, user])
                  const maybe = useMemo(() => row?.name, [row?.name])
                  const greet = useCallback(() => alert(user.name), [user.name])
                  effect(() => { document.title = props.title }, [props.title])
                  React.useEffect(() => { if (width < 768) fold() }, [width])
                  effect(() => { go(user.name) }, [{ name: user.name }, () => go, [1]])
                  return <b onClick={greet}>{loud}{both}{maybe}</b>
                }

            "#]],
        );
    }

    #[test]
    fn ru1_rerender_dependencies_leaves_what_needs_the_whole() {
        let setup = Setup::new();
        for memo in [
            // Called with its receiver, passed whole, written.
            "useMemo(() => user.name(), [user])",
            "useMemo(() => user.id + pick(user), [user])",
            "useMemo(() => user[key], [user, key])",
            "useEffect(() => { user.name = 'x'; }, [user])",
            // Guarded, because it may be missing.
            "useMemo(() => (user ? user.name : ''), [user])",
            // A ref, a member that is an object, too many to list.
            "useEffect(() => { go(ref.current); }, [ref])",
            "useMemo(() => list(user.friends), [user])",
            "useMemo(() => list(user.id, user.name, user.email), [user])",
            "useMemo(() => list(user.name), [user.name])",
            // A text is no object; another list of the same length is another list.
            "useMemo(() => text.length * 2, [text])",
            "useEffect(() => { go(rows.length); }, [rows])",
            // Things with a life of their own.
            "useEffect(() => { go(editor.isEmpty); }, [editor])",
            "useEffect(() => { go(query.status); }, [query])",
            "useMemo(() => LIST.length, [LIST])",
        ] {
            setup.silent(
                &RULE,
                &format!("import {{ useEffect, useMemo, useRef }} from 'react';\nconst LIST = [];\nfunction A({{ user, key, editor, text, rows }}) {{ const ref = useRef(null); const query = useQuery(); const x = {memo}; return <b>{{x}}</b>; }}"),
            );
        }
        // Objects that are watched while they are read.
        setup.silent(
            &RULE,
            &format!("import {{ observer }} from 'mobx-react-lite';\n{}", RULE.doc.wrong),
        );
    }

    #[test]
    fn ru1_rerender_dependencies_needs_a_proof() {
        let setup = Setup::new();
        for body in [
            // An effect runs less often.
            "useEffect(() => { document.title = user.name; }, [user])",
            // The object may be missing while rendering.
            "useMemo(() => String(other.name), [other])",
            "useMemo(() => String(row.name), [row])",
            // The callback has an effect.
            "useCallback(() => save(user.name), [user])",
        ] {
            setup.no_auto(
                &RULE,
                &format!("import {{ useCallback, useEffect, useMemo }} from 'react';\nfunction A({{ user, row, other }}: {{ user: {{ name: string }}; row: {{ name: string }} | null; other: Imported }}) {{ const x = {body}; return <b>{{x}}</b>; }}"),
            );
        }
        // Without strict null checks a type proves nothing of that kind.
        setup.package(|it| it.strict = false).no_auto(&RULE, "import { useCallback } from 'react';\nfunction A({ user }: { user: { name: string } }) { const x = useCallback(() => user.name, [user]); return <b>{x}</b>; }");
    }
}
