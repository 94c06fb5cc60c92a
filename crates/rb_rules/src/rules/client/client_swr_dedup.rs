//! Data fetched by hand in an effect: nothing is shared, nothing is cancelled, and answers can overtake each other.

use oxc_ast::ast::{Argument, CallExpression, Expression, ObjectPropertyKind};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module};

use super::effects::{calls_in, effect, method, string};
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "client-swr-dedup",
    title: "Data is fetched by hand in an effect",
    category: Category::Client,
    impact: Impact::MediumHigh,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "An effect reads something from the network and puts the response into state.",
        why: "Two components that need the same data request it twice; a slow response can overwrite a newer one; \
              nothing is cached; errors are easily forgotten.",
        wrong: "import { useEffect, useState } from 'react';\nconst Users = () => {\n  const [list, setList] = useState([]);\n  \
                useEffect(() => { fetch('/api/u').then((r) => r.json()).then(setList); }, []);\n  return <Rows list={list} />;\n};",
        right: "import useSWR from 'swr';\nconst Users = () => {\n  \
                const { data: list = [] } = useSWR('/api/u', getJson);\n  return <Rows list={list} />;\n};",
        safe: "No fix is offered: a data library has its own rules for revalidation, errors and loading.",
        leave: "The request writes something, or the response is not data of a component.",
        given: &[],
    },
    wants: &["Effect"],
    applies: |facts| {
        facts.package.uses_react && facts.is_client() && facts.kind == FileKind::Source
    },
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let (mut hits, mut told) = (Vec::new(), Vec::new());
    for call in module.calls() {
        let Some(func) = effect(module, call) else { continue };
        // A query layer of another kind, or a timer: it is asked for again on purpose.
        if calls_in(module, func.span()).any(|it| is_timer(module, it))
            || is_provider(module, call.node_id.get())
        {
            continue;
        }
        let mut bodies = std::iter::once(func.span()).chain(called_functions(module, func.span()));
        let found = bodies.find_map(|body| {
            let found = fetched_into_state(cx, body).map(|it| (it.0, it.1, body));
            found.filter(|_| !calls_in(module, body).any(gives_file))
        });
        // Two effects may call one function.
        if let Some((request, setter, body)) = found.filter(|it| !told.contains(&it.0)) {
            told.push(request);
            // State of several sources is more than an answer: a library does not simply take its place.
            let is_answer = |node: NodeId| {
                let func = module.function_around(node).map(Func::span);
                func.is_some_and(|func| calls_in(module, func).any(|it| is_read_request(cx, it)))
            };
            let mut uses = module.value_uses(setter);
            if uses.all(|it| body.contains_inclusive(it.span) || is_answer(it.node)) {
                hits.push(Hit::at(request, message(cx, setter)));
            }
        }
    }
    for hit in hits {
        cx.report(hit);
    }
}

/// A component that asks once for all below it shares already, and often has to stand around the library's own provider.
fn is_provider(module: &Module<'_>, node: NodeId) -> bool {
    let component = module.component_or_hook_around(node);
    component.is_some_and(|component| {
        let is_one = |name: &str| name.ends_with("Provider");
        component.name.is_some_and(is_one)
            || module.elements().iter().any(|it| {
                let name = module.slice(it.opening_element.name.span());
                component.func.span().contains_inclusive(it.span)
                    && (name.ends_with(".Provider") || name.ends_with("Context"))
            })
    })
}

/// `response.blob()`: a file to be handed on, which such libraries would keep for nothing.
fn gives_file(call: &CallExpression<'_>) -> bool {
    method(call).is_some_and(|(_, name)| ["blob", "arrayBuffer"].contains(&name))
}

fn message(cx: &Cx<'_, '_>, setter: SymbolId) -> String {
    let layer = cx.facts.package.query_layer.as_deref();
    let cure = layer.map_or_else(
        || "use a data library that deduplicates, caches and orders requests".to_owned(),
        |layer| format!("use `{layer}` instead"),
    );
    format!("an effect fetches this and stores it with `{}`; {cure}", cx.module.name(setter))
}

fn is_timer<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    let name = match call.callee.get_inner_expression() {
        Expression::Identifier(it) if module.is_global(it) => it.name.as_str(),
        Expression::StaticMemberExpression(it) if module.is_global_named(&it.object, "window") => {
            it.property.name.as_str()
        }
        _ => return false,
    };
    name == "setInterval"
}

