//! What an expression is to the name that holds it, and what stands before a name.

use oxc_ast::ast::{
    ArrowFunctionExpression, CallExpression, Class, Expression, Function, ObjectExpression,
    PropertyKey, TSTypeName,
};
use oxc_span::GetSpan;

use super::collect::Collector;
use super::react;

/// The value of a variable, a property or an assignment.
#[derive(Clone, Copy)]
pub(super) enum Value<'a, 't> {
    Function(&'t Function<'a>),
    Arrow(&'t ArrowFunctionExpression<'a>),
    Class(&'t Class<'a>),
    Object(&'t ObjectExpression<'a>),
    /// `memo(…)`, `forwardRef(…)`: a component made of the first argument, if it has one in sight.
    Component(&'t CallExpression<'a>, Option<&'t Expression<'a>>),
    Other(&'t Expression<'a>),
}

pub(super) fn of<'a, 't>(expression: &'t Expression<'a>) -> Value<'a, 't> {
    match expression.get_inner_expression() {
        Expression::FunctionExpression(function) => Value::Function(function),
        Expression::ArrowFunctionExpression(arrow) => Value::Arrow(arrow),
        Expression::ClassExpression(class) => Value::Class(class),
        Expression::ObjectExpression(object) => Value::Object(object),
        Expression::CallExpression(call) if react::is_wrapper(call) => {
            Value::Component(call, react::wrapped(call))
        }
        _ => Value::Other(expression),
    }
}

/// Is it so much text that a signature does without it?
pub(super) fn is_bulk(expression: &Expression<'_>) -> bool {
    matches!(
        expression.get_inner_expression(),
        Expression::ObjectExpression(_)
            | Expression::ArrayExpression(_)
            | Expression::ClassExpression(_)
            | Expression::JSXElement(_)
            | Expression::JSXFragment(_)
            | Expression::TemplateLiteral(_)
    )
}

/// A text that is known without running the program.
pub(super) fn literal<'a>(expression: &Expression<'a>) -> Option<&'a str> {
    match expression {
        Expression::StringLiteral(literal) => Some(literal.value.as_str()),
        Expression::TemplateLiteral(template) => template.single_quasi().map(|text| text.as_str()),
        _ => None,
    }
}

/// Longer paths before a name tell nobody anything.
const MAX_QUALIFIER: u32 = 80;

impl<'a> Collector<'a, '_> {
    /// The path of names that an expression is: `a.b`, `this`; `?` where it is more than that.
    pub(super) fn path(&self, expression: &Expression<'a>) -> &'a str {
        let span = expression.span();
        if let Expression::Identifier(name) = expression {
            return name.name.as_str();
        }
        // Room for line ends and spaces, which go.
        if span.size() > 4 * MAX_QUALIFIER || !is_path(expression) {
            return "?";
        }
        let written = self.slice(span);
        let plain = |byte: u8| {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'_' | b'$' | b'.' | b'#')
                || byte >= 0x80
        };
        if written.bytes().all(plain) {
            return if written.len() <= MAX_QUALIFIER as usize { written } else { "?" };
        }
        let mut names = Vec::new();
        collect_names(expression, &mut names);
        names.reverse();
        self.arena.alloc_str(&names.join("."))
    }

    pub(super) fn type_path(&self, name: &TSTypeName<'a>) -> &'a str {
        let written = self.slice(name.span());
        let plain =
            written.len() <= MAX_QUALIFIER as usize && !written.contains(char::is_whitespace);
        if plain { written } else { "?" }
    }

    /// As the text calls it: `x`, `#x`, `'a-b'` without its quotes, `[Symbol.iterator]`.
    pub(super) fn key(&self, key: &PropertyKey<'a>) -> &'a str {
        match key {
            PropertyKey::StaticIdentifier(name) => name.name.as_str(),
            PropertyKey::StringLiteral(literal) => literal.value.as_str(),
            PropertyKey::PrivateIdentifier(name) => self.slice(name.span),
            _ => self.arena.alloc_concat_strs_array(["[", self.slice(key.span()), "]"]),
        }
    }
}

fn is_path(mut expression: &Expression<'_>) -> bool {
    loop {
        expression = match expression {
            Expression::Identifier(_) | Expression::ThisExpression(_) | Expression::Super(_) => {
                return true;
            }
            Expression::StaticMemberExpression(member) => &member.object,
            Expression::PrivateFieldExpression(member) => &member.object,
            Expression::TSNonNullExpression(inner) => &inner.expression,
            _ => return false,
        }
    }
}

/// Innermost last.
fn collect_names<'a>(mut expression: &Expression<'a>, names: &mut Vec<&'a str>) {
    loop {
        expression = match expression {
            Expression::Identifier(name) => return names.push(name.name.as_str()),
            Expression::ThisExpression(_) => return names.push("this"),
            Expression::Super(_) => return names.push("super"),
            Expression::StaticMemberExpression(member) => {
                names.push(member.property.name.as_str());
                &member.object
            }
            Expression::PrivateFieldExpression(member) => {
                names.push(member.field.name.as_str());
                &member.object
            }
            Expression::TSNonNullExpression(inner) => &inner.expression,
            _ => return,
        }
    }
}
