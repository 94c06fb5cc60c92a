//! How a stream begins, goes on and ends, well or badly.

use std::fmt::Write as _;
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_http::testing::{Waits, context, unhurried};
use rb_http::{Auth, Http, HttpError, HttpOptions, Incoming, Proxy, Secret, Times};
use rb_testkit::stub::{Gate, Reply, Stub};

const LONG: Duration = Duration::from_mins(10);
const SHORT: Duration = Duration::from_millis(40);
const PATIENT: Times = Times { first: LONG, idle: LONG, whole: LONG };

fn http(url: &str, options: &HttpOptions, cancel: &Cancel) -> Http {
    let auth = Auth { header: "x-key".to_owned(), prefix: "", key: Secret::new("swordfish") };
    Http::new(url, Some(auth), options, &context(&Waits::new(), cancel)).unwrap()
}

fn ask(http: &Http, times: Times) -> Result<Incoming, HttpError> {
    http.stream("/v1/ask", &[("x-version", "7")], &"why", times)
}

/// Everything that arrives, and how it ends.
fn story(http: &Http, times: Times) -> String {
    let mut text = String::new();
    let end = ask(http, times).and_then(|mut incoming| {
        writeln!(text, "begun, id {:?}", incoming.header("request-id")).unwrap();
        let mut bytes = Vec::new();
        let end = loop {
            match incoming.next_piece() {
                Ok(Some(piece)) => bytes.extend(piece),
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        writeln!(text, "{:?}", String::from_utf8_lossy(&bytes)).unwrap();
        end
    });
    match end {
        Ok(()) => writeln!(text, "end").unwrap(),
        Err(error) => {
            writeln!(text, "{error}").unwrap();
            assert!(!format!("{error:?}").contains("swordfish"), "{error:?}");
        }
    }
    text
}

fn check_with(options: &HttpOptions, times: Times, reply: Reply, expected: &Expect) {
    let stub = Stub::always(reply);
    let text = story(&http(&stub.url(), options, &Cancel::new()), times);
    assert!(!text.contains("swordfish"), "{text}");
    expected.assert_eq(&text.replace(&format!(":{}", stub.port()), ":PORT"));
}

fn check(reply: Reply, expected: &Expect) {
    check_with(&unhurried(), PATIENT, reply, expected);
}

#[test]
fn mo8_a_stream_is_read_to_its_end() {
    check(
        Reply::stream(["one ", "", "two"]).header("Request-Id", "r1"),
        &expect![[r#"
        begun, id Some("r1")
        "one two"
        end
    "#]],
    );
    check(
        Reply::ok("whole"),
        &expect![[r#"
        begun, id None
        "whole"
        end
    "#]],
    );
    check(
        Reply::ok(""),
        &expect![[r#"
        begun, id None
        ""
        end
    "#]],
    );
    check(
        Reply::stream([""; 0]),
        &expect![[r#"
        begun, id None
        ""
        end
    "#]],
    );
}

#[test]
fn mo8_the_request_carries_key_and_headers() {
    let stub = Stub::always(Reply::ok("ok"));
    story(&http(&stub.url(), &unhurried(), &Cancel::new()), PATIENT);
    let seen = stub.seen().remove(0);
    let header = |name: &str| seen.header(name).unwrap_or_default().to_owned();
    assert_eq!((seen.line.as_str(), seen.body.as_str()), ("POST /v1/ask", "\"why\""));
    assert_eq!(header("x-key"), "swordfish");
    assert_eq!(header("x-version"), "7");
    assert_eq!(header("content-type"), "application/json");
}

#[test]
fn mo8_a_piece_is_handed_over_before_the_next_one_is_sent() {
    let gate = Gate::new();
    let stub = Stub::always(Reply::stream(["one", "two"]).gated(&gate));
    let mut incoming = ask(&http(&stub.url(), &unhurried(), &Cancel::new()), PATIENT).unwrap();
    gate.open();
    assert_eq!(incoming.next_piece().unwrap().unwrap(), b"one");
    gate.open();
    assert_eq!(incoming.next_piece().unwrap().unwrap(), b"two");
    assert_eq!(incoming.next_piece().unwrap(), None);
}

#[test]
fn mo8_a_refusal_has_the_words_of_the_server() {
    let json = r#"{"error":{"type":"t","message":"No, swordfish."}}"#;
    check(
        Reply::status(400, json),
        &expect![[r#"
        http://127.0.0.1:PORT answered 400: No, [key].
    "#]],
    );
    check(
        Reply::status(502, "<h1>Bad gateway</h1>"),
        &expect![[r#"
        http://127.0.0.1:PORT answered 502: <h1>Bad gateway</h1>
    "#]],
    );
    check(
        Reply::status(500, ""),
        &expect![[r#"
        http://127.0.0.1:PORT answered 500: no reason was given
    "#]],
    );
    // The words break off.
    check(
        Reply::status(503, "too much to do").cut_after(70),
        &expect![[r#"
        http://127.0.0.1:PORT answered 503: too much to d
    "#]],
    );
    let to = "https://elsewhere.example/?key=swordfish";
    check(
        Reply::status(307, "<p>moved</p>").header("Location", to),
        &expect![[r#"
        http://127.0.0.1:PORT answered 307: it sends us on to https://elsewhere.example/?key=[key], and redirects are not followed
    "#]],
    );
    check(
        Reply::status(304, ""),
        &expect![[r#"
        http://127.0.0.1:PORT answered 304: no reason was given
    "#]],
    );
}

#[test]
fn mo8_the_wait_that_a_server_asks_for_is_read() {
    let waits = |after: &str| {
        let stub = Stub::always(Reply::status(429, "{}").header("retry-after", after));
        match ask(&http(&stub.url(), &unhurried(), &Cancel::new()), PATIENT) {
            Err(HttpError::Refused { wait, .. }) => wait.map(|wait| wait.as_secs()),
            _ => panic!("not refused"),
        }
    };
    assert_eq!(waits("7"), Some(7));
    assert_eq!(waits("Sun, 06 Nov 1994 08:50:07 GMT"), Some(30));
    assert_eq!(waits("86400"), Some(86_400));
    assert_eq!(waits("soon"), None);
}

#[test]
fn mo8_a_broken_connection_is_no_end() {
    check(
        Reply::hang_up(),
        &expect![[r#"
        http://127.0.0.1:PORT cannot be reached: Peer disconnected
    "#]],
    );
    check(
        Reply::ok("whole").cut_after(20),
        &expect![[r#"
        http://127.0.0.1:PORT cannot be reached: Peer disconnected
    "#]],
    );
    check(
        Reply::stream(["one", "two"]).then_hang_up(),
        &expect![[r#"
        begun, id None
        "onetwo"
        http://127.0.0.1:PORT cannot be reached: Peer disconnected
    "#]],
    );
    check(
        Reply::ok("whole").header("x", "y").cut_after(65),
        &expect![[r#"
            begun, id None
            "who"
            http://127.0.0.1:PORT cannot be reached: Peer disconnected
        "#]],
    );
    check(
        Reply::garbage("\u{0}\u{1}no http\r\n\r\n"),
        &expect![[r#"
        http://127.0.0.1:PORT cannot be reached: protocol: http parse fail: invalid HTTP version
    "#]],
    );
}

#[test]
fn mo8_a_server_that_is_not_there_is_lost() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let lost = ask(&http(&url, &unhurried(), &Cancel::new()), PATIENT);
    assert!(matches!(lost, Err(HttpError::Unreachable { lost: true, .. })));
}

#[test]
fn mo8_silence_is_told_from_slowness() {
    // What comes before the end depends on the machine where the limit is short.
    let end = |times: Times, reply: Reply| {
        let stub = Stub::always(reply);
        let text = story(&http(&stub.url(), &unhurried(), &Cancel::new()), times);
        text.lines().last().unwrap().replace(&stub.url(), "it")
    };
    let first = Times { first: SHORT, ..PATIENT };
    assert_eq!(end(first, Reply::silence()), "it was silent for 0 s");
    let only_a_head = Reply::stream([""; 0]).then_silence();
    assert_eq!(end(first, only_a_head), "it was silent for 0 s");
    let idle = Times { idle: SHORT, ..PATIENT };
    let half = Reply::stream(["one"]).then_silence();
    assert_eq!(end(idle, half.clone()), "it was silent for 0 s");
    let whole = Times { whole: SHORT, ..PATIENT };
    assert_eq!(end(whole, half), "it did not end its answer within 0 s");
}

#[test]
fn mo8_each_piece_is_a_sign_of_life() {
    let gate = Gate::new();
    let stub = Stub::always(Reply::stream(vec!["x"; 500_000]).gated(&gate));
    let idle = Duration::from_millis(500);
    let times = Times { idle, ..PATIENT };
    let mut incoming = ask(&http(&stub.url(), &unhurried(), &Cancel::new()), times).unwrap();
    let started = Instant::now();
    while started.elapsed() < idle + SHORT {
        gate.open();
        assert_eq!(incoming.next_piece().unwrap().unwrap(), b"x");
    }
}

#[test]
fn mo8_an_answer_is_bounded() {
    let options = HttpOptions { largest_answer: 5, ..unhurried() };
    check_with(
        &options,
        PATIENT,
        Reply::stream(["12", "345"]),
        &expect![[r#"
        begun, id None
        "12345"
        end
    "#]],
    );
    check_with(
        &options,
        PATIENT,
        Reply::ok("123456"),
        &expect![[r#"
        begun, id None
        ""
        http://127.0.0.1:PORT answered with more than 5 bytes
    "#]],
    );
}

#[test]
fn mo8_plain_http_where_tls_was_expected() {
    let stub = Stub::always(Reply::ok("plain"));
    let url = stub.url().replace("http:", "https:");
    let error = ask(&http(&url, &unhurried(), &Cancel::new()), PATIENT).err().unwrap();
    assert!(matches!(error, HttpError::Tls { .. }), "{error:?}");
}

#[test]
fn mo8_a_proxy_that_refuses_is_named() {
    let stub = Stub::always(Reply::status(407, "who are you?"));
    let proxy = Secret::new(format!("http://me:swordfish@127.0.0.1:{}", stub.port()));
    let proxy = Some(Proxy { url: proxy, except: Vec::new() });
    let options = HttpOptions { proxy, ..unhurried() };
    let text = story(&http("http://far.example", &options, &Cancel::new()), PATIENT);
    assert_eq!(stub.seen()[0].line, "CONNECT far.example:80");
    expect![[r#"
        http://far.example cannot be reached: CONNECT proxy failed: proxy server responded 407/407
    "#]]
    .assert_eq(&text);
}

#[test]
fn mo8_a_stream_is_cancelled_at_any_time() {
    let cancel = Cancel::new();
    cancel.cancel();
    let stub = Stub::always(Reply::silence());
    let before = ask(&http(&stub.url(), &unhurried(), &cancel), PATIENT);
    assert!(matches!(before, Err(HttpError::Interrupted)));
    assert_eq!(stub.seen().len(), 0);

    let cancel = Cancel::new();
    let waiting = http(&stub.url(), &unhurried(), &Cancel::new()).cancelled_by(&cancel);
    let while_waiting = thread::scope(|scope| {
        let asked = scope.spawn(|| ask(&waiting, PATIENT).err());
        stub.wait_for(1);
        cancel.cancel();
        asked.join().unwrap()
    });
    assert_eq!(while_waiting, Some(HttpError::Interrupted));
}

#[test]
fn mo8_a_stream_without_pauses_is_cancelled_too() {
    let cancel = Cancel::new();
    let stub = Stub::always(Reply::stream(vec![[b'x'; 64]; 10]));
    let mut incoming = ask(&http(&stub.url(), &unhurried(), &cancel), PATIENT).unwrap();
    assert!(incoming.next_piece().unwrap().is_some());
    cancel.cancel();
    assert_eq!(incoming.next_piece(), Err(HttpError::Interrupted));
}

#[test]
fn mo8_a_client_that_stops_listening_ends_the_connection() {
    let gate = Gate::new();
    let stub = Stub::always(Reply::stream(vec![vec![b'x'; 1 << 16]; 400]).gated(&gate));
    let mut incoming = ask(&http(&stub.url(), &unhurried(), &Cancel::new()), PATIENT).unwrap();
    gate.open();
    assert!(incoming.next_piece().unwrap().is_some());
    drop(incoming);
    gate.open_for(400);
    stub.wait_for_left(1);
}

#[test]
fn mo8_many_streams_at_once_keep_apart() {
    let stub = Stub::new(|seen, _| Reply::stream([seen.body.as_bytes(), b" back"]));
    let http = http(&stub.url(), &unhurried(), &Cancel::new());
    thread::scope(|scope| {
        for number in 0..50 {
            let http = &http;
            scope.spawn(move || {
                let mut incoming = http.stream("/", &[], &number, PATIENT).unwrap();
                let mut text = Vec::new();
                while let Some(piece) = incoming.next_piece().unwrap() {
                    text.extend(piece);
                }
                assert_eq!(String::from_utf8(text).unwrap(), format!("{number} back"));
            });
        }
    });
    assert_eq!(stub.seen().len(), 50);
}
