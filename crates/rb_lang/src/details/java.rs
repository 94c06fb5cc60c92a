//! Java. Scopes are not followed: a name that is bound anywhere in the file is never free.

use tree_sitter::Node;

use super::walk::{NodeContext, children, read as walk};
use super::{Call, CallForm, Details, Fate, Function, Parameter, ParameterKind};
use crate::language::Language;

const TYPES: &[&str] = &[
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
];

pub(super) fn read(_language: Language, text: &str) -> Details {
    walk(tree_sitter_java::LANGUAGE, text, visit)
}

fn visit(place: &NodeContext<'_, '_>, details: &mut Details) {
    match place.node.kind() {
        "method_declaration" | "constructor_declaration" => function(place, details),
        "method_invocation" | "object_creation_expression" => call(place, details),
        "asterisk" => details.is_open = true,
        "identifier" | "type_identifier" => name(place, details),
        _ => {}
    }
}

fn name(place: &NodeContext<'_, '_>, details: &mut Details) {
    let text = place.own_text();
    match (place.kind_around(0), place.field) {
        _ if is_binding(place) => details.bind(text, place.inside(TYPES).is_none()),
        ("method_invocation", "name")
            if place.parent().is_some_and(|call| call.child_by_field_name("object").is_some()) => {}
        // `Map.Entry` is a use of `Map`.
        ("scoped_type_identifier", _) if is_first(place) => details.used(text, place.line()),
        ("field_access", "field")
        | (
            "scoped_type_identifier"
            | "scoped_identifier"
            | "package_declaration"
            | "import_declaration"
            | "element_value_pair"
            | "labeled_statement"
            | "break_statement"
            | "continue_statement",
            _,
        ) => {}
        _ => details.used(text, place.line()),
    }
}

fn is_first(place: &NodeContext<'_, '_>) -> bool {
    let first = place.parent().and_then(|around| around.named_child(0));
    first.is_some_and(|first| first.id() == place.node.id())
}

fn is_binding(place: &NodeContext<'_, '_>) -> bool {
    match (place.kind_around(0), place.field) {
        (
            "variable_declarator"
            | "formal_parameter"
            | "spread_parameter"
            | "catch_formal_parameter"
            | "enhanced_for_statement"
            | "method_declaration"
            | "constructor_declaration"
            | "enum_constant"
            | "resource"
            | "record_pattern_component",
            "name",
        )
        | ("lambda_expression", "parameters")
        | ("inferred_parameters" | "type_parameter" | "type_pattern", _) => true,
        (kind, "name") => TYPES.contains(&kind),
        _ => false,
    }
}

fn function(place: &NodeContext<'_, '_>, details: &mut Details) {
    let node = place.node;
    let Some(owner) = place.inside(TYPES) else { return };
    // Another class in a method is nobody else's business.
    if place.inside(&["block", "object_creation_expression"]).is_some() {
        return;
    }
    let list = node.child_by_field_name("parameters").map(children).unwrap_or_default();
    let parameters = list.into_iter().filter(|child| child.kind() != "receiver_parameter");
    let parameters = parameters.map(|child| parameter(place, child)).collect();
    let modifiers = children(node).into_iter().find(|child| child.kind() == "modifiers");
    let is_override = modifiers.is_some_and(|words| place.text(words).contains("@Override"));
    details.functions.push(Function {
        name: if node.kind() == "constructor_declaration" {
            "constructor".into()
        } else {
            place.field_text(node, "name").into()
        },
        owner: Some(place.field_text(owner, "name").into()),
        line: place.line(),
        parameters,
        is_async: false,
        returns_unknown: false,
        is_open: is_override,
        is_signature: false,
        is_typed: true,
    });
}

fn parameter(place: &NodeContext<'_, '_>, child: Node<'_>) -> Parameter {
    let is_rest = child.kind() == "spread_parameter";
    Parameter {
        name: place.field_text(child, "name").into(),
        kind: if is_rest { ParameterKind::Rest } else { ParameterKind::PositionOnly },
        is_required: !is_rest,
        keys: None,
    }
}

fn call(place: &NodeContext<'_, '_>, details: &mut Details) {
    let node = place.node;
    let is_new = node.kind() == "object_creation_expression";
    let (qualifier, name) = if is_new {
        let made = place.field_text(node, "type");
        ("", made.split('<').next().unwrap_or_default())
    } else {
        let object = node.child_by_field_name("object");
        let qualifier = object.map_or("", |object| match object.kind() {
            "identifier" | "this" | "super" => place.text(object),
            _ => "?",
        });
        (qualifier, place.field_text(node, "name"))
    };
    let arguments = node.child_by_field_name("arguments").map(children).unwrap_or_default();
    details.calls.push(Call {
        qualifier: qualifier.into(),
        name: name.into(),
        form: if is_new { CallForm::New } else { CallForm::Call },
        line: place.line(),
        positional: u32::try_from(arguments.len()).ok(),
        named: Some(Vec::new()),
        objects: Vec::new(),
        fate: Fate::Other,
    });
}
