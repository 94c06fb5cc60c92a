//! Annotations: the class that `T`, `"T"`, `Optional[T]`, `T | None`, `Annotated[T, …]` and their like name.

use rb_python::ast::{self, Expr, Operator};
use rb_python::{Ranged, ScopeId, ScopeKind, Source, TextRange};

use super::outline::last_part;
use super::{Project, SymbolKind, Value, is_identifier};

impl Project<'_> {
    /// What a variable with this annotation holds.
    pub(super) fn annotated(&self, source: &Source, annotation: &Expr) -> Value {
        match annotation {
            Expr::StringLiteral(literal) => {
                self.quoted(source, literal.value.to_str(), literal.range())
            }
            Expr::Name(_) | Expr::Attribute(_) => {
                if last_part(annotation) == Some("Self") {
                    return self.enclosing_class(source, annotation.range());
                }
                self.instance_of(self.value(source, annotation))
            }
            Expr::BinOp(union) if union.op == Operator::BitOr => {
                match (&*union.left, &*union.right) {
                    (Expr::NoneLiteral(_), other) | (other, Expr::NoneLiteral(_)) => {
                        self.annotated(source, other)
                    }
                    _ => Value::Unknown,
                }
            }
            Expr::Subscript(subscript) => self.subscript(source, subscript),
            _ => Value::Unknown,
        }
    }

    fn subscript(&self, source: &Source, subscript: &ast::ExprSubscript) -> Value {
        let arguments = match &*subscript.slice {
            Expr::Tuple(tuple) => tuple.elts.iter().collect(),
            one => vec![one],
        };
        let known: Vec<&Expr> =
            arguments.iter().copied().filter(|one| !one.is_none_literal_expr()).collect();
        match (last_part(&subscript.value), &known[..]) {
            (
                Some("Optional" | "Final" | "ClassVar" | "Required" | "NotRequired" | "Union"),
                [one],
            )
            | (Some("Annotated"), [one, ..]) => self.annotated(source, one),
            (Some("Type" | "type"), [one]) => match self.annotated(source, one) {
                Value::Instance(class) => Value::Symbol(class),
                _ => Value::Unknown,
            },
            // A generic class of the project.
            (Some(_), _) => match self.instance_of(self.value(source, &subscript.value)) {
                instance @ Value::Instance(_) => instance,
                _ => Value::Unknown,
            },
            (None, _) => Value::Unknown,
        }
    }

    fn instance_of(&self, value: Value) -> Value {
        match self.settled(value) {
            Value::Symbol(class) if self.kind(&class) == SymbolKind::Class => {
                Value::Instance(class)
            }
            Value::Foreign(name) if is_concrete(&name) => Value::ForeignInstance(name),
            _ => Value::Unknown,
        }
    }

    /// The content of a string that is an annotation.
    fn quoted(&self, source: &Source, content: &str, range: TextRange) -> Value {
        let content = content.trim();
        let content = content.strip_suffix("| None").unwrap_or(content).trim();
        let content = match content.split_once('[') {
            Some((outer, rest)) if outer.ends_with("Optional") => rest.trim_end_matches(']'),
            Some(_) | None => content,
        };
        if content.rsplit('.').next() == Some("Self") {
            return self.enclosing_class(source, range);
        }
        self.instance_of(self.dotted_value(source, source.scopes().scope_at(range), content))
    }

    /// What a dotted path would mean if it were written in this scope.
    pub(crate) fn dotted_value(&self, source: &Source, scope: ScopeId, path: &str) -> Value {
        let mut parts = path.split('.');
        let first = parts.next().unwrap_or_default();
        if !path.split('.').all(is_identifier) {
            return Value::Unknown;
        }
        let variable = source.scopes().lookup(scope, first);
        let name = rb_python::Name {
            name: first.to_owned(),
            range: TextRange::default(),
            scope,
            variable,
            role: rb_python::NameRole::Use,
            is_quoted: true,
        };
        let value = self.value_of_name(source, &name);
        parts.fold(value, |value, part| self.attribute(source, value, part))
    }

    fn enclosing_class(&self, source: &Source, range: TextRange) -> Value {
        let mut scope = source.scopes().scope_at(range);
        while source.scopes().scope(scope).kind != ScopeKind::Class {
            match source.scopes().scope(scope).parent {
                Some(parent) => scope = parent,
                None => return Value::Unknown,
            }
        }
        self.symbol_of_scope(source, scope).map_or(Value::Unknown, Value::Instance)
    }
}

/// A foreign class that nothing of the project can stand in for: not a protocol, an abstract class or `Any`.
fn is_concrete(name: &str) -> bool {
    let (module, class) = name.rsplit_once('.').unwrap_or(("", name));
    match module {
        "builtins" => !matches!(class, "object" | "type" | "Exception" | "BaseException"),
        "datetime" | "decimal" | "pathlib" | "re" | "uuid" | "logging" | "io" => true,
        _ => false,
    }
}
