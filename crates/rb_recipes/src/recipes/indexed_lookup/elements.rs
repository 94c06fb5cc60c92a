//! Can a key be read of every element, and can it be NaN?
//!
//! A search by key stops at what it finds; an index reads the key of all. Where an element may be missing, that would throw
//! where nothing threw before. Types that are written rule it out, and so do literals.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrayExpressionElement, Expression, MethodDefinitionKind, ObjectExpression, PropertyKind,
    TSType,
};
use oxc_span::GetSpan;
use rb_ecma::{Func, Module, Types};
use rb_rules::rules::js::shapes::method;

use super::At;
use super::array::{handed, is_checked};
use super::lookup::Lookup;

const DEPTH: u32 = 8;

/// What is known of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyKind {
    /// Texts and their like: no two that are equal differ, none that is itself differs.
    Plain,
    /// It may be NaN, for all that is known.
    Any,
}

impl KeyKind {
    fn and(self, other: KeyKind) -> KeyKind {
        if self == KeyKind::Plain && other == KeyKind::Plain {
            KeyKind::Plain
        } else {
            KeyKind::Any
        }
    }
}

/// `None` where an element may be null, undefined or a hole, or where reading the key runs code.
pub(super) fn key<'a>(at: &At<'_, '_, 'a>, it: &Lookup<'a>, name: &str) -> Option<KeyKind> {
    of(at, it.list, name, DEPTH).or_else(|| {
        let is_any =
            at.module.declared_type(it.list).and_then(|it| at.module.element_type(it)).is_some();
        (!is_any && is_checked(at, it)).then(|| by_name(name))
    })
}

/// Of what no type is seen here: identifiers and names are no fractions.
fn by_name(name: &str) -> KeyKind {
    if is_id(name) || is_text_name(name) { KeyKind::Plain } else { KeyKind::Any }
}

