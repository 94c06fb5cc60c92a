//! Names that are put together at run time: `getattr(self, "visit_" + kind)`.
//!
//! Such a name leads to a member if its constant parts fit, and to any member if it has none and the name stands in a string beside it.

use std::collections::BTreeSet;

use rb_python::ast::visitor::{Visitor, walk_expr};
use rb_python::ast::{Expr, ExprCall, InterpolatedStringElement, Operator};
use rb_python::{Ranged, Source, TextRange};

use super::Request;
use crate::operation::SymbolPath;
use crate::operations::calls::{place, refusal};
use crate::operations::functions::{functions, last_name};
use crate::outcome::{Place, Refusal};
use crate::project::{Meaning, Project, SymbolKind, is_identifier};
use crate::references::Found;

/// Fewer letters fit too many names.
const LETTERS: usize = 3;

/// A member may be looked up on anything.
pub(super) fn check_member(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<(), Refusal> {
    check(project, request, found, &|_, _| true)
}

/// A top-level name is looked up in a module that has it.
pub(super) fn check_top_level(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
    modules: &BTreeSet<&str>,
) -> Result<(), Refusal> {
    check(project, request, found, &|source, receiver| match project.meaning(source, receiver) {
        Meaning::Module(path) => modules.contains(path.as_str()),
        Meaning::Symbol(_) | Meaning::Instance(_) | Meaning::Foreign(_) | Meaning::Unknown => false,
    })
}

/// `getattr(self, f"visit_{type(node).__name__}")` finds a method by the name of a class.
pub(super) fn check_class(project: &Project<'_>, request: &Request<'_>) -> Result<(), Refusal> {
    if project.kind(request.symbol) != SymbolKind::Class {
        return Ok(());
    }
    let mut places = names_taken_apart(project, request.symbol);
    let by_name = project.files_with(&["__name__"]);
    let lookups = project.files_with(&["getattr", "hasattr", "globals", "vars"]);
    for path in by_name.into_iter().filter(|path| lookups.contains(path)) {
        let Some(source) = project.source(&path) else { continue };
        let mut search = Dispatches { source: &source, found: Vec::new() };
        search.visit_body(source.body());
        for (range, before, after) in search.found {
            let member = format!("{before}{}{after}", request.old);
            if is_identifier(&member) && !project.files_with(&[&member]).is_empty() {
                let what = format!("`{member}` is found by the name of the class");
                places.push(place(&source, range, what));
            }
        }
    }
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!("something is made of the name of `{}`", request.symbol.name);
    Err(refusal(reason, places, "rename by hand, with what is made of it"))
}

/// `type(self).__name__.lower()` in a method of the class: what comes out is for others.
fn names_taken_apart(project: &Project<'_>, class: &SymbolPath) -> Vec<Place> {
    let mut places = Vec::new();
    for ancestor in project.ancestors(class).iter() {
        let Some(source) = project.source(&ancestor.path) else { continue };
        for function in functions(&source) {
            let is_own = function.class.is_some_and(|class| ancestor.last() == class.name.as_str());
            if !is_own || matches!(function.node.name.as_str(), "__repr__" | "__str__") {
                continue;
            }
            let mut search = NamesTakenApart { found: None };
            search.visit_body(&function.node.body);
            let what = "this takes the name of the class apart";
            places.extend(search.found.map(|range| place(&source, range, what)));
        }
    }
    places
}

/// `type(self).__name__.x`, `self.__class__.__name__[x]`, `cls.__name__.x`.
struct NamesTakenApart {
    found: Option<TextRange>,
}

impl<'s> Visitor<'s> for NamesTakenApart {
    fn visit_expr(&mut self, expr: &'s Expr) {
        let value = match expr {
            Expr::Attribute(attribute) => Some(&attribute.value),
            Expr::Subscript(subscript) => Some(&subscript.value),
            _ => None,
        };
        if value.is_some_and(|value| is_name_of_own_class(value)) {
            self.found.get_or_insert(expr.range());
        }
        walk_expr(self, expr);
    }
}

fn is_name_of_own_class(expression: &Expr) -> bool {
    let Expr::Attribute(name) = expression else { return false };
    let is_self = |expression: &Expr| matches!(expression, Expr::Name(name) if matches!(name.id.as_str(), "self" | "cls"));
    let is_class = match &*name.value {
        Expr::Call(call) => {
            last_name(&call.func) == Some("type")
                && call.arguments.args.first().is_some_and(is_self)
        }
        Expr::Attribute(attribute) => {
            attribute.attr.as_str() == "__class__" && is_self(&attribute.value)
        }
        Expr::Name(name) => name.id.as_str() == "cls",
        _ => false,
    };
    is_class && matches!(name.attr.as_str(), "__name__" | "__qualname__")
}

/// Lookups by a name that is put together from that of a class.
struct Dispatches<'s> {
    source: &'s Source,
    found: Vec<(TextRange, String, String)>,
}

