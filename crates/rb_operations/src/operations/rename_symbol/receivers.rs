//! What stands before a name: the `a.b` of `a.b.name`, of the string `"a.b.name"`, of `getattr(a.b, "name")`.

use rb_python::ast::visitor::{Visitor, walk_expr};
use rb_python::ast::{Expr, ExprCall};
use rb_python::{Ranged, Source, TextRange};

use crate::project::{Meaning, Project};

/// The module through which the reference at this place is made, if it is made through one.
pub(super) fn module_before(
    project: &Project<'_>,
    source: &Source,
    range: TextRange,
) -> Option<String> {
    if let Some(module) = module_in_string(project, source, range) {
        return Some(module);
    }
    let mut search = Search { range, receiver: None };
    search.visit_body(source.body());
    match project.meaning(source, search.receiver?) {
        Meaning::Module(path) => Some(path),
        Meaning::Symbol(_) | Meaning::Instance(_) | Meaning::Foreign(_) | Meaning::Unknown => None,
    }
}

/// `"a.b.name"`: the file of `a.b`.
fn module_in_string(project: &Project<'_>, source: &Source, range: TextRange) -> Option<String> {
    let literal = source.strings().iter().find(|literal| literal.content.contains_range(range))?;
    let before = source.slice(TextRange::new(literal.content.start(), range.start()));
    let module = before.strip_suffix('.').or_else(|| before.strip_suffix(':'))?;
    project.files.resolve(source.path(), module)
}

struct Search<'a> {
    range: TextRange,
    receiver: Option<&'a Expr>,
}

impl<'a> Visitor<'a> for Search<'a> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if self.receiver.is_some() || !expr.range().contains_range(self.range) {
            return;
        }
        match expr {
            Expr::Attribute(attribute) if attribute.attr.range == self.range => {
                self.receiver = Some(&attribute.value);
            }
            Expr::Call(call) if names_member(call, self.range) => {
                self.receiver = call.arguments.args.first();
            }
            _ => walk_expr(self, expr),
        }
    }
}

/// `getattr(a, "name")`: the second argument is the place.
fn names_member(call: &ExprCall, range: TextRange) -> bool {
    let second = call.arguments.args.get(1);
    second.is_some_and(Expr::is_string_literal_expr)
        && second.is_some_and(|argument| argument.range().contains_range(range))
}
