//! Python. Scopes are not followed: a name that is bound anywhere in the file is never free.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::walk::{FateWords, NodeContext, children, read as walk};
use super::{Call, CallForm, Details, Function, Parameter, ParameterKind};
use crate::language::Language;
use crate::tree::line_of;

const FATES: FateWords = FateWords {
    awaited: &["await"],
    returned: &["return_statement", "yield"],
    statement: &["expression_statement"],
    assigned: &["assignment"],
    used: &[
        "attribute",
        "subscript",
        "if_statement",
        "elif_clause",
        "binary_operator",
        "comparison_operator",
        "not_operator",
        "for_statement",
        "while_statement",
    ],
};

const FUNCTIONS: &[&str] = &["function_definition", "lambda"];

pub(super) fn read(_language: Language, text: &str) -> Details {
    walk(tree_sitter_python::LANGUAGE, text, visit)
}

fn visit(place: &NodeContext<'_, '_>, details: &mut Details) {
    match place.node.kind() {
        "function_definition" => function(place, details),
        "class_definition" => enumeration(place, details),
        "call" => call(place, details),
        "try_statement" => details.guarded.push(lines(place.node)),
        "if_statement" => {
            let condition = place.field_text(place.node, "condition");
            let then = place.node.child_by_field_name("consequence");
            if let Some(then) = then.filter(|_| condition.ends_with("TYPE_CHECKING")) {
                details.for_types.push(lines(then));
            }
        }
        "wildcard_import" => details.is_open = true,
        "identifier" => identifier(place, details),
        _ => {}
    }
}

fn lines(node: Node<'_>) -> (u32, u32) {
    let last = u32::try_from(node.end_position().row).unwrap_or(u32::MAX);
    (line_of(node), last.saturating_add(1))
}

fn identifier(place: &NodeContext<'_, '_>, details: &mut Details) {
    let name = place.own_text();
    match role(place) {
        Role::Binding => details.bind(name, is_top(place)),
        Role::Use => {
            details.used(name, place.line());
            if matches!(name, "globals" | "locals" | "exec" | "eval" | "vars") {
                details.is_open = true;
            }
            if matches!(place.kind_around(0), "await" | "return_statement" | "argument_list") {
                details.handed_on.insert(name.into());
                // `asyncio.gather(a, b)` and its like wait for what they are given.
                details.awaited.insert(name.into());
            }
        }
        Role::Neither => {}
    }
}

/// The name of a function stands in the function, and is bound around it.
fn is_top(place: &NodeContext<'_, '_>) -> bool {
    let own = usize::from(place.kind_around(0) == "function_definition" && place.field == "name");
    let mut around = place.around.iter().rev().skip(own);
    !around.any(|node| FUNCTIONS.contains(&node.kind()))
}

enum Role {
    Binding,
    Use,
    Neither,
}

fn role(place: &NodeContext<'_, '_>) -> Role {
    match (place.kind_around(0), place.field) {
        ("attribute", "attribute") | ("keyword_argument", "name") => Role::Neither,
        ("function_definition", "name") => {
            if place.own_text() == "__getattr__" && place.kind_around(1) == "module" {
                return Role::Use;
            }
            Role::Binding
        }
        ("aliased_import", "alias")
        | (
            "parameters"
            | "lambda_parameters"
            | "typed_parameter"
            | "list_splat_pattern"
            | "dictionary_splat_pattern"
            | "global_statement"
            | "nonlocal_statement"
            | "as_pattern_target"
            | "delete_statement"
            | "case_pattern"
            | "splat_pattern",
            _,
        )
        | (
            "class_definition"
            | "named_expression"
            | "default_parameter"
            | "typed_default_parameter",
            "name",
        ) => Role::Binding,
        ("dotted_name", _) => dotted(place),
        ("typed_default_parameter" | "default_parameter", _) => Role::Use,
        _ if is_target(place) => Role::Binding,
        _ => Role::Use,
    }
}

