//! May a value be the number 0 or `NaN`? Types first, then what the syntax says: defaults, optional members, `?.length`.
//!
//! Conditions around the value are not followed, and a type of another file is not known.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, ChainElement, Expression, IdentifierReference, LogicalOperator, PropertyKey,
    TSLiteral, TSPropertySignature, TSSignature, TSType, TSTypeName,
};
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};
use rb_ecma::{Module, Types};

/// The part of `a && b && …` that may be a number, and so is shown where it is zero.
pub(super) fn leaking<'a>(module: &Module<'a>, left: &Expression<'a>) -> Option<Span> {
    match left.get_inner_expression() {
        Expression::LogicalExpression(it) if it.operator == LogicalOperator::And => {
            leaking(module, &it.right).or_else(|| leaking(module, &it.left))
        }
        // A zero on the left of `||` gives way to what is on the right.
        Expression::LogicalExpression(it) if it.operator == LogicalOperator::Or => {
            leaking(module, &it.right)
                .filter(|_| may_be_zero(module, left.get_inner_expression()))
                .map(|_| left.span())
        }
        inner => may_be_zero(module, inner).then(|| left.span()),
    }
}

fn may_be_zero<'a>(module: &Module<'a>, value: &Expression<'a>) -> bool {
    if let Expression::NumericLiteral(literal) = module.resolved(value) {
        return literal.value == 0.0;
    }
    if is_id(module.slice(value.span())) || is_from_helper(module, module.resolved(value), 3) {
        return false;
    }
    if let Some(written) = module.declared_type(value)
        && module.types_of_written(written).is_known()
    {
        return has_zero(module, written, 8);
    }
    let types = module.types(value);
    if types.is_known() {
        return types.includes(Types::NUMBER | Types::BIGINT);
    }
    match value {
        Expression::ChainExpression(chain) => match &chain.expression {
            ChainElement::StaticMemberExpression(it) => match it.property.name.as_str() {
                "length" => true,
                "size" => is_collection(module, &it.object),
                _ => false,
            },
            _ => false,
        },
        Expression::StaticMemberExpression(it) => {
            let name = it.property.name.as_str();
            (name == "size" && is_collection(module, &it.object))
                || module
                    .declared_type(&it.object)
                    .and_then(|object| signature(module, object, name))
                    .is_some_and(|it| is_number(module, it))
        }
        Expression::Identifier(name) => named_is_number(module, name),
        _ => false,
    }
}

/// `user.teamId`: rows are counted from one.
fn is_id(code: &str) -> bool {
    ["Id", "ID", "_id", ".id"].iter().any(|it| code.ends_with(it)) || code == "id"
}

/// Of a function that has `null` for what it does not give, zero is not to be expected.
fn is_from_helper<'a>(module: &Module<'a>, value: &Expression<'a>, depth: u32) -> bool {
    match value.get_inner_expression() {
        Expression::ConditionalExpression(it) if depth > 0 => {
            is_from_helper(module, &it.consequent, depth - 1)
                || is_from_helper(module, &it.alternate, depth - 1)
        }
        Expression::CallExpression(call) => {
            let written = module.function_of(&call.callee).and_then(rb_ecma::Func::return_type);
            matches!(written.map(|it| &it.type_annotation), Some(TSType::TSUnionType(union))
                if union.types.iter().any(|it| matches!(it, TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_))))
        }
        _ => false,
    }
}

/// A `Map` or a `Set`, also one that is kept as state.
fn is_collection<'a>(module: &Module<'a>, object: &Expression<'a>) -> bool {
    if module.is_collection(object) {
        return true;
    }
    let initial = module.symbol_of(object).and_then(|it| module.initial_state(it));
    initial.is_some_and(|it| module.is_collection(it))
}

