//! Routes of Spring: `@GetMapping("/x")` on methods, `@RequestMapping("/api")` on their class.

use super::{FileRoutes, Local};
use crate::routes::path::joined;
use crate::syntax::{Parsed, Piece};

const MAPPINGS: &[(&str, &str)] = &[
    ("GetMapping", "GET"),
    ("PostMapping", "POST"),
    ("PutMapping", "PUT"),
    ("DeleteMapping", "DELETE"),
    ("PatchMapping", "PATCH"),
    ("RequestMapping", "ANY"),
];

pub(super) fn read(parsed: &Parsed) -> FileRoutes {
    let mut found = FileRoutes::default();
    for class in parsed
        .root()
        .all()
        .filter(|piece| matches!(piece.kind(), "class_declaration" | "interface_declaration"))
    {
        let prefix =
            annotations(class).into_iter().find(|it| it.field_text("name") == "RequestMapping");
        let prefix = prefix.and_then(|it| paths(it).into_iter().next()).unwrap_or_default();
        let members = class.field("body").map(Piece::children).unwrap_or_default();
        for method in members.into_iter().filter(|it| it.is("method_declaration")) {
            for annotation in annotations(method) {
                let Some((_, verb)) =
                    MAPPINGS.iter().find(|it| it.0 == annotation.field_text("name"))
                else {
                    continue;
                };
                let mut all = paths(annotation);
                if all.is_empty() {
                    all.push(String::new());
                }
                let verb = asked(annotation).unwrap_or(verb);
                found.routes.extend(all.into_iter().map(|path| Local {
                    router: String::new(),
                    method: verb.to_owned(),
                    path: joined(&prefix, &path),
                    framework: "spring",
                    handler: method.field_text("name").to_owned(),
                    line: annotation.line(),
                }));
            }
        }
    }
    found
}

fn annotations(piece: Piece<'_>) -> Vec<Piece<'_>> {
    let all = piece.child("modifiers").map(Piece::children).unwrap_or_default();
    all.into_iter().filter(|it| matches!(it.kind(), "annotation" | "marker_annotation")).collect()
}

/// The paths of `("/x")`, `({"/x", "/y"})`, `(value = "/x")`, `(path = "/x", produces = "…")`.
fn paths(annotation: Piece<'_>) -> Vec<String> {
    let mut out = Vec::new();
    for argument in annotation.arguments() {
        let value = match argument.kind() {
            "element_value_pair" if matches!(argument.field_text("key"), "value" | "path") => {
                argument.field("value")
            }
            "element_value_pair" => None,
            _ => Some(argument),
        };
        let all = value.map(Piece::all).into_iter().flatten();
        out.extend(
            all.filter(|it| it.is("string_literal"))
                .filter_map(super::super::syntax::Piece::literal)
                .map(str::to_owned),
        );
    }
    out
}

/// `method = RequestMethod.POST`
fn asked(annotation: Piece<'_>) -> Option<&str> {
    let pair = annotation.arguments().into_iter().find(|it| it.field_text("key") == "method")?;
    pair.field_text("value").trim_matches(['{', '}', ' ']).rsplit('.').next()
}
