//! Where a literal stands in the code, and whether something is decided by it there: a comparison, a condition, the pattern of a
//! case, the key of a map.

use super::literal::Literal;
use crate::test_code::syntax::{NodeId, Syntax};

/// All literals.
pub(super) fn all(syntax: &Syntax<'_>) -> Vec<Literal> {
    literals(syntax).filter_map(|id| Literal::of_source(syntax.text(id))).collect()
}

/// The literals that decide something, with their lines.
pub(super) fn deciding(syntax: &Syntax<'_>) -> Vec<(Literal, u32)> {
    literals(syntax)
        .filter(|&id| decides(syntax, id))
        .filter_map(|id| Some((Literal::of_source(syntax.text(id))?, syntax.line(id))))
        .collect()
}

fn literals(syntax: &Syntax<'_>) -> impl Iterator<Item = NodeId> {
    syntax.subtree(0).filter(move |&id| is_literal(syntax.kind(id)))
}

fn is_literal(kind: &str) -> bool {
    matches!(
        kind,
        "string"
            | "string_literal"
            | "raw_string_literal"
            | "interpreted_string_literal"
            | "template_string"
            | "integer"
            | "float"
            | "number"
            | "integer_literal"
            | "float_literal"
            | "int_literal"
            | "decimal_integer_literal"
            | "decimal_floating_point_literal"
            | "hex_integer_literal"
    )
}

/// What a node says about a literal inside it.
enum Effect {
    Decides,
    /// What is around it says more.
    Open,
    Nothing,
}

/// Arguments of `Map.of` that are looked at.
const MAX_ENTRIES: usize = 64;
/// Deeper expressions are not looked into.
const MAX_LEVELS: usize = 24;

fn decides(syntax: &Syntax<'_>, literal: NodeId) -> bool {
    let mut id = literal;
    for _ in 0..MAX_LEVELS {
        let Some(parent) = syntax.parent(id) else { return false };
        match effect(syntax, parent, id) {
            Effect::Decides => return true,
            Effect::Open => id = parent,
            Effect::Nothing => return false,
        }
    }
    false
}

fn effect(syntax: &Syntax<'_>, parent: NodeId, child: NodeId) -> Effect {
    match (syntax.kind(parent), syntax.field_of(child)) {
        (_, "condition")
        | ("comparison_operator" | "match_pattern" | "case_pattern" | "switch_label", _)
        | ("switch_case" | "expression_case", "value")
        | ("when" | "in_clause", "pattern")
        | ("pair" | "keyed_element", "key") => Effect::Decides,
        ("binary_expression" | "binary", _) => operator(syntax.field_text(parent, "operator")),
        ("tuple_expression" | "array" | "array_expression", _)
            if is_row_of_map(syntax, parent, child) =>
        {
            Effect::Decides
        }
        ("arguments" | "argument_list", _) if is_map_entry(syntax, parent, child) => {
            Effect::Decides
        }
        ("token_tree", _) if is_pattern_macro(syntax, parent) => Effect::Decides,
        (kind, _) if is_open(kind) => Effect::Open,
        _ => Effect::Nothing,
    }
}

fn operator(operator: &str) -> Effect {
    match operator {
        "==" | "!=" | "===" | "!==" | "<" | "<=" | ">" | ">=" | "=~" | "<=>" | "in" => {
            Effect::Decides
        }
        "&&" | "||" | "and" | "or" => Effect::Open,
        _ => Effect::Nothing,
    }
}

/// `[("a", 1), …]`, `[["a", 1], …]`: the first of a row is the key.
fn is_row_of_map(syntax: &Syntax<'_>, row: NodeId, child: NodeId) -> bool {
    let around = syntax.parent(row).map_or("", |around| syntax.kind(around));
    matches!(around, "array" | "array_expression") && syntax.named(row).next() == Some(child)
}

/// `map.put("a", 1)`, `Map.of("a", 1)`.
fn is_map_entry(syntax: &Syntax<'_>, arguments: NodeId, child: NodeId) -> bool {
    let Some(call) = syntax.parent(arguments) else { return false };
    let method = match syntax.field(call, "function") {
        Some(function) => syntax
            .field(function, "property")
            .or_else(|| syntax.field(function, "field"))
            .map_or("", |name| syntax.text(name)),
        None => syntax.field_text(call, "name"),
    };
    let position = || syntax.named(arguments).take(MAX_ENTRIES).position(|id| id == child);
    match method {
        "put" | "insert" | "set" | "entry" => position() == Some(0),
        "of" if syntax.field_text(call, "object") == "Map" => {
            position().is_some_and(|at| at % 2 == 0)
        }
        _ => false,
    }
}

/// `matches!(x, "a")`.
fn is_pattern_macro(syntax: &Syntax<'_>, tokens: NodeId) -> bool {
    let around = syntax.parent(tokens);
    around.is_some_and(|around| syntax.field_text(around, "macro") == "matches")
}

fn is_open(kind: &str) -> bool {
    let is_pattern = kind.ends_with("_pattern") || kind == "pattern";
    let is_collection = matches!(
        kind,
        "list" | "tuple" | "set" | "array" | "array_expression" | "tuple_expression"
    );
    let is_call = matches!(
        kind,
        "arguments"
            | "argument_list"
            | "call_expression"
            | "call"
            | "method_invocation"
            | "member_expression"
            | "field_expression"
            | "attribute"
    );
    let is_wrapper = matches!(
        kind,
        "parenthesized_expression"
            | "parenthesized_statements"
            | "unary_expression"
            | "unary_operator"
            | "unary"
            | "not_operator"
            | "boolean_operator"
            | "reference_expression"
            | "negative_literal"
            | "expression_list"
            | "literal_element"
            | "let_condition"
    );
    is_pattern || is_collection || is_call || is_wrapper
}
