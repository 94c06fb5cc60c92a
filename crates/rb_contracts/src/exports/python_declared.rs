//! What a Python module declares: functions, classes with their public members, variables, and `__all__`.

use super::Declared;
use crate::model::{Kind, Param, ParamKind, Signature};
use crate::syntax::Piece;

#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) declared: Vec<Declared>,
    /// The names of `__all__`, where it is written out.
    pub(super) all: Option<Vec<String>>,
}

/// `if`, `try` and `with` around declarations are looked into this deep.
const MAX_DEPTH: usize = 6;

pub(super) fn module(root: Piece<'_>) -> Module {
    let mut module = Module::default();
    let mut left: Vec<(Piece<'_>, usize)> =
        root.children().into_iter().rev().map(|piece| (piece, 0)).collect();
    while let Some((piece, depth)) = left.pop() {
        match piece.kind() {
            "if_statement" | "try_statement" | "with_statement" | "block" | "else_clause"
            | "except_clause" | "finally_clause" | "elif_clause"
                if depth < MAX_DEPTH =>
            {
                left.extend(piece.children().into_iter().rev().map(|child| (child, depth + 1)));
            }
            _ => statement(piece, &mut module),
        }
    }
    module
}

fn statement(piece: Piece<'_>, module: &mut Module) {
    if let Some(assignment) = assigned(piece)
        && assignment.field_text("left") == "__all__"
    {
        all(assignment, module);
        return;
    }
    if let Some(declared) = declared(piece, Owner::Module) {
        add(&mut module.declared, declared);
    }
}

/// The last of several declarations counts, as it does when the module is loaded; of a function under `if` and `else`
/// the first, which is the usual case.
fn add(all: &mut Vec<Declared>, declared: Declared) {
    match all.iter_mut().find(|other| other.name == declared.name) {
        Some(other) if other.kind == Kind::Variable => *other = declared,
        Some(_) => {}
        None => all.push(declared),
    }
}

fn assigned(piece: Piece<'_>) -> Option<Piece<'_>> {
    let inner = piece.is("expression_statement").then(|| piece.children().first().copied())??;
    matches!(inner.kind(), "assignment" | "augmented_assignment").then_some(inner)
}

fn all(assignment: Piece<'_>, module: &mut Module) {
    let names = assignment.field("right").map(Piece::children).unwrap_or_default();
    let names = names.iter().filter_map(|name| name.literal()).map(str::to_owned);
    module.all.get_or_insert_default().extend(names);
}

#[derive(Clone, Copy, PartialEq)]
enum Owner {
    Module,
    Class,
}

fn declared(piece: Piece<'_>, owner: Owner) -> Option<Declared> {
    match piece.kind() {
        "decorated_definition" => {
            let decorators: Vec<&str> = piece
                .children()
                .iter()
                .filter(|child| child.is("decorator"))
                .map(|child| child.text().trim_start_matches('@').trim())
                .collect();
            definition(piece.field("definition")?, &decorators, owner)
        }
        "function_definition" | "class_definition" => definition(piece, &[], owner),
        "type_alias_statement" => {
            let name = piece.field("left")?.text();
            Some(
                Declared::new(name, Kind::Type, piece.line())
                    .typed(piece.field("right").map(Piece::normal)),
            )
        }
        _ => {
            let assignment = assigned(piece).filter(|it| it.is("assignment"))?;
            let name = assignment.field("left").filter(|left| left.is("identifier"))?;
            let ty = assignment.field("type").map(annotation);
            let kind = if owner == Owner::Class { Kind::Field } else { Kind::Variable };
            let mut declared = Declared::new(name.text(), kind, piece.line()).typed(ty);
            declared.signature.optional =
                assignment.field("right").is_some() && owner == Owner::Class;
            Some(declared)
        }
    }
}

fn definition(piece: Piece<'_>, decorators: &[&str], owner: Owner) -> Option<Declared> {
    let has = |name: &str| {
        decorators.iter().any(|text| {
            let path = text.split('(').next().unwrap_or_default().trim();
            path == name || path.rsplit('.').next() == Some(name)
        })
    };
    let name = piece.field("name")?.text();
    if piece.is("class_definition") {
        return Some(class(name, piece, has("dataclass")));
    }
    if has("overload") || has("setter") || has("deleter") {
        return None;
    }
    if has("property") || has("cached_property") {
        let ty = piece.field("return_type").map(annotation);
        return Some(Declared::new(name, Kind::Field, piece.line()).typed(ty));
    }
    let mut signature = callable(piece);
    if let Some(params) = signature.params.as_mut()
        && owner == Owner::Class
        && !has("staticmethod")
        && !params.is_empty()
    {
        params.remove(0);
    }
    for mark in ["classmethod", "staticmethod", "abstractmethod"] {
        if has(mark) {
            signature.marks.push(mark.to_owned());
        }
    }
    signature.marks.sort();
    let kind = if owner == Owner::Class { Kind::Method } else { Kind::Function };
    Some(Declared::new(name, kind, piece.line()).with(signature))
}

fn class(name: &str, piece: Piece<'_>, is_dataclass: bool) -> Declared {
    let bases = piece.field("superclasses").map(Piece::children).unwrap_or_default();
    let bases = bases.into_iter().filter(|base| !base.is("keyword_argument")).map(Piece::normal);
    let signature = Signature { bases: bases.collect(), ..Signature::default() };
    let mut members: Vec<Declared> = Vec::new();
    for statement in piece.field("body").map(Piece::children).unwrap_or_default() {
        if let Some(member) = declared(statement, Owner::Class) {
            add(&mut members, member);
        }
    }
    if is_dataclass && !members.iter().any(|member| member.name == "__init__") {
        members.push(made_from_fields(&members, piece.line()));
    }
    for member in &mut members {
        member.signature.optional = false;
    }
    for member in &mut members {
        member.signature.optional = false;
    }
    members.retain(|member| is_public(&member.name) || is_special(&member.name));
    Declared { members, ..Declared::new(name, Kind::Class, piece.line()).with(signature) }
}

/// The constructor that a dataclass gets.
fn made_from_fields(members: &[Declared], line: u32) -> Declared {
    let fields = members.iter().filter(|member| {
        let ty = member.signature.ty.as_deref();
        member.kind == Kind::Field && ty.is_some_and(|ty| !ty.starts_with("ClassVar"))
    });
    let params = fields.map(|field| Param {
        name: field.name.clone(),
        kind: ParamKind::Named,
        ty: field.signature.ty.clone(),
        optional: field.signature.optional,
        fields: Vec::new(),
    });
    let signature = Signature { params: Some(params.collect()), ..Signature::default() };
    Declared::new("__init__", Kind::Method, line).with(signature)
}

pub(super) fn is_public(name: &str) -> bool {
    !name.starts_with('_')
}

fn is_special(name: &str) -> bool {
    name.len() > 4
        && name.starts_with("__")
        && name.ends_with("__")
        && !matches!(name, "__slots__" | "__doc__" | "__module__" | "__repr__" | "__str__")
}

fn callable(piece: Piece<'_>) -> Signature {
    let mut params: Vec<Param> = Vec::new();
    let mut kind = ParamKind::Named;
    for child in piece.field("parameters").map(Piece::children).unwrap_or_default() {
        match child.kind() {
            "keyword_separator" => kind = ParamKind::KeywordOnly,
            // Those before it have no names for the caller.
            "positional_separator" => {
                for param in &mut params {
                    param.kind = ParamKind::Positional;
                }
            }
            _ => {
                let param = param(child, kind);
                if param.kind == ParamKind::Rest {
                    kind = ParamKind::KeywordOnly;
                }
                params.push(param);
            }
        }
    }
    Signature {
        params: Some(params),
        returns: piece.field("return_type").map(annotation),
        is_async: piece.has("async"),
        ..Signature::default()
    }
}

fn param(piece: Piece<'_>, kind: ParamKind) -> Param {
    let inner = match piece.kind() {
        "typed_parameter" => piece.children().first().copied().unwrap_or(piece),
        "default_parameter" | "typed_default_parameter" => piece.field("name").unwrap_or(piece),
        _ => piece,
    };
    let kind = match inner.kind() {
        "list_splat_pattern" => ParamKind::Rest,
        "dictionary_splat_pattern" => ParamKind::RestNamed,
        _ => kind,
    };
    let name = inner.text().trim_start_matches('*');
    // Two underscores say that the name is not to be used.
    let is_unnamed = name.starts_with("__") && kind == ParamKind::Named;
    Param {
        name: name.to_owned(),
        kind: if is_unnamed { ParamKind::Positional } else { kind },
        ty: piece.field("type").map(annotation),
        optional: piece.field("value").is_some(),
        fields: Vec::new(),
    }
}

/// Old and new spellings of one type are one: `Optional[int]` and `int | None`, `List` and `list`.
fn annotation(piece: Piece<'_>) -> String {
    let mut text =
        piece.normal().replace('"', "").replace("typing.", "").replace("collections.abc.", "");
    for (old, new) in [
        ("List[", "list["),
        ("Dict[", "dict["),
        ("Set[", "set["),
        ("Tuple[", "tuple["),
        ("Type[", "type["),
    ] {
        if text.starts_with(old)
            || text.contains(&format!("[{old}"))
            || text.contains(&format!(" {old}"))
        {
            text = text.replace(old, new);
        }
    }
    let inner = text.strip_prefix("Optional[").and_then(|rest| rest.strip_suffix(']'));
    if let Some(inner) = inner.filter(|inner| !inner.contains(']') || inner.ends_with(']')) {
        return format!("{inner}|None");
    }
    text
}
