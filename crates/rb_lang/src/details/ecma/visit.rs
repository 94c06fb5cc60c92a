//! The walk over a syntax tree: which nodes open a scope, bind a name, use one, or decide the fate of a call.

use std::cell::Cell;

use oxc_ast::ast::{
    ArrayExpression, ArrowFunctionBody, ArrowFunctionExpression, AssignmentExpression,
    AssignmentTarget, AwaitExpression, BindingIdentifier, BindingPattern, CallExpression, Class,
    ClassElement, ConditionalExpression, ExportFromDeclaration, Expression, ExpressionStatement,
    Function, IdentifierReference, IfStatement, JSXElementName, JSXOpeningElement,
    LogicalExpression, NewExpression, ReturnStatement, StaticMemberExpression, TSClassImplements,
    TSEnumDeclaration, TSInterfaceHeritage, TSType, VariableDeclaration, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_syntax::scope::{ScopeFlags, ScopeId};
use rustc_hash::FxHashSet;

use super::types::written_out;
use super::{NameUse, Reader, Scope, Shape, attributes, reads_arguments};
use crate::details::{Call, CallForm, Fate};

impl<'a> Visit<'a> for Reader<'a> {
    fn enter_scope(&mut self, flags: ScopeFlags, _: &Cell<Option<ScopeId>>) {
        let is_function = flags.intersects(ScopeFlags::Function | ScopeFlags::Top)
            || flags.contains(ScopeFlags::TsModuleBlock);
        let around = self.scope;
        self.scope = self.scopes.len();
        self.scopes.push(Scope { around, is_function, names: FxHashSet::default() });
    }

    fn leave_scope(&mut self) {
        self.scope = self.scopes.get(self.scope).map_or(0, |scope| scope.around);
    }

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        let scope = if self.hoisted { self.function_scope() } else { self.scope };
        self.bind(it.name.as_str(), scope);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        let line = self.line(it.span.start);
        let is_type = self.in_types > 0;
        self.uses.push(NameUse { name: it.name.as_str(), scope: self.scope, line, is_type });
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        let outer = std::mem::replace(&mut self.hoisted, it.kind.is_var());
        walk::walk_variable_declaration(self, it);
        self.hoisted = outer;
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if let Some(init) = &it.init {
            match &it.id {
                BindingPattern::BindingIdentifier(name) => {
                    self.mark(init, Fate::Assigned(name.name.as_str().into()));
                    self.held(name.name.as_str(), init, it.type_annotation.is_some(), it.span);
                    let is_free = self.is_typed && self.scope == 0 && it.type_annotation.is_none();
                    if let Some(keys) = written_out(init).filter(|_| is_free) {
                        self.details.closed.insert(name.name.as_str().into(), keys);
                    }
                }
                _ => self.mark(init, Fate::Used),
            }
        }
        let hoisted = self.hoisted;
        self.visit_binding_pattern(&it.id);
        self.hoisted = false;
        if let Some(annotation) = &it.type_annotation {
            self.visit_ts_type_annotation(annotation);
        }
        if let Some(init) = &it.init {
            self.visit_expression(init);
        }
        self.hoisted = hoisted;
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        let outer = std::mem::replace(&mut self.hoisted, false);
        if let Some(id) = &it.id
            && it.is_declaration() | it.is_ts_declare_function()
        {
            // In a block it is seen in all of the function around it, as far as anybody can tell.
            self.bind(id.name.as_str(), self.scope);
            self.bind(id.name.as_str(), self.function_scope());
            let is_open = it.body.as_ref().is_some_and(|body| reads_arguments(self, body.span));
            self.describe(id.name.as_str(), None, Shape::Function(it, is_open), it.span);
        }
        walk::walk_function(self, it, flags);
        self.hoisted = outer;
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        let outer = std::mem::replace(&mut self.hoisted, false);
        if let ArrowFunctionBody::FunctionBody(_) = &it.body {
        } else if let Some(value) = it.get_expression() {
            self.mark(value, Fate::Returned);
        }
        walk::walk_arrow_function_expression(self, it);
        self.hoisted = outer;
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        let outer = self.owner;
        self.owner = it.id.as_ref().filter(|_| self.scope == 0).map(|id| id.name.as_str());
        if let Some(owner) = self.owner {
            for element in &it.body.body {
                if let ClassElement::MethodDefinition(method) = element {
                    self.method(owner, method);
                }
            }
        }
        walk::walk_class(self, it);
        self.owner = outer;
    }

    fn visit_expression_statement(&mut self, it: &ExpressionStatement<'a>) {
        self.mark(&it.expression, Fate::Statement);
        walk::walk_expression_statement(self, it);
    }

    /// `Promise.all([a, b])`, or a list that is awaited later.
    fn visit_array_expression(&mut self, it: &ArrayExpression<'a>) {
        for element in &it.elements {
            if let Some(Expression::Identifier(name)) = element.as_expression() {
                self.details.awaited.insert(name.name.as_str().into());
                self.details.handed_on.insert(name.name.as_str().into());
            }
        }
        walk::walk_array_expression(self, it);
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        self.mark(&it.argument, Fate::Awaited);
        walk::walk_await_expression(self, it);
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        if let Some(value) = &it.argument {
            self.mark(value, Fate::Returned);
        }
        walk::walk_return_statement(self, it);
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        self.mark(&it.test, Fate::Used);
        walk::walk_if_statement(self, it);
    }

    fn visit_conditional_expression(&mut self, it: &ConditionalExpression<'a>) {
        let fate = self.fates.get(&it.span).cloned();
        self.mark(&it.test, Fate::Used);
        if let Some(fate) = fate {
            self.mark(&it.consequent, fate.clone());
            self.mark(&it.alternate, fate);
        }
        walk::walk_conditional_expression(self, it);
    }

    fn visit_logical_expression(&mut self, it: &LogicalExpression<'a>) {
        if let Some(fate) = self.fates.get(&it.span).cloned() {
            self.mark(&it.right, fate);
        }
        walk::walk_logical_expression(self, it);
    }

    fn visit_assignment_expression(&mut self, it: &AssignmentExpression<'a>) {
        if let AssignmentTarget::AssignmentTargetIdentifier(name) = &it.left {
            self.mark(&it.right, Fate::Assigned(name.name.as_str().into()));
        }
        walk::walk_assignment_expression(self, it);
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        let chained = matches!(it.property.name.as_str(), "then" | "catch" | "finally");
        self.mark(&it.object, if chained { Fate::Chained } else { Fate::Used });
        walk::walk_static_member_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        self.call(CallForm::Call, &it.callee, &it.arguments, it.span);
        walk::walk_call_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        self.call(CallForm::New, &it.callee, &it.arguments, it.span);
        walk::walk_new_expression(self, it);
    }

    fn visit_jsx_opening_element(&mut self, it: &JSXOpeningElement<'a>) {
        if let JSXElementName::IdentifierReference(name) = &it.name {
            let call = Call {
                qualifier: "".into(),
                name: name.name.as_str().into(),
                form: CallForm::Element,
                line: self.line(it.span.start),
                positional: None,
                named: attributes(&it.attributes),
                objects: Vec::new(),
                fate: Fate::Other,
            };
            self.calls.push((call, self.scope, name.name.as_str()));
        }
        walk::walk_jsx_opening_element(self, it);
    }

    // What is given on is no use of anything in this file.
    fn visit_export_from_declaration(&mut self, _: &ExportFromDeclaration<'a>) {}

    /// Declarations of one name make one enum.
    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        if self.scope == 0 {
            let members = self.details.closed.entry(it.id.name.as_str().into()).or_default();
            members.extend(it.body.members.iter().map(|it| it.id.static_name().as_str().into()));
        }
        walk::walk_ts_enum_declaration(self, it);
    }

    fn visit_ts_type(&mut self, it: &TSType<'a>) {
        self.in_types += 1;
        walk::walk_ts_type(self, it);
        self.in_types -= 1;
    }

    fn visit_ts_class_implements(&mut self, it: &TSClassImplements<'a>) {
        self.in_types += 1;
        walk::walk_ts_class_implements(self, it);
        self.in_types -= 1;
    }

    fn visit_ts_interface_heritage(&mut self, it: &TSInterfaceHeritage<'a>) {
        self.in_types += 1;
        walk::walk_ts_interface_heritage(self, it);
        self.in_types -= 1;
    }
}