impl<'s> Visitor<'s> for Dispatches<'_> {
    fn visit_expr(&mut self, expr: &'s Expr) {
        if let Some((before, after)) = constant_parts(expr)
            && before.len() + after.len() >= LETTERS
            && self.source.slice(expr.range()).contains("__name__")
        {
            self.found.push((expr.range(), before, after));
        }
        walk_expr(self, expr);
    }
}

/// Can the receiver have it?
type Receives<'r> = &'r dyn Fn(&Source, &Expr) -> bool;

fn check(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
    receives: Receives<'_>,
) -> Result<(), Refusal> {
    let mut places = Vec::new();
    let paths =
        project.files_with(&["getattr", "hasattr", "setattr", "methodcaller", "attrgetter"]);
    project.prepare(&paths);
    for path in paths {
        let Some(source) = project.source(&path) else { continue };
        let mut mentions = found.mentions.iter().filter(|mention| mention.path == path);
        let has_name = mentions.any(|mention| !names_parameter(&source, mention.range));
        let mut search =
            Search { source: &source, name: request.old, has_name, receives, ranges: Vec::new() };
        search.visit_body(source.body());
        places.extend(search.ranges.iter().map(|range| {
            let what = format!("the name is put together at run time and may be `{}`", request.old);
            place(&source, *range, what)
        }));
    }
    places.extend(names_passed_on(project, request, found));
    if places.is_empty() {
        return Ok(());
    }
    places.sort();
    places.dedup();
    let reason = format!("`{}` may be looked up by a computed name", request.symbol.name);
    Err(refusal(reason, places, "check these places, and rename by hand"))
}

/// `requires("name")`, where the module of `requires` looks names up.
fn names_passed_on(project: &Project<'_>, request: &Request<'_>, found: &Found) -> Vec<Place> {
    let mut places = Vec::new();
    for mention in &found.mentions {
        let Some(source) = project.source(&mention.path) else { continue };
        let Some(callee) = callee(&source, mention.range) else { continue };
        let Meaning::Symbol(symbol) = project.meaning(&source, callee) else { continue };
        let Some(module) = project.source(&symbol.path) else { continue };
        let mut lookups = Search {
            source: &module,
            name: request.old,
            has_name: true,
            receives: &|_, _| true,
            ranges: Vec::new(),
        };
        lookups.visit_body(module.body());
        if !lookups.ranges.is_empty() {
            let what = format!("`{}` may look it up by this name", symbol.name);
            places.push(place(&source, mention.range, what));
        }
    }
    places
}

/// `parametrize(("name", "other"), …)` names parameters of the test.
fn names_parameter(source: &Source, range: TextRange) -> bool {
    callee(source, range).and_then(last_name) == Some("parametrize")
}

/// What the string at this place is passed to.
fn callee(source: &Source, range: TextRange) -> Option<&Expr> {
    let mut search = Callees { range, callee: None };
    search.visit_body(source.body());
    search.callee
}

struct Callees<'s> {
    range: TextRange,
    callee: Option<&'s Expr>,
}

