//! Is it an array, whose is it, and how long may it be?
//!
//! An array is believed by its written type, by how it is made, by what all callers hand over, or where the same name is
//! used in ways that nothing but an array allows. Defaults such as `= []` alone say nothing of what callers pass.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, CallExpression, Expression, FormalParameter, Statement, TSType,
};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, Module, Types};
use rb_rules::rules::js::hot::name_of;
use rb_rules::rules::js::shapes::{is_exported_in_place, method};

use super::At;
use super::lookup::{Ask, Lookup};

const DEPTH: u32 = 8;

/// What is known of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Array {
    /// Made here and now: nobody else has it.
    Fresh,
    /// Others may have it, too.
    Shared,
}

impl Array {
    fn and(self, other: Array) -> Array {
        if self == Array::Fresh && other == Array::Fresh { Array::Fresh } else { Array::Shared }
    }
}

/// `None` where it may be something else, or nothing at all.
pub(super) fn array<'a>(at: &At<'_, '_, 'a>, it: &Lookup<'a>) -> Option<Array> {
    let module = at.module;
    let by_type = || {
        // What has these methods and is read by key is an array wherever types are checked.
        let is_keyed = matches!(it.ask, Ask::Keyed(_)) && !it.optional;
        (is_keyed && is_checked(at, it)).then_some(Array::Shared)
    };
    let guarded = || {
        let list = module.resolved(it.list);
        let there = there(list)?;
        let is_there = it.names.is_empty() && is_asked_before(module, it.root, it.call.span);
        is_there.then(|| proof(at, there)).flatten()
    };
    proof(at, it.list).or_else(by_type).or_else(guarded)
}

/// What the list itself says, wherever it stands.
pub(super) fn proof<'a>(at: &At<'_, '_, 'a>, list: &Expression<'a>) -> Option<Array> {
    proof_in(at, list, DEPTH)
}

/// How an array is made.
pub(super) fn made_array<'a>(at: &At<'_, '_, 'a>, list: &Expression<'a>) -> Option<Array> {
    made(at, list, DEPTH)
}

/// The other side of `… ? null : list`.
fn there<'e, 'a>(list: &'e Expression<'a>) -> Option<&'e Expression<'a>> {
    let Expression::ConditionalExpression(it) = list else { return None };
    let is_nothing = |it: &Expression<'a>| it.is_null_or_undefined();
    match (is_nothing(&it.consequent), is_nothing(&it.alternate)) {
        (true, false) => Some(&it.alternate),
        (false, true) => Some(&it.consequent),
        _ => None,
    }
}

/// `if (!list) return;` stands before a place, in the same list of statements or around it.
fn is_asked_before(module: &Module<'_>, symbol: SymbolId, place: Span) -> bool {
    module.is_stable(symbol)
        && module.uses(symbol).any(|it| {
            let mut around = module.ancestors(it.node);
            let Some(AstKind::UnaryExpression(not)) = around.next() else { return false };
            let Some(AstKind::IfStatement(test)) = around.next() else { return false };
            let leaves = match &test.consequent {
                Statement::BlockStatement(block) => block.body.last().is_some_and(leaves),
                other => leaves(other),
            };
            not.operator.is_not()
                && leaves
                && test.span.end <= place.start
                && around.next().is_some_and(|block| {
                    matches!(block, AstKind::BlockStatement(_) | AstKind::FunctionBody(_))
                        && block.span().contains_inclusive(place)
                })
        })
}

fn leaves(statement: &Statement<'_>) -> bool {
    matches!(
        statement,
        Statement::ReturnStatement(_)
            | Statement::ThrowStatement(_)
            | Statement::ContinueStatement(_)
    )
}

/// Does a type checker know what is in the list? Not of what is read from JSON or was called `any`.
pub(super) fn is_checked<'a>(at: &At<'_, '_, 'a>, it: &Lookup<'a>) -> bool {
    let module = at.module;
    if !module.is_typescript() || is_wrapper(at, it.list) {
        return false;
    }
    if module.declared_type_of(it.root).is_some_and(|it| matches!(it, TSType::TSAnyKeyword(_))) {
        return false;
    }
    let Some(init) = module.declarator(it.root).and_then(|it| it.init.as_ref()) else {
        return true;
    };
    let text = module.slice(init.span());
    !["JSON.parse", ".json()", "as any", "require("].iter().any(|it| text.contains(it))
}

