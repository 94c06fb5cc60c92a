//! Classes with a metaclass (or `__init_subclass__`): it sees the names of the class and of its attributes, and may make something of them.
//!
//! Keyword arguments and strings of that name are then refused as what they may be: a field of a model, the model in `"app.Model"`.

use std::collections::BTreeSet;

use rb_python::ast::visitor::{Visitor, walk_keyword, walk_stmt};
use rb_python::ast::{Expr, Keyword, Stmt, StmtClassDef};
use rb_python::{Ranged, Source, StringUse, TextRange};

use super::Request;
use crate::operation::SymbolPath;
use crate::operations::calls::{place, refusal};
use crate::operations::edits::FileEdits;
use crate::operations::functions::class_named;
use crate::outcome::{Place, Refusal};
use crate::project::{Project, SymbolKind};
use crate::references::Found;

/// The name of a class that a metaclass may have registered: strings such as `"app.Model"` may mean it.
pub(super) fn check_class(
    project: &Project<'_>,
    request: &Request<'_>,
    found: &Found,
) -> Result<(), Refusal> {
    if project.kind(request.symbol) != SymbolKind::Class || !has_metaclass(project, request.symbol)
    {
        return Ok(());
    }
    let mut places = Vec::new();
    for path in project.files_with(&[request.old]) {
        let Some(source) = project.source(&path) else { continue };
        for literal in source.strings() {
            let names_it = literal.usage != StringUse::All
                && names_class(source.slice(literal.content), request.old);
            if names_it && !is_reference(found, &path, literal.content) {
                let what = format!("the string may name `{}`", request.old);
                places.push(place(&source, literal.range, what));
            }
        }
    }
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!("`{}` has a metaclass, which may have registered it by name", request.old);
    Err(refusal(reason, places, "rename by hand"))
}

/// `Model`, `app.Model`.
fn names_class(text: &str, name: &str) -> bool {
    let last = text.rsplit('.').next().unwrap_or(text);
    last == name && text.split('.').all(crate::project::is_identifier)
}

fn is_reference(found: &Found, path: &str, around: TextRange) -> bool {
    let mut references = found.references.iter();
    references.any(|reference| reference.path == path && around.contains_range(reference.range))
}

/// Edits what lists the member in the body of its classes, and refuses what a metaclass may make of it.
pub(super) fn follow(
    project: &Project<'_>,
    request: &Request<'_>,
    family: &BTreeSet<SymbolPath>,
    found: &Found,
    edits: &mut FileEdits,
) -> Result<(), Refusal> {
    for class in family {
        for source in project.sources_of(&class.path) {
            if let Some(statement) = class_named(&source, &class.name) {
                edit_lists(&source, statement, request, edits);
            }
        }
    }
    let places = named_fields(project, request, family, found);
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!(
        "`{}` is an attribute of a class with a metaclass, which others may name by a keyword or a string",
        request.symbol.name
    );
    Err(refusal(reason, places, "rename by hand"))
}

/// `__match_args__ = ("old",)`
fn edit_lists(source: &Source, class: &StmtClassDef, request: &Request<'_>, edits: &mut FileEdits) {
    for statement in &class.body {
        let (target, value) = match statement {
            Stmt::Assign(one) => (one.targets.first(), Some(&*one.value)),
            Stmt::AnnAssign(one) => (Some(&*one.target), one.value.as_deref()),
            _ => continue,
        };
        let name = target.and_then(Expr::as_name_expr).map(|name| name.id.as_str());
        if name != Some("__match_args__") {
            continue;
        }
        let Some(value) = value else { continue };
        let within = |range: TextRange| value.range().contains_range(range);
        for literal in source.strings().iter().filter(|literal| within(literal.range)) {
            if source.slice(literal.content) == request.old {
                edits.replace(source.path(), literal.content, request.to);
            }
        }
    }
}

/// Keywords and strings of the project that may mean an attribute which a metaclass has seen.
fn named_fields(
    project: &Project<'_>,
    request: &Request<'_>,
    family: &BTreeSet<SymbolPath>,
    found: &Found,
) -> Vec<Place> {
    let is_field = family.iter().any(|class| is_class_variable(project, class, request.old))
        && family.iter().any(|class| has_metaclass(project, class));
    if !is_field {
        return Vec::new();
    }
    let mut places = Vec::new();
    let has_name = |text: &str| text.contains(request.old);
    for path in project.python_files() {
        if !project.files.text(&path).is_some_and(|text| has_name(&text)) {
            continue;
        }
        let Some(source) = project.source(&path) else { continue };
        let mut keywords = Keywords { name: request.old, ranges: Vec::new() };
        keywords.visit_body(source.body());
        let strings = source.strings().iter().map(|literal| literal.content);
        let strings = strings.filter(|content| names_field(source.slice(*content), request.old));
        for range in keywords.ranges.iter().copied().chain(strings) {
            if !is_reference(found, &path, range) {
                places.push(place(&source, range, format!("`{}` may be this field", request.old)));
            }
        }
    }
    places
}

/// `old`, `-old`, and paths of lookups: `old__gt`, `author__old`.
fn names_field(text: &str, name: &str) -> bool {
    let is_word = !text.contains(char::is_whitespace);
    let path = text.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '_');
    is_word && path.split("__").any(|part| part == name)
}

/// Assigned in the body of the class, and not a function.
fn is_class_variable(project: &Project<'_>, class: &SymbolPath, name: &str) -> bool {
    let member = SymbolPath { path: class.path.clone(), name: format!("{}.{name}", class.name) };
    project.kind(&member) == SymbolKind::Variable && !project.definitions(&member).is_empty()
}

fn has_metaclass(project: &Project<'_>, class: &SymbolPath) -> bool {
    project.ancestors(class).iter().any(|one| {
        let source = project.source(&one.path);
        let statement = source.as_ref().and_then(|source| class_named(source, &one.name));
        let keywords = statement.and_then(|statement| statement.arguments.as_deref());
        let has_keyword =
            keywords.is_some_and(|arguments| arguments.find_keyword("metaclass").is_some());
        has_keyword || project.defines(one, "__init_subclass__")
    })
}

struct Keywords<'n> {
    name: &'n str,
    ranges: Vec<TextRange>,
}

impl<'a> Visitor<'a> for Keywords<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        walk_stmt(self, statement);
    }

    fn visit_keyword(&mut self, keyword: &'a Keyword) {
        if let Some(name) = keyword.arg.as_ref().filter(|name| names_field(name, self.name)) {
            self.ranges.push(name.range());
        }
        walk_keyword(self, keyword);
    }
}
