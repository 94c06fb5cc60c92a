//! Rust. Scopes are not followed: a name that is bound anywhere in the file is never free.
//!
//! Calls among the tokens of a macro are not seen as calls, but the names there count as uses.

use tree_sitter::Node;

use super::walk::{FateWords, NodeContext, children, read as walk};
use super::{Call, CallForm, Details, Function, Parameter, ParameterKind};
use crate::language::Language;

const FATES: FateWords = FateWords {
    awaited: &["await_expression"],
    returned: &["return_expression"],
    statement: &["expression_statement"],
    assigned: &["let_declaration"],
    used: &["field_expression", "try_expression", "if_expression", "binary_expression"],
};

const FUNCTIONS: &[&str] = &["function_item", "closure_expression"];

pub(super) fn read(_language: Language, text: &str) -> Details {
    walk(tree_sitter_rust::LANGUAGE, text, visit)
}

fn visit(place: &NodeContext<'_, '_>, details: &mut Details) {
    match place.node.kind() {
        "function_item" | "function_signature_item" => function(place, details),
        "call_expression" => call(place, details),
        "use_wildcard" => details.is_open |= !is_of_this_file(place),
        "use_declaration" => imported(place, place.node.child_by_field_name("argument"), details),
        "macro_definition" => details.bind(place.field_text(place.node, "name"), true),
        "identifier" | "type_identifier" | "shorthand_field_identifier" => name(place, details),
        _ => {}
    }
}

/// `mod tests { use super::*; }`: what it brings in stands further up.
fn is_of_this_file(place: &NodeContext<'_, '_>) -> bool {
    let modules = place.around.iter().filter(|node| node.kind() == "mod_item").count();
    let path = place.own_text().trim_end_matches("::*").trim();
    modules > 0 && path == "super"
}

/// Binds the last names of a use list.
fn imported(place: &NodeContext<'_, '_>, argument: Option<Node<'_>>, details: &mut Details) {
    let mut open: Vec<Node<'_>> = argument.into_iter().collect();
    let mut steps = 0;
    while let Some(node) = open.pop() {
        steps += 1;
        if steps > 10_000 {
            details.is_open = true;
            return;
        }
        match node.kind() {
            "identifier" | "self" => details.bind(place.text(node), true),
            "scoped_identifier" => details.bind(place.field_text(node, "name"), true),
            "use_as_clause" => details.bind(place.field_text(node, "alias"), true),
            "use_list" => open.extend(children(node)),
            "scoped_use_list" => {
                open.extend(node.child_by_field_name("list"));
                let path = place.field_text(node, "path");
                details.bind(path.rsplit("::").next().unwrap_or_default(), true);
            }
            _ => {}
        }
    }
}

fn name(place: &NodeContext<'_, '_>, details: &mut Details) {
    if place.inside(&["use_declaration"]).is_some() {
        return;
    }
    let parent = place.kind_around(0);
    let is_binding = match (parent, place.field) {
        (kind, "name") if kind.ends_with("_item") || kind.ends_with("_definition") => true,
        ("enum_variant" | "type_parameter" | "const_parameter" | "associated_type", "name")
        | ("type_parameters" | "constrained_type_parameter" | "optional_type_parameter", _) => true,
        ("scoped_identifier" | "scoped_type_identifier", "name") => return,
        _ => is_pattern(place),
    };
    if is_binding {
        let own = usize::from(parent == "function_item" && place.field == "name");
        let mut around = place.around.iter().rev().skip(own);
        let is_top = !around.any(|node| FUNCTIONS.contains(&node.kind()));
        details.bind(place.own_text(), is_top);
    } else {
        details.used(place.own_text(), place.line());
    }
}

