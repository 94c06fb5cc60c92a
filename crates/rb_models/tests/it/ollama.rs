//! Ollama's own language: windows, prompts that were cut, and every way to fail.

mod connections;
mod faults;
mod windows;

use expect_test::{Expect, expect};
use rb_http::testing::unhurried;
use rb_models::providers::ollama::{Ollama, OllamaOptions};
use rb_models::{Catalog, Message, Request, Tool, ToolCall, ToolResult};
use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

use crate::chat::{hello, once, told, with_schema, written};
use crate::support::{key, still};

/// One token for every four bytes, which is near enough here.
fn estimate(request: &Request) -> u64 {
    let text = |message: &Message| match message {
        Message::User { text } | Message::Assistant { text, .. } => text.len(),
        Message::Tools { results } => results.iter().map(|result| result.text.len()).sum(),
    };
    let bytes = request.system.len() + request.messages.iter().map(text).sum::<usize>();
    bytes.div_ceil(4) as u64
}

fn options(url: &str) -> OllamaOptions {
    OllamaOptions {
        spec: Catalog::bundled().get("ollama").unwrap().clone(),
        base_url: Some(url.to_owned()),
        key: Some(key()),
        key_setting: "OLLAMA_API_KEY".to_owned(),
        model: None,
        keep_alive: "10m".to_owned(),
        estimate,
        http: unhurried(),
        context: still(),
    }
}

fn ollama(url: &str) -> Ollama {
    Ollama::new(options(url)).unwrap()
}

const SHOW: &str = r#"{"capabilities":["completion","tools","thinking"],"model_info":{"general.architecture":"qwen3","qwen3.context_length":40960}}"#;

/// Knows the model, and answers every call so.
fn server(reply: Reply) -> Stub {
    Stub::new(move |seen, _| match seen.line.as_str() {
        "POST /api/show" => Reply::ok(SHOW),
        _ => reply.clone(),
    })
}

/// Tried once.
fn tried(request: &Request, reply: Reply) -> String {
    let stub = server(reply);
    let told = told(&ollama(&stub.url()), request, &stub.url());
    let lines: Vec<String> = stub.seen().into_iter().map(|seen| seen.line).collect();
    assert_eq!(lines, ["POST /api/show", "POST /api/chat"]);
    told
}

fn lines(lines: &[&str]) -> Reply {
    let pieces = lines.iter().map(|line| format!("{line}\n"));
    Reply::stream(pieces).header("content-type", "application/x-ndjson")
}

fn text(text: &str) -> String {
    let message = json!({ "role": "assistant", "content": text });
    json!({ "model": "some-model:latest", "message": message, "done": false }).to_string()
}

const DONE: &str = r#"{"model":"some-model:latest","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":5,"prompt_eval_count":26,"eval_count":3}"#;

fn check(request: &Request, data: &[&str], expected: &Expect) {
    expected.assert_eq(&tried(request, lines(data)));
}

fn with_tools(mut request: Request) -> Request {
    let input = json!({ "type": "object", "properties": { "path": { "type": "string" } } });
    let (name, description) = ("read_file".to_owned(), "Reads a file.".to_owned());
    request.tools = vec![Tool { name, description, input }];
    request
}

