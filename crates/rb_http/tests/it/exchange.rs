//! Whole answers with their status and headers.

use std::sync::Arc;

use rb_core::Cancel;
use rb_http::testing::{Waits, context, unhurried};
use rb_http::{Http, HttpError, Method};
use rb_testkit::stub::{Reply, Stub};
use serde_json::json;

fn http(stub: &Stub, waits: &Arc<Waits>) -> Http {
    Http::new(&stub.url(), None, &unhurried(), &context(waits, &Cancel::default())).unwrap()
}

#[test]
fn tk1_an_answer_is_returned_with_status_and_headers() {
    let stub = Stub::always(Reply::status(422, "no").header("X-Left", "0"));
    let headers = [("accept", "text/x")];
    let body = json!({ "a": 1 });
    let waits = Waits::new();
    let answer =
        http(&stub, &waits).exchange("/p", &headers, Some((Method::Patch, &body))).unwrap();
    assert_eq!((answer.status, answer.body.as_slice()), (422, &b"no"[..]));
    assert_eq!((answer.header("x-left"), answer.header("link")), (Some("0"), None));
    let seen = &stub.seen()[0];
    assert_eq!((seen.line.as_str(), seen.body.as_str()), ("PATCH /p", r#"{"a":1}"#));
    let accepted = seen.headers.iter().filter(|line| line.to_lowercase().starts_with("accept:"));
    assert_eq!(accepted.collect::<Vec<_>>(), ["accept: text/x"]);
}

#[test]
fn tk1_an_exchange_is_tried_again_like_any_call() {
    let stub = Stub::new(|_, number| Reply::status(if number < 2 { 503 } else { 200 }, "{}"));
    let waits = Waits::new();
    let answer = http(&stub, &waits).exchange("/", &[], None).unwrap();
    assert_eq!((answer.status, stub.seen().len(), waits.asked().len()), (200, 3, 2));

    let limited = Stub::always(Reply::status(429, "").header("retry-after", "3600"));
    let answer = http(&limited, &waits).exchange("/", &[], None).unwrap();
    assert_eq!((answer.status, answer.header("retry-after")), (429, Some("3600")));
    assert_eq!(limited.seen().len(), 1);
}

#[test]
fn tk1_an_answer_that_is_too_large_is_none() {
    let stub = Stub::always(Reply::ok("0123456789"));
    let waits = Waits::new();
    let options = rb_http::HttpOptions { largest_answer: 9, ..unhurried() };
    let http =
        Http::new(&stub.url(), None, &options, &context(&waits, &Cancel::default())).unwrap();
    let error = http.exchange("/", &[], None).unwrap_err();
    assert_eq!(error, HttpError::TooLarge { at: stub.url(), limit: 9 });
}
