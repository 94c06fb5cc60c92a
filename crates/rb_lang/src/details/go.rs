//! Go. Scopes are not followed: a name that is bound anywhere in the file is never free.

use tree_sitter::Node;

use super::walk::{FateWords, NodeContext, children, read as walk};
use super::{Call, CallForm, Details, Fate, Function, Parameter, ParameterKind};
use crate::language::Language;

const FATES: FateWords = FateWords {
    awaited: &[],
    returned: &[],
    statement: &["expression_statement"],
    assigned: &[],
    used: &[],
};

const FUNCTIONS: &[&str] = &["function_declaration", "method_declaration", "func_literal"];

pub(super) fn read(_language: Language, text: &str) -> Details {
    walk(tree_sitter_go::LANGUAGE, text, visit)
}

fn visit(place: &NodeContext<'_, '_>, details: &mut Details) {
    match place.node.kind() {
        "function_declaration" | "method_declaration" => function(place, details),
        "call_expression" => call(place, details),
        "identifier" | "type_identifier" | "package_identifier" => name(place, details),
        "import_spec" => import(place, details),
        _ => {}
    }
}

fn import(place: &NodeContext<'_, '_>, details: &mut Details) {
    match place.field_text(place.node, "name") {
        "." => details.is_open = true,
        "" => {}
        alias => details.bind(alias, true),
    }
}

fn name(place: &NodeContext<'_, '_>, details: &mut Details) {
    let text = place.own_text();
    let is_binding = match (place.kind_around(0), place.field) {
        (
            "parameter_declaration"
            | "variadic_parameter_declaration"
            | "var_spec"
            | "const_spec"
            | "type_spec"
            | "type_alias"
            | "type_parameter_declaration",
            "name",
        )
        | ("type_switch_statement", "alias") => true,
        // Bound where the function is read.
        // `shared.Variable` is the package's.
        ("function_declaration" | "qualified_type", "name")
        | ("import_spec" | "package_clause" | "labeled_statement" | "label_name", _)
        | ("keyed_element", "key") => return,
        ("expression_list", _) => is_left(place),
        // `T{Name: 1}`: the field is nobody's name, and the same in a map may be a variable.
        ("literal_element", _) if is_key(place) => return,
        _ => false,
    };
    if is_binding {
        details.bind(text, place.is_top(FUNCTIONS));
    } else {
        details.used(text, place.line());
    }
}

fn is_left(place: &NodeContext<'_, '_>) -> bool {
    let mut around = place.around.iter().rev();
    let (Some(list), Some(statement)) = (around.next(), around.next()) else { return false };
    matches!(
        statement.kind(),
        "short_var_declaration" | "range_clause" | "receive_statement" | "type_switch_statement"
    ) && ["left", "alias"].iter().any(|field| {
        statement.child_by_field_name(field).is_some_and(|left| left.id() == list.id())
    })
}

fn is_key(place: &NodeContext<'_, '_>) -> bool {
    let mut around = place.around.iter().rev();
    let (Some(element), Some(pair)) = (around.next(), around.next()) else { return false };
    pair.kind() == "keyed_element"
        && pair.named_child(0).is_some_and(|key| key.id() == element.id())
}

fn function(place: &NodeContext<'_, '_>, details: &mut Details) {
    let node = place.node;
    let name = place.field_text(node, "name");
    let receiver = node.child_by_field_name("receiver");
    let owner = receiver.map(|receiver| {
        let text = place.text(receiver).trim_matches(['(', ')']);
        let named = text.split_whitespace().last().unwrap_or_default();
        named.trim_start_matches('*').split('[').next().unwrap_or_default()
    });
    if owner.is_none() {
        details.bind(name, true);
    }
    details.functions.push(Function {
        name: name.into(),
        owner: owner.map(Into::into),
        line: place.line(),
        parameters: parameters(place, node),
        is_async: false,
        returns_unknown: false,
        is_open: false,
        is_signature: false,
        is_typed: true,
    });
}

fn parameters(place: &NodeContext<'_, '_>, node: Node<'_>) -> Vec<Parameter> {
    let mut list = Vec::new();
    let Some(parameters) = node.child_by_field_name("parameters") else { return list };
    for child in children(parameters) {
        let mut cursor = child.walk();
        let names: Vec<&str> = child
            .children_by_field_name("name", &mut cursor)
            .filter(|name| name.kind() == "identifier")
            .map(|name| place.text(name))
            .collect();
        let is_rest = child.kind() == "variadic_parameter_declaration";
        let kind = if is_rest { ParameterKind::Rest } else { ParameterKind::PositionOnly };
        let count = names.len().max(1);
        list.extend((0..count).map(|at| Parameter {
            name: names.get(at).copied().unwrap_or("_").into(),
            kind,
            is_required: !is_rest,
            keys: None,
        }));
    }
    list
}

fn call(place: &NodeContext<'_, '_>, details: &mut Details) {
    let node = place.node;
    let Some(mut function) = node.child_by_field_name("function") else { return };
    if function.kind() == "index_expression" {
        function = function.child_by_field_name("operand").unwrap_or(function);
    }
    let (qualifier, name) = match function.kind() {
        "identifier" => ("", place.text(function)),
        "selector_expression" => {
            let operand = function.child_by_field_name("operand");
            let path = operand.filter(|operand| operand.kind() == "identifier");
            (path.map_or("?", |path| place.text(path)), place.field_text(function, "field"))
        }
        _ => return,
    };
    let arguments = node.child_by_field_name("arguments").map(children).unwrap_or_default();
    // `f(g())` takes all that `g` gives, `f(a...)` all that `a` holds.
    let hides = |argument: &Node<'_>| argument.kind() == "variadic_argument";
    let is_hidden = arguments.iter().any(hides)
        || (arguments.len() == 1 && arguments[0].kind() == "call_expression");
    details.calls.push(Call {
        qualifier: qualifier.into(),
        name: name.into(),
        form: CallForm::Call,
        line: place.line(),
        positional: u32::try_from(arguments.len()).ok().filter(|_| !is_hidden),
        named: Some(Vec::new()),
        objects: Vec::new(),
        fate: match place.fate(&FATES) {
            Fate::Statement => Fate::Statement,
            _ => Fate::Other,
        },
    });
}
