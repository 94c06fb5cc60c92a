//! Statements at the top of a file that do nothing but declare, load and export.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, Declaration, ExportDefaultDeclarationKind, Expression, Statement,
    VariableDeclarator,
};
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;

use super::{is_import_member, is_quiet, is_quiet_class, is_there};

/// The first statement that does something when a file is loaded. Loading of other files is not looked at here.
pub fn first_effect(module: &Module<'_>) -> Option<Span> {
    module.program().body.iter().find(|it| !is_quiet_statement(module, it)).map(GetSpan::span)
}

fn is_quiet_statement<'a>(module: &Module<'a>, statement: &'a Statement<'a>) -> bool {
    match statement {
        Statement::ImportDeclaration(_)
        | Statement::ExportAllDeclaration(_)
        | Statement::ExportFromDeclaration(_)
        | Statement::ExportNamedDeclaration(_)
        | Statement::FunctionDeclaration(_)
        | Statement::TSTypeAliasDeclaration(_)
        | Statement::TSInterfaceDeclaration(_)
        | Statement::TSEnumDeclaration(_)
        | Statement::TSGlobalDeclaration(_)
        | Statement::TSExternalModuleDeclaration(_)
        | Statement::TSImportEqualsDeclaration(_)
        | Statement::EmptyStatement(_) => true,
        Statement::TSNamespaceDeclaration(it) => it.declare,
        Statement::ClassDeclaration(it) => it.declare || is_quiet_class(module, it),
        Statement::VariableDeclaration(it) => {
            it.declare || it.declarations.iter().all(|it| loads_or_is_quiet(module, it))
        }
        Statement::ExportDeclaration(it) => match &it.declaration {
            Declaration::VariableDeclaration(it) => {
                it.declare || it.declarations.iter().all(|it| loads_or_is_quiet(module, it))
            }
            Declaration::ClassDeclaration(it) => it.declare || is_quiet_class(module, it),
            Declaration::TSNamespaceDeclaration(it) => it.declare,
            _ => true,
        },
        Statement::ExportDefaultDeclaration(it) => match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(_)
            | ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => true,
            ExportDefaultDeclarationKind::ClassDeclaration(it) => is_quiet_class(module, it),
            other => other.as_expression().is_some_and(|it| is_quiet(module, it)),
        },
        Statement::TSExportAssignment(it) => is_quiet(module, &it.expression),
        Statement::ExpressionStatement(it) => is_quiet_deed(module, &it.expression),
        _ => false,
    }
}

/// `require('x')`, `exports.a = …`, `Button.displayName = …`, `Object.defineProperty(exports, '__esModule', …)`.
fn is_quiet_deed<'a>(module: &Module<'a>, expression: &'a Expression<'a>) -> bool {
    match expression {
        Expression::CallExpression(call) => {
            let marks = call.callee.get_member_expr().is_some_and(|it| {
                module.is_global_named(it.object(), "Object")
                    && it.static_property_name() == Some("defineProperty")
            });
            let first = call.arguments.first().and_then(|it| it.as_expression());
            required(module, expression).is_some()
                || (marks
                    && first.is_some_and(|it| module.is_global_named(it, "exports"))
                    && module.slice(call.span).contains("__esModule"))
        }
        Expression::AssignmentExpression(it) if it.operator.is_assign() => {
            let Some(member) = it.left.as_member_expression() else { return false };
            let is_value = is_quiet(module, &it.right)
                || is_member_of_import(module, &it.right, 3)
                || required(module, &it.right).is_some()
                || matches!(&it.right, Expression::AssignmentExpression(_)
                    if is_quiet_deed(module, &it.right));
            member.static_property_name().is_some()
                && is_value
                && (is_exports(module, member.object())
                    || (module.is_global_named(member.object(), "module")
                        && member.static_property_name() == Some("exports"))
                    || is_own_function(module, member.object()))
        }
        _ => false,
    }
}

/// `DialogPrimitive.Title.displayName`: a file in which it fails could not be loaded at all.
fn is_member_of_import<'a>(module: &Module<'a>, expression: &Expression<'a>, depth: u32) -> bool {
    let Expression::StaticMemberExpression(it) = expression else { return false };
    is_import_member(module, expression)
        || (depth > 0 && is_member_of_import(module, &it.object, depth - 1))
}

fn is_exports<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    module.is_global_named(expression, "exports")
        || expression.as_member_expression().is_some_and(|it| {
            module.is_global_named(it.object(), "module")
                && it.static_property_name() == Some("exports")
        })
}

/// A function or class of this file, or its `prototype`.
fn is_own_function<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    if let Some(member) = expression.as_member_expression() {
        return member.static_property_name() == Some("prototype")
            && is_own_function(module, member.object());
    }
    module.symbol_of(expression).is_some_and(|symbol| {
        module.import(symbol).is_none()
            && match module.declaration(symbol) {
                AstKind::Function(_) => true,
                AstKind::Class(class) => {
                    !class.body.body.iter().any(oxc_ast::ast::ClassElement::r#static)
                }
                AstKind::VariableDeclarator(_) => {
                    module.initializer(symbol).is_some_and(|it| is_quiet(module, it))
                }
                _ => false,
            }
    })
}

/// What `require('…')` asks for; also of `require('…').a`.
pub fn required<'a>(module: &Module<'a>, expression: &Expression<'a>) -> Option<(&'a str, Span)> {
    match expression.get_inner_expression() {
        Expression::CallExpression(call) => {
            if !module.is_global_named(&call.callee, "require") || call.arguments.len() != 1 {
                return None;
            }
            match call.arguments[0].as_expression()? {
                Expression::StringLiteral(it) => Some((it.value.as_str(), call.span)),
                _ => None,
            }
        }
        Expression::StaticMemberExpression(it) => required(module, &it.object),
        _ => None,
    }
}

fn loads_or_is_quiet<'a>(module: &Module<'a>, declarator: &'a VariableDeclarator<'a>) -> bool {
    let is_required = declarator.init.as_ref().is_some_and(|it| required(module, it).is_some());
    match &declarator.id {
        BindingPattern::BindingIdentifier(_) => {
            is_required || declarator.init.as_ref().is_none_or(|it| is_quiet(module, it))
        }
        BindingPattern::ObjectPattern(pattern) => {
            let is_plain = pattern.rest.is_none()
                && pattern.properties.iter().all(|it| {
                    !it.computed && matches!(it.value, BindingPattern::BindingIdentifier(_))
                });
            is_plain
                && declarator.init.as_ref().is_some_and(|it| is_required || is_there(module, it))
        }
        _ => false,
    }
}