fn proof_in<'a>(at: &At<'_, '_, 'a>, list: &Expression<'a>, depth: u32) -> Option<Array> {
    let depth = depth.checked_sub(1)?;
    let module = at.module;
    if let Some(made) = made(at, list, depth) {
        return Some(made);
    }
    if let Some(written) = module.declared_type(list)
        && module.types_of_written(written).is_only(Types::ARRAY)
        && !is_claimed(module, list)
    {
        return Some(Array::Shared);
    }
    match list {
        Expression::Identifier(name) => {
            let symbol = module.symbol(name)?;
            let known = match module.initializer(symbol) {
                Some(init) => proof_in(at, init, depth),
                None => import_proof(at, symbol).or_else(|| parameter_proof(at, symbol, depth)),
            };
            // Another name for it, whoever made it.
            let is_array = known.is_some() || used_as_array(module, symbol);
            is_array.then_some(Array::Shared)
        }
        Expression::TSNonNullExpression(it) => proof_in(at, &it.expression, depth),
        Expression::TSSatisfiesExpression(it) => proof_in(at, &it.expression, depth),
        Expression::TSAsExpression(it) => proof_in(at, &it.expression, depth),
        _ => None,
    }
}

/// `value as string[]`: written where a checker takes the value for something else, such as a text or a list.
pub(super) fn is_claimed<'a>(module: &Module<'a>, list: &Expression<'a>) -> bool {
    let mut inner = list;
    for _ in 0..DEPTH {
        inner = match inner {
            Expression::TSAsExpression(_) | Expression::TSTypeAssertion(_) => return true,
            Expression::TSNonNullExpression(it) => &it.expression,
            Expression::StaticMemberExpression(it) => &it.object,
            Expression::Identifier(name) => {
                let made = module.symbol(name).and_then(|it| module.declarator(it));
                let Some(made) = made.filter(|it| it.type_annotation.is_none()) else {
                    return false;
                };
                let Some(init) = &made.init else { return false };
                init
            }
            _ => return false,
        };
    }
    false
}

/// Arrays that are known by how they come about.
fn made<'a>(at: &At<'_, '_, 'a>, list: &Expression<'a>, depth: u32) -> Option<Array> {
    let module = at.module;
    match list {
        Expression::ArrayExpression(_) => Some(Array::Fresh),
        Expression::TSAsExpression(it) => made(at, &it.expression, depth),
        Expression::TSSatisfiesExpression(it) => made(at, &it.expression, depth),
        Expression::ConditionalExpression(it) => {
            Some(proof_in(at, &it.consequent, depth)?.and(proof_in(at, &it.alternate, depth)?))
        }
        Expression::LogicalExpression(it) => {
            Some(proof_in(at, &it.left, depth)?.and(proof_in(at, &it.right, depth)?))
        }
        Expression::NewExpression(it) => {
            module.is_global_named(&it.callee, "Array").then_some(Array::Fresh)
        }
        Expression::CallExpression(call) => made_by_call(at, call, depth),
        Expression::AwaitExpression(it) => match it.argument.get_inner_expression() {
            // What asks a database for many rows gives them as a new array.
            Expression::CallExpression(call) => {
                (method(call)?.name == "findMany").then_some(Array::Fresh)
            }
            _ => None,
        },
        _ => None,
    }
}

fn made_by_call<'a>(at: &At<'_, '_, 'a>, call: &CallExpression<'a>, depth: u32) -> Option<Array> {
    let module = at.module;
    let Expression::StaticMemberExpression(member) = call.callee.get_inner_expression() else {
        return None;
    };
    if member.optional || call.optional {
        return None;
    }
    let name = member.property.name.as_str();
    let owner = |owner: &str| module.is_global_named(&member.object, owner);
    if owner("Object") {
        let makes = ["keys", "values", "entries", "getOwnPropertyNames"].contains(&name);
        return makes.then_some(Array::Fresh);
    }
    if owner("Array") {
        return ["from", "of"].contains(&name).then_some(Array::Fresh);
    }
    match name {
        "split" if !is_wrapper(at, &member.object) => Some(Array::Fresh),
        "map" | "filter" | "flatMap" => {
            let first = call.arguments.first()?.as_expression()?;
            let is_callback = module.types(first).is_only(Types::FUNCTION)
                || module.is_global_named(first, "Boolean");
            let is_list = proof_in(at, &member.object, depth).is_some()
                || !is_wrapper(at, &member.object) && is_callback;
            is_list.then_some(Array::Fresh)
        }
        "slice" | "concat" | "flat" | "toSorted" | "toReversed" | "toSpliced" | "with" => {
            proof_in(at, &member.object, depth).map(|_| Array::Fresh)
        }
        "sort" | "reverse" | "fill" => {
            made(at, &member.object, depth).or_else(|| proof_in(at, &member.object, depth))
        }
        _ => None,
    }
}

