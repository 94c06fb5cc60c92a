//! Does code do nothing but make things: no effect that anyone could see, and nothing that it could throw?
//!
//! Reads of members count as quiet only where what they are read of is surely there: a module, `process.env`, an object that
//! is written out. Calls are loud, but for a few known makers.

mod calls;
mod jsx;
mod statements;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrayExpression, ArrayExpressionElement, BinaryExpression, BinaryOperator, BindingPattern,
    Class, ClassElement, Expression, ObjectExpression, ObjectPropertyKind, PropertyKey,
    UnaryExpression, UnaryOperator, VariableDeclarator,
};
use oxc_semantic::SymbolFlags;
use oxc_span::Span;
use rb_ecma::{Module, Types};

use self::calls::{is_conversion, is_maker, is_quiet_new, is_quiet_static};
use self::jsx::{quiet_child, quiet_element};
pub use self::statements::{first_effect, required};

/// Expressions are followed so far inwards.
const DEPTH: u32 = 24;

/// A declarator that can go without a trace: `const a = 1`.
pub fn is_quiet_variable<'a>(module: &Module<'a>, it: &'a VariableDeclarator<'a>) -> bool {
    matches!(it.id, BindingPattern::BindingIdentifier(_))
        && it.init.as_ref().is_none_or(|init| is_quiet(module, init))
}

/// No decorator, no static code that does something, no key that is computed by a call.
pub fn is_quiet_class<'a>(module: &Module<'a>, class: &Class<'a>) -> bool {
    let extends = class.heritage.as_ref().is_none_or(|it| {
        let base = it.expression.get_inner_expression();
        let symbol = module.symbol_of(base);
        match symbol {
            Some(symbol) => {
                (module.import(symbol).is_some()
                    || matches!(module.declaration(symbol), AstKind::Class(_)))
                    && is_quiet(module, base)
            }
            None => is_builtin_class(module, base) || is_import_member(module, base),
        }
    });
    extends
        && class.decorators.is_empty()
        && class.body.body.iter().all(|element| is_quiet_element(module, element))
}

fn is_quiet_element<'a>(module: &Module<'a>, element: &ClassElement<'a>) -> bool {
    let key = |key: &PropertyKey<'a>, computed: bool| {
        !computed
            || matches!(key, PropertyKey::StringLiteral(_) | PropertyKey::NumericLiteral(_))
            || key.as_expression().and_then(|it| it.as_member_expression()).is_some_and(|it| {
                module.is_global_named(it.object(), "Symbol") && it.static_property_name().is_some()
            })
    };
    match element {
        ClassElement::PropertyDefinition(it) => {
            key(&it.key, it.computed)
                && it.decorators.is_empty()
                && (!it.r#static || it.value.as_ref().is_none_or(|it| is_quiet(module, it)))
        }
        ClassElement::MethodDefinition(it) => {
            key(&it.key, it.computed)
                && it.decorators.is_empty()
                && it.value.params.items.iter().all(|it| it.decorators.is_empty())
        }
        ClassElement::TSIndexSignature(_) => true,
        ClassElement::StaticBlock(_) | ClassElement::AccessorProperty(_) => false,
    }
}

fn is_builtin_class<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    const CLASSES: &[&str] = &[
        "Array",
        "Error",
        "EvalError",
        "Map",
        "Promise",
        "RangeError",
        "ReferenceError",
        "Set",
        "SyntaxError",
        "TypeError",
        "URIError",
        "WeakMap",
        "WeakSet",
    ];
    CLASSES.iter().any(|it| module.is_global_named(expression, it))
}

/// There `this` may be read before `super()` was called, which throws.
fn is_in_constructor(module: &Module<'_>, node: oxc_semantic::NodeId) -> bool {
    let function = module.ancestors(node).find_map(|it| match it {
        AstKind::Function(it) => Some(it.node_id.get()),
        _ => None,
    });
    function.is_some_and(
        |it| matches!(module.parent(it), AstKind::MethodDefinition(it) if it.kind.is_constructor()),
    )
}

/// Evaluating it has no effect and cannot throw.
pub fn is_quiet<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    quiet(module, expression, DEPTH)
}

