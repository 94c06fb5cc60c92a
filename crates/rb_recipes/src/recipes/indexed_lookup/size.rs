//! How long may a list be? Short ones that somebody wrote down are left in peace.

use oxc_ast::AstKind;
use oxc_ast::ast::{ArrayExpressionElement, CallExpression, Expression};
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_ecma::{Func, Imported, Module};
use rb_rules::Target;
use rb_rules::rules::js::shapes::number_of;
use rb_rules::rules::js::size::{MANY, is_constant_name};

use super::At;
use super::array::calls_method;

const DEPTH: u32 = 8;

/// Is it short, by all that can be told of it? Lists from `MANY` entries on are worth an index.
pub(super) fn is_small<'a>(at: &At<'_, '_, 'a>, list: &Expression<'a>) -> bool {
    small(at, list, DEPTH)
}

fn small<'a>(at: &At<'_, '_, 'a>, list: &Expression<'a>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let module = at.module;
    match module.resolved(list) {
        Expression::ArrayExpression(it) => {
            it.elements.len() < MANY
                && it.elements.iter().all(|element| match element {
                    ArrayExpressionElement::SpreadElement(it) => small(at, &it.argument, depth),
                    _ => true,
                })
                && !grows(module, list)
        }
        Expression::StringLiteral(_) => true,
        Expression::NewExpression(it) if module.is_global_named(&it.callee, "Array") => {
            it.arguments.first().and_then(number_of).is_some_and(is_few)
        }
        Expression::Identifier(name) => module.symbol(name).is_some_and(|it| {
            imported_length(at, it).is_some_and(|length| length < MANY)
                || small_parameter(at, it, depth)
        }),
        Expression::CallExpression(call) => small_call(at, call, depth),
        _ => false,
    }
}

/// A parameter that every call of its function gives a short list, where all calls are seen.
fn small_parameter(at: &At<'_, '_, '_>, symbol: SymbolId, depth: u32) -> bool {
    let module = at.module;
    let span = module.scoping().symbol_span(symbol);
    let declaration = module.scoping().symbol_declaration(symbol);
    let own = std::iter::once(module.nodes().kind(declaration));
    let Some(func) = own.chain(module.ancestors(declaration)).find_map(Func::of) else {
        return false;
    };
    let index = func.params().items.iter().position(|it| it.span.contains_inclusive(span));
    let bound = match (func, module.parent(func.node())) {
        (Func::Function(it), _) if it.id.is_some() => it.id.as_ref(),
        (_, AstKind::VariableDeclarator(it)) => it.id.get_binding_identifier(),
        _ => None,
    };
    let named = bound.and_then(|it| it.symbol_id.get());
    let (Some(index), Some(named)) = (index, named) else { return false };
    let is_seen = crate::links::links(at.planning.world, at.path)
        .is_some_and(|it| it.names_of(module.name(named)).next().is_none());
    let mut uses = module.value_uses(named).peekable();
    is_seen
        && uses.peek().is_some()
        && uses.all(|used| match module.parent(used.node) {
            AstKind::CallExpression(call) if call.callee.span() == used.span => call
                .arguments
                .get(index)
                .and_then(|it| it.as_expression())
                .is_some_and(|it| small(at, it, depth)),
            _ => false,
        })
}

/// Something is added to it after it was made.
fn grows<'a>(module: &Module<'a>, list: &Expression<'a>) -> bool {
    module
        .symbol_of(list)
        .is_some_and(|it| calls_method(module, it, &["push", "unshift", "splice"]))
}

fn small_call<'a>(at: &At<'_, '_, 'a>, call: &CallExpression<'a>, depth: u32) -> bool {
    let module = at.module;
    let Expression::StaticMemberExpression(member) = call.callee.get_inner_expression() else {
        return module.is_global_named(&call.callee, "Array")
            && call.arguments.first().and_then(number_of).is_some_and(is_few);
    };
    let given =
        call.arguments.first().and_then(|it| it.as_expression()).map(|it| module.resolved(it));
    match member.property.name.as_str() {
        "keys" | "values" | "entries" if module.is_global_named(&member.object, "Object") => call
            .arguments
            .first()
            .and_then(|it| it.as_expression())
            .is_some_and(|it| is_table(module, it)),
        "from" if module.is_global_named(&member.object, "Array") => match given {
            Some(Expression::ObjectExpression(it)) => it.properties.iter().any(|property| {
                property.as_property().is_some_and(|it| {
                    it.key.is_specific_static_name("length")
                        && matches!(&it.value, Expression::NumericLiteral(it) if is_few(it.value))
                })
            }),
            Some(list) => small(at, list, depth),
            None => false,
        },
        "slice" => match call.arguments.as_slice() {
            [_, end] => number_of(end).is_some_and(|end| is_few(end.abs())),
            [start] => number_of(start).is_some_and(|start| start < 0.0 && is_few(-start)),
            _ => small(at, &member.object, depth),
        },
        "split" | "map" | "filter" | "sort" | "reverse" | "toSorted" | "toReversed" | "entries" => {
            small(at, &member.object, depth)
        }
        _ => false,
    }
}

/// An object that somebody wrote down, or an enumeration.
fn is_table<'a>(module: &Module<'a>, object: &Expression<'a>) -> bool {
    let is_constant = |it: &Expression<'a>| {
        it.get_identifier_reference().is_some_and(|it| is_constant_name(it.name.as_str()))
    };
    match module.resolved(object) {
        Expression::ObjectExpression(it) => {
            it.properties.len() < MANY && it.properties.iter().all(|it| !it.is_spread())
        }
        Expression::Identifier(name) => name.name.starts_with(|c: char| c.is_uppercase()),
        _ => is_constant(object),
    }
}

fn is_few(count: f64) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "it is 16")]
    let many = MANY as f64;
    count < many
}

/// The length of an imported array that is written down.
pub(super) fn imported_length(at: &At<'_, '_, '_>, symbol: SymbolId) -> Option<usize> {
    let import = at.module.import(symbol)?;
    let Target::File(file) = at.planning.world.resolve(at.path, import.source) else {
        return None;
    };
    let name = match import.imported {
        Imported::Default => "default",
        Imported::Named(name) => name,
        Imported::Namespace => return None,
    };
    let (file, name) = at.planning.world.origin(&file, name)?;
    at.planning.world.ask("length of a written array", &file, &name, |module| {
        let symbol = module.top_level(&name)?;
        match module.initializer(symbol)?.get_inner_expression() {
            Expression::ArrayExpression(it) => {
                let is_plain = it.elements.iter().all(|it| !it.is_spread());
                is_plain.then_some(it.elements.len())
            }
            _ => None,
        }
    })?
}
