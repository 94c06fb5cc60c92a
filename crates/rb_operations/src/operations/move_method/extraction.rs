//! The method as a function behind its class.

use std::sync::Arc;

use rb_core::Edit;
use rb_python::ast::Stmt;
use rb_python::{Name, NameRole, Ranged, ScopeKind, Source, TextRange, TextSize};

use crate::layout::{self, BlockKind, Piece};
use crate::operations::calls::{place, refusal};
use crate::operations::edits::FileEdits;
use crate::operations::functions::{
    Function, FunctionKind, ParameterKind, functions_named, last_name,
};
use crate::operations::item_list::ItemList;
use crate::operations::new_name::is_mangled;
use crate::operations::parameter_object::snake_case;
use crate::operations::text_style;
use crate::outcome::Refusal;

const BY_HAND: &str = "move it by hand";

/// What becomes of `self`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Receiver {
    /// There is none, or it is not used.
    Dropped,
    /// The first parameter, under this name.
    Parameter(String),
}

impl Receiver {
    pub(super) fn of(source: &Source, function: &Function<'_>) -> Result<Self, Refusal> {
        check_body(source, function)?;
        let Some(receiver) = function.receiver() else { return Ok(Receiver::Dropped) };
        let uses = receiver_uses(source, function);
        if uses.is_empty() {
            return Ok(Receiver::Dropped);
        }
        if function.kind() == FunctionKind::ClassMethod {
            let places = uses
                .iter()
                .map(|name| place(source, name.range, "the class is used here"))
                .collect();
            let reason = format!("`{}` uses its class", function.node.name.as_str());
            return Err(refusal(reason, places, "leave it a class method"));
        }
        if let Some(bound) = uses.iter().find(|name| name.role != NameRole::Use) {
            let places = vec![place(source, bound.range, "bound here")];
            return Err(refusal(
                format!("`{}` is bound anew", receiver.name),
                places,
                "rewrite it first",
            ));
        }
        let class = function.class.map_or("", |class| class.name.as_str());
        let name = snake_case(class.trim_start_matches('_'));
        let names = source.scopes().names.iter();
        let mut inside = names.filter(|one| function.node.range().contains_range(one.range));
        let is_taken = name == function.node.name.as_str() || inside.any(|one| one.name == name);
        Ok(Receiver::Parameter(if is_taken { receiver.name.to_owned() } else { name }))
    }
}

/// Everywhere but in the signature.
pub(super) fn receiver_uses<'s>(source: &'s Source, function: &Function<'_>) -> Vec<&'s Name> {
    let Some(receiver) = function.receiver() else { return Vec::new() };
    let variable = source.scopes().name_at(receiver.name_range).and_then(|name| name.variable);
    let names = variable.into_iter().flat_map(|variable| source.scopes().names_of(variable));
    names.filter(|name| name.range != receiver.name_range).collect()
}

/// Nothing in it may only have a meaning within the class.
fn check_body(source: &Source, function: &Function<'_>) -> Result<(), Refusal> {
    let range = function.node.range();
    let scopes = source.scopes();
    let of_class = |name: &&Name| {
        let variable = name.variable.map(|id| scopes.variable(id));
        let is_own = name.range == function.node.name.range();
        variable.is_some_and(|variable| {
            scopes.scope(variable.scope).kind == ScopeKind::Class
                && !range.contains_range(scopes.scope(variable.scope).range)
        }) && !is_own
    };
    let in_function = || scopes.names.iter().filter(|name| range.contains_range(name.range));
    let mut places: Vec<_> = in_function()
        .filter(of_class)
        .map(|name| place(source, name.range, "a name of the class"))
        .collect();
    let special = in_function().filter(|name| {
        name.variable.is_none() && matches!(name.name.as_str(), "super" | "__class__")
    });
    places.extend(special.map(|name| place(source, name.range, "means the class around it")));
    let mangled = source.parsed().tokens().iter().filter(|token| {
        range.contains_range(token.range()) && is_mangled(source.slice(token.range()))
    });
    places.extend(mangled.map(|token| place(source, token.range(), "belongs to the class")));
    if places.is_empty() {
        return Ok(());
    }
    let reason = format!("`{}` needs the class around it", function.node.name.as_str());
    Err(refusal(reason, places, "leave it a method, or rewrite these places first"))
}

