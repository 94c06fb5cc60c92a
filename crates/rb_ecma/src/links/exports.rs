//! What a file gives: `export`, `exports.a = …`, `module.exports = …`.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentExpression, AssignmentTarget, Declaration, ExportDefaultDeclarationKind, Expression,
    ObjectExpression, ObjectPropertyKind, Statement,
};
use oxc_span::GetSpan;

use super::{Doubt, Export, Exporting, Links, WHOLE};
use crate::module::Module;

pub(super) fn read(module: &Module<'_>, links: &mut Links, path: &str) {
    for statement in &module.program().body {
        declared(statement, links);
    }
    if links.is_esm {
        return;
    }
    for node in module.nodes().iter() {
        match node.kind() {
            AstKind::AssignmentExpression(assignment) => {
                if let Some(name) = assigned(module, assignment) {
                    common(module, links, path, name, assignment);
                }
            }
            AstKind::IdentifierReference(name)
                if matches!(name.name.as_str(), "exports" | "module") && module.is_global(name) =>
            {
                if let Some(what) = escapes(module, node.id(), name.name.as_str()) {
                    let line = module.line(name.span.start);
                    links.doubts.push(Doubt { path: path.to_owned(), line, what });
                }
            }
            _ => {}
        }
    }
}

fn declared(statement: &Statement<'_>, links: &mut Links) {
    match statement {
        Statement::ExportDeclaration(it) => {
            let is_type = matches!(
                it.declaration,
                Declaration::TSTypeAliasDeclaration(_) | Declaration::TSInterfaceDeclaration(_)
            );
            let mut push = |name: &str, span: oxc_span::Span| {
                links.exports.push(Export {
                    name: name.to_owned(),
                    local: Some(name.to_owned()),
                    place: span.into(),
                    value: None,
                    how: Exporting::Declared,
                    is_type,
                });
            };
            match &it.declaration {
                Declaration::VariableDeclaration(variables) => {
                    for declarator in &variables.declarations {
                        for id in declarator.id.get_binding_identifiers() {
                            push(&id.name, id.span);
                        }
                    }
                }
                other => {
                    if let Some(id) = other.id() {
                        push(&id.name, id.span);
                    }
                }
            }
        }
        Statement::ExportNamedDeclaration(it) => {
            for specifier in &it.specifiers {
                links.exports.push(Export {
                    name: specifier.exported.name().to_string(),
                    local: Some(specifier.local.name().to_string()),
                    place: specifier.exported.span().into(),
                    value: Some(specifier.local.span().into()),
                    how: Exporting::Listed,
                    is_type: it.export_kind.is_type() || specifier.export_kind.is_type(),
                });
            }
        }
        Statement::ExportDefaultDeclaration(it) => {
            let local = match &it.declaration {
                ExportDefaultDeclarationKind::FunctionDeclaration(it) => it.id.as_ref(),
                ExportDefaultDeclarationKind::ClassDeclaration(it) => it.id.as_ref(),
                _ => None,
            };
            let named =
                it.declaration.as_expression().and_then(Expression::get_identifier_reference);
            let local = local.map(|id| id.name.to_string());
            links.exports.push(Export {
                name: "default".to_owned(),
                local: local.or_else(|| named.map(|it| it.name.to_string())),
                place: it.span.into(),
                value: it.declaration.as_expression().map(|it| it.span().into()),
                how: Exporting::Default,
                is_type: matches!(
                    it.declaration,
                    ExportDefaultDeclarationKind::TSInterfaceDeclaration(_)
                ),
            });
        }
        Statement::TSExportAssignment(it) => {
            let local = it.expression.get_identifier_reference().map(|it| it.name.to_string());
            links.exports.push(Export {
                name: WHOLE.to_owned(),
                local,
                place: it.span.into(),
                value: Some(it.expression.span().into()),
                how: Exporting::Whole,
                is_type: false,
            });
        }
        _ => {}
    }
}

