//! Public names of Go packages: exported identifiers of all that is neither `main` nor below `internal`.

use std::collections::BTreeMap;

use rb_lang::Language;

use super::{Declared, ExportSite, emit};
use crate::error::ContractError;
use crate::model::{Kind, Param, ParamKind, Signature, Snapshot};
use crate::names::go_module;
use crate::sources::{Sources, below, file_name, folder, join, upward};
use crate::syntax::Piece;

pub(super) fn read(sources: &Sources<'_>, snapshot: &mut Snapshot) -> Result<(), ContractError> {
    let modules: BTreeMap<&str, &str> = sources
        .manifests("go.mod")
        .filter_map(|(_, folder, text)| Some((folder, go_module(text)?)))
        .collect();
    for (id, path, language) in sources.files() {
        let is_test = file_name(path).ends_with("_test.go");
        if language != Some(Language::Go) || is_test || is_internal(path) {
            continue;
        }
        if matches!(sources.view.tree.get(id).package.as_deref(), Some("main") | None) {
            continue;
        }
        let Some(root) = upward(folder(path)).find(|folder| modules.contains_key(folder)) else {
            continue;
        };
        let declared = sources.reading(id, || {
            let parsed = sources.parse(id)?;
            Ok(parsed.map(|parsed| declarations(parsed.root())).unwrap_or_default())
        })?;
        let module = modules[root];
        let entry = join(module, below(folder(path), root).unwrap_or_default());
        let place = ExportSite {
            package: module,
            entry: entry.trim_end_matches('/'),
            file: path,
            hidden: false,
        };
        for (owner, declared) in declared.iter() {
            let name = owner.as_ref().map_or_else(
                || declared.name.clone(),
                |owner| format!("{owner}.{}", declared.name),
            );
            emit(snapshot, place, &name, declared);
        }
    }
    Ok(())
}

fn is_internal(path: &str) -> bool {
    folder(path).split('/').any(|part| part == "internal" || part.starts_with('_'))
}

