//! Parameters of JavaScript and TypeScript functions.

use crate::model::{Param, ParamKind, Signature};
use crate::syntax::Piece;

/// The signature of anything with parameters: a declaration, an expression, a method, a member of an interface.
pub(super) fn callable(piece: Piece<'_>) -> Signature {
    let single = piece.field("parameter").map(|param| vec![of_pattern(param, None, false)]);
    let list = || {
        let params = piece.field("parameters").map(Piece::children).unwrap_or_default();
        params.into_iter().filter_map(param).collect()
    };
    let returns = piece.field("return_type").map(|ty| type_text(ty));
    let marks: Vec<String> = ["abstract", "static"]
        .iter()
        .filter(|mark| piece.has(mark))
        .map(|mark| (*mark).to_owned())
        .collect();
    Signature {
        params: Some(single.unwrap_or_else(list)),
        returns,
        generics: piece.field("type_parameters").map(Piece::normal),
        is_async: piece.has("async"),
        optional: piece.has("?"),
        marks,
        ..Signature::default()
    }
}

/// A type without the colon before it.
pub(super) fn type_text(ty: Piece<'_>) -> String {
    ty.normal().trim_start_matches(':').to_owned()
}

fn param(piece: Piece<'_>) -> Option<Param> {
    match piece.kind() {
        "required_parameter" | "optional_parameter" => {
            let pattern = piece.field("pattern").or_else(|| piece.children().first().copied())?;
            if pattern.is("this") {
                return None;
            }
            let optional = piece.is("optional_parameter") || piece.field("value").is_some();
            Some(of_pattern(pattern, piece.field("type").map(type_text).as_deref(), optional))
        }
        "decorator" | "this" => None,
        _ => Some(of_pattern(piece, None, false)),
    }
}

fn of_pattern(pattern: Piece<'_>, ty: Option<&str>, optional: bool) -> Param {
    let param = |name: &str, kind, fields| Param {
        name: name.to_owned(),
        kind,
        ty: ty.map(str::to_owned),
        optional,
        fields,
    };
    match pattern.kind() {
        "assignment_pattern" => {
            let left = pattern.field("left").unwrap_or(pattern);
            let inner = if left.is("assignment_pattern") {
                param(left.text(), ParamKind::Positional, Vec::new())
            } else {
                of_pattern(left, ty, true)
            };
            Param { optional: true, ..inner }
        }
        "rest_pattern" => {
            let name = pattern.children().first().map_or("rest", |name| name.text());
            param(name, ParamKind::Rest, Vec::new())
        }
        // Where there is a type, it says what the object holds.
        "object_pattern" if ty.is_none() => {
            param("{}", ParamKind::Positional, object_fields(pattern))
        }
        "object_pattern" => param("{}", ParamKind::Positional, Vec::new()),
        "array_pattern" => param("[]", ParamKind::Positional, Vec::new()),
        _ => param(pattern.text(), ParamKind::Positional, Vec::new()),
    }
}

fn object_fields(pattern: Piece<'_>) -> Vec<String> {
    let names = pattern.children().into_iter().filter_map(|field| match field.kind() {
        "shorthand_property_identifier_pattern" => Some(field.text()),
        "object_assignment_pattern" => Some(field.field_text("left")),
        "pair_pattern" => Some(field.field_text("key")),
        _ => None,
    });
    let mut fields: Vec<String> = names.map(str::to_owned).collect();
    fields.sort();
    fields
}
