//! What a Rust item looks like from outside its crate.

use super::Declared;
use crate::model::{Kind, Param, ParamKind, Signature};
use crate::syntax::Piece;

/// What the attributes above an item say.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "attributes are independent of each other")]
pub(super) struct Attributes {
    pub(super) is_for_tests: bool,
    pub(super) is_hidden: bool,
    pub(super) is_open: bool,
    pub(super) is_exported_macro: bool,
}

pub(super) fn attributes(item: Piece<'_>) -> (Attributes, Vec<String>) {
    let mut found = Attributes::default();
    let mut derives = Vec::new();
    let mut at = item.previous();
    while let Some(attribute) = at {
        match attribute.kind() {
            "attribute_item" => {
                let text: String = attribute.text().split_whitespace().collect();
                found.is_for_tests |=
                    text.starts_with("#[cfg(test") || text.starts_with("#[cfg(all(test");
                found.is_hidden |= text.starts_with("#[doc(hidden");
                found.is_open |= text.starts_with("#[non_exhaustive");
                found.is_exported_macro |= text.starts_with("#[macro_export");
                if let Some(list) = text.strip_prefix("#[derive(") {
                    let list = list.trim_end_matches(")]").split(',');
                    derives.extend(
                        list.filter_map(|name| name.rsplit("::").next())
                            .filter(|name| !name.is_empty())
                            .map(str::to_owned),
                    );
                }
            }
            "line_comment" | "block_comment" => {}
            _ => break,
        }
        at = attribute.previous();
    }
    (found, derives)
}

pub(super) fn is_public(item: Piece<'_>) -> bool {
    item.child("visibility_modifier").is_some_and(|modifier| modifier.text() == "pub")
}

/// The item as others see it; `None` for what is no item with a name.
pub(super) fn item(piece: Piece<'_>) -> Option<Declared> {
    let name = piece.field("name")?.text();
    let (attributes, derives) = attributes(piece);
    let new = |kind| Declared::new(name, kind, piece.line());
    let mut declared = match piece.kind() {
        "function_item" | "function_signature_item" => new(Kind::Function).with(callable(piece)),
        "struct_item" | "union_item" => structure(piece, new(Kind::Struct)),
        "enum_item" => {
            let members = piece.field("body").map(variants).unwrap_or_default();
            Declared { members, ..new(Kind::Enum) }
        }
        "trait_item" => {
            let mut declared = new(Kind::Trait);
            declared.members = piece.field("body").map(trait_members).unwrap_or_default();
            declared.signature.bases = piece
                .field("bounds")
                .map(Piece::children)
                .unwrap_or_default()
                .into_iter()
                .map(Piece::normal)
                .collect();
            declared
        }
        "type_item" => new(Kind::Type).typed(piece.field("type").map(Piece::normal)),
        "const_item" => new(Kind::Constant).typed(piece.field("type").map(Piece::normal)),
        "static_item" => new(Kind::Variable).typed(piece.field("type").map(Piece::normal)),
        "macro_definition" if attributes.is_exported_macro => new(Kind::Macro),
        _ => return None,
    };
    declared.signature.generics = declared.signature.generics.or_else(|| generics(piece));
    declared.signature.open |= attributes.is_open;
    declared.members.extend(derives.into_iter().map(|name| implementation(&name, piece.line())));
    Some(declared)
}

pub(super) fn implementation(name: &str, line: u32) -> Declared {
    Declared::new(format!("impl {name}"), Kind::Implementation, line)
}

fn generics(piece: Piece<'_>) -> Option<String> {
    let list = piece.field("type_parameters").map(Piece::normal);
    let bounds = piece.child("where_clause").map(Piece::normal);
    match (list, bounds) {
        (list, None) => list,
        (list, Some(bounds)) => {
            Some(format!("{} {bounds}", list.unwrap_or_default()).trim().to_owned())
        }
    }
}

pub(super) fn callable(piece: Piece<'_>) -> Signature {
    let params = piece.field("parameters").map(Piece::children).unwrap_or_default();
    let modifiers = piece
        .child("function_modifiers")
        .map(super::super::syntax::Piece::normal)
        .unwrap_or_default();
    let mut marks: Vec<String> = modifiers
        .split_whitespace()
        .filter(|word| matches!(*word, "const" | "unsafe"))
        .map(str::to_owned)
        .collect();
    marks.sort();
    Signature {
        params: Some(params.into_iter().filter_map(param).collect()),
        returns: piece.field("return_type").map(Piece::normal),
        generics: generics(piece),
        is_async: modifiers.split_whitespace().any(|word| word == "async"),
        marks,
        ..Signature::default()
    }
}

fn param(piece: Piece<'_>) -> Option<Param> {
    let (name, ty) = match piece.kind() {
        "self_parameter" => ("self", Some(piece.normal())),
        "parameter" => (piece.field_text("pattern"), piece.field("type").map(Piece::normal)),
        _ => return None,
    };
    // `mut` is the function's own business.
    let ty = ty.map(|ty| if ty == "mut self" { "self".to_owned() } else { ty });
    Some(Param {
        name: name.to_owned(),
        kind: ParamKind::Positional,
        ty,
        optional: false,
        fields: Vec::new(),
    })
}

fn structure(piece: Piece<'_>, mut declared: Declared) -> Declared {
    let Some(body) = piece.field("body") else { return declared };
    if body.is("field_declaration_list") {
        for field in body.children().into_iter().filter(|field| field.is("field_declaration")) {
            if is_public(field) {
                let ty = field.field("type").map(Piece::normal);
                declared.members.push(
                    Declared::new(field.field_text("name"), Kind::Field, field.line()).typed(ty),
                );
            } else {
                declared.signature.open = true;
            }
        }
        return declared;
    }
    let mut place = 0;
    let mut public = false;
    for child in body.children() {
        match child.kind() {
            "visibility_modifier" => public = child.text() == "pub",
            "attribute_item" => {}
            _ => {
                if public {
                    let field = Declared::new(place.to_string(), Kind::Field, child.line());
                    declared.members.push(field.typed(Some(child.normal())));
                } else {
                    declared.signature.open = true;
                }
                place += 1;
                public = false;
            }
        }
    }
    declared
}

fn variants(body: Piece<'_>) -> Vec<Declared> {
    let variants = body.children().into_iter().filter(|child| child.is("enum_variant"));
    variants
        .map(|variant| {
            let ty = variant.field("body").map(Piece::normal);
            Declared::new(variant.field_text("name"), Kind::Variant, variant.line()).typed(ty)
        })
        .collect()
}

fn trait_members(body: Piece<'_>) -> Vec<Declared> {
    let members = body.children().into_iter().filter_map(|member| {
        let line = member.line();
        let name = member.field("name")?.text();
        let mut declared = match member.kind() {
            "function_item" | "function_signature_item" => {
                Declared::new(name, Kind::Method, line).with(callable(member))
            }
            "associated_type" => Declared::new(name, Kind::Type, line),
            "const_item" => Declared::new(name, Kind::Constant, line)
                .typed(member.field("type").map(Piece::normal)),
            _ => return None,
        };
        let is_given = member.is("function_item")
            || member.field("value").is_some()
            || member.field("type").is_some_and(|_| member.is("associated_type"));
        declared.signature.optional = is_given;
        Some(declared)
    });
    members.collect()
}
