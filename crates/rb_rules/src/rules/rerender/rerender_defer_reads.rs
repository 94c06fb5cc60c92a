//! The address or the storage is subscribed to, and only handlers read it.
//! Routers are told by their import. `useParams` is left alone: nothing but the router can say what a handler would read.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, CallExpression, Expression, VariableDeclarator};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_core::Edit;
use rb_ecma::{Func, Imported, Module, Use};

use super::hooks::{hook_of_dep, path_of};
use super::imports::settle;
use super::places::places;
use crate::cx::{Cx, Hit};
use crate::exports::exported_function;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "rerender-defer-reads",
    title: "A component subscribes to what only its handlers read",
    category: Category::Rerender,
    impact: Impact::Medium,
    fix: FixKind::Assist,
    level: Level::Audit,
    repairs: false,
    doc: Doc {
        what: "A component takes the search parameters, the path or a stored value from a hook, and reads them only \
               in event handlers.",
        why: "It re-renders with each change of the URL or the storage, although nothing it shows depends on it. A \
              handler can read the value when it runs.",
        wrong: "import { useSearchParams } from 'next/navigation';\nconst Share = () => {\n  const params = useSearchParams();\n  return <button onClick={() => share(params.get('ref'))}>Share</button>;\n};",
        right: "const Share = () => (\n  <button onClick={() => share(new URLSearchParams(window.location.search).get('ref'))}>Share</button>\n);",
        safe: "Always a draft: during a pending transition the URL is ahead of the router, a router may keep its \
               location elsewhere, and in Next.js the hook decides how the page is rendered.",
        leave: "The router keeps its location in memory or behind `#`, or paths are rewritten. `usePathname` is not \
                reported: the URL has a base path that the hook leaves out. Another hook of the component follows \
                the URL as well, as every hook of React Router does.",
        given: &[],
    },
    wants: &["useSearchParams", "usePathname", "useLocation", "Storage"],
    applies: |facts| facts.package.uses_react && !facts.package.react_native,
    check,
};

const ROUTERS: &[&str] = &[
    "next/navigation",
    "react-router",
    "react-router-dom",
    "@remix-run/react",
    "wouter",
    "@tanstack/react-router",
];

const ROUTER_HOOKS: &[&str] = &["useSearchParams", "usePathname", "useLocation"];

/// What a hook subscribes to.
struct Source<'a> {
    hook: &'a str,
    call: &'a CallExpression<'a>,
    declarator: &'a VariableDeclarator<'a>,
    /// The names that hold what it gives.
    symbols: Vec<SymbolId>,
    owner: Func<'a>,
}

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    // Where the place is kept elsewhere, the address of the window says nothing.
    let elsewhere =
        ["MemoryRouter", "HashRouter", "createMemoryRouter", "createHashRouter", "StaticRouter"];
    if module.imports().values().any(|it| elsewhere.contains(&it.local)) {
        return;
    }
    let sources: Vec<Source<'_>> =
        module.declarators().iter().filter_map(|it| source(module, it)).collect();
    for source in &sources {
        let same = |it: &&Source<'_>| it.owner.node() == source.owner.node();
        // Another read of the address while rendering subscribes anyway.
        let none_else = sources.iter().filter(same).all(|it| is_read_in_handlers(module, it));
        // What it gives lacks the base path, which the address of the window has.
        let is_other = source.hook == "usePathname";
        if none_else && !is_other && !follows_address(cx, source, &sources) {
            report(cx, source);
        }
    }
}

/// Does the component call other hooks that follow the address?
fn follows_address<'a>(cx: &Cx<'_, 'a>, source: &Source<'a>, sources: &[Source<'a>]) -> bool {
    let module = cx.module;
    let is_router = ROUTER_HOOKS.contains(&source.hook);
    let mut calls = calls_in(module, source.owner.span());
    calls.any(|call| {
        let name = call.callee_name().unwrap_or_default();
        let is_known = sources.iter().any(|it| it.call.span == call.span);
        let is_hook = name.starts_with("use") && !is_known;
        is_hook && (follows_by_name(name) || is_router && follows_inside(cx, call))
    })
}

