//! What holds for any schema, any value and any text.

use proptest::prelude::*;
use rb_schema::{Faults, Schema, json_in};
use serde_json::{Map, Value, json};

use crate::{ROLES, corpus};

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-3..200).prop_map(Value::from),
        "\\PC{0,6}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            object(inner).prop_map(Value::Object),
        ]
    })
}

fn object(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    let key = prop_oneof![4 => word(), 1 => "\\PC{0,4}"];
    prop::collection::vec((key, value), 0..6).prop_map(|entries| entries.into_iter().collect())
}

/// Words that mean something to schemas, so that random JSON is sometimes one.
fn word() -> impl Strategy<Value = String> {
    let words = "type properties required items enum const anyOf oneOf allOf not if then else minimum maximum \
                 multipleOf minLength uniqueItems additionalProperties $ref $defs a b object array string integer \
                 number null #/$defs/a #/$defs/b batches status decision reasons fast ok accept";
    prop::sample::select(words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
}

/// Schemas that are mostly taken: keywords with values of the right form.
fn any_schema() -> impl Strategy<Value = Value> {
    let kind = || {
        prop::sample::select(vec![
            "null", "boolean", "integer", "number", "string", "array", "object",
        ])
    };
    let leaf = prop_oneof![
        Just(json!({})),
        kind().prop_map(|kind| json!({ "type": kind })),
        (-3..9, 0..9)
            .prop_map(|(a, b)| json!({"minimum": a, "exclusiveMaximum": b, "multipleOf": 0.5})),
        any_json().prop_map(|it| json!({ "const": it })),
        prop::sample::select(vec!["a", "b"])
            .prop_map(|name| json!({"$ref": format!("#/$defs/{name}")})),
        (0..3, 0..3).prop_map(|(a, b)| json!({"minLength": a, "maxItems": b, "uniqueItems": true})),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let list = || prop::collection::vec(inner.clone(), 1..3);
        let combiner = prop::sample::select(vec!["anyOf", "oneOf", "allOf"]);
        prop_oneof![
            (combiner, list()).prop_map(|(key, list)| json!({ key: list })),
            inner.clone().prop_map(|it| json!({ "not": it })),
            list().prop_map(|list| json!({ "items": list })),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| json!({"if": a, "then": b, "else": c})),
            (object(inner.clone()), prop::collection::btree_set(word(), 0..2), inner.clone())
                .prop_map(|(properties, required, more)| json!({
                    "properties": properties, "required": required, "additionalProperties": more
                })),
        ]
    })
}

