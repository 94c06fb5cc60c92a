//! The body of a function, taking its parameters from an instance.

use std::collections::BTreeSet;

use rb_core::Edit;
use rb_python::ast::InterpolatedStringElement;
use rb_python::ast::visitor::source_order::{SourceOrderVisitor, walk_interpolated_string_element};
use rb_python::{NameRole, Ranged, Source, TextSize};

use crate::operations::calls::{place, refusal};
use crate::operations::edits::FileEdits;
use crate::operations::functions::{Function, Parameter};
use crate::operations::text_style;
use crate::outcome::Refusal;

/// `x` becomes `instance.x`. One that the body binds anew is unpacked first: `x = instance.x`.
pub(super) fn rewrite(
    source: &Source,
    function: &Function<'_>,
    fields: &[Parameter<'_>],
    instance: &str,
    edits: &mut FileEdits,
) -> Result<(), Refusal> {
    check_locals(source, function)?;
    let scopes = source.scopes();
    let debugged = debugged(function);
    let mut unpacked = Vec::new();
    for field in fields {
        let variable = scopes.name_at(field.name_range).and_then(|name| name.variable);
        let names: Vec<_> = variable
            .into_iter()
            .flat_map(|variable| scopes.names_of(variable))
            .filter(|name| name.range != field.name_range)
            .collect();
        let is_bound = names.iter().any(|name| name.role != NameRole::Use);
        let is_imported = variable.is_some_and(|id| scopes.variable(id).bindings.len() > 1);
        let is_debugged = names.iter().any(|name| debugged.contains(&name.range.start()));
        if is_bound || is_imported || is_debugged {
            unpacked.push(field.name);
            continue;
        }
        for name in names {
            edits.replace(source.path(), name.range, format!("{instance}.{}", field.name));
        }
    }
    if !unpacked.is_empty() {
        edits.add(source.path(), unpacking(source, function, &unpacked, instance)?);
    }
    Ok(())
}

fn check_locals(source: &Source, function: &Function<'_>) -> Result<(), Refusal> {
    let locals = source.scopes().names.iter().find(|name| {
        let is_locals = name.name == "locals" && name.variable.is_none();
        is_locals && function.node.range().contains_range(name.range)
    });
    let Some(locals) = locals else { return Ok(()) };
    let places = vec![place(source, locals.range, "`locals()` sees every parameter")];
    Err(refusal("the body looks at its own variables", places, "rewrite it first"))
}

fn unpacking(
    source: &Source,
    function: &Function<'_>,
    names: &[&str],
    instance: &str,
) -> Result<Edit, Refusal> {
    let lines: Vec<String> =
        names.iter().map(|name| format!("{name} = {instance}.{name}")).collect();
    let edit = text_style::first_lines(source, function, &lines);
    edit.ok_or_else(|| {
        let places = vec![place(source, function.node.name.range(), "the function")];
        refusal("the function has no body to change", places, "rewrite it first")
    })
}

/// Names within `f"{x=}"`, which shows how they are written.
fn debugged(function: &Function<'_>) -> BTreeSet<TextSize> {
    struct Debugged {
        names: BTreeSet<TextSize>,
    }
    impl<'a> SourceOrderVisitor<'a> for Debugged {
        fn visit_interpolated_string_element(&mut self, element: &'a InterpolatedStringElement) {
            if let InterpolatedStringElement::Interpolation(interpolation) = element
                && interpolation.debug_text.is_some()
            {
                let mut names = Names { names: &mut self.names };
                names.visit_expr(&interpolation.expression);
            }
            walk_interpolated_string_element(self, element);
        }
    }
    struct Names<'n> {
        names: &'n mut BTreeSet<TextSize>,
    }
    impl<'a> SourceOrderVisitor<'a> for Names<'_> {
        fn visit_expr(&mut self, expression: &'a rb_python::ast::Expr) {
            if expression.is_name_expr() {
                self.names.insert(expression.start());
            }
            rb_python::ast::visitor::source_order::walk_expr(self, expression);
        }
    }
    let mut debugged = Debugged { names: BTreeSet::new() };
    debugged.visit_body(&function.node.body);
    debugged.names
}