/// Can a value of the written type be zero? `1 | 2` cannot, and an enum is seldom meant as a number.
fn has_zero<'a>(module: &Module<'a>, written: &'a TSType<'a>, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    match module.plain(written) {
        Some(TSType::TSLiteralType(literal)) => match &literal.literal {
            TSLiteral::NumericLiteral(it) => it.value == 0.0,
            TSLiteral::BigIntLiteral(_) => true,
            _ => false,
        },
        Some(TSType::TSUnionType(union)) => {
            union.types.iter().any(|it| has_zero(module, it, depth - 1))
        }
        Some(TSType::TSTypeReference(reference)) => match &reference.type_name {
            TSTypeName::IdentifierReference(_) => false,
            _ => module.types_of_written(written).includes(Types::NUMBER),
        },
        Some(plain) => module.types_of_written(plain).includes(Types::NUMBER | Types::BIGINT),
        None => false,
    }
}

fn named_is_number<'a>(module: &Module<'a>, name: &IdentifierReference<'a>) -> bool {
    let Some(symbol) = module.symbol(name) else { return false };
    if !module.is_stable(symbol) {
        return false;
    }
    taken_out(module, symbol).is_some_and(|taken| {
        taken.is_number_by_default
            || taken
                .whole
                .and_then(|whole| signature(module, whole, taken.name))
                .is_some_and(|it| is_number(module, it))
    })
}

/// `{ count = 0 }: Props`: the name of the member, the type it is taken out of, and what stands in for it.
struct Destructured<'a> {
    name: &'a str,
    whole: Option<&'a TSType<'a>>,
    is_number_by_default: bool,
}

fn taken_out<'a>(module: &Module<'a>, symbol: SymbolId) -> Option<Destructured<'a>> {
    let node = module.scoping().symbol_declaration(symbol);
    let own = module.nodes().kind(node);
    let mut name = None;
    let mut is_number_by_default = false;
    for kind in std::iter::once(own).chain(module.ancestors(node)) {
        let (pattern, annotation) = match kind {
            AstKind::FormalParameter(it) => (&it.pattern, it.type_annotation.as_ref()),
            AstKind::VariableDeclarator(it) => (&it.id, it.type_annotation.as_ref()),
            _ => continue,
        };
        let BindingPattern::ObjectPattern(object) = pattern else { return None };
        for property in &object.properties {
            let bound =
                property.value.get_binding_identifier().or_else(|| default_target(&property.value));
            if bound.is_some_and(|it| it.symbol_id.get() == Some(symbol)) {
                name = match &property.key {
                    PropertyKey::StaticIdentifier(it) => Some(it.name.as_str()),
                    _ => None,
                };
                is_number_by_default = matches!(&property.value,
                    BindingPattern::AssignmentPattern(it) if matches!(it.right, Expression::NumericLiteral(_)));
            }
        }
        return Some(Destructured {
            name: name?,
            whole: annotation.map(|it| &it.type_annotation),
            is_number_by_default,
        });
    }
    None
}

fn default_target<'a>(
    pattern: &'a BindingPattern<'a>,
) -> Option<&'a oxc_ast::ast::BindingIdentifier<'a>> {
    match pattern {
        BindingPattern::AssignmentPattern(it) => it.left.get_binding_identifier(),
        _ => None,
    }
}

fn is_number<'a>(module: &Module<'a>, signature: &'a TSPropertySignature<'a>) -> bool {
    signature.type_annotation.as_ref().is_some_and(|it| {
        module.types_of_written(&it.type_annotation).is_known()
            && has_zero(module, &it.type_annotation, 8)
    })
}

/// The member of a type of this file, optional or not.
fn signature<'a>(
    module: &Module<'a>,
    whole: &'a TSType<'a>,
    name: &str,
) -> Option<&'a TSPropertySignature<'a>> {
    let among = |members: &'a [TSSignature<'a>]| {
        members.iter().find_map(|it| match it {
            TSSignature::TSPropertySignature(it) if it.key.is_specific_static_name(name) => {
                Some(&**it)
            }
            _ => None,
        })
    };
    match module.plain(whole)? {
        TSType::TSTypeLiteral(literal) => among(&literal.members),
        TSType::TSIntersectionType(all) => {
            all.types.iter().find_map(|it| signature(module, it, name))
        }
        TSType::TSTypeReference(reference) => {
            let TSTypeName::IdentifierReference(id) = &reference.type_name else { return None };
            match module.declaration(module.symbol(id)?) {
                AstKind::TSInterfaceDeclaration(interface) => among(&interface.body.body),
                _ => None,
            }
        }
        _ => None,
    }
}