/// `_(list).map(…)`, `List([…]).map(…)`, `chain(list).filter(…)`: collections with methods of the same names, which are no
/// arrays.
fn is_wrapper<'a>(at: &At<'_, '_, 'a>, object: &Expression<'a>) -> bool {
    const LIBRARIES: &[&str] = &["immutable", "mori", "lazy.js", "wu", "linq", "rxjs", "cheerio"];
    let module = at.module;
    if module.import_declarations().any(|it| LIBRARIES.contains(&it.source.value.as_str())) {
        return true;
    }
    let mut inner = module.resolved(object);
    for _ in 0..64 {
        inner = match inner {
            Expression::CallExpression(call) => match call.callee.get_inner_expression() {
                Expression::StaticMemberExpression(member) => {
                    if ["chain", "of", "List", "Seq", "from"]
                        .contains(&member.property.name.as_str())
                        && !module.is_global_named(&member.object, "Array")
                    {
                        return true;
                    }
                    module.resolved(&member.object)
                }
                Expression::Identifier(name) => {
                    return ["_", "$", "lodash", "chain", "List", "Seq", "jQuery", "underscore"]
                        .contains(&name.name.as_str());
                }
                _ => return false,
            },
            Expression::StaticMemberExpression(member) => module.resolved(&member.object),
            _ => return false,
        };
    }
    true
}

/// A constant of another file that is written down there.
fn import_proof(at: &At<'_, '_, '_>, symbol: SymbolId) -> Option<Array> {
    super::size::imported_length(at, symbol).map(|_| Array::Shared)
}

/// What every caller hands over, where all of them are seen in this file.
fn parameter_proof(at: &At<'_, '_, '_>, symbol: SymbolId, depth: u32) -> Option<Array> {
    let given = handed(at.module, symbol)?;
    let mut all = Array::Shared;
    if given.is_empty() {
        return None;
    }
    for argument in given {
        all = all.and(proof_in(at, argument, depth)?);
    }
    Some(all)
}

/// The arguments that all callers give for a parameter; `None` where not all callers are known.
pub(super) fn handed<'a>(module: &Module<'a>, symbol: SymbolId) -> Option<Vec<&'a Expression<'a>>> {
    let (func, position, parameter) = parameter(module, symbol)?;
    if !module.is_stable(symbol) || parameter.initializer.is_some() {
        return None;
    }
    calls_of(module, func)?
        .into_iter()
        .map(|call| {
            let plain = call.arguments.iter().take(position + 1).all(|it| !it.is_spread());
            plain.then(|| call.arguments.get(position)?.as_expression()).flatten()
        })
        .collect()
}

/// The function and position of a parameter that is a bare name.
pub(super) fn parameter<'a>(
    module: &Module<'a>,
    symbol: SymbolId,
) -> Option<(Func<'a>, usize, &'a FormalParameter<'a>)> {
    let node = module.scoping().symbol_declaration(symbol);
    let mut around = std::iter::once(module.nodes().kind(node)).chain(module.ancestors(node));
    let parameter = around.find_map(|kind| match kind {
        AstKind::FormalParameter(it) => Some(it),
        _ => None,
    })?;
    let BindingPattern::BindingIdentifier(id) = &parameter.pattern else { return None };
    if id.symbol_id.get() != Some(symbol) {
        return None;
    }
    let func = module.function_around(parameter.node_id.get())?;
    let at = func.params().items.iter().position(|it| it.span == parameter.span)?;
    Some((func, at, parameter))
}

