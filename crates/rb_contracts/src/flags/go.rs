//! Flags of Go's `flag`, of pflag and of cobra's commands.

use super::FoundFlag;
use crate::syntax::{Parsed, Piece};

/// The types that flags are declared by; `P` at the end adds a short name, `Var` takes a variable first.
const TYPES: &[&str] = &[
    "String",
    "Bool",
    "Int",
    "Int32",
    "Int64",
    "Uint",
    "Uint32",
    "Uint64",
    "Float32",
    "Float64",
    "Duration",
    "StringSlice",
    "StringArray",
    "IntSlice",
    "StringToString",
    "Count",
    "BoolFunc",
    "Func",
    "",
];

pub(super) fn read(_path: &str, parsed: &Parsed) -> Vec<FoundFlag> {
    let mut out: Vec<FoundFlag> = Vec::new();
    let mut required = Vec::new();
    for piece in parsed.root().all() {
        match piece.kind() {
            "call_expression" => {
                out.extend(flag(piece));
                required.extend(marked(piece));
            }
            "composite_literal" if piece.field_text("type").ends_with("cobra.Command") => {
                out.extend(command(piece));
            }
            _ => {}
        }
    }
    for found in &mut out {
        found.required |= required
            .iter()
            .any(|(command, name)| *command == found.command && found.name == format!("--{name}"));
    }
    out
}

fn flag(call: Piece<'_>) -> Option<FoundFlag> {
    let function = call.field("function").filter(|it| it.is("selector_expression"))?;
    let (object, verb) = (function.field_text("operand"), function.field_text("field"));
    let is_set = matches!(object, "flag" | "pflag" | "flags" | "fs" | "f")
        || object.ends_with("Flags()")
        || object.ends_with("FlagSet")
        || object.ends_with("Flags");
    let (bare, has_short) = match verb.strip_suffix('P') {
        Some(bare) => (bare, true),
        None => (verb, false),
    };
    let (kind, has_variable) = match bare.strip_suffix("Var") {
        Some(kind) => (kind, true),
        None => (bare, false),
    };
    if !is_set || !TYPES.contains(&kind) || (kind.is_empty() && !has_variable) {
        return None;
    }
    let arguments = call.arguments();
    let mut arguments = arguments.iter().skip(usize::from(has_variable));
    let name = arguments.next()?.literal()?;
    let short =
        if has_short { arguments.next()?.literal().filter(|it| !it.is_empty()) } else { None };
    let default = arguments
        .next()
        .map(|it| it.normal())
        .filter(|it| !matches!(it.as_str(), "\"\"" | "nil" | "false" | "0"));
    let is_function = matches!(kind, "" | "Func" | "BoolFunc" | "Count");
    Some(FoundFlag {
        command: command_of(call),
        name: format!("--{name}"),
        short: short.map(|it| format!("-{it}")),
        value: !matches!(kind, "Bool" | "BoolFunc" | "Count"),
        required: false,
        default: default.filter(|_| !is_function),
        line: call.line(),
    })
}

/// The word of the command that the function around makes.
fn command_of(piece: Piece<'_>) -> String {
    let function = piece.around(&["function_declaration", "method_declaration"]);
    let all = function.map(Piece::all).into_iter().flatten();
    let mut literals = all.filter(|it| {
        it.is("composite_literal") && it.field_text("type").ends_with("cobra.Command")
    });
    literals.next().and_then(used).unwrap_or_default()
}

/// `list` of `Use: "list [<filter>]"`.
fn used(literal: Piece<'_>) -> Option<String> {
    let elements =
        literal.field("body")?.children().into_iter().filter(|it| it.is("keyed_element"));
    elements.into_iter().find_map(|element| {
        let parts = element.children();
        let key = parts.first()?.text();
        let value = parts.get(1)?.all().find_map(Piece::literal)?;
        (key == "Use").then(|| value.split_whitespace().next().unwrap_or_default().to_owned())
    })
}

fn command(literal: Piece<'_>) -> Option<FoundFlag> {
    let name = used(literal).filter(|name| !name.is_empty())?;
    Some(FoundFlag { name, line: literal.line(), ..FoundFlag::default() })
}

/// `cmd.MarkFlagRequired("name")`
fn marked(call: Piece<'_>) -> Option<(String, String)> {
    let function = call.field("function").filter(|it| it.is("selector_expression"))?;
    let is_it = function.field_text("field") == "MarkFlagRequired";
    let name = call.arguments().first().filter(|_| is_it)?.literal()?;
    Some((command_of(call), name.to_owned()))
}