fn is_exported(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Exported declarations; methods with the type that they are of.
fn declarations(root: Piece<'_>) -> Vec<(Option<String>, Declared)> {
    let mut out = Vec::new();
    for piece in root.children() {
        match piece.kind() {
            "function_declaration" => {
                let name = piece.field_text("name");
                out.push((
                    None,
                    Declared::new(name, Kind::Function, piece.line()).with(callable(piece)),
                ));
            }
            "method_declaration" => out.extend(method(piece)),
            "type_declaration" => {
                out.extend(piece.children().into_iter().filter_map(type_spec).map(|it| (None, it)));
            }
            "const_declaration" | "var_declaration" => {
                out.extend(values(piece).into_iter().map(|it| (None, it)));
            }
            _ => {}
        }
    }
    out.retain(|(owner, declared)| {
        owner.as_deref().is_none_or(is_exported) && is_exported(&declared.name)
    });
    out
}

/// A method, with the name of its type.
fn method(piece: Piece<'_>) -> Option<(Option<String>, Declared)> {
    let (owner, is_pointer) = receiver(piece)?;
    let name = piece.field_text("name");
    let mut method = Declared::new(name, Kind::Method, piece.line()).with(callable(piece));
    if is_pointer {
        method.signature.marks.push("pointer".to_owned());
    }
    Some((Some(owner.to_owned()), method))
}

/// The names of a `const` or `var` declaration.
fn values(piece: Piece<'_>) -> Vec<Declared> {
    let kind = if piece.is("const_declaration") { Kind::Constant } else { Kind::Variable };
    let mut out = Vec::new();
    for spec in piece.all().filter(|spec| matches!(spec.kind(), "const_spec" | "var_spec")) {
        let ty = spec.field("type").map(Piece::normal);
        let names = spec.fields("name").into_iter().filter(|name| name.is("identifier"));
        out.extend(
            names.map(|name| Declared::new(name.text(), kind, name.line()).typed(ty.clone())),
        );
    }
    out
}

fn receiver(method: Piece<'_>) -> Option<(&str, bool)> {
    let ty = method.field("receiver")?.children().first()?.field("type")?;
    let is_pointer = ty.is("pointer_type");
    let inner = if is_pointer { ty.children().first().copied()? } else { ty };
    Some((inner.field("type").unwrap_or(inner).text(), is_pointer))
}

fn callable(piece: Piece<'_>) -> Signature {
    let params = piece.field("parameters").map(Piece::children).unwrap_or_default();
    Signature {
        params: Some(params.into_iter().flat_map(params_of).collect()),
        returns: piece.field("result").map(result),
        generics: piece.field("type_parameters").map(Piece::normal),
        ..Signature::default()
    }
}

/// Names of results are not part of how a function is used.
fn result(piece: Piece<'_>) -> String {
    if !piece.is("parameter_list") {
        return piece.normal();
    }
    let types: Vec<String> =
        piece.children().into_iter().flat_map(params_of).filter_map(|param| param.ty).collect();
    match &types[..] {
        [one] => one.clone(),
        _ => format!("({})", types.join(", ")),
    }
}

fn params_of(piece: Piece<'_>) -> Vec<Param> {
    let kind = if piece.is("variadic_parameter_declaration") {
        ParamKind::Rest
    } else {
        ParamKind::Positional
    };
    let ty = piece.field("type").map(Piece::normal);
    let names = piece.fields("name");
    let param = |name: &str| Param {
        name: name.to_owned(),
        kind,
        ty: ty.clone(),
        optional: false,
        fields: Vec::new(),
    };
    if names.is_empty() {
        vec![param("_")]
    } else {
        names.iter().filter(|name| name.is("identifier")).map(|name| param(name.text())).collect()
    }
}

fn type_spec(spec: Piece<'_>) -> Option<Declared> {
    let (name, ty) = (spec.field("name")?.text(), spec.field("type")?);
    let generics = spec.field("type_parameters").map(Piece::normal);
    let mut declared = match ty.kind() {
        "struct_type" => structure(name, ty, spec.line()),
        "interface_type" => {
            let members: Vec<Declared> = ty
                .children()
                .into_iter()
                .filter(|it| it.is("method_elem"))
                .map(|method| {
                    Declared::new(method.field_text("name"), Kind::Method, method.line())
                        .with(callable(method))
                })
                .collect();
            let mut declared = Declared::new(name, Kind::Interface, spec.line());
            declared.signature.bases = ty
                .children()
                .into_iter()
                .filter(|it| it.is("type_elem"))
                .map(Piece::normal)
                .collect();
            declared.signature.bases.sort();
            // A method that is not exported keeps others from implementing it.
            declared.signature.open = members.iter().any(|member| !is_exported(&member.name));
            declared.members =
                members.into_iter().filter(|member| is_exported(&member.name)).collect();
            declared
        }
        _ => Declared::new(name, Kind::Type, spec.line()).typed(Some(ty.normal())),
    };
    declared.signature.generics = generics;
    Some(declared)
}

fn structure(name: &str, ty: Piece<'_>, line: u32) -> Declared {
    let fields = ty.child("field_declaration_list").map(Piece::children).unwrap_or_default();
    let mut members = Vec::new();
    for field in fields {
        let ty = field.field("type").map(Piece::normal);
        let names = field.fields("name");
        if names.is_empty() {
            // An embedded type is a field under its own name.
            let text = ty.clone().unwrap_or_default();
            let name = text.rsplit(['.', '*']).next().unwrap_or_default().to_owned();
            members.push(Declared::new(name, Kind::Field, field.line()).typed(ty.clone()));
        }
        members.extend(
            names.iter().map(|name| {
                Declared::new(name.text(), Kind::Field, field.line()).typed(ty.clone())
            }),
        );
    }
    members.retain(|member| is_exported(&member.name));
    let mut declared = Declared::new(name, Kind::Struct, line);
    // Structs are written with the names of their fields, so that one more breaks nobody.
    declared.signature.open = true;
    declared.members = members;
    declared
}