/// Every call of a function of this file that nobody outside of it can call.
pub(super) fn calls_of<'a>(
    module: &Module<'a>,
    func: Func<'a>,
) -> Option<Vec<&'a CallExpression<'a>>> {
    let name = name_of(module, func)?;
    let is_own =
        matches!(module.declaration(name), AstKind::Function(_) | AstKind::VariableDeclarator(_));
    if !is_own
        || !module.is_stable(name)
        || uses_arguments(module, func)
        || is_exported(module, name)
    {
        return None;
    }
    module
        .uses(name)
        .map(|it| match module.parent(it.node) {
            AstKind::CallExpression(call) if call.callee.span() == it.span && !call.optional => {
                Some(call)
            }
            _ => None,
        })
        .collect()
}

/// `export function f`, `export const f`, `export default function f`.
pub(super) fn is_exported(module: &Module<'_>, symbol: SymbolId) -> bool {
    let node = module.scoping().symbol_declaration(symbol);
    is_exported_in_place(module, symbol)
        || matches!(module.parent(node), AstKind::ExportDefaultDeclaration(_))
}

pub(super) fn uses_arguments<'a>(module: &Module<'a>, func: Func<'a>) -> bool {
    module
        .identifiers_in(func.span())
        .iter()
        .any(|it| it.name == "arguments" && module.is_global(it))
}

/// Methods that arrays have and texts have not, and that take or give nothing that another collection would.
const OF_ARRAYS: &[&str] = &[
    "every",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "flatMap",
    "forEach",
    "join",
    "map",
    "pop",
    "push",
    "reduce",
    "reverse",
    "shift",
    "some",
    "sort",
    "splice",
    "toSorted",
    "unshift",
];

const OF_TEXTS: &[&str] = &[
    "charAt",
    "charCodeAt",
    "endsWith",
    "localeCompare",
    "match",
    "matchAll",
    "normalize",
    "padEnd",
    "padStart",
    "replace",
    "replaceAll",
    "split",
    "startsWith",
    "substr",
    "substring",
    "toLowerCase",
    "toUpperCase",
    "trim",
    "trimEnd",
    "trimStart",
];

pub(super) fn calls_method(module: &Module<'_>, symbol: SymbolId, names: &[&str]) -> bool {
    module.uses(symbol).any(|it| {
        let mut around = module.ancestors(it.node);
        matches!(around.next(), Some(AstKind::StaticMemberExpression(member))
            if member.object.span() == it.span
                && !member.optional
                && names.contains(&member.property.name.as_str())
                && matches!(around.next(), Some(AstKind::CallExpression(call))
                    if call.callee.span() == member.span))
    })
}

pub(super) fn has_list_uses(module: &Module<'_>, symbol: SymbolId) -> bool {
    calls_method(module, symbol, OF_ARRAYS)
}

pub(super) fn has_text_uses(module: &Module<'_>, symbol: SymbolId) -> bool {
    calls_method(module, symbol, OF_TEXTS)
}

/// A name with one value on which methods of arrays are called, and that nobody asks what it is.
fn used_as_array(module: &Module<'_>, symbol: SymbolId) -> bool {
    let is_asked = || {
        module.uses(symbol).any(|it| match module.parent(it.node) {
            AstKind::UnaryExpression(_)
            | AstKind::LogicalExpression(_)
            | AstKind::ConditionalExpression(_)
            | AstKind::IfStatement(_)
            | AstKind::BinaryExpression(_) => true,
            AstKind::StaticMemberExpression(member) => member.optional,
            AstKind::CallExpression(call) => {
                call.callee.span() != it.span
                    && matches!(&call.callee, Expression::StaticMemberExpression(member)
                        if member.property.name.starts_with("is"))
                    || matches!(&call.callee, Expression::Identifier(name) if name.name.starts_with("is"))
            }
            _ => false,
        })
    };
    let is_library = module.import_declarations().any(|it| it.source.value == "immutable");
    module.is_stable(symbol)
        && module.import(symbol).is_none()
        && has_list_uses(module, symbol)
        && !has_text_uses(module, symbol)
        && !is_library
        && !is_asked()
}

/// Does its name stand where something is put into it?
pub(super) fn is_filled(module: &Module<'_>, symbol: SymbolId) -> bool {
    calls_method(module, symbol, &["push", "unshift", "splice", "fill"])
        || module.uses(symbol).any(|it| {
            let mut around = module.ancestors(it.node);
            matches!(around.next(), Some(AstKind::ComputedMemberExpression(_)))
                && matches!(around.next(), Some(AstKind::AssignmentExpression(_)))
        })
}
