//! From the JSON of a schema to [`Node`]s. Every keyword is known or refused, by its place.

mod scalars;

use crate::error::Refusal;
use crate::fault::pointer;
use crate::node::{Additional, Condition, Definitions, Items, Node, Reference};
use crate::tree::Json;
use crate::value::Kind;

/// A keyword's place, and what is wrong with it.
pub(crate) type Refused = (String, Refusal);

/// Reads a whole schema: its root, and the definitions that are at the root.
pub(crate) fn root(json: &Json) -> Result<(Node, Definitions), Refused> {
    let mut parser = Parser { path: Vec::new(), definitions: Definitions::new() };
    let node = parser.node(json)?;
    if !node.kinds.as_ref().is_some_and(|kinds| kinds.iter().eq([&Kind::Object])) {
        return parser.refuse(Refusal::RootNotObject);
    }
    Ok((node, parser.definitions))
}

struct Parser {
    path: Vec<String>,
    definitions: Definitions,
}

impl Parser {
    fn pointer(&self) -> String {
        pointer(self.path.iter().map(String::as_str))
    }

    fn refuse<T>(&self, refusal: Refusal) -> Result<T, Refused> {
        Err((self.pointer(), refusal))
    }

    fn malformed<T>(&self, wanted: &'static str) -> Result<T, Refused> {
        self.refuse(Refusal::Malformed { wanted })
    }

    /// Runs `read` one step further down.
    fn at<T>(
        &mut self,
        step: &str,
        read: impl FnOnce(&mut Self) -> Result<T, Refused>,
    ) -> Result<T, Refused> {
        self.path.push(step.to_owned());
        let result = read(self)?;
        self.path.pop();
        Ok(result)
    }

    fn node(&mut self, json: &Json) -> Result<Node, Refused> {
        let Json::Object(entries) = json else { return self.refuse(Refusal::NotASchema) };
        let mut node = Node::default();
        for (key, json) in entries {
            self.at(key, |parser| parser.keyword(&mut node, key, json))?;
        }
        let annotation =
            |key: &str| matches!(key, "title" | "description" | "default" | "examples");
        let beside = |key: &str| key != "$ref" && !annotation(key);
        if node.reference.is_some() && entries.iter().any(|(key, _)| beside(key)) {
            return self.at("$ref", |parser| parser.refuse(Refusal::BesideRef));
        }
        self.whole_condition(&node.condition)?;
        Ok(node)
    }

    fn whole_condition(&self, condition: &Condition) -> Result<(), Refused> {
        const BRANCHES: &str = "\"then\" or \"else\"";
        let branches = condition.then.is_some() || condition.otherwise.is_some();
        let (keyword, needed) = match (&condition.test, branches) {
            (Some(_), false) => ("\"if\"", BRANCHES),
            (None, true) => (BRANCHES, "\"if\""),
            (Some(_), true) | (None, false) => return Ok(()),
        };
        self.refuse(Refusal::Lonely { keyword, needed })
    }

    fn keyword(&mut self, node: &mut Node, key: &str, json: &Json) -> Result<(), Refused> {
        match key {
            "$ref" => node.reference = Some(self.reference(json)?),
            "type" => node.kinds = Some(self.kinds(json)?),
            "enum" => node.allowed = Some(self.allowed(json)?),
            "const" => node.constant = Some(json.clone().into()),
            "minimum" => node.number.minimum = Some(self.number(json)?),
            "maximum" => node.number.maximum = Some(self.number(json)?),
            "exclusiveMinimum" => node.number.exclusive_minimum = Some(self.number(json)?),
            "exclusiveMaximum" => node.number.exclusive_maximum = Some(self.number(json)?),
            "multipleOf" => node.number.multiple_of = Some(self.unit(json)?),
            "minLength" => node.length.least = Some(self.count(json)?),
            "maxLength" => node.length.most = Some(self.count(json)?),
            "minItems" => node.array.count.least = Some(self.count(json)?),
            "maxItems" => node.array.count.most = Some(self.count(json)?),
            "uniqueItems" => node.array.unique = self.boolean(json)?,
            "items" => node.array.items = self.items(json)?,
            "properties" => node.object.properties = self.named(json)?.into_iter().collect(),
            "required" => node.object.required = self.strings(json)?.into_iter().collect(),
            "additionalProperties" => node.object.additional = self.additional(json)?,
            "anyOf" => node.any_of = self.nodes(json)?,
            "oneOf" => node.one_of = self.nodes(json)?,
            "allOf" => node.all_of = self.nodes(json)?,
            "not" => node.not = Some(Box::new(self.node(json)?)),
            "if" => node.condition.test = Some(Box::new(self.node(json)?)),
            "then" => node.condition.then = Some(Box::new(self.node(json)?)),
            "else" => node.condition.otherwise = Some(Box::new(self.node(json)?)),
            "definitions" | "$defs" if self.path.len() == 1 => self.define(key, json)?,
            "title" | "description" => drop(self.string(json)?),
            "default" => {}
            "examples" => drop(self.array(json)?),
            other => return self.refuse(scalars::unknown(other)),
        }
        Ok(())
    }

    fn reference(&self, json: &Json) -> Result<Reference, Refused> {
        Ok(Reference { to: self.string(json)?.to_owned(), pointer: self.pointer() })
    }

    fn define(&mut self, keyword: &str, json: &Json) -> Result<(), Refused> {
        for (name, node) in self.named(json)? {
            self.definitions.insert(format!("#{}", pointer([keyword, name.as_str()])), node);
        }
        Ok(())
    }

    fn named(&mut self, json: &Json) -> Result<Vec<(String, Node)>, Refused> {
        let Json::Object(entries) = json else { return self.malformed("an object of schemas") };
        let read = |(name, json): &(String, Json)| {
            Ok((name.clone(), self.at(name, |parser| parser.node(json))?))
        };
        entries.iter().map(read).collect()
    }

    fn nodes(&mut self, json: &Json) -> Result<Vec<Node>, Refused> {
        match json {
            Json::Array(items) if !items.is_empty() => {
                let read =
                    |(i, json): (usize, &Json)| self.at(&i.to_string(), |parser| parser.node(json));
                items.iter().enumerate().map(read).collect()
            }
            _ => self.malformed("an array of at least one schema"),
        }
    }

    fn items(&mut self, json: &Json) -> Result<Items, Refused> {
        match json {
            Json::Array(_) => self.nodes(json).map(Items::Tuple),
            _ => Ok(Items::Each(Box::new(self.node(json)?))),
        }
    }

    fn additional(&mut self, json: &Json) -> Result<Additional, Refused> {
        match json {
            Json::Bool(true) => Ok(Additional::Any),
            Json::Bool(false) => Ok(Additional::None),
            _ => Ok(Additional::Each(Box::new(self.node(json)?))),
        }
    }
}
