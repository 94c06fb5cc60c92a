//! `OpenAPI` 3 and Swagger 2: operations, parameters, bodies, responses and their fields.

use serde_json::Value;

use super::shape::Shapes;
use crate::model::{Element, ElementKind, Side};

const METHODS: &[&str] = &["get", "post", "put", "delete", "patch", "head", "options", "trace"];

pub(super) fn read(document: &Value) -> Vec<Element> {
    let mut shapes = Shapes::new(document);
    let paths = document.get("paths").and_then(Value::as_object);
    for (path, item) in paths.into_iter().flatten() {
        for method in METHODS {
            let Some(operation) = item.get(*method) else { continue };
            let name = format!("{} {}", method.to_uppercase(), normal(path));
            shapes.push(&name, ElementKind::Operation, "", Side::Both, false);
            let shared = item.get("parameters").and_then(Value::as_array);
            let own = operation.get("parameters").and_then(Value::as_array);
            for parameter in shared.into_iter().chain(own).flatten() {
                read_parameter(&mut shapes, &name, parameter);
            }
            if let Some(body) = operation.get("requestBody") {
                read_body(&mut shapes, &name, body);
            }
            read_responses(&mut shapes, &name, operation);
        }
    }
    shapes.elements
}

/// The names of parameters in a path are the server's own.
fn normal(path: &str) -> String {
    let mut out = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        out.push_str("{}");
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    out + rest
}

fn read_parameter<'d>(shapes: &mut Shapes<'d>, operation: &str, parameter: &'d Value) {
    let Some(parameter) = followed(shapes, parameter) else { return };
    let text = |key: &str| parameter.get(key).and_then(Value::as_str).unwrap_or_default();
    let required = parameter.get("required").and_then(Value::as_bool).unwrap_or(false);
    let name = match text("in") {
        "path" => return,
        // Swagger 2 has its body among the parameters.
        "body" => {
            if let Some(schema) = parameter.get("schema") {
                shapes.walk(&format!("{operation} body"), schema, Side::Input);
            }
            return;
        }
        "query" => format!("{operation}?{}", text("name")),
        place => format!("{operation} {place} {}", text("name")),
    };
    let schema = parameter.get("schema").unwrap_or(parameter);
    let ty = shapes.ty(schema);
    shapes.push(&name, ElementKind::Parameter, &ty, Side::Input, required);
    shapes.walk(&name, schema, Side::Input);
}

fn read_body<'d>(shapes: &mut Shapes<'d>, operation: &str, body: &'d Value) {
    let Some(body) = followed(shapes, body) else { return };
    let required = body.get("required").and_then(Value::as_bool).unwrap_or(false);
    let name = format!("{operation} body");
    if let Some(schema) = content(body) {
        let ty = shapes.ty(schema);
        shapes.push(&name, ElementKind::Parameter, &ty, Side::Input, required);
        shapes.walk(&name, schema, Side::Input);
    }
}

fn read_responses<'d>(shapes: &mut Shapes<'d>, operation: &str, value: &'d Value) {
    let responses = value.get("responses").and_then(Value::as_object);
    for (status, response) in responses.into_iter().flatten() {
        let name = format!("{operation} {status}");
        shapes.push(&name, ElementKind::Response, "", Side::Output, false);
        let Some(response) = followed(shapes, response) else { continue };
        if let Some(schema) = content(response).or_else(|| response.get("schema")) {
            shapes.walk(&name, schema, Side::Output);
        }
    }
}

/// The schema of the JSON form, or of the only one there is.
fn content(value: &Value) -> Option<&Value> {
    let content = value.get("content")?.as_object()?;
    let form = content.get("application/json").or_else(|| content.values().next())?;
    form.get("schema")
}

fn followed<'d>(shapes: &Shapes<'d>, value: &'d Value) -> Option<&'d Value> {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => shapes.target(reference),
        None => Some(value),
    }
}