/// Does the hook follow the address, by its name? `useNavigate` does in some routers, and then by its import.
fn follows_by_name(name: &str) -> bool {
    const PARTS: &[&str] =
        &["SearchParams", "Location", "Pathname", "Params", "Query", "Match", "History"];
    name.starts_with("use") && PARTS.iter().any(|part| name.contains(part))
}

/// Hooks of these read a context that is new with each change of the address, whatever they give.
const WHOLE: &[&str] = &["react-router", "react-router-dom", "@remix-run/react"];

/// Does a hook follow the address because of where it comes from, or of what it calls?
fn follows_inside<'a>(cx: &Cx<'_, 'a>, call: &CallExpression<'a>) -> bool {
    let module = cx.module;
    let Some(symbol) = module.symbol_of(&call.callee) else { return false };
    let Some(import) = module.import(symbol) else {
        return module.function_of(&call.callee).is_some_and(|it| calls_router(module, it));
    };
    if WHOLE.contains(&import.source) {
        return true;
    }
    let Some((file, name)) = cx.origin(import) else { return false };
    let inside = cx.world.ask("follows the address", &file, &name, |module| {
        exported_function(module, &name).is_some_and(|it| calls_router(module, it))
    });
    inside.unwrap_or(false)
}

fn calls_router(module: &Module<'_>, func: Func<'_>) -> bool {
    calls_in(module, func.span()).any(|call| {
        let import = module.symbol_of(&call.callee).and_then(|it| module.import(it));
        let is_of_router = import.is_some_and(|it| WHOLE.contains(&it.source));
        call.callee_name()
            .is_some_and(|name| follows_by_name(name) || is_of_router && name.starts_with("use"))
    })
}

fn calls_in<'m, 'a>(
    module: &'m Module<'a>,
    span: Span,
) -> impl Iterator<Item = &'a CallExpression<'a>> + use<'m, 'a> {
    let first = module.calls().partition_point(|call| call.span.start < span.start);
    module.calls()[first..].iter().copied().take_while(move |call| call.span.start < span.end)
}

fn source<'a>(module: &Module<'a>, declarator: &'a VariableDeclarator<'a>) -> Option<Source<'a>> {
    let Expression::CallExpression(call) = declarator.init.as_ref()?.get_inner_expression() else {
        return None;
    };
    let import = module.import(module.symbol_of(&call.callee)?)?;
    let hook = match import.imported {
        Imported::Named(name) => name,
        Imported::Default => import.local,
        Imported::Namespace => return None,
    };
    let is_router = ROUTER_HOOKS.contains(&hook) && ROUTERS.contains(&import.source);
    let is_storage =
        ["useLocalStorage", "useSessionStorage", "useReadLocalStorage"].contains(&hook);
    if !is_router && !is_storage {
        return None;
    }
    let symbols = match &declarator.id {
        // The setter of a pair is for writing: then the component keeps the value, and does not only look at it.
        BindingPattern::ArrayPattern(pair) if pair.elements.len() > 1 => return None,
        pattern => pattern.get_binding_identifiers().iter().map(|id| id.symbol_id()).collect(),
    };
    let owner = module.function_around(call.node_id.get())?;
    Some(Source { hook, call, declarator, symbols, owner })
}

fn is_read_in_handlers<'a>(module: &Module<'a>, source: &Source<'a>) -> bool {
    let mut is_read = false;
    let all = source.symbols.iter().all(|&symbol| {
        module.value_uses(symbol).all(|it| match hook_of_dep(module, it.node) {
            Some(hook) => module.is_react_call(hook, "useCallback"),
            None => {
                is_read = true;
                places(module, source.owner, it.node).is_handler_only()
            }
        })
    });
    all && is_read
}