fn quiet<'a>(module: &Module<'a>, expression: &Expression<'a>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let inner = |it: &Expression<'a>| quiet(module, it, depth);
    let all = |list: &[oxc_ast::ast::Argument<'a>]| {
        list.iter().all(|it| it.as_expression().is_some_and(inner))
    };
    match expression.get_inner_expression() {
        Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BigIntLiteral(_)
        | Expression::RegExpLiteral(_)
        | Expression::StringLiteral(_)
        | Expression::ArrowFunctionExpression(_)
        | Expression::FunctionExpression(_)
        | Expression::ImportMeta(_) => true,
        Expression::Identifier(name) => is_bound(module, name),
        Expression::ThisExpression(it) => !is_in_constructor(module, it.node_id.get()),
        Expression::TemplateLiteral(it) => it.expressions.iter().all(|it| {
            inner(it)
                && (is_env(module, it)
                    || module.types(it).is_only(Types::PRIMITIVE.without(Types::SYMBOL)))
        }),
        Expression::ArrayExpression(it) => array(module, it, &inner),
        Expression::ObjectExpression(it) => object(module, it, &inner),
        Expression::UnaryExpression(it) => unary(module, it, &inner),
        Expression::BinaryExpression(it) => binary(module, it, &inner),
        Expression::LogicalExpression(it) => inner(&it.left) && inner(&it.right),
        Expression::ConditionalExpression(it) => {
            inner(&it.test) && inner(&it.consequent) && inner(&it.alternate)
        }
        Expression::ClassExpression(it) => is_quiet_class(module, it),
        Expression::StaticMemberExpression(it) => {
            is_import_member(module, expression)
                || is_there(module, &it.object)
                || is_known_constant(module, expression)
        }
        Expression::NewExpression(it) => {
            (it.pure && all(&it.arguments)) || is_quiet_new(module, it, &inner)
        }
        Expression::CallExpression(call) => {
            let is_known = call.pure
                || is_conversion(module, call)
                || is_maker(module, &call.callee, depth)
                || is_quiet_static(module, call);
            is_known && all(&call.arguments)
        }
        Expression::TaggedTemplateExpression(it) => {
            is_maker(module, &it.tag, depth) && it.quasi.expressions.iter().all(inner)
        }
        Expression::JSXElement(it) => quiet_element(module, it, depth),
        Expression::JSXFragment(it) => it.children.iter().all(|it| quiet_child(module, it, depth)),
        _ => false,
    }
}

type Inner<'i, 'a> = &'i dyn Fn(&Expression<'a>) -> bool;

/// No operator on it calls anything.
fn is_plain<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    module.types(expression).is_only(Types::NUMBER | Types::STRING | Types::BOOLEAN)
}

fn array<'a>(module: &Module<'a>, it: &ArrayExpression<'a>, inner: Inner<'_, 'a>) -> bool {
    it.elements.iter().all(|element| match element {
        ArrayExpressionElement::SpreadElement(it) => {
            inner(&it.argument) && is_written_array(module, &it.argument)
        }
        ArrayExpressionElement::Elision(_) => true,
        other => other.as_expression().is_some_and(inner),
    })
}

fn object<'a>(module: &Module<'a>, it: &ObjectExpression<'a>, inner: Inner<'_, 'a>) -> bool {
    let is_key = |key: &PropertyKey<'a>| {
        key.as_expression().is_some_and(|it| inner(it) && is_plain(module, it))
    };
    it.properties.iter().all(|property| match property {
        ObjectPropertyKind::ObjectProperty(it) => {
            inner(&it.value) && (!it.computed || is_key(&it.key))
        }
        ObjectPropertyKind::SpreadProperty(it) => {
            inner(&it.argument) && is_written_object(module, &it.argument)
        }
    })
}

fn unary<'a>(module: &Module<'a>, it: &UnaryExpression<'a>, inner: Inner<'_, 'a>) -> bool {
    match it.operator {
        UnaryOperator::LogicalNot | UnaryOperator::Void => inner(&it.argument),
        // A name that is nowhere declared is no error here; one that is declared further down is.
        UnaryOperator::Typeof => {
            let name = it.argument.get_identifier_reference();
            inner(&it.argument) || name.is_some_and(|it| module.is_global(it))
        }
        UnaryOperator::UnaryNegation | UnaryOperator::UnaryPlus | UnaryOperator::BitwiseNot => {
            inner(&it.argument) && is_plain(module, &it.argument)
        }
        UnaryOperator::Delete => false,
    }
}

