//! Public types of Java libraries with their public and protected members. Only what lies below `src/main` counts.

use rb_lang::Language;

use super::{Declared, ExportSite, emit};
use crate::error::ContractError;
use crate::model::{Kind, Param, ParamKind, Signature, Snapshot};
use crate::sources::Sources;
use crate::syntax::Piece;

pub(super) fn read(sources: &Sources<'_>, snapshot: &mut Snapshot) -> Result<(), ContractError> {
    for (id, path, language) in sources.files() {
        if language != Some(Language::Java) || !path.contains("src/main/") {
            continue;
        }
        let all = sources.reading(id, || {
            let parsed = sources.parse(id)?;
            let all = parsed.iter().flat_map(|parsed| parsed.root().children());
            Ok(all.filter_map(declared).collect::<Vec<Declared>>())
        })?;
        let package = sources.view.tree.get(id).package.as_deref().unwrap_or_default();
        for declared in all.iter() {
            let place = ExportSite { package, entry: package, file: path, hidden: false };
            emit(snapshot, place, &declared.name, declared);
        }
    }
    Ok(())
}

fn declared(piece: Piece<'_>) -> Option<Declared> {
    let kind = match piece.kind() {
        "class_declaration" | "record_declaration" => Kind::Class,
        "interface_declaration" | "annotation_type_declaration" => Kind::Interface,
        "enum_declaration" => Kind::Enum,
        _ => return None,
    };
    if !has_modifier(piece, "public") {
        return None;
    }
    let name = piece.field("name")?.text();
    let bases =
        [piece.field("superclass"), piece.field("interfaces"), piece.child("extends_interfaces")];
    let bases = bases.into_iter().flatten().flat_map(|clause| {
        let list = clause.children().first().copied().filter(|it| it.is("type_list"));
        list.map_or_else(|| clause.children(), Piece::children)
    });
    let signature = Signature {
        generics: piece.field("type_parameters").map(Piece::normal),
        bases: bases.map(Piece::normal).collect(),
        marks: marks(piece, &["abstract", "final"]),
        ..Signature::default()
    };
    let mut members = Vec::new();
    for member in piece.field("body").map(Piece::children).unwrap_or_default() {
        if member.is("enum_body_declarations") {
            members.extend(member.children().into_iter().flat_map(|it| members_of(it, kind)));
        } else {
            members.extend(members_of(member, kind));
        }
    }
    Some(Declared { members, ..Declared::new(name, kind, piece.line()).with(signature) })
}

fn members_of(member: Piece<'_>, owner: Kind) -> Vec<Declared> {
    let line = member.line();
    let is_offered = owner == Kind::Interface
        || has_modifier(member, "public")
        || has_modifier(member, "protected");
    match member.kind() {
        "enum_constant" => vec![Declared::new(member.field_text("name"), Kind::Variant, line)],
        _ if !is_offered => Vec::new(),
        "method_declaration" | "constructor_declaration" => {
            let mut signature = callable(member);
            signature.optional = owner == Kind::Interface && member.field("body").is_some();
            let name = if member.is("constructor_declaration") {
                "new"
            } else {
                member.field_text("name")
            };
            vec![Declared::new(name, Kind::Method, line).with(signature)]
        }
        "field_declaration" | "constant_declaration" => {
            let ty = member.field("type").map(Piece::normal);
            let names = member.fields("declarator");
            names
                .iter()
                .map(|it| Declared::new(it.field_text("name"), Kind::Field, line).typed(ty.clone()))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn callable(piece: Piece<'_>) -> Signature {
    let params = piece.field("parameters").map(Piece::children).unwrap_or_default();
    let params = params.iter().filter_map(|param| {
        let kind = match param.kind() {
            "formal_parameter" => ParamKind::Positional,
            "spread_parameter" => ParamKind::Rest,
            _ => return None,
        };
        let ty = param
            .field("type")
            .or_else(|| param.children().into_iter().find(|it| !it.is("modifiers")));
        let ty = ty.map(Piece::normal);
        let named = param.child("variable_declarator").unwrap_or(*param);
        Some(Param {
            name: named.field_text("name").to_owned(),
            kind,
            ty,
            optional: false,
            fields: Vec::new(),
        })
    });
    Signature {
        params: Some(params.collect()),
        returns: piece.field("type").map(Piece::normal),
        generics: piece.field("type_parameters").map(Piece::normal),
        marks: marks(piece, &["abstract", "final", "static"]),
        ..Signature::default()
    }
}

fn has_modifier(piece: Piece<'_>, word: &str) -> bool {
    piece.child("modifiers").is_some_and(|modifiers| modifiers.has(word))
}

fn marks(piece: Piece<'_>, words: &[&str]) -> Vec<String> {
    words.iter().filter(|word| has_modifier(piece, word)).map(|word| (*word).to_owned()).collect()
}