/// The name that an assignment exports: `a` of `exports.a = …`, `WHOLE` of `module.exports = …`.
pub(super) fn assigned<'a>(
    module: &Module<'a>,
    assignment: &AssignmentExpression<'a>,
) -> Option<&'a str> {
    if !assignment.operator.is_assign() {
        return None;
    }
    let AssignmentTarget::StaticMemberExpression(left) = &assignment.left else { return None };
    if module.is_global_named(&left.object, "module") {
        return (left.property.name == "exports").then_some(WHOLE);
    }
    is_exports(module, &left.object).then_some(left.property.name.as_str())
}

/// `exports` or `module.exports`.
fn is_exports<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    match expression {
        Expression::Identifier(it) => it.name == "exports" && module.is_global(it),
        Expression::StaticMemberExpression(it) => {
            it.property.name == "exports"
                && matches!(&it.object, Expression::Identifier(it)
                    if it.name == "module" && module.is_global(it))
        }
        _ => false,
    }
}

fn common(
    module: &Module<'_>,
    links: &mut Links,
    path: &str,
    name: &str,
    assignment: &AssignmentExpression<'_>,
) {
    let AssignmentTarget::StaticMemberExpression(left) = &assignment.left else { return };
    if name != WHOLE {
        links.exports.push(Export {
            name: name.to_owned(),
            local: innermost(&assignment.right)
                .get_identifier_reference()
                .map(|it| it.name.to_string()),
            place: left.property.span.into(),
            value: Some(innermost(&assignment.right).span().into()),
            how: Exporting::Assigned,
            is_type: false,
        });
        return;
    }
    if let Expression::ObjectExpression(object) = innermost(&assignment.right) {
        members(module, links, path, object);
    }
    links.exports.push(Export {
        name: WHOLE.to_owned(),
        local: innermost(&assignment.right)
            .get_identifier_reference()
            .map(|it| it.name.to_string()),
        place: assignment.span.into(),
        value: Some(innermost(&assignment.right).span().into()),
        how: Exporting::Whole,
        is_type: false,
    });
}

/// What a chain of assignments ends in: `f` of `exports.a = exports.b = f`.
fn innermost<'e, 'a>(expression: &'e Expression<'a>) -> &'e Expression<'a> {
    let mut inner = expression.get_inner_expression();
    while let Expression::AssignmentExpression(assignment) = inner {
        inner = assignment.right.get_inner_expression();
    }
    inner
}

fn members(module: &Module<'_>, links: &mut Links, path: &str, object: &ObjectExpression<'_>) {
    for property in &object.properties {
        let named = match property {
            ObjectPropertyKind::ObjectProperty(it) if !it.computed => {
                it.key.static_name().map(|name| (it, name))
            }
            _ => None,
        };
        let Some((property, name)) = named else {
            let line = module.line(property.span().start);
            let what = "names copied into `module.exports`".to_owned();
            links.doubts.push(Doubt { path: path.to_owned(), line, what });
            continue;
        };
        links.exports.push(Export {
            name: name.into_owned(),
            local: property.value.get_identifier_reference().map(|it| it.name.to_string()),
            place: property.key.span().into(),
            value: Some(property.value.span().into()),
            how: Exporting::Member,
            is_type: false,
        });
    }
}

/// A use of `module` or `exports` by which names may come or go unseen.
fn escapes(module: &Module<'_>, node: oxc_semantic::NodeId, name: &str) -> Option<String> {
    let AstKind::StaticMemberExpression(member) = module.parent(node) else {
        let is_plain = name == "module"
            || matches!(module.parent(node), AstKind::AssignmentExpression(_))
            || matches!(module.parent(node), AstKind::UnaryExpression(_));
        return (!is_plain).then(|| "`exports` used as a value".to_owned());
    };
    if name == "module" && member.property.name == "exports" {
        let outer = module.nodes().parent_id(node);
        let is_plain = matches!(
            module.parent(outer),
            AstKind::StaticMemberExpression(_)
                | AstKind::AssignmentExpression(_)
                | AstKind::UnaryExpression(_)
                | AstKind::ExpressionStatement(_)
        );
        return (!is_plain).then(|| "`module.exports` used as a value".to_owned());
    }
    None
}