fn binary<'a>(module: &Module<'a>, it: &BinaryExpression<'a>, inner: Inner<'_, 'a>) -> bool {
    let is_free = match it.operator {
        BinaryOperator::StrictEquality | BinaryOperator::StrictInequality => true,
        BinaryOperator::In | BinaryOperator::Instanceof => return false,
        _ => false,
    };
    let is_safe = is_free || (is_plain(module, &it.left) && is_plain(module, &it.right));
    is_safe && inner(&it.left) && inner(&it.right)
}

/// A name that has its value already: no global that may be missing, nothing that is declared further down.
fn is_bound<'a>(module: &Module<'a>, name: &oxc_ast::ast::IdentifierReference<'a>) -> bool {
    const GLOBALS: &[&str] = &[
        "undefined",
        "NaN",
        "Infinity",
        "Array",
        "Boolean",
        "Date",
        "Error",
        "JSON",
        "Map",
        "Math",
        "Number",
        "Object",
        "Promise",
        "RegExp",
        "Set",
        "String",
        "Symbol",
        "globalThis",
        "parseInt",
        "parseFloat",
        "console",
    ];
    let Some(symbol) = module.symbol(name) else { return GLOBALS.contains(&name.name.as_str()) };
    let flags = module.scoping().symbol_flags(symbol);
    let is_late = flags.intersects(
        SymbolFlags::BlockScopedVariable | SymbolFlags::Class | SymbolFlags::RegularEnum,
    );
    if !is_late || module.import(symbol).is_some() {
        return true;
    }
    let declared = module.scoping().symbol_span(symbol);
    let around = |span: Span| {
        let node = name.node_id.get();
        let func = module.function_around(node);
        func.is_some_and(|it| !(it.span().start <= span.start && span.end <= it.span().end))
    };
    // In a function that was begun after it, or further down than it.
    declared.start < name.span.start || around(declared)
}

/// Reading a member of it cannot fail, and runs nothing.
fn is_there<'a>(module: &Module<'a>, object: &Expression<'a>) -> bool {
    let object = object.get_inner_expression();
    if let Some(symbol) = module.symbol_of(object) {
        return module.import(symbol).is_some()
            || module
                .initializer(symbol)
                .is_some_and(|it| required(module, it).is_some() || has_no_getters(it))
                && object.get_identifier_reference().is_some_and(|it| is_bound(module, it));
    }
    is_env_object(module, object) || matches!(object, Expression::ImportMeta(_))
}

/// An object or array that is written out.
fn has_no_getters(expression: &Expression<'_>) -> bool {
    match expression.get_inner_expression() {
        Expression::ObjectExpression(it) => it.properties.iter().all(|it| match it {
            ObjectPropertyKind::ObjectProperty(it) => {
                it.kind == oxc_ast::ast::PropertyKind::Init
                    && it.key.static_name().is_none_or(|it| it != "__proto__")
            }
            ObjectPropertyKind::SpreadProperty(_) => false,
        }),
        Expression::ArrayExpression(_) => true,
        _ => false,
    }
}

/// `DialogPrimitive.Root` of something imported.
fn is_import_member<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    matches!(expression, Expression::StaticMemberExpression(it)
        if module.symbol_of(&it.object).is_some_and(|it| module.import(it).is_some()))
}

fn is_known_constant<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    let Expression::StaticMemberExpression(it) = expression else { return false };
    ["Math", "Number", "Symbol"].iter().any(|name| module.is_global_named(&it.object, name))
        || module.is_global_named(&it.object, "process")
            && ["platform", "env", "argv", "pid", "arch", "version"]
                .contains(&it.property.name.as_str())
}

/// `process.env`, `import.meta.env`.
fn is_env_object<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    let Expression::StaticMemberExpression(it) = expression else { return false };
    it.property.name == "env"
        && (module.is_global_named(&it.object, "process")
            || matches!(it.object, Expression::ImportMeta(_)))
}

fn is_env<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    matches!(expression.get_inner_expression(), Expression::StaticMemberExpression(it)
        if is_env_object(module, &it.object))
}

fn is_written_array<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    matches!(module.resolved(expression), Expression::ArrayExpression(_))
}

fn is_written_object<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    let object = module.resolved(expression);
    matches!(object, Expression::ObjectExpression(_)) && has_no_getters(object)
}