proptest! {
    /// Any JSON is a schema or is refused; any schema checks any value; and says the same twice.
    #[test]
    fn mo4_nothing_panics(
        json in any_json(), inner in any_schema(), a in any_schema(), b in any_schema(), value in any_json(),
    ) {
        let _ = Schema::parse("any", &json.to_string());
        let root = json!({
            "type": "object", "properties": {"v": inner}, "additionalProperties": json!({"$ref": "#/$defs/a"}),
            "$defs": {"a": a, "b": b}
        });
        if let Ok(schema) = Schema::parse("any", &root.to_string()) {
            let value = json!({"v": value, "w": value});
            let said = schema.check(&value);
            prop_assert_eq!(&said, &schema.check(&value));
            for fault in said.err().iter().flat_map(Faults::list) {
                prop_assert!(value.pointer(&fault.pointer).is_some(), "{} leads nowhere", fault.pointer);
                prop_assert!(!fault.to_string().chars().any(char::is_control));
            }
            let _ = schema.strict();
            let _ = schema.unstrict(value);
        }
        for role in ROLES {
            let _ = corpus::read(role, &value);
        }
    }

    /// An answer in a sentence, a fence or after thoughts is found as it was written.
    #[test]
    fn mo4_an_answer_is_found_in_its_text(
        map in object(any_json()), before in "[a-zA-Z0-9 .,:()\n'é-]{0,40}", after in "[a-zA-Z0-9 .,:()\n'é-]{0,40}",
        thoughts in "[a-z {}\"\\[\\]\n]{0,40}", pretty in any::<bool>(),
    ) {
        let value = Value::Object(map);
        let text = if pretty { format!("{value:#}") } else { value.to_string() };
        // Fractions may lose their last digit on the way through text; what is read is what counts.
        let value: Value = serde_json::from_str(&text).expect("it is JSON");
        let texts = [
            text.clone(),
            format!("{before}{text}{after}"),
            format!("{before}\n```json\n{text}\n```\n{after}"),
            format!("<think>{thoughts}</think>\n{text}"),
            format!("<think>{thoughts}</think>{before}{text}{after}"),
            format!("w{thoughts}\n</think>\n{text}"),
        ];
        for text in texts {
            prop_assert_eq!(json_in(&text), Ok(value.clone()), "{}", text);
        }
        let twice = format!("{text}{before}{text}");
        prop_assert!(json_in(&twice).is_err());
    }

    /// Any text gives a value or a reason.
    #[test]
    fn mo4_any_text_is_read(parts in prop::collection::vec(part(), 0..20)) {
        let text: String = parts.concat();
        if let Ok(value) = json_in(&text) {
            prop_assert_eq!(json_in(&value.to_string()), Ok(value));
        }
    }

    /// An answer to the plain form, with null for every absent key, is an answer to the strict form, and comes back.
    #[test]
    fn mo4_strict_and_back(shape in shape(), picks in prop::collection::vec(any::<u8>(), 0..64)) {
        let mut definitions = Map::new();
        let inner = shape.schema(&mut definitions);
        let root = json!({"type": "object", "properties": {"v": inner}, "required": ["v"], "$defs": definitions});
        let schema = Schema::parse("shape", &root.to_string()).expect("shapes are schemas");
        let strict = schema.strict().expect("shapes can be said strictly");
        let (plain, nulled) = shape.sample(&mut picks.into_iter().cycle().take(10_000));
        let (plain, nulled) = (json!({ "v": plain }), json!({ "v": nulled }));
        prop_assert_eq!(schema.check(&plain), Ok(()));
        prop_assert_eq!(strict.check(&nulled), Ok(()));
        prop_assert_eq!(schema.unstrict(nulled), plain.clone());
        prop_assert_eq!(schema.unstrict(plain.clone()), plain);
    }
}

fn part() -> impl Strategy<Value = String> {
    let marks = [
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        ":",
        ",",
        "```json\n",
        "```\n",
        "\n",
        "<think>",
        "</think>",
        "{\"a\":1}",
        "null",
        "1",
        " ",
    ];
    prop_oneof![
        8 => prop::sample::select(marks.map(str::to_owned).to_vec()),
        1 => "\\PC{0,3}",
    ]
}

/// What strict mode can say.
#[derive(Debug, Clone)]
enum Shape {
    Text,
    Score,
    Word,
    Nullable(Box<Shape>),
    List(Box<Shape>),
    Object(Vec<(Shape, bool)>),
    /// Objects told apart by the value of `kind`.
    Union(Vec<Vec<(Shape, bool)>>),
    Defined(Box<Shape>),
}

fn shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![Just(Shape::Text), Just(Shape::Score), Just(Shape::Word)];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let fields = || prop::collection::vec((inner.clone(), any::<bool>()), 0..4);
        prop_oneof![
            inner.clone().prop_map(|it| Shape::Nullable(Box::new(it))),
            inner.clone().prop_map(|it| Shape::List(Box::new(it))),
            inner.clone().prop_map(|it| Shape::Defined(Box::new(it))),
            fields().prop_map(Shape::Object),
            prop::collection::vec(fields(), 1..4).prop_map(Shape::Union),
        ]
    })
}

