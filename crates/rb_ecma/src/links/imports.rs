//! What a file takes: import declarations, `export … from`, `require`, `import()`.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    BindingPattern, Expression, ModuleExportName, Statement, TSModuleReference, TSTypeName,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};

use super::{ByteRange, Doubt, Import, ImportKind, Links, Target, Use, UseKind};
use crate::bindings::Imported;
use crate::module::Module;

pub(super) fn read(module: &Module<'_>, links: &mut Links, path: &str) {
    declarations(module, links);
    for node in module.nodes().iter() {
        match node.kind() {
            AstKind::CallExpression(call) if call.callee.is_specific_id("require") => {
                if !module.is_global_named(&call.callee, "require") {
                    continue;
                }
                match call.arguments.first().and_then(|it| it.as_expression()) {
                    Some(Expression::StringLiteral(specifier)) => {
                        let of = (specifier.value.as_str(), call.span);
                        called(module, links, of, node.id());
                    }
                    _ => doubt(module, links, path, call.span, "a `require` with a computed path"),
                }
            }
            AstKind::ImportExpression(import) => match &import.source {
                Expression::StringLiteral(specifier) => {
                    let of = (specifier.value.as_str(), import.span);
                    called(module, links, of, node.id());
                }
                _ => doubt(module, links, path, import.span, "an `import()` with a computed path"),
            },
            AstKind::CallExpression(call) if module.is_global_named(&call.callee, "eval") => {
                doubt(module, links, path, call.span, "`eval`");
            }
            AstKind::NewExpression(new) if module.is_global_named(&new.callee, "Function") => {
                doubt(module, links, path, new.span, "code evaluated from a string");
            }
            AstKind::WithStatement(with) => doubt(module, links, path, with.span, "`with`"),
            _ => {}
        }
    }
}

fn doubt(module: &Module<'_>, links: &mut Links, path: &str, span: Span, what: &str) {
    let line = module.line(span.start);
    links.doubts.push(Doubt { path: path.to_owned(), line, what: what.to_owned() });
}

fn declarations(module: &Module<'_>, links: &mut Links) {
    for statement in &module.program().body {
        match statement {
            Statement::ImportDeclaration(it) => {
                links.is_esm = true;
                let bindings = it.specifiers.iter().flatten().count();
                if bindings == 0 {
                    let what = ImportKind::Nothing;
                    links.imports.push(import(&it.source.value, what, it.span));
                }
            }
            Statement::ExportFromDeclaration(it) => {
                links.is_esm = true;
                for specifier in &it.specifiers {
                    let taken = ImportKind::GivenOn {
                        name: specifier.local.name().to_string(),
                        given: specifier.exported.name().to_string(),
                    };
                    let name = Some(name_place(&specifier.local));
                    let is_type = it.export_kind.is_type() || specifier.export_kind.is_type();
                    let base = import(&it.source.value, taken, it.span);
                    links.imports.push(Import { is_type, name, ..base });
                }
            }
            Statement::ExportAllDeclaration(it) => {
                links.is_esm = true;
                let taken = match &it.exported {
                    Some(given) => ImportKind::WholeGivenOn { given: given.name().to_string() },
                    None => ImportKind::AllGivenOn,
                };
                let base = import(&it.source.value, taken, it.span);
                links.imports.push(Import { is_type: it.export_kind.is_type(), ..base });
            }
            Statement::TSImportEqualsDeclaration(it) => {
                let TSModuleReference::ExternalModuleReference(source) = &it.module_reference
                else {
                    continue;
                };
                let Some(symbol) = it.id.symbol_id.get() else { continue };
                let base = import(&source.expression.value, ImportKind::Whole, it.span);
                links.imports.push(Import {
                    local: Some((it.id.name.to_string(), it.id.span.into())),
                    uses: uses(module, symbol, true),
                    ..base
                });
            }
            Statement::ExportDefaultDeclaration(_)
            | Statement::ExportDeclaration(_)
            | Statement::ExportNamedDeclaration(_) => links.is_esm = true,
            _ => {}
        }
    }
    let mut bound: Vec<_> = module.imports().values().collect();
    bound.sort_by_key(|it| it.span.start);
    for it in bound {
        let (taken, is_whole) = match it.imported {
            Imported::Default => (ImportKind::Name("default".to_owned()), true),
            Imported::Named(name) => (ImportKind::Name(name.to_owned()), false),
            Imported::Namespace => (ImportKind::Whole, true),
        };
        let name = match it.imported {
            Imported::Named(name) => {
                let end = it.span.start + u32::try_from(name.len()).unwrap_or(0);
                let start =
                    if module.slice(it.span).starts_with("type ") { None } else { Some(it) };
                // `{ type a }` and `{ "a b" as c }` are rare enough to be found by their text.
                match start {
                    Some(_) if module.slice(it.span).starts_with(name) => {
                        Some(ByteRange { start: it.span.start, end })
                    }
                    _ => module.slice(it.span).find(name).map(|at| {
                        let start = it.span.start + u32::try_from(at).unwrap_or(0);
                        ByteRange { start, end: start + (end - it.span.start) }
                    }),
                }
            }
            Imported::Default | Imported::Namespace => None,
        };
        let at = module.scoping().symbol_span(it.symbol);
        links.imports.push(Import {
            is_type: it.is_type,
            name,
            local: Some((it.local.to_owned(), at.into())),
            uses: uses(module, it.symbol, is_whole),
            ..import(it.source, taken, it.declaration.span)
        });
    }
}

