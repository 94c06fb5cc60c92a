//! Does nothing between the building of an index and its last use run code that could reach the list?

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentTarget, CallExpression, Expression, ForStatementLeft, NewExpression,
    SimpleAssignmentTarget,
};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{
    EACH_METHODS, Func, Module, Types, is_quiet_class, is_quiet_function, is_quiet_method,
};
use rb_rules::rules::js::shapes::method;

use super::At;
use super::array::{Array, made_array, parameter};
use super::lookup::{Ask, Lookup};
use super::place::IndexScope;
use super::report::Why;

/// Everything in a file that can have an effect, in the order of the text.
pub(super) struct Effects<'a>(Vec<(Span, Effect<'a>)>);

#[derive(Clone, Copy)]
enum Effect<'a> {
    Call(&'a CallExpression<'a>),
    New(&'a NewExpression<'a>),
    /// A member is written.
    Write(&'a Expression<'a>, Option<&'a str>),
    Wait,
    Unknown,
}

impl<'a> Effects<'a> {
    pub(super) fn of(module: &Module<'a>) -> Self {
        let mut all: Vec<_> =
            module.nodes().iter().filter_map(|node| effect(node.kind())).collect();
        all.sort_by_key(|(span, _)| (span.start, span.end));
        Effects(all)
    }

    fn within(&self, zone: Span) -> impl Iterator<Item = &(Span, Effect<'a>)> {
        let first = self.0.partition_point(|(span, _)| span.start < zone.start);
        self.0[first..].iter().take_while(move |(span, _)| span.start < zone.end)
    }
}

fn effect(kind: AstKind<'_>) -> Option<(Span, Effect<'_>)> {
    let effect = match kind {
        AstKind::CallExpression(it) => Effect::Call(it),
        AstKind::NewExpression(it) => Effect::New(it),
        AstKind::AwaitExpression(_) | AstKind::YieldExpression(_) => Effect::Wait,
        AstKind::ForOfStatement(it) if it.r#await => Effect::Wait,
        AstKind::ForOfStatement(it) if writes_member(&it.left) => Effect::Unknown,
        AstKind::ForInStatement(it) if writes_member(&it.left) => Effect::Unknown,
        AstKind::TaggedTemplateExpression(_) | AstKind::ImportExpression(_) => Effect::Unknown,
        AstKind::AssignmentExpression(it) => match &it.left {
            AssignmentTarget::AssignmentTargetIdentifier(_) => return None,
            AssignmentTarget::StaticMemberExpression(member) => {
                Effect::Write(&member.object, Some(member.property.name.as_str()))
            }
            AssignmentTarget::ComputedMemberExpression(member) => {
                Effect::Write(&member.object, None)
            }
            _ => Effect::Unknown,
        },
        AstKind::UpdateExpression(it) => match &it.argument {
            SimpleAssignmentTarget::AssignmentTargetIdentifier(_) => return None,
            SimpleAssignmentTarget::StaticMemberExpression(member) => {
                Effect::Write(&member.object, Some(member.property.name.as_str()))
            }
            SimpleAssignmentTarget::ComputedMemberExpression(member) => {
                Effect::Write(&member.object, None)
            }
            _ => Effect::Unknown,
        },
        AstKind::UnaryExpression(it) if it.operator.is_delete() => match &it.argument {
            Expression::StaticMemberExpression(member) => {
                Effect::Write(&member.object, Some(member.property.name.as_str()))
            }
            Expression::ComputedMemberExpression(member) => Effect::Write(&member.object, None),
            _ => Effect::Unknown,
        },
        _ => return None,
    };
    Some((kind.span(), effect))
}

/// `for (list[0] of …)`
fn writes_member(left: &ForStatementLeft<'_>) -> bool {
    !matches!(
        left,
        ForStatementLeft::VariableDeclaration(_) | ForStatementLeft::AssignmentTargetIdentifier(_)
    )
}

/// Does nothing in the zone run code that could reach the list?
pub(super) fn quiet<'a>(
    at: &At<'_, '_, 'a>,
    it: &Lookup<'a>,
    place: &IndexScope<'a>,
) -> Result<(), Why> {
    let module = at.module;
    let list = module.slice(it.list.span());
    // What is called with the result of the loop runs behind it.
    let is_behind = |span: Span| span.contains_inclusive(place.extent) && span != place.extent;
    for (span, effect) in at.effects.within(place.zone) {
        let disturbs = match effect {
            Effect::Call(call) => !is_behind(call.span) && !is_quiet_call(at, call),
            Effect::New(new) => !is_behind(new.span) && !is_quiet_new(module, new),
            Effect::Write(object, name) => writes(at, it, object, *name),
            Effect::Wait => !is_behind(*span),
            Effect::Unknown => true,
        };
        if disturbs {
            let code = crate::plan::one_line(module.slice(*span));
            let code: String = code.chars().take(40).collect();
            return Err(match effect {
                Effect::Wait => Why::new(
                    format!("the loop uses `await`, and other code may change `{list}` meanwhile"),
                    format!(
                        "build the index before the loop if no other code has access to `{list}`"
                    ),
                ),
                Effect::Write(..) => Why::new(
                    format!("`{code}` in the loop may change `{list}` or a key in it"),
                    "build the index before the loop if it does not",
                ),
                _ => Why::new(
                    format!("`{code}` in the loop may change `{list}`"),
                    "build the index before the loop if it does not",
                ),
            });
        }
    }
    Ok(())
}

fn is_quiet_new(module: &Module<'_>, new: &NewExpression<'_>) -> bool {
    new.callee.get_identifier_reference().is_some_and(|name| {
        is_quiet_class(name.name.as_str())
            && module.scoping().symbol_names().all(|it| it != name.name)
    })
}

