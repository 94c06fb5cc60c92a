//! Calls and other uses of a function or class, in every file, with what a change of its signature has to know of them.

use std::collections::{BTreeMap, BTreeSet};

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument as ArgumentNode, Expression, ObjectPropertyKind};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::item_list::{ItemList, position};
use super::signature::is_function;

#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) line: u32,
    pub(crate) list: ItemList,
    pub(crate) arguments: Vec<Argument>,
    /// Comments between the arguments.
    pub(crate) has_comments: bool,
    /// `f.call(this, …)`: the first argument is none of the function's.
    pub(crate) is_indirect: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Argument {
    pub(crate) is_spread: bool,
    pub(crate) effect: Effect,
    /// Keys of an object literal that holds nothing but plain properties.
    pub(crate) keys: Option<Vec<Key>>,
}

#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) is_shorthand: bool,
}

/// What happens when an argument is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    /// The same wherever it stands.
    Constant,
    /// It reads, and changes nothing.
    Read,
    /// It may do anything.
    Unknown,
}

/// A use that is no plain call.
#[derive(Debug, Clone)]
pub(crate) struct ValueUse {
    pub(crate) line: u32,
    pub(crate) kind: ValueKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// Exported, compared, its name read: no concern of its signature.
    Plain,
    /// `f.length`
    Length,
    /// In a type: `typeof f`.
    Type,
    /// `<F />`
    Element,
    /// `extends C`
    Base,
    /// It goes where it cannot be followed.
    Passed,
}

