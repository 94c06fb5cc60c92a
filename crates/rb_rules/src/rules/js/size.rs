//! How long a list is, as far as that can be told: written down, bounded, or as long as some data.

use oxc_ast::AstKind;
use oxc_ast::ast::{ArrayExpressionElement, CallExpression, Expression};
use rb_ecma::{Func, Module, words};

use super::shapes::{method, number_of};
use crate::cx::Cx;

/// Lists from this length on are worth an index.
pub const MANY: usize = 16;

/// Is a list short, by all that can be told of it?
pub fn is_small<'a>(module: &Module<'a>, list: &Expression<'a>) -> bool {
    match module.resolved(list) {
        Expression::ArrayExpression(it) => {
            it.elements.len() < MANY
                && it.elements.iter().all(|element| match element {
                    ArrayExpressionElement::SpreadElement(it) => is_small(module, &it.argument),
                    _ => true,
                })
        }
        Expression::CallExpression(call) => is_small_call(module, call),
        Expression::NewExpression(it) if module.is_global_named(&it.callee, "Array") => {
            it.arguments.first().and_then(number_of).is_some_and(is_few)
        }
        Expression::Identifier(name) => {
            let import = module.symbol(name).and_then(|it| module.import(it));
            import.is_some() && is_constant_name(name.name.as_str())
        }
        Expression::StringLiteral(_) => true,
        _ => false,
    }
}

fn is_small_call<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> bool {
    let first = call.arguments.first();
    let Expression::StaticMemberExpression(member) = call.callee.get_inner_expression() else {
        return module.is_global_named(&call.callee, "Array")
            && first.and_then(number_of).is_some_and(is_few);
    };
    let given = first.and_then(|it| it.as_expression()).map(|it| module.resolved(it));
    match member.property.name.as_str() {
        "keys" | "values" | "entries" if module.is_global_named(&member.object, "Object") => {
            match given {
                Some(Expression::ObjectExpression(it)) => it.properties.len() < MANY,
                // An enumeration, or a table that somebody wrote down.
                Some(Expression::Identifier(name)) => {
                    name.name.starts_with(|c: char| c.is_uppercase())
                }
                _ => false,
            }
        }
        "from" if module.is_global_named(&member.object, "Array") => match given {
            Some(Expression::ObjectExpression(it)) => it.properties.iter().any(|property| {
                property.as_property().is_some_and(|it| {
                    it.key.is_specific_static_name("length")
                        && matches!(&it.value, Expression::NumericLiteral(it) if is_few(it.value))
                })
            }),
            Some(list) => is_small(module, list),
            None => false,
        },
        "split" => true,
        "slice" => match call.arguments.as_slice() {
            [_, end] => number_of(end).is_some_and(|end| is_few(end.abs())),
            [start] => number_of(start).is_some_and(|start| start < 0.0 && is_few(-start)),
            _ => is_small(module, &member.object),
        },
        "map" | "filter" | "sort" | "reverse" | "toSorted" | "toReversed" | "entries"
        | "concat" => is_small(module, &member.object),
        _ => false,
    }
}

/// Is it a list that another file of the project writes down, and a short one, or made of one?
pub fn is_small_elsewhere<'a>(cx: &Cx<'_, 'a>, list: &Expression<'a>) -> bool {
    let mut list = cx.module.resolved(list);
    // Through what is made of it: `tabs.map(…)`.
    for _ in 0..8 {
        list = match list {
            Expression::CallExpression(call) => {
                let Expression::StaticMemberExpression(member) = call.callee.get_inner_expression()
                else {
                    return false;
                };
                let name = member.property.name.as_str();
                match call.arguments.first().and_then(|it| it.as_expression()) {
                    Some(object) if cx.module.is_global_named(&member.object, "Object") => object,
                    _ if ["map", "filter", "slice", "toSorted"].contains(&name) => &member.object,
                    _ => return false,
                }
            }
            Expression::Identifier(name) => {
                let import = cx.module.symbol(name).and_then(|it| cx.module.import(it));
                let Some((file, name)) = import.and_then(|it| cx.origin(it)) else { return false };
                let answer = cx
                    .world
                    .ask("short list", &file, &name, |module| is_short_export(module, &name));
                return answer.unwrap_or(false);
            }
            _ => return false,
        };
        list = cx.module.resolved(list);
    }
    false
}

/// Does the file export a constant of this name that is a short list, or an object of few members?
fn is_short_export(module: &Module<'_>, name: &str) -> bool {
    let mut declarators = module.declarators().iter().filter(|it| {
        let id = it.id.get_binding_identifier();
        id.is_some_and(|id| id.name == name && module.is_top_level(id.symbol_id()))
    });
    declarators.any(|it| match it.init.as_ref().map(Expression::get_inner_expression) {
        Some(Expression::ObjectExpression(object)) => object.properties.len() < MANY,
        Some(init) => is_small(module, init),
        None => false,
    })
}

fn is_few(count: f64) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "it is 16")]
    let many = MANY as f64;
    count < many
}

/// Was the list waited for: read from a database, another machine, a file? Then nobody here knows how long it is.
pub fn is_fetched<'a>(module: &Module<'a>, list: &'a Expression<'a>) -> bool {
    let mut list = list.get_inner_expression();
    // Through what is made of it: `rows.filter(…)`, `data.rows`.
    for _ in 0..8 {
        list = match list {
            Expression::AwaitExpression(_) => return true,
            Expression::StaticMemberExpression(it) => it.object.get_inner_expression(),
            Expression::CallExpression(call) => match method(call) {
                Some(method) if ["filter", "map", "slice", "flatMap"].contains(&method.name) => {
                    method.object.get_inner_expression()
                }
                _ => return false,
            },
            Expression::LogicalExpression(it) => it.left.get_inner_expression(),
            Expression::Identifier(name) => {
                let Some(symbol) = module.symbol(name) else { return false };
                let node = module.scoping().symbol_declaration(symbol);
                let around =
                    std::iter::once(module.nodes().kind(node)).chain(module.ancestors(node));
                let declarator = around.take_while(|kind| Func::of(*kind).is_none()).find_map(
                    |kind| match kind {
                        AstKind::VariableDeclarator(it) => Some(it),
                        _ => None,
                    },
                );
                match declarator.and_then(|it| it.init.as_ref()) {
                    Some(init) => init.get_inner_expression(),
                    None => return false,
                }
            }
            _ => return false,
        };
    }
    false
}

/// Does a name speak of what each thing has but a handful of: `approverIds`, `tagNames`?
pub fn is_few_by_name(name: &str) -> bool {
    const FEW: &[&str] =
        &["approval", "approver", "attendee", "bypasser", "recipient", "role", "scope", "tag"];
    words(name).iter().any(|it| FEW.contains(&it.strip_suffix('s').unwrap_or(it)))
}

/// `ALL_CAPS`: a list that somebody wrote down.
pub fn is_constant_name(name: &str) -> bool {
    name.len() > 1 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}
