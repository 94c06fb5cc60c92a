//! From an answer to the strict form of a schema back to one of the plain form.

use serde_json::Value;

use crate::check::{Form, MAX_DEPTH, MAX_NESTED, check, distance};
use crate::node::{Definitions, Items, Node};
use crate::value::depth;

pub(crate) struct Unstrict<'s> {
    pub(crate) definitions: &'s Definitions,
}

impl Unstrict<'_> {
    /// `value` without the nulls of optional properties. A null that the plain schema allows stays: it may be meant.
    /// Of alternatives the nearest is taken to be meant. What is too deep to be checked stays as it is.
    pub(crate) fn value(&self, node: &Node, value: Value) -> Value {
        if depth(&value) > MAX_DEPTH { value } else { self.part(node, value, 0) }
    }

    fn part(&self, node: &Node, value: Value, nested: usize) -> Value {
        if nested > MAX_NESTED {
            return value;
        }
        if let Some(reference) = &node.reference {
            let node = self.definitions.get(&reference.to).expect("references were checked");
            return self.part(node, value, nested + 1);
        }
        let faults = |node: &&Node| check(node, self.definitions, &value, Form::Strict);
        let alternatives = node.any_of.iter().chain(&node.one_of);
        if let Some(meant) = alternatives.min_by_key(|node| distance(&faults(node), 0)) {
            return self.part(meant, value, nested + 1);
        }
        match (value, &node.array.items) {
            (Value::Object(map), _) => {
                let kept = |(key, value)| self.property(node, key, value, nested + 1);
                Value::Object(map.into_iter().filter_map(kept).collect())
            }
            (Value::Array(items), Items::Each(node)) => {
                items.into_iter().map(|item| self.part(node, item, nested + 1)).collect()
            }
            (value, Items::Any | Items::Each(_) | Items::Tuple(_)) => value,
        }
    }

    fn property(
        &self,
        node: &Node,
        key: String,
        value: Value,
        nested: usize,
    ) -> Option<(String, Value)> {
        let Some(property) = node.object.properties.get(&key) else { return Some((key, value)) };
        let optional = !node.object.required.contains(&key);
        let refused = || check(property, self.definitions, &value, Form::Plain).count() > 0;
        if value.is_null() && optional && refused() {
            return None;
        }
        Some((key, self.part(property, value, nested)))
    }
}
