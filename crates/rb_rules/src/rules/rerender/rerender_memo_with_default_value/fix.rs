//! The edits: a constant of the file instead of the literal.
//! What is not made of literals, or could be changed, is offered as a draft.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrayExpressionElement, Expression, FunctionBody, ObjectPropertyKind, Statement, TSSignature,
    TSType, TSTypeName,
};
use oxc_semantic::SymbolId;
use oxc_span::GetSpan;
use rb_core::Edit;
use rb_ecma::{Func, Module, Use};

use super::super::hooks::{attribute_around, hook_of_dep};
use super::DefaultValue;
use crate::cx::Cx;

/// The edits, and why they are not proved.
pub(super) fn fix<'a>(cx: &Cx<'_, 'a>, it: &DefaultValue<'a>) -> (Vec<Edit>, Option<&'static str>) {
    let module = cx.module;
    let value = &it.pattern.right;
    let (written, type_doubt) = type_of(module, it);
    let base = constant_name(it.key, value);
    let code = format!("{written} = {}", module.slice(value.span()));
    let place = value.span();
    let edits = if has_constant(module, &base, &code) {
        vec![Edit::replace(place.start, place.end, base)]
    } else {
        let name = module.fresh_name(&base);
        let end = module.style().semicolon();
        vec![
            module.insert_at_top(&format!("const {name}{code}{end}")),
            Edit::replace(place.start, place.end, name),
        ]
    };
    let doubt = if module.has_comment(value.span()) {
        Some("it contains a comment")
    } else if !is_literal(module, value) {
        Some("it does not consist only of literals")
    } else if module.value_uses(it.symbol).any(|one| !is_harmless(module, &one)) {
        Some("it may be mutated")
    } else {
        type_doubt
    };
    (edits, doubt)
}

/// Is there a constant of this name and make already, which is nothing but a default?
fn has_constant(module: &Module<'_>, name: &str, code: &str) -> bool {
    let taken = module.scoping().symbol_names().filter(|it| *it == name).count();
    taken == 1
        && module.program().body.iter().any(|statement| {
            let Statement::VariableDeclaration(it) = statement else { return false };
            let text = module.slice(it.span).trim_end_matches(';');
            let id = it.declarations.first().and_then(|it| it.id.get_binding_identifier());
            text == format!("const {name}{code}")
                && id.is_some_and(|id| {
                    module
                        .value_uses(id.symbol_id())
                        .all(|it| matches!(module.parent(it.node), AstKind::AssignmentPattern(_)))
                })
        })
}

/// `EMPTY_ITEMS`, `DEFAULT_OPTIONS`, `noop`.
fn constant_name(key: &str, value: &Expression<'_>) -> String {
    let start = match value.get_inner_expression() {
        Expression::ArrayExpression(it) if it.elements.is_empty() => "EMPTY_",
        Expression::ObjectExpression(it) if it.properties.is_empty() => "EMPTY_",
        Expression::ArrowFunctionExpression(it)
            if it.body.as_function_body().is_some_and(FunctionBody::is_empty) =>
        {
            return "noop".to_owned();
        }
        Expression::FunctionExpression(it) if it.body.as_ref().is_some_and(|it| it.is_empty()) => {
            return "noop".to_owned();
        }
        _ => "DEFAULT_",
    };
    let mut name = start.to_owned();
    let mut was_lower = false;
    for character in key.chars().filter(|it| it.is_alphanumeric() || *it == '_') {
        if character.is_uppercase() && was_lower {
            name.push('_');
        }
        was_lower = character.is_lowercase();
        name.extend(character.to_uppercase());
    }
    name
}

/// Literals all the way down; of a function, a body that reads nothing of the component.
fn is_literal<'a>(module: &Module<'a>, value: &'a Expression<'a>) -> bool {
    match value.get_inner_expression() {
        Expression::StringLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::BigIntLiteral(_) => true,
        Expression::ArrayExpression(it) => it.elements.iter().all(|element| match element {
            ArrayExpressionElement::SpreadElement(_) | ArrayExpressionElement::Elision(_) => false,
            other => is_literal(module, other.to_expression()),
        }),
        Expression::ObjectExpression(it) => it.properties.iter().all(|property| match property {
            ObjectPropertyKind::SpreadProperty(_) => false,
            ObjectPropertyKind::ObjectProperty(it) => {
                !it.computed && !it.method && !it.shorthand && is_literal(module, &it.value)
            }
        }),
        inner => Func::of_expression(inner).is_some_and(|func| is_plain_function(module, func)),
    }
}

/// No parameters, whose types would be lost, and nothing from outside.
fn is_plain_function<'a>(module: &Module<'a>, func: Func<'a>) -> bool {
    let text = module.slice(func.span());
    func.params().items.is_empty()
        && func.params().rest.is_none()
        && module.captures(func.span()).is_empty()
        && !text.contains("this")
        && !text.contains("arguments")
}

