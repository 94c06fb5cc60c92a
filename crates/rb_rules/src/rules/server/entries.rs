//! Where a request comes in: actions, handlers, components of the server, and what they are named.
//!
//! It tells by directives, the route of the file and exports. What is wrapped by a call is no function here: the wrapper
//! decides what happens before and after it.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Declaration, ExportDefaultDeclarationKind, Expression, ModuleExportName, Statement,
};
use oxc_span::{GetSpan, Span};
use rb_ecma::{Func, FunctionKind, Imported, Module};

use crate::facts::{Directive, Facts, FileKind, Route};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryKind {
    Action,
    Handler,
    Component,
    Metadata,
}

/// A function that a request reaches first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) kind: EntryKind,
    pub(super) name: &'a str,
    pub(super) func: Func<'a>,
    /// Of its name.
    pub(super) at: Span,
}

/// What an export gives its name to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Exported<'a> {
    Function(Func<'a>),
    Value(&'a Expression<'a>),
    From { source: &'a str, name: &'a str },
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Export<'a> {
    pub(super) name: &'a str,
    pub(super) at: Span,
    pub(super) value: Exported<'a>,
}

/// Is it code of the product that runs on a server, and on no client?
pub(super) fn is_server_source(facts: &Facts) -> bool {
    facts.kind == FileKind::Source && facts.realm == crate::facts::Realm::Server
}

/// Every value that the file exports by name, in the order of the text.
pub(super) fn exports<'a>(module: &Module<'a>) -> Vec<Export<'a>> {
    let mut found = Vec::new();
    for statement in &module.program().body {
        match statement {
            Statement::ExportDeclaration(it) => declared(&it.declaration, &mut found),
            Statement::ExportNamedDeclaration(it) if !it.export_kind.is_type() => {
                for specifier in &it.specifiers {
                    let value = local(module, &specifier.local);
                    let (name, at) = (specifier.exported.name().as_str(), specifier.span);
                    found.extend(value.map(|value| Export { name, at, value }));
                }
            }
            Statement::ExportFromDeclaration(it) if !it.export_kind.is_type() => {
                found.extend(it.specifiers.iter().map(|specifier| Export {
                    name: specifier.exported.name().as_str(),
                    at: specifier.span,
                    value: Exported::From {
                        source: it.source.value.as_str(),
                        name: specifier.local.name().as_str(),
                    },
                }));
            }
            Statement::ExportDefaultDeclaration(it) => {
                let (exported, at) = match &it.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                        let at = function.id.as_ref().map_or(it.span, |id| id.span);
                        (Some(Exported::Function(Func::Function(function))), at)
                    }
                    other => (other.as_expression().and_then(|it| value(module, it)), other.span()),
                };
                found.extend(exported.map(|value| Export { name: "default", at, value }));
            }
            _ => {}
        }
    }
    found
}

fn declared<'a>(declaration: &'a Declaration<'a>, found: &mut Vec<Export<'a>>) {
    match declaration {
        Declaration::FunctionDeclaration(function) => {
            found.extend(function.id.as_ref().map(|id| Export {
                name: id.name.as_str(),
                at: id.span,
                value: Exported::Function(Func::Function(function)),
            }));
        }
        Declaration::VariableDeclaration(it) => {
            for declarator in &it.declarations {
                let (Some(id), Some(init)) =
                    (declarator.id.get_binding_identifier(), &declarator.init)
                else {
                    continue;
                };
                let value =
                    Func::of_expression(init).map_or(Exported::Value(init), Exported::Function);
                found.push(Export { name: id.name.as_str(), at: id.span, value });
            }
        }
        _ => {}
    }
}

fn value<'a>(module: &Module<'a>, expression: &'a Expression<'a>) -> Option<Exported<'a>> {
    match expression.get_inner_expression() {
        Expression::Identifier(name) => of_symbol(module, module.symbol(name)?),
        inner => {
            Some(Func::of_expression(inner).map_or(Exported::Value(inner), Exported::Function))
        }
    }
}

fn local<'a>(module: &Module<'a>, name: &ModuleExportName<'a>) -> Option<Exported<'a>> {
    match name {
        ModuleExportName::IdentifierReference(name) => of_symbol(module, module.symbol(name)?),
        ModuleExportName::IdentifierName(_) | ModuleExportName::StringLiteral(_) => None,
    }
}

fn of_symbol<'a>(module: &Module<'a>, symbol: oxc_semantic::SymbolId) -> Option<Exported<'a>> {
    if let Some(import) = module.import(symbol) {
        let name = match import.imported {
            Imported::Default => "default",
            Imported::Named(name) => name,
            Imported::Namespace => return None,
        };
        return Some(Exported::From { source: import.source, name });
    }
    if let AstKind::Function(function) = module.declaration(symbol) {
        return Some(Exported::Function(Func::Function(function)));
    }
    let init = module.initializer(symbol)?;
    Some(Func::of_expression(init).map_or(Exported::Value(init), Exported::Function))
}

/// The function behind an export, also one that is handed to a wrapper such as `cache`.
pub(super) fn function_behind<'a>(module: &Module<'a>, name: &str) -> Option<Func<'a>> {
    let export = exports(module).into_iter().find(|it| it.name == name)?;
    match export.value {
        Exported::Function(func) => Some(func),
        Exported::Value(value) => wrapped(value),
        Exported::From { .. } => None,
    }
}

fn wrapped<'a>(value: &'a Expression<'a>) -> Option<Func<'a>> {
    let Expression::CallExpression(call) = value.get_inner_expression() else { return None };
    call.arguments.iter().find_map(|it| Func::of_expression(it.as_expression()?))
}

pub(super) fn is_action_file(facts: &Facts, module: &Module<'_>) -> bool {
    facts.directive == Some(Directive::UseServer) || module.has_directive("use server")
}

/// The functions of the file that requests reach, in the order of the text.
pub(super) fn entries<'a>(facts: &Facts, module: &Module<'a>) -> Vec<Entry<'a>> {
    let mut found = Vec::new();
    let actions = is_action_file(facts, module);
    for export in exports(module) {
        let Exported::Function(func) = export.value else { continue };
        let kind = if actions {
            func.is_async().then_some(EntryKind::Action)
        } else {
            routed(facts, export.name)
        };
        found.extend(kind.map(|kind| Entry { kind, name: export.name, func, at: export.at }));
    }
    for view in module.functions() {
        let kind = if view.func.has_directive("use server") {
            EntryKind::Action
        } else if view.kind == FunctionKind::Component && !actions {
            EntryKind::Component
        } else {
            continue;
        };
        if found.iter().all(|it| it.func.span() != view.func.span()) {
            let start = view.func.span().start;
            let at = view.symbol.map(|it| module.scoping().symbol_span(it));
            let at = at.unwrap_or(Span::new(start, start + 1));
            found.push(Entry { kind, name: view.name.unwrap_or("action"), func: view.func, at });
        }
    }
    found.sort_by_key(|it| it.func.span().start);
    found
}

/// What the router makes of an export.
fn routed(facts: &Facts, name: &str) -> Option<EntryKind> {
    const METHODS: &[&str] = &["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
    match (facts.route?, name) {
        (Route::Handler, name) if METHODS.contains(&name) => Some(EntryKind::Handler),
        (Route::Api, "default") => Some(EntryKind::Handler),
        (Route::Page | Route::Layout, "generateMetadata") => Some(EntryKind::Metadata),
        (Route::Page | Route::Layout | Route::Template | Route::NotFound, "default") => {
            Some(EntryKind::Component)
        }
        _ => None,
    }
}
