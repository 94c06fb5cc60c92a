//! Who passes the parameter by name without a call that can be seen: decorators, and whoever gets the function as a value.

use rb_python::ast::visitor::{Visitor, walk_keyword};
use rb_python::ast::{Decorator, Expr, Keyword};
use rb_python::{Ranged, Source, StringUse, TextRange};

use super::Request;
use crate::operations::calls::{Callable, Use, place, refusal};
use crate::operations::decorators::is_harmless;
use crate::operations::functions::{Function, ParameterKind, functions};
use crate::operations::known_bases::base_has_member;
use crate::operations::new_name::is_dunder;
use crate::outcome::{Place, Refusal};
use crate::project::{Meaning, Project, statement_at, word_ranges};
use crate::references::{Found, ReferenceKind};

/// Refuses what would break unseen; gives notes on what cannot be seen.
pub(super) fn check(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<Vec<String>, Refusal> {
    let mut is_by_name = false;
    for reference in &found.references {
        let Some(source) = project.source(&reference.path) else { continue };
        let all = functions(&source);
        let Some(function) = declared_at(&all, reference.range) else { continue };
        check_locals(&source, function, request)?;
        let kind = function.parameter(request.old).map(|parameter| parameter.kind);
        if !matches!(kind, Some(ParameterKind::Plain | ParameterKind::KeywordOnly)) {
            continue;
        }
        is_by_name = true;
        check_test(&source, function, request, found)?;
        check_decorators(project, &source, function, request)?;
    }
    if !is_by_name {
        return Ok(Vec::new());
    }
    check_bases(project, request)?;
    check_uses(project, request, found)
}

/// The function that declares the parameter at this place.
pub(super) fn declared_at<'f, 's>(
    functions: &'f [Function<'s>],
    range: TextRange,
) -> Option<&'f Function<'s>> {
    functions.iter().find(|function| {
        function.parameters().iter().any(|parameter| parameter.name_range == range)
    })
}

/// `locals()` has the parameter under its name.
fn check_locals(
    source: &Source,
    function: &Function<'_>,
    request: &Request<'_>,
) -> Result<(), Refusal> {
    let Some(range) = function.locals(source) else { return Ok(()) };
    let owner = &function.node.name;
    let reason = format!("`{owner}` may use the name of its parameter `{}`", request.old);
    let at = place(source, range, "`locals()` gives its parameters by name");
    Err(refusal(reason, vec![at], "check what it is used for, and rename by hand"))
}

/// A base class that cannot be seen may call the method by keyword.
fn check_bases(project: &Project<'_>, request: &Request<'_>) -> Result<(), Refusal> {
    let name = request.function.last();
    let Some(class) = request.function.class().filter(|_| !is_dunder(name)) else { return Ok(()) };
    let mut places = Vec::new();
    for ancestor in project.ancestors(&class).iter() {
        let bases = project.bases(ancestor);
        for base in bases.foreign.iter().filter(|base| base_has_member(base, name)) {
            let what =
                format!("`{}` extends `{base}`, which is not of this project", ancestor.name);
            places.push(Place { path: ancestor.path.clone(), line: 1, what });
        }
    }
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!("`{}` may override a method of a base class", request.function.name);
    Err(refusal(
        reason,
        places,
        "check that nobody passes the parameter by name, and rename by hand",
    ))
}

