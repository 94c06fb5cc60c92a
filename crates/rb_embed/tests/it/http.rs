//! Tries, waits, limits and interruption, seen through a service that asks for one vector.

use std::fmt::Write as _;
use std::net::TcpListener;
use std::time::Duration;

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_embed::{OpenAiEmbedder, OpenAiOptions};
use rb_http::{BadSetting, HttpOptions, Patience, Proxy, Secret};
use rb_index::search::embed::Embedder as _;

use crate::support::{Waits, context, shown, unhurried};
use rb_testkit::script::{Reply, Script};

const ONE: &str = r#"{"data":[{"index":0,"embedding":[0.6,0.8]}],"usage":{"total_tokens":1}}"#;

fn options(url: &str) -> OpenAiOptions {
    OpenAiOptions {
        base_url: format!("{url}/v1/"),
        model: "m".to_owned(),
        dimensions: 2,
        key: Some(Secret::new("swordfish")),
        ..OpenAiOptions::default()
    }
}

/// Asks once, and shows how it went and how long was waited between tries.
fn check_with(http: &HttpOptions, replies: Vec<Reply>, expected: &Expect) {
    let script = Script::new(replies);
    let clock = Waits::new();
    let embedder =
        OpenAiEmbedder::new(options(&script.url()), http, &context(&clock, &Cancel::new()))
            .unwrap();
    let mut text = match embedder.question("why") {
        Ok(vector) => format!("{vector:?}\n"),
        Err(error) => shown(&error, script.port()),
    };
    assert!(!text.contains("swordfish"), "{text}");
    writeln!(text, "waited {:?}", clock.asked()).unwrap();
    expected.assert_eq(&text);
    for request in script.finish() {
        assert_eq!(request.line, "POST /v1/embeddings");
        assert!(
            request.headers.contains(&"authorization: Bearer swordfish".to_owned()),
            "{request:?}"
        );
    }
}

fn check(replies: Vec<Reply>, expected: &Expect) {
    check_with(&unhurried(), replies, expected);
}

