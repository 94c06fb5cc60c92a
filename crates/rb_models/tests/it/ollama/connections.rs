//! Servers that are not there, say nothing, or are no longer wanted.

use std::thread;
use std::time::Duration;

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_http::HttpOptions;
use rb_models::providers::ollama::Ollama;
use rb_models::{Calling, Heard, Provider as _};
use rb_testkit::stub::{Gate, Reply, Stub};

use super::{DONE, lines, ollama, options, server, text};
use crate::chat::{failed, hello, told};

#[test]
fn mo8_silence_is_noticed_before_the_head_and_in_the_middle() {
    let check = |reply: Reply| {
        let stub = server(reply);
        let mut request = hello();
        request.limits.first = Duration::from_millis(100);
        request.limits.idle = Duration::from_millis(100);
        let shown = told(&ollama(&stub.url()), &request, &stub.url());
        assert_eq!(shown, "ollama: no sign of life for 0 s\nStalled: retry\n");
    };
    check(Reply::silence());
    check(lines(&[&text("Hal")]).then_silence());
}

#[test]
fn mo8_connections_that_cannot_be_made_are_told_apart() {
    let gone = {
        let stub = server(lines(&[DONE]));
        stub.url()
    };
    let check = |url: &str, http: HttpOptions, expected: Expect| {
        let mut options = options(url);
        options.http = http;
        expected.assert_eq(&told(&Ollama::new(options).unwrap(), &hello(), url));
    };
    let plain = rb_http::testing::unhurried;
    check(
        &gone,
        plain(),
        expect![[r#"
            ollama: URL cannot be reached: Connection refused (os error 111)
            Unreachable: retry
            hint: start it with `ollama serve`; it is looked for at URL
        "#]],
    );
    let stub = server(lines(&[&text(&"x".repeat(300)), DONE]));
    check(
        &stub.url().replace("http:", "https:"),
        plain(),
        expect![[r#"
            ollama: no safe connection: received corrupt message of type InvalidContentType
            Tls: stop: Environment
            hint: check that URL begins with the right one of http:// and https://
        "#]],
    );
    check(
        &stub.url(),
        HttpOptions { largest_answer: 200, ..plain() },
        expect![[r#"
        ollama: the answer cannot be read: URL answered with more than 200 bytes
        Malformed: retry
    "#]],
    );
}

#[test]
fn mo8_a_call_can_be_cancelled_at_any_time() {
    let interrupted = |result, url: &str| {
        let shown = failed(result, url);
        assert_eq!(shown, "ollama: the call was interrupted\nInterrupted: stop: Interrupted\n");
    };
    // Before.
    let (stub, cancel) = (server(lines(&[DONE])), Cancel::new());
    cancel.cancel();
    let calling = Calling { cancel: &cancel, heard: &|_| {} };
    interrupted(ollama(&stub.url()).ask(&hello(), &calling), &stub.url());
    assert!(stub.seen().is_empty());
    // While it waits.
    let (stub, cancel) = (server(Reply::silence()), Cancel::new());
    let calling = Calling { cancel: &cancel, heard: &|_| {} };
    thread::scope(|scope| {
        scope.spawn(|| {
            stub.wait_for(2);
            cancel.cancel();
        });
        interrupted(ollama(&stub.url()).ask(&hello(), &calling), &stub.url());
    });
    // In the middle of the answer.
    let (gate, cancel) = (Gate::new(), Cancel::new());
    gate.open();
    let stub = server(lines(&[&text("Hal"), &text("lo")]).gated(&gate));
    let heard = |sign: Heard<'_>| {
        if let Heard::Text(_) = sign {
            cancel.cancel();
        }
    };
    let calling = Calling { cancel: &cancel, heard: &heard };
    interrupted(ollama(&stub.url()).ask(&hello(), &calling), &stub.url());
}

#[test]
fn mo8_every_line_of_a_slow_trickle_is_a_sign_of_life() {
    let gate = Gate::new();
    let stub = server(lines(&[&text("H"), &text("i"), &text("."), DONE]).gated(&gate));
    let cancel = Cancel::new();
    // The next line comes only after the last one was noticed.
    let calling = Calling { cancel: &cancel, heard: &|_| gate.open() };
    let result = ollama(&stub.url()).ask(&hello(), &calling);
    assert_eq!(result.unwrap().text, "Hi.");
}

#[test]
fn mo1_a_probe_looks_for_the_server_and_the_model() {
    let stub = Stub::new(|seen, _| match seen.line.as_str() {
        "GET /api/version" => Reply::ok(r#"{"version":"0.12.1"}"#),
        "GET /api/tags" => Reply::ok(r#"{"models":[{"name":"here:latest"},{"name":"other:7b"}]}"#),
        _ => Reply::status(500, "no"),
    });
    let check = |url: &str, model: &str, expected: Expect| {
        let mut options = options(url);
        options.model = Some(model.to_owned());
        let cancel = Cancel::new();
        let calling = Calling { cancel: &cancel, heard: &|_| {} };
        let shown = match Ollama::new(options).unwrap().probe(&calling) {
            Ok(probe) => format!("{}, {}", probe.found, probe.login),
            Err(error) => format!("{error}\n{}", error.hint.as_deref().unwrap_or("")),
        };
        expected.assert_eq(&shown.replace(url, "URL").replace(&url.replace("http://", ""), "HOST"));
    };
    check(&stub.url(), "here", expect!["ollama 0.12.1 at HOST, key from OLLAMA_API_KEY"]);
    check(&stub.url(), "other:7b", expect!["ollama 0.12.1 at HOST, key from OLLAMA_API_KEY"]);
    check(
        &stub.url(),
        "other",
        expect![[r#"
            ollama: there is no model `other` for this account: the server does not have it
            get it with `ollama pull other`"#]],
    );
    let gone = Stub::always(Reply::hang_up()).url();
    check(
        &gone,
        "here",
        expect![[r#"
            ollama: URL cannot be reached: Connection refused (os error 111)
            start it with `ollama serve`; it is looked for at URL"#]],
    );
    let other = Stub::always(Reply::status(404, "<h1>no</h1>"));
    check(
        &other.url(),
        "here",
        expect![[r#"
        ollama: the request was refused: no Ollama there: <h1>no</h1>
    "#]],
    );
}
