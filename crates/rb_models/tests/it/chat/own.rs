//! Providers without a line of code: each is a file of the user's, and a call goes through it.

use expect_test::{Expect, expect};
use rb_models::catalog::Wire;
use rb_models::providers::chat::{Chat, ChatOptions};
use rb_models::{Catalog, Price};
use rb_testkit::stub::Stub;
use serde_json::Value;

use super::{DONE, STOP, events, text};
use super::{hello, once, told, with_schema};
use crate::support::{key, still};

/// `URL` in the file is where the server is.
fn check(file: &str, expected: &Expect) {
    let reply = events(&[&text(r#"<think>Yes.</think>{"good":true}"#), STOP, super::USAGE, DONE]);
    let stub = Stub::always(reply);
    let own = vec![("own.toml".to_owned(), file.replace("URL", &stub.url()))];
    let catalog = Catalog::with(own).unwrap();
    let spec = catalog.get("own").unwrap().clone();
    assert_eq!(spec.wire, Wire::Chat);
    let mut request = with_schema(hello());
    request.model = String::new();
    let chat = Chat::new(ChatOptions {
        spec,
        base_url: None,
        key: Some(key()),
        key_setting: "OWN_KEY".to_owned(),
        http: rb_http::testing::unhurried(),
        context: still(),
    })
    .unwrap();
    let usage = once(&chat, &request).unwrap().usage;
    let price = catalog.price("own", "m").map(|price: Price| price.of(&usage));
    let seen = &stub.seen()[0];
    let mut body: Value = serde_json::from_str(&seen.body).unwrap();
    body["messages"].take();
    expected.assert_eq(&format!(
        "{}\n{body}\nprice {}\n{}",
        seen.line,
        price.map_or("unknown".to_owned(), |price| price.to_string()),
        told(&chat, &request, &stub.url())
    ));
}

#[test]
fn mo1_a_users_file_is_a_provider() {
    let head = "name = \"own\"\nwire = \"chat\"\ndefault_model = \"m\"\nkeys = [\"OWN_KEY\"]\n";
    // As little as there can be.
    check(
        &format!("{head}base_url = \"URL\"\n[quirks]\nreasoning = \"think_tags\""),
        &expect![[r#"
            POST /chat/completions
            {"max_tokens":1000,"messages":null,"model":"m","stream":true,"stream_options":{"include_usage":true},"temperature":0}
            price unknown
            text  "{\"good\":true}"
            value {"good":true}
            stop  End
            usage 12 in, 3 out, 0 read, 0 written, 0 thought, ByProvider; Unknown
            facts own some-model-0613 chatcmpl-1 1
            heard Begun Busy Busy
        "#]],
    );
    // A gateway with a path of its own and prices.
    check(
        &format!(
            "{head}base_url = \"URL/gateway/v3/\"\n[quirks]\npath = \"/answers\"\nschema = \"json_schema_strict\"\n\
             reasoning = \"think_tags\"\noutput_limit = \"max_completion_tokens\"\nstream_usage = false\n\
             [[model]]\nname = \"m\"\nmax_output = 500\npublished = \"2026-01-01\"\ninput = 3\noutput = 15"
        ),
        &expect![[r#"
            POST /gateway/v3/answers
            {"max_completion_tokens":500,"messages":null,"model":"m","response_format":{"json_schema":{"name":"verdict","schema":{"additionalProperties":false,"properties":{"good":{"type":"boolean"}},"required":["good"],"type":"object"},"strict":true},"type":"json_schema"},"stream":true,"temperature":0}
            price $0.000081
            text  "{\"good\":true}"
            value {"good":true}
            stop  End
            usage 12 in, 3 out, 0 read, 0 written, 0 thought, ByProvider; Unknown
            facts own some-model-0613 chatcmpl-1 1
            heard Begun Busy Busy
        "#]],
    );
    // An old server on the user's own machine.
    check(
        &format!(
            "{head}local = true\nbase_url = \"URL/v1\"\n[quirks]\nschema = \"json_object\"\n\
             reasoning = \"think_tags\"\nno_temperature = [\"m\"]\ntools = false"
        ),
        &expect![[r#"
            POST /v1/chat/completions
            {"max_tokens":1000,"messages":null,"model":"m","response_format":{"type":"json_object"},"stream":true,"stream_options":{"include_usage":true}}
            price unknown
            text  "{\"good\":true}"
            value {"good":true}
            stop  End
            usage 12 in, 3 out, 0 read, 0 written, 0 thought, ByProvider; Free
            facts own some-model-0613 chatcmpl-1 1
            heard Begun Busy Busy
        "#]],
    );
}

#[test]
fn mo1_a_server_is_named_by_its_address_alone() {
    let spec = Catalog::bundled().get("custom").unwrap().clone();
    let options = |base_url: Option<String>| ChatOptions {
        spec: spec.clone(),
        base_url,
        key: None,
        key_setting: "REFACTOR_BOT_API_KEY".to_owned(),
        http: rb_http::testing::unhurried(),
        context: still(),
    };
    let error = Chat::new(options(None)).err().unwrap();
    expect!["the address of the server is not of the form http://HOST:PORT or https://HOST"]
        .assert_eq(&error.to_string());
    let stub = Stub::always(super::hi());
    let custom = Chat::new(options(Some(stub.url()))).unwrap();
    expect![[r#"
        text  "Hi."
        stop  End
        usage 12 in, 3 out, 0 read, 0 written, 0 thought, ByProvider; Unknown
        facts custom some-model-0613 chatcmpl-1 1
        heard Begun Text("Hi") Text(".") Busy
    "#]]
    .assert_eq(&told(&custom, &hello(), &stub.url()));
}
