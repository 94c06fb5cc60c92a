//! What a file exports under a name.

use oxc_ast::ast::{Declaration, ExportDefaultDeclarationKind, Statement};
use rb_ecma::{Func, Imported, Module};

/// How a file comes to export a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exported {
    Here,
    From {
        specifier: String,
        name: String,
    },
    /// It does not name it, but gives on all that these export.
    Stars(Vec<String>),
}

/// `name` is `default` for the default export.
pub fn exported(module: &Module<'_>, name: &str) -> Option<Exported> {
    let mut stars = Vec::new();
    for statement in &module.program().body {
        match statement {
            Statement::ExportDefaultDeclaration(it) if name == "default" => {
                let local =
                    it.declaration.as_expression().and_then(|it| it.get_identifier_reference());
                return Some(
                    local.map_or(Exported::Here, |it| imported_or_here(module, it.name.as_str())),
                );
            }
            Statement::ExportDeclaration(it) if declares(&it.declaration, name) => {
                return Some(Exported::Here);
            }
            Statement::ExportNamedDeclaration(it) => {
                let found = it.specifiers.iter().find(|it| it.exported.name() == name);
                if let Some(specifier) = found {
                    return Some(imported_or_here(module, specifier.local.name().as_str()));
                }
            }
            Statement::ExportFromDeclaration(it) => {
                let found = it.specifiers.iter().find(|it| it.exported.name() == name);
                if let Some(specifier) = found {
                    let (specifier, name) =
                        (it.source.value.to_string(), specifier.local.name().to_string());
                    return Some(Exported::From { specifier, name });
                }
            }
            Statement::ExportAllDeclaration(it) if it.exported.is_none() && name != "default" => {
                stars.push(it.source.value.to_string());
            }
            _ => {}
        }
    }
    (!stars.is_empty()).then_some(Exported::Stars(stars))
}

/// `import { a } from './a'; export { a }` gives on what is imported.
fn imported_or_here(module: &Module<'_>, local: &str) -> Exported {
    let Some(import) = module.imports().values().find(|it| it.local == local) else {
        return Exported::Here;
    };
    let name = match import.imported {
        Imported::Default => "default",
        Imported::Named(name) => name,
        Imported::Namespace => return Exported::Here,
    };
    Exported::From { specifier: import.source.to_owned(), name: name.to_owned() }
}

fn declares(declaration: &Declaration<'_>, name: &str) -> bool {
    match declaration {
        Declaration::VariableDeclaration(it) => it
            .declarations
            .iter()
            .any(|it| it.id.get_binding_identifiers().iter().any(|id| id.name == name)),
        other => other.id().is_some_and(|id| id.name == name),
    }
}

/// The function that a file exports under a name.
pub fn exported_function<'a>(module: &Module<'a>, name: &str) -> Option<Func<'a>> {
    module.program().body.iter().find_map(|statement| match statement {
        Statement::ExportDefaultDeclaration(it) if name == "default" => match &it.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                Some(Func::Function(function))
            }
            other => module.function_of(other.as_expression()?),
        },
        Statement::ExportDeclaration(it) => declared_function(module, &it.declaration, name),
        Statement::ExportNamedDeclaration(it) => {
            let specifier = it.specifiers.iter().find(|it| it.exported.name() == name)?;
            let local = specifier.local.name();
            let view = module.functions().iter().find(|view| {
                view.name == Some(local.as_str())
                    && view.symbol.is_some_and(|it| module.is_top_level(it))
            })?;
            Some(view.func)
        }
        _ => None,
    })
}

fn declared_function<'a>(
    module: &Module<'a>,
    declaration: &'a Declaration<'a>,
    name: &str,
) -> Option<Func<'a>> {
    match declaration {
        Declaration::FunctionDeclaration(it) => {
            it.id.as_ref().is_some_and(|id| id.name == name).then_some(Func::Function(it))
        }
        Declaration::VariableDeclaration(it) => it.declarations.iter().find_map(|it| {
            let id = it.id.get_binding_identifier().filter(|id| id.name == name)?;
            module.initializer(id.symbol_id.get()?).and_then(|init| module.function_of(init))
        }),
        _ => None,
    }
}