/// Does it stand where a pattern binds names? What a pattern compares with is not told apart.
fn is_pattern(place: &NodeContext<'_, '_>) -> bool {
    let mut child = place.node;
    for parent in place.around.iter().rev() {
        let is_field = |field: &str| {
            parent.child_by_field_name(field).is_some_and(|found| found.id() == child.id())
        };
        match parent.kind() {
            "tuple_struct_pattern" | "struct_pattern" if is_field("type") => return false,
            "scoped_identifier" | "scoped_type_identifier" => return false,
            "closure_parameters" | "match_pattern" | "captured_pattern" => return true,
            "parameter" | "let_declaration" | "for_expression" | "let_condition" => {
                return is_field("pattern");
            }
            kind if kind.ends_with("_pattern") => child = *parent,
            _ => return false,
        }
    }
    false
}

fn function(place: &NodeContext<'_, '_>, details: &mut Details) {
    let node = place.node;
    if !place.is_top(FUNCTIONS) {
        return;
    }
    let block = place.inside(&["impl_item", "trait_item"]);
    let owner = block.map(|block| {
        let field = if block.kind() == "impl_item" { "type" } else { "name" };
        place.field_text(block, field).split('<').next().unwrap_or_default()
    });
    let modifiers = children(node).into_iter().find(|child| child.kind() == "function_modifiers");
    let attributed = place.parent().is_some_and(|parent| has_attribute_before(parent, node));
    details.functions.push(Function {
        name: place.field_text(node, "name").into(),
        owner: owner.map(Into::into),
        line: place.line(),
        parameters: parameters(place, node),
        is_async: modifiers.is_some_and(|words| place.text(words).contains("async")),
        returns_unknown: true,
        is_open: block.is_some_and(|block| block.child_by_field_name("trait").is_some())
            || attributed,
        is_signature: false,
        is_typed: true,
    });
}

/// An attribute may make the function another (`#[tauri::command]`) or have it twice (`#[cfg]`).
fn has_attribute_before(parent: Node<'_>, node: Node<'_>) -> bool {
    let mut cursor = parent.walk();
    let mut has = false;
    for child in parent.named_children(&mut cursor) {
        if child.id() == node.id() {
            return has;
        }
        has = match child.kind() {
            "attribute_item" => true,
            kind if kind.contains("comment") => has,
            _ => false,
        };
    }
    false
}

/// A method's `self` is the first: it counts where the method is called by its path.
fn parameters(place: &NodeContext<'_, '_>, node: Node<'_>) -> Vec<Parameter> {
    let list = node.child_by_field_name("parameters").map(children).unwrap_or_default();
    let list = list.into_iter().filter(|child| child.kind() != "attribute_item");
    list.map(|child| {
        let is_rest = child.kind() == "variadic_parameter";
        let name = match child.kind() {
            "self_parameter" => "self",
            _ => place.field_text(child, "pattern"),
        };
        Parameter {
            name: name.into(),
            kind: if is_rest { ParameterKind::Rest } else { ParameterKind::PositionOnly },
            is_required: !is_rest,
            keys: None,
        }
    })
    .collect()
}

fn call(place: &NodeContext<'_, '_>, details: &mut Details) {
    let node = place.node;
    let Some(mut function) = node.child_by_field_name("function") else { return };
    if function.kind() == "generic_function" {
        function = function.child_by_field_name("function").unwrap_or(function);
    }
    let (qualifier, name) = match function.kind() {
        "identifier" => ("", place.text(function)),
        "scoped_identifier" => {
            (place.field_text(function, "path"), place.field_text(function, "name"))
        }
        "field_expression" => {
            let value = place.field_text(function, "value");
            (if value == "self" { "self." } else { "?" }, place.field_text(function, "field"))
        }
        _ => return,
    };
    let arguments = node.child_by_field_name("arguments").map(children).unwrap_or_default();
    let count = arguments.iter().filter(|argument| argument.kind() != "attribute_item").count();
    details.calls.push(Call {
        qualifier: qualifier.into(),
        name: name.into(),
        form: CallForm::Call,
        line: place.line(),
        positional: u32::try_from(count).ok(),
        named: Some(Vec::new()),
        objects: Vec::new(),
        fate: place.fate(&FATES),
    });
}
