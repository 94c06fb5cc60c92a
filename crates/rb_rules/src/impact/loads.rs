//! What one module loads: with it, or later by `import()`.
//!
//! Types load nothing, and neither does an import in TypeScript of which nothing is used but types: compilers take it
//! away. Whatever a bundler decides beyond that, such as dropping unused exports, is not looked at.

use oxc_ast::ast::{
    Declaration, ExportFromDeclaration, ImportDeclaration, ImportDeclarationSpecifier,
    ImportOrExportKind, Program, Statement,
};
use oxc_semantic::Reference;
use rb_ecma::{Module, with_module};
use rb_lang::Language;

use super::calls::Calls;
use crate::facts::Directive;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Loads {
    pub(super) bytes: u64,
    pub(super) directive: Option<Directive>,
    /// In the order of the text.
    pub(super) requests: Vec<Request>,
    pub(super) given_on: Vec<GivenOn>,
    /// Names that are declared and exported here.
    pub(super) exports: Vec<Box<str>>,
    /// `import(…)` and `require(…)` of something that is not written out.
    pub(super) computed: u32,
    /// The text could not be parsed.
    pub(super) is_unread: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) specifier: Box<str>,
    pub(super) how: How,
    /// The names that are asked for, where nothing else is.
    pub(super) names: Option<Vec<Box<str>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum How {
    Import,
    Require,
    /// `import()`: another chunk.
    Later,
}

/// `export … from`, or an import that is exported.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GivenOn {
    pub(super) specifier: Box<str>,
    /// The name here and the name there; `None` for `export *`.
    pub(super) names: Option<(Box<str>, Box<str>)>,
}

impl Loads {
    /// Of a file of the project.
    pub(super) fn of_own(language: Language, text: &str) -> Loads {
        let found = with_module(language, text, |module| {
            let is_kept =
                |it: &ImportDeclaration<'_>| !module.is_typescript() || is_used(module, it);
            Loads::of_program(module.program(), &is_kept)
        });
        Loads::sized(found, text)
    }

    /// Of a file of an installed package: no scopes are built, since packages hold JavaScript.
    pub(super) fn of_installed(language: Language, text: &str) -> Loads {
        let found = rb_lang::with_program(language, text, |parsed| {
            (!parsed.panicked).then(|| Loads::of_program(&parsed.program, &|_| true))
        });
        Loads::sized(found.flatten(), text)
    }

    /// Data, which loads nothing.
    pub(super) fn of_data(bytes: u64) -> Loads {
        Loads { bytes, ..Loads::default() }
    }

    fn sized(found: Option<Loads>, text: &str) -> Loads {
        let is_unread = found.is_none();
        Loads { bytes: text.len() as u64, is_unread, ..found.unwrap_or_default() }
    }

