//! Schema files: `OpenAPI`, JSON Schema, GraphQL and protobuf, one file each.
//!
//! A schema becomes a flat list of elements with full names, so that one comparison serves all kinds. What a file is, is
//! told by its text; a JSON or YAML file that is none of them is passed over without being parsed.

mod graphql;
mod json_schema;
mod lexer;
mod openapi;
mod protobuf;
mod shape;

use std::collections::BTreeMap;

use rb_lang::Language;
use serde_json::Value;

use crate::error::ContractError;
use crate::model::{Element, Schema, SchemaKind, Snapshot, Unread};
use crate::sources::Sources;

/// A schema that people maintain is smaller.
const MAX_TEXT: usize = 8 << 20;
/// More elements than anyone reads; it bounds what references upon references can unfold into.
const MAX_ELEMENTS: usize = 50_000;

pub(crate) fn read(sources: &Sources<'_>, snapshot: &mut Snapshot) -> Result<(), ContractError> {
    for (id, path, language) in sources.files() {
        let Some(language) = language.filter(|language| can_hold_one(*language)) else { continue };
        let read = sources.reading(id, || {
            let text = sources.text(path)?.filter(|text| text.len() <= MAX_TEXT);
            Ok(text.map_or(Ok(None), |text| of_text(path, language, &text)))
        })?;
        match &*read {
            Ok(Some((kind, elements))) => {
                let mut elements = elements.clone();
                elements.sort();
                elements.dedup_by(|a, b| (&a.name, a.kind) == (&b.name, b.kind));
                snapshot.schemas.push(Schema { file: path.to_owned(), kind: *kind, elements });
            }
            Ok(None) => {}
            Err(words) => {
                snapshot.unread.push(Unread { file: path.to_owned(), words: words.clone() });
            }
        }
    }
    Ok(())
}

fn can_hold_one(language: Language) -> bool {
    matches!(language, Language::Json | Language::Yaml | Language::GraphQl | Language::Protobuf)
}

type Read = Option<(SchemaKind, Vec<Element>)>;

fn of_text(path: &str, language: Language, text: &str) -> Result<Read, String> {
    match language {
        Language::GraphQl => {
            let elements = graphql::read(text);
            // Files of queries alone are a client's.
            Ok((!elements.is_empty()).then_some((SchemaKind::GraphQl, elements)))
        }
        Language::Protobuf => Ok(Some((SchemaKind::Protobuf, protobuf::read(text)))),
        _ => of_document(path, language, text),
    }
}

fn of_document(path: &str, language: Language, text: &str) -> Result<Read, String> {
    let begins = &text[..text.floor_char_boundary(4096)];
    let may_be_openapi = begins.contains("openapi") || begins.contains("swagger");
    let may_be_schema = begins.contains("json-schema.org") || is_named_schema(path);
    if !may_be_openapi && !may_be_schema {
        return Ok(None);
    }
    let document: Result<Value, String> = match language {
        Language::Json => serde_json::from_str(text).map_err(|error| error.to_string()),
        _ => yaml(text),
    };
    let document = document.map_err(|error| {
        let error = error.lines().next().unwrap_or_default();
        format!("could not be read as a schema: {error}")
    })?;
    let says = |key: &str| document.get(key).is_some_and(|it| it.is_string() || it.is_number());
    if says("openapi") || says("swagger") {
        return Ok(Some((SchemaKind::OpenApi, with_lines(openapi::read(&document), text))));
    }
    let named = document.get("$schema").and_then(Value::as_str);
    let is_schema = named.is_some_and(|it| it.contains("json-schema.org")) || is_named_schema(path);
    let is_schema = is_schema && document.is_object();
    Ok(is_schema.then(|| (SchemaKind::JsonSchema, with_lines(json_schema::read(&document), text))))
}

/// Values do not know their lines: an element is shown where its last word first stands in the text.
fn with_lines(mut elements: Vec<Element>, text: &str) -> Vec<Element> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-' || c == '$';
    let mut lines: BTreeMap<&str, u32> = BTreeMap::new();
    for (line, number) in text.lines().zip(1..) {
        for word in line.split(|c| !is_word(c)).filter(|word| !word.is_empty()) {
            lines.entry(word).or_insert(number);
        }
    }
    for element in &mut elements {
        let last = element.name.split(|c| !is_word(c)).rfind(|word| !word.is_empty());
        element.line = last.and_then(|word| lines.get(word)).copied().unwrap_or(1);
    }
    elements
}

fn is_named_schema(path: &str) -> bool {
    [".schema.json", ".schema.yaml", ".schema.yml"].iter().any(|ending| path.ends_with(ending))
}

fn yaml(text: &str) -> Result<Value, String> {
    let options = serde_saphyr::options! { strict_booleans: true };
    serde_saphyr::from_str_with_options(text, options).map_err(|error| error.to_string())
}
