//! Checking a value against a schema: every fault, by its place, in bounded time and depth.

mod branches;

pub(crate) use branches::distance;

use std::collections::BTreeSet;

use serde_json::{Map, Number, Value};

use crate::fault::{Counted, Fault, Faults, LengthBound, Problem, Relation, pointer};
use crate::node::{Additional, ArrayRules, Bounds, Definitions, Items, Node, NumberRules};
use crate::number::Decimal;
use crate::value::{self, Kind, cmp, shown, shown_with_kind};

/// As deep as `serde_json` reads.
pub(crate) const MAX_DEPTH: usize = 128;
/// Nested schemas on the way down: the value's depth, and what looks at the same value on each level.
pub(crate) const MAX_NESTED: usize = 320;
/// Alternatives within alternatives multiply; otherwise a value takes about one step for each of its parts.
const MAX_STEPS: usize = 1_000_000;
/// A fault is worth this many steps, and one for each part of its pointer.
const STEPS_OF_FAULT: usize = 10;

/// Which of the two forms of a schema the value is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    /// Objects are closed, every property is there, and one that may be absent may be null instead.
    Strict,
}

/// All faults of `value`, or none.
pub(crate) fn check(node: &Node, definitions: &Definitions, value: &Value, form: Form) -> Faults {
    if value::depth(value) > MAX_DEPTH {
        return Faults::one(Problem::TooDeep);
    }
    let mut checker = Checker {
        definitions,
        form,
        path: Vec::new(),
        faults: Faults::default(),
        steps: 0,
        nested: 0,
        gave_up: None,
    };
    checker.node(node, value);
    checker.gave_up.map_or(checker.faults, Faults::one)
}