impl Shape {
    fn schema(&self, definitions: &mut Map<String, Value>) -> Value {
        match self {
            Shape::Text => json!({"type": "string", "maxLength": 3}),
            Shape::Score => json!({"type": "integer", "minimum": 0, "maximum": 255}),
            Shape::Word => json!({"enum": ["a", "b", 3]}),
            Shape::Nullable(inner) => {
                json!({"anyOf": [inner.schema(definitions), {"type": "null"}]})
            }
            Shape::List(inner) => json!({"type": "array", "items": inner.schema(definitions)}),
            Shape::Object(fields) => fields_schema(fields, None, definitions),
            Shape::Union(list) => {
                let one =
                    |(i, fields): (usize, &Vec<_>)| fields_schema(fields, Some(i), definitions);
                json!({"oneOf": list.iter().enumerate().map(one).collect::<Vec<_>>()})
            }
            Shape::Defined(inner) => {
                let inner = inner.schema(definitions);
                let name = format!("d{}", definitions.len());
                definitions.insert(name.clone(), inner);
                json!({"$ref": format!("#/$defs/{name}")})
            }
        }
    }

    fn takes_null(&self) -> bool {
        match self {
            Shape::Nullable(_) => true,
            Shape::Defined(inner) => inner.takes_null(),
            Shape::Text
            | Shape::Score
            | Shape::Word
            | Shape::List(_)
            | Shape::Object(_)
            | Shape::Union(_) => false,
        }
    }

    /// A value, and the same with null for each absent key.
    fn sample(&self, picks: &mut impl Iterator<Item = u8>) -> (Value, Value) {
        let pick = picks.next().unwrap_or(0);
        let same = |it: Value| (it.clone(), it);
        match self {
            Shape::Text => same(json!("x".repeat(usize::from(pick % 4)))),
            Shape::Score => same(json!(pick)),
            Shape::Word => same([json!("a"), json!("b"), json!(3)][usize::from(pick % 3)].clone()),
            Shape::Nullable(_) if pick.is_multiple_of(2) => same(Value::Null),
            Shape::Nullable(inner) | Shape::Defined(inner) => inner.sample(picks),
            Shape::List(inner) => {
                let items = (0..pick % 3).map(|_| inner.sample(&mut *picks)).collect::<Vec<_>>();
                let (plain, nulled): (Vec<_>, Vec<_>) = items.into_iter().unzip();
                (plain.into(), nulled.into())
            }
            Shape::Object(fields) => fields_sample(fields, None, picks),
            Shape::Union(list) => {
                let i = usize::from(pick) % list.len();
                fields_sample(&list[i], Some(i), picks)
            }
        }
    }
}

fn fields_schema(
    fields: &[(Shape, bool)],
    kind: Option<usize>,
    definitions: &mut Map<String, Value>,
) -> Value {
    let mut properties = Map::new();
    let mut required: Vec<String> = Vec::new();
    if let Some(kind) = kind {
        properties.insert("kind".to_owned(), json!({ "const": kind }));
        required.push("kind".to_owned());
    }
    for (i, (shape, optional)) in fields.iter().enumerate() {
        properties.insert(format!("f{i}"), shape.schema(definitions));
        required.extend((!optional).then(|| format!("f{i}")));
    }
    let closed = properties.is_empty();
    let mut out = json!({"type": "object", "properties": properties, "required": required});
    if closed {
        out["additionalProperties"] = json!(false);
    }
    out
}

fn fields_sample(
    fields: &[(Shape, bool)],
    kind: Option<usize>,
    picks: &mut impl Iterator<Item = u8>,
) -> (Value, Value) {
    let (mut plain, mut nulled) = (Map::new(), Map::new());
    if let Some(kind) = kind {
        plain.insert("kind".to_owned(), json!(kind));
        nulled.insert("kind".to_owned(), json!(kind));
    }
    for (i, (shape, optional)) in fields.iter().enumerate() {
        // Where null is a value of its own, absence cannot be told from it.
        if *optional && !shape.takes_null() && picks.next().unwrap_or(0).is_multiple_of(2) {
            nulled.insert(format!("f{i}"), Value::Null);
            continue;
        }
        let (it, with_nulls) = shape.sample(picks);
        plain.insert(format!("f{i}"), it);
        nulled.insert(format!("f{i}"), with_nulls);
    }
    (plain.into(), nulled.into())
}
