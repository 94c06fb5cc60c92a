//! A lazy component whose code could be on its way before the click.

use oxc_ast::AstKind;
use oxc_ast::ast::{CallExpression, Expression, JSXAttributeItem, JSXElement, VariableDeclarator};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Imported, Module};

use super::uses::{attribute, attribute_expression, attribute_name};
use crate::cx::{Cx, Hit};
use crate::facts::FileKind;
use crate::rule::{Category, Doc, FixKind, Impact, Level, Rule};

pub static RULE: Rule = Rule {
    id: "bundle-preload",
    title: "The click waits for code that could be on its way",
    category: Category::Bundle,
    impact: Impact::Medium,
    fix: FixKind::Detect,
    level: Level::Default,
    repairs: false,
    doc: Doc {
        what: "A component is loaded by `lazy` or `dynamic` when a click sets the state that shows it, and nothing \
               starts loading it earlier: neither pointer or focus events of the control, nor anything else in the \
               file.",
        why: "The user clicks, and then waits for a download that could have started when the pointer came near.",
        wrong: "import { lazy, useState } from 'react';\n\
                const Editor = lazy(() => import('./editor'));\n\
                export const Open = () => {\n  const [open, setOpen] = useState(false);\n  \
                return <><button onClick={() => setOpen(true)}>Edit</button>{open && <Editor />}</>;\n};",
        right: "import { lazy, useState } from 'react';\n\
                const loadEditor = () => import('./editor');\n\
                const Editor = lazy(loadEditor);\n\
                const warm = () => { loadEditor().catch(() => {}); };\n\
                export const Open = () => {\n  const [open, setOpen] = useState(false);\n  \
                return <><button onPointerEnter={warm} onFocus={warm} onClick={() => setOpen(true)}>Edit</button>{open && <Editor />}</>;\n};",
        safe: "No fix is offered: it trades bytes for time, and what is right depends on your users.",
        leave: "Users are on touch screens, which have no hover, or on metered connections, where the download costs \
                money even without a click.",
        given: &[],
    },
    wants: &["lazy", "dynamic"],
    applies: |facts| {
        facts.package.uses_react && !facts.package.react_native && facts.kind == FileKind::Source
    },
    check,
};

fn check(cx: &mut Cx<'_, '_>) {
    let module = cx.module;
    let lazies: Vec<(SymbolId, &str)> =
        module.declarators().iter().filter_map(|it| lazy(module, it)).collect();
    if lazies.is_empty() {
        return;
    }
    let imports = imported(module);
    let mut hits = Vec::new();
    for (symbol, source) in lazies {
        if imports.iter().filter(|it| **it == source).count() != 1 {
            continue;
        }
        let setters: Vec<SymbolId> = setters(module, symbol);
        let control = module.elements().iter().find(|it| opens(module, it, &setters));
        if let Some(control) = control {
            let name = module.name(symbol);
            let message = format!(
                "`{name}` starts loading only on click; preload it on hover or focus with `import('{source}')`"
            );
            hits.push(Hit::at(control.opening_element.span, message).low());
        }
    }
    for hit in hits {
        cx.report(hit);
    }
}

/// `const X = lazy(() => import('./x'))`
fn lazy<'a>(module: &Module<'a>, it: &'a VariableDeclarator<'a>) -> Option<(SymbolId, &'a str)> {
    let Some(Expression::CallExpression(call)) =
        it.init.as_ref().map(Expression::get_inner_expression)
    else {
        return None;
    };
    if !is_loader(module, call) {
        return None;
    }
    let symbol = it.id.get_binding_identifier()?.symbol_id.get()?;
    let func = Func::of_expression(call.arguments.first()?.as_expression()?)?;
    Some((symbol, import_in(func.returned()?)?))
}

fn is_loader<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    let next = module.symbol_of(&call.callee).and_then(|it| module.import(it));
    module.is_react_call(call, "lazy")
        || next.is_some_and(|it| it.source == "next/dynamic" && it.imported == Imported::Default)
}

/// `./x` of `import('./x')` and of `import('./x').then(…)`.
fn import_in<'a>(expression: &'a Expression<'a>) -> Option<&'a str> {
    match expression.get_inner_expression() {
        Expression::ImportExpression(it) => match &it.source {
            Expression::StringLiteral(it) => Some(it.value.as_str()),
            _ => None,
        },
        Expression::CallExpression(call) => match &call.callee {
            Expression::StaticMemberExpression(it) => import_in(&it.object),
            _ => None,
        },
        _ => None,
    }
}

/// Every `import('…')` of the file.
fn imported<'a>(module: &Module<'a>) -> Vec<&'a str> {
    let all = module.nodes().iter().filter_map(|node| match node.kind() {
        AstKind::ImportExpression(it) => match &it.source {
            Expression::StringLiteral(it) => Some(it.value.as_str()),
            _ => None,
        },
        _ => None,
    });
    all.collect()
}