    fn of_program(
        program: &Program<'_>,
        is_kept: &dyn Fn(&ImportDeclaration<'_>) -> bool,
    ) -> Loads {
        let directive = program.directives.iter().find_map(|it| match it.directive.as_str() {
            "use client" => Some(Directive::UseClient),
            "use server" => Some(Directive::UseServer),
            _ => None,
        });
        let mut loads = Loads { directive, ..Loads::default() };
        let mut imported = Vec::new();
        for statement in &program.body {
            match statement {
                Statement::ImportDeclaration(it) => {
                    imported.extend(bindings(it));
                    if !is_types(it) && is_kept(it) {
                        loads.request(&it.source.value, names(it));
                    }
                }
                other => loads.add_exports(other, &imported),
            }
        }
        let calls = Calls::of(program);
        loads.computed = calls.computed;
        let calls = calls.found.into_iter();
        loads.requests.extend(calls.map(|(specifier, how)| Request {
            specifier,
            how,
            names: None,
        }));
        loads
    }

    fn add_exports(&mut self, statement: &Statement<'_>, imported: &[Binding]) {
        match statement {
            Statement::ExportFromDeclaration(it) if it.export_kind.is_value() => self.add_from(it),
            Statement::ExportAllDeclaration(it) if it.export_kind.is_value() => {
                self.request(&it.source.value, None);
                match &it.exported {
                    Some(name) => self.exports.push(name.name().as_str().into()),
                    None => self.give_on(&it.source.value, None),
                }
            }
            Statement::ExportNamedDeclaration(it) if it.export_kind.is_value() => {
                for specifier in &it.specifiers {
                    let local = specifier.local.name();
                    let here: Box<str> = specifier.exported.name().as_str().into();
                    match imported.iter().find(|it| *it.local == *local.as_str()) {
                        Some(it) => self.give_on(&it.source, Some((here, it.name.clone()))),
                        None => self.exports.push(here),
                    }
                }
            }
            Statement::ExportDeclaration(it) => self.exports.extend(declared(&it.declaration)),
            Statement::ExportDefaultDeclaration(_) => self.exports.push("default".into()),
            _ => {}
        }
    }

    fn add_from(&mut self, it: &ExportFromDeclaration<'_>) {
        let values = it.specifiers.iter().filter(|it| it.export_kind.is_value());
        let pairs: Vec<(Box<str>, Box<str>)> = values
            .map(|it| (it.exported.name().as_str().into(), it.local.name().as_str().into()))
            .collect();
        if pairs.is_empty() && !it.specifiers.is_empty() {
            return;
        }
        let names = pairs.iter().map(|(_, there)| there.clone()).collect();
        self.request(&it.source.value, Some(names));
        for names in pairs {
            self.give_on(&it.source.value, Some(names));
        }
    }

    fn give_on(&mut self, specifier: &str, names: Option<(Box<str>, Box<str>)>) {
        self.given_on.push(GivenOn { specifier: specifier.into(), names });
    }

    fn request(&mut self, specifier: &str, names: Option<Vec<Box<str>>>) {
        self.requests.push(Request { specifier: specifier.into(), how: How::Import, names });
    }
}

/// Is it written as an import of types and nothing else?
fn is_types(declaration: &ImportDeclaration<'_>) -> bool {
    let is_type = |it: &ImportDeclarationSpecifier<'_>| match it {
        ImportDeclarationSpecifier::ImportSpecifier(it) => {
            it.import_kind == ImportOrExportKind::Type
        }
        ImportDeclarationSpecifier::ImportDefaultSpecifier(_)
        | ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => false,
    };
    let specifiers = declaration.specifiers.as_deref().filter(|it| !it.is_empty());
    declaration.import_kind.is_type() || specifiers.is_some_and(|it| it.iter().all(is_type))
}

/// Is any of its names used as a value, or does it bring none?
fn is_used(module: &Module<'_>, declaration: &ImportDeclaration<'_>) -> bool {
    let Some(specifiers) = declaration.specifiers.as_deref().filter(|it| !it.is_empty()) else {
        return true;
    };
    specifiers.iter().any(|it| {
        let symbol = it.local().symbol_id.get();
        symbol.is_some_and(|symbol| {
            module.scoping().get_resolved_references(symbol).any(Reference::is_value)
        })
    })
}

/// `None` unless names are all that is asked for.
fn names(declaration: &ImportDeclaration<'_>) -> Option<Vec<Box<str>>> {
    let specifiers = declaration.specifiers.as_deref().filter(|it| !it.is_empty())?;
    specifiers.iter().map(imported_name).collect()
}

fn imported_name(specifier: &ImportDeclarationSpecifier<'_>) -> Option<Box<str>> {
    match specifier {
        ImportDeclarationSpecifier::ImportSpecifier(it) => Some(it.imported.name().as_str().into()),
        ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => Some("default".into()),
        ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => None,
    }
}

/// A name that an import makes.
struct Binding {
    local: Box<str>,
    source: Box<str>,
    /// What it is called there.
    name: Box<str>,
}

fn bindings(declaration: &ImportDeclaration<'_>) -> Vec<Binding> {
    let source: &str = &declaration.source.value;
    let specifiers = declaration.specifiers.iter().flatten();
    let binding = |it: &ImportDeclarationSpecifier<'_>| {
        let local = it.local().name.as_str().into();
        Some(Binding { local, source: source.into(), name: imported_name(it)? })
    };
    specifiers.filter_map(binding).collect()
}

fn declared(declaration: &Declaration<'_>) -> Vec<Box<str>> {
    match declaration {
        Declaration::VariableDeclaration(it) => {
            let ids = it.declarations.iter().flat_map(|it| it.id.get_binding_identifiers());
            ids.map(|it| it.name.as_str().into()).collect()
        }
        other => other.id().map(|it| it.name.as_str().into()).into_iter().collect(),
    }
}