#[test]
fn ix6_what_may_pass_is_tried_again_with_longer_waits() {
    check(
        vec![
            Reply::status(500, ""),
            Reply::status(529, "{}"),
            Reply::HangUp,
            Reply::status(429, "{}"),
            Reply::ok(ONE),
        ],
        &expect![[r#"
            [0.6, 0.8]
            waited [500ms, 1s, 2s, 4s]
        "#]],
    );
}

#[test]
fn ix6_the_server_says_how_long_to_wait() {
    check(
        vec![
            Reply::Say(429, "Retry-After: 7\r\n", String::new()),
            Reply::Say(503, "retry-after: Sun, 06 Nov 1994 08:50:07 GMT\r\n", String::new()),
            Reply::Say(429, "Retry-After: soon\r\n", String::new()),
            Reply::ok(ONE),
        ],
        &expect![[r#"
            [0.6, 0.8]
            waited [7s, 30s, 2s]
        "#]],
    );
}

#[test]
fn ix6_a_wait_that_is_too_long_is_not_begun() {
    check(
        vec![Reply::Say(429, "Retry-After: 3600\r\n", String::new())],
        &expect![[r#"
            no embeddings from 127.0.0.1:PORT
            hint: try again later, or use the local model
            source: http://127.0.0.1:PORT/v1 takes no more requests for now, and asks to wait 3600 s
            waited []
        "#]],
    );
}

#[test]
fn ix6_tries_are_counted() {
    let patience = Patience { tries: 2, ..Patience::default() };
    let http = HttpOptions { patience, ..unhurried() };
    check_with(
        &http,
        vec![Reply::status(429, ""), Reply::status(429, "")],
        &expect![[r#"
            no embeddings from 127.0.0.1:PORT
            hint: try again later, or use the local model
            source: http://127.0.0.1:PORT/v1 takes no more requests for now
            waited [500ms]
        "#]],
    );
    let sorry = r#"{"error":{"message":"Sorry.\u001b[2J"}}"#;
    check_with(
        &http,
        vec![Reply::status(500, sorry), Reply::status(503, sorry)],
        &expect![[r#"
            no embeddings from 127.0.0.1:PORT
            hint: try again later, or use the local model
            source: http://127.0.0.1:PORT/v1 answered 503: Sorry. [2J
            waited [500ms]
        "#]],
    );
    check_with(
        &http,
        vec![Reply::HangUp, Reply::HangUp],
        &expect![[r#"
            no embeddings from 127.0.0.1:PORT
            hint: check the network and the proxy, or use the local model
            source: http://127.0.0.1:PORT/v1 cannot be reached after 2 tries: Peer disconnected
            waited [500ms]
        "#]],
    );
}

#[test]
fn ix6_what_cannot_pass_is_not_tried_again() {
    check(
        vec![Reply::status(400, "<html>swordfish?</html>")],
        &expect![[r#"
            no embeddings from 127.0.0.1:PORT
            hint: check that http://127.0.0.1:PORT/v1 speaks OpenAI's API, and that `m` has 2 dimensions
            source: http://127.0.0.1:PORT/v1 answered 400: <html>[key]?</html>
            waited []
        "#]],
    );
    check(
        vec![Reply::ok("<html>swordfish</html>")],
        &expect![[r#"
            no embeddings from 127.0.0.1:PORT
            hint: check that http://127.0.0.1:PORT/v1 speaks OpenAI's API, and that `m` has 2 dimensions
            source: http://127.0.0.1:PORT/v1 did not answer with the JSON that was expected: expected value at line 1 column 1
            waited []
        "#]],
    );
    check(
        vec![Reply::ok("{\"data\":\"swordfish\"}")],
        &expect![[r#"
            no embeddings from 127.0.0.1:PORT
            hint: check that http://127.0.0.1:PORT/v1 speaks OpenAI's API, and that `m` has 2 dimensions
            source: http://127.0.0.1:PORT/v1 did not answer with the JSON that was expected: invalid type: string "[key]", expected a sequence at line 1 column 19
            waited []
        "#]],
    );
    // A key is never carried to where a server points.
    check(
        vec![Reply::Say(307, "Location: http://127.0.0.1:9/\r\n", String::new())],
        &expect![[r#"
            no embeddings from 127.0.0.1:PORT
            hint: check that http://127.0.0.1:PORT/v1 speaks OpenAI's API, and that `m` has 2 dimensions
            source: http://127.0.0.1:PORT/v1 answered 307: no reason was given
            waited []
        "#]],
    );
}

#[test]
fn ix6_no_part_of_a_key_is_left_where_words_are_cut() {
    let body = "x".repeat(295) + "swordfish";
    check(
        vec![Reply::status(400, &body)],
        &expect![[r#"
        no embeddings from 127.0.0.1:PORT
        hint: check that http://127.0.0.1:PORT/v1 speaks OpenAI's API, and that `m` has 2 dimensions
        source: http://127.0.0.1:PORT/v1 answered 400: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx[key]
        waited []
    "#]],
    );
}

#[test]
fn ix6_an_answer_is_bounded() {
    let http = HttpOptions { largest_answer: ONE.len(), ..unhurried() };
    check_with(
        &http,
        vec![Reply::ok(ONE)],
        &expect![[r#"
        [0.6, 0.8]
        waited []
    "#]],
    );
    check_with(
        &http,
        vec![Reply::ok(format!("{ONE} "))],
        &expect![[r#"
            no embeddings from 127.0.0.1:PORT
            hint: check that http://127.0.0.1:PORT/v1 speaks OpenAI's API, and that `m` has 2 dimensions
            source: http://127.0.0.1:PORT/v1 answered with more than 71 bytes
            waited []
        "#]],
    );
}

#[test]
fn ix6_a_server_that_does_not_answer_is_given_up() {
    let http = HttpOptions { whole: Duration::from_millis(500), ..unhurried() };
    check_with(
        &http,
        vec![Reply::Silence(Box::new(|| {}))],
        &expect![[r#"
            no embeddings from 127.0.0.1:PORT
            hint: check the network and the proxy, or use the local model
            source: http://127.0.0.1:PORT/v1 cannot be reached: no answer in time
            waited []
        "#]],
    );
}

#[test]
fn ix6_a_server_that_is_not_there_is_said_so() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let clock = Waits::new();
    let options = options(&format!("http://127.0.0.1:{port}"));
    let http = unhurried();
    let embedder = OpenAiEmbedder::new(options, &http, &context(&clock, &Cancel::new())).unwrap();
    let error = embedder.question("why").unwrap_err();
    expect![[r#"
        no embeddings from 127.0.0.1:PORT
        hint: check the network and the proxy, or use the local model
        source: http://127.0.0.1:PORT/v1 cannot be reached after 6 tries: Connection refused (os error 111)
    "#]].assert_eq(&shown(&error, port));
    assert_eq!(clock.asked().len() + 1, http.patience.tries as usize);
}

#[test]
fn ix6_a_request_is_interrupted_while_the_server_works() {
    let cancel = Cancel::new();
    let interrupt = cancel.clone();
    let script = Script::new(vec![Reply::Silence(Box::new(move || interrupt.cancel()))]);
    let context = context(&Waits::new(), &cancel);
    let embedder = OpenAiEmbedder::new(options(&script.url()), &unhurried(), &context).unwrap();
    assert_eq!(shown(&embedder.question("why").unwrap_err(), script.port()), INTERRUPTED);
    script.finish();
}

#[test]
fn ix6_a_request_is_interrupted_between_tries() {
    let (cancel, clock) = (Cancel::new(), Waits::new());
    let script = Script::new(vec![Reply::status(503, "")]);
    let interrupt = cancel.clone();
    clock.meanwhile(move || interrupt.cancel());
    let context = context(&clock, &cancel);
    let embedder = OpenAiEmbedder::new(options(&script.url()), &unhurried(), &context).unwrap();
    assert_eq!(shown(&embedder.question("why").unwrap_err(), script.port()), INTERRUPTED);
    script.finish();
}

const INTERRUPTED: &str =
    "no embeddings from 127.0.0.1:PORT\nsource: the request was interrupted\n";

fn through(proxy: &str, url: &str) -> Result<OpenAiEmbedder, BadSetting> {
    let except = vec!["direct.example".to_owned()];
    let proxy = Some(Proxy { url: Secret::new(proxy), except });
    let http = HttpOptions { proxy, ..unhurried() };
    OpenAiEmbedder::new(options(url), &http, &context(&Waits::new(), &Cancel::new()))
}

#[test]
fn ix6_a_proxy_is_used_for_other_machines() {
    let script = Script::new(vec![Reply::Tunnel, Reply::ok(ONE)]);
    let embedder =
        through(&format!("http://me:pass@127.0.0.1:{}", script.port()), "http://far.example");
    embedder.unwrap().question("why").unwrap();
    let lines: Vec<String> = script.finish().into_iter().map(|seen| seen.line).collect();
    assert_eq!(lines, ["CONNECT far.example:80", "POST /v1/embeddings"]);
}

#[test]
fn ix6_a_proxy_is_not_used_for_this_machine() {
    let script = Script::new(vec![Reply::ok(ONE)]);
    through("http://127.0.0.1:1", &script.url()).unwrap().question("why").unwrap();
    assert_eq!(script.finish().len(), 1);
}

#[test]
fn ix6_settings_that_cannot_work_are_refused_at_once() {
    assert_eq!(through("what?", "http://far.example").err(), Some(BadSetting::Proxy));
    let check = |change: fn(&mut OpenAiOptions), expected: BadSetting| {
        let mut options = options("http://localhost:1");
        change(&mut options);
        let context = context(&Waits::new(), &Cancel::new());
        assert_eq!(OpenAiEmbedder::new(options, &unhurried(), &context).err(), Some(expected));
    };
    check(|options| options.key = Some(Secret::new("two\nlines")), BadSetting::Key);
    check(
        |options| "http://me:pass@host/v1".clone_into(&mut options.base_url),
        BadSetting::Credentials,
    );
    check(|options| "host".clone_into(&mut options.base_url), BadSetting::Address);
    check(|options| options.dimensions = 0, BadSetting::Model);
}