#[test]
fn mo1_an_answer_is_read_from_its_lines() {
    check(
        &hello(),
        &[&text("Hi"), &text("."), DONE],
        &expect![[r#"
        text  "Hi."
        stop  End
        usage 26 in, 3 out, 0 read, 0 written, 0 thought, ByProvider; Free
        facts ollama some-model:latest - 1
        heard Begun Text("Hi") Text(".") Busy
    "#]],
    );
    // Thoughts are no part of it, though none were asked for.
    let thought = json!({ "message": { "role": "assistant", "content": "", "thinking": "Hm." }, "done": false });
    check(
        &hello(),
        &[&thought.to_string(), "", &text("Hi."), DONE],
        &expect![[r#"
        text  "Hi."
        stop  End
        usage 26 in, 3 out, 0 read, 0 written, 0 thought, ByProvider; Free
        facts ollama some-model:latest - 1
        heard Begun Busy Text("Hi.") Busy
    "#]],
    );
    // In one piece, without counts and without a reason.
    let whole = json!({ "message": { "content": "Hi." }, "done": true }).to_string();
    check(
        &hello(),
        &[&whole],
        &expect![[r#"
        text  "Hi."
        stop  End
        usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Free
        facts ollama some-model - 1
        heard Begun Text("Hi.")
    "#]],
    );
    check(
        &with_schema(hello()),
        &[&text(r#"{"good":true}"#), DONE],
        &expect![[r#"
        text  "{\"good\":true}"
        value {"good":true}
        stop  End
        usage 26 in, 3 out, 0 read, 0 written, 0 thought, ByProvider; Free
        facts ollama some-model:latest - 1
        heard Begun Text("{\"good\":true}") Busy
    "#]],
    );
    check(
        &with_schema(hello()),
        &[&text("Good!"), DONE],
        &expect![[r#"
            ollama: the answer does not have the form that was asked for: the answer holds no JSON object
            NotAsAsked: tell the model: the answer holds no JSON object
            spent: 26 in, 3 out, ByProvider; Free
        "#]],
    );
    check(
        &with_schema(hello()),
        &[DONE],
        &expect![[r#"
        ollama: the answer does not have the form that was asked for: the answer is empty
        NotAsAsked: tell the model: the answer is empty
        spent: 26 in, 3 out, ByProvider; Free
    "#]],
    );
}

#[test]
fn mo1_where_pieces_end_means_nothing() {
    let whole = format!("{}\n{DONE}", text("Zoë 🦀"));
    for size in [1, 2, 3, 7] {
        let shown = tried(&hello(), Reply::stream(whole.as_bytes().chunks(size)));
        assert!(shown.starts_with("text  \"Zoë 🦀\""), "{size}");
    }
}

#[test]
fn mo1_tool_calls_are_numbered() {
    let calls =
        |calls: Value| json!({ "message": { "content": "", "tool_calls": calls } }).to_string();
    let read =
        |path: &str| json!({ "function": { "name": "read_file", "arguments": { "path": path } } });
    let first = calls(json!([read("a"), read("b")]));
    let second = calls(json!([{ "id": "own", "function": { "name": "read_file" } }]));
    check(
        &with_tools(hello()),
        &[&first, &second, DONE],
        &expect![[r#"
        call  call_1 read_file {"path":"a"}
        call  call_2 read_file {"path":"b"}
        call  own read_file {}
        stop  Tools
        usage 26 in, 3 out, 0 read, 0 written, 0 thought, ByProvider; Free
        facts ollama some-model:latest - 1
        heard Begun Busy Busy Busy
    "#]],
    );
    check(
        &hello(),
        &[&first, DONE],
        &expect![[r#"
        ollama: the answer does not have the form that was asked for: `read_file` was called, and there is no such tool
        NotAsAsked: tell the model: `read_file` was called, and there is no such tool
        spent: 26 in, 3 out, ByProvider; Free
    "#]],
    );
    let many: Vec<Value> = (0..200).map(|_| read("a")).collect();
    check(
        &with_tools(hello()),
        &[&calls(json!(many)), DONE],
        &expect![[r#"
        ollama: the answer cannot be read: more than 128 tool calls
        Malformed: retry
    "#]],
    );
}

/// What is sent, to the byte.
fn check_body(request: &Request, expected: &Expect) {
    let stub = server(lines(&[&text("Hi."), DONE]));
    let _ = once(&ollama(&stub.url()), request);
    let seen = &stub.seen()[1];
    expected.assert_eq(&written(&seen.body));
}

#[test]
fn mo6_what_is_sent() {
    check_body(
        &hello(),
        &expect![[r#"
        keep_alive: "10m"
        messages:
          {"content":"Be brief.","role":"system"}
          {"content":"Hello?","role":"user"}
        model: "some-model"
        options: {"num_ctx":4096,"num_predict":1000,"temperature":0}
        stream: true
        think: false
    "#]],
    );
    check_body(
        &with_schema(hello()),
        &expect![[r#"
        format: {"additionalProperties":false,"properties":{"good":{"type":"boolean"}},"required":["good"],"type":"object"}
        keep_alive: "10m"
        messages:
          {"content":"Be brief.\n\nYour final answer is one JSON object that follows this JSON schema, and nothing else: no text around it, no code fence.\n{\"additionalProperties\":false,\"properties\":{\"good\":{\"type\":\"boolean\"}},\"required\":[\"good\"],\"type\":\"object\"}","role":"system"}
          {"content":"Hello?","role":"user"}
        model: "some-model"
        options: {"num_ctx":4096,"num_predict":1000,"temperature":0}
        stream: true
        think: false
    "#]],
    );
    let mut later = with_schema(with_tools(hello()));
    let name = || "read_file".to_owned();
    let input = json!({ "path": "x.rs" });
    later.messages.extend([
        Message::Assistant {
            text: String::new(),
            tool_calls: vec![ToolCall { id: "call_1".to_owned(), name: name(), input }],
        },
        Message::Tools {
            results: vec![ToolResult {
                id: "call_1".to_owned(),
                name: name(),
                text: "no such file".to_owned(),
                failed: true,
            }],
        },
    ]);
    check_body(
        &later,
        &expect![[r#"
        keep_alive: "10m"
        messages:
          {"content":"Be brief.\n\nYour final answer is one JSON object that follows this JSON schema, and nothing else: no text around it, no code fence.\n{\"additionalProperties\":false,\"properties\":{\"good\":{\"type\":\"boolean\"}},\"required\":[\"good\"],\"type\":\"object\"}","role":"system"}
          {"content":"Hello?","role":"user"}
          {"content":"","role":"assistant","tool_calls":[{"function":{"arguments":{"path":"x.rs"},"name":"read_file"}}]}
          {"content":"error: no such file","role":"tool","tool_name":"read_file"}
        model: "some-model"
        options: {"num_ctx":4096,"num_predict":1000,"temperature":0}
        stream: true
        think: false
        tools:
          {"function":{"description":"Reads a file.","name":"read_file","parameters":{"properties":{"path":{"type":"string"}},"type":"object"}},"type":"function"}
    "#]],
    );
}
