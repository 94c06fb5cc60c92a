//! Whole answers.

use expect_test::expect;
use rb_testkit::stub::Reply;
use serde_json::{Value, json};

use super::{
    begun, call, check, closed, event, input, message, opened, over, piece, plain, stopped, stream,
    text, with_schema, with_tools,
};

#[test]
fn mo1_words_come_in_pieces() {
    let reply = stream(&message(&[text(0, &["Be", "cause", "."])], "end_turn"));
    check(
        &plain(),
        reply,
        &expect![[r#"
        text  "Because."
        stop  End
        usage 10 in, 7 out, 5 read, 3 written, 0 thought, ByProvider; Unknown
        facts anthropic claude-test-1-20260101 req_1 1
        heard Begun Busy Busy Text("Be") Text("cause") Text(".") Busy Busy
    "#]],
    );
}

#[test]
fn mo4_the_input_of_the_forced_tool_is_the_value() {
    let content = [call(0, "verdict", &["", "{\"o", "k\": tr", "ue}"])];
    check(
        &with_schema(),
        stream(&message(&content, "tool_use")),
        &expect![[r#"
        value {"ok":true}
        stop  End
        usage 10 in, 7 out, 5 read, 3 written, 0 thought, ByProvider; Unknown
        facts anthropic claude-test-1-20260101 req_1 1
        heard Begun Busy Busy Busy Busy Busy Busy Busy Busy
    "#]],
    );
}

#[test]
fn mo4_a_model_that_is_not_forced_may_say_it_in_words() {
    let content = [text(0, &["{\"ok\":", "false}"])];
    check(
        &with_schema(),
        stream(&message(&content, "end_turn")),
        &expect![[r#"
        text  "{\"ok\":false}"
        value {"ok":false}
        stop  End
        usage 10 in, 7 out, 5 read, 3 written, 0 thought, ByProvider; Unknown
        facts anthropic claude-test-1-20260101 req_1 1
        heard Begun Busy Busy Text("{\"ok\":") Text("false}") Busy Busy
    "#]],
    );
}

#[test]
fn mo4_an_answer_without_the_form_is_told_to_the_model() {
    let words = [text(0, &["It is ok."])];
    check(
        &with_schema(),
        stream(&message(&words, "end_turn")),
        &expect![[r#"
            anthropic: the answer does not have the form that was asked for: the tool `verdict` was not called
            NotAsAsked: tell the model: the tool `verdict` was not called
            spent: 18 in, 7 out, ByProvider; Unknown
        "#]],
    );
    let nothing = message(&[], "end_turn");
    check(
        &with_schema(),
        stream(&nothing),
        &expect![[r#"
            anthropic: the answer does not have the form that was asked for: the tool `verdict` was not called
            NotAsAsked: tell the model: the tool `verdict` was not called
            spent: 18 in, 7 out, ByProvider; Unknown
        "#]],
    );
    let broken = [call(0, "verdict", &["{\"ok\": tr"])];
    check(
        &with_schema(),
        stream(&message(&broken, "tool_use")),
        &expect![[r#"
            anthropic: the answer does not have the form that was asked for: the input of the tool `verdict` is no JSON: EOF while parsing a value at line 1 column 9
            NotAsAsked: tell the model: the input of the tool `verdict` is no JSON: EOF while parsing a value at line 1 column 9
            spent: 18 in, 7 out, ByProvider; Unknown
        "#]],
    );
    let twice = [call(0, "verdict", &["{\"ok\":true}"]), call(1, "verdict", &["{\"ok\":false}"])];
    check(
        &with_schema(),
        stream(&message(&twice, "tool_use")),
        &expect![[r#"
            anthropic: the answer does not have the form that was asked for: the tool `verdict` was called 2 times, not once
            NotAsAsked: tell the model: the tool `verdict` was called 2 times, not once
            spent: 18 in, 7 out, ByProvider; Unknown
        "#]],
    );
}

#[test]
fn mo1_tools_are_called_in_parallel_and_their_input_comes_in_pieces() {
    let open = |index: u64, id: &str| {
        opened(index, &json!({ "type": "tool_use", "id": id, "name": "look", "input": {} }))
    };
    // The pieces of two calls, mixed.
    let mixed = vec![
        open(1, "toolu_a"),
        open(2, "toolu_b"),
        input(1, "{\"path\""),
        input(2, "{\"path\": \"b"),
        input(1, ": \"a.rs\"}"),
        closed(1),
        input(2, ".rs\"}"),
        closed(2),
    ];
    let content = [text(0, &["I look."]), mixed, call(3, "look", &[])];
    check(
        &with_tools(),
        stream(&message(&content, "tool_use")),
        &expect![[r#"
        text  "I look."
        call  toolu_a look {"path":"a.rs"}
        call  toolu_b look {"path":"b.rs"}
        call  toolu_3 look {}
        stop  Tools
        usage 10 in, 7 out, 5 read, 3 written, 0 thought, ByProvider; Unknown
        facts anthropic claude-test-1-20260101 req_1 1
        heard Begun Busy Busy Text("I look.") Busy Busy Busy Busy Busy Busy Busy Busy Busy Busy Busy Busy
    "#]],
    );
}

#[test]
fn mo4_a_value_beside_a_call_does_not_hide_the_call() {
    let content = [call(0, "look", &["{}"]), call(1, "verdict", &["{\"ok\":true}"])];
    check(
        &with_tools(),
        stream(&message(&content, "tool_use")),
        &expect![[r#"
        value {"ok":true}
        call  toolu_0 look {}
        stop  Tools
        usage 10 in, 7 out, 5 read, 3 written, 0 thought, ByProvider; Unknown
        facts anthropic claude-test-1-20260101 req_1 1
        heard Begun Busy Busy Busy Busy Busy Busy Busy Busy
    "#]],
    );
}

#[test]
fn mo1_usage_is_counted_to_the_end() {
    let later = json!({ "input_tokens": 11, "cache_read_input_tokens": 6, "output_tokens": 20 });
    let grown =
        [vec![begun()], text(0, &["a"]), vec![stopped("end_turn", &later), over()]].concat();
    check(
        &plain(),
        stream(&grown),
        &expect![[r#"
        text  "a"
        stop  End
        usage 11 in, 20 out, 6 read, 3 written, 0 thought, ByProvider; Unknown
        facts anthropic claude-test-1-20260101 req_1 1
        heard Begun Busy Busy Text("a") Busy Busy
    "#]],
    );
    let none = |usage: &Value| {
        [vec![begun()], text(0, &["a"]), vec![stopped("end_turn", usage), over()]].concat()
    };
    check(
        &plain(),
        stream(&none(&Value::Null)),
        &expect![[r#"
        text  "a"
        stop  End
        usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
        facts anthropic claude-test-1-20260101 req_1 1
        heard Begun Busy Busy Text("a") Busy Busy
    "#]],
    );
    check(
        &plain(),
        stream(&none(&json!({}))),
        &expect![[r#"
        text  "a"
        stop  End
        usage 0 in, 0 out, 0 read, 0 written, 0 thought, Estimate; Unknown
        facts anthropic claude-test-1-20260101 req_1 1
        heard Begun Busy Busy Text("a") Busy Busy
    "#]],
    );
}

#[test]
fn mo1_what_is_not_known_is_passed_over() {
    let thinking = vec![
        opened(0, &json!({ "type": "thinking", "thinking": "", "signature": "" })),
        piece(0, &json!({ "type": "thinking_delta", "thinking": "hm" })),
        piece(0, &json!({ "type": "signature_delta", "signature": "s" })),
        closed(0),
    ];
    let hidden = vec![opened(1, &json!({ "type": "redacted_thinking", "data": "x" })), closed(1)];
    let odd = vec![
        json!({ "type": "ping" }),
        json!({ "type": "weather", "sun": true }),
        opened(2, &json!({ "type": "hologram", "depth": 3 })),
        piece(2, &json!({ "type": "text_delta", "text": "not for us" })),
        piece(9, &json!({ "type": "scent_delta" })),
        closed(2),
    ];
    let content = [thinking, hidden, odd, text(3, &["Yes."])];
    check(
        &plain(),
        stream(&message(&content, "end_turn")),
        &expect![[r#"
        text  "Yes."
        stop  End
        usage 10 in, 7 out, 5 read, 3 written, 0 thought, ByProvider; Unknown
        facts anthropic claude-test-1-20260101 req_1 1
        heard Begun Busy Busy Busy Busy Busy Busy Busy Busy Busy Busy Busy Busy Busy Busy Text("Yes.") Busy Busy
    "#]],
    );
    let events = message(&[text(0, &["Yes."])], "sunset");
    let pieces = [": hello\n\n".to_owned()].into_iter().chain(events.iter().map(event));
    check(
        &plain(),
        Reply::events(pieces),
        &expect![[r#"
        text  "Yes."
        stop  End
        usage 10 in, 7 out, 5 read, 3 written, 0 thought, ByProvider; Unknown
        facts anthropic claude-test-1-20260101 msg_1 1
        note  the model stopped for an unknown reason: sunset
        heard Begun Busy Busy Busy Text("Yes.") Busy Busy
    "#]],
    );
}

#[test]
fn mo8_reasons_to_stop_are_told_apart() {
    let stop = |reason: &str| stream(&message(&[text(0, &["Well"])], reason));
    check(
        &plain(),
        stop("stop_sequence"),
        &expect![[r#"
        text  "Well"
        stop  End
        usage 10 in, 7 out, 5 read, 3 written, 0 thought, ByProvider; Unknown
        facts anthropic claude-test-1-20260101 req_1 1
        heard Begun Busy Busy Text("Well") Busy Busy
    "#]],
    );
    check(
        &plain(),
        stop("max_tokens"),
        &expect![[r#"
            anthropic: the answer is longer than the 1000 tokens that it may have
            AnswerCut: tell the model: the answer was cut off because it is too long
            spent: 18 in, 7 out, ByProvider; Unknown
        "#]],
    );
    check(
        &plain(),
        stop("model_context_window_exceeded"),
        &expect![[r#"
            anthropic: the request is too long for the model: the window of the model was full before the answer ended
            TooLong: tell the model: the request is too long for the model
            spent: 18 in, 7 out, ByProvider; Unknown
        "#]],
    );
    check(
        &plain(),
        stop("pause_turn"),
        &expect![[r#"
            anthropic: the answer broke off: the model paused
            Half: retry
            spent: 18 in, 7 out, ByProvider; Unknown
        "#]],
    );
    check(
        &plain(),
        stop("refusal"),
        &expect![[r#"
            anthropic: the model would not answer: Well
            Refusal: stop: Refused
            spent: 18 in, 7 out, ByProvider; Unknown
        "#]],
    );
    check(
        &plain(),
        stream(&message(&[], "refusal")),
        &expect![[r#"
            anthropic: the model would not answer: no reason was given
            Refusal: stop: Refused
            spent: 18 in, 7 out, ByProvider; Unknown
        "#]],
    );
    let details = json!({ "type": "refusal", "explanation": "swordfish is no fish" });
    let delta = json!({ "stop_reason": "refusal", "stop_details": details });
    let refusal = [begun(), json!({ "type": "message_delta", "delta": delta }), over()];
    check(
        &plain(),
        stream(&refusal),
        &expect![[r#"
            anthropic: the model would not answer: [key] is no fish
            Refusal: stop: Refused
            spent: 18 in, 1 out, Estimate; Unknown
        "#]],
    );
    check(
        &plain(),
        stream(&[begun(), over()]),
        &expect![[r#"
            anthropic: the answer broke off: the model gives no reason to stop
            Half: retry
            spent: 18 in, 1 out, Estimate; Unknown
        "#]],
    );
    // Cut in the middle of the form, which matters more than that it is broken.
    let cut = message(&[call(0, "verdict", &["{\"ok\": tr"])], "max_tokens");
    check(
        &with_schema(),
        stream(&cut),
        &expect![[r#"
            anthropic: the answer is longer than the 1000 tokens that it may have
            AnswerCut: tell the model: the answer was cut off because it is too long
            spent: 18 in, 7 out, ByProvider; Unknown
        "#]],
    );
}

#[test]
fn mo1_an_answer_in_one_piece_is_an_answer() {
    let content = json!([
        { "type": "thinking", "thinking": "hm", "signature": "s" },
        { "type": "text", "text": "Here." },
        { "type": "tool_use", "id": "toolu_1", "name": "verdict", "input": { "ok": true } },
    ]);
    let whole = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test-1",
        "content": content, "stop_reason": "tool_use",
        "usage": { "input_tokens": 4, "output_tokens": 5 },
    });
    check(
        &with_schema(),
        Reply::ok(whole.to_string()),
        &expect![[r#"
        text  "Here."
        value {"ok":true}
        stop  End
        usage 4 in, 5 out, 0 read, 0 written, 0 thought, ByProvider; Unknown
        facts anthropic claude-test-1 msg_1 1
        heard Begun
    "#]],
    );
}
