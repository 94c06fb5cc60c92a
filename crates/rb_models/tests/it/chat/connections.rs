//! Connections that are not made, servers that say nothing, and keys that are not there.

use std::time::Duration;

use expect_test::{Expect, expect};
use rb_http::{HttpOptions, Proxy, Secret};
use rb_models::Provider as _;
use rb_models::providers::chat::Chat;
use rb_testkit::stub::{Reply, Stub};

use super::{events, hello, hi, options, text, told};

#[test]
fn mo8_silence_is_noticed_before_the_head_and_in_the_middle() {
    let check = |reply: Reply, expected: Expect| {
        let stub = Stub::always(reply);
        let mut request = hello();
        request.limits.first = Duration::from_millis(100);
        request.limits.idle = Duration::from_millis(100);
        let chat = super::chat("openai", &stub.url());
        expected.assert_eq(&told(&chat, &request, &stub.url()));
    };
    check(
        Reply::silence(),
        expect![[r#"
        openai: no sign of life for 0 s
        Stalled: retry
    "#]],
    );
    check(
        events(&[&text("Hal")]).then_silence(),
        expect![[r#"
        openai: no sign of life for 0 s
        Stalled: retry
    "#]],
    );
    let stub = Stub::always(Reply::silence());
    let mut request = hello();
    request.limits.whole = Duration::from_millis(100);
    let chat = super::chat("openai", &stub.url());
    expect![[r#"
        openai: no whole answer within 0 s
        TooSlow: stop: Limit
    "#]]
    .assert_eq(&told(&chat, &request, &stub.url()));
}

#[test]
fn mo8_connections_that_cannot_be_made_are_told_apart() {
    let gone = {
        let stub = Stub::always(hi());
        stub.url()
    };
    let check = |name: &str, url: &str, http: HttpOptions, expected: Expect| {
        let mut options = options(name, url);
        options.http = http;
        expected.assert_eq(&told(&Chat::new(options).unwrap(), &hello(), url));
    };
    let plain = rb_http::testing::unhurried;
    check(
        "openai",
        &gone,
        plain(),
        expect![[r#"
            openai: URL cannot be reached: Connection refused (os error 111)
            Unreachable: retry
            hint: check the network, the proxy and the address URL
        "#]],
    );
    check(
        "vllm",
        &gone,
        plain(),
        expect![[r#"
            vllm: URL cannot be reached: Connection refused (os error 111)
            Unreachable: retry
            hint: start vLLM, or give its address with `--base-url`
        "#]],
    );
    let stub = Stub::always(hi());
    check(
        "openai",
        &stub.url().replace("http:", "https:"),
        plain(),
        expect![[r#"
            openai: no safe connection: received corrupt message of type InvalidContentType
            Tls: stop: Environment
            hint: check that URL begins with the right one of http:// and https://
        "#]],
    );

    let proxy = Stub::always(Reply::status(407, "who are you?"));
    let through = Proxy { url: Secret::new(proxy.url()), except: Vec::new() };
    let http = HttpOptions { proxy: Some(through), ..plain() };
    check(
        "openai",
        "https://far.example/v1",
        http,
        expect![[r#"
            openai: URL cannot be reached: CONNECT proxy failed: proxy server responded 407/407
            Unreachable: stop: Environment
            hint: check the network, the proxy and the address URL
        "#]],
    );
    assert_eq!(proxy.seen()[0].line, "CONNECT far.example:443");

    let small = HttpOptions { largest_answer: 100, ..plain() };
    check(
        "openai",
        &stub.url(),
        small,
        expect![[r#"
        openai: the answer cannot be read: URL answered with more than 100 bytes
        Malformed: retry
    "#]],
    );
}

#[test]
fn mo3_a_missing_key_is_named_and_nothing_is_sent() {
    let stub = Stub::always(hi());
    let mut missing = options("openai", &stub.url());
    missing.key = None;
    let chat = Chat::new(missing).unwrap();
    expect![[r#"
        openai: no key is set
        NoKey: stop: Environment
        hint: set SOME_API_KEY
    "#]]
    .assert_eq(&told(&chat, &hello(), &stub.url()));
    let cancel = rb_core::Cancel::new();
    let calling = rb_models::Calling { cancel: &cancel, heard: &|_| {} };
    let error = chat.probe(&calling).unwrap_err();
    expect!["openai: no key is set; set SOME_API_KEY"]
        .assert_eq(&format!("{error}; {}", error.hint.as_deref().unwrap_or("")));
    assert!(stub.seen().is_empty());
}

#[test]
fn mo3_a_probe_asks_no_model() {
    let stub = Stub::new(|seen, _| match seen.line.as_str() {
        "GET /models" => Reply::ok(r#"{"data":[]}"#),
        _ => Reply::status(500, "no"),
    });
    let check = |name: &str, requests: usize, expected: Expect| {
        let before = stub.seen().len();
        let cancel = rb_core::Cancel::new();
        let calling = rb_models::Calling { cancel: &cancel, heard: &|_| {} };
        let probe = super::chat(name, &stub.url()).probe(&calling).unwrap();
        let host = stub.url().replace("http://", "");
        expected.assert_eq(&format!("{}, {}", probe.found.replace(&host, "HOST"), probe.login));
        assert_eq!(stub.seen().len() - before, requests);
    };
    check("openai", 0, expect!["HOST, key from SOME_API_KEY"]);
    // Whether it runs is free to find out.
    check("llamacpp", 1, expect!["HOST, key from SOME_API_KEY"]);
}

/// What `check_model` reports before the first call, and which requests it makes to find out.
#[test]
fn mo3_a_model_is_looked_for_without_asking_it() {
    let stub = Stub::new(|seen, _| match seen.line.as_str() {
        "GET /models" => Reply::ok(r#"{"data":[{"id":"large"},{"id":"maker/small"}]}"#),
        "GET /models/alias" => Reply::ok(r#"{"id":"large-2"}"#),
        _ => Reply::status(404, r#"{"error":{"message":"no such model"}}"#),
    });
    let closed = Stub::always(Reply::status(401, r#"{"error":{"message":"who are you?"}}"#));
    let broken = Stub::always(Reply::status(404, "this is no model list"));
    let check = |stub: &Stub, is_at_home: bool, model: &str, requests: usize, expected: Expect| {
        let before = stub.seen().len();
        let mut options = options("openai", &stub.url());
        if is_at_home {
            options.spec.base_url = Some(stub.url());
        }
        let cancel = rb_core::Cancel::new();
        let calling = rb_models::Calling { cancel: &cancel, heard: &|_| {} };
        let said = match Chat::new(options).unwrap().check_model(model, &calling) {
            Ok(()) => "ok".to_owned(),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&said);
        assert_eq!(stub.seen().len() - before, requests, "{model}");
    };
    check(&stub, true, "large", 1, expect!["ok"]);
    check(&stub, true, "maker/small:fast", 1, expect!["ok"]);
    check(&stub, true, "alias", 2, expect!["ok"]);
    check(
        &stub,
        true,
        "larger",
        2,
        expect!["openai: there is no model `larger` for this account: no such model"],
    );
    check(&stub, true, "not a name", 0, expect!["ok"]);
    // Servers elsewhere may take any name.
    check(&stub, false, "larger", 0, expect!["ok"]);
    check(&closed, true, "large", 1, expect!["openai: the key is not accepted: who are you?"]);
    check(&broken, true, "large", 1, expect!["ok"]);
}