fn import(specifier: &str, taken: ImportKind, span: Span) -> Import {
    Import {
        specifier: specifier.to_owned(),
        target: Target::Unknown,
        taken,
        is_type: false,
        is_call: false,
        name: None,
        local: None,
        uses: Vec::new(),
        place: span.into(),
    }
}

fn name_place(name: &ModuleExportName<'_>) -> ByteRange {
    name.span().into()
}

/// `require('…')` or `import('…')`: what is taken depends on what stands around it.
fn called(
    module: &Module<'_>,
    links: &mut Links,
    (specifier, span): (&str, Span),
    mut node: NodeId,
) {
    let base = Import { is_call: true, ..import(specifier, ImportKind::Whole, span) };
    if matches!(module.nodes().kind(node), AstKind::ImportExpression(_)) {
        match module.parent(node) {
            AstKind::AwaitExpression(_) => node = module.nodes().parent_id(node),
            AstKind::ExpressionStatement(_) => {
                links.imports.push(Import { taken: ImportKind::Nothing, ..base });
                return;
            }
            _ => {
                links.imports.push(Import { uses: vec![escape(span)], ..base });
                return;
            }
        }
    }
    let whole = module.nodes().kind(node).span();
    match module.parent(node) {
        AstKind::ExpressionStatement(_) => {
            links.imports.push(Import { taken: ImportKind::Nothing, ..base });
        }
        AstKind::VariableDeclarator(declarator) => {
            bound(module, links, base, &declarator.id, whole);
        }
        AstKind::StaticMemberExpression(member) => {
            let name: ByteRange = member.property.span.into();
            let taken = ImportKind::Name(member.property.name.to_string());
            let outer = module.nodes().parent_id(node);
            if let AstKind::VariableDeclarator(declarator) = module.parent(outer)
                && let BindingPattern::BindingIdentifier(id) = &declarator.id
                && let Some(symbol) = id.symbol_id.get()
            {
                links.imports.push(Import {
                    taken,
                    name: Some(name),
                    local: Some((id.name.to_string(), id.span.into())),
                    uses: uses(module, symbol, false),
                    ..base
                });
                return;
            }
            let kind = kind_of(module, outer, member.span);
            let used = Use { name, whole: member.span.into(), member: None, kind };
            links.imports.push(Import { taken, name: Some(name), uses: vec![used], ..base });
        }
        _ => {
            let kind = kind_of(module, node, whole);
            let used = Use { name: whole.into(), whole: whole.into(), member: None, kind };
            links.imports.push(Import { uses: vec![used], ..base });
        }
    }
}

