//! The expressions of a file that can refer to something: attributes, calls, subscripts.

use rb_python::ast::visitor::{self, Visitor};
use rb_python::ast::{self, Expr, Pattern};
use rb_python::{Ranged, Source, TextRange};

use crate::project::{Project, Value};

/// All of one kind, in no particular order.
#[derive(Default)]
pub(super) struct Expressions<'s> {
    pub(super) attributes: Vec<&'s ast::ExprAttribute>,
    pub(super) calls: Vec<&'s ast::ExprCall>,
    pub(super) subscripts: Vec<&'s ast::ExprSubscript>,
    pub(super) dicts: Vec<&'s ast::ExprDict>,
    /// `case Class(x=…)`
    pub(super) class_patterns: Vec<&'s ast::PatternMatchClass>,
}

pub(super) fn expressions(source: &Source) -> Expressions<'_> {
    let mut expressions = Expressions::default();
    expressions.visit_body(source.body());
    expressions
}

impl<'s> Expressions<'s> {
    pub(super) fn attributes_named(
        &self,
        name: &str,
    ) -> impl Iterator<Item = &'s ast::ExprAttribute> {
        self.attributes.iter().copied().filter(move |one| one.attr.as_str() == name)
    }
}

impl<'s> Visitor<'s> for Expressions<'s> {
    fn visit_expr(&mut self, expression: &'s Expr) {
        match expression {
            Expr::Attribute(one) => self.attributes.push(one),
            Expr::Call(one) => self.calls.push(one),
            Expr::Subscript(one) => self.subscripts.push(one),
            Expr::Dict(one) => self.dicts.push(one),
            _ => {}
        }
        visitor::walk_expr(self, expression);
    }

    fn visit_pattern(&mut self, pattern: &'s Pattern) {
        if let Pattern::MatchClass(one) = pattern {
            self.class_patterns.push(one);
        }
        visitor::walk_pattern(self, pattern);
    }
}

/// A string that stands for a name: `getattr(receiver, "name")`.
pub(super) struct NamedMember<'s> {
    pub(super) receiver: &'s Expr,
    /// The name itself, without quotes.
    pub(super) range: TextRange,
}

/// `getattr(x, "name")`, `patch.object(x, "name")`, `monkeypatch.setattr(x, "name", …)` and their like.
pub(super) fn named_member<'s>(
    source: &Source,
    call: &'s ast::ExprCall,
    name: &str,
) -> Option<NamedMember<'s>> {
    let callee = last_part(&call.func)?;
    let is_member_call = matches!(
        callee,
        "getattr" | "hasattr" | "setattr" | "delattr" | "getattr_static" | "safe_getattr"
    ) || is_patch_object(&call.func);
    if !is_member_call {
        return None;
    }
    let receiver = call.arguments.args.first()?;
    let keyword = call.arguments.find_keyword("attribute").map(|keyword| &keyword.value);
    let argument = call.arguments.args.get(1).or(keyword)?;
    let range = string_content(source, argument).filter(|range| source.slice(*range) == name)?;
    Some(NamedMember { receiver, range })
}

/// `patch.object`, `mock.patch.object`, `mocker.patch.object`.
fn is_patch_object(callee: &Expr) -> bool {
    let Expr::Attribute(attribute) = callee else { return false };
    attribute.attr.as_str() == "object" && last_part(&attribute.value) == Some("patch")
}

/// The content of a plain string literal.
pub(super) fn string_content(source: &Source, expression: &Expr) -> Option<TextRange> {
    let range = expression.as_string_literal_expr()?.range();
    let index = source.strings().binary_search_by_key(&range.start(), |one| one.range.start());
    let literal = &source.strings()[index.ok()?];
    (literal.range == range && !literal.has_escapes).then_some(literal.content)
}

pub(super) fn last_part(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Name(name) => Some(&name.id),
        Expr::Attribute(attribute) => Some(&attribute.attr),
        _ => None,
    }
}

/// The range of `c` in `a.b.c`.
pub(super) fn last_part_range(expression: &Expr) -> Option<TextRange> {
    match expression {
        Expr::Name(name) => Some(name.range()),
        Expr::Attribute(attribute) => Some(attribute.attr.range()),
        _ => None,
    }
}

impl Project<'_> {
    /// What a receiver is, also where it is named by a string: `patch.multiple("a.b", …)`, `sys.modules["a.b"]`.
    pub(super) fn receiver_value(&self, source: &Source, receiver: &Expr) -> Value {
        match receiver {
            Expr::StringLiteral(literal) => {
                self.value_of_path(source, literal.value.to_str()).unwrap_or(Value::Unknown)
            }
            Expr::Subscript(subscript)
                if self.value(source, &subscript.value) == Value::Foreign("sys.modules".into()) =>
            {
                match &*subscript.slice {
                    Expr::Name(name) if name.id == "__name__" => {
                        Value::Module(self.module_path(source.path()))
                    }
                    slice @ Expr::StringLiteral(_) => self.receiver_value(source, slice),
                    _ => Value::Unknown,
                }
            }
            _ => self.settled(self.value(source, receiver)),
        }
    }
}
