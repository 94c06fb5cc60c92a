//! The size of the window, and prompts that did not fit.

use expect_test::{Expect, expect};
use rb_models::{Provider as _, Request};
use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

use super::{DONE, lines, ollama, text, tried};
use crate::chat::{failed, hello, once};

/// A request of so many tokens by our count.
fn long(tokens: usize) -> Request {
    let mut request = hello();
    request.system = String::new();
    request.messages = vec![rb_models::Message::User { text: "abcd".repeat(tokens) }];
    request
}

fn done(read: u64, reason: &str) -> String {
    json!({ "done": true, "done_reason": reason, "prompt_eval_count": read, "eval_count": 3 })
        .to_string()
}

#[test]
fn mo1_the_window_is_as_large_as_the_request_needs() {
    let check = |tokens: usize, show: Value, expected: Result<u64, &str>| {
        let reply = lines(&[&text("Hi."), &done(tokens as u64, "stop")]);
        let show = show.to_string();
        let stub = Stub::new(move |seen, _| match seen.line.as_str() {
            "POST /api/show" => Reply::ok(&show),
            _ => reply.clone(),
        });
        let result = once(&ollama(&stub.url()), &long(tokens));
        match expected {
            Ok(window) => {
                let body: Value = serde_json::from_str(&stub.seen()[1].body).unwrap();
                assert_eq!(body["options"]["num_ctx"], window, "{tokens}");
                assert_eq!(body["options"]["num_predict"], 1000);
                assert!(result.is_ok(), "{result:?}");
            }
            Err(said) => {
                assert_eq!(failed(result, &stub.url()).lines().next(), Some(said));
                assert_eq!(stub.seen().len(), 1, "nothing is sent in vain");
            }
        }
    };
    let model = |window: u64| json!({ "model_info": { "llama.context_length": window } });
    check(10, json!({}), Ok(4096));
    check(3096, json!({}), Ok(4096));
    check(3097, json!({}), Ok(8192));
    check(20_000, model(131_072), Ok(32_768));
    // The model's own window is all there is; the answer has what is left of it.
    check(7500, model(8192), Ok(8192));
    check(
        8192,
        model(8192),
        Err(
            "ollama: the request is too long for the model: 8192 tokens by our count, and the window has 8192",
        ),
    );
}

#[test]
fn mo1_a_prompt_that_was_cut_is_noticed() {
    let check = |read: u64, expected: Expect| {
        let shown = tried(&long(10_000), lines(&[&text("Hi."), &done(read, "stop")]));
        expected.assert_eq(shown.lines().next().unwrap());
    };
    check(10_000, expect![[r#"text  "Hi.""#]]);
    // Another vocabulary counts otherwise.
    check(6000, expect![[r#"text  "Hi.""#]]);
    check(
        5999,
        expect!["ollama: the prompt was cut: 10000 tokens were sent by our count, 5999 were read"],
    );
    // As many as the window holds: the rest is gone.
    check(
        16_384,
        expect!["ollama: the prompt was cut: 10000 tokens were sent by our count, 16384 were read"],
    );
    // A server that counts nothing says nothing.
    check(0, expect![[r#"text  "Hi.""#]]);
    // Also where the answer was cut: the prompt was first.
    let shown = tried(&long(10_000), lines(&[&text("Hi."), &done(2048, "length")]));
    expect![[r#"
        ollama: the prompt was cut: 10000 tokens were sent by our count, 2048 were read
        PromptCut: tell the model: the request is too long for the model
        hint: use a model with a larger window
        spent: 2048 in, 3 out, ByProvider; Free
    "#]]
    .assert_eq(&shown);
}

#[test]
fn mo1_thinking_is_switched_off_where_there_is_some() {
    let check = |show: &'static str, expected: Option<bool>| {
        let stub = Stub::new(move |seen, _| match seen.line.as_str() {
            "POST /api/show" => Reply::ok(show),
            _ => lines(&[&text("Hi."), DONE]),
        });
        once(&ollama(&stub.url()), &hello()).unwrap();
        let body: Value = serde_json::from_str(&stub.seen()[1].body).unwrap();
        assert_eq!(body.get("think").and_then(Value::as_bool), expected, "{show}");
    };
    check(r#"{"capabilities":["completion","thinking"]}"#, Some(false));
    check(r#"{"capabilities":["completion"]}"#, None);
    check("{}", Some(false));
}

#[test]
fn mo1_a_server_that_knows_nothing_of_models_is_asked_all_the_same() {
    let reply = lines(&[&text("Hi."), &done(10, "stop")]);
    let stub = Stub::new(move |seen, _| match seen.line.as_str() {
        "POST /api/chat" => reply.clone(),
        _ => Reply::status(404, "404 page not found"),
    });
    assert_eq!(once(&ollama(&stub.url()), &long(10)).unwrap().text, "Hi.");
}

#[test]
fn mo1_a_model_is_looked_up_once() {
    let stub = super::server(lines(&[&text("Hi."), DONE]));
    let provider = ollama(&stub.url());
    assert_eq!(provider.abilities().window, None);
    for _ in 0..3 {
        once(&provider, &hello()).unwrap();
    }
    let looked = stub.seen().iter().filter(|seen| seen.line == "POST /api/show").count();
    assert_eq!(looked, 1);
}
