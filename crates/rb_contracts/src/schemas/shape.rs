//! What a JSON Schema asks of data, walked into elements; `OpenAPI` describes its bodies in the same way.

use serde_json::Value;

use super::MAX_ELEMENTS;
use crate::model::{Element, ElementKind, Side};

/// Schemas nest a handful deep; deeper ones repeat themselves.
const MAX_DEPTH: usize = 12;
/// References upon references.
const MAX_REFERENCES: usize = 16;
/// Bounds on values. Anything else in a schema explains or decorates it.
const CONSTRAINTS: &[&str] = &[
    "additionalProperties",
    "const",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "pattern",
    "uniqueItems",
];

pub(super) struct Shapes<'d> {
    pub(super) document: &'d Value,
    pub(super) elements: Vec<Element>,
}

/// A schema and where it is in the walk.
#[derive(Clone)]
struct At<'d> {
    name: String,
    schema: &'d Value,
    depth: usize,
    /// References on the way here, so that a type that holds itself is not unfolded for ever.
    through: Vec<&'d str>,
}

impl<'d> Shapes<'d> {
    pub(super) fn new(document: &'d Value) -> Shapes<'d> {
        Shapes { document, elements: Vec::new() }
    }

    pub(super) fn push(
        &mut self,
        name: &str,
        kind: ElementKind,
        ty: &str,
        side: Side,
        required: bool,
    ) {
        if self.elements.len() < MAX_ELEMENTS {
            let (name, ty) = (name.to_owned(), ty.to_owned());
            self.elements.push(Element { name, kind, ty, side, required, number: None, line: 1 });
        }
    }

    /// The elements below `name`; that of `name` itself is the caller's.
    pub(super) fn walk(&mut self, name: &str, schema: &'d Value, side: Side) {
        let at = At { name: name.to_owned(), schema, depth: 0, through: Vec::new() };
        let mut left = vec![at];
        while let Some(at) = left.pop() {
            if at.depth > MAX_DEPTH || self.elements.len() >= MAX_ELEMENTS {
                continue;
            }
            let Some(at) = self.followed(at) else { continue };
            self.values(&at, side);
            self.properties(&at, side, &mut left);
            let below = |name: String, schema| At {
                name,
                schema,
                depth: at.depth + 1,
                through: at.through.clone(),
            };
            if let Some(items) = at.schema.get("items").filter(|it| it.is_object()) {
                left.push(below(format!("{}[]", at.name), items));
            }
            for key in ["allOf", "anyOf", "oneOf"] {
                let parts = at.schema.get(key).and_then(Value::as_array);
                left.extend(parts.into_iter().flatten().map(|part| below(at.name.clone(), part)));
            }
        }
    }

    fn properties(&mut self, at: &At<'d>, side: Side, left: &mut Vec<At<'d>>) {
        let required: Vec<&str> = at
            .schema
            .get("required")
            .and_then(Value::as_array)
            .map(|list| list.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let properties = at.schema.get("properties").and_then(Value::as_object);
        for (property, schema) in properties.into_iter().flatten() {
            let name = if at.name.is_empty() {
                property.clone()
            } else {
                format!("{}.{property}", at.name)
            };
            let ty = self.ty(schema);
            self.push(&name, ElementKind::Field, &ty, side, required.contains(&property.as_str()));
            left.push(At { name, schema, depth: at.depth + 1, through: at.through.clone() });
        }
    }

    fn values(&mut self, at: &At<'d>, side: Side) {
        let owner = if at.name.is_empty() { "the value" } else { &at.name };
        for value in at.schema.get("enum").and_then(Value::as_array).into_iter().flatten() {
            let name = format!("{owner} = {value}");
            self.push(&name, ElementKind::EnumValue, "", side, false);
        }
        for key in CONSTRAINTS {
            let bound = at.schema.get(*key);
            // A schema for further properties says their type; `true` says nothing.
            if let Some(bound) = bound.filter(|it| !it.is_object() && **it != Value::Bool(true)) {
                let name = format!("{owner} {key}");
                self.push(&name, ElementKind::Constraint, &bound.to_string(), side, false);
            }
        }
    }

    fn followed(&self, mut at: At<'d>) -> Option<At<'d>> {
        while let Some(reference) = at.schema.get("$ref").and_then(Value::as_str) {
            if at.through.contains(&reference) || at.through.len() >= MAX_REFERENCES {
                return None;
            }
            at.through.push(reference);
            at.schema = self.target(reference)?;
        }
        Some(at)
    }

    /// What a reference into the same document means. Other documents are schemas of their own.
    pub(super) fn target(&self, reference: &str) -> Option<&'d Value> {
        self.document.pointer(reference.strip_prefix('#')?)
    }

    /// The type in words: `string`, `array of integer`, `Pet`, `string or null`.
    pub(super) fn ty(&self, schema: &'d Value) -> String {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target =
                self.target(reference).and_then(|it| it.get("type")).and_then(Value::as_str);
            // A type that is only moved behind a name is still that type.
            return target
                .unwrap_or_else(|| reference.rsplit('/').next().unwrap_or(reference))
                .to_owned();
        }
        let mut ty = match schema.get("type") {
            Some(Value::String(ty)) => ty.clone(),
            Some(Value::Array(all)) => {
                let mut all: Vec<&str> = all.iter().filter_map(Value::as_str).collect();
                all.sort_unstable();
                all.join(" or ")
            }
            _ if schema.get("properties").is_some() => "object".to_owned(),
            _ => "any".to_owned(),
        };
        if let Some(format) = schema.get("format").and_then(Value::as_str) {
            ty = format!("{ty} ({format})");
        }
        if schema.get("nullable").and_then(Value::as_bool) == Some(true) {
            ty.push_str(" or null");
        }
        ty
    }
}
