//! A top-level name that belongs to a convention: modules of a kind all have it, and somebody looks it up in a module that is known at run time.
//!
//! Signs of it: `engine.Store` where `engine` is not known and nothing else of the project has such a member; a string with the name where
//! several modules define it.

use std::collections::BTreeSet;

use rb_python::ast::visitor::{Visitor, walk_expr};
use rb_python::ast::{Expr, ExprAttribute};
use rb_python::{BindingKind, Ranged, Source, StringUse, TextRange};

use super::Request;
use crate::operation::SymbolPath;
use crate::operations::calls::{place, refusal};
use crate::outcome::{Place, Refusal};
use crate::project::{Project, SymbolKind, Value};
use crate::references::{Found, is_common_member};

pub(super) fn check(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<(), Refusal> {
    let others = project.symbols_named(request.old);
    let others: Vec<SymbolPath> =
        others.into_iter().filter(|symbol| symbol != request.symbol).collect();
    let mut places = Vec::new();
    let is_member = others.iter().any(|symbol| symbol.class().is_some());
    let is_only_here = !is_member && !is_common_member(request.old);
    places.extend(unknown_receivers(project, request, found, is_only_here));
    let alike = others.iter().filter(|symbol| is_alike(symbol, request.symbol));
    if alike.count() > 1 {
        places.extend(strings(project, request, found));
    }
    if places.is_empty() {
        return Ok(());
    }
    places.sort();
    places.dedup();
    let reason = format!("`{}` may be looked up by its name at run time", request.symbol.name);
    Err(refusal(
        reason,
        places,
        "rename by hand, with all modules of its kind and what looks it up",
    ))
}

/// `x.old`, where it is not known what `x` is: if nothing else has such a member, or `x` is a module that was imported at run time.
fn unknown_receivers(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
    is_only_here: bool,
) -> Vec<Place> {
    let known: BTreeSet<(&str, u32)> = found
        .references
        .iter()
        .map(|reference| (reference.path.as_str(), reference.range.start().into()))
        .collect();
    let mut places = Vec::new();
    for path in project.files_with(&[request.old]) {
        let Some(source) = project.source(&path) else { continue };
        let mut attributes = Attributes { name: request.old, found: Vec::new() };
        attributes.visit_body(source.body());
        // A field of a named tuple is a member that no class declares.
        let is_field = source.text().contains("namedtuple(")
            && found.mentions.iter().any(|mention| mention.path == path);
        if is_field {
            continue;
        }
        for attribute in attributes.found {
            let start: u32 = attribute.attr.range().start().into();
            if known.contains(&(path.as_str(), start)) {
                continue;
            }
            let may_be_it = match project.settled(project.value(&source, &attribute.value)) {
                Value::Instance(class) => makes_up_members(project, &class, request.old),
                Value::Symbol(symbol) if project.kind(&symbol) != SymbolKind::Variable => false,
                Value::Unknown | Value::Symbol(_) => {
                    is_only_here || is_module(&source, &attribute.value)
                }
                Value::Module(_)
                | Value::Super(_)
                | Value::Foreign(_)
                | Value::ForeignInstance(_) => false,
            };
            if may_be_it {
                let text = source.slice(attribute.range()).lines().next().unwrap_or_default();
                places.push(place(&source, attribute.range(), format!("`{text}` may be it")));
            }
        }
    }
    places
}

/// `settings.NAME`, which `__getattr__` looks up in a module.
fn makes_up_members(project: &Project<'_>, class: &SymbolPath, name: &str) -> bool {
    project.member(class, name).is_none() && project.member(class, "__getattr__").is_some()
}

/// `import_module(x)`, or a name that is bound to it.
fn is_module(source: &Source, receiver: &Expr) -> bool {
    let imports = |range: TextRange| {
        let text = source.slice(range);
        text.contains("import_module(") || text.contains("__import__(")
    };
    let Expr::Name(name) = receiver else {
        return receiver.is_call_expr() && imports(receiver.range());
    };
    let variable = source.scopes().name_at(name.range()).and_then(|name| name.variable);
    variable.is_some_and(|variable| {
        let bindings = &source.scopes().variable(variable).bindings;
        bindings.iter().any(|one| one.kind == BindingKind::Assignment && imports(one.statement))
    })
}

struct Attributes<'n, 's> {
    name: &'n str,
    found: Vec<&'s ExprAttribute>,
}

impl<'s> Visitor<'s> for Attributes<'_, 's> {
    fn visit_expr(&mut self, expr: &'s Expr) {
        match expr {
            Expr::Attribute(attribute)
                if attribute.attr.as_str() == self.name && !attribute.ctx.is_store() =>
            {
                self.found.push(attribute);
            }
            _ => {}
        }
        walk_expr(self, expr);
    }
}

/// Top-level names of modules of one kind: files of one name, or of one folder.
fn is_alike(one: &SymbolPath, other: &SymbolPath) -> bool {
    let split = |path: &'_ str| {
        path.rsplit_once('/').map_or((String::new(), path.to_owned()), |(folder, file)| {
            (folder.to_owned(), file.to_owned())
        })
    };
    let ((folder, file), (other_folder, other_file)) = (split(&one.path), split(&other.path));
    !one.name.contains('.') && (file == other_file || folder == other_folder)
}

/// Strings that are exactly the name.
fn strings(project: &Project<'_>, request: &Request<'_>, found: &Found) -> Vec<Place> {
    let left = found.mentions.iter().filter_map(|mention| {
        let source = project.source(&mention.path)?;
        let literals = source.strings();
        let literal = literals.iter().find(|literal| literal.content == mention.range)?;
        let is_listed = matches!(literal.usage, StringUse::All);
        (!is_listed).then(|| place(&source, mention.range, format!("the string `{}`", request.old)))
    });
    left.collect()
}