/// Functions of the component that the effect calls.
fn called_functions(module: &Module<'_>, within: Span) -> Vec<Span> {
    let mut found: Vec<Span> = calls_in(module, within)
        .filter_map(|call| {
            let symbol = module.symbol_of(&call.callee)?;
            let func = module.function_of(&call.callee).or_else(|| {
                let Expression::CallExpression(init) = module.initializer(symbol)? else {
                    return None;
                };
                let inner = init.arguments.first()?.as_expression()?;
                module
                    .is_react_call(init, "useCallback")
                    .then(|| module.function_of(inner))
                    .flatten()
            })?;
            (!module.is_top_level(symbol)).then(|| func.span())
        })
        .filter(|span| !within.contains_inclusive(*span))
        .collect();
    found.dedup();
    found
}

/// The request in a piece of code whose answer is put into state, and what puts it there.
fn fetched_into_state(cx: &Cx<'_, '_>, body: Span) -> Option<(Span, SymbolId)> {
    let module = cx.module;
    let requests: Vec<&CallExpression<'_>> =
        calls_in(module, body).filter(|it| is_read_request(cx, it)).collect();
    let first = requests.first()?;
    let tainted = tainted(module, body, &requests);
    let is_tainted = |span: Span| {
        requests.iter().any(|it| span.contains_inclusive(it.span))
            || module
                .identifiers_in(span)
                .iter()
                .any(|it| module.symbol(it).is_some_and(|it| tainted.contains(&it)))
    };
    calls_in(module, body).find_map(|call| {
        if let Some(setter) = state_setter(module, &call.callee) {
            let argument = call.arguments.first()?;
            return is_tainted(argument.span()).then_some((first.span, setter));
        }
        // `.then(setList)`
        let (object, name) = method(call)?;
        let setter = state_setter(module, call.arguments.first()?.as_expression()?)?;
        (name == "then" && is_tainted(object.span())).then_some((first.span, setter))
    })
}

/// Names that hold an answer, or a part of one.
fn tainted(module: &Module<'_>, body: Span, requests: &[&CallExpression<'_>]) -> Vec<SymbolId> {
    let mut found: Vec<SymbolId> = Vec::new();
    // Answers flow down the text; a second look takes what was handed upwards.
    for _ in 0..2 {
        let holds = |span: Span, found: &[SymbolId]| {
            requests.iter().any(|it| span.contains_inclusive(it.span))
                || module
                    .identifiers_in(span)
                    .iter()
                    .any(|it| module.symbol(it).is_some_and(|it| found.contains(&it)))
        };
        for declarator in module.declarators().iter().filter(|it| body.contains_inclusive(it.span))
        {
            let is_answer = declarator.init.as_ref().is_some_and(|it| {
                !it.get_inner_expression().is_function() && holds(it.span(), &found)
            });
            if is_answer {
                let ids = declarator.id.get_binding_identifiers();
                found.extend(ids.iter().filter_map(|it| it.symbol_id.get()));
            }
        }
        for call in calls_in(module, body) {
            let Some((object, "then")) = method(call) else { continue };
            if !holds(object.span(), &found) {
                continue;
            }
            let Some(func) = call.arguments.first().and_then(Argument::as_expression) else {
                continue;
            };
            let Some(func) = module.function_of(func) else { continue };
            let ids =
                func.params().items.iter().flat_map(|it| it.pattern.get_binding_identifiers());
            found.extend(ids.filter_map(|it| it.symbol_id.get()));
        }
    }
    found
}

/// The second part of `const [x, setX] = useState(…)`.
fn state_setter<'a>(module: &Module<'a>, callee: &Expression<'a>) -> Option<SymbolId> {
    let symbol = module.symbol_of(callee)?;
    let declarator = module.declarator(symbol)?;
    let Some(Expression::CallExpression(call)) = &declarator.init else { return None };
    let oxc_ast::ast::BindingPattern::ArrayPattern(pair) = &declarator.id else { return None };
    let second = pair.elements.get(1)?.as_ref()?.get_binding_identifier()?;
    // That something failed or is on its way is no data.
    let name = second.name.to_lowercase();
    let is_data =
        !["error", "loading", "status", "pending", "fetching"].iter().any(|it| name.contains(it));
    let is_setter =
        is_data && second.symbol_id.get() == Some(symbol) && module.is_react_call(call, "useState");
    is_setter.then_some(symbol)
}

