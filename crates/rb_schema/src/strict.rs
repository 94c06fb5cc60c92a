//! The strict form of a schema.
//!
//! Strict mode makes the service hold the model to the schema, and in return reads only a part of the language: every
//! object closed with all its properties required, no bounds, no `allOf`, `not` or `if`. A schema that cannot be said
//! so is refused and has to be sent without strict mode: a form that shuts out right answers would be worse than none.

use serde_json::Value;
use thiserror::Error;

use crate::check::{Form, check};
use crate::fault::pointer;
use crate::node::{Additional, Definitions, Items, Node};
use crate::tree::Json;
use crate::value::Kind;

/// Why a schema has no strict form.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("strict mode cannot say what stands at {}: {unsaid}", if pointer.is_empty() { "the root" } else { pointer })]
pub struct NotStrict {
    /// Of the schema object; empty for the root.
    pub pointer: String,
    pub unsaid: Unsaid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Unsaid {
    #[error("an object with keys that are not listed")]
    OpenObject,
    #[error("an array whose items are not described alike")]
    FreeItems,
    #[error("a value of any type")]
    AnyType,
    #[error("\"allOf\", \"not\" or \"if\", or alternatives beside properties")]
    Composed,
}

pub(crate) fn strict(
    json: &Json,
    root: &Node,
    definitions: &Definitions,
) -> Result<Json, NotStrict> {
    Writer { definitions, path: Vec::new() }.node(json, root)
}

struct Writer<'s> {
    definitions: &'s Definitions,
    path: Vec<String>,
}

impl Writer<'_> {
    fn node(&mut self, json: &Json, node: &Node) -> Result<Json, NotStrict> {
        if let Some(unsaid) = unsaid(node) {
            return Err(NotStrict {
                pointer: pointer(self.path.iter().map(String::as_str)),
                unsaid,
            });
        }
        let Json::Object(entries) = json else { return Ok(json.clone()) };
        let mut out = Entries::default();
        for (key, json) in entries {
            self.path.push(key.clone());
            self.keyword(&mut out, node, key, json)?;
            self.path.pop();
        }
        if node.is_kind(Kind::Object) {
            out.close();
        }
        out.describe();
        Ok(Json::Object(out.list))
    }

    fn keyword(
        &mut self,
        out: &mut Entries,
        node: &Node,
        key: &str,
        json: &Json,
    ) -> Result<(), NotStrict> {
        let written = match key {
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf"
            | "minLength" | "maxLength" | "minItems" | "maxItems" | "uniqueItems" => {
                out.words.push(format!("{key}: {}", Value::from(json.clone())));
                return Ok(());
            }
            "default" | "examples" | "required" | "additionalProperties" => return Ok(()),
            "properties" => {
                let find = |name: &str| node.object.properties.get(name);
                self.each(json, find, |writer, name, written| {
                    if node.object.required.contains(name) {
                        written
                    } else {
                        writer.nullable(find(name), written)
                    }
                })?
            }
            "definitions" | "$defs" => {
                let definitions = self.definitions;
                let find = |name: &str| definitions.get(&format!("#{}", pointer([key, name])));
                self.each(json, find, |_, _, written| written)?
            }
            "items" => match &node.array.items {
                Items::Each(item) => self.node(json, item)?,
                Items::Any | Items::Tuple(_) => json.clone(),
            },
            "anyOf" | "oneOf" => {
                let nodes = if key == "anyOf" { &node.any_of } else { &node.one_of };
                out.list.push(("anyOf".to_owned(), self.list(json, nodes)?));
                return Ok(());
            }
            _ => json.clone(),
        };
        out.list.push((key.to_owned(), written));
        Ok(())
    }
    /// An object of schemas: each written strictly, then passed through `finish`.
    fn each<'n>(
        &mut self,
        json: &Json,
        find: impl Fn(&str) -> Option<&'n Node>,
        finish: impl Fn(&Self, &str, Json) -> Json,
    ) -> Result<Json, NotStrict> {
        let Json::Object(entries) = json else { return Ok(json.clone()) };
        let mut out = Vec::new();
        for (name, json) in entries {
            let Some(node) = find(name) else { continue };
            self.path.push(name.clone());
            let written = self.node(json, node)?;
            self.path.pop();
            out.push((name.clone(), finish(self, name, written)));
        }
        Ok(Json::Object(out))
    }

    fn list(&mut self, json: &Json, nodes: &[Node]) -> Result<Json, NotStrict> {
        let Json::Array(items) = json else { return Ok(json.clone()) };
        let mut out = Vec::new();
        for (i, (json, node)) in items.iter().zip(nodes).enumerate() {
            self.path.push(i.to_string());
            out.push(self.node(json, node)?);
            self.path.pop();
        }
        Ok(Json::Array(out))
    }

    fn nullable(&self, plain: Option<&Node>, mut written: Json) -> Json {
        let takes_null =
            |node| check(node, self.definitions, &Value::Null, Form::Plain).count() == 0;
        if plain.is_some_and(takes_null) {
            return written;
        }
        let null = || Json::String(Kind::Null.name().to_owned());
        if let Json::Object(entries) = &mut written
            && !entries.iter().any(|(key, _)| matches!(key.as_str(), "enum" | "const" | "anyOf"))
            && let Some((_, kind)) = entries.iter_mut().find(|(key, _)| key == "type")
            && let Json::String(name) = kind
            && !matches!(Kind::named(name), Some(Kind::Array | Kind::Object))
        {
            *kind = Json::Array(vec![kind.clone(), null()]);
            return written;
        }
        let or_null = Json::Object(vec![("type".to_owned(), null())]);
        Json::Object(vec![("anyOf".to_owned(), Json::Array(vec![written, or_null]))])
    }
}