fn bound(
    module: &Module<'_>,
    links: &mut Links,
    base: Import,
    pattern: &BindingPattern<'_>,
    whole: Span,
) {
    match pattern {
        BindingPattern::BindingIdentifier(id) => {
            let used = id.symbol_id.get().map(|symbol| uses(module, symbol, true));
            links.imports.push(Import {
                local: Some((id.name.to_string(), id.span.into())),
                uses: used.unwrap_or_default(),
                ..base
            });
        }
        BindingPattern::ObjectPattern(pattern) => {
            for property in &pattern.properties {
                let name = property.key.static_name().filter(|_| !property.computed);
                let plain = match &property.value {
                    BindingPattern::BindingIdentifier(id) => Some(id),
                    _ => None,
                };
                let (Some(name), Some(id)) = (name, plain) else {
                    links.imports.push(Import { uses: vec![escape(whole)], ..base.clone() });
                    continue;
                };
                let used = id.symbol_id.get().map(|symbol| uses(module, symbol, false));
                links.imports.push(Import {
                    taken: ImportKind::Name(name.into_owned()),
                    name: Some(property.key.span().into()),
                    local: Some((id.name.to_string(), id.span.into())),
                    uses: used.unwrap_or_default(),
                    ..base.clone()
                });
            }
            if pattern.rest.is_some() {
                links.imports.push(Import { uses: vec![escape(whole)], ..base });
            }
        }
        _ => links.imports.push(Import { uses: vec![escape(whole)], ..base }),
    }
}

/// The whole goes where it cannot be followed.
fn escape(span: Span) -> Use {
    Use { name: span.into(), whole: span.into(), member: None, kind: UseKind::Value }
}

/// Uses of a symbol; those of a whole module by the member that is taken from it.
pub(super) fn uses(module: &Module<'_>, symbol: SymbolId, is_whole: bool) -> Vec<Use> {
    module.uses(symbol).map(|used| use_of(module, used.node, used.span, is_whole, &used)).collect()
}

fn use_of(
    module: &Module<'_>,
    node: NodeId,
    span: Span,
    is_whole: bool,
    used: &crate::bindings::Use<'_>,
) -> Use {
    if is_whole {
        match module.parent(node) {
            AstKind::StaticMemberExpression(member) if member.object.span() == span => {
                let outer = module.nodes().parent_id(node);
                return Use {
                    name: member.property.span.into(),
                    whole: member.span.into(),
                    member: Some(member.property.name.to_string()),
                    kind: kind_of(module, outer, member.span),
                };
            }
            AstKind::TSQualifiedName(qualified)
                if matches!(&qualified.left, TSTypeName::IdentifierReference(_)) =>
            {
                return Use {
                    name: qualified.right.span.into(),
                    whole: qualified.span.into(),
                    member: Some(qualified.right.name.to_string()),
                    kind: UseKind::Type,
                };
            }
            AstKind::JSXMemberExpression(member) => {
                return Use {
                    name: member.property.span.into(),
                    whole: member.span.into(),
                    member: Some(member.property.name.to_string()),
                    kind: UseKind::Element,
                };
            }
            _ => {}
        }
    }
    let kind = if used.is_write() {
        UseKind::Write
    } else if used.is_type() {
        UseKind::Type
    } else {
        kind_of(module, node, span)
    };
    Use { name: span.into(), whole: span.into(), member: None, kind }
}

/// What is done with the expression at a node.
fn kind_of(module: &Module<'_>, node: NodeId, span: Span) -> UseKind {
    match module.parent(node) {
        AstKind::CallExpression(call) if call.callee.span() == span => UseKind::Call,
        AstKind::NewExpression(new) if new.callee.span() == span => UseKind::New,
        AstKind::TaggedTemplateExpression(tagged) if tagged.tag.span() == span => UseKind::Call,
        AstKind::JSXOpeningElement(_)
        | AstKind::JSXClosingElement(_)
        | AstKind::JSXMemberExpression(_) => UseKind::Element,
        AstKind::ExportSpecifier(_) | AstKind::ExportDefaultDeclaration(_) => UseKind::Export,
        AstKind::AssignmentExpression(assignment) if assignment.left.span() == span => {
            UseKind::Write
        }
        AstKind::AssignmentExpression(assignment)
            if super::exports::assigned(module, assignment).is_some() =>
        {
            UseKind::Export
        }
        AstKind::ObjectProperty(property) if property.value.span() == span => {
            let object = module.nodes().parent_id(module.nodes().parent_id(node));
            match module.parent(object) {
                AstKind::AssignmentExpression(assignment)
                    if super::exports::assigned(module, assignment) == Some(super::WHOLE) =>
                {
                    UseKind::Export
                }
                _ => UseKind::Value,
            }
        }
        _ => UseKind::Value,
    }
}
