//! The class that takes the parameters: a dataclass where that is possible.

use rb_python::ast::Stmt;
use rb_python::{Ranged, ScopeKind, Source};

use super::Request;
use crate::layout::{self, BlockKind, Piece};
use crate::operations::calls::{place, refusal};
use crate::operations::edits::FileEdits;
use crate::operations::functions::{Function, Parameter, ParameterKind};
use crate::operations::item_list::ItemList;
use crate::operations::signature::is_immutable;
use crate::operations::text_style;
use crate::outcome::Refusal;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Dataclass,
    /// With an `__init__` that has the parameters as they were.
    Plain,
}

/// A dataclass accepts no mutable default, and no field without a default behind one that has it.
pub(super) fn style(fields: &[Parameter<'_>]) -> Style {
    let first_default = fields.iter().position(|field| field.default.is_some());
    let is_ordered = first_default
        .is_none_or(|first| fields[first..].iter().all(|field| field.default.is_some()));
    let is_plain = fields.iter().all(|field| field.default.is_none_or(is_immutable));
    if is_ordered && is_plain { Style::Dataclass } else { Style::Plain }
}

/// Before the function, or the class around it.
pub(super) fn declare(
    request: &Request<'_>,
    source: &Source,
    function: &Function<'_>,
    fields: &[Parameter<'_>],
    edits: &mut FileEdits,
) -> Result<(), Refusal> {
    check_names(source, fields)?;
    let around = |statement: &Stmt| statement.range().contains_range(function.node.range());
    let Some(index) = source.body().iter().position(around) else { return Ok(()) };
    let text = match style(fields) {
        Style::Dataclass => dataclass(request, source, function, fields),
        Style::Plain => plain_class(request, source, function, fields),
    };
    let piece = Piece { text, kind: BlockKind::Definition, gap: None };
    edits.add(source.path(), layout::insertion(source, index, &[piece]));
    Ok(())
}

/// Annotations and defaults go out of the class around the function, so they must not need its names.
fn check_names(source: &Source, fields: &[Parameter<'_>]) -> Result<(), Refusal> {
    let scopes = source.scopes();
    let is_in_class = |name: &&rb_python::Name| {
        let variable = name.variable.map(|id| scopes.variable(id));
        variable.is_some_and(|variable| scopes.scope(variable.scope).kind != ScopeKind::Module)
    };
    let in_fields = scopes.names.iter().filter(|name| {
        fields
            .iter()
            .any(|field| field.range.contains_range(name.range) && field.name_range != name.range)
    });
    let places: Vec<_> =
        in_fields.filter(is_in_class).map(|name| place(source, name.range, "used here")).collect();
    if places.is_empty() {
        return Ok(());
    }
    let reason = "a default or annotation uses a name of the class around the function";
    Err(refusal(reason, places, "move that name to the top level first"))
}

fn head(request: &Request<'_>, source: &Source, function: &Function<'_>) -> String {
    let (unit, line_break) = (text_style::indent_unit(source), text_style::line_break(source));
    let name = function.node.name.as_str();
    let docstring = format!("{unit}\"\"\"Arguments of `{name}`.\"\"\"");
    format!("class {}:{line_break}{docstring}{line_break}{line_break}", request.class)
}

fn dataclass(
    request: &Request<'_>,
    source: &Source,
    function: &Function<'_>,
    fields: &[Parameter<'_>],
) -> String {
    let (unit, line_break) = (text_style::indent_unit(source), text_style::line_break(source));
    let lines = fields.iter().map(|field| {
        let annotation =
            field.annotation.map_or("Any", |annotation| source.slice(annotation.range()));
        let default = field.default.map(|default| format!(" = {}", source.slice(default.range())));
        let default = default.unwrap_or_default();
        format!("{unit}{}: {annotation}{default}", field.name)
    });
    let lines: Vec<String> = lines.collect();
    let head = head(request, source, function);
    format!("@dataclass{line_break}{head}{}{line_break}", lines.join(line_break))
}

fn plain_class(
    request: &Request<'_>,
    source: &Source,
    function: &Function<'_>,
    fields: &[Parameter<'_>],
) -> String {
    let (unit, line_break) = (text_style::indent_unit(source), text_style::line_break(source));
    let list = ItemList::parameters(source, &function.node.parameters);
    let mut items = vec!["self"];
    let mut is_open = false;
    for field in fields {
        if field.kind == ParameterKind::KeywordOnly && !is_open {
            items.push("*");
            is_open = true;
        }
        items.extend(list.index_of(field.range).map(|index| list.text(index)));
    }
    let assignments: Vec<String> =
        fields.iter().map(|field| format!("{unit}{unit}self.{0} = {0}", field.name)).collect();
    let signature = format!("{unit}def __init__({}):", items.join(", "));
    let body = assignments.join(line_break);
    let head = head(request, source, function);
    format!("{head}{signature}{line_break}{body}{line_break}")
}
