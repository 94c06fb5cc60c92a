//! The strict form of schemas, and the way back from its answers.

use expect_test::{Expect, expect};
use rb_schema::Role;
use rb_schema::roles::{
    critic, explorer, fix_agent, impl_agent, implementer, patcher, planner, pr_agent, refactorer,
    supervisor, tester, translator, verify_agent,
};
use serde_json::{Value, json};

use super::{schema, schema_of};

/// What `inner` becomes as the optional key `v`, or why it has no strict form.
fn check(inner: &str, expected: &Expect) {
    let schema = schema(&format!(r#"{{"type": "object", "properties": {{"v": {inner}}}}}"#));
    let shown = match schema.strict() {
        Ok(strict) => strict.text().to_owned(),
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&shown);
}

#[test]
fn mo4_strict_forms_of_the_roles() {
    let strict = |role: Role| match role.schema(None).expect("it is sound").strict() {
        Ok(strict) => strict.text().to_owned(),
        Err(error) => error.to_string(),
    };
    expect![[r#"{"type":"object","properties":{"batches":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"goal":{"type":"string"},"scope_globs":{"type":"array","items":{"type":"string"}},"allowed_operations":{"type":"array","items":{"type":"string"}},"diff_budget_loc":{"type":"integer"},"risk_score":{"type":"integer","description":"minimum: 0, maximum: 100"},"verifier_level":{"type":"string","enum":["fast","full"]},"notes":{"type":["string","null"]}},"required":["id","goal","scope_globs","allowed_operations","diff_budget_loc","risk_score","verifier_level","notes"],"additionalProperties":false}},"dropped":{"anyOf":[{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"reason":{"type":"string"}},"required":["id","reason"],"additionalProperties":false}},{"type":"null"}]}},"required":["batches","dropped"],"additionalProperties":false}"#]].assert_eq(&strict(planner::ROLE));
    expect![[r#"{"type":"object","properties":{"status":{"type":"string","enum":["ok","noop","blocked"]},"rationale":{"type":"string"},"risk_notes":{"type":"array","items":{"type":"string"}},"patch_unified_diff":{"type":"string"},"edits":{"anyOf":[{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"search":{"type":"string"},"replace":{"type":"string"}},"required":["path","search","replace"],"additionalProperties":false}},{"type":"null"}]},"new_files":{"anyOf":[{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"],"additionalProperties":false}},{"type":"null"}]},"touched_files":{"type":"array","items":{"type":"string"}},"expected_verifier":{"type":"array","items":{"type":"string"}},"followups":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]},"needs":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}},"required":["status","rationale","risk_notes","patch_unified_diff","edits","new_files","touched_files","expected_verifier","followups","needs"],"additionalProperties":false}"#]].assert_eq(&strict(patcher::ROLE));
    expect!["strict mode cannot say what stands at /properties/suggested_constraints: an object with keys that are not listed"].assert_eq(&strict(critic::ROLE));
    expect![[r#"{"type":"object","properties":{"sections":{"type":"array","items":{"type":"object","properties":{"heading":{"type":"string"},"statements":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"},"citations":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"first_line":{"type":"integer"},"last_line":{"type":"integer"},"quote":{"type":"string"}},"required":["path","first_line","last_line","quote"],"additionalProperties":false}}},"required":["text","citations"],"additionalProperties":false}}},"required":["heading","statements"],"additionalProperties":false}},"not_found":{"type":"array","items":{"type":"string"}},"needs":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}},"required":["sections","not_found","needs"],"additionalProperties":false}"#]].assert_eq(&strict(explorer::ROLE));
    expect![[r#"{"type":"object","properties":{"reason":{"type":"string"},"status":{"type":"string","enum":["test","complete"]},"requirement":{"type":"string"},"test_name":{"type":"string"},"files":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"],"additionalProperties":false}}},"required":["reason","status","requirement","test_name","files"],"additionalProperties":false}"#]].assert_eq(&strict(tester::ROLE));
    expect![[r#"{"type":"object","properties":{"reason":{"type":"string"},"status":{"type":"string","enum":["ok","blocked"]},"summary":{"type":"string"},"files":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"],"additionalProperties":false}},"deleted_files":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}},"required":["reason","status","summary","files","deleted_files"],"additionalProperties":false}"#]].assert_eq(&strict(implementer::ROLE));
    expect![[r#"{"type":"object","properties":{"reason":{"type":"string"},"status":{"type":"string","enum":["ok","nothing"]},"summary":{"type":"string"},"files":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"],"additionalProperties":false}},"deleted_files":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}},"required":["reason","status","summary","files","deleted_files"],"additionalProperties":false}"#]].assert_eq(&strict(refactorer::ROLE));
    expect![[r#"{"type":"object","properties":{"reason":{"type":"string"},"decision":{"type":"string","enum":["next_test","simpler_test","refactor_first","retry_implementation","retry_refactoring","keep_test","skip_refactoring","done","stop"]},"guidance":{"type":"string"}},"required":["reason","decision","guidance"],"additionalProperties":false}"#]].assert_eq(&strict(supervisor::ROLE));
    expect![[r#"{"type":"object","properties":{"reason":{"type":"string"},"status":{"type":"string","enum":["done","nothing","blocked"]},"summary":{"type":"string"},"edits":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"search":{"type":"string"},"replace":{"type":"string"}},"required":["path","search","replace"],"additionalProperties":false}},"new_files":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"],"additionalProperties":false}}},"required":["reason","status","summary","edits","new_files"],"additionalProperties":false}"#]].assert_eq(&strict(impl_agent::ROLE));
    expect![[r#"{"type":"object","properties":{"reason":{"type":"string"},"checks":{"type":"array","items":{"type":"object","properties":{"criterion":{"type":"string"},"says":{"type":"string"},"path":{"type":"string"},"width":{"type":["integer","null"],"description":"minimum: 200, maximum: 4000"},"steps":{"type":"array","items":{"type":"object","properties":{"action":{"type":"string","enum":["goto","click","type","select","hover","press","wait_for_text"]},"target":{"type":"string"},"value":{"type":"string"}},"required":["action","target","value"],"additionalProperties":false}},"expect":{"type":"array","items":{"type":"object","properties":{"kind":{"type":"string","enum":["text_present","text_absent","exists","absent","count","enabled","disabled","value_is","url_is","title_is","status","no_overflow","looks_like"]},"target":{"type":"string"},"value":{"type":"string"}},"required":["kind","target","value"],"additionalProperties":false}}},"required":["criterion","says","path","width","steps","expect"],"additionalProperties":false}},"uncheckable":{"type":"array","items":{"type":"object","properties":{"criterion":{"type":"string"},"why":{"type":"string"}},"required":["criterion","why"],"additionalProperties":false}}},"required":["reason","checks","uncheckable"],"additionalProperties":false}"#]].assert_eq(&strict(verify_agent::ROLE));
    expect![[r#"{"type":"object","properties":{"reason":{"type":"string"},"status":{"type":"string","enum":["done","nothing","blocked"]},"summary":{"type":"string"},"edits":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"search":{"type":"string"},"replace":{"type":"string"}},"required":["path","search","replace"],"additionalProperties":false}},"new_files":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"],"additionalProperties":false}}},"required":["reason","status","summary","edits","new_files"],"additionalProperties":false}"#]].assert_eq(&strict(fix_agent::ROLE));
    expect![[r#"{"type":"object","properties":{"title":{"type":"string"},"summary":{"type":"string"},"risk":{"type":"string"},"rollback":{"type":"string"}},"required":["title","summary","risk","rollback"],"additionalProperties":false}"#]].assert_eq(&strict(pr_agent::ROLE));
    expect![[r#"{"type":"object","properties":{"operations":{"type":"array","items":{"type":"object","properties":{"operation":{"type":"string","enum":["rename","rename-parameter","rename-module","move","move-method","merge","add-parameter","remove-parameter","reorder-parameters","parameter-object","encapsulate","inline-reexport","replace-duplicate"]},"symbol":{"type":["string","null"]},"symbols":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]},"to":{"type":["string","null"]},"keep_name_in":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]},"alias":{"type":["boolean","null"]},"rename_tests":{"type":["boolean","null"]},"rename_files":{"type":["boolean","null"]},"path":{"type":["string","null"]},"modules":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]},"into":{"type":["string","null"]},"merge_tests":{"type":["boolean","null"]},"function":{"type":["string","null"]},"functions":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]},"methods":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]},"class":{"type":["string","null"]},"module":{"type":["string","null"]},"name":{"type":["string","null"]},"parameter":{"type":["string","null"]},"parameters":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]},"order":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]},"default":{"type":["string","null"]},"annotation":{"type":["string","null"]},"values":{"anyOf":[{"type":"array","items":{"type":"object","properties":{"value":{"type":"string"},"calls":{"type":"string","enum":["all","tests","not-tests"]},"within":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}},"required":["value","calls","within"],"additionalProperties":false}},{"type":"null"}]},"logs":{"type":["boolean","null"]},"files":{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]},"keep":{"type":["string","null"]},"remove":{"type":["string","null"]}},"required":["operation","symbol","symbols","to","keep_name_in","alias","rename_tests","rename_files","path","modules","into","merge_tests","function","functions","methods","class","module","name","parameter","parameters","order","default","annotation","values","logs","files","keep","remove"],"additionalProperties":false}},"rest":{"type":"string"}},"required":["operations","rest"],"additionalProperties":false}"#]].assert_eq(&strict(translator::ROLE));
}

#[test]
fn mo4_optional_becomes_nullable() {
    check(
        r#"{"type": "string", "description": "a name", "maxLength": 9, "default": "x", "examples": ["y"]}"#,
        &expect![[
            r#"{"type":"object","properties":{"v":{"type":["string","null"],"description":"a name (maxLength: 9)"}},"required":["v"],"additionalProperties":false}"#
        ]],
    );
    check(
        r#"{"type": ["integer", "null"]}"#,
        &expect![[
            r#"{"type":"object","properties":{"v":{"type":["integer","null"]}},"required":["v"],"additionalProperties":false}"#
        ]],
    );
    check(
        r#"{"type": "string", "enum": ["a", "b"]}"#,
        &expect![[
            r#"{"type":"object","properties":{"v":{"anyOf":[{"type":"string","enum":["a","b"]},{"type":"null"}]}},"required":["v"],"additionalProperties":false}"#
        ]],
    );
    check(
        r#"{"const": 3}"#,
        &expect![[
            r#"{"type":"object","properties":{"v":{"anyOf":[{"const":3},{"type":"null"}]}},"required":["v"],"additionalProperties":false}"#
        ]],
    );
    check(
        r#"{"type": "array", "minItems": 1, "items": {"type": "number", "exclusiveMinimum": 0}}"#,
        &expect![[
            r#"{"type":"object","properties":{"v":{"anyOf":[{"type":"array","items":{"type":"number","description":"exclusiveMinimum: 0"},"description":"minItems: 1"},{"type":"null"}]}},"required":["v"],"additionalProperties":false}"#
        ]],
    );
    check(
        r#"{"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "boolean"}}, "required": ["a"]}"#,
        &expect![[
            r#"{"type":"object","properties":{"v":{"anyOf":[{"type":"object","properties":{"b":{"type":["string","null"]},"a":{"type":"boolean"}},"required":["b","a"],"additionalProperties":false},{"type":"null"}]}},"required":["v"],"additionalProperties":false}"#
        ]],
    );
    check(
        r#"{"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": false}]}"#,
        &expect![[
            r#"{"type":"object","properties":{"v":{"anyOf":[{"anyOf":[{"type":"string"},{"type":"object","properties":{},"required":[],"additionalProperties":false}]},{"type":"null"}]}},"required":["v"],"additionalProperties":false}"#
        ]],
    );
}

#[test]
fn mo4_what_strict_mode_cannot_say() {
    check(
        "{}",
        &expect!["strict mode cannot say what stands at /properties/v: a value of any type"],
    );
    check(
        r#"{"type": "object"}"#,
        &expect![
            "strict mode cannot say what stands at /properties/v: an object with keys that are not listed"
        ],
    );
    check(
        r#"{"type": "object", "additionalProperties": {"type": "string"}}"#,
        &expect![
            "strict mode cannot say what stands at /properties/v: an object with keys that are not listed"
        ],
    );
    check(
        r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]}"#,
        &expect![
            "strict mode cannot say what stands at /properties/v: an object with keys that are not listed"
        ],
    );
    check(
        r#"{"type": "array"}"#,
        &expect![
            "strict mode cannot say what stands at /properties/v: an array whose items are not described alike"
        ],
    );
    check(
        r#"{"type": "array", "items": [{"type": "string"}]}"#,
        &expect![
            "strict mode cannot say what stands at /properties/v: an array whose items are not described alike"
        ],
    );
    check(
        r#"{"type": "array", "items": {"anyOf": [{"type": "string"}, {"not": {"type": "string"}}]}}"#,
        &expect![[
            r#"strict mode cannot say what stands at /properties/v/items/anyOf/1: "allOf", "not" or "if", or alternatives beside properties"#
        ]],
    );
    check(
        r#"{"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"required": ["a"]}]}"#,
        &expect![[
            r#"strict mode cannot say what stands at /properties/v: "allOf", "not" or "if", or alternatives beside properties"#
        ]],
    );
    check(
        r#"{"type": "string", "allOf": [{"minLength": 1}]}"#,
        &expect![[
            r#"strict mode cannot say what stands at /properties/v: "allOf", "not" or "if", or alternatives beside properties"#
        ]],
    );
}

#[test]
fn mo4_strict_definitions() {
    let schema = schema(
        r##"{"type": "object", "properties": {"tree": {"$ref": "#/$defs/tree"}}, "required": ["tree"], "$defs": {
            "tree": {"type": "object", "properties": {
                "value": {"type": "integer"},
                "next": {"$ref": "#/$defs/tree"}
            }, "required": ["value"]}}}"##,
    );
    let strict = schema.strict().expect("it can be said");
    expect![[r##"{"type":"object","properties":{"tree":{"$ref":"#/$defs/tree"}},"$defs":{"tree":{"type":"object","properties":{"value":{"type":"integer"},"next":{"anyOf":[{"$ref":"#/$defs/tree"},{"type":"null"}]}},"required":["value","next"],"additionalProperties":false}},"required":["tree"],"additionalProperties":false}"##]].assert_eq(strict.text());
    let answer = json!({"tree": {"value": 1, "next": {"value": 2, "next": null}}});
    strict.check(&answer).expect("it is an answer to the strict form");
    assert_eq!(schema.unstrict(answer), json!({"tree": {"value": 1, "next": {"value": 2}}}));
}

/// `unstrict` of `value` for the key `v`.
fn back(inner: &str, value: &Value) -> Value {
    let value = schema_of(inner).unstrict(json!({ "v": value }));
    value.get("v").cloned().expect("it is required")
}

#[test]
fn mo4_only_the_nulls_of_absent_keys_go() {
    let inner = r#"{"type": "object", "properties": {
        "kept": {"type": "null"}, "may": {"type": ["string", "null"]}, "gone": {"type": "string"}
    }, "required": ["kept"]}"#;
    assert_eq!(
        back(inner, &json!({"kept": null, "may": null, "gone": null, "unknown": null})),
        json!({"kept": null, "may": null, "unknown": null})
    );
    // A required key that is null is a fault, and stays for the check to say so.
    let inner = r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#;
    assert_eq!(back(inner, &json!({"a": null})), json!({"a": null}));
}

/// Neither a value nor a schema makes it recurse without end.
#[test]
fn mo4_what_is_too_deep_stays() {
    let list = r##"{"type": "object", "properties": {"n": {"$ref": "#/$defs/a"}}, "$defs": {
        "a": {"type": "object", "properties": {"n": {"$ref": "#/$defs/a"}}}}}"##;
    let deep = (0..300).fold(json!(null), |inner, _| json!({ "n": inner }));
    assert_eq!(schema(list).unstrict(deep.clone()), deep);
    let link = |i: usize| format!(r##""d{i}": {{"anyOf": [{{"$ref": "#/$defs/d{}"}}]}}"##, i + 1);
    let links: Vec<String> = (0..3000).map(link).collect();
    let chain = format!(
        r##"{{"type": "object", "properties": {{"n": {{"$ref": "#/$defs/d0"}}}}, "required": ["n"], "$defs": {{{}, "d3000": {{"type": "null"}}}}}}"##,
        links.join(", ")
    );
    assert_eq!(schema(&chain).unstrict(json!({"n": [null]})), json!({"n": [null]}));
}

/// Each alternative has its own optional keys; a fault elsewhere does not hide which was meant.
#[test]
fn mo4_nulls_go_by_the_alternative_that_is_meant() {
    let inner = r#"{"anyOf": [
        {"type": "object", "properties": {"p": {"type": "integer"}}},
        {"type": "object", "properties": {"q": {"type": "object", "properties": {"r": {"type": "string"}}}}},
        {"type": "object", "properties": {"kind": {"const": "k"}, "n": {"type": "integer", "minimum": 0}, "m": {"type": "integer", "minimum": 0}, "o": {"type": "string"}}, "required": ["kind", "n", "m"]},
        {"type": "null"}
    ]}"#;
    assert_eq!(back(inner, &json!({"p": null})), json!({}));
    assert_eq!(back(inner, &json!({"q": {"r": null}})), json!({"q": {}}));
    assert_eq!(
        back(inner, &json!({"kind": "k", "n": -1, "m": -1, "o": null})),
        json!({"kind": "k", "n": -1, "m": -1})
    );
    assert_eq!(back(inner, &json!(null)), json!(null));
    let list = format!(r#"{{"type": "array", "items": {inner}}}"#);
    assert_eq!(back(&list, &json!([{"p": null}, {"q": null}])), json!([{}, {}]));
}
