//! Whether a memo does anything that running it less often would save.
//! What the functions that it calls cost is not looked at: any call but those of a few names counts.

use oxc_ast::ast::{
    ArrayExpression, CallExpression, Expression, ForInStatement, ForOfStatement, ForStatement,
    JSXElement, JSXFragment, NewExpression, ObjectExpression, WhileStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::ScopeFlags;
use rb_ecma::Func;

/// Does the function nothing but compare and choose, and make nothing that others would compare?
pub(super) fn is_effortless(func: Func<'_>) -> bool {
    let mut look = Look { works: false };
    match func {
        Func::Function(it) => walk::walk_function(&mut look, it, ScopeFlags::Function),
        Func::Arrow(it) => walk::walk_arrow_function_expression(&mut look, it),
    }
    !look.works
}

struct Look {
    works: bool,
}

impl<'a> Visit<'a> for Look {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        const QUICK: &[&str] = &["Boolean", "isArray"];
        self.works |= !call.callee_name().is_some_and(|name| QUICK.contains(&name));
        walk::walk_call_expression(self, call);
    }

    fn visit_expression(&mut self, it: &Expression<'a>) {
        self.works |= it.is_function();
        walk::walk_expression(self, it);
    }

    fn visit_new_expression(&mut self, _: &NewExpression<'a>) {
        self.works = true;
    }

    fn visit_object_expression(&mut self, _: &ObjectExpression<'a>) {
        self.works = true;
    }

    fn visit_array_expression(&mut self, _: &ArrayExpression<'a>) {
        self.works = true;
    }

    fn visit_jsx_element(&mut self, _: &JSXElement<'a>) {
        self.works = true;
    }

    fn visit_jsx_fragment(&mut self, _: &JSXFragment<'a>) {
        self.works = true;
    }

    fn visit_for_statement(&mut self, _: &ForStatement<'a>) {
        self.works = true;
    }

    fn visit_for_of_statement(&mut self, _: &ForOfStatement<'a>) {
        self.works = true;
    }

    fn visit_for_in_statement(&mut self, _: &ForInStatement<'a>) {
        self.works = true;
    }

    fn visit_while_statement(&mut self, _: &WhileStatement<'a>) {
        self.works = true;
    }
}
