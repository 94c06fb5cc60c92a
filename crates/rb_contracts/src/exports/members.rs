//! Members of JavaScript and TypeScript classes, interfaces, objects and enums, as far as others may use them.

use super::Declared;
use super::params::{callable, type_text};
use crate::model::{Kind, Signature};
use crate::syntax::Piece;

pub(super) fn of_class(body: Piece<'_>) -> Vec<Declared> {
    let members = body.children().into_iter().filter(|member| !is_private(*member));
    let mut out: Vec<Declared> = Vec::new();
    for piece in members {
        let Some(member) = class_member(piece) else { continue };
        // The body of an overloaded method has a signature that nobody can call.
        let is_body = piece.is("method_definition") && member.kind == Kind::Method;
        if !(is_body
            && out.iter().any(|other| {
                other.name == member.name && other.signature.marks == member.signature.marks
            }))
        {
            out.push(member);
        }
    }
    // A getter and its setter are one property.
    out.dedup_by(|a, b| a.name == b.name && a.kind == Kind::Field && b.kind == Kind::Field);
    out
}

fn class_member(member: Piece<'_>) -> Option<Declared> {
    let name = member.field("name").or_else(|| member.field("property"))?;
    let name = plain_name(name)?;
    match member.kind() {
        "method_definition" if member.has("get") || member.has("set") => {
            let ty = member.field("return_type").map(type_text);
            Some(Declared::new(name, Kind::Field, member.line()).typed(ty))
        }
        "method_definition" | "method_signature" | "abstract_method_signature" => {
            Some(Declared::new(name, Kind::Method, member.line()).with(callable(member)))
        }
        "public_field_definition" | "field_definition" => Some(field(name, member)),
        _ => None,
    }
}

fn field(name: &str, member: Piece<'_>) -> Declared {
    if let Some(value) = member.field("value").filter(|value| is_function(*value)) {
        return Declared::new(name, Kind::Method, member.line()).with(callable(value));
    }
    let marks = ["readonly", "static"].iter().filter(|mark| member.has(mark));
    let signature = Signature {
        ty: member.field("type").map(type_text),
        optional: member.has("?"),
        marks: marks.map(|mark| (*mark).to_owned()).collect(),
        ..Signature::default()
    };
    Declared::new(name, Kind::Field, member.line()).with(signature)
}

fn is_private(member: Piece<'_>) -> bool {
    let modifier = member.child("accessibility_modifier").map(Piece::text);
    let name = member.field("name").or_else(|| member.field("property"));
    matches!(modifier, Some("private" | "protected"))
        || name.is_some_and(|name| {
            name.is("private_property_identifier") || name.text().starts_with('_')
        })
}

pub(super) fn of_interface(body: Piece<'_>) -> Vec<Declared> {
    body.children().into_iter().filter_map(interface_member).collect()
}

fn interface_member(member: Piece<'_>) -> Option<Declared> {
    let line = member.line();
    match member.kind() {
        "property_signature" => Some(field(plain_name(member.field("name")?)?, member)),
        "method_signature" => {
            let name = plain_name(member.field("name")?)?;
            Some(Declared::new(name, Kind::Method, line).with(callable(member)))
        }
        "call_signature" => Some(Declared::new("()", Kind::Method, line).with(callable(member))),
        "construct_signature" => {
            Some(Declared::new("new", Kind::Method, line).with(callable(member)))
        }
        "index_signature" => {
            Some(Declared::new("[]", Kind::Field, line).typed(Some(member.normal())))
        }
        _ => None,
    }
}

pub(super) fn of_enum(body: Piece<'_>) -> Vec<Declared> {
    let members = body.children().into_iter().filter_map(|member| {
        let name = if member.is("enum_assignment") { member.field("name")? } else { member };
        Some(Declared::new(plain_name(name)?, Kind::Variant, member.line()))
    });
    members.collect()
}

/// The properties of an object that is exported or assigned as a whole.
pub(super) fn of_object(object: Piece<'_>) -> Vec<Declared> {
    let member = |piece: Piece<'_>| {
        let line = piece.line();
        match piece.kind() {
            "shorthand_property_identifier" => Some(Declared::new(piece.text(), Kind::Value, line)),
            "method_definition" => {
                let name = plain_name(piece.field("name")?)?;
                Some(Declared::new(name, Kind::Method, line).with(callable(piece)))
            }
            "pair" => {
                let name = plain_name(piece.field("key")?)?;
                Some(of_value(name, piece.field("value")?, line))
            }
            _ => None,
        }
    };
    object
        .children()
        .into_iter()
        .filter_map(member)
        .filter(|it| !it.name.starts_with('_'))
        .collect()
}

/// Something that is given a name by an assignment.
pub(super) fn of_value(name: &str, value: Piece<'_>, line: u32) -> Declared {
    match value.kind() {
        _ if is_function(value) => Declared::new(name, Kind::Function, line).with(callable(value)),
        "class" => class(name, value),
        "object" => {
            let members = of_object(value);
            Declared { members, ..Declared::new(name, Kind::Constant, line) }
        }
        "as_expression"
        | "satisfies_expression"
        | "parenthesized_expression"
        | "non_null_expression" => match value.children().first() {
            Some(inner) if is_function(*inner) || inner.is("class") => of_plain(name, *inner, line),
            _ => Declared::new(name, Kind::Value, line),
        },
        _ => Declared::new(name, Kind::Value, line),
    }
}

fn of_plain(name: &str, value: Piece<'_>, line: u32) -> Declared {
    if value.is("class") {
        class(name, value)
    } else {
        Declared::new(name, Kind::Function, line).with(callable(value))
    }
}

pub(super) fn class(name: &str, piece: Piece<'_>) -> Declared {
    let heritage = piece.child("class_heritage");
    let clause = heritage.map(|heritage| heritage.child("extends_clause").unwrap_or(heritage));
    let bases = clause.and_then(|clause| {
        clause.field("value").or_else(|| clause.children().first().copied()).map(Piece::normal)
    });
    let signature = Signature {
        generics: piece.field("type_parameters").map(Piece::normal),
        bases: bases.into_iter().collect(),
        marks: piece.has("abstract").then(|| "abstract".to_owned()).into_iter().collect(),
        ..Signature::default()
    };
    let members = piece.field("body").map(of_class).unwrap_or_default();
    Declared { members, ..Declared::new(name, Kind::Class, piece.line()).with(signature) }
}

pub(super) fn is_function(value: Piece<'_>) -> bool {
    matches!(
        value.kind(),
        "arrow_function" | "function_expression" | "generator_function" | "function"
    )
}

/// A name that is written out; computed ones are nobody's contract.
fn plain_name(name: Piece<'_>) -> Option<&str> {
    match name.kind() {
        "property_identifier" | "identifier" | "type_identifier" | "number" => Some(name.text()),
        "string" => name.literal(),
        _ => None,
    }
}
