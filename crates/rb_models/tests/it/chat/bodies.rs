//! What is sent, to the byte.

use std::sync::Arc;

use expect_test::{Expect, expect};
use rb_models::{Message, Provider as _, Request, Tool, ToolCall, ToolResult};
use rb_schema::Schema;
use rb_testkit::stub::Stub;
use serde_json::json;

use super::{DONE, STOP, chat, events, hi, text};
use super::{hello, once, with_schema, written};
use crate::support::KEY;

/// The body, and the headers that are ours.
fn check(name: &str, request: &Request, expected: &Expect) {
    let stub = Stub::always(hi());
    let _ = once(&chat(name, &stub.url()), request);
    let seen = &stub.seen()[0];
    assert_eq!(seen.line, "POST /chat/completions");
    assert_eq!(seen.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert!(!seen.body.contains(KEY));
    let title = seen.header("x-title").map_or(String::new(), |title| format!("x-title: {title}\n"));
    expected.assert_eq(&format!("{title}{}", written(&seen.body)));
}

fn with_tools(mut request: Request) -> Request {
    let input = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    let (name, description) = ("read_file".to_owned(), "Reads a file.".to_owned());
    request.tools = vec![Tool { name, description, input }];
    request
}

fn later(request: Request) -> Request {
    let mut request = with_tools(request);
    let call = |id: &str, path: &str| ToolCall {
        id: id.to_owned(),
        name: "read_file".to_owned(),
        input: json!({ "path": path }),
    };
    let result = |id: &str, text: &str, failed| ToolResult {
        id: id.to_owned(),
        name: "read_file".to_owned(),
        text: text.to_owned(),
        failed,
    };
    request.messages.extend([
        Message::Assistant {
            text: String::new(),
            tool_calls: vec![call("a", "x.rs"), call("b", "y.rs")],
        },
        Message::Tools {
            results: vec![result("a", "fn x() {}", false), result("b", "no such file", true)],
        },
        Message::Assistant { text: "Done.".to_owned(), tool_calls: Vec::new() },
        Message::User { text: "And now?".to_owned() },
    ]);
    request
}

#[test]
fn mo6_a_plain_request() {
    check(
        "openai",
        &hello(),
        &expect![[r#"
        max_completion_tokens: 1000
        messages:
          {"content":"Be brief.","role":"developer"}
          {"content":"Hello?","role":"user"}
        model: "some-model"
        stream: true
        stream_options: {"include_usage":true}
        temperature: 0
    "#]],
    );
}

#[test]
fn mo6_reasoning_models_get_no_temperature() {
    let mut request = hello();
    request.model = "gpt-5.4-mini".to_owned();
    request.limits.output_tokens = 1_000_000;
    check(
        "openai",
        &request,
        &expect![[r#"
        max_completion_tokens: 128000
        messages:
          {"content":"Be brief.","role":"developer"}
          {"content":"Hello?","role":"user"}
        model: "gpt-5.4-mini"
        stream: true
        stream_options: {"include_usage":true}
    "#]],
    );
}

#[test]
fn mo4_each_way_to_ask_for_a_schema() {
    check(
        "openai",
        &with_schema(hello()),
        &expect![[r#"
        max_completion_tokens: 1000
        messages:
          {"content":"Be brief.","role":"developer"}
          {"content":"Hello?","role":"user"}
        model: "some-model"
        response_format: {"json_schema":{"name":"verdict","schema":{"additionalProperties":false,"properties":{"good":{"type":"boolean"}},"required":["good"],"type":"object"},"strict":true},"type":"json_schema"}
        stream: true
        stream_options: {"include_usage":true}
        temperature: 0
    "#]],
    );
    check(
        "deepseek",
        &with_schema(hello()),
        &expect![[r#"
        max_tokens: 1000
        messages:
          {"content":"Be brief.\n\nYour final answer is one JSON object that follows this JSON schema, and nothing else: no text around it, no code fence.\n{\"additionalProperties\":false,\"properties\":{\"good\":{\"type\":\"boolean\"}},\"required\":[\"good\"],\"type\":\"object\"}","role":"system"}
          {"content":"Hello?","role":"user"}
        model: "some-model"
        response_format: {"type":"json_object"}
        stream: true
        stream_options: {"include_usage":true}
        temperature: 0
        thinking: {"type":"disabled"}
    "#]],
    );
    check(
        "perplexity",
        &with_schema(hello()),
        &expect![[r#"
        max_tokens: 1000
        messages:
          {"content":"Be brief.","role":"system"}
          {"content":"Hello?","role":"user"}
        model: "some-model"
        response_format: {"json_schema":{"name":"verdict","schema":{"additionalProperties":false,"properties":{"good":{"type":"boolean"}},"required":["good"],"type":"object"}},"type":"json_schema"}
        stream: true
        temperature: 0
    "#]],
    );
    check(
        "groq",
        &with_schema(hello()),
        &expect![[r#"
        max_completion_tokens: 1000
        messages:
          {"content":"Be brief.","role":"system"}
          {"content":"Hello?","role":"user"}
        model: "some-model"
        stream: true
        stream_options: {"include_usage":true}
        temperature: 0
        tool_choice: {"function":{"name":"verdict"},"type":"function"}
        tools:
          {"function":{"description":"Gives the answer.","name":"verdict","parameters":{"additionalProperties":false,"properties":{"good":{"type":"boolean"}},"required":["good"],"type":"object"}},"type":"function"}
    "#]],
    );
    check(
        "custom",
        &with_schema(hello()),
        &expect![[r#"
        max_tokens: 1000
        messages:
          {"content":"Be brief.\n\nYour final answer is one JSON object that follows this JSON schema, and nothing else: no text around it, no code fence.\n{\"additionalProperties\":false,\"properties\":{\"good\":{\"type\":\"boolean\"}},\"required\":[\"good\"],\"type\":\"object\"}","role":"system"}
          {"content":"Hello?","role":"user"}
        model: "some-model"
        stream: true
        stream_options: {"include_usage":true}
        temperature: 0
    "#]],
    );
}

/// Fields in an order that is not the one of the alphabet, and one of them optional.
const REASONED: &str = r#"{"type":"object","properties":{"why":{"type":"string"},"good":{"type":"boolean"},"also":{"type":"string"}},"required":["why","good"],"additionalProperties":false}"#;

#[test]
fn mo4_a_schema_is_sent_in_its_own_order() {
    let mut request = hello();
    request.schema = Some(Arc::new(Schema::parse("reasoned", REASONED).unwrap()));
    for name in ["perplexity", "groq", "deepseek"] {
        let stub = Stub::always(hi());
        let _ = once(&chat(name, &stub.url()), &request);
        let body = stub.seen()[0].body.replace("\\\"", "\"");
        assert!(body.contains(REASONED), "{name}: {body}");
    }
}

#[test]
fn mo4_what_the_strict_form_adds_is_taken_away_again() {
    let mut request = hello();
    request.schema = Some(Arc::new(Schema::parse("reasoned", REASONED).unwrap()));
    let answer = r#"{"why":"so","good":true,"also":null}"#;
    let stub = Stub::always(events(&[&text(answer), STOP, DONE]));
    let answer = once(&chat("openai", &stub.url()), &request).unwrap();
    expect![[r#"{"good":true,"why":"so"}"#]].assert_eq(&answer.value.unwrap().to_string());
    let strict = request.schema.unwrap().strict().unwrap();
    assert!(stub.seen()[0].body.contains(strict.text()), "{}", stub.seen()[0].body);
}

#[test]
fn mo4_a_schema_without_a_strict_form_is_sent_as_it_is() {
    let open = r#"{"type":"object","additionalProperties":{"type":"string"}}"#;
    let mut request = hello();
    request.schema = Some(Arc::new(Schema::parse("open", open).unwrap()));
    let stub = Stub::always(events(&[&text(r#"{"any":"thing"}"#), STOP, DONE]));
    let answer = once(&chat("openai", &stub.url()), &request).unwrap();
    expect!["the schema has no strict form: strict mode cannot say what stands at the root: an object with keys that are not listed"].assert_eq(&answer.facts.notes.join("\n"));
    assert!(stub.seen()[0].body.contains(open));
    assert!(!stub.seen()[0].body.contains("\"strict\""));
}

#[test]
fn mo4_a_schema_beside_tools() {
    check(
        "openai",
        &with_schema(with_tools(hello())),
        &expect![[r#"
        max_completion_tokens: 1000
        messages:
          {"content":"Be brief.","role":"developer"}
          {"content":"Hello?","role":"user"}
        model: "some-model"
        response_format: {"json_schema":{"name":"verdict","schema":{"additionalProperties":false,"properties":{"good":{"type":"boolean"}},"required":["good"],"type":"object"},"strict":true},"type":"json_schema"}
        stream: true
        stream_options: {"include_usage":true}
        temperature: 0
        tools:
          {"function":{"description":"Reads a file.","name":"read_file","parameters":{"properties":{"path":{"type":"string"}},"type":"object"}},"type":"function"}
    "#]],
    );
    check(
        "groq",
        &with_schema(with_tools(hello())),
        &expect![[r#"
        max_completion_tokens: 1000
        messages:
          {"content":"Be brief.","role":"system"}
          {"content":"Hello?","role":"user"}
        model: "some-model"
        stream: true
        stream_options: {"include_usage":true}
        temperature: 0
        tool_choice: "required"
        tools:
          {"function":{"description":"Reads a file.","name":"read_file","parameters":{"properties":{"path":{"type":"string"}},"type":"object"}},"type":"function"}
          {"function":{"description":"Gives the answer.","name":"verdict","parameters":{"additionalProperties":false,"properties":{"good":{"type":"boolean"}},"required":["good"],"type":"object"}},"type":"function"}
    "#]],
    );
}

#[test]
fn mo1_a_conversation_with_tools() {
    check(
        "openrouter",
        &later(hello()),
        &expect![[r#"
        x-title: refactor-bot
        max_tokens: 1000
        messages:
          {"content":"Be brief.","role":"system"}
          {"content":"Hello?","role":"user"}
          {"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{\"path\":\"x.rs\"}","name":"read_file"},"id":"a","type":"function"},{"function":{"arguments":"{\"path\":\"y.rs\"}","name":"read_file"},"id":"b","type":"function"}]}
          {"content":"fn x() {}","role":"tool","tool_call_id":"a"}
          {"content":"error: no such file","role":"tool","tool_call_id":"b"}
          {"content":"Done.","role":"assistant"}
          {"content":"And now?","role":"user"}
        model: "some-model"
        stream: true
        temperature: 0
        tools:
          {"function":{"description":"Reads a file.","name":"read_file","parameters":{"properties":{"path":{"type":"string"}},"type":"object"}},"type":"function"}
        usage: {"include":true}
    "#]],
    );
}

#[test]
fn mo1_a_provider_without_tools_says_so() {
    let stub = Stub::always(hi());
    let perplexity = chat("perplexity", &stub.url());
    assert!(!perplexity.abilities().tools);
    let error = once(&perplexity, &with_tools(hello())).unwrap_err();
    expect!["perplexity: the provider cannot do this: Perplexity calls no tools"]
        .assert_eq(&error.to_string());
    assert!(stub.seen().is_empty());
}

#[test]
fn mo1_the_model_of_the_provider_is_used_where_none_is_named() {
    let stub = Stub::always(hi());
    let mut request = hello();
    request.model = String::new();
    assert!(once(&chat("deepseek", &stub.url()), &request).is_ok());
    assert!(stub.seen()[0].body.contains("\"model\":\"deepseek-flash\""));
    let error = once(&chat("openrouter", &stub.url()), &request).unwrap_err();
    expect![
        "openrouter: the request was refused: no model is named, and OpenRouter has none of its own"
    ]
    .assert_eq(&error.to_string());
}

/// Where nobody knows whether a model thinks, its answer needs room for that.
#[test]
fn mo7_models_that_think_are_told_from_others() {
    let check = |provider: &str, model: &str, thinks: bool| {
        let chat = super::chat(provider, "http://127.0.0.1:9");
        assert_eq!(rb_models::Provider::thinks(&chat, model), thinks, "{provider} {model}");
    };
    check("openai", "gpt-5.4-mini", true);
    check("openai", "o3", true);
    check("openai", "gpt-4.1", false);
    check("deepseek", "deepseek-flash", false);
    check("custom", "m", true);
}