impl ValueKind {
    pub(crate) fn what(self) -> &'static str {
        match self {
            ValueKind::Plain => "it is used here",
            ValueKind::Length => "its number of parameters is read here",
            ValueKind::Type => "its type is used here",
            ValueKind::Element => "it is rendered here",
            ValueKind::Base => "a class extends it here",
            ValueKind::Passed => "it is passed on here, not called",
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) enum Use {
    Call(Call),
    Value(ValueUse),
}

/// The uses at some places of a file: of names, or of members that end in one.
pub(crate) fn uses_at(module: &Module<'_>, places: &[Span]) -> Vec<Use> {
    let wanted: BTreeSet<(u32, u32)> = places.iter().map(|span| (span.start, span.end)).collect();
    let mut found: BTreeMap<(u32, u32), Use> = BTreeMap::new();
    for node in module.nodes().iter() {
        let span = match node.kind() {
            AstKind::IdentifierReference(it) => it.span,
            AstKind::StaticMemberExpression(it) => it.span,
            AstKind::PrivateFieldExpression(it) => it.span,
            AstKind::ThisExpression(it) => it.span,
            AstKind::Super(it) => it.span,
            AstKind::TSQualifiedName(it) => it.span,
            AstKind::JSXMemberExpression(it) => it.span,
            _ => continue,
        };
        if wanted.contains(&(span.start, span.end)) {
            found.insert((span.start, span.end), use_of(module, node.id(), span));
        }
    }
    let missing = |place: &Span| {
        Use::Value(ValueUse { line: module.line(place.start), kind: ValueKind::Passed })
    };
    let known = |place: &Span| found.get(&(place.start, place.end)).cloned();
    places.iter().map(|place| known(place).unwrap_or_else(|| missing(place))).collect()
}

fn use_of(module: &Module<'_>, node: NodeId, span: Span) -> Use {
    let value = |kind: ValueKind| Use::Value(ValueUse { line: module.line(span.start), kind });
    if let AstKind::IdentifierReference(name) = module.nodes().kind(node) {
        let reference = name.reference_id.get().map(|id| module.scoping().get_reference(id));
        if reference.is_some_and(|it| it.flags().is_type()) {
            return value(ValueKind::Type);
        }
    }
    match module.parent(node) {
        AstKind::CallExpression(call) if call.callee.span() == span => {
            let type_end = call.type_arguments.as_ref().map(|it| it.span.end);
            let from = type_end.unwrap_or(span.end);
            Use::Call(read_call(module, from, call.span, &call.arguments, false))
        }
        AstKind::NewExpression(call) if call.callee.span() == span => {
            let type_end = call.type_arguments.as_ref().map(|it| it.span.end);
            let from = type_end.unwrap_or(span.end);
            Use::Call(read_call(module, from, call.span, &call.arguments, false))
        }
        AstKind::StaticMemberExpression(member) if member.object.span() == span => {
            let outer = module.nodes().parent_id(node);
            match (member.property.name.as_str(), module.parent(outer)) {
                ("length", _) => value(ValueKind::Length),
                ("call", AstKind::CallExpression(call)) if call.callee.span() == member.span => {
                    Use::Call(read_call(module, member.span.end, call.span, &call.arguments, true))
                }
                ("call" | "apply" | "bind" | "toString", _) => value(ValueKind::Passed),
                _ => value(ValueKind::Plain),
            }
        }
        AstKind::TSTypeQuery(_) | AstKind::TSQualifiedName(_) | AstKind::TSTypeReference(_) => {
            value(ValueKind::Type)
        }
        AstKind::JSXOpeningElement(_)
        | AstKind::JSXClosingElement(_)
        | AstKind::JSXMemberExpression(_) => value(ValueKind::Element),
        AstKind::ExportSpecifier(_)
        | AstKind::ExportDefaultDeclaration(_)
        | AstKind::ExpressionStatement(_)
        | AstKind::UnaryExpression(_)
        | AstKind::IfStatement(_) => value(ValueKind::Plain),
        AstKind::Class(_) => value(ValueKind::Base),
        AstKind::BinaryExpression(it) if it.operator.is_equality() => value(ValueKind::Plain),
        AstKind::BinaryExpression(it) if it.operator.is_instance_of() => value(ValueKind::Plain),
        AstKind::AssignmentExpression(it) if it.right.span() == span => {
            let is_export = module.slice(it.left.span()).contains("exports");
            value(if is_export { ValueKind::Plain } else { ValueKind::Passed })
        }
        _ => value(ValueKind::Passed),
    }
}

/// `from`: behind what is called, its type arguments among it.
fn read_call<'a>(
    module: &Module<'a>,
    from: u32,
    whole: Span,
    arguments: &[ArgumentNode<'a>],
    is_indirect: bool,
) -> Call {
    let spans: Vec<Span> = arguments.iter().map(GetSpan::span).collect();
    let open = position(module, from as usize, whole.end as usize, b'(');
    let is_closed = module.slice(whole).ends_with(')');
    let list = match open.and_then(|open| u32::try_from(open).ok()) {
        Some(open) if is_closed => ItemList::read(module, open, whole.end - 1, &spans),
        _ => ItemList::bare(whole.end, whole.end),
    };
    Call {
        line: module.line(whole.start),
        has_comments: list.has_comments(module),
        list,
        arguments: arguments.iter().map(|it| argument(module, it)).collect(),
        is_indirect,
    }
}

fn argument<'a>(module: &Module<'a>, argument: &ArgumentNode<'a>) -> Argument {
    let Some(expression) = argument.as_expression() else {
        let effect = Effect::Unknown;
        return Argument { is_spread: true, effect, keys: None };
    };
    Argument { is_spread: false, effect: effect(module, expression), keys: keys(expression) }
}

fn effect<'a>(module: &Module<'a>, expression: &Expression<'a>) -> Effect {
    match expression {
        Expression::NumericLiteral(_)
        | Expression::StringLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::BigIntLiteral(_) => Effect::Constant,
        Expression::Identifier(it) if it.name == "undefined" => Effect::Constant,
        Expression::Identifier(it) if module.symbol(it).is_some_and(|id| module.is_const(id)) => {
            Effect::Constant
        }
        it if is_function(it) => Effect::Constant,
        it if module.is_pure1(it, &|_| false) => Effect::Read,
        _ => Effect::Unknown,
    }
}

fn keys(expression: &Expression<'_>) -> Option<Vec<Key>> {
    let Expression::ObjectExpression(object) = expression else { return None };
    let properties = object.properties.iter();
    properties
        .map(|property| match property {
            ObjectPropertyKind::ObjectProperty(it) if !it.computed && !it.method => {
                let name = it.key.static_name()?.into_owned();
                let (span, is_shorthand) = (it.key.span(), it.shorthand);
                Some(Key { name, span, is_shorthand })
            }
            _ => None,
        })
        .collect()
}
