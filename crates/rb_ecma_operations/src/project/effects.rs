//! What a file does when it is loaded, and what in it means something else in another file.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Class, ClassElement, Expression, ForStatementLeft, Statement, VariableDeclaration,
};
use oxc_semantic::NodeId;
use oxc_span::GetSpan;
use rb_ecma::Module;
use rb_ecma::links::ByteRange;

use super::Hazard;

/// Of the statements that declare nothing, those that do something: not `export { a }`, not `export default a`.
pub(super) fn statements<'a>(module: &Module<'a>, rest: &[ByteRange]) -> Vec<ByteRange> {
    let body = module.program().body.iter();
    let is_quiet = |statement: &Statement<'a>| match statement {
        Statement::ExportNamedDeclaration(_)
        | Statement::TSExternalModuleDeclaration(_)
        | Statement::TSGlobalDeclaration(_) => true,
        Statement::ExportDefaultDeclaration(it) => {
            it.declaration.as_expression().is_none_or(|it| is_pure(module, it))
        }
        Statement::TSExportAssignment(it) => is_pure(module, &it.expression),
        Statement::ExpressionStatement(it) => is_pure(module, &it.expression),
        _ => false,
    };
    body.filter(|it| rest.contains(&it.span().into()) && !is_quiet(it))
        .map(|it| it.span().into())
        .collect()
}

fn is_pure<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    is_inert(expression) || module.is_pure1(expression, &|_| false)
}

/// A function or a class is not run by being written down.
fn is_inert(expression: &Expression<'_>) -> bool {
    matches!(
        expression.get_inner_expression(),
        Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_)
    )
}

pub(super) fn are_pure_variables<'a>(
    module: &Module<'a>,
    variables: &VariableDeclaration<'a>,
) -> bool {
    variables.declarations.iter().all(|it| {
        let is_plain = it.id.get_binding_identifier().is_some();
        it.init.as_ref().is_none_or(|init| {
            // Taking a value apart reads its members, which may be getters.
            is_plain && (is_pure(module, init) || is_pure_class_expression(module, init))
        })
    })
}

fn is_pure_class_expression<'a>(module: &Module<'a>, expression: &Expression<'a>) -> bool {
    match expression.get_inner_expression() {
        Expression::ClassExpression(class) => is_pure_class(module, class),
        _ => false,
    }
}

/// Static values and computed names are evaluated when the class is. Decorators are taken for quiet.
pub(super) fn is_pure_class<'a>(module: &Module<'a>, class: &Class<'a>) -> bool {
    class.body.body.iter().all(|element| match element {
        ClassElement::StaticBlock(_) => false,
        ClassElement::PropertyDefinition(it) => {
            let is_quiet = it.value.as_ref().is_none_or(|value| is_pure(module, value));
            !it.computed && (!it.r#static || is_quiet)
        }
        ClassElement::MethodDefinition(it) => !it.computed,
        ClassElement::AccessorProperty(it) => !it.computed && !it.r#static,
        ClassElement::TSIndexSignature(_) => true,
    })
}

pub(super) fn hazards(module: &Module<'_>) -> Vec<Hazard> {
    let mut found = Vec::new();
    for node in module.nodes().iter() {
        let (span, what) = match node.kind() {
            AstKind::ThisExpression(it) if is_outside(module, node.id()) => {
                (it.span, "`this` of the file")
            }
            AstKind::AwaitExpression(it) if !is_in_function(module, node.id()) => {
                (it.span, "an `await` at the top level")
            }
            AstKind::ForOfStatement(it)
                if it.r#await
                    && !matches!(it.left, ForStatementLeft::TSAsExpression(_))
                    && !is_in_function(module, node.id()) =>
            {
                (it.span, "an `await` at the top level")
            }
            AstKind::ImportMeta(it) => {
                let parent = module.parent(node.id());
                let is_setting = matches!(parent, AstKind::StaticMemberExpression(member)
                    if matches!(member.property.name.as_str(), "env" | "hot" | "vitest"));
                if is_setting {
                    continue;
                }
                (it.span, "`import.meta`, which depends on the file")
            }
            AstKind::IdentifierReference(it) if module.is_global(it) => match it.name.as_str() {
                "__dirname" | "__filename" => (it.span, "a path that depends on the file"),
                "module" | "exports" => (it.span, "the exports of the file"),
                "arguments" if is_outside(module, node.id()) => {
                    (it.span, "`arguments` of the file")
                }
                "eval" => (it.span, "`eval`"),
                "require" if !is_plain_require(module, node.id()) => {
                    (it.span, "a `require` that is not of one text")
                }
                _ => continue,
            },
            AstKind::ImportExpression(it) if !matches!(it.source, Expression::StringLiteral(_)) => {
                (it.span, "an `import()` with a computed path")
            }
            _ => continue,
        };
        found.push(Hazard { range: span.into(), what: what.to_owned() });
    }
    found
}

fn is_plain_require(module: &Module<'_>, node: NodeId) -> bool {
    match module.parent(node) {
        AstKind::CallExpression(call) => call
            .arguments
            .first()
            .and_then(|it| it.as_expression())
            .is_some_and(|it| matches!(it, Expression::StringLiteral(_))),
        AstKind::StaticMemberExpression(member) => member.property.name == "resolve",
        _ => false,
    }
}

/// In no function that has a `this` of its own, and in no class.
fn is_outside(module: &Module<'_>, node: NodeId) -> bool {
    !module.ancestors(node).any(|kind| {
        matches!(kind, AstKind::Function(_) | AstKind::ClassBody(_) | AstKind::StaticBlock(_))
    })
}

fn is_in_function(module: &Module<'_>, node: NodeId) -> bool {
    module
        .ancestors(node)
        .any(|kind| matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_)))
}