/// pytest passes fixtures by the names of parameters; what `parametrize` names is known.
fn check_test(
    source: &Source,
    function: &Function<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<(), Refusal> {
    let node = function.node;
    let is_test = Project::is_test(source.path()) && node.name.starts_with("test");
    let is_parametrized = found.references.iter().any(|reference| {
        reference.kind == ReferenceKind::String
            && reference.path == source.path()
            && node.range().contains_range(reference.range)
    });
    if is_parametrized || (!is_test && !function.has_decorator("fixture")) {
        return Ok(());
    }
    let reason = format!("the name of the parameter `{}` may choose a fixture", request.old);
    let at = place(source, node.name.range(), "a test or fixture");
    Err(refusal(reason, vec![at], "rename the fixture and these parameters by hand"))
}

fn check_decorators(
    project: &Project<'_>,
    source: &Source,
    function: &Function<'_>,
    request: &Request<'_>,
) -> Result<(), Refusal> {
    let unclear = |decorator: &&Decorator| !is_transparent(project, source, decorator, request);
    let places: Vec<Place> = function
        .node
        .decorator_list
        .iter()
        .filter(unclear)
        .map(|decorator| {
            let text = source.slice(decorator.range());
            let first = text.lines().next().unwrap_or_default();
            place(
                source,
                decorator.range(),
                format!("`{first}` may pass `{}` by name", request.old),
            )
        })
        .collect();
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!("a decorator of `{}` may name its parameters", function.node.name);
    Err(refusal(reason, places, "check the decorator, and rename by hand"))
}

fn is_transparent(
    project: &Project<'_>,
    source: &Source,
    decorator: &Decorator,
    request: &Request<'_>,
) -> bool {
    let called = match &decorator.expression {
        Expr::Call(call) => &*call.func,
        other => other,
    };
    // `@x.setter` of a property.
    let is_accessor = called.as_attribute_expr().is_some_and(|attribute| {
        matches!(attribute.attr.as_str(), "setter" | "getter" | "deleter")
    });
    match project.meaning(source, called) {
        Meaning::Foreign(name) => is_harmless(&name),
        Meaning::Symbol(symbol) => is_accessor || !mentions(project, &symbol, request.old),
        Meaning::Module(_) | Meaning::Instance(_) | Meaning::Unknown => is_accessor,
    }
}

/// Does the definition of a decorator have this word?
fn mentions(project: &Project<'_>, symbol: &crate::operation::SymbolPath, word: &str) -> bool {
    project.definitions(symbol).iter().any(|definition| {
        let source = &definition.source;
        let bindings = &source.scopes().variable(definition.variable).bindings;
        let mut statements =
            bindings.iter().filter_map(|binding| statement_at(source.body(), binding.statement));
        statements.any(|one| word_ranges(source.slice(one.range()), word).next().is_some())
    })
}

/// Calls that pass the new name already, and places that pass the function on: somebody there may name the parameter.
fn check_uses(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<Vec<String>, Refusal> {
    let callable = Callable::new(project, request.function)?;
    let mut open: Vec<Place> = callable
        .lookups(project)
        .iter()
        .filter_map(|doubt| {
            let source = project.source(&doubt.path)?;
            Some(place(&source, doubt.range, doubt.why.clone()))
        })
        .collect();
    let mut taken = Vec::new();
    for file in callable.files(project) {
        for one in file.uses() {
            match one {
                Use::Call(call) | Use::Partial(call) => {
                    let keywords = &call.arguments.keywords;
                    let named = |keyword: &&Keyword| {
                        keyword.arg.as_ref().is_some_and(|name| name.as_str() == request.to)
                    };
                    taken.extend(keywords.iter().filter(named).map(|keyword| {
                        place(&file.source, keyword.range(), format!("`{}` is passed", request.to))
                    }));
                }
                Use::Value(expression) => {
                    open.push(place(&file.source, expression.range(), "the function is passed on"));
                }
                Use::Decorator(_) | Use::Quoted(_) => {}
            }
        }
    }
    open.extend(strings_that_load(project, &callable));
    if !taken.is_empty() {
        let reason = format!("calls pass `{}` already", request.to);
        return Err(refusal(reason, taken, "choose another name"));
    }
    unseen_callers(project, request, found, open)
}

/// `"a.b:Class"`: whoever reads it may call what it names. Patches only replace it.
fn strings_that_load(project: &Project<'_>, callable: &Callable) -> Vec<Place> {
    let loading = callable.strings.iter().filter_map(|reference| {
        let source = project.source(&reference.path)?;
        let literals = source.strings();
        let literal =
            literals.iter().find(|literal| literal.content.contains_range(reference.range))?;
        let is_patch = match &literal.usage {
            StringUse::Argument { callee, .. } => {
                callee.contains("patch")
                    || callee.ends_with("setattr")
                    || callee.ends_with("getattr")
            }
            StringUse::Docstring | StringUse::Annotation | StringUse::All => true,
            StringUse::Other => false,
        };
        (!is_patch).then(|| place(&source, reference.range, "it is named by a string"))
    });
    loading.collect()
}

/// Where the function is out of sight, the word as a keyword or key elsewhere may be for it.
fn unseen_callers(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
    mut open: Vec<Place>,
) -> Result<Vec<String>, Refusal> {
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let named = places_naming(project, request, found);
    if named.is_empty() {
        let count = rb_core::plural(open.len(), "place");
        return Ok(vec![format!(
            "{count} use `{}` in a way that cannot be followed; nothing in the project passes `{}` by name there",
            request.function.name, request.old
        )]);
    }
    let reason = format!("`{}` may be passed to `{}` unseen", request.old, request.function.name);
    open.extend(named);
    open.sort();
    open.dedup();
    Err(refusal(reason, open, "check these places, and rename by hand"))
}

/// Keywords and strings of this name that are not known to be for the function.
fn places_naming(project: &Project<'_>, request: &Request<'_>, found: &Found) -> Vec<Place> {
    let mut places = Vec::new();
    for path in project.files_with(&[request.old]) {
        let Some(source) = project.source(&path) else { continue };
        let mut keywords = Keywords { name: request.old, ranges: Vec::new() };
        keywords.visit_body(source.body());
        let strings = source.strings().iter().map(|literal| literal.content);
        let strings = strings.filter(|content| source.slice(*content) == request.old);
        for range in keywords.ranges.iter().copied().chain(strings) {
            let is_known = |reference: &crate::references::Reference| {
                reference.path == path && reference.range == range
            };
            if !found.references.iter().any(is_known) {
                places.push(place(&source, range, format!("`{}` is named here", request.old)));
            }
        }
    }
    places
}

struct Keywords<'n> {
    name: &'n str,
    ranges: Vec<TextRange>,
}

impl<'a> Visitor<'a> for Keywords<'_> {
    fn visit_keyword(&mut self, keyword: &'a Keyword) {
        if let Some(name) = keyword.arg.as_ref().filter(|name| name.as_str() == self.name) {
            self.ranges.push(name.range());
        }
        walk_keyword(self, keyword);
    }
}
