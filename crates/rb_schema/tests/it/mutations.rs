//! Every place of every valid answer, changed in every way: schema and type still agree.

use serde_json::{Value, json};

use super::corpus::{rows, type_takes};
use crate::ROLES;

#[test]
fn mo5_no_mutation_tells_schema_and_type_apart() {
    for role in ROLES {
        let schema = role.schema(None).expect("it is sound");
        let (mut right, mut wrong) = (0, 0);
        for row in rows(role, true) {
            for mutant in mutants(&row.value) {
                let by_schema = schema.check(&mutant);
                assert_eq!(by_schema.is_ok(), type_takes(role, &mutant), "{}: {mutant}", role.name);
                *(if by_schema.is_ok() { &mut right } else { &mut wrong }) += 1;
            }
        }
        assert!(
            right > 100 && wrong > 500,
            "{}: {right} right and {wrong} wrong ones are too few",
            role.name
        );
    }
}

/// The value with one place dropped, doubled, or made another thing.
fn mutants(value: &Value) -> Vec<Value> {
    let mut out = Vec::new();
    for pointer in pointers(value) {
        let place = value.pointer(&pointer).expect("it leads somewhere");
        for other in replacements(place) {
            let mut mutant = value.clone();
            *mutant.pointer_mut(&pointer).expect("it leads somewhere") = other;
            out.push(mutant);
        }
    }
    out
}

/// Every place up to a bound, so that large answers do not take over.
fn pointers(value: &Value) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut next = 0;
    while next < out.len() && out.len() < 60 {
        let at = out[next].clone();
        match value.pointer(&at) {
            Some(Value::Object(map)) => {
                out.extend(
                    map.keys()
                        .map(|key| format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"))),
                );
            }
            Some(Value::Array(items)) => out.extend((0..items.len()).map(|i| format!("{at}/{i}"))),
            _ => {}
        }
        next += 1;
    }
    out
}

fn replacements(place: &Value) -> Vec<Value> {
    let mut out: Vec<Value> = vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(100),
        json!(101),
        json!(100.0),
        json!(100.5),
        json!(-0.0),
        json!(1e300),
        json!(-1e300),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(""),
        json!("fast"),
        json!("ok"),
        json!("OK"),
        json!("accept"),
        json!([]),
        json!([null]),
        json!(["x"]),
        json!({}),
        json!({"x": 1}),
        json!({"fast": null}),
        json!({"ok": null}),
        json!({"accept": null}),
        json!([place]),
        json!({"value": place}),
    ];
    match place {
        Value::Object(map) => {
            // What serde would take for a struct.
            out.push(map.values().cloned().collect());
            for key in map.keys() {
                let mut less = map.clone();
                let dropped = less.remove(key).expect("it has the key");
                out.push(Value::Object(less.clone()));
                less.insert(key.to_uppercase(), dropped);
                out.push(Value::Object(less));
            }
            let mut more = map.clone();
            more.insert("beyond".to_owned(), json!(1));
            out.push(Value::Object(more));
        }
        Value::Array(items) => {
            out.push(items.iter().chain(items).cloned().collect());
            out.push(items.iter().skip(1).cloned().collect());
            out.push(items.iter().cloned().chain([json!(1)]).collect());
        }
        Value::String(text) => out.extend([json!(format!("{text} ")), json!(text.to_uppercase())]),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    out
}