/// The names of an import, of a pattern, or of a decorator.
fn dotted(place: &NodeContext<'_, '_>) -> Role {
    let is_first = place
        .parent()
        .and_then(|dotted| dotted.named_child(0))
        .is_some_and(|first| first.id() == place.node.id());
    match place.kind_around(1) {
        "import_statement" if is_first => Role::Binding,
        "import_from_statement" => {
            let module = place.around.iter().rev().nth(1).and_then(|node| {
                let module = node.child_by_field_name("module_name")?;
                Some(module.id() == place.parent()?.id())
            });
            if module == Some(true) { Role::Neither } else { Role::Binding }
        }
        "case_pattern" | "class_pattern" => {
            let is_only = place.parent().is_some_and(|dotted| dotted.named_child_count() == 1);
            if is_only { Role::Binding } else { Role::Use }
        }
        "import_statement" | "aliased_import" | "relative_import" | "future_import_statement" => {
            Role::Neither
        }
        _ if is_first => Role::Use,
        _ => Role::Neither,
    }
}

/// On the left of an assignment, a loop or a comprehension, also inside of a list of names.
fn is_target(place: &NodeContext<'_, '_>) -> bool {
    let mut child = place.node;
    for parent in place.around.iter().rev() {
        match parent.kind() {
            "pattern_list" | "tuple_pattern" | "list_pattern" | "list_splat_pattern" => {
                child = *parent;
            }
            "assignment"
            | "augmented_assignment"
            | "for_statement"
            | "for_in_clause"
            | "type_alias_statement" => {
                let left = parent.child_by_field_name("left");
                return left.is_some_and(|left| left.id() == child.id());
            }
            _ => return false,
        }
    }
    false
}

/// `class Color(Enum)`. What decorators and methods do to it is not looked at; `_ignore_` and its like are no members.
fn enumeration(place: &NodeContext<'_, '_>, details: &mut Details) {
    let bases = place.field_text(place.node, "superclasses");
    let is_enum = ["Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"].iter().any(|it| {
        bases
            .trim_matches(['(', ')'])
            .split(',')
            .any(|base| base.trim().rsplit('.').next() == Some(it))
    });
    let Some(body) = place.node.child_by_field_name("body").filter(|_| is_enum) else { return };
    let level = usize::from(place.kind_around(0) == "decorated_definition");
    if place.kind_around(level) != "module" {
        return;
    }
    let mut members = BTreeSet::new();
    for statement in children(body) {
        let name = match statement.kind() {
            "function_definition" | "class_definition" => place.field_text(statement, "name"),
            "decorated_definition" => {
                let inner = statement.child_by_field_name("definition");
                inner.map_or("", |inner| place.field_text(inner, "name"))
            }
            "expression_statement" => {
                let inner = statement.named_child(0).filter(|it| it.kind() == "assignment");
                inner.map_or("", |inner| place.field_text(inner, "left"))
            }
            _ => "",
        };
        members.extend(name.split(',').map(str::trim).filter(|it| !it.is_empty()).map(Box::from));
    }
    details.closed.insert(place.field_text(place.node, "name").into(), members);
}

fn function(place: &NodeContext<'_, '_>, details: &mut Details) {
    let node = place.node;
    let name = place.field_text(node, "name");
    let decorated = place.parent().filter(|parent| parent.kind() == "decorated_definition");
    let mut levels = place.around.iter().rev().skip(usize::from(decorated.is_some()));
    let class = match (levels.next().map(Node::kind), levels.next()) {
        (Some("block"), Some(class)) if class.kind() == "class_definition" => Some(*class),
        (Some("module"), _) => None,
        // Below an `if` or in another function: there may be another one, or nobody else sees it.
        _ => return,
    };
    if class.is_some()
        && place.around.iter().filter(|node| node.kind() == "class_definition").count() > 1
    {
        return;
    }
    if name == "__getattr__" && class.is_none() {
        details.is_open = true;
    }
    let decorators = decorators(place, decorated);
    let is_static = decorators.contains(&"staticmethod");
    let mut parameters = parameters(place, node);
    if class.is_some() && !is_static && !parameters.is_empty() {
        parameters.remove(0);
    }
    let plain = ["staticmethod", "classmethod", "abstractmethod", "abc.abstractmethod"];
    details.functions.push(Function {
        name: name.into(),
        owner: class.map(|class| place.field_text(class, "name").into()),
        line: place.line(),
        parameters,
        is_async: node.child(0).is_some_and(|first| first.kind() == "async"),
        returns_unknown: true,
        is_open: decorators.iter().any(|decorator| !plain.contains(decorator)),
        is_signature: false,
        is_typed: false,
    });
}

