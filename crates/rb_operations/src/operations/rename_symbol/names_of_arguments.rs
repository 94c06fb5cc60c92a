//! Members that are set or read by the names of arguments or of other members: `for name, value in kwargs.items(): setattr(self, name, value)`.

use std::collections::BTreeSet;

use rb_python::ast::visitor::{Visitor, walk_expr};
use rb_python::ast::{Expr, ExprCall};
use rb_python::{Ranged, Source, TextRange};

use super::Request;
use crate::operation::SymbolPath;
use crate::operations::calls::{place, refusal};
use crate::operations::functions::{Function, ParameterKind, functions, last_name};
use crate::outcome::{Place, Refusal};
use crate::project::{Project, Value};

/// `related`: the classes that share the member.
pub(super) fn check(
    project: &Project<'_>,
    request: &Request<'_>,
    related: &BTreeSet<SymbolPath>,
) -> Result<(), Refusal> {
    let mut places: Vec<Place> = Vec::new();
    for path in project.files_with(&["setattr", "getattr", "hasattr", "__dict__", "vars"]) {
        let Some(source) = project.source(&path) else { continue };
        let mut search = Search {
            project,
            source: &source,
            related,
            ranges: Vec::new(),
            names_of_members: Vec::new(),
        };
        search.visit_body(source.body());
        let what = "the names of members make other names";
        places.extend(search.names_of_members.iter().map(|range| place(&source, *range, what)));
        if search.ranges.is_empty() {
            continue;
        }
        for function in functions(&source) {
            let range = function.node.range();
            let Some(at) = search.ranges.iter().find(|at| range.contains_range(**at)) else {
                continue;
            };
            if is_local(&source, &function, request.old)
                || is_passed(project, &function, request.old)
            {
                let what = format!("it takes the names of arguments, and `{}` is one", request.old);
                places.push(place(&source, *at, what));
            }
        }
    }
    if places.is_empty() {
        return Ok(());
    }
    places.sort();
    places.dedup();
    let reason = format!("the name of `{}` is used at run time", request.symbol.name);
    Err(refusal(reason, places, "rename by hand, with what has the same name"))
}

/// `locals()` in the function has the name.
fn is_local(source: &Source, function: &Function<'_>, name: &str) -> bool {
    let range = function.node.range();
    let mut names = source.scopes().names.iter().filter(|one| range.contains_range(one.range));
    function.locals(source).is_some() && names.any(|one| one.name == name)
}

/// A call passes the name, and the function takes any: `**kwargs`.
fn is_passed(project: &Project<'_>, function: &Function<'_>, name: &str) -> bool {
    let takes_any = function.parameters().iter().any(|one| one.kind == ParameterKind::Keywords);
    if !takes_any || function.parameter(name).is_some() {
        return false;
    }
    let own = function.node.name.as_str();
    let class = function.class.filter(|_| matches!(own, "__init__" | "__new__"));
    let class = class.map(|class| class.name.as_str());
    project.files_with(&[name]).iter().any(|path| {
        let Some(source) = project.source(path) else { return false };
        let mut calls = Calls { keyword: name, callees: BTreeSet::new() };
        calls.visit_body(source.body());
        calls.callees.contains(own) || class.is_some_and(|class| calls.callees.contains(class))
    })
}

/// What is called with a keyword argument.
struct Calls<'s> {
    keyword: &'s str,
    callees: BTreeSet<&'s str>,
}

impl<'s> Visitor<'s> for Calls<'s> {
    fn visit_expr(&mut self, expr: &'s Expr) {
        if let Expr::Call(call) = expr
            && call.arguments.find_keyword(self.keyword).is_some()
        {
            self.callees.extend(last_name(&call.func));
        }
        walk_expr(self, expr);
    }
}

/// Places that set or read any member of something that may have it.
struct Search<'p, 'f, 's> {
    project: &'p Project<'f>,
    source: &'s Source,
    related: &'p BTreeSet<SymbolPath>,
    ranges: Vec<TextRange>,
    /// `setattr(Codes, code.name.lower(), …)` of an enum.
    names_of_members: Vec<TextRange>,
}

impl<'s> Visitor<'s> for Search<'_, '_, '_> {
    fn visit_expr(&mut self, expr: &'s Expr) {
        if let Expr::Call(call) = expr
            && let Some(receiver) = receiver(call)
            && self.may_have_it(receiver)
        {
            self.ranges.push(call.range());
        }
        if let Expr::Call(call) = expr
            && last_name(&call.func) == Some("setattr")
            && let [receiver, name, ..] = &*call.arguments.args
            && has_name_of_member(name)
            && self.is_related_class(receiver)
        {
            self.names_of_members.push(call.range());
        }
        walk_expr(self, expr);
    }
}

impl Search<'_, '_, '_> {
    fn is_related_class(&self, receiver: &Expr) -> bool {
        match self.project.settled(self.project.value(self.source, receiver)) {
            Value::Symbol(class) => self.related.contains(&class),
            Value::Instance(_)
            | Value::Super(_)
            | Value::Module(_)
            | Value::Foreign(_)
            | Value::ForeignInstance(_)
            | Value::Unknown => false,
        }
    }

    fn may_have_it(&self, receiver: &Expr) -> bool {
        match self.project.settled(self.project.value(self.source, receiver)) {
            Value::Symbol(class) | Value::Instance(class) | Value::Super(class) => {
                self.related.contains(&class)
            }
            Value::Unknown => true,
            Value::Module(_) | Value::Foreign(_) | Value::ForeignInstance(_) => false,
        }
    }
}

/// `code.name.lower()`
fn has_name_of_member(expression: &Expr) -> bool {
    match expression {
        Expr::Attribute(attribute) => {
            matches!(attribute.attr.as_str(), "name" | "_name_")
                || has_name_of_member(&attribute.value)
        }
        Expr::Call(call) => has_name_of_member(&call.func),
        _ => false,
    }
}

/// `x` in `setattr(x, name, value)` with a variable name, `x.__dict__.update(…)`, `vars(x).update(…)`.
fn receiver(call: &ExprCall) -> Option<&Expr> {
    let arguments = &call.arguments.args;
    match last_name(&call.func)? {
        "getattr" | "hasattr" | "setattr" => {
            arguments.get(1).filter(|name| name.is_name_expr()).and_then(|_| arguments.first())
        }
        "update" => match &*call.func.as_attribute_expr()?.value {
            Expr::Attribute(owner) if owner.attr.as_str() == "__dict__" => Some(&owner.value),
            Expr::Call(vars) if last_name(&vars.func) == Some("vars") => {
                vars.arguments.args.first()
            }
            _ => None,
        },
        _ => None,
    }
}
