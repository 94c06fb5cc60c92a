//! The JSON in what a model writes.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use rb_schema::{NoJson, json_in};

/// For each text: the value that is found, or why none is.
fn check(texts: &[&str], expected: &Expect) {
    let mut out = String::new();
    for text in texts {
        let found = match json_in(text) {
            Ok(value) => value.to_string(),
            Err(error) => error.to_string(),
        };
        let _ = writeln!(out, "{text:?}\n    {found}");
    }
    expected.assert_eq(&out);
}

#[test]
fn mo4_the_whole_text() {
    check(
        &[
            r#"{"a": 1}"#,
            "\u{feff} \r\n{\"a\": 1}\n\n",
            "[1, 2]",
            "null",
            r#""{\"a\": 1}""#,
            r#"{"a": "```json\n{}\n```"}"#,
            r#"{"a": "</think>"}"#,
        ],
        &expect![[r#"
            "{\"a\": 1}"
                {"a":1}
            "\u{feff} \r\n{\"a\": 1}\n\n"
                {"a":1}
            "[1, 2]"
                [1,2]
            "null"
                null
            "\"{\\\"a\\\": 1}\""
                "{\"a\": 1}"
            "{\"a\": \"```json\\n{}\\n```\"}"
                {"a":"```json\n{}\n```"}
            "{\"a\": \"</think>\"}"
                {"a":"</think>"}
        "#]],
    );
}

#[test]
fn mo4_a_fenced_block() {
    check(
        &[
            "Here it is:\n```json\n{\"a\": 1}\n```\nDone.",
            "```JSON\r\n{\"a\": 1}\r\n```\r\n",
            "  ~~~~ json title\n{\"a\": \"~~~\"}\n~~~~",
            "```json\n{\"a\": 1}",
            "```json\n{\"a\": 1",
            "```json\n{\"a\": 1,}\n```",
            "```json\n// why\n{\"a\": 1}\n```",
            "```json\n{\"a\": 1}\n```\n```json\n{\"b\": 1}\n```",
            "```rust\nfn a() {}\n```\n```json\n{\"a\": 1}\n```",
            "````markdown\n```json\n{\"b\": 2}\n```\n````\n\n```json\n{\"a\": 1}\n```",
            "```\n{\"a\": 1}\n```",
            "For example {\"b\": 1}, or:\n```json\n{\"a\": 1}\n```",
            "```json {\"a\": 1} ```",
            "```json\n```",
        ],
        &expect![[r#"
            "Here it is:\n```json\n{\"a\": 1}\n```\nDone."
                {"a":1}
            "```JSON\r\n{\"a\": 1}\r\n```\r\n"
                {"a":1}
            "  ~~~~ json title\n{\"a\": \"~~~\"}\n~~~~"
                {"a":"~~~"}
            "```json\n{\"a\": 1}"
                {"a":1}
            "```json\n{\"a\": 1"
                the answer ends before its JSON does
            "```json\n{\"a\": 1,}\n```"
                the JSON of the answer cannot be read: trailing comma at line 1 column 9
            "```json\n// why\n{\"a\": 1}\n```"
                the JSON of the answer cannot be read: expected value at line 1 column 1
            "```json\n{\"a\": 1}\n```\n```json\n{\"b\": 1}\n```"
                the answer holds 2 JSON objects, and only one may be there
            "```rust\nfn a() {}\n```\n```json\n{\"a\": 1}\n```"
                {"a":1}
            "````markdown\n```json\n{\"b\": 2}\n```\n````\n\n```json\n{\"a\": 1}\n```"
                {"a":1}
            "```\n{\"a\": 1}\n```"
                {"a":1}
            "For example {\"b\": 1}, or:\n```json\n{\"a\": 1}\n```"
                {"a":1}
            "```json {\"a\": 1} ```"
                {"a":1}
            "```json\n```"
                the answer holds no JSON object
        "#]],
    );
}

#[test]
fn mo4_an_object_in_prose() {
    check(
        &[
            r#"The answer is {"a": {"b": "}{"}, "c": "\"}"} as asked."#,
            r#"Take { and } and {x} and {"a": 1}."#,
            r#"{"a": 1} or {"b": 2}"#,
            r#"{"a": 1} {"a": 1}"#,
            r#"{"a": 1"#,
            r#"The plan: {"batches": [{"id": "1"}, {"id": "2"#,
            r#"The plan: [{"id": "1"}]"#,
            r#"{batches: [{"id": "1"}]}"#,
            r#"See [1] and {"a": 1}"#,
            r#"An open [ or { and then {"a": 1}"#,
            r#"It is {"a": 1,}"#,
            r#"It is {'a': 1}"#,
            r#"It is {"a": 1, "a": 2}"#,
            r#"It is {}"#,
            r#"It is {"a": "\ud800"}"#,
            "I cannot do that.",
            "",
            "   ",
        ],
        &expect![[r#"
            "The answer is {\"a\": {\"b\": \"}{\"}, \"c\": \"\\\"}\"} as asked."
                {"a":{"b":"}{"},"c":"\"}"}
            "Take { and } and {x} and {\"a\": 1}."
                {"a":1}
            "{\"a\": 1} or {\"b\": 2}"
                the answer holds 2 JSON objects, and only one may be there
            "{\"a\": 1} {\"a\": 1}"
                the answer holds 2 JSON objects, and only one may be there
            "{\"a\": 1"
                the answer ends before its JSON does
            "The plan: {\"batches\": [{\"id\": \"1\"}, {\"id\": \"2"
                the answer ends before its JSON does
            "The plan: [{\"id\": \"1\"}]"
                the answer holds no JSON object
            "{batches: [{\"id\": \"1\"}]}"
                the answer holds no JSON object
            "See [1] and {\"a\": 1}"
                {"a":1}
            "An open [ or { and then {\"a\": 1}"
                {"a":1}
            "It is {\"a\": 1,}"
                the JSON of the answer cannot be read: trailing comma at line 1 column 9
            "It is {'a': 1}"
                the answer holds no JSON object
            "It is {\"a\": 1, \"a\": 2}"
                the JSON of the answer cannot be read: a key stands twice in one object at line 1 column 16
            "It is {}"
                {}
            "It is {\"a\": \"\\ud800\"}"
                the JSON of the answer cannot be read: unexpected end of hex escape at line 1 column 14
            "I cannot do that."
                the answer holds no JSON object
            ""
                the answer holds no JSON object
            "   "
                the answer holds no JSON object
        "#]],
    );
}

#[test]
fn mo4_thoughts_are_skipped() {
    check(
        &[
            "<think>Maybe {\"a\": 0}? No.</think>\n\n{\"a\": 1}",
            "<think>\nMaybe {\"a\": 0}\n</think>\nSo: {\"a\": 1}",
            "Maybe {\"a\": 0}\n</think>\n{\"a\": 1}",
            "<think>Maybe {\"a\": 0}",
            "<think></think>",
            "So {\"a\": \"x </think> y\"}.",
        ],
        &expect![[r#"
            "<think>Maybe {\"a\": 0}? No.</think>\n\n{\"a\": 1}"
                {"a":1}
            "<think>\nMaybe {\"a\": 0}\n</think>\nSo: {\"a\": 1}"
                {"a":1}
            "Maybe {\"a\": 0}\n</think>\n{\"a\": 1}"
                {"a":1}
            "<think>Maybe {\"a\": 0}"
                the answer ends before its JSON does
            "<think></think>"
                the answer holds no JSON object
            "So {\"a\": \"x </think> y\"}."
                {"a":"x </think> y"}
        "#]],
    );
}

#[test]
fn mo4_size_and_depth_are_bounded() {
    let why = |text: &str| json_in(text).expect_err("it is no answer");
    assert_eq!(why(&" ".repeat(9 << 20)), NoJson::TooLarge { bytes: 9 << 20 });
    let deep = |count: usize| r#"{"a":"#.repeat(count) + "1" + &"}".repeat(count);
    assert!(json_in(&deep(100)).is_ok());
    expect!["the JSON of the answer cannot be read: recursion limit exceeded at line 1 column 636"]
        .assert_eq(&why(&deep(100_000)).to_string());
    for hostile in
        ["{", "[", "{\"", "[{", "{}", "{{\"\"}", "```json\n", "\"", "\\", "{\"\\\"", "</think>\n"]
    {
        let text = hostile.repeat((4 << 20) / hostile.len());
        assert!(json_in(&text).is_err(), "{hostile}");
    }
}
