//! Where providers differ from each other, as each of them documents it.

use expect_test::{Expect, expect};
use rb_models::{Provider as _, SchemaBy};
use rb_testkit::stub::{Reply, Stub};
use serde_json::json;

use super::{DONE, STOP, chat, events, piece, text, tried};
use super::{hello, once, with_schema};

fn check(name: &str, request: &rb_models::Request, data: &[&str], expected: &Expect) {
    expected.assert_eq(&tried(name, request, &events(data)));
}

#[test]
fn mo1_deepseek() {
    let thought =
        piece(&json!({ "index": 0, "delta": { "content": null, "reasoning_content": "Hm." } }));
    let usage = json!({ "choices": [], "usage": {
        "prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107,
        "prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 36,
    } })
    .to_string();
    let good = text(r#"{"good":true}"#);
    check(
        "deepseek",
        &with_schema(hello()),
        &[&thought, &good, STOP, &usage, DONE],
        &expect![[r#"
            text  "{\"good\":true}"
            value {"good":true}
            stop  End
            usage 36 in, 7 out, 64 read, 0 written, 0 thought, ByProvider; Unknown
            facts deepseek some-model-0613 chatcmpl-1 1
            heard Begun Busy Text("{\"good\":true}") Busy
        "#]],
    );
    // It may answer with nothing where JSON was asked for.
    check(
        "deepseek",
        &with_schema(hello()),
        &[&text(""), STOP, DONE],
        &expect![[r#"
        deepseek: the answer does not have the form that was asked for: the answer is empty
        NotAsAsked: tell the model: the answer is empty
    "#]],
    );
    // Empty lines and comments while it waits for a free machine.
    let waiting = Reply::events([
        "\n",
        "\n",
        ": keep-alive\n\n",
        &format!("data: {}\n\ndata: {STOP}\n\n", text("Hi.")),
    ]);
    expect![[r#"
        text  "Hi."
        stop  End
        usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
        facts deepseek some-model-0613 chatcmpl-1 1
        heard Begun Busy Text("Hi.") Busy
    "#]]
    .assert_eq(&tried("deepseek", &hello(), &waiting));
}

#[test]
fn mo1_perplexity() {
    // Each piece repeats the usage, the whole message so far, and the citations.
    let piece = |delta: &str, so_far: &str, finish: Option<&str>, tokens: u64| {
        json!({
            "id": "p-1", "model": "sonar-pro", "object": "chat.completion.chunk",
            "citations": ["https://a.example", "https://b.example"],
            "usage": {
                "prompt_tokens": 10, "completion_tokens": tokens, "total_tokens": 10 + tokens,
                "search_context_size": "low",
                "cost": { "input_tokens_cost": 0.00003, "request_cost": 0.006, "total_cost": 0.00642 },
            },
            "choices": [{
                "index": 0, "finish_reason": finish,
                "message": { "role": "assistant", "content": so_far },
                "delta": { "role": "assistant", "content": delta },
            }],
        })
        .to_string()
    };
    let data = [
        &*piece("<think>\nI", "<think>\nI", None, 1),
        &*piece(" see.</think>\n\n{\"good\"", "…", None, 2),
        &*piece(":true}", "…", Some("stop"), 26),
    ];
    check(
        "perplexity",
        &with_schema(hello()),
        &data,
        &expect![[r#"
        text  "{\"good\":true}"
        value {"good":true}
        stop  End
        usage 10 in, 26 out, 0 read, 0 written, 0 thought, ByProvider; Reported(Usd { nano: 6420000 })
        facts perplexity sonar-pro p-1 1
        note  the answer cites 2 web pages
        heard Begun Busy Busy Text(":true}")
    "#]],
    );
    // Reasoning that never came to an answer.
    let data = [&*piece("<think>\nI wonder", "…", Some("stop"), 26)];
    check(
        "perplexity",
        &with_schema(hello()),
        &data,
        &expect![[r#"
        perplexity: the answer does not have the form that was asked for: the answer is empty
        NotAsAsked: tell the model: the answer is empty
        spent: 10 in, 26 out, ByProvider; Reported(Usd { nano: 6420000 })
    "#]],
    );
    let gone = Reply::status(404, r#"{"error":{"message":"The model endpoint is gone"}}"#);
    expect![[r#"
        perplexity: there is no model `some-model` for this account: The model endpoint is gone
        NoSuchModel: stop: Usage
        hint: name a model that the account can use with `--model`. Perplexity announced the end of its chat completions for 2026-09-27; its models are also to be had through `openrouter`
    "#]].assert_eq(&tried("perplexity", &hello(), &gone));
}

#[test]
fn mo1_openrouter() {
    let usage =
        json!({ "id": "gen-1", "model": "anthropic/claude-sonnet-5", "choices": [], "usage": {
        "prompt_tokens": 194, "completion_tokens": 2, "total_tokens": 196, "cost": 0.000_95,
        "prompt_tokens_details": { "cached_tokens": 0, "cache_write_tokens": 100 },
    } })
        .to_string();
    let waiting = [
        ": OPENROUTER PROCESSING\n\n".to_owned(),
        ": OPENROUTER PROCESSING\n\n".to_owned(),
        format!("data: {}\n\ndata: {STOP}\n\ndata: {usage}\n\ndata: {DONE}\n\n", text("Hi.")),
    ];
    expect![[r#"
        text  "Hi."
        stop  End
        usage 94 in, 2 out, 0 read, 100 written, 0 thought, ByProvider; Reported(Usd { nano: 950000 })
        facts openrouter some-model-0613 chatcmpl-1 1
        heard Begun Busy Busy Text("Hi.") Busy
    "#]].assert_eq(&tried("openrouter", &hello(), &Reply::events(waiting)));
    let credits = r#"{"error":{"code":402,"message":"Insufficient credits"}}"#;
    expect![[r#"
        openrouter: the account has no credit left: Insufficient credits
        NoCredit: stop: Environment
        hint: look at the balance of your account at OpenRouter
    "#]]
    .assert_eq(&tried("openrouter", &hello(), &Reply::status(402, credits)));
}

#[test]
fn mo4_a_forced_function_gives_the_value() {
    let call = |name: &str, arguments: &str| {
        let function = json!({ "name": name, "arguments": arguments });
        piece(
            &json!({ "index": 0, "delta": { "tool_calls": [{ "index": 0, "id": "f", "function": function }] } }),
        )
    };
    let request = with_schema(hello());
    check(
        "groq",
        &request,
        &[&call("verdict", r#"{"good":true}"#), STOP, DONE],
        &expect![[r#"
        value {"good":true}
        stop  End
        usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
        facts groq some-model-0613 chatcmpl-1 1
        heard Begun Busy Busy
    "#]],
    );
    // Words instead of the function, and another function.
    check(
        "groq",
        &request,
        &[&text(r#"{"good":false}"#), STOP, DONE],
        &expect![[r#"
        text  "{\"good\":false}"
        value {"good":false}
        stop  End
        usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
        facts groq some-model-0613 chatcmpl-1 1
        heard Begun Text("{\"good\":false}") Busy
    "#]],
    );
    check(
        "groq",
        &request,
        &[&text("It is good."), STOP, DONE],
        &expect![[r#"
            groq: the answer does not have the form that was asked for: the answer holds no JSON object
            NotAsAsked: tell the model: the answer holds no JSON object
        "#]],
    );
    check(
        "groq",
        &request,
        &[&call("look", "{}"), STOP, DONE],
        &expect![[r#"
        groq: the answer does not have the form that was asked for: `look` was called, and there is no such tool
        NotAsAsked: tell the model: `look` was called, and there is no such tool
    "#]],
    );
}

#[test]
fn mo1_local_servers_cost_nothing_and_need_no_key() {
    let stub = Stub::always(super::hi());
    let mut options = super::options("llamacpp", &stub.url());
    options.key = None;
    let local = rb_models::providers::chat::Chat::new(options).unwrap();
    let answer = once(&local, &hello()).unwrap();
    assert_eq!(answer.cost, rb_models::Cost::Free);
    assert_eq!(stub.seen()[0].header("authorization"), None);
    assert!(!local.abilities().paid);
}

#[test]
fn mo4_abilities_say_who_sees_to_the_schema() {
    let check = |name: &str, by: SchemaBy, window: Option<u64>| {
        let abilities = chat(name, "http://127.0.0.1:1").abilities();
        assert_eq!((abilities.schema, abilities.window), (by, window), "{name}");
    };
    check("openai", SchemaBy::Provider, Some(400_000));
    check("groq", SchemaBy::Provider, Some(131_072));
    check("deepseek", SchemaBy::Prompt, Some(1_000_000));
    check("custom", SchemaBy::Prompt, None);
}
