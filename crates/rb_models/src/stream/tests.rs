//! Bytes in, events or lines out, however the bytes are cut.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::lines::Lines;
use super::sse::{Event, Events};
use super::{Body, Pieces, body};
use crate::error::Fault;

/// The pieces, last first.
struct Given(Vec<Vec<u8>>);

impl Given {
    /// Cut at these places, wherever they lie in the text.
    fn cut(bytes: &[u8], cuts: &[usize]) -> Self {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        Given(cuts.windows(2).rev().map(|pair| bytes[pair[0]..pair[1]].to_vec()).collect())
    }

    fn one_by_one(bytes: &[u8]) -> Self {
        Given(bytes.iter().rev().map(|&byte| vec![byte]).collect())
    }
}

impl Pieces for Given {
    fn next_piece(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        Ok(self.0.pop())
    }
}

fn show<T>(items: impl Iterator<Item = Result<T, Fault>>, one: impl Fn(T) -> String) -> String {
    let mut text = String::new();
    for item in items {
        match item {
            Ok(item) => writeln!(text, "{}", one(item)).unwrap(),
            Err(fault) => writeln!(text, "! {fault}").unwrap(),
        }
    }
    text
}

fn shown(event: Event) -> String {
    match event {
        Event::Message { name, data } => format!("[{name}] {data:?}"),
        Event::Comment => "comment".to_owned(),
    }
}

fn events(pieces: Given, limit: usize) -> String {
    show(Events::within(pieces, limit), shown)
}

fn lines(pieces: Given, limit: usize) -> String {
    show(Lines::within(pieces, limit), |line| format!("{line:?}"))
}

fn check_events(bytes: &[u8], expected: &Expect) {
    let whole = events(Given::cut(bytes, &[]), 40);
    assert_eq!(events(Given::one_by_one(bytes), 40), whole);
    expected.assert_eq(&whole);
}

fn check_lines(bytes: &[u8], expected: &Expect) {
    let whole = lines(Given::cut(bytes, &[]), 40);
    assert_eq!(lines(Given::one_by_one(bytes), 40), whole);
    expected.assert_eq(&whole);
}