fn decorators<'t>(place: &NodeContext<'_, 't>, decorated: Option<Node<'_>>) -> Vec<&'t str> {
    let all = decorated.map(children).unwrap_or_default().into_iter();
    all.filter(|child| child.kind() == "decorator")
        .map(|decorator| place.text(decorator).trim_start_matches('@').trim())
        .collect()
}

fn parameters(place: &NodeContext<'_, '_>, node: Node<'_>) -> Vec<Parameter> {
    let mut list: Vec<Parameter> = Vec::new();
    let mut kind = ParameterKind::Any;
    let Some(parameters) = node.child_by_field_name("parameters") else { return list };
    for child in children(parameters) {
        let inner = match child.kind() {
            "typed_parameter" => child.named_child(0).unwrap_or(child),
            _ => child,
        };
        let (name, own, is_required) = match (child.kind(), inner.kind()) {
            ("keyword_separator", _) => {
                kind = ParameterKind::NameOnly;
                continue;
            }
            ("positional_separator", _) => {
                for earlier in &mut list {
                    earlier.kind = ParameterKind::PositionOnly;
                }
                continue;
            }
            (_, "list_splat_pattern") => {
                kind = ParameterKind::NameOnly;
                (place.text(inner), ParameterKind::Rest, false)
            }
            (_, "dictionary_splat_pattern") => (place.text(inner), ParameterKind::NamedRest, false),
            ("default_parameter" | "typed_default_parameter", _) => {
                (place.field_text(child, "name"), kind, false)
            }
            _ => (place.text(inner), kind, true),
        };
        list.push(Parameter { name: name.into(), kind: own, is_required, keys: None });
    }
    list
}

fn call(place: &NodeContext<'_, '_>, details: &mut Details) {
    let node = place.node;
    let Some(function) = node.child_by_field_name("function") else { return };
    let (qualifier, name) = match function.kind() {
        "identifier" => ("", place.text(function)),
        "attribute" => {
            let object = function.child_by_field_name("object");
            let path = object.map_or("?", |object| match object.kind() {
                "identifier" | "attribute" => place.text(object),
                _ => "?",
            });
            let is_path = path.bytes().all(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.') || byte >= 0x80
            });
            (if is_path { path } else { "?" }, place.field_text(function, "attribute"))
        }
        _ => return,
    };
    let Some(arguments) = node.child_by_field_name("arguments") else { return };
    let (positional, named) = arguments_of(place, arguments);
    details.calls.push(Call {
        qualifier: qualifier.into(),
        name: name.into(),
        form: CallForm::Call,
        line: place.line(),
        positional,
        named,
        objects: Vec::new(),
        fate: place.fate(&FATES),
    });
}

/// How many arguments go by place, and the names of the others; `None` where a star hides them.
fn arguments_of(
    place: &NodeContext<'_, '_>,
    arguments: Node<'_>,
) -> (Option<u32>, Option<Vec<Box<str>>>) {
    let (mut positional, mut named) = (Some(0_u32), Some(Vec::new()));
    if arguments.kind() == "generator_expression" {
        return (Some(1), named);
    }
    for argument in children(arguments) {
        match argument.kind() {
            "keyword_argument" => {
                if let Some(named) = &mut named {
                    named.push(Box::from(place.field_text(argument, "name")));
                }
            }
            "list_splat" => positional = None,
            "dictionary_splat" => named = None,
            _ => positional = positional.map(|count| count + 1),
        }
    }
    (positional, named)
}