fn is_quiet_call<'a>(at: &At<'_, '_, 'a>, call: &'a CallExpression<'a>) -> bool {
    let module = at.module;
    let arguments_are_quiet =
        call.arguments.iter().all(|argument| match argument.as_expression() {
            Some(argument) => is_quiet_argument(at, argument, calls_back(call)),
            None => !calls_back(call),
        });
    match call.callee.get_inner_expression() {
        Expression::StaticMemberExpression(member) => {
            let (object, name) = (&member.object, member.property.name.as_str());
            is_quiet_member(module, object, name, arguments_are_quiet)
                || grows_own(at, object, name)
        }
        Expression::Identifier(name) if module.is_global(name) => {
            is_quiet_function(name.name.as_str())
        }
        callee @ Expression::Identifier(name) => {
            let import = module.symbol(name).and_then(|it| module.import(it));
            let is_pure = match import {
                Some(import) => at.cx.is_pure_outside(import),
                None => module.function_of(callee).is_some_and(|func| is_pure(at, func)),
            };
            is_pure && arguments_are_quiet
        }
        _ => false,
    }
}

/// Does the method of an object only compute, given arguments that do?
fn is_quiet_member<'a>(
    module: &Module<'a>,
    object: &Expression<'a>,
    name: &str,
    arguments_are_quiet: bool,
) -> bool {
    const OF_OBJECT: &[&str] =
        &["entries", "freeze", "fromEntries", "hasOwn", "is", "keys", "values"];
    const GLOBALS: &[&str] = &["Array", "Date", "JSON", "Math", "Number", "String", "console"];
    if module.is_global_named(object, "Object") {
        return OF_OBJECT.contains(&name);
    }
    let import = module.symbol_of(object).and_then(|it| module.import(it));
    let is_known = GLOBALS.iter().any(|it| module.is_global_named(object, it))
        || import.is_some_and(|it| ["path", "node:path"].contains(&it.source))
        || is_quiet_method(name)
        || ["forEach", "toLocaleString"].contains(&name);
    is_known && arguments_are_quiet
}

/// Does the method call what it is given? A function of another file is taken to.
fn calls_back(call: &CallExpression<'_>) -> bool {
    const CALLING: &[&str] = &["forEach", "from", "replace", "replaceAll", "stringify", "parse"];
    method(call).is_none_or(|it| EACH_METHODS.contains(&it.name) || CALLING.contains(&it.name))
}

/// A function that is written in place is looked at where it stands; one that is handed over by its name runs, too.
fn is_quiet_argument<'a>(at: &At<'_, '_, 'a>, argument: &Expression<'a>, is_called: bool) -> bool {
    let module = at.module;
    if !is_called || argument.is_function() {
        return true;
    }
    let is_known =
        ["Boolean", "Number", "String"].iter().any(|it| module.is_global_named(argument, it));
    is_known
        || !module.types(argument).may_be(Types::FUNCTION)
        || module.function_of(argument).is_some_and(|func| is_pure(at, func))
}

fn is_pure<'a>(at: &At<'_, '_, 'a>, func: Func<'a>) -> bool {
    at.module.is_pure_function(func, &|import| at.cx.is_pure_outside(import))
}

/// `found.push(x)`, where `found` was made by this file as something new.
fn grows_own<'a>(at: &At<'_, '_, 'a>, object: &Expression<'a>, name: &str) -> bool {
    const GROWING: &[&str] =
        &["add", "clear", "delete", "pop", "push", "set", "shift", "sort", "unshift"];
    GROWING.contains(&name) && is_new(at, object)
}

/// Was it made in this file, by a literal, `new Map` or as a new array? Then it is not the list: that has its own name.
fn is_new<'a>(at: &At<'_, '_, 'a>, object: &Expression<'a>) -> bool {
    let module = at.module;
    if matches!(
        object.get_inner_expression(),
        Expression::ArrayExpression(_) | Expression::ObjectExpression(_)
    ) {
        return true;
    }
    let Some(symbol) = module.symbol_of(object) else { return false };
    if let Some(init) = module.initializer(symbol) {
        return match init.get_inner_expression() {
            Expression::ObjectExpression(_) => true,
            init if made_array(at, init) == Some(Array::Fresh) => true,
            Expression::NewExpression(it) => ["Map", "Set", "WeakMap", "WeakSet"]
                .iter()
                .any(|name| module.is_global_named(&it.callee, name)),
            _ => false,
        };
    }
    is_new_sum(module, symbol)
}

/// The first parameter of what `reduce` calls, where it begins with a literal.
fn is_new_sum(module: &Module<'_>, symbol: SymbolId) -> bool {
    let Some((func, 0, _)) = parameter(module, symbol) else { return false };
    matches!(module.parent(func.node()), AstKind::CallExpression(call)
    if method(call).is_some_and(|it| it.name == "reduce")
        && matches!(
            call.arguments.get(1).and_then(|it| it.as_expression()).map(Expression::get_inner_expression),
            Some(Expression::ArrayExpression(_) | Expression::ObjectExpression(_))
        ))
}

/// May writing `object.name` change the list, the way to it, or a key of its elements?
fn writes<'a>(
    at: &At<'_, '_, 'a>,
    it: &Lookup<'a>,
    object: &Expression<'a>,
    name: Option<&str>,
) -> bool {
    let is_key = |name: &str| match it.ask {
        Ask::Keyed(key) => key.of == name,
        Ask::Has(_) | Ask::Other(..) => false,
    };
    match name {
        Some(name) => {
            is_key(name) || it.names.contains(&name) || name == "length" && !is_new(at, object)
        }
        None => !is_new(at, object),
    }
}