#[test]
fn mo8_events_are_read_with_every_line_end() {
    for end in ["\n", "\r\n", "\r"] {
        let text = "event: a\ndata: 1\n\n\ndata: 2\n\n".replace('\n', end);
        let expected = "[a] \"1\"\n[] \"2\"\n";
        assert_eq!(events(Given::cut(text.as_bytes(), &[]), 40), expected);
        assert_eq!(events(Given::one_by_one(text.as_bytes()), 40), expected);
    }
    check_events(
        b"data: 1\r\n\rdata: 2\r\r\ndata: 3\n\r",
        &expect![[r#"
            [] "1"
            [] "2"
            [] "3"
        "#]],
    );
}

#[test]
fn mo8_fields_are_those_of_the_standard() {
    let check = |text: &str, expected: &Expect| check_events(text.as_bytes(), expected);
    check(
        "data: one\ndata:two\ndata\ndata:  three\n\n",
        &expect![[r#"
            [] "one\ntwo\n\n three"
        "#]],
    );
    check(
        ": alive\n\n:\ndata: {}\nid: 7\nretry: 10\nnew: x\n\n",
        &expect![[r#"
            comment
            comment
            [] "{}"
        "#]],
    );
    check(
        "event: lone\n\ndata: after\n\n",
        &expect![[r#"
            [] "after"
        "#]],
    );
    check(
        "event: a\nevent: b\ndata: a: b: c\n\n",
        &expect![[r#"
            [b] "a: b: c"
        "#]],
    );
    check(
        "\u{feff}data: é\u{1F980}\n\ndata: \u{feff}\n\n",
        &expect![[r#"
            [] "é🦀"
            [] "\u{feff}"
        "#]],
    );
    check(
        "data\n\n",
        &expect![[r#"
            [] ""
        "#]],
    );
    check("", &expect![[r#""#]]);
}

#[test]
fn mo8_an_event_needs_whole_lines() {
    check_events(
        b"data: 1\n\ndata: [DONE]\n",
        &expect![[r#"
            [] "1"
            [] "[DONE]"
        "#]],
    );
    check_events(
        b"data: 1\n\ndata: {\"half",
        &expect![[r#"
            [] "1"
        "#]],
    );
    check_events(
        b"data: 1\n\ndata: 2\ndata: ha",
        &expect![[r#"
            [] "1"
        "#]],
    );
}

#[test]
fn mo8_bytes_without_an_end_are_bounded() {
    let long = "x".repeat(41);
    check_events(
        format!("data: 1\n\ndata: {long}\n\ndata: 2\n\n").as_bytes(),
        &expect![[r#"
            [] "1"
            ! the answer cannot be read: more than 40 bytes without an end
        "#]],
    );
    check_events(
        "data: 0123456789\n".repeat(9).as_bytes(),
        &expect![[r#"
        ! the answer cannot be read: more than 40 bytes without an end
    "#]],
    );
    check_events(
        format!("data: 1\n\n{long}").as_bytes(),
        &expect![[r#"
            [] "1"
            ! the answer cannot be read: more than 40 bytes without an end
        "#]],
    );
    check_lines(
        format!("{{}}\n{long}\n{{}}\n").as_bytes(),
        &expect![[r#"
        "{}"
        ! the answer cannot be read: more than 40 bytes without an end
    "#]],
    );
    let just = format!("{}\n", "x".repeat(40));
    check_lines(
        just.as_bytes(),
        &expect![[r#"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    "#]],
    );
}

#[test]
fn mo8_bytes_that_are_no_text_are_a_fault() {
    check_events(
        b"data: 1\n\ndata: \xc3\n\ndata: 2\n\n",
        &expect![[r#"
            [] "1"
            ! the answer cannot be read: bytes that are no UTF-8
        "#]],
    );
    check_lines(
        b"{}\n\xff\n{}",
        &expect![[r#"
        "{}"
        ! the answer cannot be read: bytes that are no UTF-8
    "#]],
    );
}

#[test]
fn mo8_lines_are_cut_at_line_feeds() {
    check_lines(
        b"{\"a\":1}\r\n\n  \n{\"b\":\"\r\"}\n{\"last\":true}",
        &expect![[r#"
        "{\"a\":1}"
        "{\"b\":\"\r\"}"
        "{\"last\":true}"
    "#]],
    );
    check_lines(
        "\u{feff}{}\n{\"é\":\"\u{1F980}\"}\n".as_bytes(),
        &expect![[r#"
        "{}"
        "{\"é\":\"🦀\"}"
    "#]],
    );
    check_lines(b"", &expect![[r#""#]]);
}

#[test]
fn mo8_what_a_body_is_shows_in_its_first_bytes() {
    let check = |bytes: &[u8], expected: &Expect| {
        let told = |pieces: Given| match body(pieces) {
            Ok(Body::Events(events)) => show(events, shown),
            Ok(Body::Json(value)) => format!("json {value}\n"),
            Ok(Body::Page(page)) => format!("page {page}\n"),
            Ok(Body::Empty) => "empty\n".to_owned(),
            Err(fault) => format!("! {fault}\n"),
        };
        let whole = told(Given::cut(bytes, &[]));
        // How much of a page is there when it is known to be one depends on the pieces.
        if !whole.starts_with("page") {
            assert_eq!(told(Given::one_by_one(bytes)), whole);
        }
        expected.assert_eq(&whole);
    };
    check(
        b"\n\xef\xbb",
        &expect![[r#"
        ! the answer cannot be read: bytes that are no UTF-8
    "#]],
    );
    check(
        b"\n: hello\n\ndata: 1\n\n",
        &expect![[r#"
            comment
            [] "1"
        "#]],
    );
    check(
        b"\xef\xbb\xbfdata: 1\n\n",
        &expect![[r#"
            [] "1"
        "#]],
    );
    check(
        b" \n{\"error\": {}}\n",
        &expect![[r#"
        json {"error":{}}
    "#]],
    );
    check(
        b"\xef\xbb\xbf{\"a\":\n[1]}",
        &expect![[r#"
        json {"a":[1]}
    "#]],
    );
    check(
        b"{\"a\":",
        &expect![[r#"
        ! the answer cannot be read: no JSON: EOF while parsing a value at line 1 column 5
    "#]],
    );
    check(
        b"\n<!doctype html><p>Log in",
        &expect![[r#"
        page 
        <!doctype html><p>Log in
    "#]],
    );
    check(
        b" \r\n",
        &expect![[r#"
        empty
    "#]],
    );
    check(
        b"",
        &expect![[r#"
        empty
    "#]],
    );
}

fn pieces_of_events() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("data: ".to_owned()),
        Just("data:".to_owned()),
        Just("event: ".to_owned()),
        Just("id: 1".to_owned()),
        Just(":".to_owned()),
        Just("\n".to_owned()),
        Just("\n\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\r".to_owned()),
        Just("\u{feff}".to_owned()),
        "[a-z é\u{1F980}{}\":]{0,6}",
    ];
    proptest::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn mo8_any_split_gives_the_same(
        text in pieces_of_events(),
        cuts in proptest::collection::vec(any::<usize>(), 0..20),
        limit in 3..60_usize,
    ) {
        let bytes = text.as_bytes();
        let whole = events(Given::cut(bytes, &[]), limit);
        prop_assert_eq!(events(Given::cut(bytes, &cuts), limit), whole.as_str());
        prop_assert_eq!(events(Given::one_by_one(bytes), limit), whole);
        let whole = lines(Given::cut(bytes, &[]), limit);
        prop_assert_eq!(lines(Given::cut(bytes, &cuts), limit), whole.as_str());
    }

    #[test]
    fn mo8_any_bytes_are_read_without_a_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        cuts in proptest::collection::vec(any::<usize>(), 0..9),
    ) {
        let whole = events(Given::cut(&bytes, &[]), 50);
        prop_assert_eq!(events(Given::cut(&bytes, &cuts), 50), whole);
        let _ = lines(Given::cut(&bytes, &cuts), 50);
        let _ = body(Given::cut(&bytes, &cuts)).map(|_| ());
    }
}
