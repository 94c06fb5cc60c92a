//! [`Schema`]: a schema that every model service can be given, read and ready to check answers.

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::check::{Form, check};
use crate::error::SchemaError;
use crate::fault::Faults;
use crate::node::{Definitions, Node};
use crate::strict::{NotStrict, strict};
use crate::tree::Json;
use crate::unstrict::Unstrict;
use crate::{parse, refs};

/// The most bytes of a schema's text.
const MAX_BYTES: usize = 256 * 1024;

/// A schema for an answer, which is an object. Written out (by [`Schema::text`] or serde) it keeps the order of its
/// keys, because models answer in that order; [`Schema::value`] may not.
#[derive(Debug, Clone)]
pub struct Schema {
    name: String,
    json: Json,
    text: String,
    pub(crate) root: Node,
    pub(crate) definitions: Definitions,
}

impl Schema {
    /// Reads plain draft-07. `name` is what messages and requests call it.
    pub fn parse(name: &str, text: &str) -> Result<Self, SchemaError> {
        let own = || name.to_owned();
        if text.len() > MAX_BYTES {
            return Err(SchemaError::TooLarge { name: own(), bytes: text.len(), most: MAX_BYTES });
        }
        let json = serde_json::from_str(text)
            .map_err(|source| SchemaError::NotJson { name: own(), source })?;
        Self::read(own(), json)
    }

    fn read(name: String, json: Json) -> Result<Self, SchemaError> {
        let read = parse::root(&json).and_then(|read| refs::check(&read.0, &read.1).map(|()| read));
        match read {
            Ok((root, definitions)) => {
                let text = serde_json::to_string(&json).expect("JSON can be written");
                Ok(Schema { name, json, text, root, definitions })
            }
            Err((pointer, refusal)) => Err(SchemaError::Refused { name, pointer, refusal }),
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Compact JSON, the same every time.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn value(&self) -> Value {
        self.json.clone().into()
    }

    /// The same schema, but the value of `property` is one of `words`. A schema without that property stays as it is.
    pub fn with_words(&self, property: &str, words: &[&str]) -> Result<Self, SchemaError> {
        let words = words.iter().map(|word| Json::String((*word).to_owned())).collect();
        let mut json = self.json.clone();
        let place = json.get_mut("properties").and_then(|properties| properties.get_mut(property));
        if let Some(Json::Object(entries)) = place {
            entries.retain(|(key, _)| key != "enum");
            entries.push(("enum".to_owned(), Json::Array(words)));
        }
        Self::read(self.name.clone(), json)
    }

    /// Every fault of `value`, the first ones in full.
    pub fn check(&self, value: &Value) -> Result<(), Faults> {
        let faults = check(&self.root, &self.definitions, value, Form::Plain);
        if faults.count() == 0 { Ok(()) } else { Err(faults) }
    }

    /// The form that the strict mode of `OpenAI` and its like demands: objects closed, every property required, those that
    /// were optional nullable. What that mode cannot say in keywords (bounds) is said in the description. An answer to it
    /// goes through [`Schema::unstrict`], and then through [`Schema::check`] of the plain form.
    pub fn strict(&self) -> Result<Schema, NotStrict> {
        let json = strict(&self.json, &self.root, &self.definitions)?;
        Ok(Self::read(self.name.clone(), json).expect("a strict form is a schema"))
    }

    /// Takes away the nulls that stand for absent properties in an answer to the strict form.
    pub fn unstrict(&self, value: Value) -> Value {
        Unstrict { definitions: &self.definitions }.value(&self.root, value)
    }
}

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}