struct Checker<'a> {
    definitions: &'a Definitions,
    form: Form,
    path: Vec<Step<'a>>,
    faults: Faults,
    steps: usize,
    nested: usize,
    /// Set once; what was found by then means nothing, because `not` and alternatives turn faults around.
    gave_up: Option<Problem>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> Checker<'a> {
    fn fault(&mut self, problem: Problem) {
        self.spend(STEPS_OF_FAULT + self.path.len());
        let indices: Vec<String> = self.path.iter().map(Step::token).collect();
        let pointer = pointer(indices.iter().map(String::as_str));
        self.faults.push(Fault { pointer, problem });
    }

    fn at(&mut self, step: Step<'a>, node: &'a Node, value: &'a Value) {
        self.path.push(step);
        self.node(node, value);
        self.path.pop();
    }

    fn spend(&mut self, steps: usize) {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS {
            self.gave_up = Some(Problem::TooMuch);
        }
    }

    fn node(&mut self, node: &'a Node, value: &'a Value) {
        self.spend(1);
        if self.nested == MAX_NESTED {
            self.gave_up = Some(Problem::TooDeep);
        }
        if self.gave_up.is_some() {
            return;
        }
        self.nested += 1;
        match &node.reference {
            Some(reference) => {
                let definitions = self.definitions;
                let node = definitions.get(&reference.to).expect("references were checked");
                self.node(node, value);
            }
            None => self.keywords(node, value),
        }
        self.nested -= 1;
    }

    fn keywords(&mut self, node: &'a Node, value: &'a Value) {
        if let Some(kinds) = &node.kinds
            && !kinds.iter().any(|kind| kind.has(value))
        {
            let expected = kinds.iter().copied().collect();
            // What else the schema says is about another kind of value.
            return self.fault(Problem::Kind { expected, found: shown_with_kind(value) });
        }
        self.one_of(node.constant.as_slice(), value);
        self.one_of(node.allowed.as_deref().unwrap_or_default(), value);
        match value {
            Value::Number(number) => self.number(&node.number, number),
            Value::String(text) => {
                self.length(node.length, text.chars().count(), Counted::Characters);
            }
            Value::Array(items) => self.array(&node.array, items),
            Value::Object(map) => self.object(node, map),
            Value::Null | Value::Bool(_) => {}
        }
        self.branches(node, value);
    }

    /// An empty list allows everything: the keyword is absent.
    fn one_of(&mut self, allowed: &[Value], value: &Value) {
        self.spend(allowed.len());
        if !allowed.is_empty() && !allowed.iter().any(|it| cmp(it, value).is_eq()) {
            let allowed = allowed.iter().map(shown).collect();
            self.fault(Problem::NotOneOf { allowed, found: shown(value) });
        }
    }

    fn number(&mut self, rules: &NumberRules, number: &Number) {
        let value = Decimal::of(number);
        let bounds = [
            (&rules.minimum, Relation::Below),
            (&rules.maximum, Relation::Above),
            (&rules.exclusive_minimum, Relation::NotAbove),
            (&rules.exclusive_maximum, Relation::NotBelow),
        ];
        for (bound, relation) in bounds {
            let Some(bound) = bound else { continue };
            let order = value.cmp(&Decimal::of(bound));
            let passed = match relation {
                Relation::Below => order.is_lt(),
                Relation::Above => order.is_gt(),
                Relation::NotAbove => order.is_le(),
                Relation::NotBelow => order.is_ge(),
            };
            if passed {
                let (found, bound) = (number.to_string(), bound.to_string());
                self.fault(Problem::Bound { found, relation, bound });
            }
        }
        if let Some(unit) = &rules.multiple_of
            && !value.is_multiple_of(Decimal::of(unit))
        {
            self.fault(Problem::NotMultiple { found: number.to_string(), unit: unit.to_string() });
        }
    }

    fn length(&mut self, bounds: Bounds, found: usize, of: Counted) {
        let length = found as u64;
        if let Some(least) = bounds.least.filter(|least| length < *least) {
            self.fault(Problem::Length { found, bound: LengthBound::AtLeast(least), of });
        }
        if let Some(most) = bounds.most.filter(|most| length > *most) {
            self.fault(Problem::Length { found, bound: LengthBound::AtMost(most), of });
        }
    }

    fn array(&mut self, rules: &'a ArrayRules, items: &'a [Value]) {
        self.length(rules.count, items.len(), Counted::Items);
        if rules.unique {
            self.unique(items);
        }
        match &rules.items {
            Items::Any => {}
            Items::Each(node) => {
                for (i, item) in items.iter().enumerate() {
                    self.at(Step::Index(i), node, item);
                }
            }
            Items::Tuple(nodes) => {
                for (i, (item, node)) in items.iter().zip(nodes).enumerate() {
                    self.at(Step::Index(i), node, item);
                }
            }
        }
    }

    fn unique(&mut self, items: &[Value]) {
        self.spend(items.len());
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by(|&a, &b| cmp(&items[a], &items[b]).then(a.cmp(&b)));
        let equal = |pair: &&[usize]| cmp(&items[pair[0]], &items[pair[1]]).is_eq();
        if let Some(pair) = order.windows(2).find(equal) {
            self.fault(Problem::Repeated { first: pair[0], second: pair[1] });
        }
    }

    fn object(&mut self, node: &'a Node, map: &'a Map<String, Value>) {
        let rules = &node.object;
        // Alternatives describe their objects themselves.
        let strict = self.form == Form::Strict && node.is_kind(Kind::Object);
        let absent = |key: &&String| !map.contains_key(*key);
        let wanted = rules.properties.keys().filter(|_| strict).chain(&rules.required);
        let missing: BTreeSet<&String> = wanted.filter(absent).collect();
        for key in missing {
            self.fault(Problem::Missing { key: key.clone() });
        }
        for (key, value) in map {
            match (rules.properties.get(key), &rules.additional) {
                (Some(_), _) if strict && value.is_null() && !rules.required.contains(key) => {}
                (Some(node), _) => self.at(Step::Key(key), node, value),
                (None, Additional::Each(node)) => self.at(Step::Key(key), node, value),
                (None, Additional::Any) if !strict => {}
                (None, Additional::Any | Additional::None) => {
                    let known = rules.properties.keys().cloned().collect();
                    self.path.push(Step::Key(key));
                    self.fault(Problem::UnknownKey { known });
                    self.path.pop();
                }
            }
        }
    }
}

impl Step<'_> {
    fn token(&self) -> String {
        match self {
            Step::Key(key) => (*key).to_owned(),
            Step::Index(index) => index.to_string(),
        }
    }
}
