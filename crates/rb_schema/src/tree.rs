//! JSON that keeps the order of its keys and refuses a key that stands twice.
//!
//! Models write an answer in the order of its schema, so that the order (reasons before the patch) is part of what the
//! author of a schema says. [`serde_json::Value`] sorts keys and lets the last of two equal ones win.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value of a key, where this is an object that has it.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        match self {
            Json::Object(entries) => {
                entries.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
            }
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Array(_) => None,
        }
    }
}

impl From<Json> for Value {
    fn from(json: Json) -> Self {
        match json {
            Json::Null => Value::Null,
            Json::Bool(it) => Value::Bool(it),
            Json::Number(it) => Value::Number(it),
            Json::String(it) => Value::String(it),
            Json::Array(items) => items.into_iter().map(Value::from).collect(),
            Json::Object(entries) => {
                entries.into_iter().map(|(key, it)| (key, Value::from(it))).collect()
            }
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(it) => it.serialize(serializer),
            Json::Number(it) => it.serialize(serializer),
            Json::String(it) => it.serialize(serializer),
            Json::Array(items) => items.serialize(serializer),
            Json::Object(entries) => serializer.collect_map(entries.iter().map(|(k, v)| (k, v))),
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, it: bool) -> Result<Json, E> {
        Ok(Json::Bool(it))
    }

    fn visit_u64<E>(self, it: u64) -> Result<Json, E> {
        Ok(Json::Number(it.into()))
    }

    fn visit_i64<E>(self, it: i64) -> Result<Json, E> {
        Ok(Json::Number(it.into()))
    }

    fn visit_f64<E: Error>(self, it: f64) -> Result<Json, E> {
        Number::from_f64(it).map(Json::Number).ok_or_else(|| E::custom("a number is not finite"))
    }

    fn visit_str<E>(self, it: &str) -> Result<Json, E> {
        Ok(Json::String(it.to_owned()))
    }

    fn visit_string<E>(self, it: String) -> Result<Json, E> {
        Ok(Json::String(it))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Json, A::Error> {
        let mut entries = Vec::new();
        let mut seen = BTreeSet::new();
        while let Some((key, it)) = access.next_entry::<String, Json>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom("a key stands twice in one object"));
            }
            entries.push((key, it));
        }
        Ok(Json::Object(entries))
    }
}
