//! A schema, read: what each keyword demands of a value.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Number, Value};

use crate::value::Kind;

/// One schema object. What is absent demands nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    /// Nothing else is set beside it.
    pub(crate) reference: Option<Reference>,
    pub(crate) kinds: Option<BTreeSet<Kind>>,
    pub(crate) allowed: Option<Vec<Value>>,
    pub(crate) constant: Option<Value>,
    pub(crate) number: NumberRules,
    pub(crate) length: Bounds,
    pub(crate) array: ArrayRules,
    pub(crate) object: ObjectRules,
    pub(crate) any_of: Vec<Node>,
    pub(crate) one_of: Vec<Node>,
    pub(crate) all_of: Vec<Node>,
    pub(crate) not: Option<Box<Node>>,
    pub(crate) condition: Condition,
}

#[derive(Debug, Clone)]
pub(crate) struct Reference {
    /// As written; the key in [`Definitions`].
    pub(crate) to: String,
    /// The place of the `$ref` itself.
    pub(crate) pointer: String,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct NumberRules {
    pub(crate) minimum: Option<Number>,
    pub(crate) maximum: Option<Number>,
    pub(crate) exclusive_minimum: Option<Number>,
    pub(crate) exclusive_maximum: Option<Number>,
    pub(crate) multiple_of: Option<Number>,
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bounds {
    pub(crate) least: Option<u64>,
    pub(crate) most: Option<u64>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct ArrayRules {
    pub(crate) items: Items,
    pub(crate) count: Bounds,
    pub(crate) unique: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) enum Items {
    #[default]
    Any,
    Each(Box<Node>),
    /// One schema for each place; what comes after them is free.
    Tuple(Vec<Node>),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct ObjectRules {
    pub(crate) properties: BTreeMap<String, Node>,
    pub(crate) required: BTreeSet<String>,
    pub(crate) additional: Additional,
}

#[derive(Debug, Clone, Default)]
pub(crate) enum Additional {
    #[default]
    Any,
    None,
    Each(Box<Node>),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Condition {
    pub(crate) test: Option<Box<Node>>,
    pub(crate) then: Option<Box<Node>>,
    pub(crate) otherwise: Option<Box<Node>>,
}

/// The root's definitions by the text that refers to them.
pub(crate) type Definitions = BTreeMap<String, Node>;

impl Node {
    /// Whether it names `kind` among its types.
    pub(crate) fn is_kind(&self, kind: Kind) -> bool {
        self.kinds.as_ref().is_some_and(|kinds| kinds.contains(&kind))
    }

    /// The schemas that look at the same value as this one.
    pub(crate) fn in_place(&self) -> impl Iterator<Item = &Node> {
        let lists = [&self.any_of, &self.one_of, &self.all_of];
        let condition = &self.condition;
        let single = [&self.not, &condition.test, &condition.then, &condition.otherwise];
        lists.into_iter().flatten().chain(single.into_iter().flatten().map(AsRef::as_ref))
    }

    /// The schemas that look at a part of the value.
    pub(crate) fn inside(&self) -> impl Iterator<Item = &Node> {
        let items: &[Node] = match &self.array.items {
            Items::Any => &[],
            Items::Each(node) => std::slice::from_ref(node),
            Items::Tuple(nodes) => nodes,
        };
        let additional = match &self.object.additional {
            Additional::Any | Additional::None => None,
            Additional::Each(node) => Some(node.as_ref()),
        };
        items.iter().chain(self.object.properties.values()).chain(additional)
    }
}