/// A call that reads over the network.
fn is_read_request<'a>(cx: &Cx<'_, 'a>, call: &CallExpression<'a>) -> bool {
    let module = cx.module;
    if module.is_global_named(&call.callee, "fetch") {
        return call.arguments.get(1).is_none_or(|it| is_get(it));
    }
    match client(module, &call.callee) {
        Some((source, None)) => {
            let options = call.arguments.get(usize::from(source != "axios"));
            options.or(call.arguments.first()).is_none_or(|it| is_get(it))
        }
        Some((_, Some(name))) => {
            ["get", "request", "query"].contains(&name)
                && (name != "request" || { call.arguments.first().is_some_and(|it| is_get(it)) })
        }
        None => is_reader(cx, call),
    }
}

/// A function of the project that does nothing but read.
fn is_reader<'a>(cx: &Cx<'_, 'a>, call: &CallExpression<'a>) -> bool {
    let module = cx.module;
    let Some(import) = module.symbol_of(&call.callee).and_then(|it| module.import(it)) else {
        return false;
    };
    let Some((file, name)) = cx.origin(import) else { return false };
    cx.world
        .ask("reads over the network", &file, &name, |module| {
            let func = crate::exports::exported_function(module, &name);
            func.is_some_and(|func| only_gets(module, func))
        })
        .unwrap_or(false)
}

fn only_gets(module: &Module<'_>, func: Func<'_>) -> bool {
    let mut requests = calls_in(module, func.span())
        .filter(|it| {
            module.is_global_named(&it.callee, "fetch") || client(module, &it.callee).is_some()
        })
        .peekable();
    requests.peek().is_some()
        && requests.all(|it| match client(module, &it.callee) {
            Some((_, Some(name))) => name == "get",
            Some((_, None)) => it.arguments.len() == 1 && it.arguments.first().is_some_and(is_get),
            None => it.arguments.get(1).is_none_or(is_get),
        })
}

/// `axios` and `get` of `axios.get`, also for an instance made in the file.
fn client<'a>(module: &Module<'a>, callee: &Expression<'a>) -> Option<(&'a str, Option<&'a str>)> {
    const CLIENTS: &[&str] = &["axios", "ky", "got", "superagent", "graphql-request", "ofetch"];
    let of = |object: &Expression<'a>| {
        let import = match module.resolved(object) {
            Expression::Identifier(it) => module.import(module.symbol(it)?)?,
            Expression::CallExpression(call) => {
                let (object, name) = method(call)?;
                if !["create", "extend"].contains(&name) {
                    return None;
                }
                module.import(module.symbol_of(object)?)?
            }
            _ => return None,
        };
        CLIENTS.contains(&import.source).then_some(import.source)
    };
    match callee.get_inner_expression() {
        Expression::StaticMemberExpression(it) => {
            // The arena outlives the callee: the name is taken from the text.
            let name = module.slice(it.property.span);
            Some((of(&it.object)?, Some(name)))
        }
        it @ Expression::Identifier(_) => Some((of(it)?, None)),
        _ => None,
    }
}