fn report<'a>(cx: &mut Cx<'_, 'a>, source: &Source<'a>) {
    let name = cx.module.name(source.symbols[0]);
    let is_search = source.hook == "useSearchParams";
    let advice = match source.hook {
        "useSearchParams" => "read `window.location.search` there",
        "useLocation" => "read `window.location` there",
        _ => "read it from storage there",
    };
    let message = format!(
        "`{name}` is read only in event handlers, but every change re-renders the component; {advice}"
    );
    let hit = Hit::at(source.call.span, message);
    if !is_search {
        cx.report(hit.low());
        return;
    }
    cx.report(match edits(cx.module, source) {
        Some(edits) => hit.assist("read it in the handler", edits),
        None => hit,
    });
}

/// `params.get('x')` as `new URLSearchParams(window.location.search).get('x')`.
fn edits<'a>(module: &Module<'a>, source: &Source<'a>) -> Option<Vec<Edit>> {
    const READING: &[&str] =
        &["entries", "forEach", "get", "getAll", "has", "keys", "size", "toString", "values"];
    let AstKind::VariableDeclaration(statement) = module.parent(source.declarator.node_id.get())
    else {
        return None;
    };
    let ([_], [symbol]) = (statement.declarations.as_slice(), source.symbols.as_slice()) else {
        return None;
    };
    let uses: Vec<Use<'a>> = module.value_uses(*symbol).collect();
    let reads = uses
        .iter()
        .all(|it| path_of(module, it).names.first().is_some_and(|name| READING.contains(name)));
    if !reads {
        return None;
    }
    let mut edits = vec![module.delete_statement(statement.span)?];
    for it in uses {
        // `params?.get`: what is made there is always there.
        let is_optional = module.text()[it.span.end as usize..].starts_with("?.");
        let end = it.span.end + u32::from(is_optional);
        edits.push(Edit::replace(
            it.span.start,
            end,
            "new URLSearchParams(window.location.search)",
        ));
    }
    let hook = module.symbol_of(&source.call.callee)?;
    let gone: [Span; 1] = [source.call.span()];
    edits.extend(settle(module, &[hook], &gone, &gone)?);
    Some(edits)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    #[test]
    fn ru1_rerender_defer_reads_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_rerender_defer_reads_is_found() {
        Setup::new().check(
            &RULE,
            "import { useCallback } from 'react'
import { useLocation } from 'wouter'
import { useSearchParams as useParams2 } from 'next/navigation'

export function Share() {
  const params = useParams2()
  const share = () => send(params.get('ref'), params?.has('a'))
  return <button onClick={share}>Share</button>
}
export const Back = ({ rows }) => {
  const path = useLocation()
  const go = useCallback((row) => push(path + row), [path])
  return <ul>{rows.map((row) => <li onClick={() => go(row)} />)}</ul>
}
",
            expect![[r#"
                6:18 warning: `params` is read only in event handlers, but every change re-renders the component; read `window.location.search` there [assist: read it in the handler]
                11:16 note: `path` is read only in event handlers, but every change re-renders the component; read `window.location` there
                --- assist
                import { useCallback } from 'react'
                import { useLocation } from 'wouter'

                export function Share() {
                  const share = () => send(new URLSearchParams(window.location.search).get('ref'), new URLSearchParams(window.location.search).has('a'))
                  return <button onClick={share}>Share</button>
                }
                export const Back = ({ rows }) => {
                  const path = useLocation()
                  const go = useCallback((row) => push(path + row), [path])
                  return <ul>{rows.map((row) => <li onClick={() => go(row)} />)}</ul>
                }

            "#]],
        );
    }

    #[test]
    fn ru1_rerender_defer_reads_in_other_routers() {
        Setup::new().check(
            &RULE,
            "import { useLocation, useSearchParams } from 'react-router-dom';
import { useLocalStorage } from 'usehooks-ts';
function A() {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const [token] = useLocalStorage('token');
  return <Form onSubmit={async () => { await send(params.get('x'), pathname, token); }} />;
}",
            expect![[r#"
                4:20 warning: `params` is read only in event handlers, but every change re-renders the component; read `window.location.search` there [assist: read it in the handler]
                5:24 note: `pathname` is read only in event handlers, but every change re-renders the component; read `window.location` there
                6:19 note: `token` is read only in event handlers, but every change re-renders the component; read it from storage there
                --- assist
                import { useLocation } from 'react-router-dom';
                import { useLocalStorage } from 'usehooks-ts';
                function A() {
                  const { pathname } = useLocation();
                  const [token] = useLocalStorage('token');
                  return <Form onSubmit={async () => { await send(new URLSearchParams(window.location.search).get('x'), pathname, token); }} />;
                }
            "#]],
        );
    }

    #[test]
    fn ru1_rerender_defer_reads_leaves_what_is_needed() {
        let setup = Setup::new();
        for body in [
            // Read while rendering, in an effect, in dependencies, in another hook, passed on.
            "const q = params.get('q'); return <i onClick={() => go(q)} />;",
            "useEffect(() => { track(params.get('q')); }, [params]); return <i onClick={() => go(params)} />;",
            "useEffect(() => { track(1); }, [params]); return <i onClick={() => go(params)} />;",
            "const on = useEvent(() => go(params)); return <i onClick={on} />;",
            "return <Child params={params} />;",
            "const label = () => params.get('q'); return <i title={label()} />;",
            "return <List render={() => go(params)} />;",
            // Somebody else reads it anyway.
            "const other = useSearchParams(); return <i title={other.get('q')} onClick={() => go(params)} />;",
            "const { id } = useParams(); return <i id={id} onClick={() => go(params)} />;",
            "return <i />;",
        ] {
            setup.silent(&RULE, &format!("import {{ useEffect }} from 'react';\nimport {{ useSearchParams }} from 'next/navigation';\nfunction A() {{ const params = useSearchParams(); {body} }}"));
        }
        // Every hook of this router follows the address.
        for hook in ["useNavigate", "useRevalidator", "useFetcher", "useNavigation"] {
            setup.silent(&RULE, &format!("import {{ {hook}, useSearchParams }} from 'react-router';\nfunction A() {{ const [params] = useSearchParams(); const it = {hook}(); return <i onClick={{() => go(it, params.get('q'))}} />; }}"));
        }
        // A hook of the project does.
        let uses = |hook: &str| {
            format!(
                "import {{ useLocation }} from 'react-router-dom';\nimport {{ {hook} }} from './docs';\nfunction A() {{ const {{ pathname }} = useLocation(); const docs = {hook}(); return <i title={{docs}} onClick={{() => go(pathname)}} />; }}"
            )
        };
        let project = setup.clone().file("src/docs.ts", "import { useState } from 'react';\nimport { useLocation } from 'react-router-dom';\nexport const useDocs = () => { const { pathname } = useLocation(); return pathname; };\nexport const useOpen = () => useState(false);");
        project.silent(&RULE, &uses("useDocs"));
        assert_eq!(project.findings(&RULE, &uses("useOpen")).len(), 1);
        setup.silent(
            &RULE,
            &uses("useDocs").replace(
                "import { useDocs } from './docs';",
                "const useDocs = () => useLocation().pathname;",
            ),
        );
        // The place is kept in memory.
        setup.silent(&RULE, "import { MemoryRouter, useSearchParams } from 'react-router';\nfunction A() { const [params] = useSearchParams(); return <i onClick={() => go(params.get('q'))} />; }");
        // Not a router's.
        setup.silent(&RULE, "import { useSearchParams } from './mine';\nfunction A() { const params = useSearchParams(); return <i onClick={() => go(params.get('q'))} />; }");
        // A base path is in the address, and not in what the hook gives.
        setup.silent(&RULE, "import { usePathname } from 'next/navigation';\nfunction A() { const path = usePathname(); return <i onClick={() => go(path)} />; }");
        // No window there.
        setup.package(|it| it.react_native = true).silent(&RULE, RULE.doc.wrong);
    }
}
