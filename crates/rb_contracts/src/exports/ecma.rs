//! What a JavaScript or TypeScript file declares at its top, and what it hangs onto those names afterwards.
//!
//! Which of it is exported is known from the facts; this only says how each name is used.

use std::collections::BTreeMap;

use super::Declared;
use super::members::{class, of_enum, of_interface, of_value};
use super::params::{callable, type_text};
use crate::model::{Kind, Signature};
use crate::syntax::Piece;

/// Overloads and merged declarations stand under one name. What is exported without a name of its own is under the name
/// of the export.
pub(super) type Declarations = BTreeMap<String, Vec<Declared>>;

pub(super) fn declarations(root: Piece<'_>) -> Declarations {
    let mut out = Declarations::new();
    for statement in root.children() {
        let (piece, is_default) = match statement.kind() {
            "export_statement" => match statement.field("declaration") {
                Some(declaration) => (declaration, statement.has("default")),
                None => {
                    if let Some(value) = statement.field("value") {
                        add(&mut out, of_value("default", value, statement.line()));
                    }
                    continue;
                }
            },
            _ => (statement, false),
        };
        declaration(piece, is_default, &mut out);
    }
    out
}

fn declaration(piece: Piece<'_>, is_default: bool, out: &mut Declarations) {
    let name = piece.field("name").map_or("default", |name| name.text());
    let line = piece.line();
    match piece.kind() {
        // The body of an overloaded function has a signature that nobody can call.
        "function_declaration" if is_overloaded(out, name) => {}
        "function_declaration"
        | "generator_function_declaration"
        | "function_signature"
        | "function_expression" => {
            add(out, Declared::new(name, Kind::Function, line).with(callable(piece)));
        }
        "class_declaration" | "abstract_class_declaration" | "class" => {
            add(out, class(name, piece));
        }
        "interface_declaration" => add(out, interface(name, piece)),
        "type_alias_declaration" => add(out, alias(name, piece)),
        "enum_declaration" => {
            let members = piece.field("body").map(of_enum).unwrap_or_default();
            add(out, Declared { members, ..Declared::new(name, Kind::Enum, line) });
        }
        "internal_module" | "module" => add(out, Declared::new(name, Kind::Module, line)),
        "lexical_declaration" | "variable_declaration" => {
            piece.children().into_iter().for_each(|variable| declarator(variable, out));
        }
        "ambient_declaration" => {
            piece.children().into_iter().for_each(|inner| ambient(inner, out));
        }
        "expression_statement" => {
            let inner = piece.children().first().copied();
            match inner {
                Some(inner) if inner.is("assignment_expression") => assignment(inner, out),
                Some(inner) if inner.is("internal_module") => declaration_of_module(inner, out),
                _ => {}
            }
        }
        _ if is_default => add(out, of_value("default", piece, line)),
        _ => {}
    }
}

fn ambient(inner: Piece<'_>, out: &mut Declarations) {
    if !inner.is("ambient_declaration") {
        declaration(inner, false, out);
    }
}

fn declaration_of_module(piece: Piece<'_>, out: &mut Declarations) {
    add(out, Declared::new(piece.field_text("name"), Kind::Module, piece.line()));
}

fn declarator(variable: Piece<'_>, out: &mut Declarations) {
    let Some(name) = variable.field("name") else { return };
    if !name.is("identifier") {
        let names = name.all().filter(|piece| {
            matches!(piece.kind(), "identifier" | "shorthand_property_identifier_pattern")
        });
        names.for_each(|name| add(out, Declared::new(name.text(), Kind::Value, name.line())));
        return;
    }
    let mut value = variable.field("value");
    // `var app = exports = module.exports = {}`
    while let Some(inner) = value.filter(|value| value.is("assignment_expression")) {
        value = inner.field("right");
    }
    let mut declared = value.map_or_else(
        || Declared::new(name.text(), Kind::Value, variable.line()),
        |value| of_value(name.text(), value, variable.line()),
    );
    if let Some(ty) = variable.field("type") {
        declared.signature.ty = Some(type_text(ty));
    }
    add(out, declared);
}

/// `exports.a = …`, `module.exports = …`, `a.b = …`, `A.prototype.b = …`.
fn assignment(piece: Piece<'_>, out: &mut Declarations) {
    let (Some(left), Some(mut value)) = (piece.field("left"), piece.field("right")) else { return };
    while let Some(inner) =
        value.is("assignment_expression").then(|| value.field("right")).flatten()
    {
        value = inner;
    }
    if left.text() == "module.exports" || left.text() == "exports" {
        add(out, of_value("default", value, piece.line()));
        return;
    }
    let (Some(object), Some(property)) = (left.field("object"), left.field("property")) else {
        return;
    };
    let (object, name) = (object.text(), property.text());
    if object == "exports" || object == "module.exports" {
        if !value.is("identifier") {
            add(out, of_value(name, value, piece.line()));
        }
        return;
    }
    let owner = object.strip_suffix(".prototype").unwrap_or(object);
    let Some(owners) = out.get_mut(owner) else { return };
    let is_public = property.is("property_identifier") && !name.starts_with('_');
    if let Some(owner) = owners.last_mut().filter(|_| is_public) {
        owner.members.push(of_value(name, value, piece.line()));
    }
}

fn interface(name: &str, piece: Piece<'_>) -> Declared {
    let extends = piece.child("extends_type_clause").map(Piece::children).unwrap_or_default();
    let signature = Signature {
        generics: piece.field("type_parameters").map(Piece::normal),
        bases: extends.into_iter().map(Piece::normal).collect(),
        ..Signature::default()
    };
    let members = piece.field("body").map(of_interface).unwrap_or_default();
    Declared { members, ..Declared::new(name, Kind::Interface, piece.line()).with(signature) }
}

/// A type that is an object has members; any other is its text.
fn alias(name: &str, piece: Piece<'_>) -> Declared {
    let value = piece.field("value");
    let generics = piece.field("type_parameters").map(Piece::normal);
    let is_object = value.is_some_and(|value| value.is("object_type"));
    let ty = value.filter(|_| !is_object).map(Piece::normal);
    let members = value.filter(|_| is_object).map(of_interface).unwrap_or_default();
    let signature = Signature { ty, generics, ..Signature::default() };
    Declared { members, ..Declared::new(name, Kind::Type, piece.line()).with(signature) }
}

fn add(out: &mut Declarations, declared: Declared) {
    out.entry(declared.name.clone()).or_default().push(declared);
}

fn is_overloaded(out: &Declarations, name: &str) -> bool {
    out.get(name).is_some_and(|all| all.iter().any(|one| one.kind == Kind::Function))
}
