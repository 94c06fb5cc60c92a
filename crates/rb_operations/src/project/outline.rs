//! What one file has beyond its scopes: the bodies by their statement, who `self` is, and the attributes that methods set on it.

use std::collections::BTreeMap;
use std::sync::Arc;

use rb_python::ast::visitor::{self, Visitor};
use rb_python::ast::{self, Expr, Stmt};
use rb_python::{Ranged, ScopeId, ScopeKind, Source, TextRange, VariableId};
use rustc_hash::FxHashMap;

use super::Project;

#[derive(Debug, Default)]
pub(crate) struct Outline {
    scopes: FxHashMap<TextRange, ScopeId>,
    receivers: FxHashMap<VariableId, Receiver>,
    attributes: BTreeMap<ScopeId, BTreeMap<String, Vec<AttributeBinding>>>,
    lazy_imports: BTreeMap<String, Vec<String>>,
}

/// The first parameter of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Receiver {
    /// The scope of the class.
    pub(crate) class: ScopeId,
    /// It is the class itself: `cls`.
    pub(crate) is_class: bool,
}

/// `self.x = …`, `self.x: T`, `cls.x = …`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AttributeBinding {
    /// Of the name.
    pub(crate) range: TextRange,
    /// Of `self.x`.
    pub(crate) target: TextRange,
    pub(crate) statement: TextRange,
}

impl Outline {
    /// The scope of the body of a `def` or `class` statement.
    pub(crate) fn scope_of(&self, statement: TextRange) -> Option<ScopeId> {
        self.scopes.get(&statement).copied()
    }

    pub(crate) fn receiver(&self, variable: VariableId) -> Option<Receiver> {
        self.receivers.get(&variable).copied()
    }

    pub(crate) fn attributes(&self, class: ScopeId, name: &str) -> &[AttributeBinding] {
        self.attributes.get(&class).and_then(|all| all.get(name)).map_or(&[], Vec::as_slice)
    }

    /// The modules that a name may come from, by a table of lazy imports: `{"a.b": ["name"]}`, `{"name": "a.b"}`.
    pub(crate) fn lazy_imports(&self, name: &str) -> &[String] {
        self.lazy_imports.get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn classes_with_attribute(&self, name: &str) -> impl Iterator<Item = ScopeId> {
        self.attributes.iter().filter(move |(_, all)| all.contains_key(name)).map(|(id, _)| *id)
    }
}

impl Project<'_> {
    pub(crate) fn outline(&self, source: &Source) -> Arc<Outline> {
        if let Some(outline) = self.outlines.borrow().get(source.path()) {
            return Arc::clone(outline);
        }
        let outline = Arc::new(build(source));
        self.outlines.borrow_mut().insert(source.path().to_owned(), Arc::clone(&outline));
        outline
    }
}

fn build(source: &Source) -> Outline {
    let mut outline = Outline::default();
    for (index, scope) in source.scopes().scopes.iter().enumerate() {
        if matches!(scope.kind, ScopeKind::Class | ScopeKind::Function) {
            let id = u32::try_from(index).expect("a file has less than 2^32 scopes");
            outline.scopes.insert(scope.range, ScopeId(id));
        }
    }
    let mut builder = Builder { source, outline, statement: TextRange::default() };
    builder.visit_body(source.body());
    builder.outline
}

struct Builder<'s> {
    source: &'s Source,
    outline: Outline,
    statement: TextRange,
}

impl Builder<'_> {
    fn add_receiver(&mut self, function: &ast::StmtFunctionDef) -> Option<()> {
        let scopes = self.source.scopes();
        let id = self.outline.scope_of(function.range())?;
        let mut class = scopes.scope(id).parent?;
        if scopes.scope(class).kind == ScopeKind::TypeParameters {
            class = scopes.scope(class).parent?;
        }
        let is_method = scopes.scope(class).kind == ScopeKind::Class;
        let decorators: Vec<&str> = function.decorator_list.iter().filter_map(decorator).collect();
        if !is_method || decorators.contains(&"staticmethod") {
            return None;
        }
        let parameters = &function.parameters;
        let first = parameters.posonlyargs.first().or(parameters.args.first())?;
        let name = first.parameter.name.as_str();
        let variable = *scopes.scope(id).variables.get(name)?;
        // A receiver that is assigned to is no longer surely the receiver.
        if scopes.variable(variable).bindings.len() > 1 {
            return None;
        }
        let implicit = ["__new__", "__init_subclass__", "__class_getitem__"];
        let is_class = name == "cls"
            || decorators.contains(&"classmethod")
            || implicit.contains(&function.name.as_str());
        self.outline.receivers.insert(variable, Receiver { class, is_class });
        Some(())
    }

    fn add_attribute(&mut self, attribute: &ast::ExprAttribute) -> Option<()> {
        let name = attribute.value.as_name_expr()?;
        let variable = self.source.scopes().name_at(name.range())?.variable?;
        let receiver = self.outline.receiver(variable)?;
        let binding = AttributeBinding {
            range: attribute.attr.range(),
            target: attribute.range(),
            statement: self.statement,
        };
        let attributes = self.outline.attributes.entry(receiver.class).or_default();
        attributes.entry(attribute.attr.to_string()).or_default().push(binding);
        Some(())
    }
}

impl Builder<'_> {
    /// Each key with each entry: which of them is the name and which the module shows when it is looked up.
    fn add_lazy_imports(&mut self, dict: &ast::ExprDict) {
        for item in &dict.items {
            let Some(Expr::StringLiteral(key)) = &item.key else { continue };
            for entry in entries(&item.value) {
                let Expr::StringLiteral(entry) = entry else { continue };
                let (key, entry) = (key.value.to_str(), entry.value.to_str());
                for (name, module) in [(entry, key), (key, entry)] {
                    if super::is_identifier(name) && is_module_path(module) {
                        let modules = self.outline.lazy_imports.entry(name.to_owned()).or_default();
                        modules.push(module.to_owned());
                    }
                }
            }
        }
    }
}

fn is_module_path(text: &str) -> bool {
    !text.is_empty() && text.trim_start_matches('.').split('.').all(super::is_identifier)
}

/// The entries of a list or tuple, or the expression itself.
pub(crate) fn entries(expression: &Expr) -> &[Expr] {
    match expression {
        Expr::List(list) => &list.elts,
        Expr::Tuple(tuple) => &tuple.elts,
        Expr::Set(set) => &set.elts,
        other => std::slice::from_ref(other),
    }
}

/// The last part of what a decorator names: `classmethod`, `wraps` of `@functools.wraps(f)`.
pub(crate) fn decorator(decorator: &ast::Decorator) -> Option<&str> {
    let called = match &decorator.expression {
        Expr::Call(call) => &*call.func,
        other => other,
    };
    last_part(called)
}

/// `c` of `a.b.c`, `c` of `c`.
pub(crate) fn last_part(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Name(name) => Some(&name.id),
        Expr::Attribute(attribute) => Some(&attribute.attr),
        _ => None,
    }
}

impl<'a> Visitor<'a> for Builder<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        self.statement = statement.range();
        if let Stmt::FunctionDef(function) = statement {
            let _ = self.add_receiver(function);
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Attribute(attribute) = expression
            && attribute.ctx.is_store()
        {
            let _ = self.add_attribute(attribute);
        }
        if let Expr::Dict(dict) = expression {
            self.add_lazy_imports(dict);
        }
        visitor::walk_expr(self, expression);
    }
}
