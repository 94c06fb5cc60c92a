//! Which values are right by a schema, and what is said of the others.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_schema::{Faults, Schema};
use serde_json::{Value, json};

use super::{schema, schema_of};

/// For each line of `rows`, a value of the key `v`: the faults.
pub(crate) fn check(inner: &str, rows: &str, expected: &Expect) {
    let schema = schema_of(inner);
    let mut out = String::new();
    for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let value: Value =
            serde_json::from_str(row).unwrap_or_else(|error| panic!("{row}: {error}"));
        let _ = writeln!(out, "{row} -> {}", said(&schema, &json!({ "v": value })));
    }
    expected.assert_eq(&out);
}

fn said(schema: &Schema, value: &Value) -> String {
    match schema.check(value) {
        Ok(()) => "ok".to_owned(),
        Err(faults) => faults.to_string().replace('\n', "\n    "),
    }
}

#[test]
fn mo4_types() {
    let rows = r#"
        null
        true
        1
        1.0
        -0.0
        1e300
        1.5
        18446744073709551615
        "1"
        []
        {"a": 1}
    "#;
    check(
        r#"{"type": "integer"}"#,
        rows,
        &expect![[r#"
        null -> /v: expected an integer, found null
        true -> /v: expected an integer, found true
        1 -> ok
        1.0 -> ok
        -0.0 -> ok
        1e300 -> ok
        1.5 -> /v: expected an integer, found the number 1.5
        18446744073709551615 -> ok
        "1" -> /v: expected an integer, found the string "1"
        [] -> /v: expected an integer, found an empty array
        {"a": 1} -> /v: expected an integer, found an object
    "#]],
    );
    check(
        r#"{"type": ["number", "null"]}"#,
        rows,
        &expect![[r#"
        null -> ok
        true -> /v: expected null or a number, found true
        1 -> ok
        1.0 -> ok
        -0.0 -> ok
        1e300 -> ok
        1.5 -> ok
        18446744073709551615 -> ok
        "1" -> /v: expected null or a number, found the string "1"
        [] -> /v: expected null or a number, found an empty array
        {"a": 1} -> /v: expected null or a number, found an object
    "#]],
    );
    check(
        r#"{"type": ["array", "string", "boolean"]}"#,
        rows,
        &expect![[r#"
        null -> /v: expected a boolean, a string or an array, found null
        true -> ok
        1 -> /v: expected a boolean, a string or an array, found the number 1
        1.0 -> /v: expected a boolean, a string or an array, found the number 1.0
        -0.0 -> /v: expected a boolean, a string or an array, found the number -0.0
        1e300 -> /v: expected a boolean, a string or an array, found the number 1e+300
        1.5 -> /v: expected a boolean, a string or an array, found the number 1.5
        18446744073709551615 -> /v: expected a boolean, a string or an array, found the number 18446744073709551615
        "1" -> ok
        [] -> ok
        {"a": 1} -> /v: expected a boolean, a string or an array, found an object
    "#]],
    );
    check(
        "{}",
        rows,
        &expect![[r#"
        null -> ok
        true -> ok
        1 -> ok
        1.0 -> ok
        -0.0 -> ok
        1e300 -> ok
        1.5 -> ok
        18446744073709551615 -> ok
        "1" -> ok
        [] -> ok
        {"a": 1} -> ok
    "#]],
    );
}

#[test]
fn mo4_numbers() {
    check(
        r#"{"minimum": 0, "maximum": 100}"#,
        r#"
        0
        100
        120
        -1
        100.0000001
        "120"
        "#,
        &expect![[r#"
            0 -> ok
            100 -> ok
            120 -> /v: 120 is more than 100
            -1 -> /v: -1 is less than 0
            100.0000001 -> /v: 100.0000001 is more than 100
            "120" -> ok
        "#]],
    );
    check(
        r#"{"exclusiveMinimum": 0, "exclusiveMaximum": 1}"#,
        "0\n0.5\n1\n-1e-300",
        &expect![[r#"
        0 -> /v: 0 is not more than 0
        0.5 -> ok
        1 -> /v: 1 is not less than 1
        -1e-300 -> /v: -1e-300 is not more than 0
    "#]],
    );
    check(
        r#"{"maximum": 9007199254740992}"#,
        "9007199254740992\n9007199254740993\n9007199254740992.0",
        &expect![[r#"
            9007199254740992 -> ok
            9007199254740993 -> /v: 9007199254740993 is more than 9007199254740992
            9007199254740992.0 -> ok
        "#]],
    );
    check(
        r#"{"multipleOf": 0.01}"#,
        "19.99\n0.075\n3\n0",
        &expect![[r#"
        19.99 -> ok
        0.075 -> /v: 0.075 is no multiple of 0.01
        3 -> ok
        0 -> ok
    "#]],
    );
}

#[test]
fn mo4_strings_and_arrays() {
    check(
        r#"{"minLength": 2, "maxLength": 3}"#,
        r#"
        "a"
        "äöü"
        "🦀🦀"
        "abcd"
        ["a"]
        "#,
        &expect![[r#"
            "a" -> /v: has 1 characters, at least 2 are allowed
            "äöü" -> ok
            "🦀🦀" -> ok
            "abcd" -> /v: has 4 characters, at most 3 are allowed
            ["a"] -> ok
        "#]],
    );
    check(
        r#"{"items": {"type": "string"}, "minItems": 1, "maxItems": 2, "uniqueItems": true}"#,
        r#"
        []
        ["a", "b"]
        ["a", 2, "a", null]
        "#,
        &expect![[r#"
            [] -> /v: has 0 items, at least 1 are allowed
            ["a", "b"] -> ok
            ["a", 2, "a", null] -> /v: has 4 items, at most 2 are allowed
                /v: items 0 and 2 are equal, and no two may be
                /v/1: expected a string, found the number 2
                /v/3: expected a string, found null
        "#]],
    );
    check(
        r#"{"items": [{"type": "string"}, {"type": "integer"}]}"#,
        r#"
        ["a", 1, null]
        ["a"]
        [1, "a"]
        "#,
        &expect![[r#"
            ["a", 1, null] -> ok
            ["a"] -> ok
            [1, "a"] -> /v/0: expected a string, found the number 1
                /v/1: expected an integer, found the string "a"
        "#]],
    );
    check(
        r#"{"uniqueItems": true}"#,
        r#"
        [1, "1", true, null, [], {}, [1], {"a": 1}]
        [{"a": 1, "b": [2]}, 3, {"b": [2.0], "a": 1.0}]
        [0, false]
        "#,
        &expect![[r#"
            [1, "1", true, null, [], {}, [1], {"a": 1}] -> ok
            [{"a": 1, "b": [2]}, 3, {"b": [2.0], "a": 1.0}] -> /v: items 0 and 2 are equal, and no two may be
            [0, false] -> ok
        "#]],
    );
}

#[test]
fn mo4_objects() {
    check(
        r#"{"properties": {"a": {"type": "string"}}, "required": ["a", "b/c"], "additionalProperties": false}"#,
        r#"
        {"a": "x", "b/c": 1}
        {"a": "x", "d~e": 1}
        {}
        [1]
        "#,
        &expect![[r#"
            {"a": "x", "b/c": 1} -> /v/b~1c: no such key is allowed here; the keys are "a"
            {"a": "x", "d~e": 1} -> /v: the key "b/c" is missing
                /v/d~0e: no such key is allowed here; the keys are "a"
            {} -> /v: the key "a" is missing
                /v: the key "b/c" is missing
            [1] -> ok
        "#]],
    );
    check(
        r#"{"properties": {"a": {}}, "additionalProperties": {"type": "integer"}}"#,
        r#"
        {"a": "x", "b": 1}
        {"a": "x", "b": "y", "": null}
        "#,
        &expect![[r#"
            {"a": "x", "b": 1} -> ok
            {"a": "x", "b": "y", "": null} -> /v/: expected an integer, found null
                /v/b: expected an integer, found the string "y"
        "#]],
    );
    check(
        r#"{"additionalProperties": false}"#,
        r#"{"a": 1}"#,
        &expect![[r#"
        {"a": 1} -> /v/a: no key is allowed here
    "#]],
    );
}

#[test]
fn mo4_enum_and_const() {
    let rows = r#"
        "fast"
        1
        1.0
        {"a": [1.0]}
        "slow"
        ["fast"]
    "#;
    check(
        r#"{"enum": ["fast", 1, {"a": [1]}]}"#,
        rows,
        &expect![[r#"
        "fast" -> ok
        1 -> ok
        1.0 -> ok
        {"a": [1.0]} -> ok
        "slow" -> /v: "slow" is none of "fast", 1 and an object
        ["fast"] -> /v: an array of one item is none of "fast", 1 and an object
    "#]],
    );
    check(
        r#"{"const": 1}"#,
        rows,
        &expect![[r#"
        "fast" -> /v: "fast" is not 1
        1 -> ok
        1.0 -> ok
        {"a": [1.0]} -> /v: an object is not 1
        "slow" -> /v: "slow" is not 1
        ["fast"] -> /v: an array of one item is not 1
    "#]],
    );
}

#[test]
fn mo4_schemas_that_contain_themselves() {
    let tree = schema(
        r##"{"type": "object", "properties": {"v": {"$ref": "#/definitions/tree"}}, "definitions": {
            "tree": {"type": "object", "properties": {
                "value": {"type": "integer"},
                "children": {"type": "array", "items": {"$ref": "#/definitions/tree"}}
            }, "required": ["value"], "additionalProperties": false}}}"##,
    );
    let value = json!({"v": {"value": 1, "children": [{"value": 2}, {"value": 3, "children": [{"value": "x"}, {}]}]}});
    expect![[r#"
        /v/children/1/children/0/value: expected an integer, found the string "x"
            /v/children/1/children/1: the key "value" is missing"#]]
    .assert_eq(&said(&tree, &value));
}

#[test]
fn mo4_faults_are_bounded_short_and_printable() {
    let schema = schema_of(r#"{"type": "array", "items": {"type": "integer"}}"#);
    let faults = schema.check(&json!({"v": vec!["a"; 50]})).expect_err("strings");
    assert_eq!((faults.list().len(), faults.more()), (Faults::MAX, 30));
    let text = faults.to_string();
    expect!["and 30 more"].assert_eq(text.lines().last().expect("it has lines"));

    let hostile = "\u{202e}\u{200b}\n\u{1b}[31m\"\\".to_owned() + &"x".repeat(100_000);
    let faults = schema.check(&json!({"v": [hostile]})).expect_err("a string");
    expect![[r#"/v/0: expected an integer, found the string "\u{202e}\u{200b}\n\u{1b}[31m\"\\xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…""#]].assert_eq(&faults.to_string());
    let open = schema_of(r#"{"additionalProperties": {"type": "integer"}}"#);
    let faults = open.check(&json!({"v": {hostile: "a"}})).expect_err("a string");
    expect![[r#"/v/\u{202e}\u{200b}\n\u{1b}[31m"\\xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…: expected an integer, found the string "a""#]].assert_eq(&faults.to_string());

    let many: Vec<String> = (0..1000).map(|i| format!("\"{i}\"")).collect();
    let faults =
        schema_of(&format!(r#"{{"enum": [{}]}}"#, many.join(", "))).check(&json!({"v": "x"}));
    expect![[r#"/v: "x" is none of "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21", "22", "23", …"#]].assert_eq(&faults.expect_err("not listed").to_string());
}

#[test]
fn mo4_pointers_lead_to_the_fault() {
    let schema = schema_of(r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#);
    let value = json!({"v": {"a/b": "x", "c~d": 1, "~1": null, "": true}});
    let faults = schema.check(&value).expect_err("three");
    let found: Vec<_> = faults.list().iter().map(|fault| value.pointer(&fault.pointer)).collect();
    assert_eq!(found, [Some(&json!(true)), Some(&json!("x")), Some(&json!(null))]);
}

/// Alternatives in alternatives would be tried two to the power of the depth times.
#[test]
fn mo4_work_and_depth_are_bounded() {
    let twice = schema(
        r##"{"type": "object", "properties": {"v": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"anyOf": [
            {"properties": {"n": {"$ref": "#/$defs/a"}}, "required": ["x"]},
            {"properties": {"n": {"$ref": "#/$defs/a"}}, "required": ["y"]}
        ]}}}"##,
    );
    let nested = |depth: usize| (0..depth).fold(json!(1), |inner, _| json!({ "n": inner }));
    expect!["(root): takes too many steps to be checked"]
        .assert_eq(&said(&twice, &json!({ "v": nested(100) })));
    expect!["(root): nests too deep to be checked"]
        .assert_eq(&said(&schema_of("{}"), &json!({ "v": nested(200) })));
    expect!["ok"].assert_eq(&said(&schema_of("{}"), &json!({ "v": nested(126) })));
}
