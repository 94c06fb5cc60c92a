//! Decorators that register a definition under its own name: a template filter, a task, a route, a fixture, a command.
//!
//! Others then find it by that name, in strings and templates that no reference shows. A decorator of the project is read: it registers if it,
//! or what it calls, looks at `__name__`. Of the others, those that are known to be harmless pass.

use std::collections::BTreeSet;

use rb_python::ast::statement_visitor::{StatementVisitor, walk_stmt};
use rb_python::ast::visitor::{Visitor, walk_expr};
use rb_python::ast::{Decorator, Expr, ExprCall, Stmt};
use rb_python::{Ranged, Source, TextRange};

use super::Request;
use crate::operation::SymbolPath;
use crate::operations::calls::{place, refusal};
use crate::operations::decorators::is_harmless;
use crate::outcome::{Place, Refusal};
use crate::project::{Meaning, Project, SymbolKind, statement_at};
use crate::references::{Found, ReferenceKind};

/// More definitions than this are not read.
const READ_AT_MOST: usize = 40;

pub(super) fn check(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<(), Refusal> {
    let mut places = Vec::new();
    let definitions =
        found.references.iter().filter(|reference| reference.kind == ReferenceKind::Definition);
    for reference in definitions {
        let Some(source) = project.source(&reference.path) else { continue };
        let mut search = Definitions { name: reference.range, decorators: &[] };
        search.visit_body(source.body());
        let registering =
            search.decorators.iter().filter(|decorator| registers(project, &source, decorator));
        places.extend(registering.map(|decorator| registered(&source, decorator)));
    }
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!("a decorator may register `{}` under its name", request.symbol.name);
    Err(refusal(
        reason,
        places,
        "give the decorator the old name explicitly first (`name=…`), or rename by hand",
    ))
}

fn registered(source: &Source, decorator: &Decorator) -> Place {
    let first = source.slice(decorator.range()).lines().next().unwrap_or_default();
    place(source, decorator.range(), format!("`{first}`"))
}

/// The decorators of the definition with the name at this place.
struct Definitions<'s> {
    name: TextRange,
    decorators: &'s [Decorator],
}

impl<'s> StatementVisitor<'s> for Definitions<'s> {
    fn visit_stmt(&mut self, statement: &'s Stmt) {
        match statement {
            Stmt::FunctionDef(one) if one.name.range() == self.name => {
                self.decorators = &one.decorator_list;
            }
            Stmt::ClassDef(one) if one.name.range() == self.name => {
                self.decorators = &one.decorator_list;
            }
            other if other.range().contains_range(self.name) => walk_stmt(self, other),
            _ => {}
        }
    }
}

fn registers(project: &Project<'_>, source: &Source, decorator: &Decorator) -> bool {
    let (called, has_name) = match &decorator.expression {
        Expr::Call(call) => (&*call.func, names_itself(call)),
        other => (other, false),
    };
    if has_name {
        return false;
    }
    match project.meaning(source, called) {
        Meaning::Foreign(name) => !is_harmless(&name),
        Meaning::Symbol(symbol) => looks_at_name(project, symbol),
        Meaning::Instance(class) => {
            let call = SymbolPath { path: class.path, name: format!("{}.__call__", class.name) };
            looks_at_name(project, call)
        }
        Meaning::Module(_) | Meaning::Unknown => !is_accessor(called),
    }
}

/// `@register.filter(name="x")`
fn names_itself(call: &ExprCall) -> bool {
    call.arguments.find_keyword("name").is_some()
        || call.arguments.find_keyword("endpoint").is_some()
}

/// `@x.setter` of a property.
fn is_accessor(called: &Expr) -> bool {
    called.as_attribute_expr().is_some_and(|attribute| {
        matches!(attribute.attr.as_str(), "setter" | "getter" | "deleter" | "register")
    })
}

/// Does the definition, or one that it uses, look at the name of what it is given?
fn looks_at_name(project: &Project<'_>, symbol: SymbolPath) -> bool {
    let mut read: BTreeSet<SymbolPath> = BTreeSet::new();
    let mut open = functions_behind(project, symbol);
    while let Some(symbol) = open.pop() {
        if read.len() >= READ_AT_MOST || !read.insert(symbol.clone()) {
            continue;
        }
        for definition in project.definitions(&symbol) {
            let source = &definition.source;
            for binding in &source.scopes().variable(definition.variable).bindings {
                let Some(statement) = statement_at(source.body(), binding.statement) else {
                    continue;
                };
                let text = source.slice(statement.range());
                if [".__name__", ".__qualname__", ".co_name"].iter().any(|word| text.contains(word))
                {
                    return true;
                }
                let mut uses = Uses { project, source, symbols: Vec::new() };
                uses.visit_stmt(statement);
                open.extend(uses.symbols);
            }
        }
    }
    false
}

/// What runs when the symbol is called: a method with its overrides, the constructor of a class and what its instances do.
fn functions_behind(project: &Project<'_>, symbol: SymbolPath) -> Vec<SymbolPath> {
    let member = |class: &SymbolPath, name: &str| SymbolPath {
        path: class.path.clone(),
        name: format!("{}.{name}", class.name),
    };
    if project.kind(&symbol) == SymbolKind::Class {
        let methods = ["__init__", "__new__", "__call__", "__set_name__"];
        return methods.iter().map(|name| member(&symbol, name)).collect();
    }
    match symbol.class() {
        Some(class) => {
            let definers = project.family(&class, symbol.last()).definers;
            definers.iter().map(|class| member(class, symbol.last())).collect()
        }
        None => vec![symbol],
    }
}

/// The functions of the project that a statement names.
struct Uses<'a> {
    project: &'a Project<'a>,
    source: &'a Source,
    symbols: Vec<SymbolPath>,
}

impl<'a> Visitor<'a> for Uses<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if matches!(expr, Expr::Name(_) | Expr::Attribute(_))
            && let Meaning::Symbol(symbol) = self.project.meaning(self.source, expr)
            && self.project.kind(&symbol) != SymbolKind::Variable
        {
            self.symbols.extend(functions_behind(self.project, symbol));
        }
        walk_expr(self, expr);
    }
}