/// Options without a method, or with a reading one.
fn is_get(argument: &Argument<'_>) -> bool {
    let Some(it) = argument.as_expression() else { return false };
    let Expression::ObjectExpression(object) = it.get_inner_expression() else {
        return string(it).is_some() || matches!(it, Expression::TemplateLiteral(_));
    };
    object.properties.iter().all(|property| match property {
        ObjectPropertyKind::SpreadProperty(_) => false,
        ObjectPropertyKind::ObjectProperty(it) => match it.key.static_name().as_deref() {
            Some("method") => string(&it.value)
                .is_some_and(|it| ["get", "head"].contains(&it.to_lowercase().as_str())),
            Some("body") => false,
            _ => true,
        },
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    fn page(effect: &str) -> String {
        format!(
            "import axios from 'axios';\nimport * as React from 'react';\nimport {{ useEffect, useState }} from 'react';\n\
             const api = axios.create({{}});\nexport function A({{ id }}) {{\n  const [list, setList] = useState([]);\n  \
             const load = React.useCallback(async () => {{ const r = await fetch('/a/' + id); setList(await r.json()); }}, [id]);\n  {effect}\n  return list;\n}}"
        )
    }

    #[test]
    fn ru1_client_swr_dedup_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_client_swr_dedup_finds() {
        for effect in [
            "useEffect(() => { fetch('/a').then((r) => r.json()).then((d) => setList(d.items)); }, []);",
            "useEffect(() => { (async () => { const r = await fetch(`/a/${id}`, { signal }); const { items } = await r.json(); setList(items); })(); }, [id]);",
            "useEffect(() => { async function go() { const { data } = await axios.get('/a'); setList(data); } go(); }, []);",
            "React.useEffect(() => { api.get('/a').then(({ data }) => { setList((old) => [...old, ...data]); }); }, []);",
            "useEffect(() => { load(); }, [load]);",
            "useEffect(() => { load(); }, [load]); useEffect(() => { on('focus', () => load()); }, [load]);",
            "React.useLayoutEffect(function () { fetch('/a', { method: 'GET' }).then(setList); });",
        ] {
            assert_eq!(Setup::new().findings(&RULE, &page(effect)).len(), 1, "{effect}");
        }
        let with_layer = Setup::new()
            .package(|it| it.query_layer = Some("@tanstack/react-query".into()))
            .file("src/api.ts", "export const getUsers = async () => (await fetch('/u')).json();\nexport const save = async (x) => fetch('/u', { method: 'POST' });");
        with_layer.check(
            &RULE,
            "import { useEffect, useState } from 'react';\nimport { getUsers } from './api';\nexport const useUsers = () => {\n  const [u, setU] = useState(null);\n  useEffect(() => { getUsers().then(setU); }, []);\n  return u;\n};",
            expect![[r#"
                5:21 warning: an effect fetches this and stores it with `setU`; use `@tanstack/react-query` instead
            "#]],
        );
        with_layer.silent(
            &RULE,
            "import { useEffect, useState } from 'react';\nimport { save } from './api';\nexport const useUsers = () => {\n  const [u, setU] = useState(null);\n  useEffect(() => { save(1).then(setU); }, []);\n  return u;\n};",
        );
    }

    #[test]
    fn ru1_client_swr_dedup_leaves_state_of_several_sources() {
        let one = "import { useEffect, useState } from 'react';
export const useUsers = () => {
  const [u, setU] = useState([]);
  useEffect(() => { fetch('/u').then((r) => r.json()).then((d) => { setU(d); }); }, []);
  return u;
};";
        let both = one.replace("return u;", "return [u, (x) => setU((old) => [...old, x])];");
        assert_eq!(Setup::new().findings(&RULE, one).len(), 1);
        Setup::new().silent(&RULE, &both);
    }

    #[test]
    fn ru1_client_swr_dedup_leaves() {
        let setup = Setup::new();
        for effect in [
            // Something is written.
            "useEffect(() => { fetch('/a', { method: 'POST', body }).then((r) => r.json()).then(setList); }, []);",
            "useEffect(() => { fetch('/a', options).then(setList); }, []);",
            "useEffect(() => { axios.post('/a').then(setList); }, []);",
            "useEffect(() => { navigator.sendBeacon('/a'); }, []);",
            // A socket, a timer.
            "useEffect(() => { const s = new WebSocket('/a'); s.onmessage = (e) => setList(e.data); }, []);",
            "useEffect(() => { const t = setInterval(() => fetch('/a').then(setList), 1000); return () => clearInterval(t); }, []);",
            // The answer is not put into state.
            "useEffect(() => { fetch('/a').then(() => setList([])); }, []);",
            "useEffect(() => { fetch('/a').then((r) => log(r)); setList([1]); }, []);",
            "useEffect(() => { fetch('/a'); }, []);",
            "const [error, setError] = useState(null); useEffect(() => { fetch('/a').then((r) => setError(r.statusText)); }, []);",
            // A file to be handed on is not what such libraries keep.
            "useEffect(() => { fetch('/a').then((r) => r.blob()).then(setList); }, []);",
            // Asked once, for all that is below.
            "useEffect(() => { fetch('/a').then((r) => r.json()).then(setList); }, []); return <Users.Provider value={list} />;",
            // In an event handler.
            "const go = () => fetch('/a').then(setList);",
        ] {
            setup.silent(&RULE, &page(effect));
        }
    }
}
