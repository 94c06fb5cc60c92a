//! Strings that name a function: `mock.patch("a.f")`, `patch.object(a, "f")`.

use rb_core::Edit;
use rb_python::ast::visitor::source_order::{SourceOrderVisitor, walk_expr};
use rb_python::ast::{Expr, ExprCall};
use rb_python::{Ranged, TextRange, TextSize};

use crate::operations::calls::{place, refusal};
use crate::operations::edits::FileEdits;
use crate::outcome::Refusal;
use crate::project::Project;
use crate::references::Reference;

pub(super) fn rewrite(
    project: &Project<'_>,
    class: &str,
    reference: &Reference,
    edits: &mut FileEdits,
) -> Result<(), Refusal> {
    let Some(source) = project.source(&reference.path) else { return Ok(()) };
    let range = reference.range;
    let before = TextRange::new(source.line_start(range.start()), range.start());
    if source.slice(before).ends_with('.') {
        edits.add(&reference.path, Edit::insert(range.start().into(), format!("{class}.")));
        return Ok(());
    }
    // The object whose attribute is named: the class has it now.
    let mut finder = Finder { range, object: None };
    finder.visit_body(source.body());
    let Some(object) = finder.object else {
        let places = vec![place(&source, range, "in this string")];
        let reason = "a string names a function in a way that cannot be followed";
        return Err(refusal(reason, places, "change it by hand first"));
    };
    edits.add(&reference.path, Edit::insert(object.into(), format!(".{class}")));
    Ok(())
}

struct Finder {
    range: TextRange,
    /// Behind the first argument of the call around the string.
    object: Option<TextSize>,
}

impl Finder {
    fn object(&self, call: &ExprCall) -> Option<TextSize> {
        let second = call.arguments.args.get(1)?;
        let is_it = second.is_string_literal_expr() && second.range().contains_range(self.range);
        let first = call.arguments.args.first()?;
        let is_path = matches!(first, Expr::Name(_) | Expr::Attribute(_));
        (is_it && is_path).then(|| first.range().end())
    }
}

impl<'a> SourceOrderVisitor<'a> for Finder {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Call(call) = expression {
            self.object = self.object.or_else(|| self.object(call));
        }
        walk_expr(self, expression);
    }
}
