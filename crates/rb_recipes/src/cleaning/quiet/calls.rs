//! Calls that are known to make something and to do nothing else.

use oxc_ast::ast::Expression;
use rb_ecma::{Module, Types};

use super::{is_env, is_written_object, quiet};

/// Packages whose functions make things and do nothing else, with what they are called by; none named: all.
const MAKERS: &[(&str, &[&str])] = &[
    ("react", &["memo", "forwardRef", "createContext", "lazy", "cache", "createRef"]),
    ("class-variance-authority", &["cva"]),
    ("tailwind-variants", &["tv"]),
    ("zod", &[]),
    ("styled-components", &["default", "css", "keyframes"]),
    ("@emotion/styled", &[]),
    ("next/dynamic", &[]),
];

pub(super) fn is_quiet_new<'a>(
    module: &Module<'a>,
    new: &oxc_ast::ast::NewExpression<'a>,
    inner: &dyn Fn(&Expression<'a>) -> bool,
) -> bool {
    let is = |names: &[&str]| names.iter().any(|it| module.is_global_named(&new.callee, it));
    let Some(first) = new.arguments.first() else {
        return is(&["Map", "Set", "WeakMap", "WeakSet", "Date", "Error", "AbortController"]);
    };
    let Some(first) = first.as_expression().filter(|_| new.arguments.len() == 1) else {
        return false;
    };
    let Expression::ArrayExpression(list) = first.get_inner_expression() else {
        return is(&["Error", "TypeError"]) && matches!(first, Expression::StringLiteral(_));
    };
    let pairs = || {
        list.elements.iter().all(|it| {
            it.as_expression().is_some_and(|it| {
                matches!(it.get_inner_expression(), Expression::ArrayExpression(_))
            })
        })
    };
    inner(first) && (is(&["Set"]) || (is(&["Map"]) && pairs()))
}

/// `Number(process.env.PORT)`
pub(super) fn is_conversion<'a>(
    module: &Module<'a>,
    call: &oxc_ast::ast::CallExpression<'a>,
) -> bool {
    let is_known = ["Number", "String", "Boolean", "parseInt", "parseFloat"]
        .iter()
        .any(|it| module.is_global_named(&call.callee, it));
    is_known
        && call.arguments.iter().filter_map(|it| it.as_expression()).all(|it| {
            is_env(module, it)
                || module.types(it).is_only(Types::NUMBER | Types::STRING | Types::BOOLEAN)
        })
}

/// `Symbol('x')`, `Object.freeze({ … })`, `Object.keys(WRITTEN_OUT)`.
pub(super) fn is_quiet_static<'a>(
    module: &Module<'a>,
    call: &oxc_ast::ast::CallExpression<'a>,
) -> bool {
    let first = call.arguments.first().and_then(|it| it.as_expression());
    let is_text = first.is_none_or(|it| matches!(it, Expression::StringLiteral(_)));
    let Some(member) = call.callee.get_member_expr() else {
        return module.is_global_named(&call.callee, "Symbol") && is_text;
    };
    let Some(name) = member.static_property_name() else { return false };
    if module.is_global_named(member.object(), "Symbol") {
        return name == "for" && is_text;
    }
    if !module.is_global_named(member.object(), "Object") {
        return false;
    }
    match name {
        "freeze" => first.is_some_and(|it| {
            let it = it.get_inner_expression();
            matches!(it, Expression::ObjectExpression(_) | Expression::ArrayExpression(_))
        }),
        "keys" | "values" | "entries" => first.is_some_and(|it| is_written_object(module, it)),
        "create" => matches!(first, Some(Expression::NullLiteral(_))) && call.arguments.len() == 1,
        _ => false,
    }
}

/// Does the callee come from a package that only makes things: `cva`, `z.object`, `styled.div`?
pub(super) fn is_maker<'a>(module: &Module<'a>, callee: &Expression<'a>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let callee = callee.get_inner_expression();
    for (source, names) in MAKERS {
        if module
            .export_name(callee, source)
            .is_some_and(|it| names.is_empty() || names.contains(&it))
        {
            return true;
        }
    }
    match callee {
        Expression::Identifier(_) => {
            let import = module.symbol_of(callee).and_then(|it| module.import(it));
            import.is_some_and(|import| {
                MAKERS.iter().any(|(source, names)| {
                    *source == import.source && (names.is_empty() || names.contains(&"default"))
                })
            })
        }
        Expression::StaticMemberExpression(it) => {
            let is_react = module
                .symbol_of(&it.object)
                .and_then(|it| module.import(it))
                .is_some_and(|it| it.source == "react");
            !is_react && is_maker(module, &it.object, depth)
        }
        Expression::CallExpression(it) => {
            is_maker(module, &it.callee, depth)
                && it
                    .arguments
                    .iter()
                    .all(|it| it.as_expression().is_some_and(|it| quiet(module, it, depth)))
        }
        _ => false,
    }
}