/// What sets the state that the element hangs on, where it hangs on nothing else.
fn setters(module: &Module<'_>, lazy: SymbolId) -> Vec<SymbolId> {
    let mut found = Vec::new();
    for it in module.uses(lazy) {
        let AstKind::JSXOpeningElement(_) = module.parent(it.node) else {
            if matches!(module.parent(it.node), AstKind::JSXClosingElement(_)) {
                continue;
            }
            // `X.preload()`, or given on.
            return Vec::new();
        };
        let test = module.ancestors(it.node).find_map(|kind| match kind {
            AstKind::LogicalExpression(it) if it.operator.is_and() => Some(&it.left),
            AstKind::ConditionalExpression(it) => Some(&it.test),
            _ => None,
        });
        found.extend(test.and_then(|it| setter(module, it)));
    }
    found
}

/// `setOpen` for `open` of `const [open, setOpen] = useState(…)`
fn setter<'a>(module: &Module<'a>, test: &Expression<'a>) -> Option<SymbolId> {
    let declarator = module.declarator(module.symbol_of(test)?)?;
    let Some(Expression::CallExpression(call)) = &declarator.init else { return None };
    let oxc_ast::ast::BindingPattern::ArrayPattern(pair) = &declarator.id else { return None };
    if !module.is_react_call(call, "useState") {
        return None;
    }
    pair.elements.get(1)?.as_ref()?.get_binding_identifier()?.symbol_id.get()
}

/// Does a click on the element set one of the states, and nothing before it?
fn opens<'a>(module: &Module<'a>, element: &'a JSXElement<'a>, setters: &[SymbolId]) -> bool {
    const EARLIER: &[&str] = &[
        "onPointerEnter",
        "onMouseEnter",
        "onMouseOver",
        "onFocus",
        "onPointerDown",
        "onTouchStart",
        "onPointerOver",
        "onMouseDown",
    ];
    let is_late = element.opening_element.attributes.iter().all(|it| match it {
        JSXAttributeItem::Attribute(it) => {
            attribute_name(it).is_none_or(|name| !EARLIER.contains(&name))
        }
        JSXAttributeItem::SpreadAttribute(_) => false,
    });
    let Some(handler) = attribute(element, "onClick").filter(|_| is_late) else { return false };
    let Some(handler) = attribute_expression(handler) else { return false };
    let Some(func) = module.function_of(handler) else { return false };
    setters.iter().any(|&setter| sets(module, func.span(), setter))
}

fn sets(module: &Module<'_>, within: Span, setter: SymbolId) -> bool {
    module.uses(setter).any(|it| {
        let is_inside = within.start <= it.span.start && it.span.end <= within.end;
        let AstKind::CallExpression(call) = module.parent(it.node) else { return false };
        let closes =
            call.arguments.first().and_then(|it| it.as_expression()).is_none_or(|it| match it {
                Expression::BooleanLiteral(it) => !it.value,
                Expression::NullLiteral(_) => true,
                other => module.is_global_named(other, "undefined"),
            });
        is_inside && call.callee.span() == it.span && !closes
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::RULE;
    use crate::testing::{Setup, check_doc};

    fn page(button: &str, shown: &str) -> String {
        format!(
            "import * as React from 'react';\nconst Editor = React.lazy(() => import('./editor').then((m) => ({{ default: m.E }})));\n\
             export function Open() {{\n  const [open, setOpen] = React.useState(false);\n  const toggle = () => setOpen((it) => !it);\n  \
             return <>{button}{shown}</>;\n}}"
        )
    }

    #[test]
    fn ru1_bundle_preload_doc() {
        check_doc(&RULE);
    }

    #[test]
    fn ru1_bundle_preload_finds() {
        Setup::new().check(
            &RULE,
            &page("<button onClick={toggle}>x</button>", "{open ? <Editor></Editor> : null}"),
            expect![[r#"
                6:12 note: `Editor` starts loading only on click; preload it on hover or focus with `import('./editor')`
            "#]],
        );
        Setup::new().next(15, 1).check(
            &RULE,
            "import dynamic from 'next/dynamic';\nimport { useState as s } from 'react';\nconst Editor = dynamic(() => import('./e'), { ssr: false });
export const A = () => {\n  const [id, setId] = s(null);\n  return <div><Btn onClick={function () { setId(3); }} />{id && <p><Editor id={id} /></p>}</div>;\n};",
            expect![[r#"
                6:15 note: `Editor` starts loading only on click; preload it on hover or focus with `import('./e')`
            "#]],
        );
    }

    #[test]
    fn ru1_bundle_preload_leaves() {
        let setup = Setup::new();
        let shown = "{open && <Editor />}";
        // Begun earlier, here or elsewhere.
        setup.silent(&RULE, &page("<button onFocus={warm} onClick={toggle} />", shown));
        setup.silent(&RULE, &page("<button {...warm} onClick={toggle} />", shown));
        setup.silent(
            &RULE,
            &format!(
                "{}\nexport const warm = () => import('./editor');",
                page("<button onClick={toggle} />", shown)
            ),
        );
        setup.silent(
            &RULE,
            &format!("{}\nEditor.preload();", page("<button onClick={toggle} />", shown)),
        );
        // A click that closes; one that has nothing to do with it.
        setup.silent(&RULE, &page("<button onClick={() => setOpen(false)} />", shown));
        setup.silent(&RULE, &page("<button onClick={() => other(true)} />", shown));
        // Shown by a property, or always: routes.
        setup.silent(&RULE, &page("<button onClick={toggle} />", "{props.open && <Editor />}"));
        setup.silent(&RULE, &page("<button onClick={toggle} />", "<Route element={<Editor />} />"));
    }
}
