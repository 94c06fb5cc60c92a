//! The JSON schema of a configuration file, for editors and checkers.

use serde_json::{Map, Value, json};

use super::keys::{KEYS, Key, Kind, MAX_NUMBER};
use super::settings::nested;

/// The schema, made from the table of keys.
pub(crate) fn schema() -> Value {
    let properties = nested(KEYS.iter().map(|key| (key.name, property(key))));
    let mut root = object(properties);
    root.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
    root.insert("title".to_owned(), "Configuration of refactor-bot".into());
    root["properties"]["$schema"] = json!({ "type": "string" });
    Value::Object(root)
}

fn property(key: &Key) -> Value {
    let mut property = match key.kind {
        Kind::Number { min, .. } => {
            json!({ "type": "integer", "minimum": min, "maximum": MAX_NUMBER })
        }
        Kind::Switch { .. } => json!({ "type": "boolean" }),
        Kind::Text { .. } => json!({ "type": "string" }),
        Kind::Texts { .. } => json!({ "type": "array", "items": { "type": "string" } }),
    };
    property["description"] = key.doc.into();
    property["default"] = key.default();
    property
}

/// Wraps a group of properties, and the groups inside it. A property has a `type`, a group has none.
fn object(properties: Value) -> Map<String, Value> {
    let Value::Object(properties) = properties else { return Map::new() };
    let properties: Map<String, Value> = properties
        .into_iter()
        .map(|(name, inner)| {
            let is_group = inner.get("type").is_none_or(Value::is_object);
            (name, if is_group { Value::Object(object(inner)) } else { inner })
        })
        .collect();
    let mut object = Map::new();
    object.insert("type".to_owned(), "object".into());
    object.insert("additionalProperties".to_owned(), false.into());
    object.insert("properties".to_owned(), Value::Object(properties));
    object
}
