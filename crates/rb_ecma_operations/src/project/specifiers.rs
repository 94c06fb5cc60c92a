//! Every text of a file that names a module.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, CallExpression, Expression, StringLiteral, TSImportType, TSImportTypeQualifier,
    TSModuleReference,
};
use oxc_span::{GetSpan, Span};
use rb_ecma::Module;
use rb_ecma::links::{ByteRange, Target};
use rb_lang::ImportKind;

use super::{Project, Specifier, SpecifierKind};

/// Functions that replace a module with a mock, or get the real one.
const MOCKS: &[&str] = &[
    "createMockFromModule",
    "deepUnmock",
    "doMock",
    "doUnmock",
    "dontMock",
    "importActual",
    "importMock",
    "mock",
    "requireActual",
    "requireMock",
    "setMock",
    "unmock",
    "unstable_mockModule",
];

pub(super) fn read(project: &Project<'_>, path: &str, module: &Module<'_>) -> Vec<Specifier> {
    let mut found = Vec::new();
    for node in module.nodes().iter() {
        let (kind, literal) = match node.kind() {
            AstKind::ImportDeclaration(it) => (SpecifierKind::Import, literal(module, &it.source)),
            AstKind::ExportFromDeclaration(it) => {
                (SpecifierKind::Reexport, literal(module, &it.source))
            }
            AstKind::ExportAllDeclaration(it) => {
                (SpecifierKind::Reexport, literal(module, &it.source))
            }
            AstKind::TSImportEqualsDeclaration(it) => match &it.module_reference {
                TSModuleReference::ExternalModuleReference(source) => {
                    (SpecifierKind::Import, literal(module, &source.expression))
                }
                _ => continue,
            },
            AstKind::ImportExpression(it) => (SpecifierKind::Dynamic, text_of(module, &it.source)),
            AstKind::TSImportType(it) => {
                (SpecifierKind::Type { member: member(it) }, literal(module, &it.source))
            }
            AstKind::TSExternalModuleDeclaration(it) => {
                (SpecifierKind::Augmentation, literal(module, &it.id))
            }
            AstKind::NewExpression(new) if module.is_global_named(&new.callee, "URL") => {
                let [first, base] = new.arguments.as_slice() else { continue };
                if module.slice(base.span()) != "import.meta.url" {
                    continue;
                }
                (SpecifierKind::Url, first.as_expression().and_then(|it| text_of(module, it)))
            }
            AstKind::CallExpression(call) => match called(module, call) {
                Some(kind) => {
                    let first = call.arguments.first().and_then(Argument::as_expression);
                    (kind, first.and_then(|it| text_of(module, it)))
                }
                None => continue,
            },
            _ => continue,
        };
        let Some((value, range)) = literal else { continue };
        let target = match kind {
            SpecifierKind::Require => project.resolve_as(path, &value, ImportKind::Require),
            _ => project.resolve(path, &value),
        };
        found.push(Specifier { value, range, kind, target });
    }
    found.extend(in_comments(project, path, module));
    found.sort_by_key(|it| it.range);
    found
}

/// A text and where it stands, without its quotes.
type Literal = (String, ByteRange);

/// `None` for a text with escapes: what is written is not what is meant, and cannot be edited in part.
fn literal(module: &Module<'_>, literal: &StringLiteral<'_>) -> Option<Literal> {
    let inner = Span::new(literal.span.start + 1, literal.span.end.checked_sub(1)?);
    (literal.value == module.slice(inner)).then(|| (literal.value.to_string(), inner.into()))
}

/// A string, or a template without expressions.
fn text_of(module: &Module<'_>, expression: &Expression<'_>) -> Option<Literal> {
    match expression.get_inner_expression() {
        Expression::StringLiteral(it) => literal(module, it),
        Expression::TemplateLiteral(it) if it.expressions.is_empty() => {
            let inner = Span::new(it.span.start + 1, it.span.end - 1);
            Some((module.slice(inner).to_owned(), inner.into()))
        }
        _ => None,
    }
}

fn called<'a>(module: &Module<'a>, call: &CallExpression<'a>) -> Option<SpecifierKind> {
    match call.callee.get_inner_expression() {
        Expression::Identifier(it) if it.name == "require" && module.is_global(it) => {
            Some(SpecifierKind::Require)
        }
        Expression::StaticMemberExpression(member) => {
            let Expression::Identifier(object) = &member.object else { return None };
            let property = member.property.name.as_str();
            match object.name.as_str() {
                "jest" | "vi" | "vitest" if MOCKS.contains(&property) => {
                    let is_factory = call.arguments.len() > 1;
                    Some(SpecifierKind::Mock { is_factory, call: call.span.into() })
                }
                "require" if property == "resolve" => Some(SpecifierKind::Require),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `T` of `import("./a").T` and of `import("./a").T.U`.
fn member(import: &TSImportType<'_>) -> Option<String> {
    let mut qualifier = import.qualifier.as_ref()?;
    loop {
        match qualifier {
            TSImportTypeQualifier::Identifier(it) => return Some(it.name.to_string()),
            TSImportTypeQualifier::QualifiedName(it) => qualifier = &it.left,
        }
    }
}

/// `/// <reference path="…" />`, and `import("…")` in the types of comments.
fn in_comments(project: &Project<'_>, path: &str, module: &Module<'_>) -> Vec<Specifier> {
    let mut found = Vec::new();
    for comment in module.comments() {
        let text = module.slice(comment.span);
        let is_reference = text.starts_with("///") && text.contains("<reference");
        let opening: &[&str] =
            if is_reference { &["path=\"", "path='"] } else { &["import(\"", "import('"] };
        for start in opening {
            for (at, _) in text.match_indices(start) {
                let begin = at + start.len();
                let rest = &text[begin..];
                let Some(length) = rest.find(['"', '\'', '\n']) else { continue };
                let value = rest[..length].to_owned();
                let offset = |at: usize| comment.span.start + u32::try_from(at).unwrap_or(0);
                let range = ByteRange { start: offset(begin), end: offset(begin + length) };
                let (kind, target) = if is_reference {
                    (SpecifierKind::Reference, referenced(project, path, &value))
                } else {
                    let behind = rest[length + 1..].strip_prefix(").").unwrap_or_default();
                    let end = behind.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
                    let name = &behind[..end.unwrap_or(behind.len())];
                    let member = (!name.is_empty()).then(|| name.to_owned());
                    (SpecifierKind::Comment { member }, project.resolve(path, &value))
                };
                found.push(Specifier { value, range, kind, target });
            }
        }
    }
    found
}

fn referenced(project: &Project<'_>, path: &str, value: &str) -> Target {
    project.resolve_as(path, value, ImportKind::Include)
}