/// The keywords of one strict schema object.
#[derive(Default)]
struct Entries {
    list: Vec<(String, Json)>,
    /// Bounds that are said in words.
    words: Vec<String>,
}

impl Entries {
    fn close(&mut self) {
        let names = match self.list.iter().find(|(key, _)| key == "properties") {
            Some((_, Json::Object(entries))) => {
                entries.iter().map(|(name, _)| Json::String(name.clone())).collect()
            }
            _ => {
                self.list.push(("properties".to_owned(), Json::Object(Vec::new())));
                Vec::new()
            }
        };
        self.list.push(("required".to_owned(), Json::Array(names)));
        self.list.push(("additionalProperties".to_owned(), Json::Bool(false)));
    }

    fn describe(&mut self) {
        if self.words.is_empty() {
            return;
        }
        let words = self.words.join(", ");
        match self.list.iter_mut().find(|(key, _)| key == "description") {
            Some((_, Json::String(text))) => *text = format!("{text} ({words})"),
            _ => self.list.push(("description".to_owned(), Json::String(words))),
        }
    }
}

/// What strict mode cannot say about this schema object itself.
fn unsaid(node: &Node) -> Option<Unsaid> {
    let object = &node.object;
    let describes_keys = !object.properties.is_empty()
        || !object.required.is_empty()
        || !matches!(object.additional, Additional::Any);
    let open = match object.additional {
        Additional::Any => object.properties.is_empty(),
        Additional::None => false,
        Additional::Each(_) => true,
    };
    let unlisted = object.required.iter().any(|key| !object.properties.contains_key(key));
    let alternatives = !node.any_of.is_empty() || !node.one_of.is_empty();
    let fixed = node.constant.is_some() || node.allowed.is_some();
    let compound = node.is_kind(Kind::Object) || node.is_kind(Kind::Array) || describes_keys;
    let composed = !node.all_of.is_empty()
        || node.not.is_some()
        || node.condition.test.is_some()
        || (!node.any_of.is_empty() && !node.one_of.is_empty());
    if composed || ((alternatives || fixed) && compound) {
        Some(Unsaid::Composed)
    } else if node.is_kind(Kind::Object) && (open || unlisted) {
        Some(Unsaid::OpenObject)
    } else if node.is_kind(Kind::Array) && !matches!(node.array.items, Items::Each(_)) {
        Some(Unsaid::FreeItems)
    } else if node.kinds.is_none() && node.reference.is_none() && !alternatives && !fixed {
        Some(Unsaid::AnyType)
    } else {
        None
    }
}
