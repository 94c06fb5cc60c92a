//! Code that looks as if it but computes: a weaker question than purity, good enough to speak, never to edit.

use oxc_ast::ast::{
    AssignmentExpression, AwaitExpression, CallExpression, Expression, ImportExpression,
    NewExpression, TaggedTemplateExpression, UnaryExpression, UpdateExpression, YieldExpression,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::operator::UnaryOperator;
use rb_ecma::{Func, PURE_FUNCTIONS, is_quiet_class, is_quiet_method};

/// Does nothing in the function speak of an effect: no assignment, no `await`, no call but of methods that are known to
/// compute, and of functions that are called `isX` or `hasX`?
pub fn is_quiet(func: Func<'_>) -> bool {
    if func.is_async() || func.is_generator() {
        return false;
    }
    let mut look = Quiet(true);
    match func {
        Func::Function(it) => {
            if let Some(body) = &it.body {
                look.visit_function_body(body);
            }
        }
        Func::Arrow(it) => look.visit_arrow_function_body(&it.body),
    }
    look.0
}

struct Quiet(bool);

impl<'a> Visit<'a> for Quiet {
    fn visit_assignment_expression(&mut self, _: &AssignmentExpression<'a>) {
        self.0 = false;
    }

    fn visit_update_expression(&mut self, _: &UpdateExpression<'a>) {
        self.0 = false;
    }

    fn visit_await_expression(&mut self, _: &AwaitExpression<'a>) {
        self.0 = false;
    }

    fn visit_yield_expression(&mut self, _: &YieldExpression<'a>) {
        self.0 = false;
    }

    fn visit_tagged_template_expression(&mut self, _: &TaggedTemplateExpression<'a>) {
        self.0 = false;
    }

    fn visit_import_expression(&mut self, _: &ImportExpression<'a>) {
        self.0 = false;
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        self.0 &= it.operator != UnaryOperator::Delete;
        walk::walk_unary_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        let name = it.callee.get_identifier_reference().map(|name| name.name.as_str());
        self.0 &= name.is_some_and(is_quiet_class);
        walk::walk_new_expression(self, it);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.0 &= is_quiet_call(call);
        if self.0 {
            walk::walk_call_expression(self, call);
        }
    }
}

fn is_quiet_call(call: &CallExpression<'_>) -> bool {
    match call.callee.get_inner_expression() {
        Expression::Identifier(name) => {
            let name = name.name.as_str();
            PURE_FUNCTIONS.contains(&name) || asks(name)
        }
        Expression::StaticMemberExpression(member) => {
            let name = member.property.name.as_str();
            let owner = member.object.get_identifier_reference().map(|it| it.name.as_str());
            match owner {
                Some("Math") => name != "random",
                Some("Object") => ["keys", "values", "entries", "is", "hasOwn"].contains(&name),
                Some("Array" | "Number" | "JSON" | "String") => true,
                _ => is_quiet_method(name) || asks(name),
            }
        }
        _ => false,
    }
}

/// `isOpen`, `hasRights`.
fn asks(name: &str) -> bool {
    ["is", "has", "can"].into_iter().any(|start| {
        name.strip_prefix(start).is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
    })
}
