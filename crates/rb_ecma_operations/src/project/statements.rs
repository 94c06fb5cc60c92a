//! `import … from`, `export … from` and `export { … }`, in the parts that an edit needs.

use oxc_ast::ast::{
    ExportSpecifier, ImportDeclaration, ImportDeclarationSpecifier, Statement, StringLiteral,
};
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;
use rb_ecma::links::{ByteRange, Target};

use super::{Extra, ImportStatement, Shape, StatementName};

pub(super) fn read(module: &Module<'_>, resolve: impl Fn(&str) -> Target) -> Vec<ImportStatement> {
    let mut found = Vec::new();
    for statement in &module.program().body {
        let base = |span: Span, source: &StringLiteral<'_>| ImportStatement {
            range: span.into(),
            source: source.value.to_string(),
            source_range: ByteRange {
                start: source.span.start + 1,
                end: source.span.end.saturating_sub(1).max(source.span.start + 1),
            },
            target: resolve(&source.value),
            is_type: false,
            is_reexport: false,
            names: Vec::new(),
            is_list: false,
            extra: extra(module, span, false),
        };
        found.push(match statement {
            Statement::ImportDeclaration(it) => ImportStatement {
                is_type: it.import_kind.is_type(),
                names: imported(it),
                extra: extra(module, it.span, it.with_clause.is_some()),
                ..base(it.span, &it.source)
            },
            Statement::ExportFromDeclaration(it) => ImportStatement {
                is_type: it.export_kind.is_type(),
                is_reexport: true,
                names: it.specifiers.iter().map(given).collect(),
                extra: extra(module, it.span, it.with_clause.is_some()),
                ..base(it.span, &it.source)
            },
            Statement::ExportAllDeclaration(it) => ImportStatement {
                is_type: it.export_kind.is_type(),
                is_reexport: true,
                names: vec![StatementName {
                    imported: "*".to_owned(),
                    local: it.exported.as_ref().map(|it| it.name().to_string()).unwrap_or_default(),
                    range: it.span.into(),
                    is_type: it.export_kind.is_type(),
                    shape: Shape::Namespace,
                }],
                extra: extra(module, it.span, it.with_clause.is_some()),
                ..base(it.span, &it.source)
            },
            Statement::ExportNamedDeclaration(it) => ImportStatement {
                range: it.span.into(),
                source: String::new(),
                source_range: ByteRange { start: it.span.end, end: it.span.end },
                target: Target::Unknown,
                is_type: it.export_kind.is_type(),
                is_reexport: true,
                names: it.specifiers.iter().map(given).collect(),
                is_list: true,
                extra: extra(module, it.span, false),
            },
            _ => continue,
        });
    }
    found
}

fn extra(module: &Module<'_>, span: Span, has_attributes: bool) -> Extra {
    if has_attributes {
        Extra::Attributes
    } else if module.has_comment(span) {
        Extra::Comment
    } else {
        Extra::None
    }
}

fn imported(declaration: &ImportDeclaration<'_>) -> Vec<StatementName> {
    let all_types = declaration.import_kind.is_type();
    let specifiers = declaration.specifiers.iter().flatten();
    specifiers
        .map(|specifier| {
            let (imported, local, is_type, shape) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(it) => (
                    it.imported.name().to_string(),
                    &it.local,
                    it.import_kind.is_type(),
                    Shape::Named,
                ),
                ImportDeclarationSpecifier::ImportDefaultSpecifier(it) => {
                    ("default".to_owned(), &it.local, false, Shape::Default)
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(it) => {
                    ("*".to_owned(), &it.local, false, Shape::Namespace)
                }
            };
            StatementName {
                imported,
                local: local.name.to_string(),
                range: specifier.span().into(),
                is_type: all_types || is_type,
                shape,
            }
        })
        .collect()
}

fn given(specifier: &ExportSpecifier<'_>) -> StatementName {
    StatementName {
        imported: specifier.local.name().to_string(),
        local: specifier.exported.name().to_string(),
        range: specifier.span.into(),
        is_type: specifier.export_kind.is_type(),
        shape: Shape::Named,
    }
}
