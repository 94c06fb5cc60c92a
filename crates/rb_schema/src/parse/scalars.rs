//! The values of keywords that hold no schema, and what is said of keywords that are not taken.

use std::collections::BTreeSet;

use serde_json::{Number, Value};

use super::{Parser, Refused};
use crate::error::Refusal;
use crate::number::Decimal;
use crate::tree::Json;
use crate::value::{Kind, cmp};

impl Parser {
    pub(super) fn string<'j>(&self, json: &'j Json) -> Result<&'j str, Refused> {
        match json {
            Json::String(text) => Ok(text),
            _ => self.malformed("a string"),
        }
    }

    pub(super) fn boolean(&self, json: &Json) -> Result<bool, Refused> {
        match json {
            Json::Bool(it) => Ok(*it),
            _ => self.malformed("true or false"),
        }
    }

    pub(super) fn array<'j>(&self, json: &'j Json) -> Result<&'j [Json], Refused> {
        match json {
            Json::Array(items) => Ok(items),
            _ => self.malformed("an array"),
        }
    }

    pub(super) fn number(&self, json: &Json) -> Result<Number, Refused> {
        match json {
            Json::Number(number) => Ok(number.clone()),
            _ => self.malformed("a number"),
        }
    }

    /// Of `multipleOf`.
    pub(super) fn unit(&self, json: &Json) -> Result<Number, Refused> {
        match json {
            Json::Number(number) if Decimal::of(number).is_positive() => Ok(number.clone()),
            _ => self.malformed("a number above 0"),
        }
    }

    pub(super) fn count(&self, json: &Json) -> Result<u64, Refused> {
        match json {
            Json::Number(number) if number.is_u64() => Ok(number.as_u64().unwrap_or(u64::MAX)),
            _ => self.malformed("a whole number that is not negative"),
        }
    }

    pub(super) fn strings(&self, json: &Json) -> Result<BTreeSet<String>, Refused> {
        const WANTED: &str = "an array of strings, none twice";
        let Json::Array(items) = json else { return self.malformed(WANTED) };
        let mut strings = BTreeSet::new();
        for item in items {
            match item {
                Json::String(text) if strings.insert(text.clone()) => {}
                _ => return self.malformed(WANTED),
            }
        }
        Ok(strings)
    }

    pub(super) fn kinds(&self, json: &Json) -> Result<BTreeSet<Kind>, Refused> {
        const WANTED: &str = "null, boolean, integer, number, string, array or object, or a list of these, none twice";
        let names = match json {
            Json::Array(names) if !names.is_empty() => names.as_slice(),
            one => std::slice::from_ref(one),
        };
        let mut kinds = BTreeSet::new();
        for name in names {
            let kind = match name {
                Json::String(name) => Kind::named(name),
                _ => None,
            };
            if !kind.is_some_and(|kind| kinds.insert(kind)) {
                return self.malformed(WANTED);
            }
        }
        Ok(kinds)
    }

    /// Of `enum`.
    pub(super) fn allowed(&self, json: &Json) -> Result<Vec<Value>, Refused> {
        const WANTED: &str = "an array of at least one value, none twice";
        let Json::Array(items) = json else { return self.malformed(WANTED) };
        let values: Vec<Value> = items.iter().cloned().map(Value::from).collect();
        let mut sorted: Vec<&Value> = values.iter().collect();
        sorted.sort_by(|a, b| cmp(a, b));
        let repeated = sorted.windows(2).any(|pair| cmp(pair[0], pair[1]).is_eq());
        if values.is_empty() || repeated { self.malformed(WANTED) } else { Ok(values) }
    }
}

/// What to say of a keyword that is not taken; for some there is a better way.
pub(super) fn unknown(keyword: &str) -> Refusal {
    let instead = match keyword {
        "$schema" => {
            "leave it out; schemas are draft-07, and some services drop one that names another"
        }
        "format" => "say it in \"description\"; some services drop a schema that has it",
        "pattern" => "say it in \"description\", or list the values with \"enum\"",
        "definitions" | "$defs" => "definitions stand at the root",
        "prefixItems" => "draft-07 says \"items\" with an array",
        "nullable" => "draft-07 says \"type\": [..., \"null\"]",
        "$id" | "$comment" | "additionalItems" | "contains" | "contentEncoding"
        | "contentMediaType" | "dependencies" | "maxProperties" | "minProperties"
        | "patternProperties" | "propertyNames" | "readOnly" | "writeOnly" => {
            "leave it out; answers are not checked for it"
        }
        _ => return Refusal::Unknown,
    };
    Refusal::Unsupported { instead }
}