impl<'s> Visitor<'s> for Callees<'s> {
    fn visit_expr(&mut self, expr: &'s Expr) {
        if !expr.range().contains_range(self.range) {
            return;
        }
        if let Expr::Call(call) = expr
            && is_argument(call, self.range)
        {
            self.callee = Some(&call.func);
        }
        walk_expr(self, expr);
    }
}

/// The string itself, or one of a list of strings.
fn is_argument(call: &ExprCall, range: TextRange) -> bool {
    call.arguments.iter_source_order().any(|argument| {
        let value = argument.value();
        let is_plain =
            value.is_string_literal_expr() || value.is_list_expr() || value.is_tuple_expr();
        is_plain && value.range().contains_range(range)
    })
}

struct Search<'s> {
    source: &'s Source,
    name: &'s str,
    /// A string of the file is exactly the name.
    has_name: bool,
    receives: Receives<'s>,
    ranges: Vec<TextRange>,
}

impl<'s> Visitor<'s> for Search<'_> {
    fn visit_expr(&mut self, expr: &'s Expr) {
        if let Expr::Call(call) = expr
            && let Some((receiver, name)) = computed_name(call)
            && self.fits(name)
            && receiver.is_none_or(|receiver| (self.receives)(self.source, receiver))
        {
            self.ranges.push(call.range());
        }
        walk_expr(self, expr);
    }
}

impl Search<'_> {
    fn fits(&self, computed: &Expr) -> bool {
        match constant_parts(computed) {
            Some((before, after)) if before.len() + after.len() >= LETTERS => {
                self.name.len() >= before.len() + after.len()
                    && self.name.starts_with(&before)
                    && self.name.ends_with(&after)
            }
            Some(_) | None => self.has_name,
        }
    }
}

/// The receiver and the name in `getattr(x, name)` and its like, if the name is not a plain string.
fn computed_name(call: &ExprCall) -> Option<(Option<&Expr>, &Expr)> {
    let arguments = &call.arguments.args;
    let (receiver, name) = match last_name(&call.func)? {
        "getattr" | "hasattr" | "setattr" | "delattr" => (arguments.first(), arguments.get(1)),
        "methodcaller" | "attrgetter" => (None, arguments.first()),
        _ => return None,
    };
    let name = name.filter(|name| !name.is_string_literal_expr())?;
    Some((receiver, name))
}

/// What the text begins and ends with: `("visit_", "")` of `"visit_" + kind`. None if nothing is constant.
fn constant_parts(expression: &Expr) -> Option<(String, String)> {
    match expression {
        Expr::FString(text) => {
            let elements: Vec<&InterpolatedStringElement> = text.value.elements().collect();
            let literal = |element: Option<&&InterpolatedStringElement>| {
                let literal = element.and_then(|element| element.as_literal());
                literal.map(|literal| literal.value.to_string()).unwrap_or_default()
            };
            Some((literal(elements.first()), literal(elements.last())))
        }
        Expr::BinOp(operation) if operation.op == Operator::Add => {
            let (before, after) = (literal_of(&operation.left), literal_of(&operation.right));
            let before = before.or_else(|| Some(constant_parts(&operation.left)?.0));
            let after = after.or_else(|| Some(constant_parts(&operation.right)?.1));
            Some((before.unwrap_or_default(), after.unwrap_or_default()))
        }
        Expr::BinOp(operation) if operation.op == Operator::Mod => {
            let text = literal_of(&operation.left)?;
            let (before, rest) = text.split_once('%')?;
            let after = rest.rsplit('%').next().unwrap_or_default();
            Some((before.to_owned(), after.get(1..).unwrap_or_default().to_owned()))
        }
        Expr::Call(call) if last_name(&call.func) == Some("format") => {
            let text = literal_of(&call.func.as_attribute_expr()?.value)?;
            let before = text.split('{').next().unwrap_or_default();
            let after = text.rsplit('}').next().unwrap_or_default();
            Some((before.to_owned(), after.to_owned()))
        }
        _ => None,
    }
}

fn literal_of(expression: &Expr) -> Option<String> {
    expression.as_string_literal_expr().map(|literal| literal.value.to_str().to_owned())
}
