//! Names in quoted annotations: `x: "Foo"`, `List["Foo"]`, `cast("Foo", x)`.
//!
//! Type comments are not read.

use ruff_python_ast::visitor::source_order::SourceOrderVisitor;
use ruff_python_ast::{self as ast, Expr};
use ruff_python_parser::{Mode, parse_parenthesized_expression_range};

use super::Walk;
use crate::nesting;
use crate::strings::{self, StringUse};

impl Walk<'_> {
    pub(super) fn as_annotation(&mut self, is_annotation: bool, action: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.is_annotation, is_annotation);
        action(self);
        self.is_annotation = outer;
    }

    /// A string where a type is expected.
    pub(super) fn quoted_annotation(&mut self, string: &ast::ExprStringLiteral) {
        for part in &string.value {
            self.string(part, StringUse::Annotation);
        }
        let [part] = string.value.as_slice() else {
            return;
        };
        let literal = strings::literal(self.text, part, StringUse::Annotation);
        let content = &self.text[literal.content];
        if literal.has_escapes || nesting::is_too_deep(content, Mode::ParenthesizedExpression) {
            return;
        }
        if let Ok(parsed) = parse_parenthesized_expression_range(self.text, literal.content) {
            let outer = std::mem::replace(&mut self.is_quoted, true);
            self.visit_expr(parsed.expr());
            self.is_quoted = outer;
        }
    }

    pub(super) fn subscript(&mut self, subscript: &ast::ExprSubscript) {
        self.visit_expr(&subscript.value);
        let is_type = self.is_annotation || self.typing_name(&subscript.value).is_some();
        match last_part(&subscript.value) {
            Some("Literal") if is_type => {
                self.as_annotation(false, |walk| walk.visit_expr(&subscript.slice));
            }
            Some("Annotated") if is_type => self.annotated(&subscript.slice),
            _ => self.as_annotation(is_type, |walk| walk.visit_expr(&subscript.slice)),
        }
    }

    /// Only the first of `Annotated[int, "text"]` is a type.
    fn annotated(&mut self, slice: &Expr) {
        let parts = match slice {
            Expr::Tuple(tuple) => tuple.elts.as_slice(),
            other => std::slice::from_ref(other),
        };
        for (index, part) in parts.iter().enumerate() {
            self.as_annotation(index == 0, |walk| walk.visit_expr(part));
        }
    }

    /// Does a function of `typing` take a type here?
    pub(super) fn is_quoted_argument(
        &self,
        function: &Expr,
        position: Option<usize>,
        keyword: Option<&str>,
    ) -> bool {
        let Some(name) = self.typing_name(function) else {
            return false;
        };
        match (name, position, keyword) {
            ("cast" | "ForwardRef", Some(0), _)
            | ("cast", _, Some("typ"))
            | ("NewType" | "assert_type", Some(1), _)
            | ("NewType", _, Some("tp"))
            | ("TypeVar" | "ParamSpec" | "TypeVarTuple", _, Some("bound" | "default")) => true,
            ("TypeVar", Some(position), _) => position > 0,
            _ => false,
        }
    }

    /// The name in `typing` that an expression means, if the file imports it from there.
    fn typing_name<'e>(&'e self, expression: &'e Expr) -> Option<&'e str> {
        match expression {
            Expr::Name(name) => self.typing.names.get(name.id.as_str()).map(String::as_str),
            Expr::Attribute(attribute) => match &*attribute.value {
                Expr::Name(module) if self.typing.modules.iter().any(|name| module.id == *name) => {
                    Some(attribute.attr.as_str())
                }
                _ => None,
            },
            _ => None,
        }
    }
}

fn last_part(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Name(name) => Some(name.id.as_str()),
        Expr::Attribute(attribute) => Some(attribute.attr.as_str()),
        _ => None,
    }
}
