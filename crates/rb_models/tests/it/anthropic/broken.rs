//! Answers that break off, stall, or are none.

use std::thread;

use expect_test::{Expect, expect};
use rb_core::Cancel;
use rb_http::{HttpOptions, testing};
use rb_models::{Calling, Fault, Heard, Provider as _, Request};
use rb_testkit::stub::{Gate, Reply, Stub};
use serde_json::{Value, json};

use super::{begun, check, check_with, event, message, piece, plain, provider, stream, text};
use crate::support::{SOON, ask, story};

fn whole() -> Vec<Value> {
    message(&[text(0, &["é\u{1F980}", "."])], "end_turn")
}

fn bytes() -> Vec<u8> {
    whole().iter().map(event).collect::<String>().into_bytes()
}

#[test]
fn mo8_half_an_answer_is_none() {
    check(
        &plain(),
        Reply::hang_up(),
        &expect![[r#"
        anthropic: http://127.0.0.1:PORT cannot be reached: Peer disconnected
        Unreachable: retry
        hint: check the network, the proxy and the address http://127.0.0.1:PORT
    "#]],
    );
    check(
        &plain(),
        stream(&whole()[..4]).then_hang_up(),
        &expect![[r#"
            anthropic: the answer broke off: Peer disconnected
            Half: retry
            spent: 18 in, 1 out, Estimate; Unknown
        "#]],
    );
    // The connection ends as it should, but the last event is missing.
    check(
        &plain(),
        stream(&whole()[..6]),
        &expect![[r#"
            anthropic: the answer broke off: the end of the answer is missing
            Half: retry
            spent: 18 in, 7 out, ByProvider; Unknown
        "#]],
    );
    let mut half = bytes();
    half.truncate(half.len() - 9);
    check(
        &plain(),
        Reply::events([half]),
        &expect![[r#"
            anthropic: the answer broke off: the end of the answer is missing
            Half: retry
            spent: 18 in, 7 out, ByProvider; Unknown
        "#]],
    );
    check(
        &plain(),
        Reply::events([""; 0]),
        &expect![[r#"
        anthropic: the answer broke off: the answer is empty
        Half: retry
    "#]],
    );
    check(
        &plain(),
        Reply::ok(""),
        &expect![[r#"
        anthropic: the answer broke off: the answer is empty
        Half: retry
    "#]],
    );
}

#[test]
fn mo8_what_is_no_answer_is_not_taken_for_one() {
    let page = "<!doctype html><title>Log in to swordfish</title>";
    check(
        &plain(),
        Reply::ok(page),
        &expect![[r#"
        anthropic: the answer cannot be read: a page for a browser came: <!doctype html><title>Log in to [key]</title>
        Malformed: retry
        hint: check the network, the proxy and the address http://127.0.0.1:PORT
    "#]],
    );
    check(
        &plain(),
        Reply::ok("OK"),
        &expect![[r#"
        anthropic: the answer broke off: the end of the answer is missing
        Half: retry
    "#]],
    );
    check(
        &plain(),
        Reply::ok("{\"status\":\"up\"}"),
        &expect![[r#"
        anthropic: the answer cannot be read: JSON that is no message
        Malformed: retry
        hint: check the network, the proxy and the address http://127.0.0.1:PORT
    "#]],
    );
    check(
        &plain(),
        Reply::ok("{\"type\":"),
        &expect![[r#"
        anthropic: the answer cannot be read: no JSON: EOF while parsing a value at line 1 column 8
        Malformed: retry
        hint: check the network, the proxy and the address http://127.0.0.1:PORT
    "#]],
    );
    check(
        &plain(),
        Reply::garbage("SSH-2.0-OpenSSH\r\n"),
        &expect![[r#"
        anthropic: http://127.0.0.1:PORT cannot be reached: protocol: http parse fail: invalid HTTP version
        Unreachable: stop: Environment
        hint: check the network, the proxy and the address http://127.0.0.1:PORT
    "#]],
    );
}

#[test]
fn mo8_broken_events_are_faults() {
    let check = |events: Vec<String>, expected: &Expect| {
        let begun = [event(&begun())].into_iter();
        super::check(&plain(), Reply::events(begun.chain(events)), expected);
    };
    check(
        vec!["data: {\"type\": \n\n".to_owned()],
        &expect![[r#"
            anthropic: the answer cannot be read: no JSON: EOF while parsing a value at line 1 column 9
            Malformed: retry
            hint: check the network, the proxy and the address http://127.0.0.1:PORT
            spent: 18 in, 1 out, Estimate; Unknown
        "#]],
    );
    check(
        vec!["data: [1]\n\n".to_owned()],
        &expect![[r#"
            anthropic: the answer cannot be read: an event of an unknown form: invalid type: integer `1`, expected variant identifier
            Malformed: retry
            hint: check the network, the proxy and the address http://127.0.0.1:PORT
            spent: 18 in, 1 out, Estimate; Unknown
        "#]],
    );
    let text_block = json!({ "type": "text", "text": "" });
    let odd =
        json!({ "type": "content_block_start", "index": "swordfish", "content_block": text_block });
    check(
        vec![event(&odd)],
        &expect![[r#"
            anthropic: the answer cannot be read: an event of an unknown form: invalid type: string "[key]", expected u64
            Malformed: retry
            hint: check the network, the proxy and the address http://127.0.0.1:PORT
            spent: 18 in, 1 out, Estimate; Unknown
        "#]],
    );
    let early = piece(4, &json!({ "type": "text_delta", "text": "a" }));
    check(
        vec![event(&early)],
        &expect![[r#"
            anthropic: the answer cannot be read: a piece that block 4 does not take
            Malformed: retry
            hint: check the network, the proxy and the address http://127.0.0.1:PORT
            spent: 18 in, 1 out, Estimate; Unknown
        "#]],
    );
    let call = json!({ "type": "input_json_delta", "partial_json": "{}" });
    let events = [vec![text(0, &[]).remove(0)], vec![piece(0, &call)]].concat();
    check(
        events.iter().map(event).collect(),
        &expect![[r#"
            anthropic: the answer cannot be read: a piece that block 0 does not take
            Malformed: retry
            hint: check the network, the proxy and the address http://127.0.0.1:PORT
            spent: 18 in, 1 out, Estimate; Unknown
        "#]],
    );
}

#[test]
fn mo8_pieces_may_end_anywhere() {
    // One byte each: characters, lines and events are all cut apart.
    let pieces = Reply::events(bytes().iter().map(|&byte| [byte]));
    check(
        &plain(),
        pieces,
        &expect![[r#"
        text  "é🦀."
        stop  End
        usage 10 in, 7 out, 5 read, 3 written, 0 thought, ByProvider; Unknown
        facts anthropic claude-test-1-20260101 msg_1 1
        heard Begun Busy Busy Text("é🦀") Text(".") Busy Busy
    "#]],
    );
    let mut broken = bytes();
    let at = broken.iter().position(|&byte| byte == 0xc3).unwrap();
    broken[at + 1] = b'x';
    let halves = Reply::events([&broken[..=at], &broken[at + 1..]]);
    check(
        &plain(),
        halves,
        &expect![[r#"
            anthropic: the answer cannot be read: bytes that are no UTF-8
            Malformed: retry
            hint: check the network, the proxy and the address http://127.0.0.1:PORT
            spent: 18 in, 1 out, Estimate; Unknown
        "#]],
    );
}

#[test]
fn mo8_an_answer_is_bounded() {
    let http = HttpOptions { largest_answer: 500, ..testing::unhurried() };
    check_with(
        http,
        &plain(),
        Reply::events([bytes()]),
        &expect![[r#"
        anthropic: the answer cannot be read: http://127.0.0.1:PORT answered with more than 500 bytes
        Malformed: retry
        hint: check the network, the proxy and the address http://127.0.0.1:PORT
    "#]],
    );
}

#[test]
fn mo8_silence_is_a_fault() {
    let limits = plain().limits;
    let check = |limits, reply, expected: &str| {
        let stub = Stub::always(reply);
        let text = story(&provider(&stub.url()), &Request { limits, ..plain() });
        assert_eq!(text.lines().nth(1), Some(expected));
    };
    let first = rb_models::Limits { first: SOON, ..limits };
    check(first, Reply::silence(), "Stalled: retry");
    let idle = rb_models::Limits { idle: SOON, ..limits };
    check(idle, stream(&whole()[..3]).then_silence(), "Stalled: retry");
    let slow = rb_models::Limits { whole: SOON, ..limits };
    check(slow, stream(&whole()[..3]).then_silence(), "TooSlow: stop: Limit");
}

#[test]
fn mo8_a_slow_answer_is_taken() {
    let gate = Gate::new();
    let stub = Stub::always(stream(&whole()).gated(&gate));
    // The next event is let go when the one before is heard, so the server is never ahead.
    let heard = |_: Heard<'_>| gate.open();
    gate.open();
    let cancel = Cancel::new();
    let calling = Calling { cancel: &cancel, heard: &heard };
    let answer = provider(&stub.url()).ask(&plain(), &calling).unwrap();
    assert_eq!(answer.text, "é\u{1F980}.");
}

#[test]
fn mo8_a_call_is_cancelled_at_any_time() {
    let fault = |result: Result<_, rb_models::ModelError>| {
        result.map(|_: rb_models::Answer| ()).unwrap_err().fault
    };
    let stub = Stub::always(Reply::silence());
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(fault(ask(&provider(&stub.url()), &plain(), &cancel).0), Fault::Interrupted);
    assert_eq!(stub.seen().len(), 0);

    let cancel = Cancel::new();
    let provider = provider(&stub.url());
    let waiting = thread::scope(|scope| {
        let asked = scope.spawn(|| ask(&provider, &plain(), &cancel).0);
        stub.wait_for(1);
        cancel.cancel();
        asked.join().unwrap()
    });
    assert_eq!(fault(waiting), Fault::Interrupted);

    let stub = Stub::always(stream(&whole()[..3]).then_silence());
    let cancel = Cancel::new();
    let heard = |sign: Heard<'_>| {
        if matches!(sign, Heard::Text(_)) {
            cancel.cancel();
        }
    };
    let calling = Calling { cancel: &cancel, heard: &heard };
    let result = super::provider(&stub.url()).ask(&plain(), &calling);
    assert_eq!(fault(result), Fault::Interrupted);
}
