//! Which schemas are taken, and what is said of the others.

use expect_test::{Expect, expect};
use rb_schema::Schema;

use super::{schema, schema_of};

/// Each line of `rows` is a schema for the key `v`; shown is what is said of it.
fn check(rows: &str, expected: &Expect) {
    let rows: Vec<&str> = rows.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let wrap = |row: &str| format!(r#"{{"type": "object", "properties": {{"v": {row}}}}}"#);
    check_roots(&rows.into_iter().map(wrap).collect::<Vec<_>>().join("\n"), expected);
}

/// Each line of `rows` is a whole schema.
fn check_roots(rows: &str, expected: &Expect) {
    let mut out = String::new();
    for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
        match Schema::parse("t", row) {
            Ok(_) => out.push_str("taken\n"),
            Err(error) => {
                out.push_str(&error.to_string());
                out.push('\n');
            }
        }
    }
    expected.assert_eq(&out);
}

#[test]
fn mo4_what_services_drop_is_refused_by_its_place() {
    check(
        r##"
        {"type": "integer", "format": "uint32"}
        {"type": "string", "x-note": 1}
        {"type": "string", "pattern": "^a$"}
        {"type": "array", "items": {"type": "object", "properties": {"a/b": {"typo": 1}}}}
        {"anyOf": [{"type": "string"}, {"nullable": true}]}
        {"type": "array", "prefixItems": []}
        {"$id": "x"}
        {"definitions": {}}
        {"minProperties": 1}
        {"not": {"additionalProperties": {"dependencies": {}}}}
        "##,
        &expect![[r#"
            schema t, at /properties/v/format: not supported: say it in "description"; some services drop a schema that has it
            schema t, at /properties/v/x-note: unknown keyword; services drop a schema that has one, some of them silently
            schema t, at /properties/v/pattern: not supported: say it in "description", or list the values with "enum"
            schema t, at /properties/v/items/properties/a~1b/typo: unknown keyword; services drop a schema that has one, some of them silently
            schema t, at /properties/v/anyOf/1/nullable: not supported: draft-07 says "type": [..., "null"]
            schema t, at /properties/v/prefixItems: not supported: draft-07 says "items" with an array
            schema t, at /properties/v/$id: not supported: leave it out; answers are not checked for it
            schema t, at /properties/v/definitions: not supported: definitions stand at the root
            schema t, at /properties/v/minProperties: not supported: leave it out; answers are not checked for it
            schema t, at /properties/v/not/additionalProperties/dependencies: not supported: leave it out; answers are not checked for it
        "#]],
    );
    check_roots(
        r#"
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}
        {"$comment": "", "type": "object"}
        "#,
        &expect![[r#"
            schema t, at /$schema: not supported: leave it out; schemas are draft-07, and some services drop one that names another
            schema t, at /$comment: not supported: leave it out; answers are not checked for it
        "#]],
    );
}

#[test]
fn mo4_malformed_keywords_are_refused() {
    check(
        r##"
        {"type": "int"}
        {"type": []}
        {"type": ["string", "string"]}
        {"type": ["string", null]}
        {"enum": []}
        {"enum": [1, 1.0]}
        {"enum": "a"}
        {"required": ["a", "a"]}
        {"required": [1]}
        {"required": true}
        {"properties": []}
        {"properties": {"a": true}}
        {"additionalProperties": "no"}
        {"items": []}
        {"items": true}
        {"minItems": -1}
        {"maxLength": 1.5}
        {"minimum": "0"}
        {"multipleOf": 0}
        {"multipleOf": -2}
        {"uniqueItems": 1}
        {"anyOf": []}
        {"anyOf": {"type": "string"}}
        {"oneOf": [{}, 3]}
        {"allOf": [[]]}
        {"not": false}
        {"title": 1}
        {"examples": "a"}
        {"if": {}}
        {"then": {}}
        {"else": {}}
        "##,
        &expect![[r#"
            schema t, at /properties/v/type: must be null, boolean, integer, number, string, array or object, or a list of these, none twice
            schema t, at /properties/v/type: must be null, boolean, integer, number, string, array or object, or a list of these, none twice
            schema t, at /properties/v/type: must be null, boolean, integer, number, string, array or object, or a list of these, none twice
            schema t, at /properties/v/type: must be null, boolean, integer, number, string, array or object, or a list of these, none twice
            schema t, at /properties/v/enum: must be an array of at least one value, none twice
            schema t, at /properties/v/enum: must be an array of at least one value, none twice
            schema t, at /properties/v/enum: must be an array of at least one value, none twice
            schema t, at /properties/v/required: must be an array of strings, none twice
            schema t, at /properties/v/required: must be an array of strings, none twice
            schema t, at /properties/v/required: must be an array of strings, none twice
            schema t, at /properties/v/properties: must be an object of schemas
            schema t, at /properties/v/properties/a: a schema must be an object with keywords
            schema t, at /properties/v/additionalProperties: a schema must be an object with keywords
            schema t, at /properties/v/items: must be an array of at least one schema
            schema t, at /properties/v/items: a schema must be an object with keywords
            schema t, at /properties/v/minItems: must be a whole number that is not negative
            schema t, at /properties/v/maxLength: must be a whole number that is not negative
            schema t, at /properties/v/minimum: must be a number
            schema t, at /properties/v/multipleOf: must be a number above 0
            schema t, at /properties/v/multipleOf: must be a number above 0
            schema t, at /properties/v/uniqueItems: must be true or false
            schema t, at /properties/v/anyOf: must be an array of at least one schema
            schema t, at /properties/v/anyOf: must be an array of at least one schema
            schema t, at /properties/v/oneOf/1: a schema must be an object with keywords
            schema t, at /properties/v/allOf/0: a schema must be an object with keywords
            schema t, at /properties/v/not: a schema must be an object with keywords
            schema t, at /properties/v/title: must be a string
            schema t, at /properties/v/examples: must be an array
            schema t, at /properties/v: "if" does nothing without "then" or "else"
            schema t, at /properties/v: "then" or "else" does nothing without "if"
            schema t, at /properties/v: "then" or "else" does nothing without "if"
        "#]],
    );
}

#[test]
fn mo4_references_lead_to_definitions_and_not_in_circles() {
    check_roots(
        r##"
        {"type": "object", "properties": {"a": {"$ref": "#/definitions/a"}}}
        {"type": "object", "properties": {"a": {"$ref": "#"}}}
        {"type": "object", "properties": {"a": {"$ref": "other.json"}}}
        {"type": "object", "properties": {"a": {"$ref": 1}}}
        {"type": "object", "definitions": {"a": {}}, "properties": {"a": {"$ref": "#/definitions/a", "type": "string"}}}
        {"type": "object", "definitions": {"a": {"$ref": "#/definitions/a"}}}
        {"type": "object", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"allOf": [{"$ref": "#/$defs/a"}]}}}}
        {"type": "object", "$defs": {"a": {"if": {"$ref": "#/$defs/a"}, "then": {}}}}
        {"type": "object", "$defs": {"a": {"properties": {"b": {"$ref": "#/$defs/a"}}}}}
        {"type": "object", "$defs": {"a": {"items": {"$ref": "#/$defs/a"}}, "b": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}]}}}
        {"type": "object", "$defs": {"a/b~c": {}}, "properties": {"a": {"$ref": "#/$defs/a~1b~0c", "description": "d"}}}
        "##,
        &expect![[r##"
            schema t, at /properties/a/$ref: must be "#/definitions/NAME" or "#/$defs/NAME", with a NAME that the root defines
            schema t, at /properties/a/$ref: must be "#/definitions/NAME" or "#/$defs/NAME", with a NAME that the root defines
            schema t, at /properties/a/$ref: must be "#/definitions/NAME" or "#/$defs/NAME", with a NAME that the root defines
            schema t, at /properties/a/$ref: must be a string
            schema t, at /properties/a/$ref: nothing but title, description, default and examples may stand beside "$ref": some readers ignore it there
            schema t, at /definitions/a: leads back to itself without going into the value
            schema t, at /$defs/a: leads back to itself without going into the value
            schema t, at /$defs/a: leads back to itself without going into the value
            taken
            taken
            taken
        "##]],
    );
}

#[test]
fn mo4_the_root_is_an_object() {
    check_roots(
        r##"
        {"type": "array"}
        {"type": ["object", "null"]}
        {"properties": {}}
        {"$ref": "#/definitions/a", "definitions": {"a": {"type": "object"}}}
        []
        3
        {"type": "object", "type": "object"}
        {"type": "object",}
        {"type": "object"}
        "##,
        &expect![[r#"
            schema t, at the root: the root must say "type": "object": an answer is the input of a tool, and that is an object
            schema t, at the root: the root must say "type": "object": an answer is the input of a tool, and that is an object
            schema t, at the root: the root must say "type": "object": an answer is the input of a tool, and that is an object
            schema t, at /$ref: nothing but title, description, default and examples may stand beside "$ref": some readers ignore it there
            schema t, at the root: a schema must be an object with keywords
            schema t, at the root: a schema must be an object with keywords
            schema t is not JSON: a key stands twice in one object at line 1 column 36
            schema t is not JSON: trailing comma at line 1 column 19
            taken
        "#]],
    );
    let large = format!(r#"{{"type": "object", "title": "{}"}}"#, "a".repeat(300_000));
    check_roots(
        &large,
        &expect![[r#"
        schema t has 300031 bytes; at most 262144 are read
    "#]],
    );
    let deep = format!("{}{}", r#"{"not": "#.repeat(200), "{}".to_owned() + &"}".repeat(200));
    check(
        &deep,
        &expect![[r#"
        schema t is not JSON: recursion limit exceeded at line 1 column 1040
    "#]],
    );
}

#[test]
fn mo4_a_long_chain_of_definitions_is_followed_without_recursion() {
    let link = |i: usize| format!(r##""d{i}": {{"$ref": "#/$defs/d{}"}}"##, i + 1);
    let links: Vec<String> = (0..4000).map(link).collect();
    let text = |last: &str| {
        format!(
            r##"{{"type": "object", "properties": {{"v": {{"$ref": "#/$defs/d0"}}}}, "$defs": {{{}, "d4000": {last}}}}}"##,
            links.join(", ")
        )
    };
    let error = Schema::parse("t", &text(r##"{"$ref": "#/$defs/d0"}"##)).expect_err("a circle");
    expect!["schema t, at /$defs/d0: leads back to itself without going into the value"]
        .assert_eq(&error.to_string());
    let faults = schema(&text(r#"{"type": "string"}"#)).check(&serde_json::json!({"v": 1}));
    expect!["(root): nests too deep to be checked"]
        .assert_eq(&faults.expect_err("too deep").to_string());
}

/// A schema is sent as its author wrote it, but for spaces: models answer in the order of its keys.
#[test]
fn mo4_the_text_keeps_the_order_of_keys() {
    let schema = schema_of(
        r#"{ "type": "object", "properties": { "z": {"const": 1.50}, "a": {"title": "ü\n"} } }"#,
    );
    expect![[r#"{"type":"object","properties":{"v":{"type":"object","properties":{"z":{"const":1.5},"a":{"title":"ü\n"}}}},"required":["v"]}"#]].assert_eq(schema.text());
    assert_eq!(serde_json::to_string(&schema).expect("it is JSON"), schema.text());
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(schema.text()).expect("JSON"),
        schema.value()
    );
    assert_eq!(schema.name(), "test");
}
