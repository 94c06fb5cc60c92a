//! What is said where schemas are put together: `anyOf`, `oneOf`, `allOf`, `not`, `if`.

use expect_test::expect;

use super::answers::check;

#[test]
fn mo4_of_alternatives_the_one_that_is_meant_is_said() {
    let shapes = r#"{"anyOf": [
        {"type": "object", "properties": {"kind": {"const": "circle"}, "unit": {"enum": ["cm", "m"]}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
        {"type": "object", "properties": {"kind": {"enum": ["box", "square"]}, "unit": {"enum": ["cm", "m"]}, "width": {"type": "number"}, "height": {"type": "number"}}, "required": ["kind", "width", "height"]},
        {"type": "string"}
    ]}"#;
    let rows = r#"
        "none"
        {"kind": "circle", "radius": 1}
        {"kind": "circle", "width": 1, "height": 1}
        {"kind": "box", "radius": 1}
        {"kind": "box", "radius": 1, "unit": "km", "width": "x"}
        {"kind": "star", "radius": 1}
        {"kind": "star", "unit": "km"}
        {"radius": "x"}
        3
    "#;
    check(
        shapes,
        rows,
        &expect![[r#"
            "none" -> ok
            {"kind": "circle", "radius": 1} -> ok
            {"kind": "circle", "width": 1, "height": 1} -> /v: the key "radius" is missing
            {"kind": "box", "radius": 1} -> /v: the key "height" is missing
                /v: the key "width" is missing
            {"kind": "box", "radius": 1, "unit": "km", "width": "x"} -> /v: the key "height" is missing
                /v/unit: "km" is none of "cm" and "m"
                /v/width: expected a number, found the string "x"
            {"kind": "star", "radius": 1} -> /v/kind: "star" is none of "circle", "box" and "square"
            {"kind": "star", "unit": "km"} -> /v/kind: "star" is none of "circle", "box" and "square"
            {"radius": "x"} -> /v: the key "kind" is missing
                /v/radius: expected a number, found the string "x"
            3 -> /v: expected a string or an object, found the number 3
        "#]],
    );
    check(
        &shapes.replacen("anyOf", "oneOf", 1),
        rows,
        &expect![[r#"
            "none" -> ok
            {"kind": "circle", "radius": 1} -> ok
            {"kind": "circle", "width": 1, "height": 1} -> /v: the key "radius" is missing
            {"kind": "box", "radius": 1} -> /v: the key "height" is missing
                /v: the key "width" is missing
            {"kind": "box", "radius": 1, "unit": "km", "width": "x"} -> /v: the key "height" is missing
                /v/unit: "km" is none of "cm" and "m"
                /v/width: expected a number, found the string "x"
            {"kind": "star", "radius": 1} -> /v/kind: "star" is none of "circle", "box" and "square"
            {"kind": "star", "unit": "km"} -> /v/kind: "star" is none of "circle", "box" and "square"
            {"radius": "x"} -> /v: the key "kind" is missing
                /v/radius: expected a number, found the string "x"
            3 -> /v: expected a string or an object, found the number 3
        "#]],
    );
    check(
        r#"{"anyOf": [{"const": 1}, {"enum": ["a", "b"]}]}"#,
        "1\n\"a\"\n\"c\"\nnull",
        &expect![[r#"
            1 -> ok
            "a" -> ok
            "c" -> /v: "c" is none of 1, "a" and "b"
            null -> /v: null is none of 1, "a" and "b"
        "#]],
    );
    check(
        r#"{"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 3}, {"type": ["null", "string"]}]}"#,
        "true\n2\nnull",
        &expect![[r#"
            true -> /v: expected null, an integer or a string, found true
            2 -> /v: 2 is less than 3
            null -> ok
        "#]],
    );
    check(
        r#"{"oneOf": [{"minimum": 3}, {"type": "string"}, {"type": "integer"}]}"#,
        "2\n3\n\"a\"\n2.5",
        &expect![[r#"
            2 -> ok
            3 -> /v: fits alternatives 1 and 3, and only one may fit
            "a" -> /v: fits alternatives 1 and 2, and only one may fit
            2.5 -> /v: 2.5 is less than 3
        "#]],
    );
}

#[test]
fn mo4_all_of_not_and_if() {
    check(
        r#"{"allOf": [{"type": "integer", "minimum": 3}, {"maximum": 5}], "not": {"const": 4}}"#,
        "3\n4\n2\n6\n\"a\"",
        &expect![[r#"
            3 -> ok
            4 -> /v: is what the schema forbids here
            2 -> /v: 2 is less than 3
            6 -> /v: 6 is more than 5
            "a" -> /v: expected an integer, found the string "a"
        "#]],
    );
    check(
        r#"{"if": {"properties": {"status": {"const": "ok"}}, "required": ["status"]},
            "then": {"required": ["patch"]}, "else": {"properties": {"patch": {"const": ""}}}}"#
            .replace('\n', "")
            .as_str(),
        r#"
        {"status": "ok", "patch": "x"}
        {"status": "ok"}
        {"status": "noop", "patch": ""}
        {"status": "noop", "patch": "x"}
        "#,
        &expect![[r#"
            {"status": "ok", "patch": "x"} -> ok
            {"status": "ok"} -> /v: the key "patch" is missing
            {"status": "noop", "patch": ""} -> ok
            {"status": "noop", "patch": "x"} -> /v/patch: "x" is not ""
        "#]],
    );
}
