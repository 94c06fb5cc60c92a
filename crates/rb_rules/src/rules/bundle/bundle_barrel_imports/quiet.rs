//! Does a module do nothing but make things when it is loaded?

use oxc_ast::ast::{
    ArrayExpressionElement, Class, ClassElement, Declaration, ExportDefaultDeclarationKind,
    Expression, ObjectPropertyKind, Statement,
};
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

/// Packages whose functions make things and do nothing else, with what they are called by.
const MAKERS: &[(&str, &[&str])] = &[
    ("react", &["memo", "forwardRef", "createContext", "lazy", "cache", "createRef"]),
    ("class-variance-authority", &["cva"]),
    ("tailwind-variants", &["tv"]),
    ("zod", &[]),
    ("styled-components", &[]),
    ("@emotion/styled", &[]),
    ("next/dynamic", &[]),
];

/// The first thing that a module does when it is loaded, as it is written; `None` where there is none.
pub(super) fn effect(module: &Module<'_>) -> Option<String> {
    module.program().body.iter().find_map(|it| of_statement(module, it)).map(|span| {
        let text = module.slice(span).lines().next().unwrap_or("").trim();
        text.chars().take(60).collect()
    })
}

fn of_statement<'a>(module: &Module<'a>, statement: &'a Statement<'a>) -> Option<Span> {
    let is_quiet = match statement {
        Statement::ImportDeclaration(it) => it.specifiers.is_some(),
        Statement::ExportAllDeclaration(_)
        | Statement::ExportFromDeclaration(_)
        | Statement::ExportNamedDeclaration(_)
        | Statement::FunctionDeclaration(_)
        | Statement::TSTypeAliasDeclaration(_)
        | Statement::TSInterfaceDeclaration(_)
        | Statement::TSEnumDeclaration(_)
        // `declare global { … }`, `declare module 'x' { … }`
        | Statement::TSGlobalDeclaration(_)
        | Statement::TSExternalModuleDeclaration(_)
        | Statement::EmptyStatement(_) => true,
        Statement::TSNamespaceDeclaration(it) => it.declare,
        Statement::ClassDeclaration(it) => class(module, it),
        Statement::VariableDeclaration(it) => variables(module, it),
        Statement::ExportDeclaration(it) => declaration(module, &it.declaration),
        Statement::ExportDefaultDeclaration(it) => match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(_)
            | ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => true,
            ExportDefaultDeclarationKind::ClassDeclaration(it) => class(module, it),
            other => other.as_expression().is_some_and(|it| quiet(module, it, 0)),
        },
        Statement::ExpressionStatement(it) => names_itself(module, &it.expression),
        _ => false,
    };
    (!is_quiet).then(|| statement.span())
}

fn declaration<'a>(module: &Module<'a>, it: &'a Declaration<'a>) -> bool {
    match it {
        Declaration::VariableDeclaration(it) => variables(module, it),
        Declaration::ClassDeclaration(it) => class(module, it),
        Declaration::FunctionDeclaration(_)
        | Declaration::TSTypeAliasDeclaration(_)
        | Declaration::TSInterfaceDeclaration(_)
        | Declaration::TSEnumDeclaration(_) => true,
        _ => false,
    }
}

fn variables<'a>(module: &Module<'a>, it: &'a oxc_ast::ast::VariableDeclaration<'a>) -> bool {
    it.declarations.iter().all(|it| it.init.as_ref().is_none_or(|init| quiet(module, init, 0)))
}

/// `Button.displayName = 'Button'`
fn names_itself<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    let Expression::AssignmentExpression(it) = expression else { return false };
    let Some(member) = it.left.as_member_expression() else { return false };
    let is_own = module
        .symbol_of(member.object())
        .is_some_and(|symbol| module.is_top_level(symbol) && module.import(symbol).is_none());
    is_own && member.static_property_name().is_some() && quiet(module, &it.right, 0)
}

fn class<'a>(module: &Module<'a>, it: &Class<'a>) -> bool {
    let extends = it.heritage.as_ref().is_none_or(|it| module.is_pure0(&it.expression));
    extends
        && it.decorators.is_empty()
        && it.body.body.iter().all(|element| match element {
            ClassElement::PropertyDefinition(it) => {
                !it.computed
                    && it.decorators.is_empty()
                    && (!it.r#static || it.value.as_ref().is_none_or(|it| quiet(module, it, 0)))
            }
            ClassElement::MethodDefinition(it) => !it.computed && it.decorators.is_empty(),
            ClassElement::TSIndexSignature(_) => true,
            ClassElement::StaticBlock(_) | ClassElement::AccessorProperty(_) => false,
        })
}