/// Changes within the method, while it still stands in its class: `self`, and the decorators that made it a method. Places that other edits
/// change are left to those.
pub(super) fn inner_edits(
    source: &Source,
    function: &Function<'_>,
    receiver: &Receiver,
    edits: &mut FileEdits,
) {
    let path = source.path();
    for decorator in &function.node.decorator_list {
        if matches!(last_name(&decorator.expression), Some("staticmethod" | "classmethod")) {
            let lines = TextRange::new(
                source.line_start(decorator.start()),
                source.line_end(decorator.end()),
            );
            edits.replace(path, lines, "");
        }
    }
    let Some(first) = function.receiver() else { return };
    match receiver {
        Receiver::Dropped => {
            let list = ItemList::parameters(source, &function.node.parameters);
            let mut indexes: Vec<usize> = list.index_of(first.range).into_iter().collect();
            if first.kind == ParameterKind::PositionalOnly
                && function.node.parameters.posonlyargs.len() == 1
            {
                indexes.extend(list.marker("/"));
            }
            list.remove(&indexes).into_iter().for_each(|edit| edits.add(path, edit));
        }
        Receiver::Parameter(name) => {
            edits.replace(path, first.name_range, name.as_str());
            for one in receiver_uses(source, function) {
                if !edits.covers(path, one.range) {
                    edits.replace(path, one.range, name.as_str());
                }
            }
        }
    }
}

/// The text with the method taken out of its class and put behind it.
pub(super) fn moved_out(path: &str, text: &Arc<str>, method: &str) -> Result<Arc<str>, Refusal> {
    let source = parsed(path, text)?;
    let all = functions_named(&source, method);
    let (Some(function), Some(class)) = (all.first(), all.first().and_then(|one| one.class)) else {
        return Err(Refusal::new(format!("`{method}` is gone"), BY_HAND));
    };
    let lines = method_lines(&source, function);
    let inside = source.slice(lines).trim();
    if !inside.ends_with(source.slice(function.node.range()))
        && !has_comment_behind(&source, function)
    {
        let places = vec![place(&source, function.node.name.range(), "the method")];
        return Err(refusal("the method shares its line with others", places, BY_HAND));
    }
    let indentation = text_style::indentation_at(&source, function.node.name.start());
    let piece = text_style::dedented(&source, lines, indentation);
    let is_around = |statement: &Stmt| statement.range().contains_range(class.range());
    let Some(index) = source.body().iter().position(is_around) else {
        return Err(Refusal::new(format!("the class of `{method}` is gone"), BY_HAND));
    };
    let cut = if class.body.len() == 1 {
        let pass = format!("{indentation}pass{}", text_style::line_break(&source));
        vec![Edit::replace(lines.start().into(), lines.end().into(), pass)]
    } else {
        layout::cut(text, &[lines])
    };
    let rest: Arc<str> = applied(text, &cut)?.into();
    let source = parsed(path, &rest)?;
    let piece = Piece { text: piece, kind: BlockKind::Definition, gap: None };
    let insertion = layout::insertion(&source, index + 1, &[piece]);
    Ok(applied(&rest, &[insertion])?.into())
}

fn parsed(path: &str, text: &Arc<str>) -> Result<Source, Refusal> {
    Source::parse(path, Arc::clone(text)).map_err(|error| {
        Refusal::new(format!("{path} would have a syntax error in {error}"), BY_HAND)
    })
}

fn applied(text: &str, edits: &[Edit]) -> Result<String, Refusal> {
    rb_core::edit::apply(text, edits).map_err(|error| Refusal::new(error.to_string(), BY_HAND))
}

fn has_comment_behind(source: &Source, function: &Function<'_>) -> bool {
    let end = function.node.range().end();
    source.slice(TextRange::new(end, source.line_end(end))).trim_start().starts_with('#')
}

/// The method with its comments and decorators, as whole lines.
fn method_lines(source: &Source, function: &Function<'_>) -> TextRange {
    let indentation = text_style::indentation_at(source, function.node.name.start());
    let mut start = source.line_start(function.node.range().start());
    while start > TextSize::new(0) {
        let above = source.line_start(start - TextSize::new(1));
        let line = source.slice(TextRange::new(above, start));
        if !line.strip_prefix(indentation).is_some_and(|line| line.starts_with('#')) {
            break;
        }
        start = above;
    }
    TextRange::new(start, source.line_end(function.node.range().end()))
}