/// Methods that change what they are called on.
const MUTATING: &[&str] = &[
    "copyWithin",
    "fill",
    "pop",
    "push",
    "reverse",
    "shift",
    "sort",
    "splice",
    "unshift",
    "add",
    "clear",
    "delete",
    "set",
];

/// Read, compared or handed to a component; not written to, nor to a function that could write.
fn is_harmless<'a>(module: &Module<'a>, it: &Use<'a>) -> bool {
    if it.is_write() {
        return false;
    }
    if hook_of_dep(module, it.node).is_some() || attribute_around(module, it.node).is_some() {
        return true;
    }
    match module.parent(it.node) {
        AstKind::SpreadElement(_)
        | AstKind::UnaryExpression(_)
        | AstKind::BinaryExpression(_)
        | AstKind::IfStatement(_)
        | AstKind::JSXSpreadAttribute(_) => true,
        AstKind::CallExpression(call) => call.callee.span() == it.span,
        // They copy what they are given.
        AstKind::NewExpression(made) => {
            ["Set", "Map"].iter().any(|name| module.is_global_named(&made.callee, name))
        }
        AstKind::StaticMemberExpression(member) => {
            let name = member.property.name.as_str();
            match module.parent(member.node_id.get()) {
                AstKind::CallExpression(call) if call.callee.span() == member.span => {
                    !MUTATING.contains(&name)
                }
                AstKind::AssignmentExpression(it) => it.left.span() != member.span,
                AstKind::UpdateExpression(_) => false,
                AstKind::UnaryExpression(it) if it.operator.is_delete() => false,
                _ => name == "length",
            }
        }
        _ => false,
    }
}

/// The annotation of the constant, and what speaks against it.
fn type_of<'a>(module: &Module<'a>, it: &DefaultValue<'a>) -> (String, Option<&'static str>) {
    if !module.is_typescript() {
        return (String::new(), None);
    }
    let parameter = it.view.func.params().items.first();
    let annotation =
        parameter.and_then(|it| it.type_annotation.as_ref()).map(|it| &it.type_annotation);
    let is_empty_array = matches!(it.pattern.right.get_inner_expression(), Expression::ArrayExpression(list) if list.elements.is_empty());
    let is_function = it.pattern.right.get_inner_expression().is_function();
    let has_type = annotation.is_some() || is_typed_by_use(module, it);
    if is_empty_array {
        return (": never[]".to_owned(), (!has_type).then_some("the prop has no type annotation"));
    }
    let member = annotation.and_then(|written| member_of(module, written, it.key));
    match member {
        Some(member) if is_simple(module, member) => {
            (format!(": {}", module.slice(member.span())), None)
        }
        _ if is_function && has_type => (String::new(), None),
        _ => (String::new(), Some("the prop type is not a simple type")),
    }
}

/// `memo<Props>(…)`, `const A: FC<Props> = …`.
fn is_typed_by_use<'a>(module: &Module<'a>, it: &DefaultValue<'a>) -> bool {
    let by_wrapper = it.view.wrapper.is_some_and(|call| call.type_arguments.is_some());
    let node = it.view.wrapper.map_or(it.view.func.node(), |call| call.node_id.get());
    by_wrapper
        || matches!(module.parent(node), AstKind::VariableDeclarator(it) if it.type_annotation.is_some())
}

/// The type of a member as it is written, optional or not.
fn member_of<'a>(
    module: &Module<'a>,
    written: &'a TSType<'a>,
    name: &str,
) -> Option<&'a TSType<'a>> {
    let members = match module.plain(written)? {
        TSType::TSTypeLiteral(it) => &it.members,
        TSType::TSIntersectionType(all) => {
            return all.types.iter().find_map(|it| member_of(module, it, name));
        }
        TSType::TSTypeReference(it) => {
            let TSTypeName::IdentifierReference(id) = &it.type_name else { return None };
            match module.declaration(module.symbol(id)?) {
                AstKind::TSInterfaceDeclaration(it) => &it.body.body,
                _ => return None,
            }
        }
        _ => return None,
    };
    members.iter().find_map(|member| match member {
        TSSignature::TSPropertySignature(it) if it.key.is_specific_static_name(name) => {
            Some(&it.type_annotation.as_ref()?.type_annotation)
        }
        _ => None,
    })
}

/// Names of the file, keywords, and arrays of them.
fn is_simple<'a>(module: &Module<'a>, written: &'a TSType<'a>) -> bool {
    match written {
        TSType::TSArrayType(it) => is_simple(module, &it.element_type),
        TSType::TSTypeReference(it) => match &it.type_name {
            TSTypeName::IdentifierReference(name) => {
                it.type_arguments.is_none()
                    && module.symbol(name).is_some_and(|symbol| is_of_file(module, symbol))
            }
            _ => false,
        },
        TSType::TSStringKeyword(_) | TSType::TSNumberKeyword(_) | TSType::TSBooleanKeyword(_) => {
            true
        }
        _ => false,
    }
}

fn is_of_file(module: &Module<'_>, symbol: SymbolId) -> bool {
    module.is_top_level(symbol)
}