fn quiet<'a>(module: &Module<'a>, expression: &Expression<'a>, depth: u32) -> bool {
    if depth > 12 {
        return false;
    }
    let inner = |it: &Expression<'a>| quiet(module, it, depth + 1);
    match expression.get_inner_expression() {
        Expression::CallExpression(call) if is_maker(module, &call.callee, depth) => {
            call.arguments.iter().all(|it| it.as_expression().is_some_and(inner))
        }
        // `Symbol('x')`, `Symbol.for('x')`
        Expression::CallExpression(call) if is_symbol(module, &call.callee) => {
            call.arguments.iter().all(|it| it.as_expression().is_some_and(inner))
        }
        Expression::TaggedTemplateExpression(it) => {
            is_maker(module, &it.tag, depth) && it.quasi.expressions.iter().all(inner)
        }
        Expression::ObjectExpression(it) => it.properties.iter().all(|property| match property {
            ObjectPropertyKind::ObjectProperty(it) => !it.computed && inner(&it.value),
            ObjectPropertyKind::SpreadProperty(it) => inner(&it.argument),
        }),
        Expression::ArrayExpression(it) => it.elements.iter().all(|element| match element {
            ArrayExpressionElement::SpreadElement(_) => false,
            ArrayExpressionElement::Elision(_) => true,
            other => other.as_expression().is_some_and(inner),
        }),
        // What is written in an element is a value like any other; a call would be in brackets.
        it @ (Expression::JSXElement(_) | Expression::JSXFragment(_)) => {
            !module.slice(it.span()).contains('(')
        }
        Expression::ClassExpression(it) => class(module, it),
        other => module.is_pure1(other, &|_| false),
    }
}

/// Does the callee come from a package that only makes things: `cva`, `z.object`, `styled.div.attrs`?
fn is_maker<'a>(module: &Module<'a>, callee: &Expression<'a>, depth: u32) -> bool {
    if depth > 12 {
        return false;
    }
    let is_known = MAKERS.iter().any(|(source, names)| {
        module.export_name(callee, source).is_some_and(|it| names.is_empty() || names.contains(&it))
    });
    if is_known {
        return true;
    }
    match callee.get_inner_expression() {
        Expression::Identifier(name) => {
            let symbol = module.symbol(name);
            // `Base.extend(…)` of something that was made right here.
            if let Some(Expression::CallExpression(made)) =
                symbol.and_then(|it| module.initializer(it)).map(Expression::get_inner_expression)
            {
                return is_maker(module, &made.callee, depth + 1);
            }
            let import = symbol.and_then(|it| module.import(it));
            import.is_some_and(|import| {
                MAKERS.iter().any(|(source, names)| names.is_empty() && *source == import.source)
            })
        }
        Expression::StaticMemberExpression(it) => {
            !is_react(module, &it.object) && is_maker(module, &it.object, depth + 1)
        }
        Expression::CallExpression(it) => {
            is_maker(module, &it.callee, depth + 1)
                && it
                    .arguments
                    .iter()
                    .all(|it| it.as_expression().is_some_and(|it| quiet(module, it, depth + 1)))
        }
        _ => false,
    }
}

fn is_symbol<'a>(module: &Module<'a>, callee: &Expression<'a>) -> bool {
    match callee.get_inner_expression() {
        Expression::StaticMemberExpression(it) => module.is_global_named(&it.object, "Symbol"),
        other => module.is_global_named(other, "Symbol"),
    }
}

/// `React.memo` is asked for by name above; the rest of React is none of them.
fn is_react<'a>(module: &Module<'a>, object: &Expression<'a>) -> bool {
    let import = module.symbol_of(object).and_then(|it| module.import(it));
    import.is_some_and(|it| it.source == "react")
}

#[cfg(test)]
mod tests {
    use rb_ecma::with_module;
    use rb_lang::Language;

    use super::effect;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let found = with_module(Language::Tsx, text, effect).expect("it parses");
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn ru1_bundle_barrel_imports_modules_that_only_make_things() {
        for quiet in [
            "import { memo } from 'react'; export const A = memo(() => <b/>); A.displayName = 'A';",
            "import * as React from 'react'; export const A = React.forwardRef((p, r) => <b ref={r}/>);",
            "import { cva } from 'class-variance-authority'; const v = cva('x', { variants: { a: ['b'] } }); export { v };",
            "import { z } from 'zod'; const A = z.string(); export const S = z.object({ a: A.min(1) });",
            "import styled from 'styled-components'; export const D = styled.div`color: ${(p) => p.c}`;",
            "export class X extends Y { static n = 1; m() { go(); } }",
            "export const enum E { A } export type T = E; export default function f() { go(); }",
            "export const RESET: unique symbol = Symbol('r'); const get = Symbol.for('get');",
            "export const list = [{ icon: <Icon a={b} />, run: () => go() }];",
        ] {
            check(quiet, None);
        }
    }

    #[test]
    fn ru1_bundle_barrel_imports_modules_that_do_something() {
        for (loud, what) in [
            ("import './a.css'; export const A = 1;", "import './a.css';"),
            ("export const client = createClient();", "export const client = createClient();"),
            ("dayjs.extend(utc); export const d = 1;", "dayjs.extend(utc);"),
            ("window.x = 1; export {};", "window.x = 1;"),
            ("class A { static { go(); } }", "class A { static { go(); } }"),
            ("export default go();", "export default go();"),
        ] {
            check(loud, Some(what));
        }
    }
}
