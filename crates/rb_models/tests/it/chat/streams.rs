//! What is read out of a stream, whatever its shape.

use std::sync::Mutex;

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_models::{Calling, Provider as _, Tool};
use rb_testkit::stub::{Gate, Reply, Stub};
use serde_json::json;

use super::{DONE, STOP, USAGE, chat, events, piece, text, tried};
use super::{hello, with_schema};

fn check(reply: &Reply, expected: &Expect) {
    expected.assert_eq(&tried("openai", &hello(), reply));
}

#[test]
fn mo1_an_answer_is_read_from_its_pieces() {
    check(
        &super::hi(),
        &expect![[r#"
        text  "Hi."
        stop  End
        usage 12 in, 3 out, 0 read, 0 written, 0 thought, ByProvider; Unknown
        facts openai some-model-0613 chatcmpl-1 1
        heard Begun Text("Hi") Text(".") Busy
    "#]],
    );
    // Signs of life, empty pieces, names of events, other line ends.
    let odd = [
        ": keep-alive\n\n",
        "\n\n",
        "event: message\r\n",
        &format!("data: {}\r\n\r\n", text("Hi")),
        ": OPENROUTER PROCESSING\n\n",
        "data:\n\n",
        &format!("data:{}\n\n", text(".")),
        &format!("data: {STOP}\n\ndata: {DONE}\n\n"),
        "data: never read\n\n",
    ];
    check(
        &Reply::events(odd),
        &expect![[r#"
        text  "Hi."
        stop  End
        usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
        facts openai some-model-0613 chatcmpl-1 1
        heard Begun Busy Text("Hi") Busy Text(".") Busy
    "#]],
    );
    // Without an end mark, but with a reason to end.
    check(
        &events(&[&text("Hi."), STOP]),
        &expect![[r#"
        text  "Hi."
        stop  End
        usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
        facts openai some-model-0613 chatcmpl-1 1
        heard Begun Text("Hi.") Busy
    "#]],
    );
    // With an end mark, but without a reason to end.
    check(
        &events(&[&text("Hi."), DONE]),
        &expect![[r#"
        text  "Hi."
        stop  End
        usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
        facts openai some-model-0613 chatcmpl-1 1
        heard Begun Text("Hi.")
    "#]],
    );
    // Other choices were not asked for.
    let second = piece(&json!({ "index": 1, "delta": { "content": "Ho" } }));
    check(
        &events(&[&text("Hi."), &second, STOP, DONE]),
        &expect![[r#"
        text  "Hi."
        stop  End
        usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
        facts openai some-model-0613 chatcmpl-1 1
        heard Begun Text("Hi.") Busy
    "#]],
    );
    // Content in parts.
    let parts = json!([{ "type": "thinking" }, { "type": "text", "text": "Hi." }]);
    let parts = piece(&json!({ "index": 0, "delta": { "content": parts } }));
    check(
        &events(&[&parts, STOP, DONE]),
        &expect![[r#"
        text  "Hi."
        stop  End
        usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
        facts openai some-model-0613 chatcmpl-1 1
        heard Begun Text("Hi.") Busy
    "#]],
    );
}

#[test]
fn mo1_where_pieces_end_means_nothing() {
    let whole = format!("data: {}\n\ndata: {STOP}\n\ndata: {DONE}\n\n", text("Zoë 🦀"));
    for size in [1, 2, 3, 7] {
        let reply = Reply::events(whole.as_bytes().chunks(size));
        assert!(tried("openai", &hello(), &reply).starts_with("text  \"Zoë 🦀\""), "{size}");
    }
}

#[test]
fn mo1_a_server_that_does_not_stream_is_understood() {
    let whole = json!({
        "id": "chatcmpl-9",
        "model": "some-model",
        "choices": [{
            "index": 0,
            "message": { "role": "assistant", "content": "Hi.", "refusal": null, "tool_calls": null },
            "finish_reason": "stop",
        }],
        "usage": { "prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7 },
    });
    check(
        &Reply::ok(format!("\n\n{whole}\n")),
        &expect![[r#"
        text  "Hi."
        stop  End
        usage 5 in, 2 out, 0 read, 0 written, 0 thought, ByProvider; Unknown
        facts openai some-model chatcmpl-9 1
        heard Begun Text("Hi.")
    "#]],
    );
}

#[test]
fn mo7_usage_is_taken_apart() {
    let check = |usage: serde_json::Value, expected: &Expect| {
        let usage = json!({ "choices": [], "usage": usage }).to_string();
        check(&events(&[&text("Hi."), STOP, &usage, DONE]), expected);
    };
    check(
        json!({
            "prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150,
            "prompt_tokens_details": { "cached_tokens": 64, "cache_write_tokens": 10 },
            "completion_tokens_details": { "reasoning_tokens": 30 },
        }),
        &expect![[r#"
            text  "Hi."
            stop  End
            usage 26 in, 50 out, 64 read, 10 written, 30 thought, ByProvider; Unknown
            facts openai some-model-0613 chatcmpl-1 1
            heard Begun Text("Hi.") Busy
        "#]],
    );
    // Reasoning that only the total counts.
    check(
        json!({
            "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 45,
            "completion_tokens_details": { "reasoning_tokens": 30 },
        }),
        &expect![[r#"
            text  "Hi."
            stop  End
            usage 10 in, 35 out, 0 read, 0 written, 30 thought, ByProvider; Unknown
            facts openai some-model-0613 chatcmpl-1 1
            heard Begun Text("Hi.") Busy
        "#]],
    );
    check(
        json!(null),
        &expect![[r#"
        text  "Hi."
        stop  End
        usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
        facts openai some-model-0613 chatcmpl-1 1
        heard Begun Text("Hi.") Busy
    "#]],
    );
    // Nonsense is no reason to fail.
    check(
        json!({ "prompt_tokens": 1, "prompt_tokens_details": { "cached_tokens": 9 }, "total_tokens": -4 }),
        &expect![[r#"
            text  "Hi."
            stop  End
            usage 0 in, 0 out, 1 read, 0 written, 0 thought, ByProvider; Unknown
            facts openai some-model-0613 chatcmpl-1 1
            heard Begun Text("Hi.") Busy
        "#]],
    );
}

/// Tool calls as servers send them.
#[test]
fn mo1_tool_calls_are_put_together_from_pieces() {
    let check = |pieces: &[serde_json::Value], expected: &Expect| {
        let mut request = hello();
        let input = json!({ "type": "object" });
        request.tools =
            vec![Tool { name: "look".to_owned(), description: "Looks.".to_owned(), input }];
        let mut data: Vec<String> = pieces
            .iter()
            .map(|calls| piece(&json!({ "index": 0, "delta": { "tool_calls": calls } })))
            .collect();
        data.push(
            r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#.to_owned(),
        );
        let data: Vec<&str> = data.iter().map(String::as_str).collect();
        expected.assert_eq(&tried("openai", &request, &events(&data)));
    };
    // In parallel, arguments in pieces, by number.
    check(
        &[
            json!([{ "index": 0, "id": "a", "type": "function", "function": { "name": "look", "arguments": "" } }]),
            json!([{ "index": 1, "id": "b", "type": "function", "function": { "name": "look", "arguments": "" } }]),
            json!([{ "index": 0, "function": { "arguments": "{\"at\":" } }, { "index": 1, "function": { "arguments": "{}" } }]),
            json!([{ "index": 0, "function": { "arguments": "\"x\"}" } }]),
        ],
        &expect![[r#"
            call  a look {"at":"x"}
            call  b look {}
            stop  Tools
            usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
            facts openai some-model-0613 chatcmpl-1 1
            heard Begun Busy Busy Busy Busy Busy
        "#]],
    );
    // No ids, the name with every piece.
    check(
        &[
            json!([{ "index": 0, "function": { "name": "look", "arguments": "{\"at\"" } }]),
            json!([{ "index": 0, "function": { "name": "look", "arguments": ":1}" } }]),
            json!([{ "index": 1, "id": null, "function": { "name": "look", "arguments": null } }]),
        ],
        &expect![[r#"
            call  call_1 look {"at":1}
            call  call_2 look {}
            stop  Tools
            usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
            facts openai some-model-0613 chatcmpl-1 1
            heard Begun Busy Busy Busy Busy
        "#]],
    );
    // All with the same number, or none, and arguments as an object.
    check(
        &[
            json!([{ "index": 0, "id": "a", "function": { "name": "look", "arguments": { "at": 1 } } }]),
            json!([{ "index": 0, "id": "b", "function": { "name": "look", "arguments": { "at": 2 } } }]),
        ],
        &expect![[r#"
            call  a look {"at":1}
            call  b look {"at":2}
            stop  Tools
            usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
            facts openai some-model-0613 chatcmpl-1 1
            heard Begun Busy Busy Busy
        "#]],
    );
    check(
        &[
            json!([{ "function": { "name": "look", "arguments": "{\"at\":" } }]),
            json!([{ "function": { "arguments": "1}" } }]),
            json!([{ "function": { "name": "look", "arguments": "{\"at\":2}" } }]),
        ],
        &expect![[r#"
            call  call_1 look {"at":1}
            call  call_2 look {"at":2}
            stop  Tools
            usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
            facts openai some-model-0613 chatcmpl-1 1
            heard Begun Busy Busy Busy Busy
        "#]],
    );
    // Broken arguments are the model's fault, and it is told.
    check(
        &[json!([{ "index": 0, "id": "a", "function": { "name": "look", "arguments": "{at" } }])],
        &expect![[r#"
            openai: the answer does not have the form that was asked for: the arguments of `look` are no JSON: key must be a string at line 1 column 2
            NotAsAsked: tell the model: the arguments of `look` are no JSON: key must be a string at line 1 column 2
        "#]],
    );
    let many: Vec<_> =
        (0..200).map(|n| json!({ "index": n, "function": { "name": "look" } })).collect();
    check(
        &[json!(many)],
        &expect![[r#"
        openai: the answer cannot be read: more than 128 tool calls
        Malformed: retry
    "#]],
    );
}

#[test]
fn mo4_a_value_is_found_or_asked_for_again() {
    let check = |content: &str, expected: &Expect| {
        let reply = events(&[&text(content), STOP, USAGE, DONE]);
        expected.assert_eq(&tried("openai", &with_schema(hello()), &reply));
    };
    check(
        r#"{"good":true}"#,
        &expect![[r#"
        text  "{\"good\":true}"
        value {"good":true}
        stop  End
        usage 12 in, 3 out, 0 read, 0 written, 0 thought, ByProvider; Unknown
        facts openai some-model-0613 chatcmpl-1 1
        heard Begun Text("{\"good\":true}") Busy
    "#]],
    );
    check(
        "I think it is good.",
        &expect![[r#"
            openai: the answer does not have the form that was asked for: the answer holds no JSON object
            NotAsAsked: tell the model: the answer holds no JSON object
            spent: 12 in, 3 out, ByProvider; Unknown
        "#]],
    );
    check(
        "",
        &expect![[r#"
        openai: the answer does not have the form that was asked for: the answer is empty
        NotAsAsked: tell the model: the answer is empty
        spent: 12 in, 3 out, ByProvider; Unknown
    "#]],
    );
}

#[test]
fn mo8_every_piece_of_a_slow_trickle_is_a_sign_of_life() {
    let gate = Gate::new();
    let pieces = ["H", "i", "."].map(|piece| format!("data: {}\n\n", text(piece)));
    let end = format!("data: {STOP}\n\ndata: {DONE}\n\n");
    let all = [&[": alive\n\n".to_owned()], pieces.as_slice(), &[end]].concat();
    let stub = Stub::always(Reply::events(all).gated(&gate));
    let (cancel, heard) = (Cancel::new(), Mutex::new(Vec::new()));
    let calling = Calling {
        cancel: &cancel,
        // The next piece comes only after the last one was noticed.
        heard: &|sign| {
            heard.lock().unwrap().push(format!("{sign:?}"));
            gate.open();
        },
    };
    let result = chat("openai", &stub.url()).ask(&hello(), &calling);
    assert_eq!(result.unwrap().text, "Hi.");
    expect![[r#"Begun Busy Text("H") Text("i") Text(".") Busy"#]]
        .assert_eq(&heard.into_inner().unwrap().join(" "));
}
