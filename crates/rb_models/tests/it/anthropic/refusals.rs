//! Errors that the API names: each is one fault, with what follows from it.

use std::net::TcpListener;

use expect_test::{Expect, expect};
use rb_http::{HttpOptions, Proxy, Secret, testing};
use rb_models::providers::anthropic::{Anthropic, AnthropicOptions};
use rb_testkit::stub::{Reply, Stub};
use serde_json::{Value, json};

use super::{begun, check, options, plain, provider, stream, text};
use crate::support::story;

fn error(kind: &str, words: &str) -> Value {
    let error = json!({ "type": kind, "message": words });
    json!({ "type": "error", "error": error, "request_id": "req_1" })
}

fn refusal(status: u16, kind: &str, words: &str) -> Reply {
    Reply::status(status, error(kind, words).to_string())
}

#[test]
fn mo8_refusals_are_told_apart() {
    let check = |status, kind: &str, words: &str, expected: &Expect| {
        check(&plain(), refusal(status, kind, words), expected);
    };
    let invalid = "invalid_request_error";
    check(
        400,
        invalid,
        "messages: bad thing",
        &expect![[r#"
        anthropic: the request was refused: messages: bad thing
        BadRequest: stop: Usage
    "#]],
    );
    check(
        400,
        invalid,
        "prompt is too long: 210000 tokens > 200000 maximum",
        &expect![[r#"
        anthropic: the request is too long for the model: prompt is too long: 210000 tokens > 200000 maximum
        TooLong: tell the model: the request is too long for the model
    "#]],
    );
    let both = "input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000";
    check(
        400,
        invalid,
        both,
        &expect![[r#"
        anthropic: the request is too long for the model: input length and `max_tokens` exceed context limit: 190000 + 16000 > 200000
        TooLong: tell the model: the request is too long for the model
    "#]],
    );
    let broke = "Your credit balance is too low to access the Anthropic API.";
    check(
        400,
        invalid,
        broke,
        &expect![[r#"
        anthropic: the account has no credit left: Your credit balance is too low to access the Anthropic API.
        NoCredit: stop: Environment
        hint: add credit to the account of the key in ANTHROPIC_API_KEY, or raise its limit
    "#]],
    );
    let limit = "You have reached your specified API usage limits.";
    check(
        400,
        invalid,
        limit,
        &expect![[r#"
        anthropic: the account has no credit left: You have reached your specified API usage limits.
        NoCredit: stop: Environment
        hint: add credit to the account of the key in ANTHROPIC_API_KEY, or raise its limit
    "#]],
    );
}

#[test]
fn mo3_a_key_that_is_not_accepted_is_not_shown() {
    let check = |status, kind: &str, words: &str, expected: &Expect| {
        check(&plain(), refusal(status, kind, words), expected);
    };
    check(
        401,
        "authentication_error",
        "invalid x-api-key: swordfish",
        &expect![[r#"
        anthropic: the key is not accepted: invalid x-api-key: [key]
        BadKey: stop: Environment
        hint: check the key in ANTHROPIC_API_KEY, and that it may use this model
    "#]],
    );
    check(
        402,
        "billing_error",
        "Check your payment.",
        &expect![[r#"
        anthropic: the account has no credit left: Check your payment.
        NoCredit: stop: Environment
        hint: add credit to the account of the key in ANTHROPIC_API_KEY, or raise its limit
    "#]],
    );
    check(
        403,
        "permission_error",
        "Not for this key.",
        &expect![[r#"
        anthropic: the key is not accepted: Not for this key.
        BadKey: stop: Environment
        hint: check the key in ANTHROPIC_API_KEY, and that it may use this model
    "#]],
    );
    check(
        404,
        "not_found_error",
        "model: claude-test-1",
        &expect![[r#"
        anthropic: there is no model `claude-test-1` for this account: model: claude-test-1
        NoSuchModel: stop: Usage
        hint: name a model of this provider with `--model`
    "#]],
    );
    check(
        413,
        "request_too_large",
        "Request exceeds the maximum size",
        &expect![[r#"
        anthropic: the request is too long for the model: Request exceeds the maximum size
        TooLong: tell the model: the request is too long for the model
    "#]],
    );
    check(
        413,
        "invalid_request_error",
        "Request exceeds the maximum size",
        &expect![[r#"
        anthropic: the request is too long for the model: Request exceeds the maximum size
        TooLong: tell the model: the request is too long for the model
    "#]],
    );
}

#[test]
fn mo8_a_busy_server_is_tried_again() {
    let check = |status, kind: &str, words: &str, expected: &Expect| {
        check(&plain(), refusal(status, kind, words), expected);
    };
    check(
        429,
        "rate_limit_error",
        "Slow down.",
        &expect![[r#"
        anthropic: too many requests: Slow down.
        RateLimited: retry
    "#]],
    );
    check(
        429,
        "rate_limit_error",
        "The spend limit is reached.",
        &expect![[r#"
        anthropic: the account has no credit left: The spend limit is reached.
        NoCredit: stop: Environment
        hint: add credit to the account of the key in ANTHROPIC_API_KEY, or raise its limit
    "#]],
    );
    check(
        500,
        "api_error",
        "Internal server error",
        &expect![[r#"
        anthropic: the provider is overloaded or has a fault (500): Internal server error
        Overloaded: retry
    "#]],
    );
    check(
        503,
        "api_error",
        "Unavailable",
        &expect![[r#"
        anthropic: the provider is overloaded or has a fault (503): Unavailable
        Overloaded: retry
    "#]],
    );
    check(
        504,
        "timeout_error",
        "Timed out",
        &expect![[r#"
        anthropic: the provider is overloaded or has a fault (504): Timed out
        Overloaded: retry
    "#]],
    );
    check(
        529,
        "overloaded_error",
        "Overloaded",
        &expect![[r#"
        anthropic: the provider is overloaded or has a fault (529): Overloaded
        Overloaded: retry
    "#]],
    );
}

#[test]
fn mo8_the_wait_that_is_asked_for_is_handed_on() {
    let check = |after: &str, expected: &str| {
        let reply = refusal(429, "rate_limit_error", "Slow down.").header("retry-after", after);
        let stub = Stub::always(reply);
        let text = story(&provider(&stub.url()), &plain());
        assert_eq!(text.lines().nth(1), Some(expected), "{after}");
    };
    check("7", "RateLimited: retry after 7 s");
    check("Sun, 06 Nov 1994 08:50:07 GMT", "RateLimited: retry after 30 s");
    check("18000", "RateLimited: retry after 18000 s");
    check("soon", "RateLimited: retry");
    let busy = refusal(529, "overloaded_error", "Overloaded").header("retry-after", "2");
    let stub = Stub::always(busy);
    let text = story(&provider(&stub.url()), &plain());
    assert_eq!(text.lines().nth(1), Some("Overloaded: retry after 2 s"));
}

#[test]
fn mo8_what_is_not_the_api_is_judged_by_its_status() {
    check(
        &plain(),
        Reply::status(502, "<html>Bad gateway</html>"),
        &expect![[r#"
        anthropic: the provider is overloaded or has a fault (502): <html>Bad gateway</html>
        Overloaded: retry
    "#]],
    );
    check(
        &plain(),
        Reply::status(404, "<html>swordfish?</html>"),
        &expect![[r#"
        anthropic: the request was refused: http://127.0.0.1:PORT has no messages API: <html>[key]?</html>
        BadRequest: stop: Usage
    "#]],
    );
    check(
        &plain(),
        Reply::status(403, ""),
        &expect![[r#"
        anthropic: the key is not accepted: no reason was given
        BadKey: stop: Environment
        hint: check the key in ANTHROPIC_API_KEY, and that it may use this model
    "#]],
    );
    let moved = Reply::status(308, "").header("location", "https://elsewhere.example/");
    check(
        &plain(),
        moved,
        &expect![[r#"
        anthropic: the request was refused: it sends us on to https://elsewhere.example/, and redirects are not followed
        BadRequest: stop: Usage
    "#]],
    );
}

#[test]
fn mo8_an_error_behind_a_success_is_an_error() {
    let overloaded = error("overloaded_error", "Overloaded");
    check(
        &plain(),
        stream([&overloaded]),
        &expect![[r#"
        anthropic: the provider is overloaded or has a fault (529): Overloaded
        Overloaded: retry
    "#]],
    );
    let later = [vec![begun()], text(0, &["Well"]), vec![overloaded.clone()]].concat();
    check(
        &plain(),
        stream(&later),
        &expect![[r#"
            anthropic: the provider is overloaded or has a fault (529): Overloaded
            Overloaded: retry
            spent: 18 in, 1 out, Estimate; Unknown
        "#]],
    );
    check(
        &plain(),
        Reply::ok(overloaded.to_string()),
        &expect![[r#"
        anthropic: the provider is overloaded or has a fault (529): Overloaded
        Overloaded: retry
    "#]],
    );
    check(
        &plain(),
        stream(&[error("api_error", "swordfish")]),
        &expect![[r#"
        anthropic: the provider is overloaded or has a fault (500): [key]
        Overloaded: retry
    "#]],
    );
    check(
        &plain(),
        stream(&[error("timeout_error", "Timed out")]),
        &expect![[r#"
        anthropic: the provider is overloaded or has a fault (504): Timed out
        Overloaded: retry
    "#]],
    );
    check(
        &plain(),
        stream(&[error("rate_limit_error", "Slow down.")]),
        &expect![[r#"
        anthropic: too many requests: Slow down.
        RateLimited: retry
    "#]],
    );
    let long = error("invalid_request_error", "prompt is too long");
    check(
        &plain(),
        stream(&[long]),
        &expect![[r#"
        anthropic: the request is too long for the model: prompt is too long
        TooLong: tell the model: the request is too long for the model
    "#]],
    );
    check(
        &plain(),
        stream(&[error("odd_error", "\u{1b}[2J swordfish")]),
        &expect![[r#"
            anthropic: the answer broke off: an error came, "odd_error": [2J [key]
            Half: retry
        "#]],
    );
    check(
        &plain(),
        stream(&[json!({ "type": "error", "error": {} })]),
        &expect![[r#"
            anthropic: the answer broke off: an error came, "":
            Half: retry
        "#]],
    );
    check(
        &plain(),
        Reply::ok(r#"{"error":"no"}"#),
        &expect![[r#"
        anthropic: the answer cannot be read: an event of an unknown form: missing field `type`
        Malformed: retry
        hint: check the network, the proxy and the address http://127.0.0.1:PORT
    "#]],
    );
}

#[test]
fn mo8_a_server_that_is_not_there_is_tried_again() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let text = story(&provider(&format!("http://127.0.0.1:{port}")), &plain());
    expect![[r#"
        anthropic: http://127.0.0.1:PORT cannot be reached: Connection refused (os error 111)
        Unreachable: retry
        hint: check the network, the proxy and the address http://127.0.0.1:PORT
    "#]]
    .assert_eq(&text.replace(&format!(":{port}"), ":PORT"));
}

#[test]
fn mo8_plain_http_where_tls_was_expected() {
    let stub = Stub::always(Reply::ok("plain"));
    let text = story(&provider(&stub.url().replace("http:", "https:")), &plain());
    expect![[r#"
        anthropic: no safe connection: received corrupt message of type InvalidContentType
        Tls: stop: Environment
        hint: check the network, the proxy and the address https://127.0.0.1:PORT
    "#]]
    .assert_eq(&text.replace(&format!(":{}", stub.port()), ":PORT"));
}

#[test]
fn mo8_a_proxy_that_refuses_is_named() {
    let stub = Stub::always(Reply::status(407, "who are you?"));
    let url = Secret::new(format!("http://me:swordfish@127.0.0.1:{}", stub.port()));
    let proxy = Some(Proxy { url, except: Vec::new() });
    let http = HttpOptions { proxy, ..testing::unhurried() };
    let options = AnthropicOptions { http, ..options("http://far.example") };
    let text = story(&Anthropic::new(options).unwrap(), &plain());
    expect![[r#"
        anthropic: http://far.example cannot be reached: CONNECT proxy failed: proxy server responded 407/407
        Unreachable: stop: Environment
        hint: check the network, the proxy and the address http://far.example
    "#]].assert_eq(&text);
}