fn of<'a>(
    at: &At<'_, '_, 'a>,
    list: &'a Expression<'a>,
    name: &str,
    depth: u32,
) -> Option<KeyKind> {
    let depth = depth.checked_sub(1)?;
    let module = at.module;
    if let Some(written) = module.declared_type(list)
        && let Some(element) = module.element_type(written)
    {
        return of_type(module, element, name);
    }
    match list.get_inner_expression() {
        Expression::Identifier(it) => {
            let symbol = module.symbol(it)?;
            if let Some(init) = module.initializer(symbol) {
                let grown = grown(at, symbol, name)?;
                return Some(of(at, init, name, depth)?.and(grown));
            }
            let given = handed(module, symbol).filter(|it| !it.is_empty())?;
            given
                .into_iter()
                .map(|it| of(at, it, name, depth))
                .try_fold(KeyKind::Plain, |all, it| Some(all.and(it?)))
        }
        Expression::ArrayExpression(it) => {
            it.elements.iter().try_fold(KeyKind::Plain, |all, element| match element {
                ArrayExpressionElement::ObjectExpression(it) => {
                    Some(all.and(of_object(module, it, name)?))
                }
                ArrayExpressionElement::SpreadElement(it) => {
                    Some(all.and(of(at, &it.argument, name, depth)?))
                }
                _ => None,
            })
        }
        Expression::AwaitExpression(it) => match it.argument.get_inner_expression() {
            Expression::CallExpression(call) => {
                (method(call)?.name == "findMany").then(|| by_name(name))
            }
            _ => None,
        },
        Expression::CallExpression(call) => {
            let method = method(call)?;
            match method.name {
                "filter" | "slice" | "sort" | "reverse" | "toSorted" | "toReversed" => {
                    of(at, method.object, name, depth)
                }
                "map" => {
                    let func = Func::of_expression(call.arguments.first()?.as_expression()?)?;
                    match func.returned()?.get_inner_expression() {
                        Expression::ObjectExpression(it)
                            if !func.is_async() && !has_holes(module, method.object) =>
                        {
                            of_object(module, it, name)
                        }
                        _ => None,
                    }
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// `[a, , b]` and `new Array(9)`: what is made of them has the same holes.
fn has_holes<'a>(module: &Module<'a>, list: &'a Expression<'a>) -> bool {
    match module.resolved(list) {
        Expression::ArrayExpression(it) => {
            it.elements.iter().any(|it| matches!(it, ArrayExpressionElement::Elision(_)))
        }
        Expression::NewExpression(it) => module.is_global_named(&it.callee, "Array"),
        Expression::CallExpression(it) => match method(it) {
            Some(method) if ["map", "slice", "concat", "reverse"].contains(&method.name) => {
                has_holes(module, method.object)
            }
            Some(_) => false,
            None => module.is_global_named(&it.callee, "Array"),
        },
        _ => false,
    }
}

/// What is added to the list by its name.
fn grown(at: &At<'_, '_, '_>, symbol: oxc_semantic::SymbolId, name: &str) -> Option<KeyKind> {
    let module = at.module;
    let mut all = KeyKind::Plain;
    if super::changes::is_given_away(module, symbol) {
        return None;
    }
    for it in module.value_uses(symbol) {
        let mut around = module.ancestors(it.node);
        match around.next() {
            Some(AstKind::StaticMemberExpression(member)) if member.object.span() == it.span => {
                let Some(AstKind::CallExpression(call)) = around.next() else { continue };
                match member.property.name.as_str() {
                    "push" | "unshift" => {
                        for argument in &call.arguments {
                            let Expression::ObjectExpression(object) = argument.as_expression()?
                            else {
                                return None;
                            };
                            all = all.and(of_object(module, object, name)?);
                        }
                    }
                    "splice" | "fill" | "copyWithin" => return None,
                    _ => {}
                }
            }
            Some(AstKind::ComputedMemberExpression(member)) => {
                if matches!(around.next(), Some(AstKind::AssignmentExpression(it)) if it.left.span() == member.span)
                {
                    return None;
                }
            }
            _ => {}
        }
    }
    Some(all)
}

fn of_object<'a>(
    module: &Module<'a>,
    object: &ObjectExpression<'a>,
    name: &str,
) -> Option<KeyKind> {
    let mut found = KeyKind::Any;
    for property in &object.properties {
        let Some(property) = property.as_property() else { continue };
        if !property.key.is_specific_static_name(name) {
            continue;
        }
        if property.kind != PropertyKind::Init {
            return None;
        }
        let types = module.types(&property.value);
        found = match types.is_only(plain()) {
            true => KeyKind::Plain,
            false if module.is_typescript() => by_name(name),
            false => KeyKind::Any,
        };
    }
    Some(found)
}

fn plain() -> Types {
    Types::STRING | Types::BOOLEAN | Types::BIGINT | Types::NULLISH
}

/// Code that reads a member of a value without asking compiles only where the value is there.
fn of_type<'a>(module: &Module<'a>, element: &'a TSType<'a>, name: &str) -> Option<KeyKind> {
    if matches!(element, TSType::TSAnyKeyword(_) | TSType::TSUnknownKeyword(_)) {
        return None;
    }
    if let TSType::TSTypeReference(it) = element
        && let oxc_ast::ast::TSTypeName::IdentifierReference(id) = &it.type_name
        && let Some(symbol) = module.symbol(id)
    {
        match module.declaration(symbol) {
            AstKind::Class(class) if has_getter(class, name) => return None,
            AstKind::TSTypeParameter(_) => return None,
            _ => {}
        }
    }
    let Some(member) = module.member_type(element, name) else {
        return Some(by_name(name));
    };
    let types = module.types_of_written(member);
    let is_plain = types.is_only(plain()) || is_id(name) && types.is_only(plain() | Types::NUMBER);
    Some(if is_plain { KeyKind::Plain } else { KeyKind::Any })
}

fn has_getter(class: &oxc_ast::ast::Class<'_>, name: &str) -> bool {
    class.body.body.iter().any(|it| {
        matches!(it, oxc_ast::ast::ClassElement::MethodDefinition(it)
            if it.kind == MethodDefinitionKind::Get && it.key.is_specific_static_name(name))
    })
}

/// Identifiers are texts or whole numbers.
fn is_id(name: &str) -> bool {
    name == "id"
        || name == "uuid"
        || ["Id", "ID", "_id", "Uuid"].iter().any(|end| name.ends_with(end))
}

/// What is called so is a text wherever somebody gives it a type.
fn is_text_name(name: &str) -> bool {
    const TEXTS: &[&str] = &[
        "code", "email", "key", "kind", "label", "name", "path", "role", "slug", "status", "title",
        "type", "url", "username",
    ];
    let word = name.rfind(|c: char| c.is_uppercase()).map_or(name, |at| &name[at..]);
    TEXTS.contains(&word.to_lowercase().as_str())
}

/// Can what is looked for be NaN?
pub(super) fn may_be_nan<'a>(module: &Module<'a>, wanted: &Expression<'a>) -> bool {
    if matches!(wanted.get_inner_expression(), Expression::NumericLiteral(_)) {
        return false;
    }
    module.types(wanted).may_be(Types::NUMBER)
}

/// Is every element something that `indexOf` finds wherever a Set does: no NaN, and no hole where undefined is asked for?
pub(super) fn are_plain<'a>(at: &At<'_, '_, 'a>, list: &'a Expression<'a>) -> bool {
    are_plain_in(at, list, DEPTH)
}

fn are_plain_in<'a>(at: &At<'_, '_, 'a>, list: &'a Expression<'a>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let module = at.module;
    if let Some(element) = module.declared_type(list).and_then(|it| module.element_type(it)) {
        return module
            .types_of_written(element)
            .is_only(Types::STRING | Types::BOOLEAN | Types::BIGINT);
    }
    match module.resolved(list) {
        Expression::ArrayExpression(it) => {
            it.elements.iter().all(|element| {
                element
                    .as_expression()
                    .is_some_and(|it| module.types(it).is_only(Types::STRING | Types::BOOLEAN))
            }) && !module.symbol_of(list).is_some_and(|it| super::array::is_filled(module, it))
        }
        Expression::CallExpression(call) => {
            method(call).is_some_and(|it| match it.name {
                "split" => true,
                "keys" => module.is_global_named(it.object, "Object"),
                "filter" | "slice" | "sort" | "toSorted" | "reverse" | "toReversed" => {
                    are_plain_in(at, it.object, depth)
                }
                "map" => call
                    .arguments
                    .first()
                    .and_then(|it| it.as_expression())
                    .and_then(Func::of_expression)
                    .and_then(Func::returned)
                    .is_some_and(|it| module.types(it).is_only(Types::STRING)),
                _ => false,
            }) && !module.symbol_of(list).is_some_and(|it| super::array::is_filled(module, it))
        }
        Expression::Identifier(name) => {
            module.symbol(name).and_then(|it| handed(module, it)).is_some_and(|given| {
                !given.is_empty() && given.into_iter().all(|it| are_plain_in(at, it, depth))
            })
        }
        _ => false,
    }
}
