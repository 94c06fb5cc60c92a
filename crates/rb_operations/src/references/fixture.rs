//! Fixtures of pytest: tests and other fixtures name them by their parameters.

use rb_python::ast::visitor::{self, Visitor};
use rb_python::ast::{self, Expr, Stmt};
use rb_python::{Ranged, Source};

use super::walk::{expressions, last_part, string_content};
use super::{Found, ReferenceKind};
use crate::files::{folder_of, join};
use crate::operation::SymbolPath;
use crate::project::{Project, decorator};

impl Project<'_> {
    /// Parameters of tests and fixtures that see this one as the nearest of its name.
    pub(super) fn add_fixture_uses(&self, symbol: &SymbolPath, found: &mut Found) {
        if !self.is_fixture(symbol) {
            return;
        }
        for path in self.files_with(&[&symbol.name]) {
            let Some(source) = self.source(&path) else { continue };
            if self.nearest_fixture(&path, &symbol.name).as_ref() == Some(symbol) {
                self.add_parameters(&source, symbol, found);
                add_strings(&source, &symbol.name, found);
            } else {
                add_overrides(&source, &symbol.name, found);
            }
        }
    }

    fn is_fixture(&self, symbol: &SymbolPath) -> bool {
        let mut is_fixture = false;
        self.with_functions(symbol, |_, function| is_fixture |= has_fixture_decorator(function));
        is_fixture
    }

    /// In the file itself (defined or imported), then in `conftest.py` of its folder and those above.
    fn nearest_fixture(&self, path: &str, name: &str) -> Option<SymbolPath> {
        let mut folder = folder_of(path);
        let mut candidates = vec![path.to_owned(), join(folder, "conftest.py")];
        while !folder.is_empty() {
            folder = folder_of(folder);
            candidates.push(join(folder, "conftest.py"));
        }
        candidates.iter().find_map(|candidate| match self.lookup(candidate, name)? {
            crate::project::Meaning::Symbol(symbol) => {
                Some(symbol).filter(|one| self.is_fixture(one))
            }
            _ => None,
        })
    }

    fn add_parameters(&self, source: &Source, symbol: &SymbolPath, found: &mut Found) {
        let mut functions = Functions::default();
        functions.visit_body(source.body());
        for function in functions.all {
            let takes_fixtures =
                function.name.starts_with("test") || has_fixture_decorator(function);
            let is_parameter = function.parameters.includes(&symbol.name);
            if !takes_fixtures || !is_parameter {
                continue;
            }
            let Some(scope) = self.outline(source).scope_of(function.range()) else { continue };
            let Some(variable) = source.scopes().scope(scope).variables.get(&symbol.name) else {
                continue;
            };
            let is_override = function.name.as_str() == symbol.name;
            let is_parametrized = function.decorator_list.iter().any(|one| {
                decorator(one) == Some("parametrize")
                    && source.slice(one.range()).contains(&symbol.name)
            });
            if is_override || is_parametrized {
                let range = source.scopes().variable(*variable).bindings[0].range;
                found.doubt(
                    source,
                    range,
                    "the parameter may stand for something else than the fixture",
                );
            } else {
                found.add_variable(source, *variable, false);
            }
        }
    }
}

/// A fixture that takes the one of the same name from further up.
fn add_overrides(source: &Source, name: &str, found: &mut Found) {
    let mut functions = Functions::default();
    functions.visit_body(source.body());
    for function in functions.all {
        let is_override = function.name.as_str() == name && function.parameters.includes(name);
        if is_override && has_fixture_decorator(function) {
            found.doubt(source, function.name.range(), "a fixture that overrides one of its name");
        }
    }
}

/// `usefixtures("name")`, `request.getfixturevalue("name")`.
fn add_strings(source: &Source, name: &str, found: &mut Found) {
    for call in expressions(source).calls {
        if matches!(last_part(&call.func), Some("usefixtures" | "getfixturevalue")) {
            let contents = call.arguments.args.iter().filter_map(|one| string_content(source, one));
            for range in contents.filter(|range| source.slice(*range) == name) {
                found.add(source, range, ReferenceKind::String);
            }
        }
    }
}

/// `@pytest.fixture`; one that says `name=…` is called differently.
fn has_fixture_decorator(function: &ast::StmtFunctionDef) -> bool {
    function.decorator_list.iter().any(|one| {
        let has_name = match &one.expression {
            Expr::Call(call) => call.arguments.find_keyword("name").is_some(),
            _ => false,
        };
        matches!(decorator(one), Some("fixture" | "yield_fixture")) && !has_name
    })
}

#[derive(Default)]
struct Functions<'s> {
    all: Vec<&'s ast::StmtFunctionDef>,
}

impl<'s> Visitor<'s> for Functions<'s> {
    fn visit_stmt(&mut self, statement: &'s Stmt) {
        if let Stmt::FunctionDef(function) = statement {
            self.all.push(function);
        }
        visitor::walk_stmt(self, statement);
    }
}
